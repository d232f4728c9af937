// Command rules that were read while the program runs, in the form in which the built-in ones are compiled: tried
// before those.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "compact/command/rule_table.h"
#include "compact/rules/rule_file.h"

namespace pith {

// Owns what its table points to; neither copied nor moved, so that rules stay where commands point to them.
class RuleBook {
 public:
  RuleBook() = default;
  RuleBook(const RuleBook&) = delete;
  RuleBook& operator=(const RuleBook&) = delete;

  // After those of the files before. All files before the table is asked for.
  void Add(RuleFile file);
  // Valid as long as the book, and until the next Add.
  RuleTable table() const { return {rows_, programs_, examples_}; }

 private:
  std::span<const std::string_view> Texts(const std::vector<std::string>& texts);
  void Index();

  std::deque<RuleFile> files_;
  std::deque<std::vector<std::string_view>> texts_;
  std::deque<std::vector<ExitMeaning>> exits_;
  std::vector<RuleRow> rows_;
  std::vector<RuleExample> examples_;
  std::vector<ProgramRow> programs_;
  std::vector<std::vector<uint16_t>> rows_of_;  // of each program
};

}  // namespace pith
