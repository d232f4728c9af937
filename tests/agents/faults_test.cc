// Faults that other tools of this kind were reported for, each as a test. The classes: A truth of success and failure,
// C counts and pipes, D exact reads, H hooks and permissions, J processes. docs/hosts.md has the table of all of them,
// with the tests elsewhere and what cannot apply.
#include <doctest/doctest.h>
#include <re2/re2.h>

#include <nlohmann/json.hpp>

#include "agents/hook.h"
#include "agents/setup.h"
#include "run_fixture.h"

namespace pith {
namespace {

using namespace test;

std::string Noise(int lines) {
  return "i=0; while [ $i -lt " + std::to_string(lines) +
         " ]; do echo \"2026-01-02 03:04:05 INFO step $i of the job is done\"; i=$((i+1)); done; ";
}

Seen Script(const Scratch& scratch, const std::string& body) {
  return Wrapped(Streams::kMerged, {scratch.Write("job", "#!/bin/sh\n" + body + "\n", 0755)});
}

TEST_CASE("A: a search without a match, with a bad pattern and of a missing file keep their three exit codes") {
  Scratch scratch;
  const std::string file = scratch.Write("f", "a\n");
  CHECK(WEXITSTATUS(WrappedLine(Streams::kMerged, "grep zzz " + file).status) == 1);
  CHECK(WEXITSTATUS(WrappedLine(Streams::kMerged, "grep '[' " + file).status) == 2);
  const Seen missing = WrappedLine(Streams::kMerged, "grep a " + file + ".missing");
  CHECK(WEXITSTATUS(missing.status) == 2);
  CHECK(missing.out.find("No such file") != std::string::npos);
}

TEST_CASE("A: a command that prints on stderr alone is not shown as empty") {
  Scratch scratch;
  const Seen seen = Script(scratch, "echo 'cannot open database' >&2; exit 1");
  CHECK(seen.out == "cannot open database\n");
  CHECK(WEXITSTATUS(seen.status) == 1);
}

TEST_CASE("A: one error in the middle, at the top or behind the noise is in the view") {
  Scratch scratch;
  for (const auto& [before, after] : {std::pair{900, 900}, std::pair{0, 1800}, std::pair{1800, 0}}) {
    const Seen seen =
        Script(scratch, Noise(before) + "echo 'FATAL: cannot allocate the block table'; " + Noise(after) + "exit 1");
    CHECK(seen.out.find("FATAL: cannot allocate the block table") != std::string::npos);
    CHECK(seen.out.size() < 20000);
    CHECK(WEXITSTATUS(seen.status) == 1);
  }
}

TEST_CASE("A: every part of a && b && c is in the output that is viewed") {
  Scratch scratch;
  const std::string job = scratch.Write(
      "part", "#!/bin/sh\necho \"part $1 begins\"\n" + Noise(400) + "\necho \"ERROR in part $1\"\n", 0755);
  const Seen seen = WrappedLine(Streams::kMerged, job + " one && " + job + " two && " + job + " three");
  for (const char* part : {"ERROR in part one", "ERROR in part two", "ERROR in part three"}) {
    CHECK_MESSAGE(seen.out.find(part) != std::string::npos, part);
  }
}

TEST_CASE("C: what a pipe feeds to a program is the whole, and the count is the tool's own") {
  Scratch scratch;
  const std::string job = scratch.Write("job", "#!/bin/sh\n" + Noise(2897) + "\n", 0755);
  CHECK(WrappedLine(Streams::kMerged, job + " | wc -l").out == "2897\n");
  CHECK(WrappedLine(Streams::kMerged, "n=$(" + job + " | grep -c step); echo $n").out == "2897\n");
  CHECK(WrappedLine(Streams::kMerged, job + " | sed -n '5p'").out ==
        Bare(Streams::kMerged, {"/bin/sh", "-c", job + " | sed -n '5p'"}).out);
}

TEST_CASE("D: nothing of ours is written into a file that the command writes") {
  Scratch scratch;
  const std::string job = scratch.Write("job", "#!/bin/sh\n" + Noise(900) + "\n", 0755);
  const std::string copy = scratch.folder() + "/copy";
  WrappedLine(Streams::kMerged, job + " > " + copy);
  CHECK(*ReadFile(copy, 1 << 20) == Bare(Streams::kMerged, {job}).out);
}

TEST_CASE("H: no answer of any host holds a permission decision, added context or a stop") {
  Scratch scratch;
  std::string log;
  for (int i = 0; i < 900; ++i) log += "2026-01-02 03:04:05 INFO step " + std::to_string(i) + " of the job is done\n";
  const nlohmann::json payloads = {
      {"claude-code",
       {{"hook_event_name", "PostToolUse"},
        {"tool_name", "Bash"},
        {"tool_input", {{"command", "make"}}},
        {"tool_response", {{"stdout", log}}}}},
      {"codex",
       {{"hook_event_name", "PostToolUse"},
        {"tool_name", "Bash"},
        {"tool_input", {{"command", "make"}}},
        {"tool_response", log}}},
      {"gemini",
       {{"tool_name", "run_shell_command"},
        {"tool_input", {{"command", "make"}}},
        {"tool_response", {{"llmContent", log}}}}},
      {"copilot", {{"toolName", "bash"}, {"toolArgs", "{}"}, {"toolResult", {{"textResultForLlm", log}}}}},
      {"opencode", {{"tool", "bash"}, {"args", {{"command", "make"}}}, {"output", log}}}};
  for (const auto& item : payloads.items()) {
    const std::string& host = item.key();
    const nlohmann::json& payload = item.value();
    for (const HookEvent& event : FindHookHost(host)->events) {
      std::vector<std::string> notices;
      const std::string answer = AnswerHook({host, event.name, std::nullopt}, payload.dump(), &notices);
      for (const char* never : {"permissionDecision", "\"allow\"", "additionalContext", "additional_context",
                                "\"continue\"", "updatedInput"}) {
        CHECK_MESSAGE(answer.find(never) == std::string::npos, host);
      }
    }
  }
}

TEST_CASE("H: matchers that are written into hosts are anchored and leave out Pith's own tools") {
  for (const SetupRow& row : SetupRows()) {
    const size_t at = row.value.find("\"matcher\": \"");
    if (at == std::string_view::npos) continue;
    const std::string_view matcher = row.value.substr(at + 12, row.value.find('"', at + 12) - at - 12);
    CHECK(matcher.starts_with("^"));
    CHECK(matcher.ends_with("$"));
    if (row.host == "codex") {  // whose matchers know no look-ahead
      const RE2 pattern{std::string(matcher)};
      REQUIRE(pattern.ok());
      for (const char* tool : {"mcp__docs__read", "mcp__p__x", "mcp__pit__x", "mcp__pith_x__y", "mcp__pithy__x"}) {
        CHECK_MESSAGE(RE2::PartialMatch(tool, pattern), tool);
      }
      for (const char* tool : {"mcp__pith__compact", "Bash", "apply_patch", "x_mcp__docs__read"}) {
        CHECK_MESSAGE(!RE2::PartialMatch(tool, pattern), tool);
      }
    } else if (matcher.find("mcp__") != std::string_view::npos) {
      CHECK(matcher.find("mcp__(?!pith__)") != std::string_view::npos);
    }
  }
}

TEST_CASE("H: a nested wrapper is recognised by its process, not by a variable that a server hands on") {
  Scratch scratch;
  const std::string job = scratch.Write("job", "#!/bin/sh\n" + Noise(900) + "\n", 0755);
  setenv("PITH_RUN", "1", 1);
  setenv("PITH_ACTIVE", "1", 1);
  CHECK(Wrapped(Streams::kMerged, {job}).out.size() < 12000);
  unsetenv("PITH_RUN");
  unsetenv("PITH_ACTIVE");
}

TEST_CASE("H: what is written into hosts names the program by its absolute path, and stands aside when it is gone") {
  SetupPlace place;
  place.home = "/home/a";
  place.claude_folder = "/home/a/.claude";
  place.state = "/home/a/.local/state/pith";
  place.binary = "/opt/my pith/bin/pith";
  int named = 0;
  for (std::string_view host : SetupHosts()) {
    for (const SetupChange& change : ChangesFor(host, place)) {
      if (change.row->value.find("@PITH@") == std::string_view::npos &&
          change.row->value.find("@HOOK@") == std::string_view::npos) {
        continue;
      }
      CAPTURE(change.value);
      ++named;
      CHECK(change.value.find("/opt/my pith/bin/pith") != std::string::npos);
      for (const char* bare : {"\"pith ", "'pith ", "\"pith\"", " pith serve", " pith hook"}) {
        CHECK(change.value.find(bare) == std::string::npos);
      }
    }
  }
  CHECK(named >= 15);

  // A home that was carried to another machine: the host's shell prefix runs the command all the same.
  Scratch scratch;
  place.binary = "/opt/nowhere/pith";
  for (const SetupChange& change : ChangesFor("claude-code", place)) {
    if (change.row->form != SetupForm::kFile) continue;
    const std::string script = scratch.Write("prefix", change.value, 0755);
    const Seen seen = Bare(Streams::kMerged, {script, "echo still here; exit 4"});
    CHECK(seen.out == "still here\n");
    CHECK(WEXITSTATUS(seen.status) == 4);
  }
}

TEST_CASE("J: a line runs in the shell that the host would use, an argument vector in none") {
  Scratch scratch;
  const std::string words = "for i in $(seq 1 2); do echo \"${BASH_VERSION:+bash} $0\"; done";
  setenv("SHELL", "/bin/bash", 1);
  CHECK(WrappedLine(Streams::kMerged, words) == Bare(Streams::kMerged, {"/bin/bash", "-c", words}));
  setenv("SHELL", "/bin/sh", 1);
  CHECK(WrappedLine(Streams::kMerged, words) == Bare(Streams::kMerged, {"/bin/sh", "-c", words}));
  for (const char* no_shell : {"/bin", "/nonexistent/sh", "sh", ""}) {  // a host would not have got far with one either
    setenv("SHELL", no_shell, 1);
    CHECK(WrappedLine(Streams::kMerged, words) == Bare(Streams::kMerged, {"/bin/bash", "-c", words}));
  }
  unsetenv("SHELL");
  const std::string show = scratch.Write("show", "#!/bin/sh\nprintf '<%s>' \"$@\"\n", 0755);
  CHECK(Wrapped(Streams::kMerged, {show, "*", "a b", "$HOME", "", "c'd"}).out == "<*><a b><$HOME><><c'd>");
}

TEST_CASE("J: a child that reads stdin gets the caller's, and a long output of one line is taken in linear time") {
  Scratch scratch;
  CHECK(Script(scratch, "cat; echo end").out == "end\n");
  const Seen seen = Script(scratch, "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo ERROR at the end; exit 2");
  CHECK(WEXITSTATUS(seen.status) == 2);
  CHECK(seen.out.find("ERROR at the end") != std::string::npos);
  CHECK(seen.out.size() < 50000);
}

}  // namespace
}  // namespace pith
