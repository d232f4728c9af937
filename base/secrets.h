// Which commands and files are known to hold secrets: one table, for every road. What matches is neither stored nor
// compacted unless the user allowed it by the row's name. Views never redact: content goes out whole or not at all.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pith {

struct SecretRow {
  std::string_view name;     // what `allow_secrets` takes: "env", "dotenv", "private-key"
  std::string_view program;  // of a command row; empty: a file row
  std::string_view words;    // words that must follow, in this order, others between them: "get secret";
                             // "!none": only with no arguments but options; "!bare": with none at all
  std::string_view file;     // of a file row: pattern of the last path part, * any run; "dir/": a folder in the path
};
std::span<const SecretRow> SecretTable();

// The row that one command falls under: its words, program first, no shell syntax left in them. A program that prints
// files falls under the row of a file that it names. nullptr if none. (tools/secret_line.h takes a whole shell line
// apart.)
const SecretRow* SecretWords(std::span<const std::string> words);

// The row that a path falls under. Looks at the text of the path only; callers resolve links first where they can.
const SecretRow* SecretPath(std::string_view path);

// Whether the user allowed this row: `allowed` holds names of rows, or "*".
bool SecretAllowed(const SecretRow& row, const std::vector<std::string>& allowed);

}  // namespace pith
