// Help, the man page and shell completion are three ways of printing the same rows.
#include <algorithm>

#include "cli/command.h"
#include "cli/output.h"

namespace pith::cli {
namespace {

constexpr size_t kWidth = 96;
constexpr size_t kColumn = 26;

constexpr std::string_view kOpening =
    "Pith keeps the pith of a tool's output in an agent's context and the whole of it on a shelf.\n";

constexpr std::string_view kClosing =
    "\nFirst steps:\n"
    "  make 2>&1 | pith compact --command make     a short view; its last line names the token\n"
    "  pith retrieve last --lines 31-114           what a gap of that view hides\n"
    "  claude mcp add pith -- pith serve           the same for an agent, as MCP tools\n"
    "\nExit codes: 0 done, 1 failed, 2 wrong use, 3 no such original. Configuration: `pith config --list`.\n"
    "`pith COMMAND --help` tells more.\n";

// Appends `text` broken at blanks, each further line indented.
void AppendWrapped(std::string& out, std::string_view text, size_t column, size_t indent) {
  while (!text.empty()) {
    size_t cut = text.find_first_of(" \n");
    std::string_view word = text.substr(0, cut);
    bool new_line = cut != std::string_view::npos && text[cut] == '\n';
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    if (new_line) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    text = cut == std::string_view::npos ? std::string_view() : text.substr(cut + 1);
  }
  out += '\n';
}

void AppendRow(std::string& out, std::string_view name, std::string_view text) {
  out += "  " + std::string(name);
  size_t column = 2 + name.size();
  if (column + 2 > kColumn)
    out += "\n" + std::string(kColumn, ' ');
  else
    out += std::string(kColumn - column, ' ');
  AppendWrapped(out, text, kColumn, kColumn);
}

std::string OptionLabel(const OptionRow& row) {
  std::string label(row.names);
  if (size_t comma = label.find(','); comma != std::string::npos) label.insert(comma + 1, " ");
  if (!row.value.empty()) label += " " + std::string(row.value);
  return label;
}

std::string OptionHelp(const OptionRow& row) {
  std::string text(row.help);
  if (row.choices.empty()) return text;
  std::string choices(row.choices);
  for (size_t at = choices.find('|'); at != std::string::npos; at = choices.find('|', at + 2))
    choices.replace(at, 1, ", ");
  return text + " (" + choices + ")";
}

constexpr OptionRow kHelpOptions[] = {{"COMMAND", "", "the subcommand to tell of"}};

int RunHelp(const Invocation& invocation) {
  std::optional<std::string_view> name = invocation.arguments.Text("COMMAND");
  if (!name) return Print(HelpOfAll());
  const CommandRow* row = FindCommand(*name);
  if (row) return Print(HelpOf(*row));
  Complain("unknown command \"" + std::string(*name) + "\"; `pith help` lists them");
  return kWrongUse;
}

}  // namespace

std::string HelpOf(const CommandRow& row) {
  std::string text = "Usage: pith " + std::string(row.name) + " " + std::string(row.usage) + "\n\n";
  AppendWrapped(text, row.about, 0, 0);
  for (bool positional : {true, false}) {
    bool first = true;
    for (const OptionRow& option : row.options) {
      if (option.names.starts_with('-') == positional) continue;
      if (first) text += positional ? "\nArguments:\n" : "\nOptions:\n";
      first = false;
      AppendRow(text, OptionLabel(option), OptionHelp(option));
    }
  }
  return text;
}

std::string HelpOfAll() {
  std::string text(kOpening);
  text += "\nUsage: pith COMMAND [ARGUMENTS]\n\nCommands:\n";
  for (const CommandRow* row : Commands()) {
    if (!row->hidden) AppendRow(text, row->name, row->summary);
  }
  return text + std::string(kClosing);
}

extern const CommandRow kHelp;
const CommandRow kHelp = {"help",
                          "[COMMAND]",
                          "tell what commands there are, or of one of them",
                          "Prints help; `pith man` prints the manual page.",
                          kHelpOptions,
                          &RunHelp};

}  // namespace pith::cli
