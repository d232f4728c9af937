// Hosts that load a plugin (OpenCode, pi): the file that `pith install` writes hands over {tool, args, output, failed}
// and takes {output} back.
#include "agents/host_readers.h"
#include "agents/json_fields.h"

namespace pith {

std::optional<ToolResult> ReadPlugin(const HookJson& payload) {
  ToolResult result;
  result.tool = TextAt(payload, "tool");
  const HookJson& input = FieldAt(payload, "args");
  result.command = TextAt(input, "command");
  result.path = FirstTextAt(input, {"filePath", "path", "url"});
  result.text = TextAt(payload, "output");
  if (const HookJson& code = FieldAt(payload, "exit"); code.is_number_integer()) result.exit_code = code.get<int>();
  const HookJson& failed = FieldAt(payload, "failed");
  result.failed = failed.is_boolean() && failed.get<bool>();
  if (result.text.empty()) return std::nullopt;
  result.answer = [](const std::string& view) { return JsonLine({{"output", view}}); };
  return result;
}

}  // namespace pith
