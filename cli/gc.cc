#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {kJsonRow};

int Run(const Invocation& invocation) {
  std::unique_ptr<Service> service = OpenService();
  if (!service) return kFailed;
  Result<GcOutcome> outcome = service->Gc();
  SayNotices(service->store().TakeNotices());
  if (!outcome.ok()) return Fail(outcome.error());
  if (invocation.arguments.Has("--json")) {
    return Print("{\"folded_in\":" + std::to_string(outcome->folded_in) + ",\"expired\":" +
                 std::to_string(outcome->expired) + ",\"evicted\":" + std::to_string(outcome->evicted) +
                 ",\"bytes_freed\":" + std::to_string(outcome->bytes_freed) + "}\n");
  }
  return Print(std::to_string(outcome->folded_in) + " folded in from the inbox, " + std::to_string(outcome->expired) +
               " expired, " + std::to_string(outcome->evicted) + " evicted, " + BytesText(outcome->bytes_freed) +
               " freed\n");
}

}  // namespace

extern const CommandRow kGc;
const CommandRow kGc = {
    "gc",
    "[--json]",
    "tidy the store now",
    "Folds the inbox into the database, removes what has expired and what is over the caps. Happens by "
    "itself as originals are stored; this does it at once.",
    kOptions,
    &Run};

}  // namespace pith::cli
