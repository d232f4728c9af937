#include "compact/diff/other_forms.h"

#include "compact/begins.h"
#include "compact/characters.h"

namespace pith {
namespace {

// "12" or "12,15" at `at`; `lines` is how many that names. "0" names none: an empty side.
bool ReadRange(std::string_view line, size_t& at, uint64_t& lines) {
  uint64_t ends[2] = {0, 0};
  int read = 0;
  for (; read < 2; ++read) {
    const size_t begin = at;
    for (; at < line.size() && ascii::IsDigit(line[at]) && at - begin < 12; ++at) {
      ends[read] = ends[read] * 10 + static_cast<uint64_t>(line[at] - '0');
    }
    if (at == begin) return false;
    if (read == 1 || at >= line.size() || line[at] != ',') break;
    ++at;
  }
  if (read == 0) ends[1] = ends[0];
  if (ends[1] < ends[0]) return false;
  lines = ends[1] == 0 ? 0 : ends[1] - ends[0] + 1;
  return true;
}

}  // namespace

bool ReadNormalHunk(std::string_view line, NormalHunk& hunk) {
  if (line.empty() || !ascii::IsDigit(line[0])) return false;
  size_t at = 0;
  if (!ReadRange(line, at, hunk.old_left) || at >= line.size()) return false;
  const char what = line[at++];
  if ((what != 'a' && what != 'c' && what != 'd') || !ReadRange(line, at, hunk.new_left) || at != line.size()) {
    return false;
  }
  if (what == 'a') hunk.old_left = 0;
  if (what == 'd') hunk.new_left = 0;
  hunk.divided = what == 'c';
  return hunk.old_left + hunk.new_left > 0;
}

bool ReadContextPart(std::string_view line, char mark, uint64_t& lines) {
  const std::string_view rule = mark == '*' ? "****" : "----";
  if (!Begins(line, rule.substr(0, 3)) || line.size() < 10 || line[3] != ' ' || !Ends(line, rule)) return false;
  size_t at = 4;
  return ReadRange(line, at, lines) && at + 5 == line.size() && line[at] == ' ';
}

}  // namespace pith
