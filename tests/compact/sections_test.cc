// Outputs of several commands, one after another.
#include "compact/sections.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "compact/kinds.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

std::string Typical(std::string_view name, uint64_t lines) {
  for (const test::Original& original : test::TypicalOriginals(1, lines)) {
    if (original.name == name) return original.bytes;
  }
  return "";
}

std::vector<Kind> KindsOf(std::string_view bytes, std::string_view command = "") {
  Hints hints;
  hints.command = command;
  const Document document(bytes, hints);
  int score = 0;
  const Kind kind = DetectKind(document, nullptr, &score);
  std::vector<Kind> kinds;
  uint32_t at = 0;
  for (const Section& section : FindSections(document, kind, score)) {
    CHECK(section.first == at);
    CHECK(section.end > section.first);
    at = section.end;
    kinds.push_back(section.kind);
  }
  if (!kinds.empty()) CHECK(at == document.line_count());
  return kinds;
}

View ViewOf(std::string_view bytes, std::string_view command = "", std::optional<uint64_t> max_tokens = std::nullopt) {
  Hints hints;
  hints.command = command;
  hints.max_tokens = max_tokens;
  return Compact(bytes, hints, {});
}

bool Has(const View& view, std::string_view text) { return view.text.find(text) != std::string::npos; }

const std::string kBuild =
    "[1/40] Building CXX object src/a.cc.o\nsrc/a.cc:10:7: warning: unused variable 'left' [-Wunused-variable]\n"
    "   10 |   int left = 0;\n      |       ^~~~\n"
    "src/a.cc:31:7: warning: unused variable 'right' [-Wunused-variable]\n   31 |   int right = 0;\n      |       "
    "^~~~~\n"
    "src/b.cc:5:1: warning: no return statement in function returning non-void [-Wreturn-type]\n    5 | }\n      | ^\n"
    "3 warnings generated.\n";

std::string Ctest(int tests, int failing) {
  std::string out = "Test project /home/dev/app/build\n";
  for (int i = 1; i <= tests; ++i) {
    const std::string n = std::to_string(i);
    out += "      Start " + n + ": case_" + n + "\n" + n + "/" + std::to_string(tests) + " Test #" + n + ": case_" + n +
           " ......................" + (i == failing ? "***Failed    0.01 sec" : "   Passed    0.00 sec") + "\n";
  }
  return out + "\n97% tests passed, 1 tests failed out of " + std::to_string(tests) +
         "\n\nTotal Test time (real) =   0.21 sec\n\nThe following tests FAILED:\n\t" + std::to_string(failing) +
         " - case_" + std::to_string(failing) + " (Failed)\nErrors while running CTest\n";
}

}  // namespace

TEST_CASE("make && ctest: the build's diagnostics are grouped and the tests' verdicts kept, each by its own rules") {
  std::string progress;
  for (int i = 2; i <= 40; ++i)
    progress += "[" + std::to_string(i) + "/40] Building CXX object src/f" + std::to_string(i) + ".cc.o\n";
  const std::string bytes = kBuild + progress + Ctest(40, 17);
  CHECK(KindsOf(bytes, "make && ctest") == std::vector<Kind>{Kind::kBuild, Kind::kTestRun});
  const View view = ViewOf(bytes, "make && ctest");
  CHECK(view.fault == "");
  CHECK(Has(view, "src/a.cc:10:7: warning: unused variable 'left' [-Wunused-variable]"));
  CHECK(Has(view, "src/a.cc:31:7: warning: unused variable 'right'"));
  CHECK(Has(view, "src/b.cc:5:1: warning: no return statement"));
  CHECK(Has(view, "case_17 (Failed)"));
  CHECK(Has(view, "97% tests passed, 1 tests failed out of 40"));
  CHECK_FALSE(Has(view, "case_30"));
  CHECK(view.text.size() * 3 < bytes.size());
}

TEST_CASE("a test run, then JSON, then a log: three sections, and gaps whose addresses are of the whole") {
  const std::string tests = Typical("pytest", 120), json = Typical("json", 200);
  std::string log;
  for (int i = 0; i < 200; ++i) {
    log += "2026-01-02T03:04:" + std::to_string(10 + i % 50) + "Z INFO worker: handled request " + std::to_string(i) +
           "\n";
  }
  const std::string bytes = tests + json + log;
  CHECK(KindsOf(bytes) == std::vector<Kind>{Kind::kTestRun, Kind::kJson, Kind::kLog});
  const View view = ViewOf(bytes);
  CHECK(view.fault == "");
  CHECK(Has(view, "short test summary info"));
  CHECK(Has(view, "omitted] ("));  // of the JSON text: how many items
  for (const Address& gap : view.gaps) {
    CHECK(gap.form != Address::Form::kJsonPath);  // it would name nothing: the whole is no JSON text
    if (gap.form == Address::Form::kLines) CHECK(gap.last <= view.original.lines);
  }
  // The marks of repeats name lines of the whole: a line behind those of the test run and the JSON text.
  const size_t mark = view.text.rfind(", last ");
  REQUIRE(mark != std::string::npos);
  const auto lines = static_cast<uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  const uint64_t last = std::stoull(view.text.substr(mark + 7));
  CHECK(last > lines - 200);
  CHECK(last <= lines);
}

TEST_CASE("lines that the command echoes between its parts are boundaries") {
  const std::string listing = Typical("listing", 60), grep = Typical("grep", 80);
  const std::string bytes = "--- files\n" + listing + "--- uses\n" + grep;
  const std::string command = "echo '--- files'; ls -la; echo '--- uses'; grep -rn cache src";
  CHECK(KindsOf(bytes, command) == std::vector<Kind>{Kind::kListing, Kind::kSearch});
  const View view = ViewOf(bytes, command);
  CHECK(Has(view, "--- uses"));
}

TEST_CASE("a patch after a log, with its commit's message, is a section of its own") {
  const std::string commit = "commit 0123456789abcdef0123456789abcdef01234567\nAuthor: A <a@b.c>\n\n    Say why\n\n";
  const std::string bytes = Typical("log", 150) + commit + Typical("diff", 90);
  const std::vector<Kind> kinds = KindsOf(bytes);
  REQUIRE(kinds == std::vector<Kind>{Kind::kLog, Kind::kDiff});
  CHECK(Has(ViewOf(bytes), "    Say why\n"));
}

TEST_CASE("what is of one kind stays one: captured logs and JSON within a test run draw no boundary") {
  for (std::string_view name : {"log", "pytest", "compiler", "grep", "diff", "json", "json lines", "csv", "code",
                                "html", "markdown", "yaml", "xml", "listing", "package"}) {
    CAPTURE(name);
    CHECK(KindsOf(Typical(name, 300)).empty());
  }
  std::string records = Typical("log", 60);
  for (int i = 0; i < 30; ++i) {
    records += "{\"level\":\"error\",\"msg\":\"attempt " + std::to_string(i) + " failed\",\"stack\":\"" +
               std::string(300, 'x') + "\"}\n";
  }
  CHECK(KindsOf(records).empty());  // two formats of one log
  std::string tests = Typical("pytest", 100);
  const size_t middle = tests.find("\n", tests.find("=== FAILURES"));
  tests.insert(middle + 1, Typical("json", 40) + Typical("log", 40));
  CHECK(KindsOf(tests).empty());
}

TEST_CASE("a budget is met by sections together, and the small one is not crowded out by the large") {
  const std::string bytes = kBuild + Ctest(2000, 1234) + Typical("json", 2000);
  for (uint64_t budget : {150, 400, 1200}) {
    CAPTURE(budget);
    const View view = ViewOf(bytes, "make && ctest; cat out.json", budget);
    CHECK(view.fault == "");
    CHECK(view.shown.tokens <= budget);
    if (budget >= 400) CHECK(Has(view, "case_1234"));
  }
}

TEST_CASE("sections of random mixtures account for every byte under every limit") {
  test::Random random(21);
  const std::vector<test::Original> originals = test::TypicalOriginals(9, 60);
  for (int round = 0; round < 60; ++round) {
    std::string bytes;
    for (uint64_t parts = 2 + random.Below(4); parts > 0; --parts) {
      const std::string& part = random.Of(originals).bytes;
      bytes += random.OneIn(3) ? test::Mutate(part, random) : part;
    }
    Hints hints;
    const Document document(bytes, hints);
    const std::vector<Section> sections = FindSections(document, Kind::kText, 0);
    if (sections.empty()) continue;
    const std::unique_ptr<Shaper> shaper = ShapeSections(document, sections);
    for (const Limit& limit : {Limit{0, 0, false}, Limit{500, 900, true}, Limit{3000, 6000, false}, Limit{}}) {
      CAPTURE(round);
      CAPTURE(limit.hard);
      CHECK(CheckPieces(document, shaper->Make(limit)) == "");
    }
  }
}

TEST_CASE("openings of JSON texts and patches that lead nowhere cost linear time") {
  for (std::string unit : {"[\n", "{\n", "{\"a\":[\n", "diff --git a/x b/x\n", "commit 0123\n", "[1,\n2]x\n"}) {
    std::string bytes;
    while (bytes.size() < (1u << 20)) bytes += unit;
    Hints hints;
    const Document document(bytes, hints);
    FindSections(document, Kind::kText, 0);
  }
}

}  // namespace pith
