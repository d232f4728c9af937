// `pith trust [DIR]`.
#include "tools/trust.h"

#include <climits>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"
#include "tools/name_space.h"

namespace pith::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr OptionRow kOptions[] = {
    {"DIR", "", "a folder of the project; default: the working folder", Complete::kFolder},
    {"--list", "", "list what is trusted"},
    {"--revoke", "", "trust it no more"},
    kJsonRow,
};

std::string JsonOfList() {
  Json list = Json::array();
  for (const Trusted& trusted : TrustedFolders()) {
    list.push_back({{"folder", trusted.folder}, {"sha256", trusted.sha256}});
  }
  return JsonText(list, 2) + "\n";
}

int RunTrust(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const bool json = arguments.Has("--json");
  if (arguments.Has("--list")) {
    if (json) return Print(JsonOfList());
    std::string text;
    for (const Trusted& trusted : TrustedFolders()) text += trusted.sha256.substr(0, 12) + "  " + trusted.folder + "\n";
    return Print(text);
  }
  std::string folder = arguments.TextOr("DIR", WorkingFolder());
  char resolved[PATH_MAX];
  if (realpath(folder.c_str(), resolved) != nullptr) folder = resolved;
  Result<void> done = arguments.Has("--revoke") ? RevokeTrust(folder) : TrustProject(folder);
  if (!done.ok())
    return Fail(Error{done.error().cause == Cause::kNotFound ? Cause::kIo : done.error().cause, done.error().sentence});
  if (json) {
    return Print(JsonText(Json{{"folder", NamespaceOf(folder)}, {"trusted", !arguments.Has("--revoke")}}) + "\n");
  }
  return Print((arguments.Has("--revoke") ? "no longer trusted: " : "trusted: ") + NamespaceOf(folder) + "\n");
}

}  // namespace

extern const CommandRow kTrust;
constexpr CommandRow kTrust = {
    "trust",
    "[DIR]",
    "let a project's own .pith.json count",
    "A repository's own files configure nothing until their user trusts them. Trust is of the file's very bytes: any "
    "change asks for it again.",
    kOptions,
    RunTrust,
};

}  // namespace pith::cli
