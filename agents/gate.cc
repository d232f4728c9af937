// The policy `native`: a view by the rules of the compact layer, under Policy::kHook, in the size that the host shows
// whole. The service stores the original before the view exists; whatever fails, the result stays.
#include "agents/gate.h"

#include <algorithm>

#include "agents/run.h"
#include "base/config.h"
#include "compact/command/command.h"
#include "compact/estimate.h"
#include "compact/policy.h"
#include "tools/own_rules.h"
#include "tools/secret_line.h"
#include "tools/service.h"
#include "tools/trust.h"

namespace pith {
namespace {

// Whether the user's configuration or a trusted project names the command in this list of theirs.
bool IsListed(const Config& config, const ToolResult& result, Key key, std::vector<std::string> ProjectRules::*list) {
  if (result.command.empty()) return false;
  const Command command = ParseCommand(result.command, TheOwnRules().table());
  std::vector<std::string> patterns = TheProject().rules.*list;
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

// What can be told without opening anything; "" if the result may be touched.
std::string_view WhyExact(const ToolResult& result, const Hints& hints) {
  return ExactReason(result.text, hints, ParseCommand(result.command, TheOwnRules().table()));
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

// What the user's configuration says against a view; "" if nothing.
std::string_view WhyForbidden(const Config& config, const ToolResult& result, bool exact) {
  if (config.Flag(Key::kDisable) || config.Flag(Key::kNoHooks)) return "switched off";
  if (IsListed(config, result, Key::kExclude, &ProjectRules::exclude)) return "excluded";
  if (exact && !IsListed(config, result, Key::kInclude, &ProjectRules::include)) return "exact by its command";
  if (IsSecret(config, result)) return "may hold secrets";
  return {};
}

void NoteSizes(const HookHost& host, const View& view, ReachCall* reach) {
  reach->original_bytes = view.original.bytes;
  reach->original_tokens = reach->host_tokens = view.original.tokens;
  reach->shown_bytes = view.shown.bytes;
  reach->shown_tokens = view.shown.tokens;
  if (view.original.bytes > host.shown_bytes) {
    reach->host_tokens =
        static_cast<uint64_t>(static_cast<double>(view.original.tokens) * static_cast<double>(host.cut_bytes) /
                              static_cast<double>(view.original.bytes));
  }
}

Result<std::unique_ptr<Service>> OpenFor(const HookHost& host, const HookCall& call, const Config& config) {
  Result<ServiceOptions> options = ServiceOptionsFrom(config, "hook", call.marker.value_or(MarkerStyle::kCli));
  if (!options.ok()) return options.error();
  options->store.one_shot = true;
  options->road = "hook:" + std::string(host.name);
  options->view.page_bytes = std::min(options->view.page_bytes, host.shown_bytes);
  options->view.soft_bytes = std::min(options->view.soft_bytes, host.shown_bytes);
  return Service::Open(options.Take());
}

}  // namespace

std::optional<std::string> PassGate(const HookHost& host, const HookCall& call, const ToolResult& result,
                                    std::vector<std::string>* notices, ReachCall* reach) {
  Hints hints = HintsOf(result);
  reach->original_bytes = result.text.size();
  reach->original_tokens = EstimateTokens(result.text);
  reach->reason = WhyExact(result, hints);
  const bool exact = !reach->reason.empty();
  if (exact) {
    hints.policy = Policy::kExplicit;  // what `include` asks for, if the command is listed there
    if (result.command.empty() || !WhyExact(result, hints).empty()) return std::nullopt;
  } else if (result.failed) {
    reach->reason = "the host marked it as failed";
    return std::nullopt;
  }
  Result<Config> config = Config::Read();
  if (!config.ok()) {
    notices->push_back(config.error().sentence);
    reach->reason = "the configuration is at fault";
    return std::nullopt;
  }
  if (const std::string_view why = WhyForbidden(*config, result, exact); !why.empty()) {
    if (!exact || why != "exact by its command") reach->reason = why;
    return std::nullopt;
  }
  reach->reason.clear();
  reach->touchable = true;
  Result<std::unique_ptr<Service>> service = OpenFor(host, call, *config);
  if (!service.ok()) {
    notices->push_back(service.error().sentence);
    reach->reason = "the store cannot be used";
    return std::nullopt;
  }
  CompactOutcome outcome = (*service)->Compact(result.text, hints);
  for (std::string& notice : outcome.notices) notices->push_back(std::move(notice));
  if (outcome.measured) {
    reach->outcome = ReachOutcome::kMeasured;
    NoteSizes(host, *outcome.measured, reach);
  } else if (outcome.view.view_class == ViewClass::kExact) {
    reach->reason = outcome.notices.empty() ? "no view of it is smaller" : "it could not be kept";
  } else {
    reach->outcome = ReachOutcome::kView;
    NoteSizes(host, outcome.view, reach);
    return std::move(outcome.view.text);
  }
  return std::nullopt;
}

}  // namespace pith
