// `pith rules [COMMAND]`: how a command line is read, and what may be done with its output. `pith rules test` holds
// every rule against the command lines that it gives as examples.
#include "compact/command/command.h"

#include "cli/command.h"
#include "cli/output.h"
#include "compact/command/rule_check.h"
#include "tools/own_rules.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"COMMAND", "", "a shell line; `test`: check all rules by their examples; none: list all rules"}};

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

// Faults of a table and a line of figures.
bool TestTable(std::string_view whose, const RuleTable& table, std::string& text) {
  const RuleCheck check = CheckRules(table);
  for (const RuleFault& fault : check.faults) {
    text += "FAILED " + std::string(fault.rule) + ": " + std::string(fault.line) + ": " + fault.sentence + "\n";
  }
  text += std::string(whose) + std::to_string(check.rules) + " rules, " + std::to_string(check.examples) +
          " examples, " + std::to_string(check.faults.size()) + " failed\n";
  return check.faults.empty();
}

int TestRules() {
  std::string text;
  bool well = TestTable("", BuiltInRules(), text);
  const OwnRules& own = TheOwnRules();
  for (const OwnRules::File& file : own.files) {
    if (file.fault.empty()) continue;
    text += "FAILED " + file.path + ": " + file.fault + "\n";
    well = false;
  }
  if (own.table() != nullptr) well = TestTable("your own: ", *own.table(), text) && well;
  const int code = Print(text);
  return well ? code : kFailed;
}

int ListRules() {
  std::string text;
  if (const RuleTable* own = TheOwnRules().table(); own != nullptr) {
    for (const RuleRow& row : own->rows) text += "own  " + About(row.rule);
  }
  for (const RuleRow& row : BuiltInRules().rows) text += About(row.rule);
  return Print(text);
}

// "1 no match" and the like: what codes say that are more than a failure.
std::string Exits(const CommandRule& rule) {
  std::string text;
  for (const ExitMeaning& exit : rule.exits) {
    text += (text.empty() ? "" : ", ") + std::to_string(exit.code) + " " + std::string(exit.words) +
            (exit.failure ? "" : " (no failure)");
  }
  return text;
}

int RunRules(const Invocation& invocation) {
  const std::optional<std::string_view> line = invocation.arguments.Text("COMMAND");
  if (line == "test") return TestRules();
  if (!line) return ListRules();
  const Command command = ParseCommand(*line, TheOwnRules().table());
  std::string text = "program     " + (command.program.empty() ? "unknown" : command.program) + "\n";
  if (!command.subcommand.empty()) text += "subcommand  " + command.subcommand + "\n";
  text += "rule        " + (command.rule == nullptr ? std::string("none\n") : About(*command.rule));
  if (command.rule != nullptr && !command.rule->exits.empty()) text += "exit codes  " + Exits(*command.rule) + "\n";
  if (command.rule != nullptr && !command.rule->signal_words.empty()) {
    text += "signals     ";
    for (std::string_view word : command.rule->signal_words) {
      text += (word.data() == command.rule->signal_words[0].data() ? "" : ", ") + std::string(word);
    }
    text += "\n";
  }
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
    "[COMMAND|test]",
    "how a command line is read, and what may be done with its output",
    "Shows the program behind wrappers and pipes, the rule that it falls under, what its exit codes and which further "
    "words say, and whether its output stays exact. `pith rules test` checks that each rule matches its examples and "
    "none of its counter-examples; it ends with 1 if one does not. Rules of your own stand in rules/*.json of the "
    "configuration folder and, once you trust it, in a project's .pith.json; they are tried before the built-in ones.",
    kOptions,
    RunRules,
};

}  // namespace pith::cli
