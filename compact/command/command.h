// The command line that printed an original, brought to the form that rules match: `cd x && VAR=1 sudo timeout 60
// /usr/bin/pytest -q | tail` is program pytest. Wrappers (sudo, timeout, env, nice, npx, poetry run, bash -lc ...) are
// looked through. Pure text work: nothing is run, no file is read. Linear in the line; any bytes are safe.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compact/compact.h"

namespace pith {

// What an exit code of a program says. `failure` false: the code is an answer (grep found nothing, diff differs).
struct ExitMeaning {
  int code = 0;
  bool failure = true;
  std::string_view words;  // "no match"
};

struct RuleTable;  // compact/command/rule_table.h

// What a program's output is and how it may be treated: a row of compact/rules/*.json, compiled in, or of a user's own.
struct CommandRule {
  std::string_view id;  // "cargo.test"
  std::optional<Kind> kind;
  bool exact = false;                  // file viewers and output that feeds a program: never touched unless asked for
  bool sensitive = false;              // may print secrets: refers to base/secrets
  bool stream = false;                 // watchers, servers, interactive: left to stream
  std::string_view family;             // "test", "build", "vcs": the file that the rule stands in
  std::string_view reason;             // why it is exact, sensitive or left to stream; for a person
  bool brief = false;                  // prints next to nothing (cd, echo, mkdir): other commands of the line decide
  std::span<const ExitMeaning> exits;  // codes that say more than "failed"
  std::span<const std::string_view> signal_words;  // words that mark a line not to lose, beyond the shared ones
  // Real tools with whose outputs the rule is tested, with their versions: "GNU Make 4.3; ninja 1.11.1". Empty: by
  // command lines alone.
  std::string_view tested = {};
};

// What `code` says of the rule's program; null when nothing is known.
const ExitMeaning* MeaningOf(const CommandRule& rule, int code);

struct Command {
  std::string program;                // base name: "pytest"; empty when unknown
  std::string subcommand;             // "test" of `cargo test`, empty if none
  std::vector<std::string> argv;      // of the command whose output this is, program first
  bool redirected = false;            // its stdout goes to a file
  bool compound = false;              // more than one command printed to this output
  const CommandRule* rule = nullptr;  // lives as long as its table: the program, or the user's own

  // Over all commands of the line that printed to this output:
  bool exact = false;       // one of them is exact by its rule
  bool sensitive = false;   // one of them, visible or not, may print secrets
  bool stream = false;      // one of them is left to stream
  bool background = false;  // the line leaves something running behind it
  bool filtered = false;    // what is seen was selected or rewritten by a filter behind a pipe (grep, sed)
  std::string_view reason;  // of exact, sensitive or stream; of the rule
};

// Rules of `own` (null: none) are tried before the built-in ones; but what a built-in one says may print secrets, no
// other rule makes harmless.
Command ParseCommand(std::string_view line, const RuleTable* own = nullptr);

// The same for an argument vector that no shell has seen (`pith run -- CMD ARG...`).
Command CommandOf(std::span<const std::string> argv, const RuleTable* own = nullptr);

}  // namespace pith
