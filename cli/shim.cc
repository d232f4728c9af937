// `pith shim NAME...`.
#include "agents/shim.h"

#include <cstdlib>

#include "agents/install.h"
#include "cli/command.h"
#include "cli/output.h"
#include "tools/view_json.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"NAME", "", "programs to stand in for: git cargo npm", Complete::kNothing, "", false, true},
    {"--remove", "", "take shims away: those named, or all"},
    {"--folder", "DIR", "where they stand; default: shims in pith's state folder", Complete::kFolder},
};

// The PATH of this process, without the folder itself.
std::string PathWithout(const std::string& folder) {
  const char* variable = getenv("PATH");
  std::string_view rest = variable == nullptr || *variable == 0 ? "/usr/local/bin:/usr/bin:/bin" : variable;
  std::string path;
  while (!rest.empty()) {
    const size_t cut = rest.find(':');
    const std::string_view one = rest.substr(0, cut);
    if (one != folder && !one.empty()) path.append(path.empty() ? "" : ":").append(one);
    rest = cut == std::string_view::npos ? std::string_view() : rest.substr(cut + 1);
  }
  return path;
}

std::string JsonString(std::string_view text) {  // a basic string of TOML too
  std::string quoted;
  AppendJsonString(quoted, text);
  return quoted;
}

int RunShim(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Result<SetupPlace> place = PlaceOfProcess();
  if (!place.ok()) return Fail(place.error());
  const std::string folder = arguments.TextOr("--folder", place->state + "/shims");
  const std::vector<std::string> names = arguments.Many("NAME");
  const bool remove = arguments.Has("--remove");
  if (names.empty() && !remove)
    return Fail(Error{Cause::kInvalid, "name the programs to stand in for: pith shim git cargo"});
  Result<std::vector<std::string>> done =
      remove ? RemoveShims(folder, names) : WriteShims(folder, place->binary, names);
  if (!done.ok()) return Fail(done.error());
  std::string text;
  for (const std::string& path : *done) text += (remove ? "removed " : "wrote ") + path + "\n";
  if (!remove) {
    for (const std::string& name : names) {
      if (BehindShim(name).empty()) {
        Complain("no program is called " + name +
                 " in PATH: its shim ends with 127 until there is one (pith shim "
                 "--remove " +
                 name + ")");
      }
    }
    text +=
        "put the folder first in the host's PATH; for Codex, in config.toml:\n[shell_environment_policy]\nset = { "
        "PATH = " +
        JsonString(folder + ":" + PathWithout(folder)) + " }\n[sandbox_workspace_write]\nwritable_roots = [" +
        JsonString(place->state) + "]\n";
  }
  return Print(text);
}

}  // namespace

extern const CommandRow kShim;
constexpr CommandRow kShim = {
    "shim",
    "NAME...",
    "write scripts that stand in for programs of PATH",
    "For hosts whose commands can be reached no other way. A shim shows a view only when its output is what the "
    "outermost "
    "shell prints; in pipes, redirections and substitutions the program is executed as it is.",
    kOptions,
    RunShim,
};

}  // namespace pith::cli
