#include <doctest/doctest.h>

#include <functional>

#include "compact/kinds.h"
#include "compact/test_run/causes.h"
#include "compact/test_run/names.h"
#include "compact/test_run/rows.h"
#include "tests/compact/golden.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

bool Has(const View& view, std::string_view text) { return view.text.find(text) != std::string::npos; }

View ViewOf(std::string_view bytes, std::string_view command = "", std::optional<int> exit_code = std::nullopt) {
  Hints hints;
  hints.command = command;
  hints.exit_code = exit_code;
  View view = Compact(bytes, hints, {});
  CHECK(view.fault == "");
  return view;
}

// How one runner spells a run: rows, what a failing test says in place or in a part after all rows, totals.
struct Runner {
  std::string_view name;
  std::string head;
  std::function<std::string(const std::string& test)> pass;
  std::function<std::string(const std::string& test, const std::string& why)> fail;   // among the rows
  std::function<std::string(const std::string& test, const std::string& why)> block;  // after the rows
  std::function<std::string(int passed, int failed)> end;
};

std::string Numbered(int n) { return std::to_string(n); }

std::vector<Runner> Runners() {
  auto none = [](const std::string&, const std::string&) { return std::string(); };
  std::vector<Runner> runners;
  runners.push_back(
      {"pytest", "============================= test session starts ==============================\n",
       [](const std::string& t) { return "tests/test_a.py::" + t + " PASSED    [ 10%]\n"; },
       [](const std::string& t, const std::string&) { return "tests/test_a.py::" + t + " FAILED    [ 10%]\n"; },
       [](const std::string& t, const std::string& why) {
         return "____ " + t + " ____\n\n    def " + t +
                "():\n        x = 1\n>       check(x)\nE       ValueError: " + why +
                "\n\ntests/test_a.py:7: ValueError\n";
       },
       [](int p, int f) { return "==== " + Numbered(f) + " failed, " + Numbered(p) + " passed in 1.20s ====\n"; }});
  runners.push_back({"unittest", "", [](const std::string& t) { return t + " (pack.Case." + t + ") ... ok\n"; },
                     [](const std::string& t, const std::string&) { return t + " (pack.Case." + t + ") ... ERROR\n"; },
                     [](const std::string& t, const std::string& why) {
                       return "======================================================================\nERROR: " + t +
                              " (pack.Case." + t +
                              ")\n----------------------------------------------------------------------\nTraceback "
                              "(most recent call last):\n"
                              "  File \"/home/dev/src/pack.py\", line 3, in " +
                              t + "\n    go()\nValueError: " + why + "\n\n";
                     },
                     [](int p, int f) {
                       return "----------------------------------------------------------------------\nRan " +
                              Numbered(p + f) + " tests in 0.1s\n\nFAILED (errors=" + Numbered(f) + ")\n";
                     }});
  runners.push_back({"cargo test", "running 300 tests\n",
                     [](const std::string& t) { return "test shelf::" + t + " ... ok\n"; },
                     [](const std::string& t, const std::string&) { return "test shelf::" + t + " ... FAILED\n"; },
                     [](const std::string& t, const std::string& why) {
                       return "---- shelf::" + t + " stdout ----\n\nthread 'shelf::" + t +
                              "' panicked at src/lib.rs:9:5:\n" + why + "\n\n";
                     },
                     [](int p, int f) {
                       return "test result: FAILED. " + Numbered(p) + " passed; " + Numbered(f) +
                              " failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";
                     }});
  runners.push_back({"go test -v", "",
                     [](const std::string& t) { return "=== RUN   " + t + "\n--- PASS: " + t + " (0.00s)\n"; },
                     [](const std::string& t, const std::string& why) {
                       return "=== RUN   " + t + "\n    a_test.go:12: " + why + "\n--- FAIL: " + t + " (0.00s)\n";
                     },
                     none, [](int, int) { return std::string("FAIL\nFAIL\texample.org/shelf\t0.010s\n"); }});
  runners.push_back({"jest", "", [](const std::string& t) { return "    \xE2\x9C\x93 " + t + " (2 ms)\n"; },
                     [](const std::string& t, const std::string&) { return "    \xE2\x9C\x95 " + t + " (2 ms)\n"; },
                     [](const std::string& t, const std::string& why) {
                       return "  \xE2\x97\x8F suite \xE2\x80\xBA " + t + "\n\n    ValueError: " + why +
                              "\n\n      at Object.go (src/a.js:3:4)\n      at run (node_modules/jest/run.js:1:1)\n\n";
                     },
                     [](int p, int f) {
                       return "Tests:       " + Numbered(f) + " failed, " + Numbered(p) +
                              " passed, 9 total\nTime:        1 s\n";
                     }});
  runners.push_back(
      {"vitest", "\n RUN  v2.1.9 /home/dev/src\n\n",
       [](const std::string& t) { return " \xE2\x9C\x93 test/a.mjs > " + t + " 1ms\n"; },
       [](const std::string& t, const std::string&) { return " \xC3\x97 test/a.mjs > " + t + " 3ms\n"; },
       [](const std::string& t, const std::string& why) {
         return " FAIL  test/a.mjs > " + t + "\nAssertionError: " + why + "\n \xE2\x9D\xAF test/a.mjs:4:9\n\n";
       },
       [](int p, int f) {
         return " Test Files  1 failed (1)\n      Tests  " + Numbered(f) + " failed | " + Numbered(p) + " passed\n";
       }});
  runners.push_back(
      {"mocha", "\n  suite\n", [](const std::string& t) { return "    \xE2\x9C\x94 " + t + "\n"; },
       [](const std::string& t, const std::string&) { return "    1) " + t + "\n"; },
       [](const std::string& t, const std::string& why) {
         return "  1) suite\n       " + t + ":\n     TypeError: " + why +
                "\n      at Context.<anonymous> (test/a.js:3:1)\n\n";
       },
       [](int p, int f) { return "\n  " + Numbered(p) + " passing (8ms)\n  " + Numbered(f) + " failing\n\n"; }});
  runners.push_back(
      {"node --test", "TAP version 13\n",
       [](const std::string& t) {
         return "# Subtest: " + t + "\nok 1 - " + t + "\n  ---\n  duration_ms: 0.5\n  ...\n";
       },
       [](const std::string& t, const std::string& why) {
         return "# Subtest: " + t + "\nnot ok 2 - " + t + "\n  ---\n  duration_ms: 0.5\n  error: '" + why +
                "'\n  ...\n";
       },
       none, [](int p, int f) { return "# tests 9\n# pass " + Numbered(p) + "\n# fail " + Numbered(f) + "\n"; }});
  runners.push_back({"ctest", "Test project /home/dev/src/build\n",
                     [](const std::string& t) {
                       return "      Start  1: " + t + "\n 1/300 Test  #1: " + t + " ..........   Passed    0.01 sec\n";
                     },
                     [](const std::string& t, const std::string& why) {
                       return "      Start  2: " + t + "\n 2/300 Test  #2: " + t +
                              " ..........***Failed    0.01 sec\nerror: " + why + "\n\n";
                     },
                     none,
                     [](int, int f) {
                       return "\n90% tests passed, " + Numbered(f) +
                              " tests failed out of 300\n\nErrors while running CTest\n";
                     }});
  runners.push_back(
      {"googletest", "[==========] Running 300 tests from 1 test suite.\n",
       [](const std::string& t) { return "[ RUN      ] Shelf." + t + "\n[       OK ] Shelf." + t + " (0 ms)\n"; },
       [](const std::string& t, const std::string& why) {
         return "[ RUN      ] Shelf." + t + "\nshelf_test.cc:8: Failure\nExpected equality of these values:\n  " + why +
                "\n  2\n[  FAILED  ] Shelf." + t + " (0 ms)\n";
       },
       none, [](int p, int) { return "[  PASSED  ] " + Numbered(p) + " tests.\n"; }});
  runners.push_back(
      {"gradle", "> Task :test\n\n", [](const std::string& t) { return "ShelfTest > " + t + "() PASSED\n"; },
       [](const std::string& t, const std::string& why) {
         return "ShelfTest > " + t + "() FAILED\n    org.opentest4j.AssertionFailedError: " + why +
                "\n        at org.junit.jupiter.api.Assert.fail(Assert.java:1)\n        at org.acme.ShelfTest." + t +
                "(ShelfTest.java:10)\n\n";
       },
       none,
       [](int p, int f) {
         return Numbered(p + f) + " tests completed, " + Numbered(f) + " failed\n\nBUILD FAILED in 3s\n";
       }});
  runners.push_back(
      {"surefire", "[INFO] Scanning for projects...\n",
       [](const std::string& t) {
         return "[INFO] Running org.acme." + t + "\n[INFO] Tests run: 1, Failures: 0, Errors: 0\n";
       },
       [](const std::string& t, const std::string& why) {
         return "[ERROR] org.acme.ShelfTest." + t +
                " -- Time elapsed: 0.01 s <<< ERROR!\njava.lang.IllegalStateException: " + why +
                "\n\tat org.acme.Shelf.take(Shelf.java:9)\n\tat java.base/java.lang.Thread.run(Thread.java:1)\n\n";
       },
       none,
       [](int p, int f) {
         return "[ERROR] Tests run: " + Numbered(p + f) + ", Failures: 0, Errors: " + Numbered(f) +
                ", Skipped: 0\n[INFO] BUILD FAILURE\n";
       }});
  runners.push_back({"dotnet test", "Starting test execution, please wait...\n",
                     [](const std::string& t) { return "  Passed Shelf." + t + " [1 ms]\n"; },
                     [](const std::string& t, const std::string& why) {
                       return "  Failed Shelf." + t +
                              " [3 ms]\n  Error Message:\n   System.InvalidOperationException : " + why +
                              "\n  Stack Trace:\n     at Shelf.Take() in /home/dev/src/Shelf.cs:line 12\n";
                     },
                     none,
                     [](int p, int f) {
                       return "\nFailed!  - Failed: " + Numbered(f) + ", Passed: " + Numbered(p) + ", Skipped: 0\n";
                     }});
  runners.push_back({"rspec", "\nShelf\n", [](const std::string& t) { return "  " + t + "\n"; },
                     [](const std::string& t, const std::string&) { return "  " + t + " (FAILED - 1)\n"; },
                     [](const std::string& t, const std::string& why) {
                       return "  1) Shelf " + t +
                              "\n     Failure/Error: expect(x).to eq(2)\n\n     RuntimeError:\n       " + why +
                              "\n     # ./spec/shelf_spec.rb:12:in `block'\n\n";
                     },
                     [](int p, int f) {
                       return Numbered(p + f) + " examples, " + Numbered(f) + " failures\n\nFailed examples:\n\n";
                     }});
  runners.push_back({"phpunit", "PHPUnit 10.5 by Sebastian Bergmann and contributors.\n\n",
                     [](const std::string& t) { return " \xE2\x9C\x94 " + t + "\n"; },
                     [](const std::string& t, const std::string&) { return " \xE2\x9C\x98 " + t + "\n"; },
                     [](const std::string& t, const std::string& why) {
                       return "1) ShelfTest::" + t + "\nFailed asserting that " + why +
                              "\n\n/home/dev/src/tests/ShelfTest.php:12\n\n";
                     },
                     [](int p, int f) {
                       return "FAILURES!\nTests: " + Numbered(p + f) + ", Assertions: 400, Failures: " + Numbered(f) +
                              ".\n";
                     }});
  return runners;
}

// A run of `tests` tests of which those at `failing` fail, each for a reason of its own.
std::string Run(const Runner& runner, int tests, const std::vector<int>& failing) {
  std::string out = runner.head, blocks;
  for (int i = 0; i < tests; ++i) {
    std::string test = "test_error_case_" + Numbered(i);
    if (std::find(failing.begin(), failing.end(), i) == failing.end()) {
      out += runner.pass(test);
      continue;
    }
    std::string why = "the shelf number " + Numbered(i) + " is gone";
    out += runner.fail(test, why);
    blocks += runner.block(test, why);
  }
  if (runner.name == "cargo test" && !failing.empty()) blocks = "\nfailures:\n\n" + blocks;
  return out + blocks + runner.end(tests - static_cast<int>(failing.size()), static_cast<int>(failing.size()));
}

}  // namespace

TEST_CASE("every runner: failures at head, middle and tail keep name, reason and totals, passes are counted") {
  for (const Runner& runner : Runners()) {
    CAPTURE(runner.name);
    for (int at : {0, 150, 299}) {
      CAPTURE(at);
      std::string original = Run(runner, 300, {at});
      View view = ViewOf(original, "", 1);
      CHECK(KindName(view.kind) == "test_run");
      CHECK(Has(view, "test_error_case_" + Numbered(at)));
      CHECK(Has(view, "the shelf number " + Numbered(at) + " is gone"));
      std::string end = runner.end(299, 1);
      CHECK(Has(view, end.substr(end.find_first_not_of(" \n"), 24)));
      CHECK(view.text.size() < original.size() / 8);
      int other = at == 150 ? 7 : 150;
      CHECK_FALSE(Has(view, "test_error_case_" + Numbered(other) + "\n"));
    }
  }
}

TEST_CASE("every runner: each of many distinct failures is named") {
  for (const Runner& runner : Runners()) {
    CAPTURE(runner.name);
    std::vector<int> failing;
    for (int i = 0; i < 300; i += 10) failing.push_back(i);
    View view = ViewOf(Run(runner, 300, failing), "", 1);
    for (int i : failing) {
      CHECK(Has(view, "test_error_case_" + Numbered(i)));
      CHECK(Has(view, "the shelf number " + Numbered(i) + " is gone"));
    }
  }
}

TEST_CASE("every runner: a view is the same twice, and is its own view") {
  for (const Runner& runner : Runners()) {
    CAPTURE(runner.name);
    std::string original = Run(runner, 120, {3, 60});
    View view = ViewOf(original);
    CHECK(ViewOf(original).text == view.text);
    CHECK(Compact(view.text, {}, {}).text == view.text);
  }
}

TEST_CASE("every runner: colours do not hide rows") {
  for (const Runner& runner : Runners()) {
    CAPTURE(runner.name);
    std::string original = Run(runner, 120, {60}), coloured;
    for (char c : original) c == '\n' ? coloured += "\x1b[0m\n" : coloured += c;
    View view = ViewOf(coloured);
    CHECK(Has(view, "the shelf number 60 is gone"));
    CHECK(view.text.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("every runner: mangled runs keep the accounting") {
  test::Random random(20);
  for (const Runner& runner : Runners()) {
    CAPTURE(runner.name);
    std::string original = Run(runner, 60, {3, 30, 31});
    for (int i = 0; i < 25; ++i) {
      Hints hints;
      hints.kind = Kind::kTestRun;
      std::string mangled = test::Mutate(original, random);
      Document document(mangled, hints);
      if (document.binary) continue;
      auto shaper = ShapeTestRun(document);
      for (Limit limit : {Limit{0, 0, false}, Limit{400, 800, true}, Limit{}}) {
        CHECK(CheckPieces(document, shaper->Make(limit)) == "");
      }
    }
  }
}

TEST_CASE("a red run is never green: totals and exit stand, a green word alone does not") {
  std::string original;
  for (int i = 0; i < 200; ++i) original += "test_" + Numbered(i) + " (a.B) ... ok\n";
  original += "Segmentation fault (core dumped)\n";
  View view = ViewOf(original, "python -m unittest -v", 139);
  CHECK(Has(view, "Segmentation fault (core dumped)"));
  CHECK(Has(view, "exit"));
  std::string clean = original.substr(0, original.find("Segmentation"));
  CHECK(Has(ViewOf(clean, "python -m unittest -v", 139), "[exit code 139]"));
}

TEST_CASE("a suite that fails to load and an exception after green tests are shown") {
  std::string load =
      "FAIL test/a.test.js\n  \xE2\x97\x8F Test suite failed to run\n\n    Cannot find module './gone' from 'a.js'\n\n";
  for (int i = 0; i < 80; ++i) load += "      at node_modules/jest/lib/frame" + Numbered(i) + ".js:1:1\n";
  load += "\nTest Suites: 1 failed, 1 total\nTests:       0 total\n";
  View view = ViewOf(load, "npx jest", 1);
  CHECK(Has(view, "Test suite failed to run"));
  CHECK(Has(view, "Cannot find module './gone'"));
  CHECK(Has(view, "Test Suites: 1 failed, 1 total"));

  std::string after;
  for (int i = 0; i < 100; ++i) after += " \xE2\x9C\x93 test/a.mjs > keeps " + Numbered(i) + "\n";
  after +=
      "\n\xE2\x8E\xAF\xE2\x8E\xAF\xE2\x8E\xAF Unhandled Errors \xE2\x8E\xAF\xE2\x8E\xAF\xE2\x8E\xAF\n\n"
      "TypeError: late is not a function\n \xE2\x9D\xAF src/late.js:3:5\n\n Test Files  1 passed (1)\n      Tests  100 "
      "passed (100)\n"
      "     Errors  1 error\n";
  view = ViewOf(after, "npx vitest run", 1);
  CHECK(Has(view, "Unhandled Errors"));
  CHECK(Has(view, "TypeError: late is not a function"));
  CHECK(Has(view, "Errors  1 error"));
}

TEST_CASE("identical causes are said once, with the names of all tests that they hit") {
  std::string original;
  for (int i = 0; i < 12; ++i) {
    original += "======================================================================\nERROR: test_" + Numbered(i) +
                " (a.B)\n----------------------------------------------------------------------\nTraceback (most "
                "recent call last):\n";
    for (int frame = 0; frame < 6; ++frame)
      original += "  File \"/home/dev/src/a.py\", line " + Numbered(frame) + ", in f\n    g()\n";
    original += "KeyError: 'plum'\n\n";
  }
  original += "Ran 12 tests in 0.1s\n\nFAILED (errors=12)\n";
  View view = ViewOf(original);
  for (int i = 0; i < 12; ++i) CHECK(Has(view, "ERROR: test_" + Numbered(i) + " (a.B)"));
  CHECK(view.text.find("KeyError: 'plum'") == view.text.rfind("KeyError: 'plum'"));
  CHECK(Has(view, "[the same in 11 more tests]"));
}

TEST_CASE("causes that differ in their message or, without one, in their place are not identical") {
  auto block = [](int i, int line, std::string_view raised) {
    return "ERROR: test_" + Numbered(i) +
           " (a.B)\n-----\nTraceback (most recent call last):\n  File \"/home/dev/src/a.py\", line " + Numbered(line) +
           ", in f\n    assert x" + Numbered(line) + "\n" + std::string(raised) + "\n\n";
  };
  std::string original = block(1, 5, "AssertionError") + block(2, 9, "AssertionError") +
                         block(3, 7, "ValueError: 1 of 2\n  one") + block(4, 7, "ValueError: 1 of 2\n  two");
  for (int i = 0; i < 100; ++i) original += "test_ok_" + Numbered(i) + " (a.B) ... ok\n";
  original += "Ran 104 tests in 1s\n\nFAILED (errors=4)\n";
  View view = ViewOf(original);
  CHECK(Has(view, "assert x5"));
  CHECK(Has(view, "assert x9"));
  CHECK_FALSE(Has(view, "[the same in"));
}

TEST_CASE("rows: names that hold words of failure pass, and what looks like a row in other text is none") {
  CHECK(ReadRow("test_raises_error (a.B) ... ok").role == RowRole::kPass);
  CHECK(ReadRow("test a::fails_on_panic ... ok").role == RowRole::kPass);
  CHECK(ReadRow("tests/test_a.py::test_x[ERROR] PASSED    [ 10%]").role == RowRole::kPass);
  CHECK(ReadRow("tests/test_a.py ..F.                     [ 58%]").role == RowRole::kProgress);
  CHECK(ReadRow("ERROR tool.main:run(1): `pytest a.py` failed").role == RowRole::kBody);
  CHECK(ReadRow("2558415 node-1 switch error 10 1 Link error").role == RowRole::kBody);
  CHECK(ReadRow("= tests finished: 15 passed, 3 expected to fail, 2 exceptions, in 8.46 seconds =").role ==
        RowRole::kSummary);
  CHECK(ReadRow("==== 3 failed, 618 passed, 11317 subtests passed in 12.5s ====").role == RowRole::kSummary);
  CHECK(ReadRow("test_x (a.B) ... test_y (a.B) ... ERROR").name == "test_y (a.B)");
}

TEST_CASE("names: an ending of a shown name is covered, another name is not") {
  ShownNames shown;
  shown.Add("tests/test_a.py::TestA::test_x[1/2] - ValueError: no");
  CHECK_FALSE(shown.AddUnlessCovered("TestA.test_x[1/2]"));
  CHECK_FALSE(shown.AddUnlessCovered("test_x[1/2]"));
  CHECK(shown.AddUnlessCovered("TestB.test_x[1/2]"));
  CHECK(shown.AddUnlessCovered("test_x"));
  CHECK(CleanTestName("8/20 Test  #8: matrix_7 ....") == "matrix_7");
}

TEST_CASE("a green run keeps totals and names what was skipped") {
  std::string original =
      "============================= test session starts ==============================\ncollected 401 items\n\n";
  for (int i = 0; i < 400; ++i) original += "tests/test_a.py::test_" + Numbered(i) + " PASSED    [ 10%]\n";
  original += "tests/test_a.py::test_disk SKIPPED (no disk)    [ 99%]\n\n==== 400 passed, 1 skipped in 2.10s ====\n";
  View view = ViewOf(original, "pytest -v", 0);
  CHECK(Has(view, "400 passed, 1 skipped"));
  CHECK(Has(view, "test_disk SKIPPED"));
  CHECK(Has(view, "400 passing tests"));
  CHECK(view.text.size() < 500);
}

TEST_CASE("a budget is met by dropping the least, names and totals last") {
  std::string original = Run(Runners()[1], 300, {1, 100, 200});
  Hints hints;
  hints.max_tokens = 220;
  View view = Compact(original, hints, {});
  CHECK(view.shown.tokens <= 220);
  CHECK(Has(view, "FAILED (errors=3)"));
  CHECK(Has(view, "ERROR: test_error_case_100"));
}

TEST_CASE("thousands of failures: totals stand, and as many names as a page holds") {
  Runner unittest = Runners()[1];
  std::vector<int> failing;
  for (int i = 0; i < 3000; ++i) failing.push_back(i);
  std::string original = Run(unittest, 3000, failing);
  View view = ViewOf(original, "python -m unittest", 1);
  CHECK(Has(view, "FAILED (errors=3000)"));
  CHECK(Has(view, "ERROR: test_error_case_0 "));
  CHECK(view.text.size() <= 41000);
}

TEST_CASE("totals wider than their banner are totals, and a heading over slow tests names no test") {
  std::string text = "a.py[42] \n";
  for (int i = 0; i < 40; ++i) text += "test_" + std::to_string(i) + " ok\n";
  text += "test_one ok\ntest_two E    [FAIL]\n" + std::string(32, '_') + " slowest tests " + std::string(33, '_') +
          "\ntest_one - Took 12.1 seconds\n" + std::string(20, '_') + " a.py:test_two " + std::string(20, '_') +
          "\nTraceback (most recent call last):\n  File \"/home/me/a.py\", line 40, in test_two\n    f(3)\n"
          "ValueError: no\n\n tests finished: 92 passed, 2 expected to fail, 1 exceptions, in 32.07 seconds =\n"
          "DO *NOT* COMMIT!\n";
  View view = ViewOf(text, "bin/test");
  CHECK(Has(view, " tests finished: 92 passed, 2 expected to fail, 1 exceptions"));
  CHECK(Has(view, "ValueError: no"));
  CHECK_FALSE(Has(view, "slowest tests"));
}

TEST_CASE("the difference under an assertion is shown, and hidden failures of one name are counted") {
  const std::string block =
      std::string(70, '=') + "\nFAIL: test_x (t.T) (n=1)\n" + std::string(70, '-') +
      "\nTraceback (most recent call last):\n  File \"/home/me/t.py\", line 9, in test_x\n"
      "    self.check(1)\nAssertionError: <tr>\n<td>\n</td> != <tr>\n<td>\n  <tr>\n- <td a=1>\n+ <td a=2>\n\n";
  std::string text;
  for (int i = 0; i < 4; ++i) text += block;
  text += std::string(70, '-') + "\nRan 40 tests in 0.2s\n\nFAILED (failures=4)\n";
  View view = ViewOf(text, "python -m unittest");
  CHECK(Has(view, "- <td a=1>\n+ <td a=2>"));
  CHECK(Has(view, "2 failing tests"));
}

TEST_CASE("a message whose first line ends in a colon is shown with the lines that say what") {
  std::string passes, frames;
  for (int i = 0; i < 60; ++i) passes += "test_passing_" + std::to_string(i) + " (app.tests.Case) ... ok\n";
  for (int i = 0; i < 6; ++i)
    frames += "  File \"/usr/lib/python3.9/unittest/case.py\", line 60, in run\n    testMethod()\n";
  const std::string rule(70, '-');
  const View view = ViewOf(passes + "\n" + std::string(70, '=') + "\nFAIL: test_rows (app.tests.Case)\n" + rule +
                           "\nTraceback (most recent call last):\n" + frames +
                           "  File \"/srv/app/tests.py\", line 528, in test_rows\n    self.assertCountEqual(a, b)\n" +
                           "AssertionError: Element counts were not equal:\nFirst has 1, Second has 0:  'app.Row'\n\n" +
                           rule + "\nRan 61 tests in 0.2s\n\nFAILED (failures=1)\n");
  CHECK(view.text.find("First has 1, Second has 0:  'app.Row'") != std::string::npos);
}

TEST_CASE("the frame is shown though the message begins a word as the frame's function does") {
  std::string frames;
  for (int i = 0; i < 6; ++i) {
    frames += "  File \"/srv/app/printing/printer.py\", line 274, in _print\n    return getattr(self, method)(value)\n";
  }
  const std::string bar(30, '_');
  const View view =
      ViewOf("test_a ok\ntest_b E\n" + bar + " app/tests/test_latex.py:test_b " + bar +
             "\nTraceback (most recent call last):\n" + frames +
             "TypeError: _print_Mul() got an unexpected keyword argument 'order'\n\n" +
             " tests finished: 117 passed, 1 failed, 2 expected to fail, 3 exceptions, \nin 2.81 seconds \n");
  CHECK(view.text.find("printer.py\", line 274, in _print") != std::string::npos);
  CHECK(view.text.find("117 passed, 1 failed") != std::string::npos);
}

TEST_CASE("what pytest says beside passed and failed is read as what it is") {
  const auto row = [](std::string_view line) {
    const Row read = ReadRow(line);
    return std::pair(read.role, std::string(read.name));
  };
  CHECK(row("t.py::T::test_x XFAIL (known)      [ 98%]") == std::pair(RowRole::kSkip, std::string("t.py::T::test_x")));
  CHECK(row("t.py::test_x XPASS      [ 98%]").first == RowRole::kSkip);
  CHECK(row("t.py::test_x[a b] SUBFAILED[m] (i=1)   [ 9%]") ==
        std::pair(RowRole::kFail, std::string("t.py::test_x[a b]")));
  CHECK(row("t.py::test_x SUBPASSED(i=0)   [ 9%]").first == RowRole::kProgress);
  CHECK(row("[gw0] [ 29%] FAILED t.py::T::test_x ") == std::pair(RowRole::kFail, std::string("t.py::T::test_x")));
  CHECK(row("[gw1] PASSED t.py::test_y").first == RowRole::kPass);
  CHECK(row("[gw1] [ 30%] XFAIL t.py::test_y").first == RowRole::kSkip);
  CHECK(row("[gw1] [ 30%] SUBPASSED(i='0') t.py::test_y").first == RowRole::kProgress);
  CHECK(row("std::vector says ERRORS aplenty").first == RowRole::kBody);
}

TEST_CASE("what a failing test says stands under its own name, also where it says it without a mark") {
  const std::string rule(30, '_');
  std::string run = "=========================== FAILURES ===========================\n";
  for (int i = 0; i < 40; ++i) {
    run += rule + " T.test_" + std::to_string(i) + " " + rule + "\n\nself = <t.T testMethod=test_" + std::to_string(i) +
           ">\n\n    def test(self):\n>       self.check(1)\nE       AssertionError: 1 is not right\n\nt.py:5: "
           "AssertionError\n";
  }
  run += rule + " T.test_odd " + rule + "\nUnexpected success\n";
  run += "=========================== short test summary info ===========================\n";
  for (int i = 0; i < 40; ++i)
    run += "FAILED t.py::T::test_" + std::to_string(i) + " - AssertionError: 1 is not right\n";
  run += "FAILED t.py::T::test_odd - Failed: Unexpected success\n41 failed in 0.05s\n";
  const View view = ViewOf(run, "pytest", 1);
  CHECK(Has(view, "T.test_odd " + rule + "\nUnexpected success"));
}

TEST_CASE("golden views of real test runs") {
  for (const test::Golden& golden : {test::Golden{"test_runs/pytest_failing.txt", "pytest"},
                                     test::Golden{"test_runs/pytest_verbose.txt", "pytest -v -rA"},
                                     test::Golden{"test_runs/pytest_collection_error.txt", "pytest"},
                                     test::Golden{"test_runs/pytest_short.txt", "pytest -q --tb=short"},
                                     test::Golden{"test_runs/unittest_verbose.txt", "python -m unittest -v"},
                                     test::Golden{"test_runs/cargo_test.txt", "cargo test"},
                                     test::Golden{"test_runs/go_test.txt", "go test ./..."},
                                     test::Golden{"test_runs/go_test_verbose.txt", "go test -v ./..."},
                                     test::Golden{"test_runs/go_test_json.txt", "go test -json ./..."},
                                     test::Golden{"test_runs/jest.txt", "npx jest"},
                                     test::Golden{"test_runs/jest_verbose.txt", "npx jest --verbose"},
                                     test::Golden{"test_runs/vitest.txt", "npx vitest run --reporter=verbose"},
                                     test::Golden{"test_runs/mocha.txt", "npx mocha"},
                                     test::Golden{"test_runs/node_test.txt", "node --test"},
                                     test::Golden{"test_runs/node_tap.txt", "node --test --test-reporter=tap"},
                                     test::Golden{"test_runs/prove.txt", "prove -v t/"},
                                     test::Golden{"test_runs/ctest.txt", "ctest --output-on-failure"},
                                     test::Golden{"test_runs/doctest.txt", ""},
                                     test::Golden{"test_runs/bats_pretty.txt", "bats calc.bats"},
                                     test::Golden{"test_runs/bats_tap.txt", "bats --tap calc.bats"},
                                     test::Golden{"test_runs/pytest_mixed.txt", "pytest -v -rA"},
                                     test::Golden{"test_runs/pytest_xdist.txt", "pytest -v -n 2"}}) {
    test::CheckGolden(golden, Kind::kTestRun);
  }
}

TEST_CASE("a green run shows each warning of its summary, a red one counts them") {
  std::string start =
      "============================= test session starts ==============================\ncollected 50 items\n\n";
  for (int i = 0; i < 30; ++i)
    start += "tests/test_a" + std::to_string(i) + ".py ....                        [ " + std::to_string(i * 3) + "%]\n";
  const std::string warnings =
      "\n=============================== warnings summary ===============================\n"
      "../lib/foo/__init__.py:3\n  /usr/lib/foo/__init__.py:3: DeprecationWarning: pkg_resources is deprecated\n"
      "    import pkg_resources\n\ntests/test_a3.py::test_one\ntests/test_a3.py::test_two\n"
      "  /srv/app/core.py:88: UserWarning: the cache is cold\n    warnings.warn(\"the cache is cold\")\n\n"
      "tests/test_a9.py::test_one\n  /srv/app/other.py:12: RuntimeWarning: divide by zero\n    return a / b\n\n"
      "-- Docs: https://docs.pytest.org/en/stable/how-to/capture-warnings.html\n";
  const std::string green =
      start + warnings + "======================== 50 passed, 5 warnings in 0.42s ========================\n";
  Hints hints;
  hints.command = "pytest";
  const View view = Compact(green, hints, {});
  CAPTURE(view.text);
  for (std::string_view told :
       {"pkg_resources is deprecated", "core.py:88: UserWarning", "other.py:12: RuntimeWarning"}) {
    CHECK(view.text.find(told) != std::string::npos);
  }
  const std::string red =
      start +
      "=================================== FAILURES ===================================\n"
      "___________________________________ test_one ___________________________________\n\n"
      "    def test_one():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_a0.py:2: AssertionError\n" +
      warnings +
      "=========================== short test summary info ============================\n"
      "FAILED tests/test_a0.py::test_one - assert 1 == 2\n"
      "=================== 1 failed, 49 passed, 5 warnings in 0.42s ===================\n";
  const View failing = Compact(red, hints, {});
  CAPTURE(failing.text);
  CHECK(failing.text.find("3 warnings]") != std::string::npos);
}

TEST_CASE("a JUnit case that fails on its own line is no passing test") {
  for (const char* fault : {"<failure>boom</failure>", "<failure message=\"m\"/>", "<error>boom</error>"}) {
    std::string report = "<?xml version=\"1.0\"?>\n<testsuite name=\"s\" tests=\"300\" failures=\"1\">\n";
    for (int i = 0; i < 300; ++i) {
      report += "<testcase name=\"t" + std::to_string(i) + "\">" + (i == 200 ? fault : "") + "</testcase>\n";
    }
    const View view = Compact(report + "</testsuite>\n", {}, {});
    CAPTURE(view.text);
    CHECK(view.text.find(fault) != std::string::npos);
    CHECK(view.text.find("300 passing") == std::string::npos);
  }
}

TEST_CASE("a manual with a few rows like a runner's is no test run") {
  std::string manual;
  for (int part = 0; part < 60; ++part) {
    manual += "Part " + std::to_string(part) +
              "\n=======\n\nThe runner prints a row for each test, and what it says is told here at length.\n"
              "It goes on with the next one until all of them have been run, or one of them has failed.\n\n";
    if (part % 10 == 0) manual += "[ RUN      ] Suite.case" + std::to_string(part) + "\n\n";
  }
  CHECK(Compact(manual, {}, {}).kind == Kind::kMarkdown);
}

TEST_CASE("tests that neither passed nor failed are called what they are") {
  std::string pytest = "============================= test session starts ==============================\n",
              tap = "TAP version 13\n";
  for (int i = 0; i < 60; ++i) {
    pytest += "tests/test_shelf.py::test_" + std::to_string(i) + " PASSED\n";
    tap += "ok " + std::to_string(i) + " - adds " + std::to_string(i) + "\n";
  }
  pytest +=
      "tests/test_shelf.py::test_a SKIPPED (why)\ntests/test_shelf.py::test_b XPASS\n"
      "tests/test_shelf.py::test_c XFAIL\ntests/test_shelf.py::test_d XFAIL\n"
      "tests/test_shelf.py::test_e FAILED\n"
      "=========================== short test summary info ============================\n"
      "FAILED tests/test_shelf.py::test_e - assert 1 == 2\n"
      "========= 1 failed, 60 passed, 1 skipped, 2 xfailed, 1 xpassed in 0.10s =========\n";
  tap += "ok 60 - later # SKIP\nok 61 - someday # TODO\nnot ok 62 - soon # TODO\nnot ok 63 - breaks\n# fail 1\n";
  const View view = Compact(pytest, {}, {}), other = Compact(tap, {}, {});
  CHECK(view.text.find("60 passing tests, 1 skipped test, 1 failing test, 1 unexpected pass, 2 expected failures") !=
        std::string::npos);
  CHECK(other.text.find("60 passing tests, 1 skipped test, 2 TODO tests") != std::string::npos);
}

TEST_CASE("the bare heading of a collection error's trace is not shown for its word") {
  const std::string bytes =
      "============================= test session starts ==============================\ncollected 0 items / 1 "
      "error\n\n"
      "==================================== ERRORS ====================================\n"
      "_________________________ ERROR collecting test_p.py __________________________\n"
      "ImportError while importing test module '/srv/test_p.py'.\n"
      "Hint: make sure your test modules/packages have valid Python names.\nTraceback:\n"
      "/usr/lib/python3.11/importlib/__init__.py:126: in import_module\n"
      "    return _bootstrap._gcd_import(name[level:], package, level)\n"
      "test_p.py:1: in <module>\n    import pytest, nosuchmodule\n"
      "E   ModuleNotFoundError: No module named 'nosuchmodule'\n"
      "=========================== short test summary info ============================\nERROR test_p.py\n"
      "!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!\n"
      "=============================== 1 error in 0.11s ===============================\n";
  const View view = Compact(bytes, {}, {});
  CHECK(view.text.find("Traceback:") == std::string::npos);
  CHECK(view.text.find("No module named 'nosuchmodule'") != std::string::npos);
}

TEST_CASE("a frame of the line that a panic names is not cited beside it, a frame of another line is") {
  std::string bytes = "running 2 tests\ntest tests::sums ... FAILED\ntest tests::gets ... FAILED\n\nfailures:\n\n";
  const auto failure = [&](const std::string& test, const std::string& line) {
    bytes += "---- tests::" + test + " stdout ----\nthread 'tests::" + test + "' panicked at src/lib.rs:" + line +
             ":25:\n" + test + " went wrong\nstack backtrace:\n";
    for (int i = 0; i < 9; ++i) {
      bytes += "   " + std::to_string(i) +
               ": core::panicking::panic\n             at /rustc/5980/library/core/src/panicking.rs:" +
               std::to_string(80 + i) + ":14\n";
    }
    bytes += "   9: rs::tests::" + test + "\n             at ./src/lib.rs:8:22\n\n";
  };
  failure("sums", "8");
  failure("gets", "3");
  bytes += "\nfailures:\n    tests::gets\n    tests::sums\n\ntest result: FAILED. 0 passed; 2 failed; 0 ignored\n";
  const std::string text = Compact(bytes, {}, {}).text;
  const size_t sums = text.find("sums went wrong"), gets = text.find("gets went wrong");
  REQUIRE(sums < gets);
  REQUIRE(gets < text.size());
  CHECK(text.find("at ./src/lib.rs:8:22", sums) > gets);
  CHECK(text.find("at ./src/lib.rs:8:22 [line ", gets) < text.size());
}

TEST_CASE("what passing go tests logged is shown once of each kind, within little room") {
  std::string bytes;
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i);
    bytes +=
        "=== RUN   TestPart" + n + "\n    part_test.go:31: took " + n + " steps\n--- PASS: TestPart" + n + " (0.00s)\n";
  }
  bytes +=
      "=== RUN   TestOuter\n    outer_test.go:620: Running the inner suite with -failfast\n--- PASS: TestOuter "
      "(0.01s)\n"
      "=== RUN   TestBad\n    bad_test.go:12: got 3, want 4\n--- FAIL: TestBad "
      "(0.00s)\nFAIL\nFAIL\texample.com/part\t0.1s\n";
  Hints hints;
  hints.command = "go test -v ./...";
  const View view = Compact(bytes, hints, {});
  CAPTURE(view.text);
  CHECK(view.text.find("Running the inner suite with -failfast") != std::string::npos);
  CHECK(view.text.find("took 0 steps") != std::string::npos);
  CHECK(view.text.find("took 7 steps") == std::string::npos);
  CHECK(view.text.find("got 3, want 4") != std::string::npos);
}

TEST_CASE("the totals that end a run are shown, though earlier ones say the same") {
  std::string text;
  for (int i = 0; i < 400; ++i) {
    const std::string n = std::to_string(i);
    text += "     Running unittests src/lib" + n + ".rs (target/debug/deps/x-" + n +
            ")\n\nrunning 2 tests\ntest a::t1 ... ok\ntest a::t2 ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 "
            "ignored; 0 " +
            "measured; 0 filtered out; finished in 0." + n + "s\n\n";
  }
  const std::string view = Compact(text, {}, {}).text;
  CHECK(view.find("finished in 0.0s\n") != std::string::npos);
  CHECK(view.find("finished in 0.399s\n") != std::string::npos);
  CHECK(view.find("finished in 0.200s\n") == std::string::npos);
}

TEST_CASE("tests whose rows are broken off by what they print are counted") {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    const std::string n = std::to_string(i);
    text += "test_" + n + " (tests.test_x.T.test_" + n + ") ... ";
    if (i % 3 == 0) text += "connecting to db\n";
    if (i % 7 == 0) text += "warming up\n";
    text += "ok\n";
  }
  text += "\n----------------------------------------------------------------------\nRan 300 tests in 0.010s\n\nOK\n";
  const std::string view = Compact(text, {}, {}).text;
  CAPTURE(view);
  CHECK(view.find(", 300 passing tests]") != std::string::npos);
}

}  // namespace pith
