// A shell command line taken apart as far as it tells whose output is seen: pipelines of simple commands, their words
// unquoted, redirections noted. It is not a shell: nothing is expanded, substitutions stay as they are written.
// One pass; time and memory linear in the line; any bytes are safe.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pith {

struct SimpleCommand {
  std::vector<std::string> words;  // assignments before the program and redirections left out
  bool stdout_to_file = false;     // its stdout goes to a file (or nowhere)
};

struct Pipeline {
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<SimpleCommand> stages;
  bool background = false;     // ends in &
  bool repeated = false;       // stands in a loop
  uint32_t joined_to = kNone;  // of a group whose output is piped on: the pipeline that holds the stages behind it
  uint32_t own_stages = 0;     // of that pipeline: stages before this index are its own; 0: all are
};

std::vector<Pipeline> ParseShellLine(std::string_view line);

}  // namespace pith
