// Every rule held against the command lines that it gives as examples and counter-examples.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace pith {

struct RuleFault {
  std::string_view rule, line;  // static
  std::string sentence;         // what it falls under instead
};

struct RuleCheck {
  size_t rules = 0, examples = 0;
  std::vector<RuleFault> faults;
};

RuleCheck CheckRules();

}  // namespace pith
