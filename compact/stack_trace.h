// Stack traces as units: what was raised, each cause, the nearest frames of the project, and all that lies between. For
// Python, Java and its kin, C#, JavaScript, Go, Rust, and C and C++ as sanitizers, valgrind and debuggers print them.
#pragma once
#include <cstdint>
#include <vector>

#include "compact/document.h"

namespace pith {

struct StackTrace {
  static constexpr size_t kMostMore = 12;

  uint32_t first = 0, last = 0;  // lines, 0-based, inclusive
  std::vector<uint32_t> heads;   // what was raised and every cause, ascending
  std::vector<uint32_t> frames;  // of each part the project's frame nearest to the fault, with its source; ascending
  std::vector<uint32_t> more;    // further frames of the project, near the fault first; at most kMostMore
  uint32_t frame_count = 0;      // frames in all
};

// The traces of a document, in order, none overlapping. A part without a frame of the project gives its nearest frame.
// Linear in the lines; no state between lines but the trace at hand.
std::vector<StackTrace> FindStackTraces(const Document& document);

}  // namespace pith
