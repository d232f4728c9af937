// Each kind's worst case, and sizes that break compactors: a line of 100 MB, 10^7 lines, 10^6 distinct templates, depth
// 10^5. Made here, since they are large; small ones in each run, whole ones with PITH_HARD=1 (.ci/long). Linear work is
// counted by the steps test; here each view must be made, true and small.
#include <doctest/doctest.h>

#include <cstdlib>

#include "compact/kinds.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

bool Whole() { return std::getenv("PITH_HARD") != nullptr; }

std::string Times(std::string_view unit, uint64_t times) {
  std::string out;
  out.reserve(unit.size() * times);
  for (uint64_t i = 0; i < times; ++i) out += unit;
  return out;
}

// A word of its own for each number, without digits: masking leaves it distinct.
std::string Word(uint64_t number) {
  std::string word;
  for (uint64_t n = number + 1; n > 0; n /= 26) word += static_cast<char>('a' + n % 26);
  return word;
}

struct Hard {
  std::string name;
  std::optional<Kind> kind;
  std::string bytes;
};

void CheckView(const Hard& hard) {
  CAPTURE(hard.name);
  Hints hints;
  hints.kind = hard.kind;
  const View view = Compact(hard.bytes, hints, {});
  CHECK(view.fault == "");
  CHECK(view.text.size() <= hard.bytes.size());
  if (view.view_class != ViewClass::kExact) CHECK(view.text.size() <= 100000);
}

// What makes each kind remember, compare or nest the most, about `bytes` long.
std::vector<Hard> WorstCases(uint64_t bytes) {
  std::vector<Hard> all;
  const auto add = [&](std::string name, Kind kind, auto line) {
    std::string text;
    for (uint64_t i = 0; text.size() < bytes; ++i) text += line(i);
    all.push_back({std::move(name), kind, std::move(text)});
  };
  add("log: no template twice, each a fault", Kind::kLog,
      [](uint64_t i) { return "2026-01-02T03:04:05Z ERROR " + Word(i) + " broke " + Word(i * 7) + "\n"; });
  add("log: one stack trace without end", Kind::kLog, [](uint64_t i) {
    return (i == 0 ? "java.lang.Error: x\n" : "") + std::string("\tat a.b.") + Word(i) + "(F.java:3)\n";
  });
  add("test run: every test fails for a reason of its own", Kind::kTestRun, [](uint64_t i) {
    return "____ test_" + Word(i) + " ____\nE   AssertionError: " + Word(i * 3) + "\n\ntests/test_" + Word(i) +
           ".py:3: AssertionError\nFAILED tests/test_a.py::test_" + Word(i) + "\n";
  });
  add("build: every diagnostic of a kind of its own", Kind::kBuild, [](uint64_t i) {
    return "src/" + Word(i) + ".c:" + std::to_string(i) + ":1: error: " + Word(i * 5) + " is " + Word(i * 11) + " [-W" +
           Word(i) + "]\n";
  });
  add("search: a file for each match", Kind::kSearch,
      [](uint64_t i) { return Word(i) + "/" + Word(i * 3) + "/" + Word(i * 5) + ".c:1:x\n"; });
  add("diff: a file for each changed line", Kind::kDiff, [](uint64_t i) {
    const std::string file = Word(i) + ".c";
    return "diff --git a/" + file + " b/" + file + "\n--- a/" + file + "\n+++ b/" + file + "\n@@ -1 +1 @@\n-" +
           Word(i * 3) + "\n+" + Word(i * 5) + "\n";
  });
  add("listing: widths that grow", Kind::kListing,
      [](uint64_t i) { return Times("x", i % 500 + 1) + "  " + Times("y", i % 300 + 1) + " " + Word(i) + "\n"; });
  add("table: every cell distinct, quotes everywhere", Kind::kTable, [](uint64_t i) {
    return "\"" + Word(i) + "\"\"\"," + Word(i * 3) + ",\"" + Word(i * 7) + ",\n\"," + std::to_string(i) + "\n";
  });
  add("json: no key twice", Kind::kJson, [](uint64_t i) {
    return (i == 0 ? "{" : ",") + std::string("\"") + Word(i) + "\":{\"" + Word(i * 3) + "\":" + std::to_string(i) +
           "}";
  });
  all.back().bytes += "}";
  add("json lines: a shape for each record", Kind::kJsonLines,
      [](uint64_t i) { return "{\"" + Word(i) + "\":1,\"" + Word(i * 3) + "\":[\"" + Word(i * 5) + "\"]}\n"; });
  add("yaml: no key twice, ever deeper", Kind::kYaml, [](uint64_t i) {
    return Times(" ", i % 200) + Word(i) + ":\n" + Times(" ", i % 200 + 1) + Word(i * 3) + ": x\n";
  });
  add("xml: no element twice", Kind::kXml, [](uint64_t i) {
    return (i == 0 ? "<r>" : "") + std::string("<") + Word(i) + " a=\"" + Word(i * 3) + "\">" + Word(i * 5) + "</" +
           Word(i) + ">";
  });
  all.back().bytes += "</r>";
  add("code: functions of one line", Kind::kCode,
      [](uint64_t i) { return "int " + Word(i) + "(int a) { return a; }\n"; });
  add("html: paragraphs within paragraphs", Kind::kHtml,
      [](uint64_t i) { return (i == 0 ? "<html>" : "") + std::string("<p><b><table><tr><td>") + Word(i) + ". "; });
  add("markdown: a heading for each line", Kind::kMarkdown,
      [](uint64_t i) { return "# " + Word(i) + "\n\n" + Word(i * 3) + " is. And so is " + Word(i * 5) + "!\n\n"; });
  add("package: warnings of their own", Kind::kPackage,
      [](uint64_t i) { return "npm WARN deprecated " + Word(i) + "@1.0: use " + Word(i * 3) + "\n"; });
  add("text: no line twice", Kind::kText, [](uint64_t i) { return Word(i) + " " + Word(i * 3) + "\n"; });
  return all;
}

}  // namespace

TEST_CASE("each kind's worst case gives a true view that fits a page, forced and as detected") {
  for (Hard& hard : WorstCases(Whole() ? 20u << 20 : 300u << 10)) {
    CheckView(hard);
    hard.kind.reset();
    CheckView(hard);
  }
}

TEST_CASE("a line of many megabytes, plain, of words, of faults and of brackets") {
  const uint64_t bytes = Whole() ? 100u << 20 : 1u << 20;
  for (std::string_view unit :
       {"x", "word ", "error: it failed again ", "[", "{\"a\":", "<b>", "\\\"", "\x1b[31m", "\r50%"}) {
    CheckView({"one line of " + std::string(unit), std::nullopt, Times(unit, bytes / unit.size())});
  }
}

TEST_CASE("millions of lines, empty, equal, and distinct after masking") {
  const uint64_t lines = Whole() ? 10'000'000 : 100'000;
  CheckView({"empty lines", std::nullopt, Times("\n", lines)});
  CheckView({"equal lines", std::nullopt, Times("2026-01-02 03:04:05 INFO tick\n", lines)});
  std::string templates;
  for (uint64_t i = 0; i < lines / 10; ++i) templates += "2026-01-02T03:04:05Z INFO " + Word(i) + " came\n";
  CheckView({"distinct templates", std::nullopt, std::move(templates)});
}

TEST_CASE("nesting to a depth of 10^5, closed and open") {
  constexpr uint64_t kDepth = 100'000;
  CheckView({"brackets", Kind::kJson, Times("[", kDepth) + Times("]", kDepth)});
  CheckView({"objects", Kind::kJson, Times("{\"a\":", kDepth) + "1" + Times("}", kDepth)});
  CheckView({"open brackets", Kind::kJson, Times("[\n", kDepth)});
  CheckView({"elements", Kind::kXml, Times("<a>", kDepth) + Times("</a>", kDepth)});
  CheckView({"elements of a page", Kind::kHtml, "<html>" + Times("<div>", kDepth) + "x"});
  CheckView({"lists", Kind::kYaml, Times("- ", kDepth) + "x\n"});
  CheckView({"braces", Kind::kCode, Times("void f() {\n", kDepth)});
  CheckView({"quotes of quotes", Kind::kMarkdown, Times("> ", kDepth) + "x\n"});
}

}  // namespace pith
