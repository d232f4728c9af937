// Each shape has a beginning that hardly anything else has: a file mode, a commit's digits, drawing characters. What
// has none is a table if its columns stand apart.
#include "compact/listing/rows.h"

#include <algorithm>
#include <array>

#include "compact/begins.h"
#include "compact/characters.h"

namespace pith {
namespace {

constexpr size_t kMostRead = 400;
constexpr size_t kWordCells = 12;  // cells of SplitWords, the rest of the line included

using ascii::IsDigit;
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); }

size_t HexAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsHex(text[end])) ++end;
  return end - at;
}

size_t DigitsAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsDigit(text[end])) ++end;
  return end - at;
}

// Length of the abbreviated or whole commit name at the start, one blank behind it (ids of containers stand in
// columns); a boundary mark ^ is part of it.
size_t CommitLength(std::string_view text) {
  const size_t start = text.starts_with('^') ? 1 : 0;
  const size_t digits = HexAt(text, start), end = start + digits;
  return digits >= 7 && digits <= 40 && end + 1 < text.size() && text[end] == ' ' && text[end + 1] != ' ' ? end : 0;
}

// Where blame's line number ends (at its ')'), 0 if this is no line of blame.
size_t BlameClose(std::string_view text) {
  const size_t commit = CommitLength(text);
  if (commit == 0) return 0;
  const size_t open = text.substr(0, 200).find('(', commit);
  if (open == std::string_view::npos) return 0;
  size_t close = text.substr(0, 300).find(") ", open);
  if (close == std::string_view::npos && text.ends_with(')')) close = text.size() - 1;
  if (close == std::string_view::npos || !IsDigit(text[close - 1])) return 0;
  size_t number = close;
  while (number > open && IsDigit(text[number - 1])) --number;
  // A time zone and a date stand before the number.
  const std::string_view before = text.substr(open, number - open);
  return before.find(':') != std::string_view::npos && before.ends_with(' ') ? close : 0;
}

bool IsMode(std::string_view text) {
  if (text.size() < 12 || std::string_view("-dlbcps").find(text[0]) == std::string_view::npos) return false;
  for (size_t i = 1; i < 10; ++i) {
    if (std::string_view("rwxsStT-").find(text[i]) == std::string_view::npos) return false;
  }
  return text[10] == ' ' || text[10] == '.' || text[10] == '+' || text[10] == '@';
}

bool IsStat(std::string_view text) {
  const size_t bar = text.rfind(" | ");
  if (bar == std::string_view::npos || bar < 2 || text[0] != ' ') return false;
  size_t at = bar + 3;
  while (at < text.size() && text[at] == ' ') ++at;
  if (text.substr(at).starts_with("Bin")) return true;
  at += DigitsAt(text, at);
  if (text[at - 1] == ' ') return false;
  return text.find_first_not_of(" +-", at) == std::string_view::npos;
}

bool IsSize(std::string_view text) {
  size_t at = DigitsAt(text, 0);
  if (at == 0) return false;
  if (at < text.size() && text[at] == '.') at += 1 + DigitsAt(text, at + 1);
  if (at < text.size() && std::string_view("KMGTB").find(text[at]) != std::string_view::npos) ++at;
  return at + 1 < text.size() && text[at] == '\t';
}

bool IsStatus(std::string_view text) {
  if (text.size() < 4) return false;
  if (text[0] == '\t') {
    const bool frame = text.starts_with("\tat ") || text.starts_with("\t... ");  // of Java's traces
    return !frame && text.find('\t', 1) == std::string_view::npos;
  }
  constexpr std::string_view kMarks = " MADRCUT?!";
  return kMarks.find(text[0]) != std::string_view::npos && kMarks.find(text[1]) != std::string_view::npos &&
         text.substr(0, 2) != "  " && text[2] == ' ' && text[3] != ' ';
}

constexpr auto kTreeParts = std::to_array<std::string_view>({
    "\xe2\x94\x9c", "\xe2\x94\x94", "\xe2\x94\x82", "\xe2\x94\x80", "\xe2\x94\xac",  // ├ └ │ ─ ┬
    "\xe2\x95\x90", "\xe2\x95\xa0", "\xe2\x95\x9a", "\xe2\x95\x91", "\xc2\xa0",      // ═ ╠ ╚ ║ no-break blank
});

}  // namespace

size_t TreePrefix(std::string_view text) {
  size_t at = 0;
  bool drawn = false;
  if (text.starts_with("[INFO] ")) at = 7;  // Maven draws its trees behind its level
  const size_t start = at;
  while (at < text.size()) {
    const char c = text[at];
    if (c == ' ') {
      ++at;
      continue;
    }
    if ((c == '|' || c == '+' || c == '\\' || c == '`') && at + 1 < text.size() &&
        (text[at + 1] == '-' || text[at + 1] == ' ')) {
      drawn = true;
      at += 2;
      while (at < text.size() && text[at] == '-') ++at;
      continue;
    }
    if (c != '\xe2' && c != '\xc2') break;
    const auto part = std::find_if(kTreeParts.begin(), kTreeParts.end(),
                                   [&](std::string_view glyph) { return text.substr(at).starts_with(glyph); });
    if (part == kTreeParts.end()) break;
    drawn = true;
    at += part->size();
  }
  return drawn ? at - start : 0;
}

RowShape ShapeOfRow(std::string_view text) {
  text = text.substr(0, kMostRead);
  if (text.size() < 3) return RowShape::kOther;
  if (text.starts_with("commit ") && HexAt(text, 7) == 40) return RowShape::kLongCommit;
  if (IsMode(text)) return RowShape::kMode;
  if (BlameClose(text) != 0) return RowShape::kBlame;
  if (CommitLength(text) != 0 || text.starts_with("stash@{")) return RowShape::kCommit;
  if (IsSize(text)) return RowShape::kSize;
  if (TreePrefix(text) != 0) return RowShape::kTree;
  if (IsStat(text)) return RowShape::kStat;
  if (IsStatus(text)) return RowShape::kStatus;
  const size_t begin = text.find_first_not_of(" \t");
  const size_t apart = std::min(text.find("  ", begin), text.find('\t', begin));
  return apart != std::string_view::npos && apart + 3 < text.size() ? RowShape::kCells : RowShape::kOther;
}

bool SplitBlame(std::string_view line, std::vector<std::string_view>& cells) {
  const size_t close = BlameClose(line);
  if (close == 0) return false;
  size_t number = close;
  while (number > 0 && IsDigit(line[number - 1])) --number;
  size_t end = number;
  while (end > 0 && line[end - 1] == ' ') --end;
  const size_t rest = std::min(close + 2, line.size());
  cells = {line.substr(0, end), line.substr(number, close - number), line.substr(rest)};
  return true;
}

namespace {

bool SplitInto(size_t most, std::string_view line, std::vector<std::string_view>& cells) {
  size_t at = 0;
  while (at < line.size() && cells.size() + 1 < most) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
    if (at == line.size()) break;
    const size_t end = WordEnd(line, at);
    cells.push_back(line.substr(at, end - at));
    at = end;
  }
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  if (at < line.size()) cells.push_back(line.substr(at));
  return cells.size() >= 2 || (cells.size() == 1 && cells[0].find('/') != std::string_view::npos);
}

}  // namespace

bool SplitWords(std::string_view line, std::vector<std::string_view>& cells) {
  return SplitInto(kWordCells, line, cells);
}

bool SplitFewWords(std::string_view line, std::vector<std::string_view>& cells) {
  return SplitInto(kFewWords, line, cells);
}

bool IsColumnHeading(std::string_view text) {
  size_t words = 0, capitals = 0;
  bool apart = false;
  for (size_t at = 0; at < text.size() && at < kMostRead;) {
    const size_t start = BlanksEnd(text, at);
    if (start == text.size()) break;
    apart = apart || (words > 0 && (start - at >= 2 || text[at] == '\t'));
    const size_t end = WordEnd(text, start);
    const std::string_view word = text.substr(start, end - start);
    if (std::any_of(word.begin(), word.end(), IsDigit)) return false;
    capitals += std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    ++words;
    at = end;
  }
  return words >= 2 && (capitals == words || (apart && words >= 3));
}

bool IsTotal(std::string_view text) {
  const size_t start = std::min(text.find_first_not_of(" \t("), text.size());
  text = text.substr(start, 120);
  if (text.starts_with("total ") || text.starts_with("TOTAL") || text.starts_with("Total")) return true;
  const size_t digits = DigitsAt(text, 0);
  if (digits == 0) return false;
  const std::string_view after = text.substr(digits);
  return after.starts_with(" file") || after.starts_with(" row") || after.starts_with(" director") ||
         after.starts_with(" item") || after.starts_with(" result") || after.starts_with(" package");
}

}  // namespace pith
