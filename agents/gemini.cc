// Gemini CLI and Qwen Code, AfterTool: `reason` of a `deny` decision takes the place of the tool's result; the tool has
// run already, so nothing is refused by it.
#include "agents/host_readers.h"
#include "agents/json_fields.h"

namespace pith {

std::optional<ToolResult> ReadGemini(const HookJson& payload) {
  ToolResult result;
  result.tool = TextAt(payload, "tool_name");
  const HookJson& input = FieldAt(payload, "tool_input");
  result.command = TextAt(input, "command");
  result.path = FirstTextAt(input, {"absolute_path", "file_path", "path"});
  const HookJson& response = FieldAt(payload, "tool_response");
  const HookJson& content = FieldAt(response, "llmContent");
  if (response.is_string()) {
    result.text = response.get<std::string>();
  } else if (content.is_string()) {
    result.text = content.get<std::string>();
  } else if (content.is_array() && content.size() == 1) {
    result.text = TextAt(content[0], "text");
  } else {
    result.text = TextAt(content, "text");
  }
  result.failed = !FieldAt(response, "error").is_null();
  if (result.text.empty()) return std::nullopt;
  result.answer = [](const std::string& view) { return JsonLine({{"decision", "deny"}, {"reason", view}}); };
  return result;
}

}  // namespace pith
