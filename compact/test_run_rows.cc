// Every runner prints the same few things: a row a test, a block a failure, a list of what failed, totals. They differ
// in spelling only, and the spelling is fixed text at the start or the end of a line. So the runners are a table: how a
// row starts, what stands in it, how it ends, what it is. Durations and percentages after a row are taken off before
// its end is looked at. No regular expressions: a line is looked at by its first byte, then by its last.
#include "compact/test_run_rows.h"

#include <array>
#include <cstddef>

namespace pith {
namespace {

using enum RowRole;

// What must stand before `start`.
enum class Indent : uint8_t { kAny, kNone, kSome };

struct Pattern {
  RowRole role;
  std::string_view start;  // after blanks; empty: by the end
  std::string_view has;    // somewhere after `start`
  std::string_view end;    // before duration and percentage
  Indent indent = Indent::kAny;
  bool named = true;     // what stands between start and end is the test's name
  bool in_word = false;  // `has` stands in the first word
};

constexpr Indent kAnyIndent = Indent::kAny;
constexpr Indent kFlush = Indent::kNone;
constexpr Indent kIndented = Indent::kSome;

constexpr std::string_view kPlainName = "test_";  // starts a name without dots: a function, no file

// By the start of a line; of several that match the first counts.
constexpr Pattern kByStart[] = {
    // pytest
    {kListing, "FAILED ", "::", "", kFlush, true, true},
    {kListing, "ERROR ", "::", "", kFlush, true, true},
    {kListing, "ERROR ", ".py", "", kFlush, true, true},
    {kListing, "SUBFAIL", "::", "", kFlush},
    {kListing, "SUBFAILED", "::", "", kFlush},
    {kPass, "PASSED ", "::", "", kFlush},
    {kPass, "SUBPASS", "::", "", kFlush},
    {kSkip, "SKIPPED [", "", "", kFlush},
    {kSkip, "SKIPPED ", "::", "", kFlush},
    {kSkip, "XFAIL ", "::", "", kFlush},
    {kSkip, "XPASS ", "::", "", kFlush},
    {kFail, "[gw", "] FAILED ", "", kFlush, false},
    {kFail, "[gw", "] ERROR ", "", kFlush, false},
    {kPass, "[gw", "] PASSED ", "", kFlush, false},
    {kSkip, "[gw", "] SKIPPED ", "", kFlush, false},
    {kSkip, "[gw", "] X", "", kFlush, false},
    {kTotals, "collected ", " item", "", kFlush, false},
    {kTotals, "collecting ", " item", "", kFlush, false},
    {kSummary, "TOTAL ", "%", "", kFlush, false},
    {kBroken, "INTERNALERROR>", "", "", kFlush, false},
    {kBroken, "ImportError while ", "", "", kFlush, false},
    // unittest, django, nose
    {kBlock, "FAIL: ", " (", "", kFlush},
    {kBlock, "ERROR: ", " (", "", kFlush},
    {kBlock, "FAIL: ", "", "", kFlush},
    {kBlock, "UNEXPECTED SUCCESS: ", "", "", kFlush},
    {kSummary, "Ran ", " test", "", kFlush, false},
    {kSummary, "FAILED (", "", ")", kFlush, false},
    {kSummary, "OK (", "", ")", kFlush, false},
    {kProgress, "Creating test database", "", "", kFlush, false},
    {kProgress, "Destroying test database", "", "", kFlush, false},
    {kProgress, "Cloning test database", "", "", kFlush, false},
    {kProgress, "Importing application ", "", "", kFlush, false},
    {kProgress, "Applying ", "", "OK", kIndented, false},
    {kProgress, "Creating table", "", "", kIndented, false},
    // cargo test, libtest, nextest
    {kSummary, "test result: ", "", "", kFlush, false},
    {kBlock, "---- ", "", " stdout ----", kFlush},
    {kBlock, "---- ", "", " stderr ----", kFlush},
    {kPass, "test ", "", " ... ok", kFlush},
    {kFail, "test ", "", " ... FAILED", kFlush},
    {kSkip, "test ", " ... ignored", "", kFlush},
    {kList, "failures:", "", "", kFlush, false},
    {kPasses, "successes:", "", "", kFlush, false},
    {kGroup, "Running unittests", "", "", kIndented, false},
    {kGroup, "Running ", "(target", "", kIndented, false},
    {kGroup, "Doc-tests ", "", "", kIndented, false},
    {kBroken, "error: test failed", "", "", kFlush, false},
    {kBroken, "error: test run failed", "", "", kFlush, false},
    {kPass, "PASS [", "] ", "", kAnyIndent, false},
    {kFail, "FAIL [", "] ", "", kAnyIndent, false},
    {kFail, "TIMEOUT [", "] ", "", kAnyIndent, false},
    {kFail, "SIGABRT [", "] ", "", kAnyIndent, false},
    {kFail, "SIGSEGV [", "] ", "", kAnyIndent, false},
    {kSummary, "Summary [", "", "", kAnyIndent, false},
    // go test
    {kStart, "=== RUN ", "", ""},
    {kStart, "=== CONT ", "", ""},
    {kProgress, "=== PAUSE ", "", ""},
    {kProgress, "=== NAME ", "", ""},
    {kPass, "--- PASS: ", "", ""},
    {kSkip, "--- SKIP: ", "", ""},
    {kOpen, "--- FAIL: ", "", ""},
    {kPass, "--- BENCH: ", "", ""},
    {kSummary, "FAIL\t", "", "", kFlush, false},
    {kGroup, "ok  \t", "", "", kFlush, false},
    {kProgress, "?   \t", "", "", kFlush, false},
    {kBroken, "panic: ", "", "", kAnyIndent, false},
    {kBroken, "fatal error: ", "", "", kFlush, false},
    {kBroken, "exit status ", "", "", kFlush, false},
    // jest, vitest, mocha, node --test, bun, deno, playwright
    {kBlock, "\xE2\x97\x8F ", "", ""},  // ●
    {kPass, "\xE2\x9C\x93 ", "", ""},   // ✓
    {kPass, "\xE2\x9C\x94 ", "", ""},   // ✔
    {kPass, "\xE2\x88\x9A ", "", ""},   // √
    {kHeading, "\xE2\x9C\x96 failing tests:", "", "", kAnyIndent, false},
    {kFail, "\xE2\x9C\x95 ", "", ""},                                        // ✕
    {kFail, "\xE2\x9C\x97 ", "", ""},                                        // ✗
    {kOpen, "\xE2\x9C\x96 ", "", ""},                                        // ✖
    {kFail, "\xE2\x9C\x98 ", "", ""},                                        // ✘
    {kFail, "\xC3\x97 ", "", ""},                                            // ×
    {kSkip, "\xE2\x97\x8B ", "", ""},                                        // ○
    {kSkip, "\xE2\x86\x93 ", "", ""},                                        // ↓
    {kSkip, "\xEF\xB9\xA3 ", "", ""},                                        // ﹣
    {kFail, "\xE2\x9D\xAF ", "failed)", "", kAnyIndent, false},              // ❯ file (3 tests | 1 failed)
    {kHeading, "\xE2\x8E\xAF\xE2\x8E\xAF", "Tests", "", kAnyIndent, false},  // ⎯⎯ Failed Tests 2 ⎯⎯
    {kBroken, "\xE2\x8E\xAF\xE2\x8E\xAF", "Errors", "", kAnyIndent, false},
    {kHeading, "\xE2\x8E\xAF\xE2\x8E\xAF", "", "", kAnyIndent, false},
    {kGroup, "RUN  v", "", "", kAnyIndent, false},
    {kBlock, "FAIL  ", " > ", ""},
    {kFail, "FAIL ", ".", ""},
    {kGroup, "PASS ", ".", "", kFlush, false},
    {kSummary, "Tests: ", "", "", kAnyIndent, false},
    {kSummary, "Test Suites: ", "", "", kFlush, false},
    {kSummary, "Snapshots: ", " failed", "", kAnyIndent, false},
    {kProgress, "Snapshots: ", "", "", kFlush, false},
    {kSummary, "Test Files ", "", "", kAnyIndent, false},
    {kSummary, "Tests  ", "", "", kIndented, false},
    {kSummary, "Errors  ", "error", "", kIndented, false},
    {kHeading, "Summary of all failing tests", "", "", kFlush, false},
    {kBroken, "Test suite failed to run", "", "", kAnyIndent, false},
    {kProgress, "\xE2\x84\xB9 ", "duration_ms", "", kAnyIndent, false},  // ℹ
    {kSummary, "\xE2\x84\xB9 fail ", "", "", kAnyIndent, false},
    {kSummary, "\xE2\x84\xB9 pass ", "", "", kAnyIndent, false},
    {kSummary, "\xE2\x84\xB9 tests ", "", "", kAnyIndent, false},
    {kProgress, "\xE2\x84\xB9 ", "", "", kAnyIndent, false},
    {kPass, "(pass) ", "", ""},
    {kFail, "(fail) ", "", ""},
    {kSkip, "(skip) ", "", ""},
    {kSkip, "(todo) ", "", ""},
    // TAP, prove
    {kSkip, "ok ", "# SKIP", ""},
    {kSkip, "ok ", "# skip", ""},
    {kSkip, "not ok ", "# TODO", ""},
    {kPass, "ok ", "", ""},
    {kOpen, "not ok ", "", ""},
    {kBroken, "Bail out!", "", "", kAnyIndent, false},
    {kProgress, "# Subtest: ", "", "", kAnyIndent, false},
    {kSummary, "# fail ", "", "", kFlush, false},
    {kSummary, "# pass ", "", "", kFlush, false},
    {kSummary, "# tests ", "", "", kFlush, false},
    {kSummary, "# Looks like ", "", "", kAnyIndent, false},
    {kBlock, "#   Failed test ", "", ""},
    {kBlock, "#     Failed test ", "", ""},
    {kProgress, "1..", "", "", kAnyIndent, false},
    {kSummary, "Failed ", " subtests", "", kFlush, false},
    {kSummary, "Dubious, ", "", "", kFlush, false},
    {kSummary, "Failed test", ":", "", kIndented, false},
    {kSummary, "TODO passed:", "", "", kIndented, false},
    {kSummary, "Parse errors: ", "", "", kAnyIndent, false},
    {kSummary, "Files=", "", "", kFlush, false},
    {kSummary, "Result: ", "", "", kFlush, false},
    {kSummary, "All tests successful.", "", "", kFlush, false},
    // ctest
    {kStart, "Start ", ": ", "", kIndented, false},
    {kList, "The following tests FAILED:", "", "", kFlush, false},
    {kHeading, "The following tests did not run:", "", "", kFlush, false},
    {kBroken, "Errors while running CTest", "", "", kFlush, false},
    {kTotals, "Total Test time", "", "", kFlush, false},
    // googletest
    {kStart, "[ RUN      ] ", "", "", kFlush},
    {kPass, "[       OK ] ", "", "", kFlush},
    {kSummary, "[  PASSED  ] ", " test", "", kFlush, false},
    {kSummary, "[  FAILED  ] ", "listed below", "", kFlush, false},
    {kFail, "[  FAILED  ] ", "", "", kFlush},
    {kSkip, "[  SKIPPED ] ", "", "", kFlush},
    {kSummary, "[==========] ", " ran", "", kFlush, false},
    {kProgress, "[=====", "", "", kFlush, false},
    {kProgress, "[-----", "", "", kFlush, false},
    {kProgress, "[ DISABLED ]", "", "", kFlush, false},
    // surefire, gradle, TestNG
    {kBlock, "", "", "<<< FAILURE!"},
    {kBlock, "", "", "<<< ERROR!"},
    {kSummary, "Tests run: ", "", "", kAnyIndent, false},
    {kProgress, "Running ", "", "", kFlush, false},
    {kList, "Failures:", "", "", kFlush, false},
    {kList, "Errors:", "", "", kFlush, false},
    {kList, "Failed tests:", "", "", kFlush, false},
    {kList, "Tests in error:", "", "", kFlush, false},
    {kSummary, "BUILD FAILURE", "", "", kFlush, false},
    {kSummary, "BUILD FAILED", "", "", kFlush, false},
    {kTotals, "BUILD SUCCESS", "", "", kFlush, false},
    {kProgress, "Please refer to ", "", "", kFlush, false},
    {kProgress, "-> [Help ", "", "", kFlush, false},
    {kProgress, "[Help ", "", "", kFlush, false},
    {kProgress, "To see the full stack trace", "", "", kFlush, false},
    {kProgress, "Re-run Maven ", "", "", kFlush, false},
    {kProgress, "For more information about the errors", "", "", kFlush, false},
    {kProgress, "Run with --", "", "", kAnyIndent, false},
    {kProgress, "* Get more help at", "", "", kFlush, false},
    {kProgress, "note: run with `RUST_BACKTRACE", "", "", kFlush, false},
    {kProgress, "note: Some details are omitted, run with", "", "", kFlush, false},
    {kBroken, "FAILURE: Build failed", "", "", kFlush, false},
    {kBroken, "Execution failed for task", "", "", kAnyIndent, false},
    // dotnet
    {kSummary, "Failed!  - ", "", "", kFlush, false},
    {kSummary, "Passed!  - ", "", "", kFlush, false},
    {kSummary, "Test Run Failed.", "", "", kFlush, false},
    {kSummary, "Test Run Aborted", "", "", kFlush, false},
    {kSummary, "Total tests: ", "", "", kFlush, false},
    {kSummary, "Failed: ", "", "", kAnyIndent, false},
    {kTotals, "Passed: ", "", "", kAnyIndent, false},
    {kPass, "Passed ", "", "", kIndented},
    {kBlock, "Failed ", "", "", kIndented},
    {kSkip, "Skipped ", "", "", kIndented},
    {kFail, "[xUnit.net ", "", "[FAIL]", kFlush, false},
    {kSkip, "[xUnit.net ", "", "[SKIP]", kFlush, false},
    {kProgress, "[xUnit.net ", "", "", kFlush, false},
    // rspec, minitest, phpunit, ExUnit
    {kListing, "rspec ./", "", "", kFlush},
    {kHeading, "Failed examples:", "", "", kFlush, false},
    {kHeading, "Finished in ", "", "", kFlush, false},
    {kSummary, "FAILURES!", "", "", kFlush, false},
    {kSummary, "ERRORS!", "", "", kFlush, false},
    {kSummary, "There was ", "", ":", kFlush, false},
    {kSummary, "There were ", "", ":", kFlush, false},
    // junit XML
    {kPass, "<testcase ", "", "/>"},
    {kPass, "<testcase ", "", "</testcase>"},
    {kBlock, "<testcase ", "", ">"},
    {kSummary, "<testsuite", " tests=", "", kAnyIndent, false},
    // boost, Catch2, doctest, XCTest, scalatest
    {kSummary, "*** ", " detected", "", kFlush, false},
    {kSummary, "test cases: ", "", "", kFlush, false},
    {kTotals, "assertions: ", "", "", kFlush, false},
    {kSummary, "[doctest] test cases:", "", "", kFlush, false},
    {kTotals, "[doctest] assertions:", "", "", kFlush, false},
    {kSummary, "[doctest] Status:", "", "", kFlush, false},
    {kBlock, "TEST CASE:", "", "", kFlush},
    {kPass, "Test Case '", "", "passed"},
    {kFail, "Test Case '", "", "failed"},
    {kStart, "Test Case '", "", "started."},
    {kPass, "Test Case '", "' passed", ""},
    {kFail, "Test Case '", "' failed", ""},
    {kSummary, "Executed ", " test", "", kAnyIndent, false},
    {kBlock, "- ", "", "*** FAILED ***"},
    // sympy
    {kProgress, "DO *NOT* COMMIT!", "", "", kFlush, false},
    // the run was ended from outside
    {kBroken, "Fatal Python error:", "", "", kFlush, false},
    {kBroken, "Segmentation fault", "", "", kAnyIndent, false},
    {kBroken, "Aborted (core dumped)", "", "", kAnyIndent, false},
    {kBroken, "Killed", "", "Killed", kFlush, false},
    {kBroken, "terminate called", "", "", kFlush, false},
};

// By the end of a line, durations and percentages taken off.
constexpr Pattern kByEnd[] = {
    // pytest -v
    {kPass, "", "::", " PASSED"},
    {kFail, "", "::", " FAILED"},
    {kFail, "", "::", " ERROR"},
    {kSkip, "", "::", " XFAIL"},
    {kSkip, "", "::", " XPASS"},
    // unittest
    {kPass, "", "", " ... ok"},
    {kFail, "", "", " ... FAIL"},
    {kFail, "", "", " ... ERROR"},
    {kFail, "", "", " ... FAILED"},
    {kSkip, "", "", " ... expected failure"},
    {kFail, "", "", " ... unexpected success"},
    // ctest
    {kPass, "", "Test ", "Passed"},
    {kOpen, "", "Test ", "***Failed"},
    {kFail, "", "Test ", "***Not Run"},
    {kOpen, "", "Test ", "***Timeout"},
    {kOpen, "", "Test ", "SegFault"},
    {kOpen, "", "Test ", "***Exception:"},
    // gradle
    {kBlock, "", " > ", " FAILED", kFlush},
    {kPass, "", " > ", " PASSED"},
    {kSkip, "", " > ", " SKIPPED"},
    // rspec documentation format, mocha
    {kFail, "", "(FAILED - ", ")"},
    // sympy
    {kPass, kPlainName, "", " ok", kFlush},
    {kFail, kPlainName, "", " F", kFlush},
    {kFail, kPlainName, "", " E", kFlush},
    {kSkip, kPlainName, "", " f", kFlush},
    {kSkip, kPlainName, "", " X", kFlush},
    {kSkip, kPlainName, "", " s", kFlush},
    {kSkip, kPlainName, "", " w", kFlush},
};

// Totals that carry numbers at their start: "5 examples, 1 failure", "3 passing (10ms)", "=== 2 failed, 13 passed in
// 0.46s ===".
constexpr std::string_view kCountedWords[] = {
    "failed", "passed",     "passing", "failing", "failure", "failures", "error",   "errors",  "examples",   "example",
    "runs",   "assertions", "tests",   "skipped", "warning", "warnings", "pending", "xfailed", "deselected",
};
constexpr std::string_view kVerdictWords[] = {"failed",   "passed", "passing", "failing",   "failure",
                                              "failures", "error",  "errors",  "tests ran", "tests completed"};

// Runs of one byte on both sides of a name make a banner.
constexpr std::string_view kHeadingBanners[] = {
    "FAILURES",         "ERRORS",   "test session starts", "short test summary info",
    "warnings summary", "slowest",  "test process starts", "rerun test summary",
    "tests coverage",   "coverage:"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsBlank(char c) { return c == ' ' || c == '\t'; }

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
    for (std::string_view unit : {" seconds", " sec", " ms", "ms", "s"}) {
      if (!text.ends_with(unit)) continue;
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

template <size_t N>
struct Index {
  // Patterns in table order, grouped by byte: first[b]..first[b+1] in `at`.
  std::array<uint16_t, 257> first{};
  std::array<uint16_t, N> at{};
};

template <size_t N>
constexpr Index<N> IndexBy(const Pattern (&patterns)[N], bool start) {
  Index<N> index;
  uint16_t filled = 0;
  for (size_t byte = 0; byte < 256; ++byte) {
    index.first[byte] = filled;
    for (size_t i = 0; i < N; ++i) {
      std::string_view key = start ? patterns[i].start : patterns[i].end;
      if (key.empty()) continue;
      char wanted = start ? key.front() : key.back();
      if (static_cast<unsigned char>(wanted) == byte) index.at[filled++] = static_cast<uint16_t>(i);
    }
  }
  index.first[256] = filled;
  return index;
}

constexpr auto kStartIndex = IndexBy(kByStart, true);
constexpr auto kEndIndex = IndexBy(kByEnd, false);

// The patterns of the start table that have no start are tried at the end.
bool Matches(const Pattern& pattern, std::string_view body, std::string_view core, bool indented, Row& row) {
  if (pattern.indent == Indent::kNone && indented) return false;
  if (pattern.indent == Indent::kSome && !indented) return false;
  if (!body.starts_with(pattern.start) || !core.ends_with(pattern.end)) return false;
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
  if (size_t last = rest.rfind(" ... "); last != std::string_view::npos)
    rest.remove_prefix(last + 5);  // of two run together
  if (pattern.named) row.name = TrimLeft(TrimRight(rest));
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

// "test_x (a.B) ... skipped 'no disk'", "tests/test_a.py::test_x SKIPPED (no disk)".
bool SaysSkipped(std::string_view body) {
  size_t colons = body.find("::");
  if (colons != std::string_view::npos && body.find(" SKIPPED", colons) != std::string_view::npos) return true;
  size_t dots = body.find("... ");
  return dots != std::string_view::npos && body.find("... skipped", dots) != std::string_view::npos;
}

}  // namespace

std::string_view WithoutLinePrefix(std::string_view text) {
  if (text.size() > 20 && IsDigit(text[0]) && text[4] == '-' && text[10] == 'T') {  // 2026-01-02T03:04:05.678Z
    size_t blank = text.find(' ');
    if (blank != std::string_view::npos && blank < 40 && text[blank - 1] == 'Z') text.remove_prefix(blank + 1);
  }
  if (text.empty() || text.front() != '[') return text;
  for (std::string_view level : {"[ERROR] ", "[INFO] ", "[WARNING] ", "[error] ", "[info] ", "[warn] "}) {
    if (text.starts_with(level)) return text.substr(level.size());
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
  std::string_view core = WithoutTail(body);
  auto byte = static_cast<unsigned char>(body.front());
  for (size_t i = kStartIndex.first[byte]; i < kStartIndex.first[byte + 1u]; ++i) {
    if (Matches(kByStart[kStartIndex.at[i]], body, core, indented, row)) return row;
  }
  if (core.empty()) return row;
  byte = static_cast<unsigned char>(core.back());
  for (size_t i = kEndIndex.first[byte]; i < kEndIndex.first[byte + 1u]; ++i) {
    if (Matches(kByEnd[kEndIndex.at[i]], body, core, indented, row)) return row;
  }
  if (core.ends_with("<<< FAILURE!") || core.ends_with("<<< ERROR!")) {
    row.name = core.substr(0, core.find(" -- "));
    row.role = core.starts_with("Tests run:") ? kSummary : kBlock;
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
