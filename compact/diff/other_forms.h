// Hunks in the forms that diff writes without -u: its normal form ("3,4c3", "< old", "---", "> new") and its context
// form (-c: "***************", "*** 1,7 ****", "! old", "--- 1,8 ----", "! new"), as POSIX has them.
#pragma once
#include <cstdint>
#include <string_view>

namespace pith {

struct NormalHunk {
  uint64_t old_left = 0, new_left = 0;  // lines of each side that are still to come
  bool divided = false;                 // "---" stands between the sides
};

// "3c3", "51,53d50", "83a81,82": the whole line.
bool ReadNormalHunk(std::string_view line, NormalHunk& hunk);

// "*** 8,14 ****" or "--- 8,14 ----", by `mark`: how many lines the part may have.
bool ReadContextPart(std::string_view line, char mark, uint64_t& lines);

}  // namespace pith
