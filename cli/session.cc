#include "cli/session.h"

#include <climits>
#include <cstdlib>

#include "agents/reach.h"
#include "base/clock.h"
#include "base/units.h"
#include "cli/output.h"
#include "tools/name_space.h"
#include "tools/own_rules.h"

namespace pith::cli {

std::optional<Config> ReadConfig(const std::vector<std::pair<Key, std::string>>& flags) {
  ConfigSources sources;
  sources.flags = flags;
  std::string fault;
  Result<Config> config = Config::ReadToGoOn(sources, &fault);
  if (!fault.empty()) Complain(fault);
  if (config.ok()) return config.Take();
  Complain(config.error().sentence);
  return std::nullopt;
}

std::unique_ptr<Service> OpenOrPassThrough(Result<ServiceOptions> options) {
  if (options.ok()) {
    if (std::unique_ptr<Service> service = OpenService(options.Take())) return service;
  } else {
    Complain(options.error().sentence + "; outputs go out unchanged");
  }
  ServiceOptions passing;
  passing.store.memory_only = true;
  passing.disabled = true;
  return OpenService(std::move(passing));
}

std::unique_ptr<Service> OpenService(ServiceOptions options) {
  Result<std::unique_ptr<Service>> service = Service::Open(std::move(options));
  if (service.ok()) return service.Take();
  Complain(service.error().sentence);
  return nullptr;
}

std::unique_ptr<Service> OpenService(const Config& config) {
  Result<ServiceOptions> options = ServiceOptionsFrom(config, "cli", MarkerStyle::kCli);
  if (!options.ok()) {
    Complain(options.error().sentence);
    return nullptr;
  }
  ChargeRetrievals(config, *options);
  return OpenService(options.Take());
}

void ChargeRetrievals(const Config& config, ServiceOptions& options) {
  options.retrieved = [config](const Entry& entry, uint64_t tokens) { NoteRetrieval(config, entry, tokens); };
}

std::unique_ptr<Service> OpenService() {
  std::optional<Config> config = ReadConfig();
  return config ? OpenService(*config) : nullptr;
}

void SayNotices(const std::vector<std::string>& notices) {
  for (const std::string& notice : notices) Complain(notice);
}

void SayRuleFaults() {
  const OwnRules::File* first = nullptr;
  size_t broken = 0;
  for (const OwnRules::File& file : TheOwnRules().files) {
    if (file.fault.empty()) continue;
    if (first == nullptr) first = &file;
    ++broken;
  }
  if (first == nullptr) return;
  Complain(first->path + " does not count: " + first->fault +
           (broken == 1 ? "" : " (and " + CountText(broken - 1, "other file") + ")") + "; see `pith rules test`");
}

std::optional<std::string> NamespaceAsked(const Arguments& arguments, const Service& service) {
  if (arguments.Has("--all-projects")) return std::nullopt;
  std::optional<std::string_view> folder = arguments.Text("--project");
  if (!folder) return service.options().name_space;
  return NamespaceOfFolder(*folder);
}

std::string NamespaceOfFolder(std::string_view folder) {
  char resolved[PATH_MAX];
  std::string path(folder);
  return NamespaceOf(realpath(path.c_str(), resolved) ? resolved : path);
}

std::optional<StoreOptions> StoreOnDisk() {
  std::optional<Config> config = ReadConfig();
  if (!config) return std::nullopt;
  Result<ServiceOptions> options = ServiceOptionsFrom(*config, "cli", MarkerStyle::kCli);
  if (!options.ok()) {
    Complain(options.error().sentence);
    return std::nullopt;
  }
  if (options->store.memory_only) {
    Complain("nothing is kept on disk (memory_only): there is no store to work on");
    return std::nullopt;
  }
  return options->store;
}

std::optional<uint64_t> NumberOr(const Arguments& arguments, std::string_view name, uint64_t otherwise) {
  std::optional<std::string_view> text = arguments.Text(name);
  if (!text) return otherwise;
  std::optional<uint64_t> number = ParseWhole(*text);
  if (!number) Complain(std::string(name) + " must be a whole number, not \"" + std::string(*text) + "\"");
  return number;
}

std::optional<Narrowing> NarrowingOf(const Arguments& arguments, uint64_t otherwise) {
  std::optional<uint64_t> limit = NumberOr(arguments, "--limit", otherwise);
  std::optional<int64_t> since = SinceOr(arguments);
  if (!limit || !since) return std::nullopt;
  return Narrowing{*limit, *since, arguments.TextOr("--tool", ""), arguments.TextOr("--command", "")};
}

std::optional<int64_t> SinceOr(const Arguments& arguments) {
  std::optional<std::string_view> text = arguments.Text("--since");
  if (!text) return 0;
  std::optional<int64_t> moment = ParseMoment(*text, TheClock().WallMs());
  if (!moment) Complain("--since must be a time such as 2h, 7d or 2026-03-01, not \"" + std::string(*text) + "\"");
  return moment;
}

}  // namespace pith::cli
