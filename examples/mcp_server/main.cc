// An MCP server with one tool of its own, on Pith's protocol layer: counts the words of a text. It speaks every
// revision over stdio; register it with, for example,  claude mcp add words -- ./mcp_word_server
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "server/registry.h"
#include "server/serve.h"

namespace {

using pith::mcp::CallContext;
using pith::mcp::Content;
using pith::mcp::ToolResult;

// What the arguments must look like. The layer checks them before it calls us, and tells the model what was wrong.
constexpr const char* kSchema = R"({
  "type": "object",
  "properties": {
    "text": {"type": "string", "description": "The text whose words are counted."},
    "distinct": {"type": "boolean", "description": "Count each word once.", "default": false}
  },
  "required": ["text"],
  "additionalProperties": false
})";

ToolResult CountWords(const nlohmann::json& arguments, CallContext& context) {
  std::istringstream text(arguments.at("text").get<std::string>());
  const bool distinct = arguments.value("distinct", false);
  std::set<std::string> seen;
  uint64_t words = 0;
  for (std::string word; text >> word && !context.cancelled();) {
    if (!distinct || seen.insert(word).second) ++words;
    if (words % 100'000 == 0) context.Progress(static_cast<double>(words), std::nullopt, "counting");
  }
  ToolResult result;
  result.content.push_back({Content::Type::kText, std::to_string(words) + " words", {}, {}, {}, {}});
  return result;
}

}  // namespace

int main() {
  pith::mcp::Registry registry;
  registry.name = "words";
  registry.title = "Word counter";
  registry.version = "1.0.0";
  registry.instructions = "Counts words. Use count_words for the length of a text.";

  pith::mcp::Tool tool;
  tool.name = "count_words";
  tool.title = "Count words";
  tool.description = "Counts the words of a text; words are what blanks separate.";
  tool.input_schema = kSchema;
  tool.annotations = R"({"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false})";
  tool.call = CountWords;
  registry.tools.push_back(std::move(tool));

  return pith::mcp::ServeStdio(registry);
}
