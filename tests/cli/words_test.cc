// How words on the command line are read.
#include <doctest/doctest.h>

#include "base/token.h"
#include "tests/cli/home.h"

namespace pith {

TEST_CASE("an option takes one word, so that a positional may follow it") {
  Home home;
  std::string log = LogOf(3000);
  home.Write("build.log", log);
  for (std::vector<std::string> words : {std::vector<std::string>{"--command", "make"},
                                         {"--command=make"},
                                         {"--path", "x.log"},
                                         {"--query", "disk"},
                                         {"--query", ""},
                                         {"--query", "{}"},
                                         {"--query", "[a,b]"},
                                         {"--allow-secrets", "env"},
                                         {"--exit-code", "2"},
                                         {"--exit-code", "-1"},
                                         {"--max-tokens", "900"},
                                         {"--marker-style", "cli"},
                                         {"--tool", "a", "--tool", "b"}}) {
    words.insert(words.begin(), "compact");
    words.push_back("build.log");
    CAPTURE(words[1]);
    CAPTURE(words[2]);
    Ended view = home.Run(words);
    CHECK(view.code == 0);
    CHECK(view.err.empty());
    CHECK(Has(view.out, TokenOf(log)));
  }
  CHECK(Has(home.Run({"search", "-n", "2", "disk", "full"}).out, ":1500:"));
  CHECK(Has(home.Run({"search", "disk", "-n2", "full"}).out, ":1500:"));
  CHECK(home.Run({"shim", "--folder", home.path() + "/shims", "true", "false"}).code == 0);
  CHECK(Has(home.Run({"install", "--dry-run", "--scope", "user", "claude-code"}).out, "claude-code: would write"));
  CHECK(home.Run({"compact", "build.log", "another.log"}).code == 2);
}

TEST_CASE("a whole footer line stands for its token") {
  Home home;
  std::string log = LogOf(3000);
  home.Write("build.log", log);
  for (const char* style : {"mcp", "cli", "ccr", "tokenjuice"}) {
    CAPTURE(style);
    std::string view = home.Run({"compact", "--marker-style", style, "build.log"}).out;
    while (view.ends_with('\n')) view.pop_back();
    std::string footer = view.substr(view.rfind('\n') + 1);
    REQUIRE(Has(footer, TokenOf(log)));
    CHECK(home.Run({"retrieve", footer}).out == log);
    CHECK(Has(home.Run({"show", footer}).out, TokenOf(log)));
    CHECK(Has(home.Run({"hold", footer}).out, "is held"));
    CHECK(Has(home.Run({"release", footer}).out, "is released"));
  }
}

}  // namespace pith
