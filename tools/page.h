// How much of a tool's result each host shows whole: what is longer it cuts, or puts into a file. Pages are sized by
// this table, chosen with `--host`; what a client calls itself never decides.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pith {

inline constexpr uint64_t kDefaultPageBytes = 40000;

struct HostPage {
  std::string_view host;
  uint64_t page_bytes;
  uint64_t result_size_meta;  // announced as anthropic/maxResultSizeChars of the retrieve tools; 0: not
};
std::span<const HostPage> HostPages();

// The row of a host; the default row for "". Errors: kInvalid, naming the known hosts.
Result<HostPage> HostPageOf(std::string_view host);

// [begin, end) of a page of text that splits no UTF-8 character: both ends move down to a boundary, so pages that
// follow each other join to the whole; where that would leave nothing, the end moves up by one character instead.
// Offsets are of `around`, which holds the wanted bytes with at least three more on each side where there are any.
struct PageSpan {
  uint64_t begin = 0, end = 0;
};
PageSpan PageOnCharacters(std::string_view around, uint64_t begin, uint64_t end);

}  // namespace pith
