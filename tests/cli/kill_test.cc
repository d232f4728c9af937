// Each road that prints tokens, killed with SIGKILL at random instants: every token that was printed resolves to the
// exact bytes in another process. Set PITH_KILLS for more than the usual kills of each road.
#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/markers.h"
#include "base/token.h"
#include "tests/cli/home.h"

namespace pith {
namespace {

constexpr int kOriginals = 150;

std::string OriginalOf(int round, int number) {
  std::string log = LogOf(200 + number * 3);
  return "round " + std::to_string(round) + " original " + std::to_string(number) + "\n" + log;
}

std::string JsonText(const std::string& text) {
  std::string json = "\"";
  for (char c : text) {
    if (c == '\n')
      json += "\\n";
    else
      json += c;
  }
  return json + "\"";
}

// What each road is started with: a shell line, which reads `in` where it wants to.
struct Road {
  std::string name;
  const char* line;
  std::string (*request)(int number, const std::string& original);
};

std::string JsonLine(int number, const std::string& original) {
  return "{\"id\":" + std::to_string(number) + ",\"command\":\"make\",\"content\":" + JsonText(original) + "}\n";
}

std::string McpLine(int number, const std::string& original) {
  std::string hello;
  if (number == 0) {
    hello = R"({"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18",)"
            R"("capabilities":{},"clientInfo":{"name":"kill","version":"1"}}})"
            "\n"
            R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
            "\n";
  }
  return hello + "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(number) +
         ",\"method\":\"tools/call\",\"params\":{\"name\":\"compact\",\"arguments\":{\"content\":" +
         JsonText(original) + "}}}\n";
}

std::string FileLine(int number, const std::string& original) {
  std::ofstream("original-" + std::to_string(number), std::ios::binary) << original;
  return "original-" + std::to_string(number) + "\n";
}

// The pipe stays open after the last request, so that a server does not end by itself.
const Road kRoads[] = {
    {"jsonl", "(cat in; sleep 9) | " PITH_PROGRAM " compact --jsonl >out", JsonLine},
    {"one-shot", "while read -r name; do " PITH_PROGRAM " compact --command make \"$name\" >>out; done <in", FileLine},
    {"server", "(cat in; sleep 9) | " PITH_PROGRAM " serve >out", McpLine}};

void RunAndKill(const Home& home, const Road& road, int after_us) {
  pid_t child = fork();
  if (child == 0) {
    setsid();
    if (chdir((home.path() + "/work").c_str()) != 0 || clearenv() != 0) _exit(99);
    setenv("HOME", home.path().c_str(), 1);
    setenv("PATH", "/usr/bin:/bin", 1);
    execl("/bin/sh", "sh", "-c", (std::string(road.line) + " 2>/dev/null").c_str(), nullptr);
    _exit(98);
  }
  // Starting takes long on a busy machine: the instant is counted from the first answer.
  std::string out = home.path() + "/work/out";
  struct stat about {};
  for (int tries = 0; tries < 3000 && (stat(out.c_str(), &about) != 0 || about.st_size == 0); ++tries) usleep(1000);
  usleep(static_cast<useconds_t>(after_us));
  kill(-child, SIGKILL);
  waitpid(child, nullptr, 0);
}

int Kills() {
  const char* given = getenv("PITH_KILLS");
  return given != nullptr ? atoi(given) / 3 : 8;
}

}  // namespace

TEST_CASE("I2 from outside: tokens that jsonl, one-shot and server printed before a SIGKILL all resolve") {
  std::mt19937 random(20260301);
  for (const Road& road : kRoads) {
    Home home;
    size_t printed = 0;
    int rounds = Kills();
    uint32_t longest = 40000;  // microseconds until the kill, at most; more where nothing was printed before it
    for (int round = 0; round < rounds; ++round) {
      CAPTURE(road.name);
      CAPTURE(round);
      std::map<std::string, std::string> originals;
      std::string input;
      char before[4096];
      REQUIRE(getcwd(before, sizeof before) != nullptr);
      REQUIRE(chdir((home.path() + "/work").c_str()) == 0);
      for (int number = 0; number < kOriginals; ++number) {
        std::string original = OriginalOf(round, number);
        input += road.request(number, original);
        originals[TokenOf(original)] = original;
      }
      REQUIRE(chdir(before) == 0);
      home.Write("in", input);
      home.Write("out", "");
      RunAndKill(home, road, static_cast<int>(random() % longest));
      std::string out = Content(home.path() + "/work/out");
      std::vector<std::string> tokens;
      for (const auto& [token, original] : originals) {
        if (Has(out, token)) tokens.push_back(token);
      }
      printed += tokens.size();
      if (tokens.empty()) longest = std::min(2 * longest, 2000000u);
      // The last ones printed are the ones in danger; of the others a sample.
      for (size_t at = 0; at<tokens.size(); at += tokens.size()> 12 ? tokens.size() / 12 : 1) {
        Ended got = home.Run({"retrieve", tokens[at]});
        CAPTURE(got.err);
        REQUIRE(got.code == 0);
        REQUIRE(got.out == originals[tokens[at]]);
      }
    }
    REQUIRE(home.Run({"gc"}).code == 0);
    CHECK(home.Run({"store", "check"}).code == 0);
    MESSAGE(road.name, ": ", rounds, " kills, ", printed, " tokens, none lost");
    CHECK(printed > 0);
  }
}

}  // namespace pith
