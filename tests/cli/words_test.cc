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

TEST_CASE("a purge's age needs its unit, and there may be nothing to purge") {
  Home home;
  CHECK(home.Run({"purge", "--older-than", "7d"}).code == 0);
  home.Write("build.log", LogOf(3000));
  CHECK(home.Run({"compact", "build.log"}).code == 0);
  for (const char* age : {"1", "0", "", "d", "-1d"}) {
    CAPTURE(age);
    CHECK(home.Run({"purge", "--older-than", age}).code == 2);
  }
  CHECK(home.Run({"retrieve", "last"}).out == LogOf(3000));
}

TEST_CASE("a fault in the words is told as it is") {
  Home home;
  CHECK(Has(home.Run({"compact", "--max-tokens", "0"}).err, "out of range: it is a number from 1"));
  for (const char* word : {"-c", "-lc"}) {
    Ended ended = home.Run({"run", word});
    CHECK(ended.code == 2);
    CHECK(ended.err == "pith: run: " + std::string(word) + " needs a LINE behind it\n");
  }
  std::string file = home.Write("plain", "x");
  for (std::vector<std::string> words : {std::vector<std::string>{"ls"}, {"retrieve", "abcdef"}}) {
    Ended ended = home.Run(words, "", {{"PITH_STATE_FOLDER", file}});
    CHECK(ended.code == 1);
    CHECK(Has(ended.err, file + " is a file, not a folder"));
  }
}

TEST_CASE("help of compact names the fields of JSONL, the styles, and where the schemas are printed") {
  Home home;
  std::string help = home.Run({"compact", "--help"}).out;
  for (const char* word : {"content_base64", "exit_code", "policy", "gaps", "--jsonl-schema", "<<ccr:TOKEN>>"}) {
    CHECK(Has(help, word));
  }
  Ended schemas = home.Run({"compact", "--jsonl-schema"});
  CHECK(schemas.code == 0);
  CHECK(Has(schemas.out, "\"request\":"));
  CHECK(Has(schemas.out, "\"content_base64\""));
  CHECK(Has(schemas.out, "\"signals\""));
}

TEST_CASE("install all sets up the hosts that are here and names the others, nothing to change is said") {
  Home home;
  CHECK(home.Run({"install", "all"}).out.empty());
  mkdir((home.path() + "/.codex").c_str(), 0700);
  Ended first = home.Run({"install", "all"});
  CHECK(first.code == 0);
  CHECK(Has(first.out, "codex: wrote"));
  CHECK_FALSE(Has(first.out, "gemini"));
  CHECK(Has(first.err, "left out"));
  CHECK(Has(first.err, "gemini"));
  CHECK(home.Run({"install", "codex"}).out == "codex: set up already; nothing is changed\n");
  CHECK(Has(home.Run({"install", "codex", "--mcp"}).out, "codex: wrote"));
  std::string file = home.path() + "/.codex/config.toml";
  std::string before = Content(file);
  Ended would = home.Run({"uninstall", "--dry-run", "codex"});
  CHECK(would.out == "codex: would remove " + file + "\n");
  CHECK(Content(file) == before);
  CHECK(home.Run({"uninstall", "codex"}).out == "codex: removed " + file + "\n");
  Ended again = home.Run({"uninstall", "--dry-run", "codex"});
  CHECK(again.code == 0);
  CHECK(Has(again.out, "nothing of pith is set up for codex"));
}

TEST_CASE("I14: a server that runs changes neither its tools nor its configuration when the file changes") {
  Home home;
  std::string config = home.Write("config.json", R"({"soft_bytes": 10000})");
  std::string log = LogOf(3000);
  home.Write("build.log", log);
  std::string script = home.Write("script", R"(cd ")" + home.path() + R"(/work"
export HOME="${PWD%/work}" PITH_CONFIG=config.json
coproc SERVER { ')" PITH_PROGRAM R"(' serve 2>/dev/null; }
ask() { printf '%s\n' "$1" >&${SERVER[1]}; read -r line <&${SERVER[0]}; printf '%s\n' "$line" >"$2"; }
ask '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' hello
list='{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
call='{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"compact","arguments":{"path":"build.log"}}}'
ask "$list" list1
ask "$call" view1
echo '{"disable": true, "no_mcp": true, "marker_style": "ccr", "host": "codex"}' >config.json
ask "$list" list2
ask "$call" view2
exec {SERVER[1]}>&-
wait
)");
  CHECK(system(("bash '" + script + "'").c_str()) == 0);
  const std::string work = home.path() + "/work/";
  CHECK(Has(Content(work + "list1"), "\"tokenjuice_retrieve\""));
  CHECK(Content(work + "list2") == Content(work + "list1"));
  CHECK(Has(Content(work + "view1"), "PARTIAL view"));
  CHECK(Content(work + "view2") == Content(work + "view1"));
}

}  // namespace pith
