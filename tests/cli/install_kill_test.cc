// `pith install` and `pith uninstall` killed on the way: a host must never be left with a shell prefix that leads
// nowhere.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/prctl.h>

#include "tests/cli/home.h"

namespace pith {
namespace {

const std::vector<std::pair<std::string, std::string>> kBefore = {
    {"/.claude/settings.json", "{\n  // mine\n  \"a\": 1\n}\n"}, {"/.claude.json", "{\"b\": 2}\n"}};

// Starts it in the home and kills it after so many microseconds.
void Killed(const Home& home, const std::vector<std::string>& words,
            const std::vector<std::pair<std::string, std::string>>& variables, useconds_t after) {
  const pid_t group = fork();  // Run waits for its child, so both go at once
  if (group == 0) {
    setpgid(0, 0);
    (void)home.Run(words, "", variables);
    _exit(0);
  }
  setpgid(group, group);
  usleep(after);
  kill(-group, SIGKILL);
  while (waitpid(-1, nullptr, 0) > 0) {  // what was killed comes to us
  }
}

}  // namespace

TEST_CASE("install and uninstall killed at any instant: nothing names a script that is not there, all can be undone") {
  REQUIRE(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
  for (useconds_t round = 0; round < 60; ++round) {
    CAPTURE(round);
    Home home;
    const bool install = round % 2 == 0;
    // Before and behind the host's files in the order of names.
    const std::string state = home.path() + (round % 4 < 2 ? "/.aaa" : "/.zzz");
    const std::vector<std::pair<std::string, std::string>> variables = {{"XDG_STATE_HOME", state}};
    mkdir((home.path() + "/.claude").c_str(), 0700);
    for (const auto& [name, text] : kBefore) std::ofstream(home.path() + name, std::ios::binary) << text;
    if (!install) REQUIRE(home.Run({"install", "claude-code"}, "", variables).code == 0);
    Killed(home, {install ? "install" : "uninstall", "claude-code"}, variables, 300 + round * 80);
    const bool named = Has(Content(home.path() + kBefore[0].first), "claude-shell");
    if (named) CHECK(access((state + "/pith/bin/claude-shell").c_str(), X_OK) == 0);
    home.Run({"uninstall", "claude-code"}, "", variables);
    for (const auto& [name, text] : kBefore) CHECK(Content(home.path() + name) == text);
    CHECK(access((state + "/pith/bin/claude-shell").c_str(), F_OK) != 0);
  }
}

}  // namespace pith
