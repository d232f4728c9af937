// A user's rule file: refused with a sentence, or a table whose rules can be looked up and held against their examples.
#include "compact/rules/rule_file.h"

#include <cstdint>
#include <cstdlib>

#include "compact/command/rule_book.h"
#include "compact/command/rule_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pith::Result<pith::RuleFile> file = pith::ReadRuleFile({reinterpret_cast<const char*>(data), size});
  if (!file.ok()) {
    if (file.error().sentence.empty()) std::abort();
    return 0;
  }
  const size_t rules = file->rules.size();
  pith::RuleBook book;
  book.Add(file.Take());
  const pith::RuleTable table = book.table();
  if (table.rows.size() != rules) std::abort();
  const pith::RuleCheck check = pith::CheckRules(table);
  if (check.rules != rules || check.faults.size() > check.examples) std::abort();
  return 0;
}
