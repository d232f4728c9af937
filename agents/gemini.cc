// Gemini CLI, AfterTool: `reason` of a `deny` decision takes the place of the tool's result; the tool has
// run already, so nothing is refused by it. The host hands such a result to the model as an error's text, so the answer
// begins by saying how the tool ended.
//
// A command's result is framed: `<untrusted_context>` around it, `Output: ` before it, lines about exit code and
// processes behind it. The view is made of what the command printed, and put back into the frame, which tells the model
// not to obey the text.
#include <array>
#include <charconv>

#include "agents/host_readers.h"
#include "agents/json_fields.h"

namespace pith {
namespace {

constexpr std::string_view kOpening = "<untrusted_context>\n", kClosing = "\n</untrusted_context>";
constexpr std::string_view kOutput = "Output: ", kExitCode = "Exit Code: ";

struct Framed {
  std::string before, text, after;
  std::optional<int> exit_code;
  bool of_command = false;
};

bool IsLineAboutProcess(std::string_view line) {
  static constexpr std::array<std::string_view, 5> kStarts = {
      kExitCode, "Signal: ", "Error: ", "Background PIDs: ", "Process Group PGID: "};
  for (std::string_view start : kStarts) {
    if (line.starts_with(start)) return true;
  }
  return false;
}

Framed FrameOf(std::string_view whole) {
  Framed framed;
  std::string_view text = whole;
  if (text.starts_with(kOpening) && text.ends_with(kClosing)) {
    framed.before = kOpening;
    framed.after = kClosing;
    text.remove_prefix(kOpening.size());
    text.remove_suffix(kClosing.size());
  }
  if (text.starts_with(kOutput)) {
    framed.of_command = true;
    framed.before += kOutput;
    text.remove_prefix(kOutput.size());
    framed.exit_code = 0;  // the host names others
    for (size_t cut = text.rfind('\n'); cut != std::string_view::npos && IsLineAboutProcess(text.substr(cut + 1));
         cut = text.rfind('\n')) {
      const std::string_view line = text.substr(cut + 1);
      int code = 0;
      if (line.starts_with("Signal: ")) framed.exit_code.reset();
      if (line.starts_with(kExitCode) &&
          std::from_chars(line.data() + kExitCode.size(), line.data() + line.size(), code).ec == std::errc()) {
        framed.exit_code = code;
      }
      framed.after.insert(0, text.substr(cut));
      text = text.substr(0, cut);
    }
  }
  framed.text = text;
  return framed;
}

std::string HowItEnded(const Framed& framed, bool of_command) {
  if (!of_command) return "[no error: the result of the tool]\n";
  if (framed.exit_code == 0) return "[no error: the command ended with exit code 0]\n";
  return "[the command has run; its output]\n";
}

}  // namespace

std::optional<ToolResult> ReadGemini(const HookJson& payload) {
  ToolResult result;
  result.tool = TextAt(payload, "tool_name");
  const HookJson& input = FieldAt(payload, "tool_input");
  result.command = TextAt(input, "command");
  result.path = FirstTextAt(input, {"absolute_path", "file_path", "path"});
  const HookJson& response = FieldAt(payload, "tool_response");
  const HookJson& content = FieldAt(response, "llmContent");
  std::string whole;
  if (response.is_string()) {
    whole = response.get<std::string>();
  } else if (content.is_string()) {
    whole = content.get<std::string>();
  } else if (content.is_array() && content.size() == 1) {
    whole = TextAt(content[0], "text");
  } else {
    whole = TextAt(content, "text");
  }
  Framed framed = FrameOf(whole);
  const bool of_command = !result.command.empty();
  if (of_command && framed.of_command) result.exit_code = framed.exit_code;
  result.text = framed.text;
  result.failed = !FieldAt(response, "error").is_null();
  if (result.text.empty()) return std::nullopt;
  result.answer = [framed, of_command](const std::string& view) {
    const std::string reason = HowItEnded(framed, of_command) + framed.before + view + framed.after;
    return JsonLine({{"decision", "deny"}, {"reason", reason}});
  };
  return result;
}

}  // namespace pith
