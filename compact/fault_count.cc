// A count stands behind its name and a sign (failed=7, "errors": 3) or before it (7 errors). What is one fault (error
// 17, error: 404, error=5) names its number and counts nothing, so a singular is a count only behind a number.
#include "compact/fault_count.h"

#include <array>
#include <cstddef>

#include "compact/signal_judge.h"

namespace pith {
namespace {

constexpr auto kCounted =
    std::to_array<std::string_view>({"failed", "failures", "errors", "unreachable", "failure", "error"});
constexpr size_t kPlural = 4;  // of them: they count what stands behind them too
constexpr size_t kMostDigits = 9;

// A whole number other than 0 from `at` on.
bool CountAt(std::string_view line, size_t at) {
  size_t end = at;
  bool zero = true;
  for (; end < line.size() && ascii::IsDigit(line[end]); ++end) zero = zero && line[end] == '0';
  if (end == at || zero || end - at > kMostDigits) return false;
  const bool goes_on = end < line.size() && (ascii::IsWord(line[end]) || line[end] == '%' || line[end] == ':');
  const bool fraction = end + 1 < line.size() && line[end] == '.' && ascii::IsDigit(line[end + 1]);
  return !goes_on && !fraction;
}

bool CountBehind(std::string_view line, size_t end) {
  size_t at = end;
  if (at < line.size() && (line[at] == '"' || line[at] == '\'')) ++at;
  if (at >= line.size() || (line[at] != '=' && line[at] != ':')) return false;
  ++at;
  while (at < line.size() && (line[at] == ' ' || line[at] == '"')) ++at;
  return CountAt(line, at);
}

bool CountBefore(std::string_view line, size_t begin) {
  if (begin < 2 || line[begin - 1] != ' ' || !ascii::IsDigit(line[begin - 2])) return false;
  size_t at = begin - 1;
  while (at > 0 && begin - at <= kMostDigits && ascii::IsDigit(line[at - 1])) --at;
  if (at > 0 && (ascii::IsWord(line[at - 1]) || line[at - 1] == '.' || line[at - 1] == ':' || line[at - 1] == '#'))
    return false;
  return CountAt(line, at);
}

}  // namespace

bool CountsFaults(std::string_view line) {
  for (size_t at = 0; at < line.size();) {
    if (!ascii::IsLetter(line[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < line.size() && ascii::IsLetter(line[end])) ++end;
    for (size_t i = 0; i < kCounted.size(); ++i) {
      if (!ascii::SameIgnoringCase(line.substr(at, end - at), kCounted[i])) continue;
      if ((i < kPlural && CountBehind(line, end)) || CountBefore(line, at)) return true;
    }
    at = end;
  }
  return false;
}

}  // namespace pith
