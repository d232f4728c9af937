// Codex, PostToolUse: what stands in `reason` of a `block` decision takes the place of the output that the model sees;
// it is the only field that does. Other replies are refused by the host and mark the hook as failed.
#include "agents/host_readers.h"
#include "agents/json_fields.h"

namespace pith {

std::optional<ToolResult> ReadCodex(const HookJson& payload) {
  if (TextAt(payload, "hook_event_name") != "PostToolUse") return std::nullopt;
  ToolResult result;
  result.tool = TextAt(payload, "tool_name");
  const HookJson& input = FieldAt(payload, "tool_input");
  result.command = FirstTextAt(input, {"command", "cmd"});
  const HookJson& response = FieldAt(payload, "tool_response");
  if (response.is_string()) {
    result.text = response.get<std::string>();
  } else if (std::optional<std::string> text =
                 TextOfBlocks(response.is_array() ? response : FieldAt(response, "content"))) {
    result.text = std::move(*text);
  } else {
    result.text = FirstTextAt(response, {"output", "aggregated_output", "stdout"});
  }
  if (const HookJson& code = FieldAt(response, "exit_code"); code.is_number_integer())
    result.exit_code = code.get<int>();
  result.host_cut = result.text.find(" tokens truncated\u2026") != std::string::npos;
  if (result.text.empty()) return std::nullopt;
  result.answer = [](const std::string& view) { return JsonLine({{"decision", "block"}, {"reason", view}}); };
  return result;
}

}  // namespace pith
