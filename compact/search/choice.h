// What of a search's results is shown under a limit.
#pragma once
#include <string>
#include <vector>

#include "compact/search/blocks.h"
#include "compact/search/lists.h"
#include "compact/shaper.h"

namespace pith {

// A search output, read. The parts refer to each other and to the document: neither copied nor moved.
struct SearchResults {
  explicit SearchResults(const Document& original);
  SearchResults(const SearchResults&) = delete;
  SearchResults& operator=(const SearchResults&) = delete;

  const Document& document;
  SearchText text;  // one a line
  std::vector<SearchBlock> blocks;
  std::vector<SearchList> lists;  // of the blocks that are lists, in order
};

struct SearchChoice {
  std::vector<bool> shown;      // one a line, of groups and others
  uint64_t width = UINT64_MAX;  // bytes of a body above which it is cut
  bool numbers = true;          // gaps name line numbers
  bool files = true;            // gaps name files
  std::vector<uint64_t> rooms;  // one a block, of lists and complaints: the bytes that it may take; 0: hidden
};

inline constexpr uint64_t kOtherWidth = 400;  // bytes above which a line that is no match is cut

// Orders once, then chooses for any limit. Linear.
class SearchChooser {
 public:
  explicit SearchChooser(const SearchResults& results);
  SearchChoice Choose(const Limit& limit) const;

 private:
  uint64_t PathCost(const SearchBlock& block) const;
  uint64_t LineCost(uint32_t line, uint64_t width) const;
  uint64_t PlaceCost(const SearchBlock& block, bool numbers) const;
  uint64_t ListCost() const;
  uint64_t ShareRooms(uint64_t room, SearchChoice& choice) const;
  uint64_t ChooseOthers(uint64_t room, SearchChoice& choice) const;
  void ChooseMatches(const Limit& limit, uint64_t spent, SearchChoice& choice) const;
  void TakeTurns(uint64_t room, SearchChoice& choice) const;
  void FillHoles(SearchChoice& choice) const;
  void OrderRounds();
  std::vector<bool> Wanted() const;

  const SearchResults& results_;
  std::vector<std::pair<uint32_t, uint32_t>> turns_;  // line, block: the order in which lines are taken
};

}  // namespace pith
