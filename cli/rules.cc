// `pith rules [COMMAND]`: how a command line is read, and what may be done with its output. `pith rules test` holds
// every rule against the command lines that it gives as examples.
#include "compact/command/command.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"
#include "compact/command/rule_check.h"
#include "tools/own_rules.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"COMMAND", "", "a shell line; `test`: check all rules by their examples; none: list all rules"}, kJsonRow};

using Json = nlohmann::ordered_json;

Json JsonOf(const CommandRule& rule) {
  Json exits = Json::array(), words = Json::array();
  for (const ExitMeaning& exit : rule.exits) {
    exits.push_back({{"code", exit.code}, {"words", exit.words}, {"failure", exit.failure}});
  }
  for (std::string_view word : rule.signal_words) words.push_back(word);
  return {{"id", rule.id},
          {"family", rule.family},
          {"kind", rule.kind ? Json(KindName(*rule.kind)) : Json()},
          {"exact", rule.exact},
          {"sensitive", rule.sensitive},
          {"stream", rule.stream},
          {"brief", rule.brief},
          {"reason", rule.reason},
          {"exits", std::move(exits)},
          {"signals", std::move(words)},
          {"tested", rule.tested.empty() ? Json() : Json(rule.tested)}};
}

Json JsonOf(const Command& command) {
  return {{"program", command.program},
          {"subcommand", command.subcommand},
          {"rule", command.rule == nullptr ? Json() : JsonOf(*command.rule)},
          {"compound", command.compound},
          {"redirected", command.redirected},
          {"filtered", command.filtered},
          {"background", command.background},
          {"exact", command.exact},
          {"sensitive", command.sensitive},
          {"stream", command.stream},
          {"reason", command.reason}};
}

std::string About(const CommandRule& rule) {
  std::string text(rule.id);
  text += "  " + std::string(rule.family);
  if (rule.kind) text += "  kind " + std::string(KindName(*rule.kind));
  for (const auto& [is, name] : {std::pair{rule.exact, "exact"}, std::pair{rule.sensitive, "sensitive"},
                                 std::pair{rule.stream, "stream"}, std::pair{rule.brief, "brief"}}) {
    if (is) text += std::string("  ") + name;
  }
  if (!rule.reason.empty()) text += "  (" + std::string(rule.reason) + ")";
  text += rule.tested.empty() ? "  untested" : "  tested with " + std::string(rule.tested);
  return text + "\n";
}

// What was found in all tables.
struct Tested {
  std::string text;
  bool well = true;
  size_t rules = 0, examples = 0;
  Json faults = Json::array();
};

void TestTable(std::string_view whose, const RuleTable& table, Tested& tested) {
  const RuleCheck check = CheckRules(table);
  for (const RuleFault& fault : check.faults) {
    tested.text += "FAILED " + std::string(fault.rule) + ": " + std::string(fault.line) + ": " + fault.sentence + "\n";
    tested.faults.push_back({{"rule", fault.rule}, {"line", fault.line}, {"sentence", fault.sentence}});
  }
  tested.text += std::string(whose) + CountText(check.rules, "rule") + ", " + CountText(check.examples, "example") +
                 ", " + std::to_string(check.faults.size()) + " failed\n";
  tested.rules += check.rules;
  tested.examples += check.examples;
  tested.well = tested.well && check.faults.empty();
}

int TestRules(bool json) {
  Tested tested;
  TestTable("", BuiltInRules(), tested);
  const auto& rows = BuiltInRules().rows;
  const auto held = static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(), [](const RuleRow& row) { return !row.rule.tested.empty(); }));
  tested.text += CountText(held, "rule") + " tested with outputs of real tools, " + std::to_string(rows.size() - held) +
                 " untested: by command lines alone\n";
  const OwnRules& own = TheOwnRules();
  for (const OwnRules::File& file : own.files) {
    if (file.fault.empty()) continue;
    tested.text += "FAILED " + file.path + ": " + file.fault + "\n";
    tested.faults.push_back({{"rule", file.path}, {"line", ""}, {"sentence", file.fault}});
    tested.well = false;
  }
  if (own.table() != nullptr) TestTable("your own: ", *own.table(), tested);
  if (json) {
    const Json all = {
        {"rules", tested.rules}, {"examples", tested.examples}, {"tested", held}, {"faults", std::move(tested.faults)}};
    tested.text = JsonText(all) + "\n";
  }
  const int code = Print(tested.text);
  return tested.well ? code : kFailed;
}

int ListRules(bool json) {
  std::string text;
  Json list = Json::array();
  const auto add = [&](const RuleTable& table, bool own) {
    for (const RuleRow& row : table.rows) {
      text += (own ? "own  " : "") + About(row.rule);
      if (json) list.push_back(JsonOf(row.rule));
      if (json) list.back()["own"] = own;
    }
  };
  if (const RuleTable* own = TheOwnRules().table(); own != nullptr) add(*own, true);
  add(BuiltInRules(), false);
  return Print(json ? JsonText(list) + "\n" : text);
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
  const bool json = invocation.arguments.Has("--json");
  if (line == "test") return TestRules(json);
  SayRuleFaults();
  if (!line) return ListRules(json);
  const Command command = ParseCommand(*line, TheOwnRules().table());
  if (json) return Print(JsonText(JsonOf(command)) + "\n");
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
    "configuration folder and, once you trust it, in a project's .pith.json; they are tried before the built-in "
    "ones.\n\n"
    "Examples:\n"
    "pith rules 'cd web && npx jest --ci | tail -50'\n"
    "pith rules --json 'git log -5'",
    kOptions,
    RunRules,
};

}  // namespace pith::cli
