#include <nlohmann/json.hpp>

#include "tools/mcp_tools.h"

namespace pith::mcp {
namespace {

constexpr std::string_view kText =
    "How to read Pith's views.\n"
    "\n"
    "A view stands in for a tool output that was too long. Its lines are the output's own; what is left out is marked "
    "where "
    "it was:\n"
    "\n"
    "    [84 lines omitted: 31-114]\n"
    "\n"
    "The last line says what the view is:\n"
    "\n"
    "    [PARTIAL view of N bytes, M lines; full original: ...]      something is left out\n"
    "    [reformatted, nothing dropped; exact original: ...]         nothing is left out\n"
    "\n"
    "No such line: the text is the output itself, whole.\n"
    "\n"
    "To see what a gap hides, call tokenjuice_retrieve with the token of the last line and the gap's address as it is "
    "written: lines \"31-114\", bytes \"900+4096\" or json_path \"$[3:497]\". To look for something, give pattern "
    "(RE2) and "
    "context; matches come with their line numbers. Without a selector the whole comes, in pages; each says the next "
    "offset. To look through everything that was kept for this project, call ccr_search.\n"
    "\n"
    "A view keeps errors, failing tests, changed lines and matches, but never conclude from a view that something is "
    "absent: "
    "fetch the gap first. Originals are kept for days; when one is gone, the answer says so and asking again will not "
    "help.";

}  // namespace

Prompt ViewsPrompt() {
  Prompt prompt;
  prompt.name = "read_views";
  prompt.title = "How to read Pith's views";
  prompt.description = "What gaps and footers mean, and how to fetch what they hide";
  prompt.arguments = {{"token", "Token", "A view's token, to work on it at once", false}};
  prompt.get = [](const nlohmann::json& arguments) -> Result<std::vector<PromptMessage>> {
    std::string text(kText);
    auto token = arguments.find("token");
    if (token != arguments.end() && token->is_string()) {
      text += "\n\nThe view at hand has the token \"" + token->get<std::string>() + "\".";
    }
    PromptMessage message;
    message.role = "user";
    message.content.text = std::move(text);
    return std::vector<PromptMessage>{std::move(message)};
  };
  return prompt;
}

}  // namespace pith::mcp
