// `pith install HOST|all`, `pith uninstall HOST|all`.
#include "agents/install.h"

#include <nlohmann/json.hpp>

#include "base/config.h"
#include "base/json_text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"

namespace pith::cli {
namespace {

constexpr OptionRow kInstallOptions[] = {
    {"HOST", "", "claude-code, codex, gemini, qwen, copilot, vscode, cursor, cline, droid, opencode, pi, or all",
     Complete::kNothing, "", true},
    {"--scope", "SCOPE", "the user's configuration, or this project's", Complete::kChoices, "user|project"},
    {"--mcp", "", "only the MCP server"},
    {"--hooks", "", "only hooks and the shell prefix"},
    {"--all", "", "both (the default)"},
    {"--measure", "", "count what would have been saved and change nothing that the model sees"},
    {"--dry-run", "", "say what would be written"},
    {"--force", "", "also where another rewriter of tool output is set up"},
    kJsonRow,
};
constexpr OptionRow kUninstallOptions[] = {
    {"HOST", "", "as for install", Complete::kNothing, "", true},
    {"--scope", "SCOPE", "the user's configuration, or this project's", Complete::kChoices, "user|project"},
    {"--purge", "", "remove the backups too"},
    {"--dry-run", "", "say what would be done"},
    kJsonRow,
};

// The host that `written` may mean, its name in part or misspelt; "" if none is near.
std::string NearHost(std::string_view written) {
  for (std::string_view host : SetupHosts()) {
    if (written.size() > 2 && (written.starts_with(host) || host.starts_with(written))) return std::string(host);
  }
  return NearestName(written, SetupHosts());
}

// Those of `all` that are not on this machine go into `absent` where it is given.
Result<std::vector<InstallRequest>> RequestsOf(const Arguments& arguments, std::vector<std::string>* absent) {
  Result<SetupPlace> place = PlaceOfProcess(arguments.TextOr("--scope", "user") == "project");
  if (!place.ok()) return place.error();
  const bool both = arguments.Has("--all") || arguments.Has("--mcp") == arguments.Has("--hooks");
  place->with_mcp = both || arguments.Has("--mcp");
  place->with_hooks = both || arguments.Has("--hooks");
  place->measure = arguments.Has("--measure");
  const std::string wanted = arguments.TextOr("HOST", "");
  std::vector<InstallRequest> requests;
  for (std::string_view host : SetupHosts()) {
    if (wanted != host && wanted != "all") continue;
    if (absent && wanted == "all" && !HostPresent(host, *place)) {
      absent->emplace_back(host);
      continue;
    }
    InstallRequest request;
    request.host = host;
    request.place = *place;
    request.dry_run = arguments.Has("--dry-run");
    request.force = arguments.Has("--force");
    requests.push_back(std::move(request));
  }
  if (requests.empty() && wanted != "all") {
    const std::string near = NearHost(wanted);
    const std::string help = near.empty() ? "; `pith install --help` names them" : "; did you mean " + near + "?";
    return Error{Cause::kInvalid, "no host is called " + wanted + help};
  }
  return requests;
}

// What became of one host.
struct Outcome {
  std::string host;
  std::vector<std::string> done, troubles;
  bool absent = false;
};

std::string JsonOf(const std::vector<Outcome>& outcomes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Outcome& outcome : outcomes) {
    list.push_back({{"host", outcome.host},
                    {"ok", outcome.troubles.empty()},
                    {"absent", outcome.absent},
                    {"done", outcome.done},
                    {"problems", outcome.troubles}});
  }
  return JsonText(list, 2) + "\n";
}

int Say(const Arguments& arguments, const std::vector<Outcome>& outcomes, int code) {
  std::string absent;
  for (const Outcome& outcome : outcomes) {
    if (outcome.absent) absent += (absent.empty() ? "" : ", ") + outcome.host;
    for (const std::string& trouble : outcome.troubles) Complain(outcome.host + ": " + trouble);
  }
  if (!absent.empty()) Complain("left out, for neither their program nor their folder is here: " + absent);
  if (arguments.Has("--json")) {
    const int printed = Print(JsonOf(outcomes));
    return code == kDone ? printed : code;
  }
  for (const Outcome& outcome : outcomes) {
    for (const std::string& line : outcome.done) {
      if (const int printed = Print(outcome.host + ": " + line + "\n"); printed != kDone) code = printed;
    }
  }
  return code;
}

using Act = Result<std::vector<std::string>> (*)(const InstallRequest&, bool purge, std::vector<std::string>* troubles);

int Each(const Arguments& arguments, bool of_all_here_only, Act act) {
  std::vector<std::string> absent;
  Result<std::vector<InstallRequest>> requests = RequestsOf(arguments, of_all_here_only ? &absent : nullptr);
  if (!requests.ok()) return Fail(requests.error());
  int code = kDone;
  std::vector<Outcome> outcomes;
  for (const InstallRequest& request : *requests) {
    Outcome outcome{request.host, {}, {}};
    Result<std::vector<std::string>> done = act(request, arguments.Has("--purge"), &outcome.troubles);
    if (!done.ok() && requests->size() > 1 && done.error().cause == Cause::kNotFound) continue;
    if (!done.ok() && done.error().cause == Cause::kNotFound) {  // what was asked for holds already
      outcome.done.push_back(done.error().sentence);
    } else if (done.ok()) {
      outcome.done = done.Take();
      if (!outcome.troubles.empty()) code = kFailed;
    } else {
      outcome.troubles.push_back(done.error().sentence);
      code = done.error().cause == Cause::kInvalid ? kWrongUse : kFailed;
    }
    outcomes.push_back(std::move(outcome));
  }
  for (std::string& host : absent) outcomes.push_back({std::move(host), {}, {}, true});
  return Say(arguments, outcomes, code);
}

int RunInstall(const Invocation& invocation) {
  return Each(invocation.arguments, true,
              [](const InstallRequest& request, bool, std::vector<std::string>*) { return Install(request); });
}

int RunUninstall(const Invocation& invocation) { return Each(invocation.arguments, false, &Uninstall); }

}  // namespace

extern const CommandRow kInstall;
constexpr CommandRow kInstall = {
    "install",
    "HOST|all",
    "set an agent up to use pith",
    "Writes the MCP server, hooks and the shell prefix into the host's own configuration; `all` means the hosts that "
    "are on this machine. Comments and order stay, a "
    "backup stands beside each file, and `pith uninstall` takes all of it back. Nothing is written where one of the "
    "files "
    "is not what it should be, or where another program rewrites the same output.",
    kInstallOptions,
    RunInstall,
};

extern const CommandRow kUninstall;
constexpr CommandRow kUninstall = {
    "uninstall",
    "HOST|all",
    "take pith out of an agent's configuration",
    "Files that nobody changed since `pith install` come back byte for byte; from others only what is ours is taken "
    "out. A file that cannot be read or written keeps nothing from the others: it is named, and the code is 1.",
    kUninstallOptions,
    RunUninstall,
};

}  // namespace pith::cli
