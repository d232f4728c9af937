// What commands answer where there is little or nothing to answer, and to whom: a person, or a program that reads JSON.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "base/token.h"
#include "tests/cli/home.h"

namespace pith {
namespace {

using Json = nlohmann::json;

Json JsonOf(const Ended& ended) {
  CAPTURE(ended.out);
  CAPTURE(ended.err);
  Json value = Json::parse(ended.out, nullptr, false);
  CHECK_FALSE(value.is_discarded());
  return value;
}

}  // namespace

TEST_CASE("no lines are no lines, and what is no number of lines is wrong use") {
  Home home;
  home.Run({"compact", "--command", "make"}, LogOf(900));
  for (const char* option : {"--head", "--tail"}) {
    Ended none = home.Run({"retrieve", "last", option, "0"});
    CHECK(none.code == 0);
    CHECK(none.out.empty());
    CHECK(none.err.empty());
    CHECK(CountLines(home.Run({"retrieve", "last", option, "1"}).out) == 1);
    CHECK(home.Run({"retrieve", "last", option, "5000"}).out == LogOf(900));
    for (const char* wrong : {"-3", "x", "1.5", "", "99999999999999999999"}) {
      CAPTURE(wrong);
      Ended refused = home.Run({"retrieve", "last", option, wrong});
      CHECK(refused.code == 2);
      CHECK(refused.out.empty());
      CHECK(Has(refused.err, std::string(option) + " must be a whole number"));
    }
  }
  CHECK(CountLines(home.Run({"retrieve", "last", "--head", "2", "--tail", "3"}).out) == 5);
  CHECK(home.Run({"retrieve", "last", "--head", "0", "--bytes", "0+5"}).code == 2);
}

TEST_CASE("nothing found ends in 1 and is said, as grep does") {
  Home home;
  home.Run({"compact", "--command", "make"}, LogOf(900));
  Ended search = home.Run({"search", "nowhereatall"});
  CHECK(search.code == 1);
  CHECK(search.out.empty());
  CHECK(search.err == "pith: no line holds all the words; 1 of 1 original searched\n");
  CHECK(home.Run({"search", "nowhereatall", "--json"}).code == 1);
  CHECK(home.Run({"search", "ERROR"}).code == 0);
  Ended pattern = home.Run({"retrieve", "last", "--pattern", "nowhereatall"});
  CHECK(pattern.code == 1);
  CHECK(pattern.err == "pith: no line matches the pattern\n");
  CHECK(home.Run({"retrieve", "last", "--pattern", "ERROR"}).code == 0);
  for (const char* lines : {"9000", "9000-9010", "9000-"}) {  // all of it past the end: wrong use, and what there is
    Ended past = home.Run({"retrieve", "last", "--lines", lines});
    CHECK(past.code == 2);
    CHECK(past.out.empty());
    CHECK(past.err == "pith: line 9000 is past the end: the original has 900 lines\n");
  }
  Ended bytes = home.Run({"retrieve", "last", "--bytes", "9000000+5"});
  CHECK(bytes.code == 2);
  CHECK(Has(bytes.err, "byte 9000000 is past the end: the original has "));
  CHECK(home.Run({"retrieve", "last", "--offset", "9000000"}).code == 2);
  CHECK(home.Run({"retrieve", "last", "--lines", "899-9000"}).code == 0);
  CHECK(home.Run({"retrieve", "last", "--json", "--lines", "9000"}).code == 2);
  Ended path = home.Run({"retrieve", "last", "--json-path", "$.a"});
  CHECK(path.code == 2);
  CHECK(Has(path.err, "not; use lines, bytes or pattern"));
}

TEST_CASE("words to search for may begin with dashes, behind --") {
  Home home;
  home.Run({"compact", "--command", "make"}, LogOf(900) + "cc --x-flag -DNDEBUG main.cc\n");
  for (const char* word : {"--x-flag", "-DNDEBUG"}) {
    CAPTURE(word);
    Ended found = home.Run({"search", "--limit", "3", "--", word});
    CHECK(found.code == 0);
    CHECK(Has(found.out, "cc --x-flag -DNDEBUG main.cc"));
  }
}

TEST_CASE(
    "a marker style that nobody knows: run refuses it with the known ones, a hook changes nothing and ends in 0") {
  Home home;
  Ended run = home.Run({"run", "--marker", "bogus", "--", "echo", "hi"});
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  CHECK(run.err == "pith: run: --marker must be one of mcp cli ccr tokenjuice dsh, not \"bogus\"\n");
  CHECK(home.Run({"run", "--marker", "mcp", "--", "echo", "hi"}).out == "hi\n");
  Json payload = {{"tool_name", "run_shell_command"},
                  {"tool_input", {{"command", "make"}}},
                  {"tool_response", {{"llmContent", LogOf(900)}}}};
  REQUIRE(Has(home.Run({"hook", "gemini", "AfterTool", "--marker", "mcp"}, payload.dump()).out, "PARTIAL view"));
  Ended hook = home.Run({"hook", "gemini", "AfterTool", "--marker", "bogus"}, payload.dump());
  CHECK(hook.code == 0);
  CHECK(hook.out.empty());
  CHECK(CountLines(hook.err) == 1);
  CHECK(Has(hook.err, "unknown marker style"));
}

TEST_CASE("run takes a shell's flags in any order, as a shell does") {
  Home home;
  for (const char* flags : {"-c", "-lc", "-cl"}) CHECK(home.Run({"run", flags, "echo $0 $1", "a", "b"}).out == "a b\n");
  CHECK(home.Run({"run", "-x", "echo"}).code == 2);
}

TEST_CASE("what was fetched again is charged to the road that the view came by, and to no other") {
  Home home;
  home.Write("log", LogOf(900));
  home.Write("job", "#!/bin/sh\ncat log log\nexit 1\n");
  REQUIRE(chmod((home.path() + "/work/job").c_str(), 0700) == 0);
  const auto reach = [&] { return JsonOf(home.Run({"stats", "--json"}))["reach"]; };
  home.Run({"compact", "--command", "make"}, LogOf(800));
  REQUIRE(home.Run({"retrieve", "last"}).code == 0);
  Ended ran = home.Run({"run", "--host", "droid", "-c", "./job"}, "", {{"PITH_AGENT", "1"}});
  REQUIRE(Has(ran.out, "PARTIAL view"));
  Json before = reach();
  CHECK(before["retrieved_tokens"] == 0);
  CHECK(before["net_saved_tokens"] == before["gross_saved_tokens"]);
  CHECK(before["net_saved_tokens"] > 0);
  REQUIRE(home.Run({"retrieve", TokenOf(LogOf(900) + LogOf(900)), "--lines", "1-100"}).code == 0);
  Json after = reach();
  const uint64_t charged = after["retrieved_tokens"];
  CHECK(charged > 0);
  CHECK(after["calls"] == before["calls"]);
  CHECK(after["gross_saved_tokens"] == before["gross_saved_tokens"]);
  CHECK(after["net_saved_tokens"] == before["net_saved_tokens"].get<int64_t>() - static_cast<int64_t>(charged));
  CHECK(after["by_host"]["droid"]["retrieved_tokens"] == charged);
  CHECK(after["by_tool"]["shell"]["net_saved_tokens"] == after["net_saved_tokens"]);
}

TEST_CASE("a tar that is no export of a store is refused with a sentence, an export of nothing is not") {
  Home home;
  for (const std::string& tar : {std::string(), std::string(10240, '\0')}) {
    home.Write("some.tar", tar);
    Ended refused = home.Run({"store", "import", "some.tar"});
    CHECK(refused.code == 2);
    CHECK(refused.out.empty());
    CHECK(Has(refused.err, "not an export of a store"));
  }
  REQUIRE(system(("cd '" + home.path() + "/work' && tar cf foreign.tar some.tar").c_str()) == 0);
  CHECK(home.Run({"store", "import", "foreign.tar"}).code == 2);
  REQUIRE(home.Run({"store", "export", "empty.tar"}).code == 0);
  CHECK(home.Run({"store", "import", "empty.tar"}).out == "imported 0 originals (0 B)\n");
}

TEST_CASE("a name that an object repeats names each of its values, each on its own") {
  Home home;
  const std::string text = R"({"a": [1, 2], "b": 0, "a": {"c": 3}, "filler": ")" + std::string(9000, 'x') + "\"}\n";
  home.Run({"compact", "--command", "curl x"}, text);
  Ended both = home.Run({"retrieve", "last", "--json-path", "$.a"});
  CHECK(both.code == 0);
  CHECK(both.out == "[1, 2]\n{\"c\": 3}");
  CHECK(Has(both.err, "repeats a name of json_path: 2 values"));
  CHECK(home.Run({"retrieve", "last", "--json-path", "$.a.c"}).out == "3");
  CHECK(home.Run({"retrieve", "last", "--json-path", "$.b"}).out == "0");
  Ended none = home.Run({"retrieve", "last", "--json-path", "$.z"});
  CHECK(none.code == 1);
  CHECK(none.err == "pith: json_path matches nothing in this original\n");
  std::string rows = "[\n";
  for (int at = 0; at < 400; ++at) {
    const std::string number = std::to_string(at);
    rows += "{\"id\": " + number + ", \"n\": " + number + ", \"n\": 1" + number + ", \"m\": 2},\n";
  }
  rows.replace(rows.size() - 2, 2, "\n]\n");
  const std::string seen = home.Run({"compact", "--command", "curl y"}, rows).out;
  CHECK(Has(seen, "[all 400 rows: id 0..399"));
  CHECK_FALSE(Has(seen, "; n "));  // no figures over values of which a row has two
  const std::string call =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tokenjuice_retrieve","arguments":{"token":")" +
      TokenOf(Sha256Of(text)) + R"(","json_path":"$.a"}}})";
  const std::string start =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n";
  CHECK(Has(home.Run({"serve"}, start + call + "\n").out, R"([1, 2]\n{\"c\": 3})"));
}

TEST_CASE("a kind that the original is not of is said, with the one that it is shown as") {
  Home home;
  std::string text;
  for (int at = 0; at < 500; ++at) text += "some words in line " + std::to_string(at) + " of this text\n";
  home.Run({"compact"}, text);
  CHECK(home.Run({"view", "last", "--kind", "json"}).err == "pith: it cannot be read as json: shown as text\n");
  CHECK(home.Run({"view", "last", "--kind", "text"}).err.empty());
}

TEST_CASE("one is one, in every sentence") {
  Home home;
  home.Run({"compact", "--command", "make"}, LogOf(900));
  home.Run({"retrieve", "last"});
  std::string told;
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"stats"},
                                                                                     {"show", "last"},
                                                                                     {"search", "ERROR"},
                                                                                     {"store", "check"},
                                                                                     {"gc"},
                                                                                     {"stats", "--regret"},
                                                                                     {"purge", "--all"}}) {
    Ended ended = home.Run(words);
    told += ended.out + ended.err;
  }
  CAPTURE(told);
  CHECK(Has(told, "1 original,"));
  home.Run({"compact", "--command", "curl x"}, std::string(9000, 'x') + "\n");
  CHECK(Has(home.Run({"ls"}).out, " 1 line "));
  for (const char* wrong : {" 1 originals", "\n1 originals", " 1 times", " 1 lines,", " 1 retrievals", " 1 sightings",
                            " 1 views", " 1 tokens "}) {
    CAPTURE(wrong);
    CHECK_FALSE(Has("\n" + told, wrong));
  }
}

TEST_CASE("the settings are listed in JSON too, each as in the text") {
  Home home;
  const Json list = JsonOf(home.Run({"config", "--list", "--json"}));
  const std::string text = home.Run({"config", "--list"}).out;
  REQUIRE(list.is_array());
  CHECK(list.size() * 2 == CountLines(text));
  for (const Json& setting : list) {
    CAPTURE(setting.dump());
    CHECK(Has(text, setting["name"].get<std::string>() + "  (" + setting["type"].get<std::string>() + ", default "));
    CHECK(Has(text, setting["environment"].get<std::string>() + ")\n    " + setting["help"].get<std::string>() + "\n"));
  }
}

TEST_CASE("commands answer a program in JSON of the documented shape") {
  Home home;
  home.Run({"compact", "--command", "make"}, LogOf(900));
  const std::string token = TokenOf(Sha256Of(LogOf(900)));
  CHECK(JsonOf(home.Run({"hold", "last", "--json"})) == Json{{"token", token}, {"held", true}});
  CHECK(JsonOf(home.Run({"release", "last", "--json"})) == Json{{"token", token}, {"held", false}});
  const Json view = JsonOf(home.Run({"view", "last", "--max-tokens", "200", "--json"}));
  CHECK(view["token"] == token);
  CHECK(view["class"] == "partial");
  CHECK(Has(view["view"].get<std::string>(), "disk full"));
  const Json rule = JsonOf(home.Run({"rules", "cargo test", "--json"}));
  CHECK(rule["program"] == "cargo");
  CHECK(rule["rule"]["id"].is_string());
  CHECK(JsonOf(home.Run({"rules", "--json"})).size() > 50);
  CHECK(JsonOf(home.Run({"rules", "test", "--json"}))["faults"].empty());
  const Json installed = JsonOf(home.Run({"install", "gemini", "--json"}));
  CHECK(installed[0]["host"] == "gemini");
  CHECK(installed[0]["ok"] == true);
  CHECK(installed[0]["done"].size() > 0);
  CHECK(JsonOf(home.Run({"install", "all", "--dry-run", "--json"})).size() == 11);
  CHECK(JsonOf(home.Run({"uninstall", "gemini", "--json"}))[0]["ok"] == true);
  const Json nothing = JsonOf(home.Run({"uninstall", "gemini", "--json"}));  // holds already
  CHECK(nothing[0]["ok"] == true);
  CHECK(nothing[0]["done"].size() == 1);
  CHECK(JsonOf(home.Run({"doctor", "gemini", "--json"})).size() > 2);
  home.Write(".pith.json", R"({"exclude": ["make"]})");
  const Json trusted = JsonOf(home.Run({"trust", "--json"}));
  CHECK(trusted["trusted"] == true);
  CHECK(JsonOf(home.Run({"trust", "--list", "--json"}))[0]["folder"] == trusted["folder"]);
  CHECK(JsonOf(home.Run({"trust", "--revoke", "--json"}))["trusted"] == false);
  CHECK(JsonOf(home.Run({"ls", "--unfinished", "--json"})).empty());
}

TEST_CASE("uninstall takes out what it can, names what it cannot, and ends in 1") {
  Home home;
  CHECK(home.Run({"install", "claude-code"}).code == 0);
  const std::string broken = home.path() + "/.claude.json", settings = home.path() + "/.claude/settings.json";
  std::ofstream(broken) << "{ not json";
  Ended ended = home.Run({"uninstall", "claude-code"});
  CHECK(ended.code == 1);
  CHECK(Has(ended.err, broken + " stays as it is"));
  CHECK(CountLines(ended.err) == 1);
  CHECK(Content(broken) == "{ not json");
  CHECK_FALSE(Has(Content(settings), "pith"));
  CHECK(access((home.path() + "/.local/state/pith/bin/claude-shell").c_str(), F_OK) != 0);
  std::ofstream(broken) << R"({"mcpServers": {"pith": {"command": "pith", "args": ["serve"]}}, "theme": 1})";
  CHECK(home.Run({"uninstall", "claude-code"}).code == 0);
  CHECK_FALSE(Has(Content(broken), "pith"));
  CHECK(Has(Content(broken), "theme"));
}

TEST_CASE("doctor of a host that nobody knows is wrong use, and a configuration that is not there is not claimed") {
  Home home;
  CHECK(Has(home.Run({"doctor", "gemini"}).out, "configuration: defaults, there is no " + home.path()));
  Ended ended = home.Run({"doctor", "nosuchhost"});
  CHECK(ended.code == 2);
  CHECK(ended.out.empty());
  CHECK(Has(ended.err, "no host is called nosuchhost"));
}

TEST_CASE("what doctor sends through for a proof is kept by nobody and saves nothing") {
  Home home;
  REQUIRE(home.Run({"install", "claude-code"}).code == 0);
  const Ended live = home.Run({"doctor", "claude-code", "--live"});
  CHECK(Has(live.out, "live: the shell prefix shows a view"));
  CHECK(Has(live.out, "live: the hook answers with a view"));
  CHECK(JsonOf(home.Run({"ls", "--json"})).empty());
  CHECK(JsonOf(home.Run({"stats", "--json"}))["reach"]["calls"] == 0);
  CHECK(Has(live.out, "reached: commands by the shell prefix"));
  home.Run({"uninstall", "claude-code"});
  CHECK(Has(home.Run({"doctor", "claude-code"}).out, "reached once it is set up: commands"));
}

TEST_CASE("doctor says that nothing can be kept, before an output shows it") {
  Home home;
  const Ended well = home.Run({"doctor"});
  CHECK(Has(well.out, "ok   store: 0 originals"));
  CHECK(access((home.path() + "/.local").c_str(), F_OK) != 0);  // looked at, not made
  const Ended full = home.Run({"doctor"}, "", {{"PITH_STATE_FOLDER", "/proc/pith/store"}});
  CHECK(full.code == 1);
  CHECK(Has(full.out, "FAIL store: "));
  CHECK(Has(full.out, "so outputs are shown as they are"));
}

TEST_CASE("a shim says what the host needs: its own PATH, and that a program is missing") {
  Home home;
  Ended shim = home.Run({"shim", "ls", "nosuchprogram"}, "", {{"PATH", "/usr/bin:/opt/some tools/bin:/bin"}});
  CHECK(shim.code == 0);
  CHECK(Has(shim.out, "shims:/usr/bin:/opt/some tools/bin:/bin\""));
  CHECK(Has(shim.err, "no program is called nosuchprogram in PATH"));
  CHECK(CountLines(shim.err) == 1);
}

}  // namespace pith
