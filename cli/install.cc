// `pith install HOST|all`, `pith uninstall HOST|all`.
#include "agents/install.h"

#include "cli/command.h"
#include "cli/output.h"
#include "tools/name_space.h"

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
};
constexpr OptionRow kUninstallOptions[] = {
    {"HOST", "", "as for install", Complete::kNothing, "", true},
    {"--scope", "SCOPE", "the user's configuration, or this project's", Complete::kChoices, "user|project"},
    {"--purge", "", "remove the backups too"},
    {"--dry-run", "", "say what would be done"},
};

// Those of `all` that are not on this machine go into `absent` where it is given.
Result<std::vector<InstallRequest>> RequestsOf(const Arguments& arguments, std::string* absent) {
  Result<SetupPlace> place = PlaceOfProcess();
  if (!place.ok()) return place.error();
  if (arguments.TextOr("--scope", "user") == "project") place->project = WorkingFolder();
  const bool both = arguments.Has("--all") || arguments.Has("--mcp") == arguments.Has("--hooks");
  place->with_mcp = both || arguments.Has("--mcp");
  place->with_hooks = both || arguments.Has("--hooks");
  place->measure = arguments.Has("--measure");
  const std::string wanted = arguments.TextOr("HOST", "");
  std::vector<InstallRequest> requests;
  for (std::string_view host : SetupHosts()) {
    if (wanted != host && wanted != "all") continue;
    if (absent && wanted == "all" && !HostPresent(host, *place)) {
      *absent += (absent->empty() ? "" : ", ") + std::string(host);
      continue;
    }
    InstallRequest request;
    request.host = host;
    request.place = *place;
    request.dry_run = arguments.Has("--dry-run");
    request.force = arguments.Has("--force");
    requests.push_back(std::move(request));
  }
  if (requests.empty() && wanted != "all")
    return Error{Cause::kInvalid, "no host is called " + wanted + "; `pith install --help` names them"};
  return requests;
}

int Each(const Arguments& arguments, std::string* absent,
         Result<std::vector<std::string>> (*act)(const InstallRequest&, bool)) {
  Result<std::vector<InstallRequest>> requests = RequestsOf(arguments, absent);
  if (!requests.ok()) return Fail(requests.error());
  if (absent && !absent->empty()) Complain("left out, for neither their program nor their folder is here: " + *absent);
  int code = kDone;
  for (const InstallRequest& request : *requests) {
    Result<std::vector<std::string>> done = act(request, arguments.Has("--purge"));
    if (!done.ok() && requests->size() > 1 && done.error().cause == Cause::kNotFound) continue;
    if (!done.ok()) {
      code = Fail(Error{done.error().cause == Cause::kNotFound ? Cause::kIo : done.error().cause,
                        request.host + ": " + done.error().sentence});
      continue;
    }
    for (const std::string& line : *done) Print(request.host + ": " + line + "\n");
  }
  return code;
}

int RunInstall(const Invocation& invocation) {
  std::string absent;
  return Each(invocation.arguments, &absent, [](const InstallRequest& request, bool) { return Install(request); });
}

int RunUninstall(const Invocation& invocation) {
  return Each(invocation.arguments, nullptr,
              [](const InstallRequest& request, bool purge) { return Uninstall(request, purge); });
}

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
    "out.",
    kUninstallOptions,
    RunUninstall,
};

}  // namespace pith::cli
