// Views for a person: another kind, side by side, explained; pipes of any length; the rules held against their
// examples.
#include <doctest/doctest.h>

#include <cstdio>

#include "tests/cli/home.h"

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

TEST_CASE("rules test holds every rule against its examples") {
  Home home;
  const Ended tested = home.Run({"rules", "test"});
  CHECK(tested.code == 0);
  CHECK(Has(tested.out, " examples, 0 failed\n"));
  CHECK(Has(home.Run({"rules", "grep -rn x ."}).out, "exit codes  1 no match (no failure)"));
}

}  // namespace pith
