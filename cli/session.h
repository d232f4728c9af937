// What most subcommands begin with: the configuration, and a Service opened by it.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "base/config.h"
#include "cli/command.h"
#include "tools/service.h"

namespace pith::cli {

// The configuration with this call's flags on top. Where it is at fault, that is said, outputs are to go out unchanged,
// and what it says otherwise holds. nullopt for a wrong flag alone, said; the caller ends with kWrongUse.
std::optional<Config> ReadConfig(const std::vector<std::pair<Key, std::string>>& flags = {});

// A Service on the road "cli" with footers of the style `cli`. An error is said; then nullptr, and the caller ends with
// kFailed.
std::unique_ptr<Service> OpenService(const Config& config);
std::unique_ptr<Service> OpenService(ServiceOptions options);

// Has a Service that is opened with these charge what is fetched again to the roads that it came by.
void ChargeRetrievals(const Config& config, ServiceOptions& options);

// For what must give its input back whatever happens: a Service that passes everything through where `options` is an
// error or nothing can be opened with them; both are said. nullptr when not even that can be had.
std::unique_ptr<Service> OpenOrPassThrough(Result<ServiceOptions> options);

// Both at once, for subcommands without flags of the configuration.
std::unique_ptr<Service> OpenService();

// Says on stderr what the store has to tell.
void SayNotices(const std::vector<std::string>& notices);

// Says on stderr, in one line, that files of the user's own rules do not count; nothing where all do. For the roads
// that somebody walks knowingly: what an agent's hooks and `pith run` print is not ours to add to, `pith doctor` tells
// it there.
void SayRuleFaults();

// The namespace that a call means: nothing with --all-projects, the folder's with --project DIR, else the service's.
std::optional<std::string> NamespaceAsked(const Arguments& arguments, const Service& service);

// The namespace of a folder given on the command line.
std::string NamespaceOfFolder(std::string_view folder);

// What the configuration says of a store on disk, for what works on the whole of it; nullopt, said, where there is none
// or the configuration is at fault.
std::optional<StoreOptions> StoreOnDisk();

// A whole number given to an option; `otherwise` where it was not given. nullopt, said on stderr, if it is none.
std::optional<uint64_t> NumberOr(const Arguments& arguments, std::string_view name, uint64_t otherwise);

// A moment given to --since, 0 where it was not. nullopt, said on stderr, if it is none.
std::optional<int64_t> SinceOr(const Arguments& arguments);

// What `ls` and `search` narrow their answer to, as far as the words alone tell; nullopt, said, where one is wrong.
struct Narrowing {
  uint64_t limit = 0;
  int64_t since_ms = 0;
  std::string tool, command;
};
std::optional<Narrowing> NarrowingOf(const Arguments& arguments, uint64_t limit);

// Of a ListQuery or a SearchQuery; the project is that of the call.
template <typename Query>
void Narrow(Query& query, const Narrowing& narrowing, const Arguments& arguments, const Service& service) {
  query.limit = narrowing.limit;
  query.since_ms = narrowing.since_ms;
  query.tool = narrowing.tool;
  query.command = narrowing.command;
  query.name_space = NamespaceAsked(arguments, service);
}

// Rows that several subcommands share.
inline constexpr OptionRow kJsonRow = {"--json", "", "print JSON"};
inline constexpr OptionRow kAllProjectsRow = {"--all-projects", "", "of all projects, not this one only"};
inline constexpr OptionRow kProjectRow = {"--project", "DIR", "of the project that DIR is in", Complete::kFolder};
inline constexpr OptionRow kSinceRow = {"--since", "TIME", "seen since then: 2h, 7d, 2026-03-01"};

}  // namespace pith::cli
