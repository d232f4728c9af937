// The order of Compact is the promise: view, then put, then show. A put that fails turns the view back into the
// original, with a notice; so no reader ever holds a token that the store does not.
#include "tools/service.h"

#include "base/clock.h"
#include "compact/command/command.h"
#include "tools/secret_line.h"

namespace pith {
namespace {

Sighting SightingOf(const ServiceOptions& options, const Hints& hints, const Caller& caller, const View& view) {
  Sighting sighting;
  sighting.at_ms = TheClock().WallMs();
  sighting.name_space = caller.name_space.value_or(options.name_space);
  sighting.tool = hints.tool_name;
  if (hints.tool_name.empty() && hints.command.empty() && !hints.path.empty()) {
    sighting.tool = "file:" + std::string(hints.path);  // what lists show where no command is known
  }
  sighting.command = hints.command;
  sighting.folder = options.folder;
  sighting.road = caller.road.empty() ? options.road : caller.road;
  sighting.policy = hints.policy == Policy::kHook ? "hook" : "explicit";
  sighting.kind = KindName(view.kind);
  sighting.exit_code = hints.exit_code;
  sighting.signal = hints.signal;
  sighting.original_bytes = view.original.bytes;
  sighting.original_lines = view.original.lines;
  sighting.original_tokens = view.original.tokens;
  sighting.shown_bytes = view.shown.bytes;
  sighting.shown_lines = view.shown.lines;
  sighting.shown_tokens = view.shown.tokens;
  sighting.host_cut = hints.host_cut;
  return sighting;
}

}  // namespace

Result<std::unique_ptr<Service>> Service::Open(ServiceOptions options) {
  Result<std::unique_ptr<Store>> store = Store::Open(options.store);
  if (!store.ok()) return store.error();
  return std::make_unique<Service>(std::move(options), store.Take());
}

Service::Service(ServiceOptions options, std::unique_ptr<Store> store)
    : options_(std::move(options)), store_(std::move(store)) {}

CompactOutcome Service::PassThrough(std::string_view bytes, std::string notice) {
  CompactOutcome outcome;
  outcome.view = ExactView(bytes, Kind::kText);
  if (!notice.empty()) outcome.notices.push_back(std::move(notice));
  return outcome;
}

// Why this output is neither stored nor compacted; empty if nothing forbids it.
std::string Service::Withheld(const Hints& hints) const {
  const SecretRow* row = SecretLine(hints.command);
  if (!row && !hints.path.empty()) row = SecretPath(hints.path);
  if (row && !SecretAllowed(*row, options_.allow_secrets)) {
    return "output known to hold secrets (" + std::string(row->name) + ") is neither stored nor compacted";
  }
  if (row || hints.command.empty()) return "";
  const CommandRule* rule = ParseCommand(hints.command, options_.rules).rule;
  bool sensitive = rule && rule->sensitive;
  SecretRow named{sensitive ? rule->id : std::string_view(), "", "", ""};
  if (!sensitive || SecretAllowed(named, options_.allow_secrets)) return "";
  return "output known to hold secrets (" + std::string(rule->id) + ") is neither stored nor compacted";
}

CompactOutcome Service::Compact(std::string_view bytes, const Hints& hints, const Caller& caller) {
  if (options_.disabled || IsRecoveryTool(hints.tool_name)) return PassThrough(bytes, "");
  if (std::string reason = Withheld(hints); !reason.empty()) return PassThrough(bytes, std::move(reason));
  if (bytes.size() >= UINT32_MAX) return PassThrough(bytes, "an original of 4 GiB or more is shown as it is");

  CompactOptions how = caller.view ? *caller.view : options_.view;
  how.kept = options_.keep;
  CompactOutcome outcome;
  how.stop = caller.stop;
  Hints known = hints;
  if (known.rules == nullptr) known.rules = options_.rules;
  outcome.view = pith::Compact(bytes, known, how);
  if (outcome.view.stopped) return outcome;
  if (outcome.view.view_class == ViewClass::kExact) return outcome;
  if (options_.measure_only) {
    outcome.measured = std::move(outcome.view);
    outcome.view = ExactView(bytes, outcome.measured->kind);
    return outcome;
  }
  if (!options_.keep) return outcome;

  const Digest* digest = outcome.view.digest ? &*outcome.view.digest : nullptr;
  const Sighting sighting = SightingOf(options_, hints, caller, outcome.view);
  Result<PutOutcome> put = caller.put ? caller.put(sighting) : store_->Put(bytes, sighting, digest);
  if (!put.ok()) {
    outcome = {ExactView(bytes, outcome.view.kind), "", std::nullopt, {}};
    outcome.notices.push_back("the original could not be stored, so it is shown as it is: " + put.error().sentence);
  } else {
    outcome.token = put->token;
  }
  for (std::string& notice : store_->TakeNotices()) outcome.notices.push_back(std::move(notice));
  return outcome;
}

Result<SearchOutcome> Service::Search(SearchQuery query) {
  if (query.text.find_first_not_of(" \t\n") == std::string::npos) {
    return Error{Cause::kInvalid, "query is empty: give words to look for"};
  }
  return store_->Search(query);
}

}  // namespace pith
