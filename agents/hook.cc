// A hook process runs once for every call of a tool, mostly to find that it has nothing to do. So the payload is first
// looked at as text: when it is small, or its tool is a file viewer, the process ends before any parser or store is
// touched. Only then is it parsed, brought to a ToolResult by the host's reader, and sent through the gate.
#include "agents/hook.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "agents/dsh_serve.h"
#include "agents/gate.h"
#include "agents/json_fields.h"
#include "agents/process.h"
#include "base/config.h"
#include "base/json_text.h"
#include "compact/policy.h"

namespace pith {
namespace {

constexpr size_t kMaxPayload = 64u << 20;  // bytes; larger ones pass through
constexpr int kMaxWaitMs = 10000;          // for the host to go on writing
constexpr size_t kSmallPayload = 800;      // bytes: no result in it can be worth a view
constexpr size_t kBytesOfToken = 4;        // of a payload that is not looked into

void SayOfHook(std::string_view sentence) { WriteAll(STDERR_FILENO, "pith hook: " + std::string(sentence) + "\n"); }

// nullopt: too large, or the host stopped in the middle.
std::optional<std::string> ReadPayload() {
  std::string payload;
  char buffer[65536];
  while (payload.size() <= kMaxPayload) {
    pollfd ready = {STDIN_FILENO, POLLIN, 0};
    const int polled = poll(&ready, 1, kMaxWaitMs);
    if (polled < 0 && errno == EINTR) continue;
    if (polled <= 0) return std::nullopt;
    const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) return payload;
    payload.append(buffer, static_cast<size_t>(got));
  }
  return std::nullopt;
}

// The string value of the first `"key":"..."` that is no text within a string; empty if there is none.
std::string_view PlainValue(std::string_view json, std::string_view key) {
  const std::string quoted = "\"" + std::string(key) + "\"";
  for (size_t at = json.find(quoted); at != std::string_view::npos; at = json.find(quoted, at + 1)) {
    if (at > 0 && json[at - 1] == '\\') continue;
    size_t next = at + quoted.size();
    while (next < json.size() && (json[next] == ' ' || json[next] == ':' || json[next] == '\n')) ++next;
    if (next >= json.size() || json[next] != '"') continue;
    const size_t end = json.find('"', next + 1);
    return end == std::string_view::npos ? std::string_view() : json.substr(next + 1, end - next - 1);
  }
  return {};
}

bool IsSet(const char* name) {
  const char* value = getenv(name);
  return value != nullptr && *value != '\0' && std::string_view(value) != "0" && std::string_view(value) != "false";
}

HookReader ReaderOf(const HookHost& host, std::string_view event) {
  for (const HookEvent& row : host.events) {
    if (row.name == event) return row.read;
  }
  return nullptr;
}

}  // namespace

std::string_view PlainlyNotForUs(const HookHost& host, std::string_view payload) {
  if (payload.size() < kSmallPayload) return "small";
  const std::string_view tool = PlainValue(payload, host.tool_key);
  if (IsRecoveryTool(tool)) return "gives an original back";
  // A file read stays exact, but what the host saved of a long output is an output.
  if (IsFileTool(tool) && payload.find("tool-results") == std::string_view::npos) return "shows or changes a file";
  return {};
}

std::string AnswerHook(const HookCall& call, std::string_view payload, std::vector<std::string>* notices,
                       ReachCall* reach) {
  ReachCall unwatched;
  if (reach == nullptr) reach = &unwatched;
  const HookHost* host = FindHookHost(call.host);
  if (host == nullptr) return {};
  std::string nothing(host->nothing);
  const HookReader read = ReaderOf(*host, call.event);
  if (read == nullptr) return nothing;
  reach->host = host->name;
  reach->road = "hook";
  reach->mcp_tools = call.marker == MarkerStyle::kMcp;
  reach->reason = PlainlyNotForUs(*host, payload);
  if (!reach->reason.empty()) {
    reach->tool = PlainValue(payload, host->tool_key).substr(0, 64);
    reach->session = PlainValue(payload, "session_id").substr(0, 64);
    reach->original_bytes = payload.size();
    reach->original_tokens = payload.size() / kBytesOfToken;
    return nothing;
  }
  try {
    const nlohmann::ordered_json parsed = ParseOrderedJson(payload);
    std::optional<ToolResult> result;
    if (parsed.is_object()) result = read(parsed);
    if (!result) {
      reach->host.clear();
      return nothing;
    }
    reach->tool = result->tool;
    reach->command = result->command;
    reach->session = TextAt(parsed, "session_id");
    const std::optional<std::string> view = PassGate(*host, call, *result, notices, reach);
    return view ? result->answer(*view) : nothing;
  } catch (const std::exception& error) {
    notices->push_back(std::string("the result stays as it is: ") + error.what());
    return nothing;
  }
}

namespace {

int DshPreStep() {
  std::vector<std::string> notices;
  std::string answer;
  if (const std::optional<std::string> payload = ReadPayload()) answer = AnswerDshPreStep(*payload, &notices);
  for (const std::string& notice : notices) WriteAll(STDERR_FILENO, notice + "\n");
  if (!answer.empty()) WriteAll(STDOUT_FILENO, answer + "\n");
  return 0;
}

}  // namespace

int Hook(std::span<char*> words) {
  HookCall call;
  bool marker_known = true;
  std::vector<std::string_view> names;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--marker" && i + 1 < words.size()) {
      call.marker = MarkerStyleNamed(words[++i]);
      marker_known = call.marker.has_value();
    } else {
      names.push_back(word);
    }
  }
  if (names.size() == 2 && names[0] == "dsh" && names[1] == "--serve") return ServeDsh();
  if (names.size() == 2 && names[0] == "dsh" && names[1] == "pre-step") return DshPreStep();
  if (names.size() != 2 || FindHookHost(names[0]) == nullptr) {
    SayOfHook("unknown host or event; nothing is changed (pith hook HOST EVENT)");
    return 0;
  }
  call.host = names[0];
  call.event = names[1];
  const HookHost* host = FindHookHost(call.host);
  if (!marker_known) SayOfHook("unknown marker style; nothing is changed (--marker mcp, cli, ccr, tokenjuice or dsh)");
  const bool off = !marker_known || IsSet("PITH_DISABLE") || IsSet("PITH_NO_HOOKS");
  std::optional<std::string> payload = off ? std::nullopt : ReadPayload();
  std::string answer(host->nothing);
  std::vector<std::string> notices;
  ReachCall reach;
  if (payload) answer = AnswerHook(call, *payload, &notices, &reach);
  for (const std::string& notice : notices) SayOfHook(notice);
  if (!answer.empty()) WriteAll(STDOUT_FILENO, answer + "\n");
  if (!reach.host.empty()) {
    const Result<Config> config = Config::Read();
    if (config.ok() && !config->Flag(Key::kDisable) && !config->Flag(Key::kNoHooks)) NoteReach(*config, reach);
  }
  return 0;
}

}  // namespace pith
