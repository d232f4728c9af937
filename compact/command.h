// The command line that printed an original, brought to the form that rules match: `cd x && VAR=1 sudo timeout 60
// /usr/bin/pytest -q | tail` is program pytest. Wrappers (sudo, timeout, env, nice, npx, poetry run, bash -lc ...) are
// looked through. Pure text work: nothing is run, no file is read.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compact/compact.h"

namespace pith {

// A row of compact/rules/*.json, compiled in. What a program's output is and how it may be treated.
struct CommandRule {
  std::string_view id;                // "cargo.test"
  std::optional<Kind> kind;
  bool exact = false;                 // file viewers and output that feeds a program: never touched unless asked for
  bool sensitive = false;             // may print secrets: refers to base/secrets
  bool stream = false;                // watchers, servers, interactive: left to stream
};

struct Command {
  std::string program;              // base name: "pytest"; empty when unknown
  std::string subcommand;           // "test" of `cargo test`, empty if none
  std::vector<std::string> argv;    // of the command whose output this is, program first
  bool redirected = false;          // its stdout goes to a file
  bool compound = false;            // more than one command printed to this output
  const CommandRule* rule = nullptr;  // static storage
};

Command ParseCommand(std::string_view line);

}  // namespace pith
