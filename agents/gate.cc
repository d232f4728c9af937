// The policy `native`: a view by the rules of the compact layer, under Policy::kHook, in the size that the host shows
// whole. The service stores the original before the view exists; whatever fails, the result stays.
#include "agents/gate.h"

#include <algorithm>

#include "agents/measure.h"
#include "agents/run.h"
#include "agents/trust.h"
#include "base/config.h"
#include "compact/command/command.h"
#include "compact/policy.h"
#include "tools/name_space.h"
#include "tools/secret_line.h"
#include "tools/service.h"

namespace pith {
namespace {

// Whether the user's configuration or a trusted project names the command in this list of theirs.
bool IsListed(const Config& config, const ToolResult& result, Key key, std::vector<std::string> ProjectRules::*list) {
  if (result.command.empty()) return false;
  const Command command = ParseCommand(result.command);
  std::string notice;  // said by `pith doctor`, not at every call
  std::vector<std::string> patterns = ReadProjectRules(WorkingFolder(), &notice).*list;
  for (std::string& pattern : config.List(key)) patterns.push_back(std::move(pattern));
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return CommandMatches(command, pattern); });
}

// Output known to hold secrets is neither stored nor compacted; on a hook that is no news.
bool IsSecret(const Config& config, const ToolResult& result) {
  const SecretRow* row = SecretLine(result.command);
  if (row == nullptr && !result.path.empty()) row = SecretPath(result.path);
  return row != nullptr && !SecretAllowed(*row, config.List(Key::kAllowSecrets));
}

// What can be told without opening anything.
bool StaysAsItIs(const ToolResult& result, const Hints& hints) {
  return !ExactReason(result.text, hints, ParseCommand(result.command)).empty();
}

Hints HintsOf(const ToolResult& result) {
  Hints hints;
  hints.tool_name = result.tool;
  hints.command = result.command;
  hints.path = result.path;
  hints.query = result.query;
  hints.exit_code = result.exit_code;
  hints.host_cut = result.host_cut;
  hints.policy = Policy::kHook;
  return hints;
}

}  // namespace

std::optional<std::string> PassGate(const HookHost& host, const HookCall& call, const ToolResult& result,
                                    std::vector<std::string>* notices) {
  Hints hints = HintsOf(result);
  const bool exact = StaysAsItIs(result, hints);
  if (exact) {
    hints.policy = Policy::kExplicit;  // what `include` asks for, if the command is listed there
    if (result.command.empty() || StaysAsItIs(result, hints)) return std::nullopt;
  }
  if (result.failed) return std::nullopt;
  Result<Config> config = Config::Read();
  if (!config.ok()) {
    notices->push_back(config.error().sentence);
    return std::nullopt;
  }
  if (config->Flag(Key::kDisable) || config->Flag(Key::kNoHooks)) return std::nullopt;
  if (IsListed(*config, result, Key::kExclude, &ProjectRules::exclude)) return std::nullopt;
  if (exact && !IsListed(*config, result, Key::kInclude, &ProjectRules::include)) return std::nullopt;
  if (IsSecret(*config, result)) return std::nullopt;
  Result<ServiceOptions> options = ServiceOptionsFrom(*config, "hook", call.marker.value_or(MarkerStyle::kCli));
  if (!options.ok()) {
    notices->push_back(options.error().sentence);
    return std::nullopt;
  }
  options->store.one_shot = true;
  options->road = "hook:" + std::string(host.name);
  options->view.page_bytes = std::min(options->view.page_bytes, host.shown_bytes);
  options->view.soft_bytes = std::min(options->view.soft_bytes, host.shown_bytes);
  Result<std::unique_ptr<Service>> service = Service::Open(options.Take());
  if (!service.ok()) {
    notices->push_back(service.error().sentence);
    return std::nullopt;
  }
  CompactOutcome outcome = (*service)->Compact(result.text, hints);
  if (outcome.measured) {
    const ServiceOptions& used = (*service)->options();
    NoteMeasured(used.store.folder, used.road, result.command, *outcome.measured);
  }
  for (std::string& notice : outcome.notices) notices->push_back(std::move(notice));
  if (outcome.view.view_class == ViewClass::kExact) return std::nullopt;
  return std::move(outcome.view.text);
}

}  // namespace pith
