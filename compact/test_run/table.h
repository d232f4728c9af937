// The table of row patterns: how each runner spells a row. A new runner is rows here.
#pragma once
#include <cstdint>
#include <string_view>

#include "compact/test_run/rows.h"

namespace pith::test_rows {

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

inline constexpr Indent kAnyIndent = Indent::kAny;
inline constexpr Indent kFlush = Indent::kNone;
inline constexpr Indent kIndented = Indent::kSome;

inline constexpr std::string_view kPlainName = "test_";  // starts a name without dots: a function, no file

// By the start of a line; of several that match the first counts.
inline constexpr Pattern kByStart[] = {
    // pytest
    {kListing, "FAILED ", "::", "", kFlush, true, true},
    {kListing, "ERROR ", "::", "", kFlush, true, true},
    {kListing, "ERROR ", ".py", "", kFlush, true, true},
    {kListing, "SUBFAIL", "::", "", kFlush},
    {kListing, "SUBFAILED", "::", "", kFlush},
    {kPass, "PASSED ", "::", "", kFlush},
    {kProgress, "SUBPASS", "::", "", kFlush, false},  // a part of a test that has a row of its own
    {kSkip, "SKIPPED [", "", "", kFlush},
    {kSkip, "SKIPPED ", "::", "", kFlush},
    {kSkip, "XFAIL ", "::", "", kFlush},
    {kSkip, "XPASS ", "::", "", kFlush},
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
    // sympy, where the totals are wider than the banner around them, in one line or two
    {kSummary, "tests finished: ", " passed", "", kAnyIndent, false},
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
    {kSummary, "\xE2\x84\xB9 tests ", "", "", kAnyIndent, false},  // ℹ
    {kSummary, "\xE2\x84\xB9 suites ", "", "", kAnyIndent, false},
    {kSummary, "\xE2\x84\xB9 pass ", "", "", kAnyIndent, false},
    {kSummary, "\xE2\x84\xB9 fail ", "", "", kAnyIndent, false},
    {kSummary, "\xE2\x84\xB9 cancelled ", "", "", kAnyIndent, false},
    {kSummary, "\xE2\x84\xB9 skipped ", "", "", kAnyIndent, false},
    {kSummary, "\xE2\x84\xB9 todo ", "", "", kAnyIndent, false},
    {kSummary, "\xE2\x84\xB9 duration_ms ", "", "", kAnyIndent, false},
    {kProgress, "\xE2\x84\xB9 ", "", "", kAnyIndent, false},
    {kPass, "(pass) ", "", ""},
    {kFail, "(fail) ", "", ""},
    {kSkip, "(skip) ", "", ""},
    {kSkip, "(todo) ", "", ""},
    // TAP, prove
    {kSkip, "ok ", "# SKIP", ""},
    {kSkip, "ok ", "# skip", ""},
    {kSkip, "ok ", "# TODO", ""},
    {kSkip, "not ok ", "# TODO", ""},
    {kPass, "ok ", "", ""},
    {kOpen, "not ok ", "", ""},
    {kBroken, "Bail out!", "", "", kAnyIndent, false},
    {kProgress, "# Subtest: ", "", "", kAnyIndent, false},
    {kSummary, "# tests ", "", "", kFlush, false},
    {kSummary, "# suites ", "", "", kFlush, false},
    {kSummary, "# pass ", "", "", kFlush, false},
    {kSummary, "# fail ", "", "", kFlush, false},
    {kSummary, "# cancelled ", "", "", kFlush, false},
    {kSummary, "# skipped ", "", "", kFlush, false},
    {kSummary, "# todo ", "", "", kFlush, false},
    {kSummary, "# duration_ms ", "", "", kFlush, false},
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
    {kBlock, "<testcase ", "<failure", ""},
    {kBlock, "<testcase ", "<error", ""},
    {kSkip, "<testcase ", "<skipped", ""},
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
inline constexpr Pattern kByEnd[] = {
    // pytest -v
    {kPass, "", "::", " PASSED"},
    {kFail, "", "::", " FAILED"},
    {kFail, "", "::", " ERROR"},
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
inline constexpr std::string_view kCountedWords[] = {
    "failed", "passed",     "passing", "failing", "failure", "failures", "error",   "errors",  "examples",   "example",
    "runs",   "assertions", "tests",   "skipped", "warning", "warnings", "pending", "xfailed", "deselected",
};
inline constexpr std::string_view kVerdictWords[] = {"failed",   "passed", "passing", "failing",   "failure",
                                                     "failures", "error",  "errors",  "tests ran", "tests completed"};

// Runs of one byte on both sides of a name make a banner.
inline constexpr std::string_view kHeadingBanners[] = {
    "FAILURES",         "ERRORS",   "test session starts", "short test summary info",
    "warnings summary", "slowest",  "test process starts", "rerun test summary",
    "tests coverage",   "coverage:"};

}  // namespace pith::test_rows
