#include "compact/search/lines.h"

#include <doctest/doctest.h>

#include <set>

#include "compact/kinds.h"
#include "compact/search/folds_search.h"
#include "tests/compact/golden.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

using Type = SearchLine::Type;

SearchText Read(const Document& document) { return ReadSearch(document, 0, document.line_count() - 1); }

struct Parsed {
  Type type;
  std::string path;
  uint32_t number;
};

Parsed ParsedAt(std::string_view bytes, uint32_t line) {
  Hints hints;
  Document document(bytes, hints);
  SearchText text = Read(document);
  return {text.lines[line].type, std::string(document.Text(line).substr(0, text.lines[line].path)),
          text.lines[line].number};
}

View ViewOf(std::string_view bytes, std::string_view command = "", std::string_view tool = "", uint64_t soft = 10000) {
  Hints hints;
  hints.command = command;
  hints.tool_name = tool;
  hints.kind = Kind::kSearch;
  CompactOptions options;
  options.soft_bytes = soft;
  return Compact(bytes, hints, options);
}

bool Has(const View& view, std::string_view text) { return view.text.find(text) != std::string::npos; }

}  // namespace

TEST_CASE("search lines: colons in bodies, in paths, drives, and dates in folders") {
  Parsed colons = ParsedAt("src/a.py:10:  x = d[1:2:3]\nsrc/a.py:12:  y\n", 0);
  CHECK(colons.path == "src/a.py");
  CHECK(colons.number == 10);
  CHECK(ParsedAt("C:\\work\\a.cs:7:int x;\nC:\\work\\a.cs:9:int y;\n", 1).path == "C:\\work\\a.cs");
  CHECK(ParsedAt("logs/2026-05-01/app.log:10:12:30:45 start\nlogs/2026-05-01/app.log:11:12:30:46 stop\n", 1).path ==
        "logs/2026-05-01/app.log");
  CHECK(ParsedAt("a:5:b.log:7:one\na:5:b.log:8:two\n", 1).path == "a:5:b.log");
}

TEST_CASE("search lines: a clock time is no line number") {
  CHECK(ParsedAt("12:30:45 ready\n12:30:46 steady\n12:30:47 go\n", 0).path.empty());
  Hints hints;
  Document document(
      "2026-01-02T10:30:45 INFO a.c:10 up\n2026-01-02T10:30:46 INFO a.c:12 down\n2026-01-02T10:31:46 INFO a\n", hints);
  CHECK(DetectSearch(document).score == 0);
}

TEST_CASE("search lines: context lines belong to the path that a match names") {
  Parsed before = ParsedAt("my-2-file.c-9-int a;\nmy-2-file.c:10:int b;\nmy-2-file.c-11-int c;\n", 0);
  CHECK(before.type == Type::kContext);
  CHECK(before.path == "my-2-file.c");
  CHECK(before.number == 9);
}

TEST_CASE("search lines: compiler output is not a search result") {
  std::string build;
  for (int i = 1; i < 30; ++i) build += "src/a.c:" + std::to_string(i) + ":5: error: expected ';'\n";
  Hints hints;
  Document document(build, hints);
  CHECK(DetectSearch(document).score == 0);
}

TEST_CASE("path lists decode to the paths that they were made of, in their order") {
  test::Random random(5);
  const std::vector<std::string> parts = {"src", "tests", "a", "deep-er", "lib.d", "x_y", "std", "Müll", "io"};
  const std::vector<std::string> names = {"all.rs",   "models.py", "__init__.py", "README",
                                          "x.tar.gz", "a:5",       "é.txt",       "b(1)"};
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> lines;
    std::vector<PathEntry> entries;
    std::string all, folder;
    bool counted = random.OneIn(2);
    for (uint64_t count = 1 + random.Below(40); count > 0; --count) {
      if (random.OneIn(2)) {
        folder = random.OneIn(3) ? "/" : random.OneIn(4) ? "./" : "";
        for (uint64_t depth = random.Below(5); depth > 0; --depth) folder += random.Of(parts) + "/";
      }
      lines.push_back(folder + random.Of(names));
    }
    for (const std::string& line : lines) {
      entries.push_back({line, counted, counted ? "17" : ""});
      REQUIRE(FitsPathList(entries.back()));
      all += (all.empty() ? "" : "\n") + line + (counted ? " (17 matches)" : "");
    }
    std::string text = WritePathList(entries);
    CAPTURE(text);
    CHECK(ReadPathList(text) == all);
  }
}

TEST_CASE("path lists are refused for paths that their form cannot hold") {
  for (std::string_view path : {"a b", "a/", "*", "a#b", "a//b", "", "a\tb"})
    CHECK_FALSE(FitsPathList({path, false, ""}));
  CHECK_FALSE(ReadPathList(" item without a heading").has_value());
}

TEST_CASE("every file and every line number of a search is named, whatever its size within the limit") {
  for (int files : {3, 40, 200}) {
    std::string original;
    std::set<std::string> places;
    for (int file = 0; file < files; ++file) {
      for (int match = 0; match < 6; ++match) {
        std::string number = std::to_string(1000 + file * 13 + match * 2);
        original += "src/part" + std::to_string(file % 7) + "/file" + std::to_string(file) + ".cc:" + number +
                    ":  int needle = haystack(" + std::to_string(match) + ");  // a remark that takes room, and more\n";
        places.insert(number);
      }
    }
    View view = ViewOf(original, "grep -rn needle src");
    CAPTURE(files);
    CHECK(view.fault == "");
    for (const std::string& number : places) CHECK(Has(view, number));
    for (int file = 0; file < files; ++file) CHECK(Has(view, "file" + std::to_string(file) + ".cc"));
  }
}

TEST_CASE("a long line is shown around what was searched, with the address of the rest") {
  std::string original;
  for (int i = 1; i < 40; ++i) {
    original += "dist/a.min.js:" + std::to_string(i) + ":" + std::string(3000, 'x') + " needle " +
                std::string(3000, 'y') + "\n";
  }
  View view = ViewOf(original, "rg -n needle dist");
  CHECK(Has(view, " needle "));
  CHECK(Has(view, "omitted"));
  CHECK(view.text.size() < 16000);
}

TEST_CASE("what the reader asks for and what defines the name go before other matches") {
  std::string original;
  for (int i = 1; i < 400; ++i)
    original += "src/a.py:" + std::to_string(i) + ":    value = compute(left, right, middle)\n";
  original += "src/a.py:900:def compute(left, right):\n";
  original += "src/z.py:901:    raise compute_failure\n";
  Hints hints;
  hints.kind = Kind::kSearch;
  hints.query = "failure";
  View view = Compact(original, hints, {});
  CHECK(Has(view, "def compute(left, right):"));
  CHECK(Has(view, "raise compute_failure"));
}

TEST_CASE("a search that matched every line of a file is a read, and stays exact where nobody asked for a view") {
  std::string original = "Found 900 matches for \"a\" in src/a.py:\n";
  for (int i = 1; i <= 900; ++i)
    original += "Line " + std::to_string(i) + ":    a = call(" + std::to_string(i * 7) + ", and_more, of_it)\n";
  Hints hints;
  hints.tool_name = "Grep";
  hints.policy = Policy::kHook;
  CHECK(Compact(original, hints, {}).text == original);
  hints.policy = Policy::kExplicit;
  CHECK(Compact(original, hints, {}).text.size() < original.size() / 2);
}

TEST_CASE("complaints of a search are shown once each and counted") {
  std::string original;
  for (int i = 0; i < 300; ++i) original += "grep: /proc/" + std::to_string(i) + "/mem: Permission denied\n";
  original += "grep: /sys/odd: Input/output error\n/etc/passwd:3:daemon\n/etc/passwd:9:daemon two\n";
  View view = ViewOf(original, "grep -rn daemon /");
  CHECK(Has(view, "299 Permission denied"));
  CHECK(Has(view, "/sys/odd: Input/output error"));
  CHECK(Has(view, "daemon two"));
  CHECK(view.text.size() < 800);
}

TEST_CASE("lists of paths beyond the page name each folder and how many of it are left out") {
  std::string original;
  for (int folder = 0; folder < 60; ++folder) {
    for (int i = 0; i < 100; ++i) {
      original += "src/module" + std::to_string(folder) + "/SomeRatherLongFileName" + std::to_string(i * 7919 % 1000) +
                  ".java\n";
    }
  }
  View view = ViewOf(original, "find src -name '*.java'");
  CHECK(view.fault == "");
  CHECK(view.text.size() <= 41000);
  for (int folder = 0; folder < 60; ++folder) CHECK(Has(view, "module" + std::to_string(folder) + "/"));
  CHECK(Has(view, "paths omitted"));
}

TEST_CASE("records of rg --json are said as matches beneath their path, and what is not shown of them is said to be") {
  std::string original;
  for (int file = 0; file < 12; ++file) {
    std::string path = "src/f" + std::to_string(file) + ".rs";
    original += "{\"type\":\"begin\",\"data\":{\"path\":{\"text\":\"" + path + "\"}}}\n";
    for (int match = 1; match < 8; ++match) {
      std::string tail = match == 7 ? "\\\"needle\\\\" : match == 6 ? "needle\\u0001" : "needle";
      original += "{\"type\":\"match\",\"data\":{\"path\":{\"text\":\"" + path +
                  "\"},\"lines\":{\"text\":\"  let x = " + tail +
                  ";\\n\"},\"line_number\":" + std::to_string(match * 11) +
                  ",\"absolute_offset\":" + std::to_string(match * 90) +
                  ",\"submatches\":[{\"match\":{\"text\":\"needle\"},\"start\":10,\"end\":16}]}}\n";
    }
    original += "{\"type\":\"end\",\"data\":{\"path\":{\"text\":\"" + path + "\"},\"stats\":{\"matches\":7}}}\n";
  }
  original += "{\"data\":{\"stats\":{\"matches\":84}},\"type\":\"summary\"}\n";
  View view = ViewOf(original, "rg --json needle src");
  CHECK(view.fault == "");
  CHECK(view.text.starts_with("[records of rg --json: "));
  CHECK(view.view_class == ViewClass::kPartial);
  CHECK(Has(view, "src/f11.rs\n11:  let x = needle;\n22:"));
  CHECK(Has(view, "66:  let x = needle\\u0001;\n77:  let x = \"needle\\;\n"));
  CHECK_FALSE(Has(view, "records omitted"));
  CHECK(view.lines.omitted == 12);  // the end records
  CHECK(Has(view, "\"matches\":84"));
  CHECK(view.text.size() * 2 < original.size());
}

TEST_CASE("search pieces account for random mixtures of lines under every limit") {
  test::Random random(8);
  const std::vector<std::string> lines = {"a.c:1:x",
                                          "a.c:2:12-30 y",
                                          "a.c-3-ctx",
                                          "--",
                                          "",
                                          "b/c.py",
                                          "b/d e.py",
                                          "b/c.py:5",
                                          "b/c.py (2 matches)",
                                          "Line 7: text",
                                          "12:alone",
                                          "13-alone",
                                          "grep: q: No such file",
                                          "Found 3 matches for \"x\" in b/c.py:",
                                          "a.c:12-30",
                                          "C:\\q\\r.cs:4:z",
                                          "b//c.py",
                                          "*",
                                          "x/*",
                                          "a.c:9:\xff\xfe",
                                          "\r",
                                          "a.c:4:has\rreturn",
                                          "File: b/c.py",
                                          "b/c.py:",
                                          "é/ü.txt:3:ß",
                                          "Binary file b matches",
                                          "a.c:99999999999:n",
                                          ":1:",
                                          "a.c:5:\x1b[31mred\x1b[0m",
                                          "./a.c:1:x",
                                          "/a.c:1:x"};
  const Limit limits[] = {{0, 0, false}, {60, 200, false}, {400, 1000, true}, {10000, 40000, false}};
  for (int round = 0; round < 600; ++round) {
    std::string bytes;
    for (uint64_t count = random.Below(60); count > 0; --count) {
      std::string line = random.Of(lines);
      for (uint64_t again = random.OneIn(4) ? random.Below(9) : 1; again > 0; --again)
        bytes += line + (random.OneIn(40) ? "\r\n" : "\n");
    }
    if (random.OneIn(3) && !bytes.empty()) bytes.pop_back();
    Hints hints;
    hints.command = random.OneIn(2) ? "grep -rn x ." : "";
    Document document(bytes, hints);
    std::unique_ptr<Shaper> shaper = ShapeSearch(document);
    for (const Limit& limit : limits) {
      CAPTURE(bytes);
      CAPTURE(limit.hard);
      CHECK(CheckPieces(document, shaper->Make(limit)) == "");
    }
  }
}

TEST_CASE("search views of real tools' outputs are as written down") {
  const test::Golden goldens[] = {
      {"search/rg-numbered.txt", "rg -n std:: base store"},
      {"search/rg-heading.txt", "rg --heading -n std::string_view base"},
      {"search/rg-context.txt", "rg -n -C1 'Result<' base store"},
      {"search/git-grep.txt", "git grep -n string_view -- base"},
      {"search/grep-numbered.txt", "grep -rn include base"},
      {"search/grep-unnumbered.txt", "grep -r namespace base store"},
      {"search/rg-json.txt", "rg --json std::string_view base"},
      {"search/ag.txt", "ag --nocolor size_t base"},
      {"search/rg-count.txt", "rg -c std:: base"},
      {"search/find-list.txt", "find /usr/include/c++/12 -name '*.h'"},
  };
  for (const test::Golden& golden : goldens) test::CheckGolden(golden, Kind::kSearch);
}

TEST_CASE("a path that is a folder and nothing else decodes like any other") {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "base/file" + std::to_string(i) + ".h:} // pith\nbase/::kName, text\n";
  Hints hints;
  hints.kind = Kind::kSearch;
  CHECK(Compact(text, hints, {}).fault == "");
}

}  // namespace pith
