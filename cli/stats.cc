#include "tools/stats_text.h"

#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {kAllProjectsRow, kProjectRow, kJsonRow};

int Run(const Invocation& invocation) {
  std::unique_ptr<Service> service = OpenService();
  if (!service) return kFailed;
  Result<StoreStats> stats = service->Stats(NamespaceAsked(invocation.arguments, *service));
  SayNotices(service->store().TakeNotices());
  if (!stats.ok()) return Fail(stats.error());
  return Print(invocation.arguments.Has("--json") ? StatsJson(*stats) + "\n" : StatsText(*stats));
}

}  // namespace

extern const CommandRow kStats;
const CommandRow kStats = {"stats",
                           "[OPTIONS]",
                           "say what is kept and what views saved",
                           "Savings are estimated tokens, net of what was fetched again.",
                           kOptions,
                           &Run};

}  // namespace pith::cli
