#include <nlohmann/json.hpp>

#include "base/units.h"
#include "tools/mcp_tools.h"
#include "tools/view_json.h"

namespace pith::mcp {
namespace {

using Json = nlohmann::json;

// Bytes from which on the steps are worth a message: less takes a few milliseconds.
constexpr size_t kLongWork = 8u << 20;

std::string_view TextOf(const Json& arguments, const char* name) {
  auto found = arguments.find(name);
  return found == arguments.end() ? std::string_view() : std::string_view(found->get_ref<const std::string&>());
}

Hints HintsFrom(const Json& arguments) {
  Hints hints;
  hints.tool_name = TextOf(arguments, "tool_name");
  hints.command = TextOf(arguments, "command");
  hints.path = TextOf(arguments, "path");
  hints.query = TextOf(arguments, "query");
  if (arguments.contains("exit_code")) hints.exit_code = arguments["exit_code"].get<int>();
  if (arguments.contains("max_tokens")) hints.max_tokens = arguments["max_tokens"].get<uint64_t>();
  return hints;
}

ToolResult RunCompact(Service& service, bool pass_through, const ReadRules& rules, const Json& arguments,
                      CallContext& context) {
  if (arguments.contains("content") == arguments.contains("path")) {
    return Refusal("compact takes one of content and path");
  }
  std::string file;
  std::string_view bytes = TextOf(arguments, "content");
  if (arguments.contains("path")) {
    Result<std::string> read = ReadBeneath(rules, TextOf(arguments, "path"));
    if (!read.ok()) return Refusal(read.error().sentence);
    file = read.Take();
    bytes = file;
  }
  if (bytes.size() >= kLongWork) context.Progress(1, 2, "read " + BytesText(bytes.size()));
  const StopAsked stop = StopOf(context);
  Caller caller = CallerOf(context);
  caller.stop = &stop;
  CompactOutcome outcome;
  if (pass_through)
    outcome.view = ExactView(bytes, Kind::kText);
  else
    outcome = service.Compact(bytes, HintsFrom(arguments), caller);
  if (outcome.view.stopped) return Refusal("cancelled before the view was made");
  if (bytes.size() >= kLongWork) context.Progress(2, 2, "view made, original kept");
  ToolResult result;
  AddBytesAsText(result, outcome.view.text, outcome.token, 0);
  for (const std::string& notice : outcome.notices) {
    AddNote(result, notice);
    context.Log("warning", notice);
  }
  std::string facts = "{";
  AppendViewFacts(facts, outcome);
  result.meta_json = ResultMeta(facts + "}");
  return result;
}

}  // namespace

Tool CompactTool(Service& service, const RegistryOptions& options, const ReadRules& rules) {
  Tool tool;
  tool.name = "compact";
  tool.description =
      "Short view of a large tool output or file: errors, failures and matches stay, what is left out is marked with "
      "its "
      "address, the original is kept. Give content or path.";
  tool.input_schema = SchemaNamed(tool.name);
  tool.annotations = R"({"destructiveHint":false,"openWorldHint":false})";
  tool.call = [&service, pass_through = options.pass_through, rules](const Json& arguments, CallContext& context) {
    return RunCompact(service, pass_through, rules, arguments, context);
  };
  return tool;
}

}  // namespace pith::mcp
