#include <doctest/doctest.h>

#include <functional>

#include "compact/build/diagnostics.h"
#include "compact/build/find.h"
#include "compact/kinds.h"
#include "tests/compact/golden.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

bool Has(const View& view, std::string_view text) { return view.text.find(text) != std::string::npos; }
std::string Numbered(int n) { return std::to_string(n); }

View ViewOf(std::string_view bytes, std::string_view command = "", std::optional<int> exit_code = std::nullopt) {
  Hints hints;
  hints.command = command;
  hints.exit_code = exit_code;
  View view = Compact(bytes, hints, {});
  CHECK(view.fault == "");
  return view;
}

struct Tool {
  std::string_view name;
  std::function<std::string(int)> progress;
  std::function<std::string(const std::string& name, int line)> error;  // about `name`, at src/shelf.x:LINE
  std::string place;                                                    // what stands before the line number
  std::string end;
};

std::vector<Tool> Tools() {
  auto progress = [](int i) { return "[" + Numbered(i) + "/400] Building C object src/part" + Numbered(i) + ".o\n"; };
  auto none = [](int) { return std::string(); };
  return {
      {"gcc", progress,
       [](const std::string& n, int l) {
         return "src/shelf.c:" + Numbered(l) + ":5: error: '" + n + "' undeclared (first use in this function)\n   " +
                Numbered(l) + " |   return " + n + ";\n      |          ^~~~\n";
       },
       "src/shelf.c:", "ninja: build stopped: subcommand failed.\n"},
      {"rustc", [](int i) { return "   Compiling part" + Numbered(i) + " v1.0.0\n"; },
       [](const std::string& n, int l) {
         return "error[E0425]: cannot find value `" + n + "` in this scope\n --> src/shelf.rs:" + Numbered(l) +
                ":5\n  |\n" + Numbered(l) + " |     " + n + "\n  |     ^^^ not found in this scope\n\n";
       },
       "src/shelf.rs:", "error: could not compile `shelf` (lib) due to 30 previous errors\n"},
      {"tsc", none,
       [](const std::string& n, int l) {
         return "src/shelf.ts(" + Numbered(l) + ",5): error TS2304: Cannot find name '" + n + "'.\n";
       },
       "src/shelf.ts(", "Found 30 errors in 1 file.\n"},
      {"javac", [](int i) { return "[INFO] Downloading artifact " + Numbered(i) + "\n"; },
       [](const std::string& n, int l) {
         return "[ERROR] /home/dev/src/Shelf.java:[" + Numbered(l) + ",5] cannot find symbol '" + n + "'\n";
       },
       "/home/dev/src/Shelf.java:[", "[INFO] BUILD FAILURE\n"},
      {"go", none,
       [](const std::string& n, int l) { return "./shelf.go:" + Numbered(l) + ":5: undefined: '" + n + "'\n"; },
       "./shelf.go:", "# example.org/shelf\n"},
      {"msbuild", [](int i) { return "  Restored /home/dev/src/part" + Numbered(i) + ".csproj\n"; },
       [](const std::string& n, int l) {
         return "/home/dev/src/Shelf.cs(" + Numbered(l) + ",5): error CS0103: The name '" + n +
                "' does not exist [/home/dev/src/S.csproj]\n";
       },
       "/home/dev/src/Shelf.cs(", "Build FAILED.\n    0 Warning(s)\n    30 Error(s)\n"},
      {"mypy", none,
       [](const std::string& n, int l) {
         return "src/shelf.py:" + Numbered(l) + ": error: Name '" + n + "' is not defined  [name-defined]\n";
       },
       "src/shelf.py:", "Found 30 errors in 1 file (checked 3 source files)\n"},
      {"pyright", none,
       [](const std::string& n, int l) {
         return "  /home/dev/src/shelf.py:" + Numbered(l) + ":5 - error: '" + n +
                "' is not defined (reportUndefinedVariable)\n";
       },
       "/home/dev/src/shelf.py:", "30 errors, 0 warnings, 0 informations\n"},
      {"golangci", none,
       [](const std::string& n, int l) {
         return "src/shelf.go:" + Numbered(l) + ":5: error: '" + n + "' is unused (unused)\n";
       },
       "src/shelf.go:", "30 issues:\n* unused: 30\n"},
      {"shellcheck", none,
       [](const std::string& n, int l) {
         return "src/shelf.sh:" + Numbered(l) + ":5: warning: '" + n + "' is unused. [SC2034]\n";
       },
       "src/shelf.sh:", "For more information:\n"},
  };
}

std::string Build(const Tool& tool, int progress, const std::vector<int>& faults) {
  std::string out;
  for (int i = 0; i < progress; ++i) {
    out += tool.progress(i);
    for (int fault : faults) {
      if (fault == i) out += tool.error("name" + Numbered(fault), 1000 + fault);
    }
  }
  return out + tool.end;
}

}  // namespace

TEST_CASE("every tool: errors at head, middle and tail keep place, code and message, progress is counted") {
  for (const Tool& tool : Tools()) {
    CAPTURE(tool.name);
    std::string original = Build(tool, 400, {0, 200, 399});
    View view = ViewOf(original, "", 1);
    for (int fault : {0, 200, 399}) {
      CAPTURE(fault);
      CHECK(Has(view, Numbered(1000 + fault)));
      CHECK(Has(view, "name" + Numbered(fault)));
    }
    CHECK(Has(view, tool.place + "1000"));
    CHECK(Has(view, tool.end.substr(0, 20)));
    if (original.size() > 4000) CHECK(view.text.size() < original.size() / 6);
  }
}

TEST_CASE("every tool: each place of one kind of error stays in view, with the name in which it differs") {
  for (const Tool& tool : Tools()) {
    CAPTURE(tool.name);
    std::vector<int> faults;
    for (int i = 0; i < 90; i += 3) faults.push_back(i);
    std::string original = Build(tool, 90, faults);
    View view = ViewOf(original, "", 1);
    for (int fault : faults) {
      CAPTURE(fault);
      CHECK(Has(view, Numbered(1000 + fault)));
      CHECK(Has(view, "name" + Numbered(fault)));
    }
    CHECK(Has(view, "[also at "));
    CHECK(KindName(view.kind) == "build");
  }
}

TEST_CASE("a place whose own line is shown is not named a second time") {
  std::string original;
  for (int i = 0; i < 40; ++i)
    original += "[" + std::to_string(i) + "/40] Building CXX object src/file" + std::to_string(i) + ".o\n";
  original +=
      "a.c:3:5: warning: unused [-Wunused]\nx.c:4:5: warning: unused [-Wunused]\nz.c:1:1: error: no\n"
      "b.c:9:5: warning: unused [-Wunused]\n";
  for (int i = 0; i < 40; ++i)
    original += "[" + std::to_string(i) + "/40] Building CXX object src/next" + std::to_string(i) + ".o\n";
  original += "c.c:9:5: warning: unused [-Wunused]\n3 warnings and 1 error generated.\n";
  for (uint64_t budget : {90, 120, 200, 400, 1000}) {
    Hints hints;
    hints.max_tokens = budget;
    const View view = Compact(original, hints, {});
    CAPTURE(view.text);
    for (std::string_view place : {"a.c:3:5", "b.c:9:5", "c.c:9:5", "x.c:4:5"}) {
      const size_t first = view.text.find(place);
      CHECK((first == std::string::npos || view.text.find(place, first + 1) == std::string::npos));
    }
  }
}

TEST_CASE("every tool: a view is the same twice, and is its own view") {
  for (const Tool& tool : Tools()) {
    CAPTURE(tool.name);
    std::string original = Build(tool, 60, {3, 30, 45});
    View view = ViewOf(original);
    CHECK(ViewOf(original).text == view.text);
    CHECK(Compact(view.text, {}, {}).text == view.text);
  }
}

TEST_CASE("every tool: mangled builds keep the accounting") {
  test::Random random(21);
  for (const Tool& tool : Tools()) {
    CAPTURE(tool.name);
    std::string original = Build(tool, 60, {3, 30, 31, 59});
    for (int i = 0; i < 25; ++i) {
      Hints hints;
      hints.kind = Kind::kBuild;
      std::string mangled = test::Mutate(original, random);
      Document document(mangled, hints);
      if (document.binary) continue;
      auto shaper = ShapeBuild(document);
      for (Limit limit : {Limit{0, 0, false}, Limit{400, 800, true}, Limit{}}) {
        CHECK(CheckPieces(document, shaper->Make(limit)) == "");
      }
    }
  }
}

TEST_CASE("diagnostics: severity, place, code and message in every form") {
  DiagnosticText read = ReadDiagnostic("src/a.c:3:5: warning: unused variable 'x' [-Wunused-variable]");
  CHECK(read.severity == Severity::kWarning);
  CHECK(read.place == "src/a.c:3:5");
  CHECK(read.code == "-Wunused-variable");
  CHECK(read.message == "unused variable 'x'");
  read = ReadDiagnostic("C:\\work\\a.cs(3,5): error CS0103: no such name");
  CHECK(read.place == "C:\\work\\a.cs(3,5)");
  CHECK(read.code == "CS0103");
  read = ReadDiagnostic("error[E0053]: method `f` has an incompatible type");
  CHECK(read.code == "E0053");
  CHECK(read.placed_below);
  read = ReadDiagnostic("  --> src/a.rs:3:5");
  CHECK(read.arrow);
  CHECK(read.place == "src/a.rs:3:5");
  read = ReadDiagnostic("  12:5  error  'b' is not defined  no-undef");
  CHECK(read.place == "12:5");
  CHECK(read.code == "no-undef");
  CHECK(read.message == "'b' is not defined");
  read = ReadDiagnostic("ERROR in ./web/a.js 1:2-3");
  CHECK(read.place == "./web/a.js 1:2-3");
  CHECK(read.message_below);
  read = ReadDiagnostic("src/a.py:1:0: C0114: Missing module docstring (missing-module-docstring)");
  CHECK(read.code == "C0114");
  read = ReadDiagnostic("main.c:(.text+0xf): undefined reference to `twice'");
  CHECK(read.severity == Severity::kError);
  CHECK(read.message == "undefined reference to `twice'");
  for (std::string_view none :
       {"errors are values", "2026-01-02 10:11:12 error happened", "warning", "at a.js:3:5", "note that"}) {
    CHECK(ReadDiagnostic(none).severity == Severity::kNone);
  }
}

TEST_CASE("diagnostics: notes and source belong to the one before, what stands below its head is gathered") {
  Hints hints;
  std::string bytes =
      "CMake Error at CMakeLists.txt:3 (find_package):\n  By not providing a file\n\nerror: one\n --> src/a.rs:1:2\n  "
      "|\n1 | x\n  = note: "
      "`#[deny(some_lint)]` on by default\n\nsrc/B.java:3: error: cannot find symbol\n  foo();\n  ^\n  symbol:   "
      "method foo()\n1 error\n";
  Document document(bytes, hints);
  FoundDiagnostics found = FindDiagnostics(document);
  REQUIRE(found.diagnostics.size() == 3);
  CHECK(found.diagnostics[0].message_last == 1);
  CHECK(document.Bytes(found.diagnostics[1].place) == "src/a.rs:1:2");
  CHECK(document.Bytes(found.diagnostics[1].code) == "some_lint");
  CHECK(document.Text(found.diagnostics[2].detail_line) == "  symbol:   method foo()");
  CHECK(found.roles.back() == BuildRole::kTotals);
}

TEST_CASE("a tool that fails without a diagnostic shows what it said and its exit") {
  View view = ViewOf(std::string(60, '.') + "\nsh: 1: tsc: not found\n", "npx tsc", 127);
  CHECK(Has(view, "sh: 1: tsc: not found"));
}

TEST_CASE("the folders that make goes through are progress, but for the one that a diagnostic stands in") {
  std::string bytes;
  for (const std::string folder : {"one", "two", "three"}) {
    bytes += "make -C " + folder + "\nmake[1]: Entering directory '/src/" + folder + "'\n";
    for (int i = 0; i < 20; ++i) bytes += "cc -O2 -c part" + Numbered(i) + ".c -o part" + Numbered(i) + ".o\n";
    if (folder == "two") bytes += "part9.c:3:5: error: 'x' undeclared\nmake[1]: *** [Makefile:5: part9.o] Error 1\n";
    bytes += "make[1]: Leaving directory '/src/" + folder + "'\n";
  }
  bytes += "make: *** [Makefile:3: all] Error 2\n";
  const View view = ViewOf(bytes, "make -k", 2);
  CHECK(Has(view, "make[1]: Entering directory '/src/two'\n"));
  CHECK(Has(view, "part9.c:3:5: error"));
  CHECK(Has(view, "make[1]: *** [Makefile:5: part9.o] Error 1"));
  CHECK_FALSE(Has(view, "/src/one"));
  CHECK_FALSE(Has(view, "/src/three"));
  CHECK_FALSE(Has(view, "Leaving"));
}

TEST_CASE("errors come before warnings when a budget is short") {
  std::string original;
  for (int i = 0; i < 80; ++i)
    original +=
        "src/a.c:" + Numbered(i + 1) + ":1: warning: thing of kind " + std::string(1, char('a' + i % 26)) + " is odd\n";
  original += "src/z.c:9:1: error: unknown type name 'shelf'\nmake: *** [Makefile:3: z.o] Error 1\n";
  Hints hints;
  hints.max_tokens = 140;
  View view = Compact(original, hints, {});
  CHECK(view.shown.tokens <= 140);
  CHECK(Has(view, "src/z.c:9:1: error: unknown type name 'shelf'"));
  CHECK(Has(view, "make: *** [Makefile:3: z.o] Error 1"));
}

TEST_CASE("thousands of places: every rule is shown with some of its places and the number of the others") {
  std::string original;
  for (int i = 0; i < 20000; ++i) {
    int rule = 100 + i % 40;
    original += "src/part" + Numbered(i / 100) + ".py:" + Numbered(i) + ":1: E" + Numbered(rule) + " rule " +
                std::string(1, char('a' + i % 40 % 26)) + std::string(1, char('a' + i % 40 / 26)) + " is broken\n";
  }
  original += "Found 20000 errors.\n";
  View view = ViewOf(original, "ruff check .", 1);
  for (int rule = 100; rule < 140; ++rule) CHECK(Has(view, ": E" + Numbered(rule) + "]"));
  CHECK(Has(view, " more places: E100]"));
  CHECK(Has(view, "Found 20000 errors."));
  CHECK(view.text.size() < 40000);
}

TEST_CASE("golden views of real builds and checks") {
  for (const test::Golden& golden :
       {test::Golden{"builds/gcc_make.txt", "make -k"}, test::Golden{"builds/gxx_templates.txt", "g++ -c vector.cc"},
        test::Golden{"builds/clang.txt", "clang -c a.c"}, test::Golden{"builds/cargo_build.txt", "cargo build"},
        test::Golden{"builds/clippy.txt", "cargo clippy"}, test::Golden{"builds/go_build.txt", "go build ./..."},
        test::Golden{"builds/javac.txt", "javac Shelf.java"}, test::Golden{"builds/tsc.txt", "npx tsc --noEmit"},
        test::Golden{"builds/tsc_pretty.txt", "npx tsc --noEmit"}, test::Golden{"builds/eslint.txt", "npx eslint lint"},
        test::Golden{"builds/ruff.txt", "ruff check ."}, test::Golden{"builds/ruff_concise.txt", "ruff check ."},
        test::Golden{"builds/mypy.txt", "mypy --strict ."}, test::Golden{"builds/pylint.txt", "pylint src"},
        test::Golden{"builds/cmake_error.txt", "cmake -S . -B build"}}) {
    test::CheckGolden(golden, Kind::kBuild);
  }
}

TEST_CASE("a fault in a template is shown with the place of the reader's code that led to it") {
  std::string gcc, clang;
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(10 + i);
    gcc += "/usr/include/c++/12/algo.h: In instantiation of 'void apply(T) [with T = A" + n + "]':\n" +
           "/usr/include/c++/12/algo.h:" + n + ":8:   required from 'void outer(T) [with T = A" + n + "]'\n" +
           "main.cc:" + n + ":40:   required from here\n/usr/include/c++/12/ops.h:" + n +
           ":23: error: no match for 'operator<' in it\n";
    clang += "/usr/bin/../include/ops.h:" + n + ":23: error: invalid operands to binary expression\n      a < b\n" +
             "/usr/bin/../include/algo.h:" + n + ":8: note: in instantiation of function 'apply' requested here\n" +
             "main.cc:" + n + ":40: note: in instantiation of function 'outer' requested here\n" +
             "/usr/bin/../include/iterator.h:" + n +
             ":5: note: candidate template ignored: could not match (reversed)\n";
  }
  for (const std::string& log : {gcc + "main.cc:99:1: error: expected ';'\n", clang + "40 errors generated.\n"}) {
    const View view = Compact(log, {}, {});
    CAPTURE(view.text);
    CHECK(view.kind == Kind::kBuild);
    CHECK(view.text.find("main.cc:10:40: ") != std::string::npos);
    CHECK(view.text.find("ops.h:10:23: error: ") != std::string::npos);
    CHECK(view.text.find("reversed]") == std::string::npos);  // the words of a note are no rule
    CHECK(view.text.find("progress") == std::string::npos);
    CHECK(view.text.size() < log.size() / 2);
  }
}

TEST_CASE("a diagnostic under a heading is shown with its file, and others of its kind are named with theirs") {
  std::string lint;
  for (int i = 0; i < 300; ++i) {
    lint += "/p/src/f" + std::to_string(i) + ".js\n  1:1  warning  Unexpected console  no-console\n";
    if (i == 150) lint += "  9:9  error  x is not defined  no-undef\n";
    lint += "\n";
  }
  const View view = ViewOf(lint, "npx eslint .", 1);
  CHECK(Has(view, "/p/src/f150.js\n"));
  CHECK(Has(view, "  9:9  error  x is not defined  no-undef"));
  CHECK(Has(view, "/p/src/f7.js:1:1"));
}

TEST_CASE("dots in an excerpt name no file, and a gap says how many diagnostics it hides") {
  std::string text;
  for (int i = 1; i <= 9; ++i) {
    const std::string line = std::to_string(i * 100);
    text += "error[E0053]: method `remaining` has an incompatible type for trait\n    --> src/buf.rs:" + line +
            ":22\n     |\n" + line +
            " |         fn remaining(&self) -> usize {\n     |                      ^^^^^ types\n...\n" +
            "1395 |     deref_forward_buf!();\n     |     -------------------- in this macro invocation\n\n";
  }
  text += "error: could not compile `bytes` (lib) due to 9 previous errors\n";
  Hints hints;
  hints.command = "cargo build";
  hints.exit_code = 101;
  const View view = Compact(text, hints, {});
  CHECK(view.text.find("[also at src/buf.rs:200:22, buf.rs:300:22") != std::string::npos);
  CHECK(view.text.find("...:") == std::string::npos);
  CHECK(view.text.find(", 8 diagnostics]") != std::string::npos);
}

}  // namespace pith
