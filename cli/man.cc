#include "base/config.h"
#include "cli/command.h"
#include "cli/output.h"

namespace pith::cli {
namespace {

// Text as roff: backslashes, leading dots and hyphens made safe; blank lines become paragraphs.
std::string Roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '\n' && text.substr(at, 2) == "\n\n") {
      out += "\n.PP\n";
      line_start = true;
      ++at;
      continue;
    }
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_start = c == '\n';
  }
  return out;
}

std::string OptionPart(const OptionRow& row) {
  std::string text = ".TP\n.B " + Roff(row.names);
  if (!row.value.empty()) text += " \\fI" + Roff(row.value) + "\\fR";
  text += "\n" + Roff(row.help);
  if (!row.choices.empty()) text += " (" + Roff(row.choices) + ")";
  return text + "\n";
}

std::string CommandPart(const CommandRow& row) {
  std::string text = ".SS \"pith " + std::string(row.name) + " " + Roff(row.usage) + "\"\n" + Roff(row.about) + "\n";
  for (const OptionRow& option : row.options) text += OptionPart(option);
  return text;
}

std::string Page() {
  std::string text =
      ".TH PITH 1 \"\" \"pith " PITH_VERSION
      "\" \"User Commands\"\n.SH NAME\npith \\- short, truthful "
      "views of tool output; the exact bytes on request\n.SH SYNOPSIS\n.B pith\n.I COMMAND\n[ARGUMENTS]\n";
  text +=
      ".SH DESCRIPTION\nPith compacts large tool outputs into short views, stores each original under a token, and "
      "gives the exact bytes back on request: as an MCP server for agents and as a command line.\n.SH COMMANDS\n";
  for (const CommandRow* row : Commands()) {
    if (!row->hidden) text += CommandPart(*row);
  }
  text +=
      ".SH CONFIGURATION\nFlags win over environment variables, those over ~/.config/pith/config.json, that over "
      "defaults.\n";
  for (const Setting& setting : Settings()) {
    text += ".TP\n.B " + Roff(setting.name) + "\n" + Roff(setting.help) +
            " Default: " + (setting.otherwise.empty() ? "none" : Roff(setting.otherwise)) +
            ". Environment: " + Roff(setting.environment) + ".\n";
  }
  text += ".SH EXIT STATUS\n0 done; 1 failed; 2 wrong use; 3 no such original.\n";
  text += ".SH FILES\n.TP\n~/.config/pith/config.json\nconfiguration\n.TP\n~/.local/state/pith/\noriginals\n";
  return text;
}

int Run(const Invocation&) { return Print(Page()); }

}  // namespace

extern const CommandRow kMan;
const CommandRow kMan = {"man",
                         "",
                         "print the manual page (roff)",
                         "Prints the manual page, made from the same table as this help: pith man | man -l -",
                         {},
                         &Run};

}  // namespace pith::cli
