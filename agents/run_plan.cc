// Whether a command's output is captured at all. What is not captured is not started by us but becomes us (exec): then
// there is nothing that could differ from the bare command. So every test here stands on the side of exec: kill
// switches, a `pith run` further up, output that goes into a file by hand, and all commands whose output is exact,
// secret, endless or interactive by the rules.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "agents/process.h"
#include "agents/quoting.h"
#include "agents/run.h"
#include "agents/shim.h"
#include "compact/command/shell_line.h"
#include "compact/command/unwrap.h"
#include "tools/own_rules.h"
#include "tools/secret_line.h"
#include "tools/trust.h"

namespace pith {
namespace {

constexpr size_t kMaxCommand = 64 * 1024;  // bytes of a line that are looked at; longer ones are heredocs of data

constexpr std::array<std::string_view, 1> kShimHosts = {"codex"};

bool IsOurs(std::string_view program) { return ProgramName(program).starts_with("pith"); }

bool IsProgram(const char* path) {
  struct stat about {};
  return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

// The shell that the host would have used.
std::string ShellOf() {
  const char* shell = getenv("SHELL");
  if (shell != nullptr && *shell == '/' && !IsOurs(shell) && IsProgram(shell)) return shell;
  return IsProgram("/bin/bash") ? "/bin/bash" : "/bin/sh";
}

std::vector<std::string> ArgvOf(const RunRequest& request) {
  if (!request.line) {
    std::vector<std::string> argv = request.argv;
    if (std::string real = request.shim.empty() ? "" : BehindShim(request.shim); !real.empty())
      argv[0] = std::move(real);
    return argv;
  }
  std::vector<std::string> argv = {ShellOf(), request.shell_flags, *request.line};
  argv.insert(argv.end(), request.argv.begin(), request.argv.end());
  return argv;
}

bool AnyMatches(const Command& command, const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    if (CommandMatches(command, pattern)) return true;
  }
  return false;
}

// Programs that print what stands in their words, or next to nothing. The rules' own `brief` is wider: it also has what
// runs or counts on (seq, xargs, source), of which a line is not named.
constexpr auto kSilent = std::to_array<std::string_view>(
    {"cd",       "pushd", "popd", "unset", "mkdir", "rmdir",    "rm",     "mv",    "cp",     "ln",   "touch", "chmod",
     "true",     "false", ":",    "test",  "[",     "sleep",    "exit",   "echo",  "printf", "pwd",  "date",  "whoami",
     "hostname", "uname", "kill", "chown", "chgrp", "truncate", "mktemp", "nproc", "arch",   "umask"});

// Nothing but these, with nothing in their words that could be long: not worth a pipe. `bin/test` is not `test`.
bool PrintsNothing(std::string_view line) {
  if (line.size() >= kSmallestRun || line.find_first_of("$`*?<({") != std::string_view::npos) return false;
  const std::vector<Pipeline> pipelines = ParseShellLine(line);
  for (const Pipeline& pipeline : pipelines) {
    if (pipeline.repeated) return false;
    for (const SimpleCommand& stage : pipeline.stages) {
      if (stage.words.empty() || std::find(kSilent.begin(), kSilent.end(), stage.words[0]) == kSilent.end()) {
        return false;
      }
      for (const std::string& word : stage.words) {
        if (word.starts_with('-') && word.find('v') != std::string::npos) return false;  // rm -v
      }
    }
  }
  return !pipelines.empty();
}

// Empty: the command may be captured.
std::string ReasonOfCommand(const std::string& line, const Config& config, bool* included) {
  const ProjectRules& project = TheProject().rules;
  const Command command = ParseCommand(std::string_view(line).substr(0, kMaxCommand), TheOwnRules().table());
  if (AnyMatches(command, config.List(Key::kExclude))) return "excluded by the configuration";
  if (AnyMatches(command, project.exclude)) return "excluded by the project";
  if (command.stream) return std::string(command.reason);
  if (command.background) return "leaves something running behind it";
  const SecretRow* secret = SecretLine(std::string_view(line).substr(0, kMaxCommand));
  if (secret != nullptr && !SecretAllowed(*secret, config.List(Key::kAllowSecrets))) return "may print secrets";
  *included = AnyMatches(command, config.List(Key::kInclude)) || AnyMatches(command, project.include);
  if (*included) return {};
  if (command.exact) return std::string(command.reason);
  if (PrintsNothing(line)) return "prints next to nothing";
  return {};
}

// Empty: nothing about this process forbids it.
std::string ReasonOfProcess(const RunRequest& request) {
  if (!IsOpen(STDOUT_FILENO)) return "stdout is closed";
  const char* agent = getenv("PITH_AGENT");
  const bool for_agent = agent != nullptr && std::strcmp(agent, "1") == 0;
  if (!for_agent && IsRegularFile(STDOUT_FILENO)) return "stdout is a file";
  // A view tells of both streams on the first: not where somebody has parted them on purpose.
  if (IsNullDevice(STDOUT_FILENO)) return "stdout goes nowhere";
  if (IsNullDevice(STDERR_FILENO)) return "stderr goes nowhere";
  if (!for_agent && IsRegularFile(STDERR_FILENO)) return "stderr goes to a file of its own";
  if (IsTerminal(STDOUT_FILENO)) return "stdout is a terminal";
  if (ReaderHasGone(STDOUT_FILENO)) return "nobody reads stdout";
  // Claude Code gives its commands a file, but a watch whose lines it takes as events a socket.
  if (request.host == "claude-code" && IsSocket(STDOUT_FILENO)) return "the host reads each line as it comes";
  if (UnderPithRun()) return "runs within another pith run";
  if (!request.shim.empty() && !PrintsWhereOutermostShellDoes(kShimHosts)) return "feeds a program or a file";
  return {};
}

}  // namespace

bool CommandMatches(const Command& command, std::string_view pattern) {
  const std::vector<Pipeline> lines = ParseShellLine(pattern);
  if (lines.size() != 1 || lines[0].stages.empty()) return false;
  const std::vector<std::string>& words = lines[0].stages[0].words;
  if (words[0] != command.program) return false;
  const std::vector<std::string_view> operands = Operands(command.argv, words.size());
  size_t at = 0;
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with("-")) {
      bool found = false;
      for (const std::string& word : command.argv) found = found || word == words[i];
      if (!found) return false;
    } else if (at >= operands.size() || operands[at++] != words[i]) {
      return false;
    }
  }
  return true;
}

std::optional<std::string> CommandInScaffold(std::string_view line) {
  if (line.find("eval ") == std::string_view::npos || line.find("pwd -P") == std::string_view::npos)
    return std::nullopt;
  std::optional<std::string> command;
  bool notes_folder = false;
  for (const Pipeline& pipeline : ParseShellLine(line)) {
    const SimpleCommand& last = pipeline.stages.back();
    if (last.words[0] == "eval" && last.words.size() >= 2 && !command) {
      command.emplace();
      for (size_t i = 1; i < last.words.size(); ++i) *command += (i > 1 ? " " : "") + last.words[i];
    }
    notes_folder = notes_folder || (last.words[0] == "pwd" && last.stdout_to_file);
  }
  return notes_folder ? command : std::nullopt;
}

RunPlan PlanRun(const RunRequest& request, const Config* config) {
  RunPlan plan;
  plan.argv = ArgvOf(request);
  plan.command = request.line ? *request.line : ShellLine(request.argv);
  if (config == nullptr) {
    plan.reason = "the configuration cannot be read";
  } else if (config->Flag(Key::kDisable) || config->Flag(Key::kNoRun)) {
    plan.reason = "switched off";
  } else {
    plan.reason = ReasonOfProcess(request);
  }
  if (plan.reason.empty() && request.host == "claude-code" && request.line) {
    std::optional<std::string> inner = CommandInScaffold(*request.line);
    if (inner) {
      plan.command = *inner;
    } else {
      plan.reason = "not a command of the agent";  // the host starts its MCP servers and hooks the same way
    }
  }
  if (plan.reason.empty()) {
    plan.reason = ReasonOfCommand(plan.command, *config, &plan.included);
    plan.noted = !plan.reason.empty();
  }
  plan.capture = plan.reason.empty();
  return plan;
}

}  // namespace pith
