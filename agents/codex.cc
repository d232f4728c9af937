// Codex, PostToolUse: what stands in `reason` of a `block` decision takes the place of the output that the model sees;
// it is the only field that does. Other replies are refused by the host and mark the hook as failed. The host's own
// lines about the call go with the output, that of the exit code among them; so a command's result is only replaced
// where its exit code came along and the view can state it.
#include "agents/host_readers.h"
#include "agents/json_fields.h"

namespace pith {
namespace {

bool IsShellTool(std::string_view tool) {
  return tool == "Bash" || tool == "shell" || tool == "exec_command" || tool == "local_shell";
}

// A result is text, an object that holds it, or content blocks; of an MCP tool it may be JSON text of the blocks.
std::string TextOfResponse(const HookJson& response) {
  if (response.is_string()) return response.get<std::string>();
  if (std::optional<std::string> text = TextOfBlocks(response.is_array() ? response : FieldAt(response, "content"))) {
    return std::move(*text);
  }
  return FirstTextAt(response, {"output", "aggregated_output", "stdout"});
}

}  // namespace

std::optional<ToolResult> ReadCodex(const HookJson& payload) {
  if (TextAt(payload, "hook_event_name") != "PostToolUse") return std::nullopt;
  ToolResult result;
  result.tool = TextAt(payload, "tool_name");
  result.command = FirstTextAt(FieldAt(payload, "tool_input"), {"command", "cmd"});
  const HookJson& response = FieldAt(payload, "tool_response");
  result.text = TextOfResponse(response);
  if (const HookJson& code = FieldAt(response, "exit_code"); code.is_number_integer())
    result.exit_code = code.get<int>();
  const HookJson& failed = FieldAt(response, "isError");
  result.failed = failed.is_boolean() && failed.get<bool>();
  result.host_cut = result.text.starts_with("Warning: truncated output") ||
                    result.text.find(" tokens truncated\u2026") != std::string::npos;
  if (result.text.empty() || (IsShellTool(result.tool) && !result.exit_code)) return std::nullopt;
  result.answer = [](const std::string& view) { return JsonLine({{"decision", "block"}, {"reason", view}}); };
  return result;
}

}  // namespace pith
