#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"TOKEN", "", "this original: a token, its first digits (4 or more), a footer, or `last`", Complete::kToken},
    {"--project", "DIR", "what was seen only in the project that DIR is in", Complete::kFolder},
    {"--older-than", "TIME", "what was last used longer ago than that: 7d, 12h"},
    {"--token", "TOKEN", "the same", Complete::kToken},
    {"--all", "", "everything, in all projects"},
    kJsonRow,
};

int Run(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  PurgeQuery query;
  query.all = arguments.Has("--all");
  if (auto age = arguments.Text("--older-than")) {
    const bool has_unit = !age->empty() && (age->back() < '0' || age->back() > '9');  // "7" would be seconds
    if (has_unit) query.older_than_seconds = ParseSeconds(*age);
    if (!query.older_than_seconds) {
      Complain("--older-than must be a time such as 7d or 12h, not \"" + std::string(*age) + "\"");
      return kWrongUse;
    }
  }
  if (arguments.Has("TOKEN") && arguments.Has("--token")) {
    Complain("purge: give one token");
    return kWrongUse;
  }
  const std::optional<std::string_view> asked = arguments.Text(arguments.Has("TOKEN") ? "TOKEN" : "--token");
  bool token = asked.has_value(), project = arguments.Has("--project");
  if (!query.all && !token && !project && !query.older_than_seconds) {
    Complain("purge: say what: TOKEN, --project DIR, --older-than TIME or --all");
    return kWrongUse;
  }
  std::unique_ptr<Service> service = OpenService();
  if (!service) return kFailed;
  if (project) query.name_space = NamespaceAsked(arguments, *service);
  if (token) {
    Result<std::string> meant = service->TokenMeant(*asked);
    if (!meant.ok()) return Fail(meant.error());
    query.token = meant.Take();
  }
  Result<PurgeOutcome> outcome = service->store().Purge(query);
  SayNotices(service->store().TakeNotices());
  if (!outcome.ok()) return Fail(outcome.error());
  if (arguments.Has("--json")) {
    return Print(
        "{\"entries\":" + std::to_string(outcome->entries) + ",\"sightings\":" + std::to_string(outcome->sightings) +
        ",\"bytes\":" + std::to_string(outcome->bytes) + ",\"unfinished\":" + std::to_string(outcome->spools) + "}\n");
  }
  std::string unfinished = outcome->spools == 0 ? "" : ", and " + CountText(outcome->spools, "unfinished output");
  return Print("purged " + CountText(outcome->entries, "original") + " (" + BytesText(outcome->bytes) + ") and " +
               CountText(outcome->sightings, "sighting") + unfinished + "\n");
}

}  // namespace

extern const CommandRow kPurge;
const CommandRow kPurge = {
    "purge",
    "[TOKEN] [OPTIONS]",
    "remove originals for good",
    "Removes originals from every tier, so that nothing of them can be read any more, and says how "
    "much. What was seen in another project too stays there. A hold protects from age and caps, not from this.",
    kOptions,
    &Run};

}  // namespace pith::cli
