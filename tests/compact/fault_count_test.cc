#include "compact/fault_count.h"

#include <doctest/doctest.h>

#include "compact/compact.h"

namespace pith {
namespace {

// Rows of 300 things, of which a few have failures, each another number of them.
std::string Rows(std::string_view before, std::string_view between, std::string_view after) {
  std::string out;
  for (int i = 0; i < 300; ++i) {
    const int failed = i == 7 ? 1 : i == 23 ? 7 : i == 141 ? 3 : i == 200 ? 12 : 0;
    out += std::string(before) + std::to_string(i) + std::string(between) + std::to_string(500 + i) +
           std::string(after) + std::to_string(failed) + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("a count of faults is one behind its name and a sign, or before it") {
  for (std::string_view line : {"web03 : ok=12 failed=7", "errors: 3", "5 failed, 2 passed", "{\"failed\": 2}",
                                "1 error", "unreachable=1", "Tests run: 9, Failures: 2, Errors: 0", "12 Errors"}) {
    CAPTURE(line);
    CHECK(CountsFaults(line));
  }
  for (std::string_view line :
       {"failed=0", "error: 404", "error=5", "0 errors", "errors: 0", "failed: 17% of it", "Errors: 12:30",
        "port 3.5 errors", "line:12 errors", "error 17", "failed", "errors="}) {
    CAPTURE(line);
    CHECK_FALSE(CountsFaults(line));
  }
}

TEST_CASE("rows of one template that count faults do not hide behind the first of them") {
  const std::string rows[] = {Rows("shard-", " : ok=", " failed="), Rows("row ", ": done ", " errors: "),
                              Rows("2026-01-02 03:04:05 INFO batch ", " rows=", " errors="),
                              "PLAY RECAP ****\n" + Rows("web", " : ok=", " changed=0 unreachable=0 failed=")};
  for (const std::string& text : rows) {
    const View view = Compact(text, {}, {});
    CAPTURE(view.text);
    for (std::string_view count : {"1\n", "7\n", "3\n", "12\n"}) {
      const bool shown = view.text.find("failed=" + std::string(count)) != std::string::npos ||
                         view.text.find("errors=" + std::string(count)) != std::string::npos ||
                         view.text.find("errors: " + std::string(count)) != std::string::npos;
      CHECK(shown);
    }
    CHECK(view.signals.kept == 4);
  }
}

TEST_CASE("rows with faults beyond what a view has room for are counted in its gaps") {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += "shard-" + std::to_string(i) + " : ok=500 failed=" + std::to_string(i % 9) + "\n";
  }
  const View view = Compact(text, {}, {});
  CHECK(view.signals.kept >= 60);
  CHECK(view.signals.kept < view.signals.total);
  CHECK(view.text.find(" errors]") != std::string::npos);
  CHECK(view.shown.bytes < 12000);
}

TEST_CASE("an ok of a deployment that tells of a failure is no progress") {
  std::string text = "PLAY [all] ****\n\nTASK [check] ****\n";
  for (int i = 0; i < 300; ++i) {
    text += "ok: [web" + std::to_string(i) + "] => {\"changed\": false, \"msg\": \"ok=3 failed=" +
            std::to_string(i == 5    ? 1
                           : i == 77 ? 4
                                     : 0) +
            "\"}\n";
  }
  const View view = Compact(text, {}, {});
  CHECK(view.kind == Kind::kPackage);
  CHECK(view.text.find("[web5] => {\"changed\": false, \"msg\": \"ok=3 failed=1\"}") != std::string::npos);
  CHECK(view.text.find("failed=4") != std::string::npos);
  CHECK(view.text.find("298 progress lines") == std::string::npos);
  CHECK(view.text.find("[222 progress lines omitted: 82-303]") != std::string::npos);
}

}  // namespace pith
