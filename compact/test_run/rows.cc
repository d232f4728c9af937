// Every runner prints the same few things: a row a test, a block a failure, a list of what failed, totals. They differ
// in spelling only, and the spelling is fixed text at the start or the end of a line. So the runners are a table: how a
// row starts, what stands in it, how it ends, what it is. Durations and percentages after a row are taken off before
// its end is looked at. No regular expressions: a line is looked at by its first byte, then by its last.
#include "compact/test_run/rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "compact/begins.h"
#include "compact/characters.h"
#include "compact/test_run/table.h"

namespace pith {
namespace {

using namespace test_rows;

using ascii::IsBlank;
using ascii::IsDigit;

std::string_view TrimRight(std::string_view text) {
  while (!text.empty() && (IsBlank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::string_view TrimLeft(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  return text;
}

bool IsDuration(std::string_view inside) {
  if (inside.empty() || inside.size() > 24) return false;
  bool digit = false;
  for (char c : inside) {
    digit |= IsDigit(c);
    if (!IsDigit(c) && std::string_view(" .,%msunhseci/[]-:").find(c) == std::string_view::npos) return false;
  }
  return digit;
}

constexpr auto kUnits = TextTable(" seconds", " sec", " ms", "ms", "s");

// Takes off what may follow a row's end: "[ 12%]", "(2 ms)", "0.01 sec", "(0.5s)", "in 3ms", "[FAIL]" of sympy.
std::string_view WithoutTail(std::string_view text) {
  for (int i = 0; i < 3; ++i) {
    text = TrimRight(text);
    if (text.empty()) return text;
    char close = text.back();
    if (close == ')' || close == ']') {
      size_t open = text.rfind(close == ')' ? '(' : '[');
      if (open == std::string_view::npos || open == 0) return text;
      std::string_view inside = text.substr(open + 1, text.size() - open - 2);
      bool column =
          (inside == "FAIL" || inside == "OK") && open > 8 && IsBlank(text[open - 1]) && IsBlank(text[open - 2]);
      if (!IsDuration(inside) && !column) return text;
      text.remove_suffix(text.size() - open);
      continue;
    }
    if (close != 's' && close != 'c') return text;
    for (std::string_view unit : kUnits) {
      if (!Ends(text, unit)) continue;
      size_t at = text.size() - unit.size();
      size_t end = at;
      while (at > 0 && (IsDigit(text[at - 1]) || text[at - 1] == '.')) --at;
      if (at == end || at == 0 || !IsBlank(text[at - 1])) continue;
      text.remove_suffix(text.size() - at);
      break;
    }
  }
  return TrimRight(text);
}

constexpr auto kStartIndex = ByByte(kByStart, [](const Pattern& pattern) { return pattern.start; });
constexpr auto kEndIndex = ByByte(
    kByEnd, [](const Pattern& pattern) { return pattern.end; }, true);

// Eight bytes in one number: most patterns are ruled out by comparing it once. Bytes that a text does not have are 0.
constexpr size_t kEight = 8;
using Eight = std::array<char, kEight>;
struct Edge {
  uint64_t bytes = 0, mask = 0;  // mask: of the bytes that the pattern has
  bool RulesOut(uint64_t text) const { return ((text ^ bytes) & mask) != 0; }
};

constexpr Edge FirstOf(std::string_view text) {
  Eight bytes{}, mask{};
  for (size_t i = 0; i < std::min(kEight, text.size()); ++i) bytes[i] = text[i], mask[i] = static_cast<char>(0xff);
  return {std::bit_cast<uint64_t>(bytes), std::bit_cast<uint64_t>(mask)};
}
constexpr Edge LastOf(std::string_view text) {
  Eight bytes{}, mask{};
  const size_t size = std::min(kEight, text.size());
  for (size_t i = 0; i < size; ++i) {
    bytes[kEight - 1 - i] = text[text.size() - 1 - i];
    mask[kEight - 1 - i] = static_cast<char>(0xff);
  }
  return {std::bit_cast<uint64_t>(bytes), std::bit_cast<uint64_t>(mask)};
}
template <size_t N, typename EdgeOf>
consteval std::array<Edge, N> Edges(const Pattern (&patterns)[N], EdgeOf edge_of) {
  std::array<Edge, N> edges{};
  for (size_t i = 0; i < N; ++i) edges[i] = edge_of(patterns[i]);
  return edges;
}
constexpr auto kStartEdges = Edges(kByStart, [](const Pattern& pattern) { return FirstOf(pattern.start); });
constexpr auto kEndEdges = Edges(kByEnd, [](const Pattern& pattern) { return LastOf(pattern.end); });

uint64_t FirstBytes(std::string_view text) {
  if (text.size() < kEight) return FirstOf(text).bytes;
  uint64_t bytes = 0;
  std::memcpy(&bytes, text.data(), kEight);
  return bytes;
}
uint64_t LastBytes(std::string_view text) {
  return text.size() < kEight ? LastOf(text).bytes : FirstBytes(text.substr(text.size() - kEight));
}

// Whether the rest of a pattern holds of a line whose edges it does not rule out. The patterns of the start table that
// have no start are tried at the end.
bool Matches(const Pattern& pattern, std::string_view body, std::string_view core, bool indented, Row& row) {
  if (pattern.indent == Indent::kNone && indented) return false;
  if (pattern.indent == Indent::kSome && !indented) return false;
  if (!pattern.start.empty() && !Begins(body, pattern.start)) return false;
  if (!pattern.end.empty() && !Ends(core, pattern.end)) return false;
  if (core.size() < pattern.start.size() + pattern.end.size()) {
    if (!pattern.end.empty()) return false;
    core = body;
  }
  std::string_view rest = core.substr(pattern.start.size(), core.size() - pattern.start.size() - pattern.end.size());
  size_t has = pattern.has.empty() ? 0 : rest.find(pattern.has);
  if (has == std::string_view::npos || (pattern.in_word && rest.substr(0, has).find(' ') != std::string_view::npos))
    return false;
  if (pattern.start == kPlainName && rest.find('.') != std::string_view::npos) return false;
  row.role = pattern.role;
  if (pattern.start == kPlainName) rest = core.substr(0, core.size() - pattern.end.size());
  if (!pattern.named) return true;
  for (size_t dots = rest.find(" ... "); dots != std::string_view::npos; dots = rest.find(" ... ")) {
    rest.remove_prefix(dots + 5);  // of two run together
  }
  row.name = TrimLeft(TrimRight(rest));
  return true;
}

// "2 failed, 13 passed in 0.46s", "5 examples, 1 failure", "18 tests completed, 3 failed", "85% tests passed, 3 tests
// failed".
bool IsCountedSummary(std::string_view text) {
  if (text.empty() || !IsDigit(text.front())) return text.starts_with("no tests ran");
  size_t number = 0;
  while (number < text.size() && (IsDigit(text[number]) || text[number] == '%')) ++number;
  std::string_view after = text.substr(number);
  bool counts = false;  // what the first number counts
  for (std::string_view known : kCountedWords) {
    counts |= after.starts_with(' ') && after.substr(1).starts_with(known) &&
              (after.size() == known.size() + 1 || after.find_first_of(" ,;|(.", 1) == known.size() + 1);
  }
  if (!counts) return false;
  bool verdict = false;
  size_t at = 0, words = 0, counted = 0;
  while (at < text.size() && words < 24) {
    while (at < text.size() && (IsBlank(text[at]) || text[at] == ',' || text[at] == '|' || text[at] == ';')) ++at;
    size_t begin = at;
    while (at < text.size() && !IsBlank(text[at]) && text[at] != ',' && text[at] != ';') ++at;
    std::string_view word = text.substr(begin, at - begin);
    if (word.empty()) break;
    ++words;
    for (std::string_view known : kCountedWords) counted += word == known;
    for (std::string_view known : kVerdictWords) verdict |= word == known;
  }
  return verdict && counted * 4 >= words;
}

// Lines of one repeated byte on either side: "==== FAILURES ====", "____ test_x ____", "!!!! Interrupted !!!!".
bool ReadBanner(std::string_view text, Row& row) {
  char edge = text.front();
  if ((edge != '=' && edge != '_' && edge != '!' && edge != '-' && edge != '~') || text.size() < 3) return false;
  size_t left = 0, right = 0;
  while (left < text.size() && text[left] == edge) ++left;
  if (left == text.size()) {
    if (text.size() >= 8 && edge == '=') row.role = kHeading;
    return row.role != kBody;
  }
  while (right < text.size() - left && text[text.size() - 1 - right] == edge) ++right;
  if (text[left] != ' ') return false;
  if (left < 3 && !(text.size() > 60 && (edge == '_' || edge == '='))) return false;  // long names leave room for one
  if (right == 0 && edge != '_' && edge != '=') return false;  // totals too long for one line are wrapped
  std::string_view inner = TrimLeft(TrimRight(text.substr(left, text.size() - left - right)));
  if (inner.empty() || inner.front() == edge) return false;
  if (edge == '!') {
    row.role = kBroken;
  } else if (edge == '_' && right > 0) {
    row = {kBlock, inner};
    if (inner.starts_with("ERROR collecting ")) row.name = inner.substr(17);
    if (inner == "slowest tests") row = {kHeading, {}};  // sympy's
  } else if (edge == '=') {
    if (IsCountedSummary(inner) || inner.starts_with("tests finished:")) row.role = kSummary;
    if (right == 0 || left < 3) return row.role != kBody;
    if (row.role == kBody && inner.starts_with("PASSES")) row.role = kPasses;
    for (std::string_view heading : kHeadingBanners) {
      if (row.role == kBody && inner.find(heading) != std::string_view::npos) row.role = kHeading;
    }
    if (row.role == kBody && left >= 4 && right >= 4) row.role = kHeading;
  } else {
    return false;
  }
  return row.role != kBody;
}

// "tests/test_a.py ..F..s.   [ 58%]": dots and letters of verdicts, nothing else.
bool IsDots(std::string_view core) {
  size_t blank = core.rfind(' ');
  std::string_view dots = blank == std::string_view::npos ? core : core.substr(blank + 1);
  if (dots.size() < 1) return false;
  for (char c : dots) {
    if (std::string_view(".FEsSxXuUTfwP*RI").find(c) == std::string_view::npos) return false;
  }
  if (dots.find('.') == std::string_view::npos && dots.size() < 8 && blank == std::string_view::npos) return false;
  if (blank == std::string_view::npos) return dots.size() >= 5;
  std::string_view path = core.substr(0, blank);
  return path.find(' ') == std::string_view::npos && path.find('.') != std::string_view::npos;
}

// "3) Suite name" of mocha, rspec, phpunit, minitest: a number, a closing parenthesis.
bool ReadNumbered(std::string_view body, Row& row) {
  size_t digits = 0;
  while (digits < body.size() && IsDigit(body[digits])) ++digits;
  if (digits == 0 || digits > 5 || digits + 2 >= body.size() || body[digits] != ')' || body[digits + 1] != ' ')
    return false;
  row = {kBlock, TrimLeft(TrimRight(body.substr(digits + 2)))};
  return true;
}

struct Verdict {
  std::string_view word;
  RowRole role;
};
// What pytest says of a test beside PASSED, FAILED and ERROR alone at a row's end. Parts that passed of a test are not
// counted: the test has a row of its own.
constexpr Verdict kVerdicts[] = {
    {"PASSED", kPass}, {"FAILED", kFail}, {"ERROR", kFail},     {"SKIPPED", kSkip},
    {"XFAIL", kSkip},  {"XPASS", kSkip},  {"SUBFAILED", kFail}, {"SUBPASSED", kProgress},
};
const Verdict* VerdictAt(std::string_view text) {
  for (const Verdict& verdict : kVerdicts) {
    if (!Begins(text, verdict.word)) continue;
    const std::string_view after = text.substr(verdict.word.size());
    const bool part = verdict.word.starts_with("SUB") && (Begins(after, "[") || Begins(after, "("));
    if (after.empty() || after.front() == ' ' || part) return &verdict;
  }
  return nullptr;
}

// "tests/test_a.py::test_x SKIPPED (no disk)", "tests/test_a.py::test_x SUBFAILED[m] (i=1)".
bool ReadVerdictInside(std::string_view body, Row& row) {
  const size_t colons = body.find("::");
  if (colons == std::string_view::npos || body.substr(0, colons).find(' ') != std::string_view::npos) return false;
  for (size_t blank = body.find(' ', colons); blank != std::string_view::npos; blank = body.find(' ', blank + 1)) {
    const Verdict* verdict = VerdictAt(body.substr(blank + 1));
    if (verdict == nullptr) continue;
    row = {verdict->role, body.substr(0, blank)};
    return true;
  }
  return false;
}

// "[gw0] [ 29%] FAILED tests/test_a.py::test_x", as pytest's workers report.
bool ReadWorkerRow(std::string_view body, Row& row) {
  size_t at = body.find("] ");
  if (at != std::string_view::npos && body.substr(at + 2).starts_with('[')) at = body.find("] ", at + 2);
  if (at == std::string_view::npos) return false;
  body.remove_prefix(at + 2);
  const Verdict* verdict = VerdictAt(body);
  const size_t colons = body.find("::");
  if (verdict == nullptr || colons == std::string_view::npos) return false;
  row = {verdict->role, TrimRight(body.substr(body.rfind(' ', colons) + 1))};
  return true;
}

// "test_x (a.B) ... skipped 'no disk'".
bool SaysSkipped(std::string_view body) {
  size_t dots = body.find("... ");
  return dots != std::string_view::npos && body.find("... skipped", dots) != std::string_view::npos;
}

constexpr auto kLevels = TextTable("[ERROR] ", "[INFO] ", "[WARNING] ", "[error] ", "[info] ", "[warn] ");

}  // namespace

std::string_view WithoutLinePrefix(std::string_view text) {
  if (text.size() > 20 && IsDigit(text[0]) && text[4] == '-' && text[10] == 'T') {  // 2026-01-02T03:04:05.678Z
    size_t blank = text.find(' ');
    if (blank != std::string_view::npos && blank < 40 && text[blank - 1] == 'Z') text.remove_prefix(blank + 1);
  }
  if (text.empty() || text.front() != '[') return text;
  for (std::string_view level : kLevels) {
    if (Begins(text, level)) return text.substr(level.size());
  }
  return text;
}

Row ReadRow(std::string_view text) {
  Row row;
  text = WithoutLinePrefix(TrimRight(text));
  std::string_view body = TrimLeft(text);
  if (body.empty() || body.size() > 4096) return row;
  bool indented = body.size() != text.size();
  if (!indented && ReadBanner(body, row)) return row;
  if (Begins(body, "[gw") && ReadWorkerRow(body, row)) return row;
  std::string_view core = WithoutTail(body);
  const uint64_t first = FirstBytes(body), last = LastBytes(core);
  const auto by_start = [&](const Pattern& pattern) {
    return !kStartEdges[static_cast<size_t>(&pattern - kByStart)].RulesOut(first) &&
           Matches(pattern, body, core, indented, row);
  };
  const auto by_end = [&](const Pattern& pattern) {
    return !kEndEdges[static_cast<size_t>(&pattern - kByEnd)].RulesOut(last) &&
           Matches(pattern, body, core, indented, row);
  };
  if (FindByFirstByte(kStartIndex, kByStart, body, by_start) != nullptr) return row;
  if (core.empty() || FindByByte(kEndIndex, kByEnd, core.back(), by_end) != nullptr) return row;
  if (Ends(core, "<<< FAILURE!") || Ends(core, "<<< ERROR!")) {
    row.name = core.substr(0, core.find(" -- "));
    row.role = core.starts_with("Tests run:") ? kSummary : kBlock;
  } else if (ReadVerdictInside(body, row)) {
    return row;
  } else if (SaysSkipped(body)) {
    row.role = kSkip;
  } else if (body == "FAIL" || body == "PASS" || body == "OK" || body == "FAILED") {
    row.role = kSummary;
  } else if (IsCountedSummary(body)) {
    row.role = kSummary;
  } else if (!ReadNumbered(body, row) && !indented && IsDots(core)) {
    row.role = kProgress;
  }
  return row;
}

}  // namespace pith
