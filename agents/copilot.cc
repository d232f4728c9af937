// Copilot CLI, postToolUse: camel case, arguments as a string of JSON, and a field of its own for a changed result.
#include "agents/host_readers.h"
#include "agents/json_fields.h"
#include "base/json_text.h"

namespace pith {

std::optional<ToolResult> ReadCopilot(const HookJson& payload) {
  ToolResult result;
  result.tool = TextAt(payload, "toolName");
  const HookJson& written = FieldAt(payload, "toolArgs");
  const HookJson input = written.is_string() ? ParseOrderedJson(written.get<std::string>()) : written;
  result.command = TextAt(input, "command");
  result.path = FirstTextAt(input, {"path", "file_path"});
  const HookJson& outcome = FieldAt(payload, "toolResult");
  result.text = TextAt(outcome, "textResultForLlm");
  const std::string type = TextAt(outcome, "resultType");
  result.failed = type == "failure" || type == "denied";
  if (result.text.empty()) return std::nullopt;
  result.answer = [type](const std::string& view) {
    HookJson changed = {{"textResultForLlm", view}};
    if (!type.empty()) changed["resultType"] = type;
    return JsonLine({{"modifiedResult", std::move(changed)}});
  };
  return result;
}

}  // namespace pith
