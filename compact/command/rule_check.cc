#include "compact/command/rule_check.h"

#include "compact/command/command.h"

namespace pith {
namespace {

// What the line should fall under: the row's rule; of a filter that passes on, the rule of what stands before it.
const CommandRule* Wanted(const RuleRow& row, std::string_view line, const RuleTable* own) {
  return row.passes ? ParseCommand(line.substr(0, line.find('|')), own).rule : &row.rule;
}

std::string Named(const CommandRule* rule) { return rule == nullptr ? "no rule" : std::string(rule->id); }

}  // namespace

RuleCheck CheckRules(const RuleTable& table) {
  const RuleTable* own = &table == &BuiltInRules() ? nullptr : &table;
  RuleCheck check;
  check.rules = table.rows.size();
  for (const RuleExample& example : table.examples) {
    ++check.examples;
    const RuleRow& row = table.rows[example.row];
    const CommandRule* found = ParseCommand(example.line, own).rule;
    const bool right = example.holds ? found == Wanted(row, example.line, own) : found != &row.rule;
    if (right) continue;
    check.faults.push_back(
        {row.rule.id, example.line, example.holds ? "falls under " + Named(found) : "falls under it and must not"});
  }
  return check;
}

}  // namespace pith
