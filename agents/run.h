// `pith run`: a command runs exactly as it would without us, and when it has ended a view of what it printed stands in
// place of the text, where the text is long and may be touched.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config.h"
#include "base/markers.h"
#include "compact/command/command.h"

namespace pith {

inline constexpr size_t kSmallestRun = 800;  // bytes: below it no view is ever made unasked

struct RunRequest {
  std::vector<std::string> argv;    // program first; with `line`, what follows it ($0 and on)
  std::optional<std::string> line;  // a shell line (-c)
  std::string shell_flags = "-c";   // as given: "-c", "-lc"
  std::string host;                 // "claude-code": its scaffold is known, its limits hold; "" for any
  std::string shim;                 // the program whose place we stand in; "" if none
  std::optional<MarkerStyle> marker;
};

// What to do with a request. Decided before anything is started.
struct RunPlan {
  bool capture = false;           // false: become the command
  bool included = false;          // the user asked for views of this command, whatever the rules say
  std::string reason;             // why it is not captured
  bool noted = false;             // not captured, because of what the command is: counted as left alone
  std::vector<std::string> argv;  // to execute
  std::string command;            // the line that the agent wrote: what rules and readers see
};
// `config` null: it could not be read; nothing is captured then.
RunPlan PlanRun(const RunRequest& request, const Config* config);

// The command within a host's scaffold (`source snapshot && eval 'CMD' < /dev/null && pwd -P >| FILE`); nullopt when
// the line is none of the scaffold's form.
std::optional<std::string> CommandInScaffold(std::string_view line);

// Whether the words of `pattern` are the leading words of the command: "git log" holds for `git log -5`.
bool CommandMatches(const Command& command, std::string_view pattern);

// Runs it and ends as it ended; returns an exit code or does not return at all (exec, raised signal).
int Run(const RunRequest& request);

}  // namespace pith
