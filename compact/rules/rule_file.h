// A file of command rules, read and held to its form (schemas/rules.json): those that Pith ships, which the generator
// turns into constant tables, and those of a user or of a trusted project, which are read at start.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pith {

struct ExitSpec {
  int code = 0;
  bool failure = true;
  std::string words;
};

// A rule as it is written; the fields are those of CommandRule and RuleRow.
struct RuleSpec {
  std::string id, kind, reason, operand_holds;
  std::vector<std::string> programs, subcommands, operands, flags, no_flags, signals, examples, counter_examples;
  std::vector<ExitSpec> exits;
  bool filter = false, passes = false, bare = false, exact = false, sensitive = false, stream = false, brief = false;
};

struct RuleFile {
  std::string family;
  std::vector<RuleSpec> rules;
};

// Errors: kInvalid, naming the rule and what is wrong with it. JSON, comments allowed; any bytes are safe.
Result<RuleFile> ReadRuleFile(std::string_view text);

}  // namespace pith
