// Every rule held against the command lines that it gives as examples and counter-examples.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "compact/command/rule_table.h"

namespace pith {

struct RuleFault {
  std::string_view rule, line;  // of the table
  std::string sentence;         // what it falls under instead
};

struct RuleCheck {
  size_t rules = 0, examples = 0;
  std::vector<RuleFault> faults;
};

// Of the built-in table, or of one that is tried before it.
RuleCheck CheckRules(const RuleTable& table);

}  // namespace pith
