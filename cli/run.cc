// `pith run -- CMD ARG...`, `pith run -c 'LINE'`: takes its own few words off the front and hands the rest on unread.
#include <string>
#include <string_view>

#include "agents/run.h"
#include "cli/command.h"
#include "cli/output.h"

namespace pith::cli {
namespace {

constexpr OptionRow kMarkerRow = {"--marker", "STYLE", "how the footer names the way back", Complete::kChoices,
                                  kMarkerStyles};

constexpr OptionRow kOptions[] = {
    {"-c", "LINE", "run a shell line with the shell of $SHELL; -lc and -ic as a shell takes them"},
    {"--host", "NAME", "the agent whose command this is: its scaffold and limits are known"},
    kMarkerRow,
    {"--shim", "NAME", "stand in for the program NAME of PATH (written by `pith shim`)"},
};

bool IsShellFlag(std::string_view word) {
  return word.size() >= 2 && word[0] == '-' && word.find('c') != std::string_view::npos &&
         word.find_first_not_of("lisc", 1) == std::string_view::npos;
}

int RunRun(const Invocation& invocation) {
  RunRequest request;
  size_t at = 0;
  const auto& words = invocation.words;
  const auto value = [&](std::string_view name) { return at + 1 < words.size() && name == words[at]; };
  while (at < words.size() && words[at][0] == '-') {
    const std::string_view word = words[at];
    if (word == "--") {
      ++at;
      break;
    }
    const bool takes_word = IsShellFlag(word) || word == "--host" || word == "--shim" || word == "--marker";
    if (takes_word && at + 1 == words.size()) {
      Complain("run: " + std::string(word) + " needs a " + (IsShellFlag(word) ? "LINE" : "word") + " behind it");
      return kWrongUse;
    }
    if (IsShellFlag(word) && !request.line) {
      request.shell_flags = word;
      request.line = words[++at];
    } else if (value("--host")) {
      request.host = words[++at];
    } else if (value("--shim")) {
      request.shim = words[++at];
    } else if (value("--marker")) {
      request.marker = MarkerStyleNamed(words[++at]);
      if (!request.marker) {
        Complain("run: " + NoChoice(kMarkerRow, words[at]));
        return kWrongUse;
      }
    } else {
      Complain("run: unknown option " + std::string(word) + "; the command goes behind --");
      return kWrongUse;
    }
    ++at;
  }
  for (; at < words.size(); ++at) request.argv.emplace_back(words[at]);
  if (!request.line && request.argv.empty()) {
    Complain("run: no command; `pith run -- CMD ARG...` or `pith run -c 'LINE'`");
    return kWrongUse;
  }
  return Run(request);
}

}  // namespace

extern const CommandRow kRun;
constexpr CommandRow kRun = {
    "run",
    "-- CMD ARG... | -c LINE",
    "run a command; a long output is shown as a view",
    "Runs the command as it would run without pith and ends as it ends: same exit code, or the same signal. A long "
    "output is shown as a view, and the original is kept. Small outputs, file viewers, selections, secrets, servers, "
    "watchers and interactive programs go through untouched, and so does everything when stdout is a terminal, or a "
    "file while PITH_AGENT is not 1.",
    kOptions,
    RunRun,
    true,
};

}  // namespace pith::cli
