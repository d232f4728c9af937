// Claude Code, PostToolUse: `updatedToolOutput` must have the shape of the tool's own result, else it is dropped
// without a word. So each tool has a row: where the text stands in its result, and how the result is copied with
// another text. MCP tools give an array of content blocks and are answered with `updatedMCPToolOutput`, which older
// versions know too. A shape that is not the one we know passes through.
#include <algorithm>

#include "agents/host_readers.h"
#include "agents/json_fields.h"

namespace pith {
namespace {

std::string Answer(std::string_view key, HookJson value) {
  HookJson output = {{"hookEventName", "PostToolUse"}};
  output[std::string(key)] = std::move(value);
  return JsonLine(HookJson{{"hookSpecificOutput", std::move(output)}});
}

using Place = bool (*)(const HookJson& payload, ToolResult& result);

// The result's string field `key` is the text.
bool PlaceField(const HookJson& payload, ToolResult& result, const char* key) {
  const HookJson& response = FieldAt(payload, "tool_response");
  if (!FieldAt(response, key).is_string()) return false;
  result.text = TextAt(response, key);
  result.answer = [response, key](const std::string& view) {
    HookJson copy = response;
    copy[key] = view;
    return Answer("updatedToolOutput", std::move(copy));
  };
  return true;
}

// A result that the host has saved to a file itself cannot be replaced any more.
bool PlaceBash(const HookJson& payload, ToolResult& result) {
  const HookJson& response = FieldAt(payload, "tool_response");
  const bool image = FieldAt(response, "isImage").is_boolean() && FieldAt(response, "isImage").get<bool>();
  const HookJson& stopped = FieldAt(response, "interrupted");
  if (image || FieldAt(response, "persistedOutputPath").is_string() ||
      FieldAt(response, "backgroundTaskId").is_string() || (stopped.is_boolean() && stopped.get<bool>())) {
    return false;
  }
  result.exit_code = 0;  // a failing command comes as another event
  return PlaceField(payload, result, "stdout");
}

bool PlaceGrep(const HookJson& payload, ToolResult& result) { return PlaceField(payload, result, "content"); }
bool PlaceWeb(const HookJson& payload, ToolResult& result) { return PlaceField(payload, result, "result"); }

// A list of names: the view's lines become the names.
bool PlaceGlob(const HookJson& payload, ToolResult& result) {
  const HookJson& response = FieldAt(payload, "tool_response");
  const HookJson& names = FieldAt(response, "filenames");
  if (!names.is_array() || names.empty()) return false;
  for (const HookJson& name : names) {
    if (!name.is_string()) return false;
    result.text += name.get<std::string>() + "\n";
  }
  result.answer = [response](const std::string& view) {
    HookJson copy = response;
    HookJson lines = HookJson::array();
    for (size_t at = 0; at < view.size();) {
      const size_t end = std::min(view.find('\n', at), view.size());
      lines.push_back(view.substr(at, end - at));
      at = end + 1;
    }
    copy["filenames"] = std::move(lines);
    return Answer("updatedToolOutput", std::move(copy));
  };
  return true;
}

bool PlaceTask(const HookJson& payload, ToolResult& result) {
  const HookJson& response = FieldAt(payload, "tool_response");
  std::optional<std::string> text = TextOfBlocks(FieldAt(response, "content"));
  if (!text) return false;
  result.text = std::move(*text);
  result.answer = [response](const std::string& view) {
    HookJson copy = response;
    copy["content"] = BlocksOf(view);
    return Answer("updatedToolOutput", std::move(copy));
  };
  return true;
}

// A Read of what the host saved of a long output is an output; a Read of a part of it was asked for and stays exact.
bool PlaceRead(const HookJson& payload, ToolResult& result) {
  const HookJson& input = FieldAt(payload, "tool_input");
  const HookJson& response = FieldAt(payload, "tool_response");
  const bool saved = result.path.find("/tool-results/") != std::string::npos;
  if (!saved || input.contains("offset") || input.contains("limit")) return false;
  const HookJson& file = FieldAt(response, "file");
  if (!FieldAt(file, "content").is_string()) return false;
  result.tool = "Bash";
  result.path.clear();
  result.text = TextAt(file, "content");
  result.answer = [response](const std::string& view) {
    HookJson copy = response;
    copy["file"]["content"] = view;
    return Answer("updatedToolOutput", std::move(copy));
  };
  return true;
}

bool PlaceMcp(const HookJson& payload, ToolResult& result) {
  const HookJson& response = FieldAt(payload, "tool_response");
  if (response.is_string()) {
    result.text = response.get<std::string>();
    result.answer = [](const std::string& view) { return Answer("updatedMCPToolOutput", view); };
    return true;
  }
  const bool wrapped = response.is_object();
  std::optional<std::string> text = TextOfBlocks(wrapped ? FieldAt(response, "content") : response);
  if (!text) return false;
  result.text = std::move(*text);
  result.answer = [response, wrapped](const std::string& view) {
    if (!wrapped) return Answer("updatedMCPToolOutput", BlocksOf(view));
    HookJson copy = response;
    copy["content"] = BlocksOf(view);
    return Answer("updatedMCPToolOutput", std::move(copy));
  };
  return true;
}

struct ToolRow {
  std::string_view tool;
  Place place;
};
constexpr ToolRow kTools[] = {
    {"Bash", &PlaceBash}, {"Grep", &PlaceGrep},  {"Glob", &PlaceGlob}, {"WebFetch", &PlaceWeb},
    {"Task", &PlaceTask}, {"Agent", &PlaceTask}, {"Read", &PlaceRead},
};

}  // namespace

std::optional<ToolResult> ReadClaudeCode(const HookJson& payload) {
  if (TextAt(payload, "hook_event_name") != "PostToolUse") return std::nullopt;
  ToolResult result;
  result.tool = TextAt(payload, "tool_name");
  const HookJson& input = FieldAt(payload, "tool_input");
  result.command = TextAt(input, "command");
  result.path = FirstTextAt(input, {"file_path", "path", "url"});
  Place place = result.tool.starts_with("mcp__") ? &PlaceMcp : nullptr;
  for (const ToolRow& row : kTools) {
    if (row.tool == result.tool) place = row.place;
  }
  if (result.tool == "Grep") result.path.clear();
  if (place == nullptr || !place(payload, result)) return std::nullopt;
  return result;
}

}  // namespace pith
