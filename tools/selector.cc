#include "tools/selector.h"

#include "base/units.h"
#include "base/utf8.h"

namespace pith {
namespace {

constexpr size_t kMostRanges = 1000;

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string Quoted(std::string_view text) { return "\"" + ReplaceInvalidUtf8(text.substr(0, 60)) + "\""; }

std::optional<LineRange> ParseOne(std::string_view text) {
  size_t dash = text.find('-');
  LineRange range;
  std::optional<uint64_t> first = ParseWhole(Trim(text.substr(0, dash)));
  if (!first || *first == 0) return std::nullopt;
  range.first = *first;
  if (dash == std::string_view::npos) {
    range.last = *first;
    return range;
  }
  std::string_view rest = Trim(text.substr(dash + 1));
  if (rest.empty()) return range;
  std::optional<uint64_t> last = ParseWhole(rest);
  if (!last || *last < *first) return std::nullopt;
  range.last = *last;
  return range;
}

}  // namespace

Result<std::vector<LineRange>> ParseLineRanges(std::string_view text) {
  std::vector<LineRange> ranges;
  std::string_view rest = Trim(text);
  if (rest.starts_with("lines ")) rest = Trim(rest.substr(6));  // an address as a view writes it
  while (true) {
    size_t comma = rest.find(',');
    std::optional<LineRange> range = ParseOne(Trim(rest.substr(0, comma)));
    if (!range || ranges.size() >= kMostRanges) break;
    ranges.push_back(*range);
    if (comma == std::string_view::npos) return ranges;
    rest = rest.substr(comma + 1);
  }
  return Error{Cause::kInvalid,
               "lines must be ranges such as \"31-114\" or \"31-114,200-210\", counted from 1, not " + Quoted(text)};
}

Result<ByteRange> ParseByteRange(std::string_view text) {
  std::string_view rest = Trim(text);
  if (rest.starts_with("bytes ")) rest = Trim(rest.substr(6));
  size_t plus = rest.find('+');
  std::optional<uint64_t> offset = ParseWhole(Trim(rest.substr(0, plus)));
  std::string_view length_text = plus == std::string_view::npos ? std::string_view() : Trim(rest.substr(plus + 1));
  std::optional<uint64_t> length = length_text.empty() ? UINT64_MAX : ParseWhole(length_text);
  if (!offset || !length || plus == std::string_view::npos) {
    return Error{Cause::kInvalid, "bytes must be offset+length such as \"900+4096\", not " + Quoted(text)};
  }
  return ByteRange{*offset, *length};
}

}  // namespace pith
