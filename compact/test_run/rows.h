// What a line of a test run is, by one table of row patterns over all runners. A runner that prints rows of its own
// needs rows here and no code; what the rows mean for a view is common to all (test_run.cc).
#pragma once
#include <cstdint>
#include <string_view>

namespace pith {

enum class RowRole : uint8_t {
  kBody,      // none of the below: what tests and tools print, tracebacks, source
  kPass,      // a test that passed
  kSkip,      // a test that was skipped, or failed as it was expected to
  kFail,      // a test that failed, in a row among the others
  kOpen,      // the same, and what it says follows, up to the next row
  kBlock,     // names a failing test and opens the part that says why
  kListing,   // names a failing test once more, in the list after a run
  kStart,     // a test begins: what it prints follows, its verdict comes after
  kHeading,   // a heading between parts: a block before it has ended
  kPasses,    // a heading over what passing tests printed
  kList,      // a heading over a list of failing tests
  kSummary,   // the runner's own totals
  kGroup,     // a package, a file or a suite that passed
  kTotals,    // lesser totals
  kBroken,    // the run itself broke: collection errors, interruption, internal errors
  kProgress,  // dots, bars, set-up
};

struct Row {
  RowRole role = RowRole::kBody;
  std::string_view name;  // of the test, as the row spells it; empty where the row has none
};

// Reads one line (escape sequences already dropped). Linear in the line, no allocation. The table is indexed by the
// first byte of a line and by the last byte before its duration, so that a line is held against a handful of patterns.
Row ReadRow(std::string_view text);

// The text without what a harness, a build tool or a log puts before each line: "[ERROR] ", a time stamp.
std::string_view WithoutLinePrefix(std::string_view text);

}  // namespace pith
