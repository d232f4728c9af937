// Stack traces as units: what was raised, each cause, the nearest frames of the project, and all that lies between. For
// Python, Java and its kin, C#, JavaScript, Go, Rust, and C and C++ as sanitizers, valgrind and debuggers print them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "compact/document.h"

namespace pith {

struct StackTrace {
  static constexpr size_t kMostMore = 12;

  uint32_t first = 0, last = 0;     // lines, 0-based, inclusive
  std::span<const uint32_t> heads;  // what was raised and every cause, ascending; at most some hundred, as of the next
  std::span<const uint32_t>
      frames;                      // of each part the project's frame nearest to the fault, with its source; ascending
  std::span<const uint32_t> more;  // further frames of the project, near the fault first; at most kMostMore
  uint32_t frame_count = 0;        // frames in all
};

// Many of them in two tables: a row a trace, and the lines that they name.
class StackTraces {
 public:
  void Add(const StackTrace& trace);
  size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  StackTrace operator[](size_t index) const;  // its lines are borrowed from here, until the next Add

 private:
  struct Row {
    uint32_t first = 0, last = 0, frame_count = 0;
    uint32_t lines = 0;  // where those of the trace begin: heads, frames, more
    uint16_t heads = 0, frames = 0, more = 0;
  };
  std::vector<Row> rows_;
  std::vector<uint32_t> lines_;
};

// The traces of a document, in order, none overlapping. A part without a frame of the project gives its nearest frame.
// Linear in the lines; no state between lines but the trace at hand.
StackTraces FindStackTraces(const Document& document);

}  // namespace pith
