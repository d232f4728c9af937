// An agent that reads a file will quote it in its next edit, and a program that reads a list will take it at its word:
// for both, the only right view is the text itself. Savings are sought elsewhere. The small stays as it is because a
// footer would eat what a view could save; unasked (kHook) the floor is higher, since nobody wanted a view.
#include "compact/policy.h"

#include <algorithm>
#include <array>

#include "base/markers.h"
#include "compact/characters.h"

namespace pith {
namespace {

constexpr uint64_t kSmall = 400;         // bytes, asked for
constexpr uint64_t kSmallUnasked = 800;  // bytes, unasked

// Lower case; names of agents' own tools and of file-system MCP servers.
constexpr auto kFileTools = std::to_array<std::string_view>({
    "read",
    "read_file",
    "readfile",
    "read_many_files",
    "read_multiple_files",
    "read_text_file",
    "read_media_file",
    "view",
    "view_file",
    "open_file",
    "get_file_contents",
    "cat",
    "edit",
    "edit_file",
    "multiedit",
    "multi_edit",
    "write",
    "write_file",
    "write_to_file",
    "create_file",
    "str_replace_editor",
    "str_replace_based_edit_tool",
    "str_replace",
    "replace",
    "replace_in_file",
    "replace_string_in_file",
    "insert_edit_into_file",
    "apply_patch",
    "apply_diff",
    "notebookedit",
    "notebookread",
    "notebook_edit",
    "read_notebook_cell_output",
    "todowrite",
    "todoread",
    "search_replace",
});

uint64_t NumberFrom(std::string_view text, size_t& at) {
  uint64_t number = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && number < UINT64_MAX / 100; ++at) {
    number = number * 10 + static_cast<uint64_t>(text[at] - '0');
  }
  return number;
}

// "12:text", "12-text": a match under its file's name.
bool IsNumbered(std::string_view line) {
  const size_t end = line.find_first_not_of("0123456789");
  return end != std::string_view::npos && end > 0 && (line[end] == ':' || line[end] == '-');
}

// Whether lines show one of the lossless forms: JSON without blanks, a line of ours in brackets, matches or names under
// a folder or a file. A footer of a lossless view that ends a text without any is quoted.
bool ShowsLosslessForm(std::string_view shown) {
  if (shown.starts_with('{') || shown.starts_with('[') || shown.starts_with('<')) return true;
  if (shown.find("\n[") != std::string_view::npos || shown.find(" [x") != std::string_view::npos) return true;
  bool named = false;  // the line before may be a file's name
  while (!shown.empty()) {
    const std::string_view line = shown.substr(0, shown.find('\n'));
    const bool one_word = !line.empty() && line.find(' ') == std::string_view::npos;
    if (one_word && line.ends_with('/')) return true;
    if (named && (IsNumbered(line) || line.starts_with(' '))) return true;
    named = !line.empty() && !IsNumbered(line) && line[0] != ' ';
    shown.remove_prefix(std::min(line.size() + 1, shown.size()));
  }
  return false;
}

// Whether what a footer says of its original can be true of the text that it ends: a view is smaller than its original,
// and where it leaves out no line it has them all. A footer that somebody quotes at the end of a text of his own says
// it of another text.
bool FooterFits(std::string_view text) {
  constexpr std::string_view kOpening = "[PARTIAL view of ", kLossless = "[reformatted, nothing dropped";
  const size_t lossless = text.rfind(kLossless);
  const size_t footer = text.rfind(kOpening);
  const bool partial = footer != std::string_view::npos && (lossless == std::string_view::npos || footer > lossless);
  if (!partial && lossless != std::string_view::npos) return ShowsLosslessForm(text.substr(0, lossless));
  if (!partial) return true;  // another form of footer: it says nothing of sizes
  size_t at = footer + kOpening.size();
  const uint64_t bytes = NumberFrom(text, at);
  at = std::min(text.find(' ', at + 1), text.size());  // "bytes,"
  const uint64_t lines = NumberFrom(text, ++at);
  if (bytes == 0 || footer >= bytes) return false;
  const std::string_view shown = text.substr(0, footer);
  const bool gaps = shown.starts_with('[') || shown.find(" omitted") != std::string_view::npos;
  return gaps || static_cast<uint64_t>(std::count(shown.begin(), shown.end(), '\n')) >= lines;
}

}  // namespace

std::string_view BareToolName(std::string_view tool_name) {
  if (!tool_name.starts_with("mcp__")) return tool_name;
  const size_t server_end = tool_name.find("__", 5);
  return server_end == std::string_view::npos ? tool_name : tool_name.substr(server_end + 2);
}

bool IsFileTool(std::string_view tool_name) {
  const std::string_view bare = BareToolName(tool_name);
  return std::any_of(kFileTools.begin(), kFileTools.end(),
                     [&](std::string_view name) { return ascii::SameIgnoringCase(bare, name); });
}

std::string_view ExactReason(std::string_view bytes, const Hints& hints, const Command& command) {
  const bool unasked = hints.policy == Policy::kHook;
  if (!hints.tool_name.empty() && IsRecoveryTool(hints.tool_name)) return "gives an original back";
  if (command.rule != nullptr && command.rule->id == "pith.recovery") return command.rule->reason;
  if (bytes.size() < (unasked ? kSmallUnasked : kSmall)) return "small";
  if (EndsInFooter(bytes) && FooterFits(bytes)) return "is a view already";
  if (!unasked) return {};
  if (IsFileTool(hints.tool_name)) return "shows or changes a file";
  if (command.exact) return command.reason.empty() ? "exact by its command" : command.reason;
  return {};
}

bool StaysExact(const Document& document, std::string* reason) {
  const std::string_view why = ExactReason(document.plain.original(), document.hints, document.command);
  if (reason != nullptr) *reason = std::string(why);
  return !why.empty();
}

}  // namespace pith
