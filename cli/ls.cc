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
    kJsonRow,
};

int Run(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  std::optional<uint64_t> limit = NumberOr(arguments, "--limit", 50), offset = NumberOr(arguments, "--offset", 0);
  std::optional<int64_t> since = SinceOr(arguments);
  if (!limit || !offset || !since) return kWrongUse;
  std::unique_ptr<Service> service = OpenService();
  if (!service) return kFailed;
  ListQuery query;
  query.name_space = NamespaceAsked(arguments, *service);
  query.tool = arguments.TextOr("--tool", "");
  query.command = arguments.TextOr("--command", "");
  query.since_ms = *since;
  query.limit = *limit;
  query.offset = *offset;
  Result<std::vector<Entry>> entries = service->List(query);
  SayNotices(service->store().TakeNotices());
  if (!entries.ok()) return Fail(entries.error());
  bool json = arguments.Has("--json");
  std::string out;
  for (const Entry& entry : *entries) out += json ? (out.empty() ? "[" : ",\n ") + EntryJson(entry) : EntryLine(entry);
  if (json) out += out.empty() ? "[]\n" : "]\n";
  if (entries->empty() && !json) Complain("nothing is stored for this project (--all-projects shows all)");
  return Print(out);
}

}  // namespace

extern const CommandRow kLs;
const CommandRow kLs = {"ls",
                        "[OPTIONS]",
                        "list stored originals, newest first",
                        "Prints token, time, size, lines, kind and command of each original of this project.",
                        kOptions,
                        &Run};

}  // namespace pith::cli
