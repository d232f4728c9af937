// Command rules beside the built-in ones: the user's, rules/*.json in the configuration folder, by name; after them
// those of the project that the working folder lies in, if it is trusted.
#pragma once
#include <string>
#include <vector>

#include "compact/command/rule_book.h"

namespace pith {

struct OwnRules {
  struct File {
    std::string path;
    size_t rules = 0;
    std::string fault;  // why none of it counts; "" if all does
  };
  RuleBook book;
  std::vector<File> files;

  // Null: there are none.
  const RuleTable* table() const { return rows_.rows.empty() ? nullptr : &rows_; }
  void Add(std::string path, std::string_view text);

 private:
  RuleTable rows_;
};

// Read at the first call and never again: configuration does not change within a process. Any thread. What is wrong
// with a file is in `files`, for `pith doctor` and `pith rules`; the file does not count.
const OwnRules& TheOwnRules();

}  // namespace pith
