// `pith tune --never 'CMD'`.
#include "agents/tune.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"
#include "tools/name_space.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"--never", "COMMAND", "leave its output as it is on hooks and `pith run`; leading words, such as 'git log'"},
    {"--always", "COMMAND", "make views of it although the rules leave it exact"},
    {"--forget", "COMMAND", "leave it to the rules again"},
    {"--project", "", "for this project alone (.pith.json in its root, trusted by this)"},
    kJsonRow,
};

int RunTune(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TuneRequest request;
  int asked = 0;
  for (const char* name : {"--never", "--always", "--forget"}) {
    const auto command = arguments.Text(name);
    if (!command) continue;
    ++asked;
    request.command = *command;
    request.always = std::string_view(name) == "--always";
    request.forget = std::string_view(name) == "--forget";
  }
  if (asked != 1) return Fail(Error{Cause::kInvalid, "tune: one of --never, --always and --forget, with a command"});
  if (arguments.Has("--project")) {
    request.project = WorkingFolder();
    if (request.project.empty()) return Fail(Error{Cause::kIo, "the working folder is gone; there is no project"});
  }
  std::string file;
  Result<std::string> done = Tune(request, &file);
  if (!done.ok()) {
    const bool nothing = done.error().cause == Cause::kNotFound;
    return Fail(Error{nothing ? Cause::kIo : done.error().cause, done.error().sentence});
  }
  if (!arguments.Has("--json")) return Print(*done + "\n");
  const char* now = request.forget ? "rules" : request.always ? "always" : "never";
  const nlohmann::ordered_json object = {{"command", request.command}, {"now", now}, {"file", PathAsText(file)}};
  return Print(JsonText(object) + "\n");
}

}  // namespace

extern const CommandRow kTune;
constexpr CommandRow kTune = {
    "tune",
    "--never COMMAND | --always COMMAND | --forget COMMAND",
    "say which commands never, or always, become views",
    "Writes `exclude` and `include` of the configuration, and keeps the rest of the file as it stands. The words are "
    "the "
    "leading ones of a command: 'git log' holds for `git log -5` too.",
    kOptions,
    RunTune,
};

}  // namespace pith::cli
