// What is captured and what is simply executed.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>

#include "run_fixture.h"

namespace pith {
namespace {

constexpr const char* kScaffold =
    "source /home/u/.claude/shell-snapshots/snapshot-bash-1.sh 2>/dev/null || true && shopt -u extglob 2>/dev/null || "
    "true && "
    "eval 'cd sub && make -j8 '\"'\"'a b'\"'\"'' < /dev/null && pwd -P >| /tmp/claude-1-cwd";

TEST_CASE("the command is read out of the host's scaffold") {
  CHECK(CommandInScaffold(kScaffold) == "cd sub && make -j8 'a b'");
  CHECK_FALSE(CommandInScaffold("node /srv/mcp-server.js").has_value());
  CHECK_FALSE(CommandInScaffold("eval 'x'").has_value());
  CHECK_FALSE(CommandInScaffold("").has_value());
}

// stdout of the test program may be a file or a terminal, which forbids capturing; so plans are made with a pipe.
std::string Reason(const std::string& line, const std::string& host = "") {
  return test::InChild(test::Streams::kMerged,
                       [&] {
                         RunRequest request;
                         request.line = line;
                         request.host = host;
                         const Config config = Config::Defaults();
                         const RunPlan plan = PlanRun(request, &config);
                         test::WriteOut(plan.capture ? "captured: " + plan.command : plan.reason);
                         return 0;
                       })
      .out;
}

TEST_CASE("servers, watchers, background jobs, secrets, exact and brief commands are executed, not captured") {
  CHECK(Reason("make -j8") == "captured: make -j8");
  CHECK(Reason("pytest 2>&1 | tail -50") == "captured: pytest 2>&1 | tail -50");
  CHECK(Reason("npm run dev") == "serves until stopped");
  CHECK(Reason("tail -f log") == "follows its source until stopped");
  CHECK(Reason("vim a") == "talks to a person");
  CHECK(Reason("make &") == "leaves something running behind it");
  CHECK(Reason("env") == "may print secrets");
  CHECK(Reason("cat a.py") == "shows a file as it is");
  CHECK(Reason("cd x && mkdir y") == "prints next to nothing");
}

TEST_CASE("only a plain name is taken for a program of the system that prints nothing") {
  CHECK(Reason("test -f a").starts_with("prints next to nothing"));
  CHECK(Reason("bin/test -v a").starts_with("captured"));
  CHECK(Reason("conda run -n env bin/test -v a").starts_with("captured"));
  CHECK(Reason("echo $(cat long)").starts_with("captured"));
  CHECK(Reason("echo a; echo b >> log; exit 1").starts_with("prints next to nothing"));
  for (const char* line : {"seq 1 100000; exit 1", "rm -rfv x", "echo {1..100000}", "while true; do echo x; done",
                           "source build.sh", "eval make", "xargs -n 1 echo", "cd x; ls"}) {
    CAPTURE(line);
    CHECK(Reason(line).starts_with("captured"));
  }
}

TEST_CASE("under Claude Code only the agent's own commands are captured") {
  CHECK(Reason(kScaffold, "claude-code") == "captured: cd sub && make -j8 'a b'");
  CHECK(Reason("node /srv/mcp-server.js", "claude-code") == "not a command of the agent");
}

TEST_CASE("under Claude Code a watch, whose stdout is a socket, is left to stream, its commands write to a file") {
  test::Scratch scratch;
  const auto reason_with = [&](int out) {
    const int kept = dup(1);
    dup2(out, 1);
    RunRequest request;
    request.line = kScaffold;
    request.host = "claude-code";
    const Config config = Config::Defaults();
    setenv("PITH_AGENT", "1", 1);
    const RunPlan plan = PlanRun(request, &config);
    unsetenv("PITH_AGENT");
    dup2(kept, 1);
    close(kept);
    return plan.reason;
  };
  int pair[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  CHECK(reason_with(pair[0]) == "the host reads each line as it comes");
  const int file = open((scratch.folder() + "/task.output").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  CHECK(reason_with(file) == "");
  for (int descriptor : {pair[0], pair[1], file}) close(descriptor);
}

TEST_CASE("patterns of the configuration match the leading words of a command") {
  const Command command = ParseCommand("cd x && git -C y log --oneline -5");
  CHECK(CommandMatches(command, "git"));
  CHECK(CommandMatches(command, "git log"));
  CHECK(CommandMatches(command, "git log --oneline"));
  CHECK_FALSE(CommandMatches(command, "git diff"));
  CHECK_FALSE(CommandMatches(command, "git log --stat"));
  CHECK_FALSE(CommandMatches(command, ""));
}

}  // namespace
}  // namespace pith
