// `pith stats`: what is kept, what hooks and `pith run` reached, and which views were not enough.
#include "tools/own_rules.h"
#include "tools/stats_text.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "agents/doctor.h"
#include "agents/install.h"
#include "agents/reach.h"
#include "base/json_text.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"
#include "compact/command/command.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    kAllProjectsRow,
    kProjectRow,
    kJsonRow,
    {"--regret", "", "list the kinds of output whose views were most often fetched again"}};

constexpr uint64_t kPageOfEntries = 1000;

struct Regret {
  uint64_t views = 0, fetched = 0, retrievals = 0, tokens = 0;  // tokens: of the originals that were fetched again
};

// By kind, and by kind and program.
Result<std::map<std::string, Regret>> RegretsOf(Service& service, const std::optional<std::string>& name_space) {
  std::map<std::string, Regret> regrets;
  ListQuery query;
  query.name_space = name_space;
  query.limit = kPageOfEntries;
  for (;; query.offset += query.limit) {
    Result<std::vector<Entry>> page = service.List(query);
    if (!page.ok()) return page.error();
    for (const Entry& entry : *page) {
      const std::string program = ParseCommand(entry.last.command, TheOwnRules().table()).program;
      const std::string name = entry.last.kind + (program.empty() ? "" : " (" + program + ")");
      Regret& regret = regrets[name.empty() ? "unknown" : name];
      ++regret.views;
      if (entry.retrievals == 0) continue;
      ++regret.fetched;
      regret.retrievals += entry.retrievals;
      regret.tokens += entry.last.original_tokens;
    }
    if (page->size() < query.limit) return regrets;
  }
}

int PrintRegrets(const std::map<std::string, Regret>& regrets, bool as_json) {
  std::vector<std::pair<std::string, Regret>> sorted(regrets.begin(), regrets.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.retrievals > b.second.retrievals; });
  if (as_json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& [kind, regret] : sorted) {
      list.push_back({{"kind", kind},
                      {"views", regret.views},
                      {"fetched_again", regret.fetched},
                      {"retrievals", regret.retrievals},
                      {"original_tokens", regret.tokens}});
    }
    return Print(JsonText(list) + "\n");
  }
  std::string text;
  for (const auto& [kind, regret] : sorted) {
    if (regret.retrievals == 0) break;
    text += kind + ": " + std::to_string(regret.fetched) + " of " + CountText(regret.views, "view") +
            " fetched again, " + CountText(regret.retrievals, "time") + "\n";
  }
  return Print(text.empty() ? "no view was fetched again\n" : text);
}

// The list of tools is only asked for where a session has paid for it.
uint64_t StandingOf(const Reach& reach) {
  Result<SetupPlace> place = PlaceOfProcess();
  return reach.sessions > 0 && place.ok() ? StandingTokens("claude-code", *place) : 0;
}

int Run(const Invocation& invocation) {
  const std::optional<Config> config = ReadConfig();
  std::unique_ptr<Service> service = config ? OpenService(*config) : nullptr;
  if (!service) return kFailed;
  const bool as_json = invocation.arguments.Has("--json");
  const std::optional<std::string> name_space = NamespaceAsked(invocation.arguments, *service);
  if (invocation.arguments.Has("--regret")) {
    Result<std::map<std::string, Regret>> regrets = RegretsOf(*service, name_space);
    return regrets.ok() ? PrintRegrets(*regrets, as_json) : Fail(regrets.error());
  }
  Result<StoreStats> stats = service->Stats(name_space);
  SayNotices(service->store().TakeNotices());
  if (!stats.ok()) return Fail(stats.error());
  const Reach reach = SumOfReach(*config);
  const uint64_t standing = StandingOf(reach);
  if (!as_json) return Print(StatsText(*stats) + ReachText(reach, standing));
  std::string json = StatsJson(*stats);
  json.insert(json.rfind('}'), ",\"reach\":" + ReachJson(reach, standing));
  return Print(json + "\n");
}

}  // namespace

extern const CommandRow kStats;
const CommandRow kStats = {
    "stats",
    "[OPTIONS]",
    "say what is kept, what was reached and what views saved",
    "Savings are estimated tokens, of two different sums. The first lines are of the originals that are kept now, on "
    "whatever road they came: their views against the originals, less what was fetched again. Those on reach are of "
    "every call that ever came by hooks or `pith run`, kept or not, per host, tool, family of commands and day: what "
    "was shown against what the host would have shown, less what was fetched again of that and the list of tools of "
    "each session. With --json they are `net_saved_tokens` and `reach.net_saved_tokens`.",
    kOptions,
    &Run};

}  // namespace pith::cli
