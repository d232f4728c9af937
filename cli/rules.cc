// `pith rules [COMMAND]`: how a command line is read, and what may be done with its output.
#include "compact/command/command.h"

#include "cli/command.h"
#include "cli/output.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {{"COMMAND", "", "a shell line; none: list all rules"}};

std::string About(const CommandRule& rule) {
  std::string text(rule.id);
  text += "  " + std::string(rule.family);
  if (rule.kind) text += "  kind " + std::string(KindName(*rule.kind));
  for (const auto& [is, name] : {std::pair{rule.exact, "exact"}, std::pair{rule.sensitive, "sensitive"},
                                 std::pair{rule.stream, "stream"}, std::pair{rule.brief, "brief"}}) {
    if (is) text += std::string("  ") + name;
  }
  if (!rule.reason.empty()) text += "  (" + std::string(rule.reason) + ")";
  return text + "\n";
}

int RunRules(const Invocation& invocation) {
  const std::optional<std::string_view> line = invocation.arguments.Text("COMMAND");
  if (!line) {
    std::string text;
    for (const CommandRule* rule : AllCommandRules()) text += About(*rule);
    return Print(text);
  }
  const Command command = ParseCommand(*line);
  std::string text = "program     " + (command.program.empty() ? "unknown" : command.program) + "\n";
  if (!command.subcommand.empty()) text += "subcommand  " + command.subcommand + "\n";
  text += "rule        " + (command.rule == nullptr ? std::string("none\n") : About(*command.rule));
  for (const auto& [is, name] :
       {std::pair{command.compound, "more than one command prints"},
        std::pair{command.redirected, "its output goes to a file"},
        std::pair{command.filtered, "a filter selects from its output"},
        std::pair{command.background, "leaves something running"},
        std::pair{command.exact, "shown as it is on hooks and `pith run`"},
        std::pair{command.sensitive, "may print secrets"}, std::pair{command.stream, "left to stream"}}) {
    if (is) text += "            " + std::string(name) + "\n";
  }
  return Print(text);
}

}  // namespace

extern const CommandRow kRules;
constexpr CommandRow kRules = {
    "rules",
    "[COMMAND]",
    "how a command line is read, and what may be done with its output",
    "Shows the program behind wrappers and pipes, the rule that it falls under, and whether its output stays exact.",
    kOptions,
    RunRules,
};

}  // namespace pith::cli
