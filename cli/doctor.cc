// `pith doctor [HOST]`.
#include "agents/doctor.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agents/install.h"
#include "base/json_text.h"
#include "cli/command.h"
#include "cli/output.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"HOST", "", "a host of `pith install`; none: claude-code"},
    {"--scope", "SCOPE", "the user's configuration, or this project's", Complete::kChoices, "user|project"},
    {"--live", "", "send a canary through the hook, the shell prefix and the MCP server"},
    {"--gate", "", "only the standing context, against its budget; ends in 1 when it is over"},
    {"--json", "", "as JSON"},
};

int RunDoctor(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Result<SetupPlace> place = PlaceOfProcess(arguments.TextOr("--scope", "user") == "project");
  if (!place.ok()) return Fail(place.error());
  const std::string host = arguments.TextOr("HOST", "claude-code");
  const std::vector<std::string_view> hosts = SetupHosts();
  if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) {
    return Fail(Error{Cause::kInvalid, "no host is called " + host + "; `pith install --help` names them"});
  }
  std::vector<Finding> findings = arguments.Has("--gate") ? ExamineGate(host, *place) : Examine(host, *place);
  if (arguments.Has("--live")) {
    for (Finding& finding : ExamineLive(host, *place)) findings.push_back(std::move(finding));
  }
  bool well = true;
  std::string text;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    well = well && finding.well;
    text += (finding.well ? "ok   " : "FAIL ") + finding.what + "\n";
    if (!finding.well) text += "     mend: " + finding.mend + "\n";
    list.push_back({{"ok", finding.well}, {"what", finding.what}, {"mend", finding.mend}});
  }
  if (arguments.Has("--json")) {
    text = JsonText(list, 2) + "\n";
  }
  const int printed = Print(text);
  return well ? printed : kFailed;
}

}  // namespace

extern const CommandRow kDoctor;
constexpr CommandRow kDoctor = {
    "doctor",
    "[HOST]",
    "look whether pith is set up and works",
    "Looks at the configuration, the store and what `pith install` wrote, and with --live proves what the model would "
    "see. Ends in 1 when something is wrong; each fault comes with the line that mends it.",
    kOptions,
    RunDoctor,
};

}  // namespace pith::cli
