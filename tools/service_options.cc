// From the user's configuration to what a Service is opened with.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tools/name_space.h"
#include "tools/own_rules.h"
#include "tools/service.h"

namespace pith {

Result<std::string> ReadKeyFile(const std::string& path) {
  int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
  if (descriptor < 0) return Error{Cause::kDenied, "cannot read the key file " + path + ": " + strerror(errno)};
  struct stat about {};
  char buffer[4096];
  bool safe = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && (about.st_mode & 077) == 0;
  ssize_t got = safe ? read(descriptor, buffer, sizeof buffer) : 0;
  close(descriptor);
  if (!safe) return Error{Cause::kInvalid, "the key file " + path + " must be a regular file of mode 0600"};
  if (got <= 0) return Error{Cause::kInvalid, "the key file " + path + " is empty"};
  std::string key(buffer, static_cast<size_t>(got));
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r')) key.pop_back();
  return key;
}

namespace {

Result<std::string> KeyFrom(const Config& config) {
  if (!config.Text(Key::kKeyFile).empty()) return ReadKeyFile(config.Text(Key::kKeyFile));
  return config.Text(Key::kStoreKey);
}

}  // namespace

Result<ServiceOptions> ServiceOptionsFrom(const Config& config, std::string_view road, MarkerStyle style) {
  ServiceOptions options;
  Result<std::string> key = KeyFrom(config);
  if (!key.ok()) return key.error();
  Result<HostPage> page = HostPageOf(config.Text(Key::kHost));
  if (!page.ok()) return page.error();
  options.page = *page;
  if (config.Number(Key::kPageBytes) > 0) options.page.page_bytes = config.Number(Key::kPageBytes);

  options.store.folder = config.Text(Key::kStateFolder);
  options.store.memory_only = config.Flag(Key::kMemoryOnly);
  options.store.durability = config.Text(Key::kDurability) == "power" ? Durability::kPower : Durability::kProcess;
  options.store.memory_bytes = config.Number(Key::kMemoryBytes);
  options.store.max_entries = config.Number(Key::kMaxEntries);
  options.store.max_bytes = config.Number(Key::kMaxBytes);
  options.store.max_original = config.Number(Key::kMaxOriginal);
  options.store.lifetime_seconds = static_cast<int64_t>(config.Number(Key::kLifetime));
  options.store.chain = config.Text(Key::kStore);
  options.store.key = key.Take();
  options.store.files_folder = config.Text(Key::kFilesFolder);
  options.store.journal_path = config.Text(Key::kJournal);
  options.store.redis = config.Text(Key::kRedis);
  options.store.redis_password = config.Text(Key::kRedisPassword);
  options.store.redis_may_evict = config.Flag(Key::kRedisMayEvict);

  options.view.marker_style = MarkerStyleNamed(config.Text(Key::kMarkerStyle)).value_or(style);
  options.view.soft_bytes = config.Number(Key::kSoftBytes);
  options.view.page_bytes = std::max(kDefaultPageBytes, options.view.soft_bytes);

  options.folder = WorkingFolder();
  options.name_space =
      config.Text(Key::kNamespace).empty() ? NamespaceOf(options.folder) : config.Text(Key::kNamespace);
  options.road = road;
  options.allow_secrets = config.List(Key::kAllowSecrets);
  options.rules = TheOwnRules().table();
  options.disabled = config.Flag(Key::kDisable);
  options.measure_only = config.Flag(Key::kMeasureOnly);
  return options;
}

}  // namespace pith
