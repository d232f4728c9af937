#include "base/clock.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/output.h"
#include "cli/session.h"

namespace pith::cli {
namespace {

constexpr uint64_t kSightingsShown = 20;

constexpr OptionRow kOptions[] = {
    {"TOKEN", "", "a token, its first digits (4 or more), a footer, or `last`", Complete::kToken, {}, true},
    kJsonRow,
};

std::string SightingText(const Sighting& sighting) {
  std::string text = "  " + UtcTime(sighting.at_ms) + "  " + sighting.road + "  " + SourceOf(sighting);
  if (sighting.exit_code) text += "  exit " + std::to_string(*sighting.exit_code);
  if (sighting.signal) text += "  signal " + std::to_string(*sighting.signal);
  text += "  " + std::to_string(sighting.original_tokens) + " -> " + CountText(sighting.shown_tokens, "token");
  if (sighting.host_cut) text += "  (cut by the host)";
  return text + "\n    in " + sighting.folder + "\n";
}

std::string EntryText(const Entry& entry) {
  std::string text = "token       " + entry.token + "\n";
  text += "size        " + CountText(entry.bytes, "byte") + ", " + CountText(entry.lines, "line") + " (" +
          BytesText(entry.stored_bytes) + " as stored)\n";
  text += "kind        " + entry.last.kind + "\n";
  text += "first seen  " + UtcTime(entry.first_seen_ms) + "\n";
  text += "last seen   " + UtcTime(entry.last_seen_ms) + "\n";
  text += "last used   " + UtcTime(entry.last_used_ms) + ", fetched " + CountText(entry.retrievals, "time") + "\n";
  text += "kept until  " + (entry.held ? std::string("released (it is held)") : UtcTime(entry.expires_ms)) + "\n";
  text += "seen        " + CountText(entry.sightings, "time") + "\n";
  return text;
}

int Run(const Invocation& invocation) {
  std::unique_ptr<Service> service = OpenService();
  if (!service) return kFailed;
  Result<std::string> token = service->TokenMeant(invocation.arguments.TextOr("TOKEN", ""));
  if (!token.ok()) return Fail(token.error());
  Result<Entry> entry = service->store().Find(*token);
  if (!entry.ok()) return Fail(entry.error());
  Result<std::vector<Sighting>> sightings = service->store().Sightings(*token, kSightingsShown);
  if (!sightings.ok()) return Fail(sightings.error());
  SayNotices(service->store().TakeNotices());
  if (!invocation.arguments.Has("--json")) {
    std::string text = EntryText(*entry);
    for (const Sighting& sighting : *sightings) text += SightingText(sighting);
    return Print(text);
  }
  std::string object = EntryJson(*entry);
  object.back() = ',';
  object += "\"sightings_list\":[";
  for (size_t at = 0; at < sightings->size(); ++at) object += (at ? "," : "") + SightingJson((*sightings)[at]);
  return Print(object + "]}\n");
}

}  // namespace

extern const CommandRow kShow;
const CommandRow kShow = {
    "show",
    "TOKEN [--json]",
    "tell what is known of an original",
    "Prints size, kind, times and where it was seen; not the content (`pith retrieve` does that).",
    kOptions,
    &Run};

}  // namespace pith::cli
