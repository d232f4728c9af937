// Hooks: a host hands over the result of a tool as JSON on stdin; the answer on stdout puts a view in its place, or
// says nothing. Whatever happens, the exit code is 0 and the host's own result stands: hosts read other codes as
// "block".
//
// A host is a row (hosts.cc) and a file of its own with the wire form: how its payload is read, and how an answer in
// the shape of the tool is written.
#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/reach.h"
#include "base/markers.h"

namespace pith {

// A tool's result, as every host's payload comes down to it.
struct ToolResult {
  std::string tool;     // as the host names it
  std::string command;  // of a shell tool
  std::string path;     // of a file or address that the result is of
  std::string query;    // what a search looked for
  std::string text;     // what the model would see, and what a view may replace
  std::optional<int> exit_code;
  bool failed = false;    // the host flagged it as an error
  bool host_cut = false;  // the host passed on only a part
  // The host's answer that puts `view` in the place of `text`, in the tool's own shape.
  std::function<std::string(const std::string& view)> answer;
};

// Reads a payload. nullopt: not for us (another shape, version, event, a tool that cannot be replaced).
using HookReader = std::optional<ToolResult> (*)(const nlohmann::ordered_json& payload);

struct HookEvent {
  std::string_view name;  // as the host writes it on our command line: "PostToolUse"
  HookReader read;        // null: the host allows nothing to be replaced here
};

struct HookHost {
  std::string_view name;      // "claude-code"
  std::string_view tool_key;  // the payload's key with the tool's name, looked for before anything is parsed
  std::string_view nothing;   // what to print when there is nothing to change: "" or "{}"
  uint64_t shown_bytes;       // what the host shows of a result before it cuts; views are kept below
  uint64_t cut_bytes;         // what it leaves of a longer one
  std::span<const HookEvent> events;
};
std::span<const HookHost> HookHosts();
const HookHost* FindHookHost(std::string_view name);

// How a hook command was called: `pith hook HOST EVENT [--marker STYLE]`.
struct HookCall {
  std::string_view host, event;
  std::optional<MarkerStyle> marker;
};

// The answer for a payload; `notices` gets what a person should be told, `reach` what came of the call (its host is
// empty when there was no call to speak of). Never throws.
std::string AnswerHook(const HookCall& call, std::string_view payload, std::vector<std::string>* notices,
                       ReachCall* reach = nullptr);

// Why the payload's text alone tells that nothing is to be done: small, or of a tool that stays exact; "" if it does
// not.
std::string_view PlainlyNotForUs(const HookHost& host, std::string_view payload);

// The whole subcommand: reads stdin, prints the answer. Always 0.
int Hook(std::span<char*> words);

}  // namespace pith
