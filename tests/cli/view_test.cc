// Views for a person: another kind, side by side, explained; pipes of any length; the rules held against their
// examples.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <cstdio>

#include "tests/cli/home.h"
#include "tests/sanitized.h"

namespace pith {
namespace {

// What the program prints when another program pipes `file` into it.
std::string Piped(const Home& home, const std::string& file, const std::string& words) {
  const std::string line = "cd '" + home.path() + "/work' && cat '" + file + "' | HOME='" + home.path() + "' '" +
                           PITH_PROGRAM + "' " + words;
  FILE* pipe = popen(line.c_str(), "r");
  REQUIRE(pipe);
  std::string out;
  char piece[65536];
  while (const size_t got = fread(piece, 1, sizeof piece, pipe)) out.append(piece, got);
  CHECK(pclose(pipe) == 0);
  return out;
}

// The largest resident memory, in MiB, of any process of a shell line; it must end with 0.
long PeakOf(const std::string& line) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(99);
  }
  int status = 0;
  rusage used{};
  REQUIRE(wait4(child, &status, 0, &used) == child);
  CHECK(status == 0);
  return used.ru_maxrss / 1024;
}

}  // namespace

TEST_CASE("view makes another view of what is stored, within a budget or as another kind") {
  Home home;
  home.Write("build.log", LogOf(3000));
  const Ended first = home.Run({"compact", "build.log"});
  const Ended same = home.Run({"view", "last"});
  CHECK(same.code == 0);
  CHECK(same.out == first.out);
  const Ended text = home.Run({"view", "last", "--kind", "text"});
  CHECK(text.out != first.out);
  CHECK(Has(text.out, "ERROR disk full"));
  const Ended small = home.Run({"view", "last", "--max-tokens", "120"});
  CHECK(small.out.size() < 600);
  CHECK(Has(small.out, "PARTIAL view of"));
  CHECK(Has(home.Run({"view", "last", "--explain"}).err, "kind: log"));
  CHECK(home.Run({"view", "last", "--kind", "poem"}).code == 2);
  CHECK(home.Run({"view", "abcdef"}).code == 3);
}

TEST_CASE("side by side: each line of the original stands once, in order, beside what the view shows of it") {
  Home home;
  const std::string log = LogOf(400);
  home.Write("build.log", log);
  const Ended sides = home.Run({"compact", "build.log", "--diff"}, "", {{"COLUMNS", "140"}});
  CHECK(sides.code == 0);
  CHECK_FALSE(Has(sides.out, "\x1b["));  // no terminal, no colour
  size_t at = sides.out.find('\n') + 1;
  for (int line = 1; line <= 400; ++line) {
    CAPTURE(line);
    const std::string row = sides.out.substr(at, sides.out.find('\n', at) - at);
    CHECK(Has(row.substr(0, 4), std::to_string(line)));
    CHECK(row.size() <= 140);
    at += row.size() + 1;
  }
  CHECK(Has(sides.out, " < [1"));  // a gap stands beside the first line that it hides
  CHECK(Has(sides.out, "200 12:00:01 ERROR disk full at /var/lib/thing"));
  CHECK(Has(home.Run({"view", "last", "--diff"}).out, "original: "));
}

TEST_CASE("explain tells the kind with its evidence, the budget and its floor, each candidate and what was kept") {
  Home home;
  home.Write("build.log", LogOf(3000));
  const Ended told = home.Run({"compact", "build.log", "--explain", "--max-tokens", "20"});
  for (const char* part : {"kind: log\n", "lines ", "budget: 20 tokens", "below the floor", "candidate log: ",
                           " tokens, ", " bytes", "kept: ", "shown because of an error: ", "omitted: "}) {
    CAPTURE(part);
    CHECK(Has(told.err, part));
  }
}

TEST_CASE("a pipe longer than memory may hold gives the view of the file, and its bytes come back") {
  Home home;
  const std::string log = LogOf(200000);  // about 9 MiB
  const std::string file = home.Write("long.txt", log);
  const std::string piped = Piped(home, file, "compact");
  CHECK(piped == home.Run({"compact", "-"}, log).out);
  CHECK(Has(piped, "ERROR disk full"));
  CHECK(home.Run({"retrieve", "last"}).out == log);
  CHECK(Piped(home, file, "compact --memory-only").find("original not kept") != std::string::npos);
}

TEST_CASE("a hundred megabytes through a pipe take less than 64") {
  Home home;
  std::string log = LogOf(100000);
  log.resize(log.rfind('\n', 4'000'000) + 1);
  home.Write("part.txt", log);
  const std::string feed =
      "for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do cat part.txt; done";
  const long peak = PeakOf("cd '" + home.path() + "/work' && { " + feed + "; } | HOME='" + home.path() + "' '" +
                           PITH_PROGRAM + "' compact >view.txt");
  CHECK(Has(Content(home.path() + "/work/view.txt"), "PARTIAL view of"));
  if (!kSanitized) CHECK(peak < 64);
  MESSAGE("peak " << peak << " MiB");
}

TEST_CASE("rules test holds every rule against its examples") {
  Home home;
  const Ended tested = home.Run({"rules", "test"});
  CHECK(tested.code == 0);
  CHECK(Has(tested.out, " examples, 0 failed\n"));
  CHECK(Has(home.Run({"rules", "grep -rn x ."}).out, "exit codes  1 no match (no failure)"));
}

TEST_CASE("own rules count on every road, a broken file of them does not and is said") {
  Home home;
  const std::string rules = home.path() + "/.config/pith/rules";
  REQUIRE(std::system(("mkdir -p '" + rules + "'").c_str()) == 0);
  const auto write = [&](const std::string& path, const std::string& text) {
    FILE* file = fopen(path.c_str(), "w");
    REQUIRE(file);
    fputs(text.c_str(), file);
    fclose(file);
  };
  write(rules + "/house.json", R"({"family": "house", "rules": [{"id": "ship", "program": "shipcheck", "kind": "log",
      "signals": ["HALTED"], "examples": "shipcheck -v"}]})");
  CHECK(Has(home.Run({"rules", "shipcheck -v"}).out, "ship  house  kind log"));
  CHECK(Has(home.Run({"rules"}).out, "own  ship  house"));
  std::string log;
  for (int line = 0; line < 4000; ++line) {
    log += "12:00:0" + std::to_string(line % 10) + " step " + std::to_string(line) + " done\n";
    if (line == 1234) log += "12:00:00 step 7 HALTED at the gate\n";
  }
  home.Write("ship.log", log);
  CHECK(Has(home.Run({"compact", "ship.log", "--command", "shipcheck -v"}).out, "HALTED at the gate"));
  CHECK(home.Run({"rules", "test"}).code == 0);

  write(rules + "/broken.json", R"({"family": "f", "rules": [{"id": "x"}]})");
  const Ended tested = home.Run({"rules", "test"});
  CHECK(tested.code == 1);
  CHECK(Has(tested.out, "broken.json: x: no program"));
  CHECK(Has(home.Run({"rules", "shipcheck"}).out, "ship  house"));
  CHECK(Has(home.Run({"doctor"}).out, "broken.json does not count: x: no program"));
  // On the roads that somebody walks knowingly it is one line; an agent's commands and hooks stay as they are.
  const Ended compacted = home.Run({"compact", "ship.log", "--command", "shipcheck -v"});
  CHECK(CountLines(compacted.err) == 1);
  CHECK(Has(compacted.err, "broken.json does not count: x: no program; see `pith rules test`"));
  CHECK(CountLines(home.Run({"rules", "shipcheck"}).err) == 1);
  CHECK(CountLines(home.Run({"view", "last"}).err) == 1);
  CHECK(home.Run({"run", "-c", "cat ship.log; true"}, "", {{"PITH_AGENT", "1"}}).err.empty());
  CHECK(home.Run({"hook", "gemini", "AfterTool"}, "{}").err.empty());
}

TEST_CASE("help of rules shows how to ask") {
  Home home;
  CHECK(Has(home.Run({"rules", "--help"}).out, "pith rules 'cd web && npx jest --ci | tail -50'"));
}

TEST_CASE("a project's rules count once its file is trusted, and no more once it has changed") {
  Home home;
  REQUIRE(std::system(("mkdir -p '" + home.path() + "/work/.git'").c_str()) == 0);
  const std::string file =
      R"({"rules": [{"id": "ours", "program": "ourtool", "kind": "build", "examples": "ourtool"}]})";
  home.Write(".pith.json", file);
  CHECK_FALSE(Has(home.Run({"rules", "ourtool"}).out, "ours"));
  REQUIRE(home.Run({"trust"}).code == 0);
  CHECK(Has(home.Run({"rules", "ourtool"}).out, "ours  project  kind build"));
  home.Write(".pith.json", file + "\n");
  CHECK_FALSE(Has(home.Run({"rules", "ourtool"}).out, "ours"));
  home.Write(".pith.json", R"({"rules": [{"id": "ours"}]})");
  const Ended refused = home.Run({"trust"});
  CHECK(refused.code != 0);
  CHECK(Has(refused.err, "ours: no program"));
}

}  // namespace pith
