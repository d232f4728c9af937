// Evidence of a test run: rows of tests and a runner's totals, in the forms of test_run_table.h. Totals alone are weak,
// since many programs count errors; a row alone is weaker. Together they are hardly anything else.
#include <string>

#include "compact/kinds.h"
#include "compact/test_run/json.h"
#include "compact/test_run/rows.h"

namespace pith {
namespace {

constexpr uint32_t kSampledLines = 3000;
constexpr uint64_t kLinesARow =
    50;  // at most, where no total and no failure says what it is: manuals have words of tests

struct Sample {
  uint64_t summaries = 0;  // totals
  uint64_t named = 0;      // rows and headers that name failing tests
  uint64_t events = 0;     // lines of `go test -json`
  uint64_t verdicts = 0;   // rows of other tests, marks of a beginning or an end
  uint64_t bare_oks = 0;   // of these: "ok 12 words", which anything may print
  uint64_t lines = 0;      // that were looked at
  bool tap_plan = false;   // "1..12", "TAP version 13"
};

// The first and the last lines of a long original, all of a short one.
Sample SampleRows(const Document& document) {
  Sample sample;
  std::string scratch;
  TestEvent event;
  uint32_t count = document.line_count();
  for (uint32_t line = 0; line < count; ++line) {
    if (line == kSampledLines && count > 2 * kSampledLines) line = count - kSampledLines;
    ++sample.lines;
    Row row = ReadTestEvent(document.Plain(line, scratch), event);
    sample.events += event.text.data() == event.unwrapped.data();
    sample.tap_plan |= event.text.starts_with("1..") || event.text.starts_with("TAP version ");
    switch (row.role) {
      case RowRole::kSummary:
        ++sample.summaries;
        break;
      case RowRole::kFail:
      case RowRole::kOpen:
      case RowRole::kListing:
      case RowRole::kBlock:
        ++sample.named;
        break;
      case RowRole::kPass:
      case RowRole::kSkip:
      case RowRole::kStart:
      case RowRole::kHeading:
        ++sample.verdicts;
        sample.bare_oks += event.text.starts_with("ok ");
        break;
      default:
        break;
    }
  }
  return sample;
}

}  // namespace

Evidence DetectTestRun(const Document& document) {
  Sample sample = SampleRows(document);
  if (sample.events > 2 && sample.named + sample.verdicts > 0) return {92, "events of go test"};
  if (sample.summaries > 1 && sample.named + sample.verdicts < 3) return {62, "totals of a test runner"};
  if (sample.named == 0 && sample.verdicts == 0) return {sample.summaries > 0 ? 15 : 0, "a line of totals"};
  if (sample.summaries > 0 && sample.named + sample.verdicts > 2)
    return {92, "totals of a test runner and rows of tests"};
  if (sample.summaries > 0) return {72, "totals of a test runner"};
  if (sample.named > 0 && sample.named + sample.verdicts > 2) return {66, "rows of tests, some failing"};
  if (sample.verdicts == sample.bare_oks && !sample.tap_plan) return {5, "lines that begin with ok"};
  if (sample.verdicts > 4 && sample.verdicts * kLinesARow >= sample.lines) return {60, "rows of tests"};
  return {15, "a row of a test"};
}

}  // namespace pith
