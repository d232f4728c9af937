// Which part of an original is asked for. Selectors combine in this order: json_path, then lines or bytes, then pattern
// with context, then offset and limit over what is left. Line numbers and byte offsets of lines, bytes and patterns are
// always the original's.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pith {

struct LineRange {
  uint64_t first = 1;          // 1-based
  uint64_t last = UINT64_MAX;  // inclusive
};

struct ByteRange {
  uint64_t offset = 0;  // 0-based
  uint64_t length = UINT64_MAX;
};

struct Selector {
  std::optional<std::string> json_path = {};
  std::vector<LineRange> lines = {};        // in the order asked for; empty: all
  std::optional<uint64_t> head = {};        // the first so many lines, after those of `lines`; 0: none
  std::optional<uint64_t> tail = {};        // the last so many lines, after those; 0: none
  std::optional<ByteRange> bytes = {};      // not with lines, head or tail
  std::optional<std::string> pattern = {};  // RE2, line by line
  uint64_t context = 0;                     // lines before and after each match
  uint64_t offset = 0;                      // of the page, in bytes of what is left
  std::optional<uint64_t> limit = {};       // of the page; none: the service's page size

  // Nothing but a page of the whole is asked for.
  bool whole() const { return !json_path && !by_lines() && !bytes && !pattern; }
  bool by_lines() const { return !lines.empty() || head || tail; }
};

// "31-114,200-210", "7", "500-" (to the end). Errors: kInvalid, saying what the form is.
Result<std::vector<LineRange>> ParseLineRanges(std::string_view text);

// "900+4096" (offset+length), "900+" (to the end). Errors: kInvalid.
Result<ByteRange> ParseByteRange(std::string_view text);

}  // namespace pith
