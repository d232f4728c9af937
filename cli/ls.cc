#include <cstdio>

#include "base/clock.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/output.h"
#include "cli/session.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"-n,--limit", "N", "at most N originals (50)"},
    {"--offset", "N", "leave out the newest N"},
    {"--tool", "NAME", "of this tool"},
    {"--command", "TEXT", "whose command line holds TEXT"},
    kSinceRow,
    kAllProjectsRow,
    kProjectRow,
    {"--unfinished", "", "only outputs of `pith run` that are not finished"},
    kJsonRow,
};

std::string SpoolLine(const UnfinishedSpool& spool) {
  char figures[40];
  snprintf(figures, sizeof figures, "%10s  ", BytesText(spool.disk_bytes).c_str());
  return spool.name + "              " + UtcTime(spool.written_ms) + figures +
         (spool.live ? "still running: pith retrieve " : "never finished: pith retrieve ") + spool.name + "\n";
}

std::string SpoolJson(const UnfinishedSpool& spool) {
  return "{\"spool\":\"" + spool.name + "\",\"live\":" + (spool.live ? "true" : "false") +
         ",\"stored_bytes\":" + std::to_string(spool.disk_bytes) + ",\"written\":\"" + UtcTime(spool.written_ms) +
         "\"}";
}

// Of one kind of thing, as lines or as an array.
template <typename Thing>
std::string Listed(const std::vector<Thing>& things, bool json, std::string (*line)(const Thing&),
                   std::string (*object)(const Thing&)) {
  std::string out;
  for (const Thing& thing : things) out += json ? (out.empty() ? "[" : ",\n ") + object(thing) : line(thing);
  if (json) out += out.empty() ? "[]\n" : "]\n";
  return out;
}

int Run(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  std::optional<Narrowing> narrowing = NarrowingOf(arguments, 50);
  std::optional<uint64_t> offset = NumberOr(arguments, "--offset", 0);
  if (!narrowing || !offset) return kWrongUse;
  std::unique_ptr<Service> service = OpenService();
  if (!service) return kFailed;
  ListQuery query;
  Narrow(query, *narrowing, arguments, *service);
  query.offset = *offset;
  const bool json = arguments.Has("--json");
  std::vector<UnfinishedSpool> spools = service->store().UnfinishedSpools(query.name_space);
  if (arguments.Has("--unfinished")) return Print(Listed(spools, json, &SpoolLine, &SpoolJson));
  Result<std::vector<Entry>> entries = service->List(query);
  SayNotices(service->store().TakeNotices());
  if (!entries.ok()) return Fail(entries.error());
  // Whoever reads the array takes each element for an original, so unfinished ones have an array of their own.
  const bool all = !arguments.Has("--offset") && query.tool.empty() && query.command.empty() && query.since_ms == 0;
  if (json || !all) spools.clear();
  if (entries->empty() && spools.empty() && !json) {
    Complain("nothing is stored for this project (--all-projects shows all)");
  }
  return Print(Listed(spools, false, &SpoolLine, &SpoolJson) + Listed(*entries, json, &EntryLine, &EntryJson));
}

}  // namespace

extern const CommandRow kLs;
const CommandRow kLs = {
    "ls",
    "[OPTIONS]",
    "list stored originals, newest first",
    "Prints token, time, size, lines, kind and command of each original of this project. Before them "
    "stand the outputs of `pith run` that are not finished, running or left behind by a kill, "
    "which `pith retrieve run-XXXXXXXX` prints.",
    kOptions,
    &Run};

}  // namespace pith::cli
