// Lists of paths, shown as a fold; when too long, some of each folder and gaps that name it.
#pragma once
#include <string>
#include <vector>

#include "compact/search/folds_search.h"
#include "compact/search/lines.h"

namespace pith {

// Lines first..last of a document, all of which are paths.
class SearchList {
 public:
  SearchList(const Document& document, const SearchText& text, uint32_t first, uint32_t last);

  uint64_t full_size() const { return full_size_; }  // bytes when every path is shown

  // Appends pieces that own the lines, in about `room` bytes.
  void Emit(uint64_t room, std::vector<Piece>& pieces) const;

 private:
  // Consecutive lines that one fold can hold; or one line that no fold can.
  struct Stretch {
    uint32_t first = 0, last = 0;
    bool fits = true;
    std::string text;
  };
  // Consecutive lines of one folder.
  struct Run {
    uint32_t first = 0, end = 0;
    uint32_t stretch = 0;
    std::string_view folder;
  };

  PathEntry EntryOf(uint32_t line) const;
  void FindRuns(uint32_t stretch);
  static uint32_t ShownOf(const Run& run, uint32_t quota);
  uint64_t CostOf(const Run& run, uint32_t quota) const;  // bytes, when `quota` of it are shown
  void EmitPart(uint64_t room, std::vector<Piece>& pieces) const;
  bool EmitAsked(uint64_t room, std::vector<Piece>& pieces) const;
  void EmitFold(const std::vector<uint32_t>& lines, std::vector<Piece>& pieces) const;
  Piece GapOf(uint32_t first, uint32_t end, std::string detail) const;

  const Document& document_;
  const SearchText& text_;
  uint32_t last_;
  std::vector<Stretch> stretches_;
  std::vector<Run> runs_;
  uint64_t full_size_ = 0;
};

}  // namespace pith
