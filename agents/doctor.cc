// Files that look right prove little: a host may drop an answer without a word. So the live part runs what the host
// would run, with an output made for it, and looks for the view in the answer.
#include "agents/doctor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "agents/hook.h"
#include "agents/install.h"
#include "agents/process.h"
#include "agents/reach.h"
#include "base/config.h"
#include "base/files.h"
#include "base/json_text.h"
#include "base/units.h"
#include "compact/estimate.h"
#include "store/tiers.h"
#include "tools/own_rules.h"
#include "tools/service.h"
#include "tools/trust.h"

namespace pith {
namespace {

// What a host lets be reached, for a person; docs/hosts.md says why.
struct ReachRow {
  std::string_view host, reach;
};
constexpr ReachRow kReach[] = {
    {"claude-code",
     "commands by the shell prefix; Grep, Glob, WebFetch, Task and MCP tools by hook; failing commands too"},
    {"codex", "MCP tools by hook; commands by PATH shims (pith shim NAME...)"},
    {"gemini", "shell, search, glob and web tools by hook"},
    {"qwen", "the MCP tools only: its hooks cannot replace a result"},
    {"copilot", "all tools by hook"},
    {"vscode", "the MCP tools only: its hooks cannot replace a result"},
    {"cursor", "the MCP tools only: its hooks cannot replace a result"},
    {"cline", "the MCP tools only: its hooks cannot replace a result"},
    {"droid", "the MCP tools only: its hooks cannot replace a result"},
    {"opencode", "all tools by a plugin"},
    {"pi", "all tools by an extension"},
};

Finding Well(std::string what) { return {true, std::move(what), ""}; }
Finding Ill(std::string what, std::string mend) { return {false, std::move(what), std::move(mend)}; }

// What is sent through for a proof is no output that somebody may look for, and saves nothing: while one of these
// lives, the programs that are started keep it in a folder beside the originals, on the same disk, which goes with it.
// Where none can be made they keep it as any other. One at a time.
class CanaryFolder {
 public:
  CanaryFolder() {
    Result<Config> config = Config::Read();
    Result<std::string> folder = StoreFolder(config.ok() ? config->Text(Key::kStateFolder) : "");
    if (!folder.ok()) return;
    RemoveStale(*folder);
    path_ = *folder + "/doctor-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
    if (path_.empty()) return;
    lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ >= 0) (void)flock(lock_, LOCK_EX | LOCK_NB);
    if (const char* former = std::getenv(kStateVariable)) former_ = former;
    setenv(kStateVariable, path_.c_str(), 1);
  }
  ~CanaryFolder() {
    if (path_.empty()) return;
    former_ ? setenv(kStateVariable, former_->c_str(), 1) : unsetenv(kStateVariable);
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    if (lock_ >= 0) close(lock_);
  }
  CanaryFolder(const CanaryFolder&) = delete;
  CanaryFolder& operator=(const CanaryFolder&) = delete;

 private:
  static constexpr const char* kStateVariable = "PITH_STATE_FOLDER";
  static constexpr time_t kFresh = 2;  // seconds in which the one who makes it locks it

  // What doctors that were killed have left: nobody holds its lock.
  static void RemoveStale(const std::string& folder) {
    std::vector<std::string> found;
    (void)Files()
        .List(folder,
              [&](std::string_view name) {
                if (name.starts_with("doctor-") && name.size() == 13) found.push_back(folder + "/" + std::string(name));
                return true;
              })
        .ok();
    for (const std::string& path : found) {
      const int lock = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      struct stat about {};
      const bool stale = lock >= 0 && fstat(lock, &about) == 0 && time(nullptr) - about.st_mtime >= kFresh &&
                         flock(lock, LOCK_EX | LOCK_NB) == 0;
      std::error_code ignored;
      if (stale) std::filesystem::remove_all(path, ignored);
      if (lock >= 0) close(lock);
    }
  }

  std::string path_;
  int lock_ = -1;  // of the folder, while this lives
  std::optional<std::string> former_;
};

std::string CanaryText() {
  std::string text;
  for (int i = 0; i < 900; ++i)
    text += "2026-01-02 03:04:05 INFO canary line " + std::to_string(i) + " of the doctor\n";
  return text;
}

constexpr uint64_t kLittleSpace = 16u << 20;  // bytes on the disk below which a long output may find no room

// Why an original could not be kept in the folder, which may not be there yet; "" if it could.
std::string WhyNotKept(std::string folder) {
  while (folder.size() > 1 && access(folder.c_str(), F_OK) != 0) folder.resize(std::max<size_t>(1, folder.rfind('/')));
  if (access(folder.c_str(), W_OK | X_OK) != 0) return folder + " cannot be written to";
  struct statvfs disk {};
  if (statvfs(folder.c_str(), &disk) != 0) return {};
  const uint64_t free_bytes = uint64_t{disk.f_bavail} * disk.f_frsize;
  return free_bytes >= kLittleSpace ? "" : "the disk of " + folder + " has " + BytesText(free_bytes) + " left";
}

void ExamineStore(std::vector<Finding>& findings) {
  Result<Config> config = Config::Read();
  if (!config.ok()) {
    findings.push_back(Ill("configuration: " + config.error().sentence, "correct it, or take the file away"));
    return;
  }
  const bool there = !config->file().empty() && access(config->file().c_str(), F_OK) == 0;
  findings.push_back(Well("configuration: " + (there ? config->file() : "defaults, there is no " + config->file())));
  if (config->Flag(Key::kDisable)) findings.push_back(Ill("pith is switched off", "unset PITH_DISABLE or `disable`"));
  Result<ServiceOptions> options = ServiceOptionsFrom(*config, "doctor", MarkerStyle::kCli);
  const Result<std::string> folder = StoreFolder(config->Text(Key::kStateFolder));
  const bool on_disk = !config->Flag(Key::kMemoryOnly) && folder.ok();
  const std::string not_kept = on_disk ? WhyNotKept(*folder) : std::string();
  Result<std::unique_ptr<Service>> service =
      options.ok() ? Service::Open(options.Take()) : Result<std::unique_ptr<Service>>(options.error());
  if (!service.ok()) {
    findings.push_back(Ill("store: " + service.error().sentence, "look at the folder's owner, mode and free space"));
    return;
  }
  Result<StoreStats> stats = (*service)->Stats(std::nullopt);
  if (!stats.ok()) {
    const bool denied = stats.error().cause == Cause::kDenied;
    findings.push_back(Ill("store: " + stats.error().sentence,
                           denied ? "look at key_file, PITH_STORE_KEY, and the folder's owner and mode" : "pith gc"));
  } else if (!not_kept.empty()) {
    findings.push_back(Ill("store: " + not_kept + ", so outputs are shown as they are",
                           "look at the folder's owner, mode and free space, or set state_folder"));
  } else {
    findings.push_back(Well("store: " + CountText(stats->entries, "original") + ", " +
                            CountText(stats->stored_bytes, "byte") + " on disk"));
  }
}

Finding LivePrefix(const SetupPlace& place) {
  const std::string script = place.state + "/bin/claude-shell";
  const std::string line =
      "true && eval 'i=0; while [ $i -lt 900 ]; do echo \"2026-01-02 03:04:05 INFO canary $i\"; i=$((i+1)); done; exit "
      "3' "
      "< /dev/null && pwd -P >| /dev/null";
  unsetenv("AI_AGENT");
  int status = -1;
  std::string answer;
  if (access(script.c_str(), X_OK) == 0) answer = RunWithInput({script, line}, "", &status);
  const bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 3;
  if (ended && answer.find("PARTIAL view") != std::string::npos)
    return Well("live: the shell prefix shows a view and keeps the exit code");
  return Ill("live: the shell prefix does not show a view", "pith install claude-code");
}

std::string AskServer(const std::string& host, const SetupPlace& place) {
  const std::string requests =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"doctor","version":"1"}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"
      "\n";
  int status = 0;
  return RunWithInput({place.binary, "serve", "--host", host}, requests, &status);
}

Finding LiveServer(const std::string& answer) {
  if (answer.find("tokenjuice_retrieve") != std::string::npos) return Well("live: the MCP server lists its tools");
  return Ill("live: the MCP server does not answer", "run `pith serve` by hand and read stderr");
}

// The tokens that a session pays before anything is called.
struct Standing {
  std::optional<uint64_t> tools, instructions;
};
Standing StandingOf(const std::string& answer) {
  Standing standing;
  for (size_t at = 0; at < answer.size();) {
    const size_t end = std::min(answer.find('\n', at), answer.size());
    const OrderedJson message = ParseOrderedJson(answer.substr(at, end - at));
    at = end + 1;
    if (!message.is_object() || !message.contains("result")) continue;
    const OrderedJson& result = message["result"];
    if (result.contains("tools")) {
      uint64_t tokens = 0;
      for (const OrderedJson& tool : result["tools"]) {
        tokens += EstimateTokens(tool.value("name", "") + "\n" + tool.value("description", "") + "\n" +
                                 JsonText(tool.value("inputSchema", OrderedJson::object())));
      }
      standing.tools = tokens;
    } else if (result.contains("instructions")) {
      standing.instructions = EstimateTokens(result.value("instructions", ""));
    }
  }
  return standing;
}

std::vector<Finding> StandingContext(const std::string& answer) {
  std::vector<Finding> findings;
  const Standing standing = StandingOf(answer);
  const auto find = [&](const std::optional<uint64_t>& tokens, const std::string& name, uint64_t most) {
    if (!tokens) return;
    const std::string what = "standing context: " + name + " of " + std::to_string(*tokens) + " tokens (at most " +
                             std::to_string(most) + ")";
    findings.push_back(*tokens <= most ? Well(what) : Ill(what, "use hooks alone: pith install HOST --hooks"));
  };
  find(standing.tools, "tool list", 1000);
  find(standing.instructions, "instructions", 200);
  return findings;
}

// A long result as each host hands it over, of a tool that its hook is for.
std::string CanaryFor(const std::string& host) {
  const std::string text = CanaryText();
  OrderedJson payload;
  if (host == "claude-code" || host == "codex") {
    payload = {{"session_id", "doctor"}, {"hook_event_name", "PostToolUse"}};
    if (host == "codex") {
      payload["tool_name"] = "mcp__canary__log";
      payload["tool_response"] = text;
    } else {
      payload["tool_name"] = "Grep";
      payload["tool_input"] = {{"pattern", "canary"}};
      payload["tool_response"] = {{"mode", "content"}, {"content", text}};
    }
  } else if (host == "gemini") {
    payload = {{"session_id", "doctor"},
               {"tool_name", "run_shell_command"},
               {"tool_input", {{"command", "make canary"}}},
               {"tool_response", {{"llmContent", text}}}};
  } else if (host == "copilot") {
    payload = {{"toolName", "bash"},
               {"toolArgs", "{\"command\":\"make canary\"}"},
               {"toolResult", {{"textResultForLlm", text}, {"resultType", "success"}}}};
  } else {
    payload = {{"tool", "bash"}, {"args", {{"command", "make canary"}}}, {"output", text}};
  }
  return JsonText(payload);
}

// The event of the host on which a result can be replaced; null if there is none.
const HookEvent* ReplacingEvent(const HookHost& host) {
  for (const HookEvent& event : host.events) {
    if (event.read != nullptr) return &event;
  }
  return nullptr;
}

Finding LiveHook(const std::string& host, const std::string& event, const SetupPlace& place) {
  const std::string canary = CanaryFor(host);
  int status = 0;
  const std::string answer = RunWithInput({place.binary, "hook", host, event, "--marker", "mcp"}, canary, &status);
  if (status == 0 && answer.find("PARTIAL view") != std::string::npos) {
    return Well("live: the hook answers with a view (" + CountText(answer.size(), "byte") + " for " +
                std::to_string(canary.size()) + ")");
  }
  return Ill("live: the hook leaves a long result as it is",
             "run `pith hook " + host + " " + event + "` by hand and read stderr");
}

}  // namespace

std::string RunWithInput(const std::vector<std::string>& argv, const std::string& input, int* status) {
  int in[2], out[2];
  *status = -1;
  if (!MakePipe(in) || !MakePipe(out)) return {};
  const pid_t child = fork();
  if (child == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    _exit(ExecInstead(argv));
  }
  close(in[0]);
  close(out[1]);
  const pid_t writer = fork();  // so that neither side waits for the other
  if (writer == 0) {
    close(out[0]);
    WriteAll(in[1], input);
    _exit(0);
  }
  close(in[1]);
  std::string text;
  char buffer[65536];
  for (ssize_t got = 0; (got = read(out[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(got));
  close(out[0]);
  waitpid(writer, nullptr, 0);
  waitpid(child, status, 0);
  return text;
}

std::vector<Finding> Examine(const std::string& host, const SetupPlace& place) {
  std::vector<Finding> findings;
  findings.push_back(Well("pith " PITH_VERSION " at " + place.binary));
  ExamineStore(findings);
  if (const Result<Config> config = Config::Read(); config.ok()) {
    const ReachSum measured = SumOfReach(*config).all;
    if (measured.measured > 0) {
      findings.push_back(Well("measured so far: " + CountText(measured.measured, "view") + " would have had " +
                              std::to_string(measured.measured_shown_tokens) + " tokens in place of " +
                              std::to_string(measured.measured_tokens)));
    }
  }
  if (const std::string& notice = TheProject().notice; !notice.empty())
    findings.push_back(Ill(notice, "look at the file, then `pith trust`"));
  for (const OwnRules::File& file : TheOwnRules().files) {
    if (file.fault.empty()) {
      findings.push_back(Well(CountText(file.rules, "rule") + " in " + file.path));
    } else {
      findings.push_back(Ill(file.path + " does not count: " + file.fault, "mend it, then `pith rules test`"));
    }
  }
  bool all_held = true;
  for (const SetupState& state : StateOf(host, place)) {
    all_held = all_held && state.held;
    const std::string what = std::string(state.change.row->what) + " in " + state.change.file;
    if (state.held) {
      findings.push_back(Well(what));
    } else {
      findings.push_back(
          Ill(what + (state.problem.empty() ? " is not set up" : ": " + state.problem), "pith install " + host));
    }
  }
  for (const ReachRow& row : kReach) {
    if (row.host == host)
      findings.push_back(Well((all_held ? "reached: " : "reached once it is set up: ") + std::string(row.reach)));
  }
  return findings;
}

uint64_t StandingTokens(const std::string& host, const SetupPlace& place) {
  const Standing standing = StandingOf(AskServer(host, place));
  return standing.tools.value_or(0) + standing.instructions.value_or(0);
}

std::vector<Finding> ExamineGate(const std::string& host, const SetupPlace& place) {
  return StandingContext(AskServer(host, place));
}

std::vector<Finding> ExamineLive(const std::string& host, const SetupPlace& place) {
  const CanaryFolder folder;
  std::vector<Finding> findings;
  const std::string answer = AskServer(host, place);
  findings.push_back(LiveServer(answer));
  for (Finding& finding : StandingContext(answer)) findings.push_back(std::move(finding));
  const HookHost* row = FindHookHost(host);
  const HookEvent* event = row == nullptr ? nullptr : ReplacingEvent(*row);
  if (event != nullptr) findings.push_back(LiveHook(host, std::string(event->name), place));
  if (host == "claude-code") findings.push_back(LivePrefix(place));
  return findings;
}

}  // namespace pith
