// `pith run` against the bare program: exit codes, signals, streams, bytes.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstdio>

#include "agents/reach.h"
#include "base/token.h"
#include "run_fixture.h"
#include "tools/service.h"
#include "tools/trust.h"

namespace pith {
namespace {

using namespace test;

std::string NoisyScript(int exit_code) {
  return "#!/bin/sh\ni=0\nwhile [ $i -lt 800 ]; do echo \"2026-01-02 03:04:05 INFO worker processed item $i\"; "
         "i=$((i+1)); done\n"
         "echo 'ERROR disk full at /var/x'\nexit " +
         std::to_string(exit_code) + "\n";
}

// A small program that mixes what programs do; the same for the same seed. What it prints stays below what is viewed.
std::string RandomScript(uint32_t seed) {
  static constexpr const char* kSteps[] = {
      "echo out",
      "echo err >&2",
      "printf 'no newline'",
      "printf '\\000\\377\\303\\r\\n'",
      "(echo sub; exit 3)",
      "(echo later) & wait",
      "(exec sleep 0.01) & (echo second) & wait",
      "sh -c 'kill -TERM $$'",
      "sh -c 'echo a; kill -INT $$'",
      "exec 2>&-",
      "exec 2>&1",
      "printf '%s|' \"$0\" \"$#\"",
      "test -t 1 && echo terminal",
      "test -t 2 && echo terminal too",
      "test -t 0 || echo none",
      "echo a | cat",
      "yes 2>/dev/null | head -n 3 2>/dev/null",
      "sh -c 'sh -c \"echo deep; exit 4\"'; echo $?",
      "trap 'echo caught' USR1; kill -USR1 $$",
      "trap '' PIPE",
      "echo x >/dev/full",
      "cat",
      "read line || echo end",
      "ulimit -c",
      "umask",
      "kill -0 $PPID && echo parent",
      "exec 3>&1; echo three >&3; exec 3>&-",
      "cd / && pwd",
      "set -- $(env | cut -d= -f1 | grep PITH); echo $#",
  };
  static constexpr const char* kEnds[] = {"exit 0",           "exit 1",        "exit 42",       "exit 255",
                                          "kill -KILL $$",    "kill -TERM $$", "kill -PIPE $$", "kill -SEGV $$",
                                          "kill -HUP $$",     "false",         "true",          "exec sh -c 'exit 9'",
                                          "exec 1>&-; exit 6"};
  uint32_t state = seed * 2654435761u + 12345;
  const auto next = [&](size_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % static_cast<uint32_t>(below);
  };
  std::string script;
  const uint32_t steps = 1 + next(6);
  for (uint32_t i = 0; i < steps; ++i) script += std::string(kSteps[next(std::size(kSteps))]) + "\n";
  return script + kEnds[next(std::size(kEnds))];
}

size_t SpoolFiles(const Scratch& scratch) {
  size_t count = 0;
  (void)Files().List(scratch.folder() + "/state/pith/spool", [&](std::string_view) { return ++count, true; }).ok();
  return count;
}

TEST_CASE("I7: generated programs end, print and order their output as they do without pith") {
  Scratch scratch;
  const char* more = getenv("PITH_DIFFERENTIAL_PROGRAMS");  // 500 in .ci/long
  const uint32_t count = more == nullptr ? 150 : static_cast<uint32_t>(atoi(more));
  constexpr Streams kStreams[] = {Streams::kSeparate, Streams::kMerged, Streams::kTerminal, Streams::kTerminalError,
                                  Streams::kNoReader};
  for (uint32_t seed = 1; seed <= count; ++seed) {
    const std::string script = RandomScript(seed);
    // A program of its own, which no rule knows: its output is captured.
    const std::vector<std::string> argv = {scratch.Write("program", "#!/bin/sh\n" + script + "\n", 0755), "one"};
    const Streams streams = kStreams[seed % std::size(kStreams)];
    const Seen bare = Bare(streams, argv);
    const Seen wrapped = Wrapped(streams, argv);
    CHECK_MESSAGE(bare == wrapped, "seed " << seed << ": " << script << "\n--- bare " << bare.status << "\n"
                                           << bare.out << bare.err << "\n--- through pith " << wrapped.status << "\n"
                                           << wrapped.out << wrapped.err);
  }
}

TEST_CASE("I7: a failing command with a long output keeps its exit code and never says that it succeeded") {
  Scratch scratch;
  const std::string script = scratch.Write("noisy", NoisyScript(3), 0755);
  const Seen seen = Wrapped(Streams::kMerged, {script});
  CHECK(WEXITSTATUS(seen.status) == 3);
  CHECK(seen.out.size() < 12000);
  CHECK(seen.out.find("ERROR disk full") != std::string::npos);
  CHECK(seen.out.find("exit code 3") != std::string::npos);
  CHECK(seen.out.find("pith retrieve ") != std::string::npos);
}

TEST_CASE("I1: what a view of `pith run` names comes back byte for byte from another process") {
  Scratch scratch;
  const std::string script = scratch.Write("noisy", NoisyScript(0), 0755);
  const Seen bare = Bare(Streams::kMerged, {script});
  const Seen seen = Wrapped(Streams::kMerged, {script});
  const std::vector<std::string> tokens = FindTokens(seen.out);
  REQUIRE_FALSE(tokens.empty());
  CHECK(tokens.back() == TokenOf(bare.out));
  Result<ServiceOptions> options = ServiceOptionsFrom(Config::Defaults(), "cli", MarkerStyle::kCli);
  REQUIRE(options.ok());
  options->store.folder = scratch.folder() + "/state/pith";
  Result<std::unique_ptr<Service>> service = Service::Open(options.Take());
  REQUIRE(service.ok());
  Result<std::string> got = (*service)->store().Get(tokens.back());
  REQUIRE(got.ok());
  CHECK(*got == bare.out);
}

TEST_CASE("programs that cannot be started end in 127 and 126") {
  Scratch scratch;
  CHECK(WEXITSTATUS(Wrapped(Streams::kMerged, {"no-such-program-anywhere"}).status) == 127);
  const std::string plain = scratch.Write("plain", "not to be run", 0644);
  CHECK(WEXITSTATUS(Wrapped(Streams::kMerged, {plain}).status) == 126);
}

TEST_CASE("file viewers, selections and machine formats are byte-identical through pith, whatever the file holds") {
  Scratch scratch;
  std::string lf, crlf, binary;
  for (int i = 0; i < 300; ++i) lf += "line " + std::to_string(i) + " with error and text\n";
  for (int i = 0; i < 300; ++i) crlf += "line " + std::to_string(i) + "\r\n";
  for (int i = 0; i < 4096; ++i) binary += static_cast<char>(i * 37 % 256);
  const std::vector<std::pair<std::string, std::string>> files = {
      {"lf", lf},    {"crlf", crlf},  {"open", lf + "no newline"},
      {"empty", ""}, {"nul", binary}, {"latin", "\xe9\xff\xfe" + lf}};
  for (const auto& [name, content] : files) scratch.Write(name, content);
  const std::string repository =
      "cd '" + scratch.folder() +
      "' && printf 'state\\nconfig\\n' > .gitignore && git init -q . && git add lf crlf open empty nul latin && "
      "git -c user.name=a -c user.email=a@example.org commit -q -m all";
  REQUIRE(std::system(repository.c_str()) == 0);
  const test::InFolder in(scratch.folder());
  for (int i = 0; i < 200; ++i) scratch.Write("untracked_file_with_a_long_name_" + std::to_string(i), "x");
  scratch.Write("rg", "#!/bin/sh\ni=0\nwhile [ $i -lt 200 ]; do echo \"{\\\"n\\\": $i}\"; i=$((i+1)); done\n", 0755);
  for (const std::string command : {"git status --porcelain", "git status -z", "git ls-files -z", "git ls-files -o -z",
                                    "find . -name 'untracked*' -print0", "git log --format=%H%n%B -z"}) {
    const Seen bare = Bare(Streams::kMerged, {"/bin/bash", "-c", command});
    CHECK_MESSAGE(WrappedLine(Streams::kMerged, command) == bare, command);
  }
  for (const auto& [name, content] : files) {
    const std::string path = scratch.folder() + "/" + name;
    for (const std::string& command : {"cat " + path,
                                       "head -n 250 " + path,
                                       "tail -n 280 " + path,
                                       "sed -n '1,290p' " + path,
                                       "awk '{print}' " + path,
                                       "nl " + path,
                                       "od -c " + path,
                                       "base64 " + path,
                                       "grep -c line " + path,
                                       "grep -o lin. " + path,
                                       "grep -l line " + path,
                                       "wc " + path,
                                       "cat < " + path,
                                       "cat " + path + " | head -n 290",
                                       "sort " + path,
                                       "cat " + path + " > " + path + ".copy",
                                       "cat " + path + "; cat " + path,
                                       "x=$(cat " + path + "); echo \"$x\" | sed -n p",
                                       "base64 " + path + " | base64 -d",
                                       "head -c 3000 " + path,
                                       "tail -c 3000 " + path,
                                       "jq -R . " + path,
                                       "git show HEAD:" + name,
                                       "git cat-file -p HEAD:" + name,
                                       "git cat-file blob HEAD:" + name + " | head -n 250",
                                       "grep -n line " + path + " | cut -d: -f1",
                                       "./rg --json line " + path,
                                       "tac " + path}) {
      const Seen bare = Bare(Streams::kMerged, {"/bin/bash", "-c", command});
      CHECK_MESSAGE(WrappedLine(Streams::kMerged, command) == bare, command);
    }
  }
}

TEST_CASE("100 MB are byte-identical through a viewer, a selection and a redirection") {
  Scratch scratch;
  const std::string path = scratch.folder() + "/large";
  const std::string make = "yes 'a line of a large file, with error and text' | head -c 100000000 > '" + path + "'";
  REQUIRE(std::system(make.c_str()) == 0);
  for (const std::string& command : {"cat " + path, "cat " + path + " | tail -n 3", "grep -c error " + path,
                                     "cat < " + path + " > " + path + ".copy && cmp " + path + " " + path + ".copy"}) {
    const Seen bare = Bare(Streams::kMerged, {"/bin/bash", "-c", command});
    const Seen wrapped = WrappedLine(Streams::kMerged, command);
    CHECK_MESSAGE((wrapped.out == bare.out && wrapped.status == bare.status), command);  // 100 MB are not printed
  }
}

TEST_CASE("separate streams stay separate when exact, and a merged view says that its order is that of arrival") {
  Scratch scratch;
  const std::string quiet = scratch.Write("quiet", "#!/bin/sh\necho out\necho err >&2\n", 0755);
  const Seen exact = Wrapped(Streams::kSeparate, {quiet});
  CHECK(exact.out == "out\n");
  CHECK(exact.err == "err\n");
  const std::string loud = scratch.Write("loud", NoisyScript(0) + "\n", 0755);
  const std::string both = scratch.Write("both", "#!/bin/sh\necho warning: first >&2\n" + loud + "\n", 0755);
  const Seen view = Wrapped(Streams::kSeparate, {both});
  CHECK(view.out.starts_with("[stdout and stderr, in the order of arrival]\n"));
  CHECK(view.err.empty());
}

TEST_CASE("a signal to pith reaches the command, and what came so far is shown at once") {
  Scratch scratch;
  const std::string script = scratch.Write("stubborn",
                                           "#!/bin/sh\ntrap 'sleep 1; echo tail; exit 9' TERM\ni=0\nwhile [ $i -lt 600 "
                                           "]; do echo \"2026-01-02 INFO worker item $i\"; "
                                           "i=$((i+1)); done\necho ready > ready\nwhile :; do sleep 0.05; done\n",
                                           0755);
  const InFolder there(scratch.folder());
  const Seen seen = Wrapped(Streams::kMerged, {script}, [&](pid_t child) {
    while (access((scratch.folder() + "/ready").c_str(), F_OK) != 0) usleep(10000);
    usleep(50000);
    kill(child, SIGTERM);
  });
  CHECK(WEXITSTATUS(seen.status) == 9);
  CHECK(seen.out.find("the command had not ended yet") != std::string::npos);
  CHECK(seen.out.ends_with("tail\n"));
}

TEST_CASE("a grandchild that keeps the pipe open does not hang the wrapper, and what it prints later still arrives") {
  Scratch scratch;
  const std::string script = scratch.Write("parent", "#!/bin/sh\n(sleep 1; echo late) &\necho early\nexit 5\n", 0755);
  const Seen seen = Wrapped(Streams::kMerged, {script});
  CHECK(WEXITSTATUS(seen.status) == 5);
  CHECK(seen.out == "early\nlate\n");
}

TEST_CASE("I10: a store that cannot be written lets the output through as it came") {
  Scratch scratch;
  const std::string script = scratch.Write("noisy", NoisyScript(4), 0755);
  const Seen bare = Bare(Streams::kSeparate, {script});
  scratch.Write("state", "a file where the folder should be");
  const Seen seen = Wrapped(Streams::kSeparate, {script});
  CHECK(seen.out == bare.out);
  CHECK(seen.status == bare.status);
  CHECK(seen.err.find("pith: ") != std::string::npos);
}

TEST_CASE("each kill switch lets everything through") {
  for (const char* name : {"PITH_DISABLE", "PITH_NO_RUN"}) {
    Scratch scratch;
    const std::string script = scratch.Write("noisy", NoisyScript(0), 0755);
    setenv(name, "1", 1);
    CHECK_MESSAGE(Wrapped(Streams::kMerged, {script}) == Bare(Streams::kMerged, {script}), name);
    unsetenv(name);
  }
}

TEST_CASE("measuring lets everything through and counts what a view would have had") {
  Scratch scratch;
  const std::string script = scratch.Write("noisy", NoisyScript(3), 0755);
  setenv("PITH_MEASURE_ONLY", "1", 1);
  CHECK(Wrapped(Streams::kMerged, {script}) == Bare(Streams::kMerged, {script}));
  unsetenv("PITH_MEASURE_ONLY");
  const Reach reach = SumOfReach(Config::Defaults());
  CHECK(reach.all.measured == 1);
  CHECK(reach.all.measured_shown_tokens < reach.all.measured_tokens / 4);
  CHECK(Wrapped(Streams::kMerged, {script}).out.find("pith retrieve") != std::string::npos);
  CHECK(SumOfReach(Config::Defaults()).all.views == 1);
}

TEST_CASE("a configuration that cannot be read lets everything through and says so") {
  Scratch scratch;
  mkdir((scratch.folder() + "/config").c_str(), 0700);
  mkdir((scratch.folder() + "/config/pith").c_str(), 0700);
  scratch.Write("config/pith/config.json", "{\"no_such_key\": 1}");
  const std::string script = scratch.Write("noisy", NoisyScript(0), 0755);
  const Seen seen = Wrapped(Streams::kSeparate, {script});
  CHECK(seen.out == Bare(Streams::kSeparate, {script}).out);
  CHECK(seen.err.find("no_such_key") != std::string::npos);
}

TEST_CASE("the child's environment holds what the caller's held, without PITH_AGENT") {
  Scratch scratch;
  const std::string script = scratch.Write("show", "#!/bin/sh\nenv | sort\n", 0755);
  const Seen bare = Bare(Streams::kMerged, {script});
  setenv("PITH_AGENT", "1", 1);
  CHECK(Wrapped(Streams::kMerged, {script}).out == bare.out);
  unsetenv("PITH_AGENT");
}

TEST_CASE("I2: a wrapper killed at any instant has printed no token that the store does not know") {
  Scratch scratch;
  const std::string script = scratch.Write("slow",
                                           "#!/bin/sh\ni=0\nwhile [ $i -lt 3000 ]; do echo \"2026-01-02 03:04:05 INFO "
                                           "worker processed item number $i of many\"; "
                                           "i=$((i+1)); done\n",
                                           0755);
  int shown = 0;
  for (int i = 0; i < 25; ++i) {
    const Seen seen = Wrapped(Streams::kMerged, {script}, [&](pid_t child) {
      usleep(static_cast<useconds_t>(i) * 6000);
      kill(child, SIGKILL);
    });
    for (const std::string& token : FindTokens(seen.out)) {
      StoreOptions options;
      options.folder = scratch.folder() + "/state/pith";
      Result<std::unique_ptr<Store>> store = Store::Open(options);
      REQUIRE(store.ok());
      Result<std::string> got = (*store)->Get(token);
      REQUIRE(got.ok());
      CHECK(TokenOf(*got) == token);
      ++shown;
    }
  }
  MESSAGE("views that were out before the kill: " << shown);
}

TEST_CASE("I2: killed in mid-spool nothing was printed, and what had come is there under the spool's name") {
  Scratch scratch;
  const std::string line = "2026-01-02 INFO worker item ";
  const std::string script =
      scratch.Write("endless", "#!/bin/sh\ni=0\nwhile :; do i=$((i+1)); echo \"" + line + "$i of many\"; done\n", 0755);
  StoreOptions options;
  options.folder = scratch.folder() + "/state/pith";
  const std::string find = "find '" + options.folder + "' -name 'run-*' -size +200 2>/dev/null | head -n 1 > '" +
                           scratch.folder() + "/found'";  // more than 100 KB: one piece at least is written whole
  for (int round = 0; round < 3; ++round) {
    std::string found;
    const Seen seen = Wrapped(Streams::kMerged, {script}, [&](pid_t child) {
      for (int i = 0; i < 2000 && found.empty(); ++i) {
        usleep(5000);
        if (std::system(find.c_str()) == 0) found = *ReadFile(scratch.folder() + "/found", 4096);
      }
      kill(child, SIGKILL);
    });
    CHECK(seen.out.empty());
    const size_t at = found.rfind("run-");
    REQUIRE(at != std::string::npos);
    {
      Result<std::unique_ptr<Store>> store = Store::Open(options);
      REQUIRE(store.ok());
      Result<std::string> came = (*store)->ReadSpool(found.substr(at, 12), {});
      REQUIRE(came.ok());
      CHECK(came->starts_with(line + "1 of many\n" + line + "2 of many\n"));
    }
    REQUIRE(std::system(("rm -rf '" + options.folder + "'").c_str()) == 0);
  }
}

TEST_CASE("what a command printed outlives a killed wrapper, however little it is") {
  Scratch scratch;
  const std::string script = scratch.Write("little", "#!/bin/sh\necho 'two words'\nexec sleep 20\n", 0755);
  StoreOptions options;
  options.folder = scratch.folder() + "/state/pith";
  const Seen seen = Wrapped(Streams::kMerged, {script}, [&](pid_t child) {
    for (int i = 0; i < 1000; ++i) {
      usleep(5000);
      Result<std::unique_ptr<Store>> store = Store::Open(options);
      REQUIRE(store.ok());
      const std::vector<UnfinishedSpool> spools = (*store)->UnfinishedSpools(std::nullopt);
      if (!spools.empty() && (*store)->ReadSpool(spools[0].name, {}).ok() &&
          !(*store)->ReadSpool(spools[0].name, {})->empty()) {
        CHECK(spools[0].live);
        break;
      }
    }
    kill(child, SIGKILL);
  });
  CHECK(seen.out.empty());
  Result<std::unique_ptr<Store>> store = Store::Open(options);
  REQUIRE(store.ok());
  const std::vector<UnfinishedSpool> spools = (*store)->UnfinishedSpools(std::nullopt);
  REQUIRE(spools.size() == 1);
  CHECK_FALSE(spools[0].live);
  CHECK(spools[0].disk_bytes > 0);
  CHECK(*(*store)->ReadSpool(spools[0].name, {}) == "two words\n");
}

TEST_CASE("a spool goes when everything was shown, and leaves its name alone when there is a view") {
  Scratch scratch;
  CHECK(WrappedLine(Streams::kMerged, "echo little; sleep 0.2; echo more").out == "little\nmore\n");
  CHECK(SpoolFiles(scratch) == 0);
  const Seen seen = WrappedLine(Streams::kMerged, "for i in $(seq 1 3000); do echo line $i; done; sleep 0.1; exit 3");
  CHECK(WEXITSTATUS(seen.status) == 3);
  CHECK(seen.out.find("PARTIAL view") != std::string::npos);
  CHECK(SpoolFiles(scratch) == 1);  // run-XXXXXXXX.token
}

TEST_CASE("a loop of a builtin, a sequence and what ends in exit become views with their code") {
  Scratch scratch;
  for (const char* line : {"seq 1 100000; exit 1", "seq 1 3000 | xargs -n 1 echo; exit 1", "eval 'seq 1 100000'; false",
                           "printf '%s\\n' {1..20000}; exit 1"}) {
    CAPTURE(line);
    const Seen seen = WrappedLine(Streams::kMerged, line);
    CHECK(WEXITSTATUS(seen.status) == 1);
    CHECK(seen.out.find("[exit code 1]\n[PARTIAL view") != std::string::npos);
  }
}

TEST_CASE("a project's own file excludes commands only while its very bytes are trusted") {
  Scratch scratch;
  mkdir((scratch.folder() + "/project").c_str(), 0755);
  mkdir((scratch.folder() + "/project/.git").c_str(), 0755);
  const std::string root = scratch.folder() + "/project";
  scratch.Write("project/.pith.json", "{\"exclude\": [\"make deploy\"]}");
  std::string notice;
  CHECK(ReadProjectRules(root, &notice).exclude.empty());
  CHECK(notice.find("not trusted") != std::string::npos);
  REQUIRE(TrustProject(root).ok());
  CHECK(ReadProjectRules(root, &notice).exclude.size() == 1);
  scratch.Write("project/.pith.json", "{\"exclude\": [\"make\"]}");
  CHECK(ReadProjectRules(root, &notice).exclude.empty());
  CHECK(notice.find("changed") != std::string::npos);
  scratch.Write("project/.pith.json", "{\"soft_bytes\": 1}");
  CHECK(TrustProject(root).error().cause == Cause::kInvalid);
  REQUIRE(RevokeTrust(root).ok());
  CHECK(RevokeTrust(root).error().cause == Cause::kNotFound);
}

TEST_CASE("the view of `pith run` is the one that the service makes of the same bytes, command, exit code and policy") {
  for (int lines : {400, 3000}) {  // below and above what is spooled
    Scratch scratch;
    const std::string script = scratch.Write("job",
                                             "#!/bin/sh\ni=0\nwhile [ $i -lt " + std::to_string(lines) +
                                                 " ]; do echo \"2026-01-02 03:04:05 INFO worker processed item $i\"; "
                                                 "i=$((i+1)); done\necho ERROR disk full\nexit 4\n",
                                             0755);
    const Seen bare = Bare(Streams::kMerged, {script});
    const Seen seen = Wrapped(Streams::kMerged, {script});
    Result<ServiceOptions> options = ServiceOptionsFrom(Config::Defaults(), "jsonl", MarkerStyle::kCli);
    REQUIRE(options.ok());
    options->store.folder = scratch.folder() + "/other";
    Result<std::unique_ptr<Service>> service = Service::Open(options.Take());
    REQUIRE(service.ok());
    Hints hints;
    hints.command = script;
    hints.exit_code = 4;
    hints.policy = Policy::kHook;
    CHECK((*service)->Compact(bare.out, hints).view.text + "\n" == seen.out);
  }
}

TEST_CASE("a command that the user included gets a view although its rule says exact") {
  Scratch scratch;
  std::string log;
  for (int i = 0; i < 3000; ++i) log += "2026-01-02 03:04:05 INFO worker processed item " + std::to_string(i) + "\n";
  const std::string file = scratch.Write("app.log", log);
  CHECK(Wrapped(Streams::kMerged, {"cat", file}).out == log);
  setenv("PITH_INCLUDE", "cat", 1);
  CHECK(Wrapped(Streams::kMerged, {"cat", file}).out.size() < log.size() / 4);
  setenv("PITH_EXCLUDE", "cat", 1);
  CHECK(Wrapped(Streams::kMerged, {"cat", file}).out == log);
}

TEST_CASE("an output over the limit is passed on whole, and that is said") {
  Scratch scratch;
  const std::string script = scratch.Write("flood", "#!/bin/sh\nhead -c 134300000 /dev/zero\necho the end\n", 0755);
  const Seen seen = Wrapped(Streams::kSeparate, {script});
  CHECK(seen.out.size() == 134300008);
  CHECK(seen.out.ends_with("the end\n"));
  CHECK(seen.err == "pith: more than 128 MiB came; all of it is shown as it comes\n");
  CHECK(SpoolFiles(scratch) == 0);
}

}  // namespace
}  // namespace pith
