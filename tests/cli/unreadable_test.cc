// A store that cannot be looked into is never shown as an empty one, and one that is encrypted never takes plain text.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include "base/sha256.h"
#include "base/token.h"
#include "tests/cli/home.h"

namespace pith {
namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

const std::string kKey(64, 'a');
const std::string kOther(64, 'b');

// Every command that would answer from the store.
const std::vector<std::vector<std::string>> kReaders = {
    {"ls"},           {"stats"},           {"search", "request"}, {"retrieve", "last"},       {"show", "last"},
    {"gc"},           {"hold", "last"},    {"view", "last"},      {"store", "check"},         {"store", "export", "-"},
    {"ls", "--json"}, {"stats", "--json"}, {"stats", "--regret"}, {"purge", "--project", "."}};

void AllRefuse(const Home& home, const Variables& variables, std::string_view sentence, bool bodies_too = true) {
  for (const std::vector<std::string>& words : kReaders) {
    if (!bodies_too && words[0] == "store") continue;  // which reads bodies, not lists
    CAPTURE(words.front());
    Ended ended = home.Run(words, "", variables);
    CHECK(ended.code == 1);
    CHECK(ended.out.empty());
    CHECK(Has(ended.err, sentence));
    CHECK(CountLines(ended.err) == 1);
  }
}

std::string Request(int id, const std::string& tool, const std::string& arguments) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" + tool +
         R"(","arguments":)" + arguments + "}}\n";
}

// What a server answers to a search and a question for statistics.
std::string AskedOverMcp(const Home& home, const Variables& variables) {
  const std::string start =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n";
  return home
      .Run({"serve"}, start + Request(1, "ccr_search", R"({"query":"request"})") + Request(2, "ccr_stats", "{}"),
           variables)
      .out;
}

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a store that was never made is an empty one") {
  Home home;
  CHECK(home.Run({"ls"}).code == 0);
  CHECK(home.Run({"stats"}).code == 0);
  CHECK(home.Run({"ls", "--json"}).out == "[]\n");
  CHECK(home.Run({"ls"}, "", {{"PITH_STATE_FOLDER", home.path() + "/not/there"}}).code == 0);
}

TEST_CASE("an encrypted store without its key, or with another, is refused by every reader, and over MCP") {
  Home home;
  home.Run({"compact", "--command", "make"}, LogOf(900), {{"PITH_STORE_KEY", kKey}});
  CHECK(Has(home.Run({"ls"}, "", {{"PITH_STORE_KEY", kKey}}).out, "make"));
  AllRefuse(home, {}, "is encrypted, and no key is configured");
  AllRefuse(home, {{"PITH_STORE_KEY", kOther}}, "is encrypted with another key than the one configured");
  CHECK(CountOf(AskedOverMcp(home, {}), "\"isError\":true") == 2);
  CHECK(CountOf(AskedOverMcp(home, {{"PITH_STORE_KEY", kKey}}), "\"isError\":true") == 0);
}

TEST_CASE("a file or a link to nothing in the place of the store, or above it, is no empty store") {
  Home home;
  const std::string file = home.Write("file", "x"), link = home.path() + "/link";
  REQUIRE(symlink("/nowhere/at/all", link.c_str()) == 0);
  AllRefuse(home, {{"PITH_STATE_FOLDER", file}}, "is a file, not a folder");
  AllRefuse(home, {{"PITH_STATE_FOLDER", file + "/below"}}, "is a file, not a folder");
  AllRefuse(home, {{"PITH_STATE_FOLDER", link}}, "is a link to nothing");
  CHECK(CountOf(AskedOverMcp(home, {{"PITH_STATE_FOLDER", file}}), "\"isError\":true") == 2);
}

TEST_CASE("a folder that may not be looked into is no empty store") {
  Home home;
  home.Run({"compact", "--command", "make"}, LogOf(900));
  const std::string folder = home.path() + "/.local/state/pith";
  chmod(folder.c_str(), 0);
  if (access((folder + "/inbox").c_str(), F_OK) == 0) {
    MESSAGE("this user may read everything: not tested");
  } else {
    AllRefuse(home, {}, "ermission denied");
  }
  chmod(folder.c_str(), 0700);
}

TEST_CASE("an encrypted store takes no plain text on any road: the original goes out unchanged, and that is said") {
  Home home;
  home.Run({"compact", "--command", "make"}, LogOf(900));
  const std::string key = home.Write("key", kKey);
  chmod(key.c_str(), 0600);
  REQUIRE(home.Run({"store", "rekey", "--new-key-file", key}).code == 0);

  const std::string canary = "CANARY-9f3b17\n" + LogOf(950), token = TokenOf(Sha256Of(canary));
  const std::string file = home.Write("canary.log", canary);
  Ended compact = home.Run({"compact", "--command", "make"}, canary);
  CHECK(compact.code == 0);
  CHECK(compact.out == canary);
  CHECK(Has(compact.err, "is encrypted, and no key is configured"));
  CHECK(CountLines(compact.err) == 1);
  Ended run = home.Run({"run", "-c", "sed p " + file}, "", {{"PITH_AGENT", "1"}});
  CHECK(Has(run.out, "CANARY-9f3b17\nCANARY-9f3b17\n"));
  CHECK_FALSE(Has(run.out, "PARTIAL"));
  Ended jsonl = home.Run({"compact", "--jsonl"}, R"({"id":1,"content":")" + std::string(9000, 'x') + "\"}\n");
  CHECK_FALSE(Has(jsonl.out, "\"token\""));
  Ended hook = home.Run({"hook", "opencode", "tool.execute.after"},
                        R"({"tool":"bash","args":{"command":"make"},"output":")" + std::string(9000, 'x') + "\"}");
  CHECK(hook.code == 0);
  CHECK_FALSE(Has(hook.out, "PARTIAL"));
  CHECK(CountLines(hook.err) == 1);
  Ended doctor = home.Run({"doctor"});
  CHECK(doctor.code == 1);
  CHECK(Has(doctor.out, "is encrypted, and no key is configured"));
  CHECK(Has(doctor.out, "mend: look at key_file"));
  CHECK(system(("grep -rqs CANARY-9f3b17 '" + home.path() + "/.local'").c_str()) != 0);
  CHECK(home.Run({"retrieve", token}, "", {{"PITH_KEY_FILE", key}}).code == 3);
  // With the key all goes on.
  Ended kept = home.Run({"compact", "--command", "make"}, canary, {{"PITH_KEY_FILE", key}});
  CHECK(Has(kept.out, token));
  CHECK(home.Run({"retrieve", token}, "", {{"PITH_KEY_FILE", key}}).out == canary);
  // All gone, the store is as new.
  CHECK(home.Run({"purge", "--all"}).code == 0);
  CHECK(home.Run({"ls"}).code == 0);
  CHECK(Has(home.Run({"compact", "--command", "make"}, canary).out, token));
}

TEST_CASE("a key for a store that is plain is said, not taken for an empty store, and rekey mends it") {
  Home home;
  home.Run({"compact", "--command", "make"}, LogOf(900));
  CHECK(Has(home.Run({"ls"}).out, "make"));
  const std::string key = home.Write("key", kKey);
  chmod(key.c_str(), 0600);
  const Variables with = {{"PITH_KEY_FILE", key}};
  AllRefuse(home, {{"PITH_STORE_KEY", kOther}}, "holds originals that are not encrypted with the configured key",
            false);
  CHECK(home.Run({"compact"}, LogOf(950), with).out == LogOf(950));
  CHECK(home.Run({"store", "rekey", "--new-key-file", key}, "", with).code == 0);
  CHECK(Has(home.Run({"ls"}, "", with).out, "make"));
  CHECK(home.Run({"store", "rekey", "--no-key"}, "", with).code == 0);
  CHECK(Has(home.Run({"ls"}, "", with).err, "was moved to no key"));
  CHECK(Has(home.Run({"ls"}).out, "make"));
}

}  // namespace pith
