// Every value is kept as text, in the form that the environment has it, and was checked when it came in: so a reader
// may take it without a second thought, and the four sources go through one door. Lists are kept with U+001F between
// items.
#include "base/config.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/units.h"

namespace pith {
namespace {

using enum SettingType;

constexpr std::array<Setting, kKeyCount> kSettings = {{
    {Key::kDisable, "disable", kFlag, "false", "PITH_DISABLE", "",
     "Everything passes through; nothing is compacted or stored."},
    {Key::kMeasureOnly, "measure_only", kFlag, "false", "PITH_MEASURE_ONLY", "",
     "Count what would have been saved; change nothing."},
    {Key::kNoHooks, "no_hooks", kFlag, "false", "PITH_NO_HOOKS", "", "Hooks pass everything through."},
    {Key::kNoRun, "no_run", kFlag, "false", "PITH_NO_RUN", "", "`pith run` and shims pass everything through."},
    {Key::kNoMcp, "no_mcp", kFlag, "false", "PITH_NO_MCP", "",
     "The MCP tool `compact` passes everything through; retrieval goes on working."},
    {Key::kStateFolder, "state_folder", kText, "", "PITH_STATE_FOLDER", "",
     "Where originals are kept; empty: $XDG_STATE_HOME/pith, else ~/.local/state/pith."},
    {Key::kStore, "store", kText, "memory,sqlite", "PITH_STORE", "", "The tiers of the store, first asked first."},
    {Key::kMemoryOnly, "memory_only", kFlag, "false", "PITH_MEMORY_ONLY", "", "Keep nothing on disk."},
    {Key::kDurability, "durability", kChoice, "process", "PITH_DURABILITY", "process|power",
     "What a stored original survives: the death of any process, or a loss of power too."},
    {Key::kMemoryBytes, "memory_bytes", kBytes, "32MiB", "PITH_MEMORY_BYTES", "", "Size of the memory tier."},
    {Key::kMaxEntries, "max_entries", kNumber, "200000", "PITH_MAX_ENTRIES", "",
     "How many originals are kept; the least recently used go first."},
    {Key::kMaxBytes, "max_bytes", kBytes, "1GiB", "PITH_MAX_BYTES", "", "How many bytes, as stored, are kept on disk."},
    {Key::kMaxOriginal, "max_original", kBytes, "0", "PITH_MAX_ORIGINAL", "",
     "The largest original that is kept; 0: half of max_bytes."},
    {Key::kLifetime, "lifetime", kTime, "7d", "PITH_LIFETIME", "",
     "How long an original is kept after it was last used."},
    {Key::kKeyFile, "key_file", kText, "", "PITH_KEY_FILE", "",
     "File (mode 0600) with the key for encryption at rest; empty: not encrypted."},
    {Key::kStoreKey, "store_key", kText, "", "PITH_STORE_KEY", "", "The key itself, where there can be no key file.",
     true},
    {Key::kAllowSecrets, "allow_secrets", kList, "", "PITH_ALLOW_SECRETS", "",
     "Names of the secrets table that may be stored and compacted all the same; * for all."},
    {Key::kNamespace, "namespace", kText, "", "PITH_NAMESPACE", "",
     "Scope of lists, search and purge; empty: the git root or folder."},
    {Key::kMarkerStyle, "marker_style", kChoice, "auto", "PITH_MARKER_STYLE", "auto|mcp|cli|ccr|tokenjuice|dsh",
     "How footers name the way back; auto: mcp where an MCP server is known to be there, else cli."},
    {Key::kSoftBytes, "soft_bytes", kBytes, "10000", "PITH_SOFT_BYTES", "",
     "Size that views aim at without a token budget."},
    {Key::kPageBytes, "page_bytes", kBytes, "0", "PITH_PAGE_BYTES", "",
     "Largest page of a retrieval; 0: what the host shows whole."},
    {Key::kHost, "host", kChoice, "", "PITH_HOST", kHostChoices, "The agent that Pith serves, for the size of pages."},
    {Key::kRoots, "roots", kList, "", "PITH_ROOTS", "",
     "Folders beneath which the tool `compact` may read files, besides the working folder."},
    {Key::kInclude, "include", kList, "", "PITH_INCLUDE", "", "Commands to compact even where rules leave them exact."},
    {Key::kExclude, "exclude", kList, "", "PITH_EXCLUDE", "", "Commands never to compact on hooks and `pith run`."},
    {Key::kDsh, "dsh", kObject, "{}", "PITH_DSH", "", "The fields of the policy dsh."},
    {Key::kHeartbeat, "heartbeat", kTime, "20", "PITH_HEARTBEAT", "",
     "After how long `pith run` names the spool of a command that still runs."},
    {Key::kHttpTokenFile, "http_token_file", kText, "", "PITH_HTTP_TOKEN_FILE", "",
     "File (mode 0600) with the bearer token that `pith serve --http` asks for."},
    {Key::kFilesFolder, "files_folder", kText, "", "PITH_FILES_FOLDER", "",
     "Where the tier `files` keeps originals; empty: files/ in the state folder."},
    {Key::kJournal, "journal", kText, "", "PITH_JOURNAL", "",
     "File of the tier `journal`; empty: journal.jsonl in the state folder."},
    {Key::kRedis, "redis", kText, "", "PITH_REDIS", "",
     "Address of the tier `redis`: redis://host[:port][/db], unix:///path or redis+sentinel://host/MASTER."},
    {Key::kRedisPassword, "redis_password", kText, "", "PITH_REDIS_PASSWORD", "", "The password of the tier `redis`.",
     true},
    {Key::kRedisMayEvict, "redis_may_evict", kFlag, "false", "PITH_REDIS_MAY_EVICT", "",
     "Accept a Redis that drops keys by itself; misses then say so."},
}};

// What stands in for the defaults of caps while the configuration is at fault: a default lower than what the user wrote
// would evict.
constexpr std::array<std::pair<Key, std::string_view>, 2> kWidest = {
    {{Key::kMaxEntries, "1000000000000"}, {Key::kMaxBytes, "1024TiB"}}};

constexpr char kSeparator = '\x1f';

size_t IndexOf(Key key) { return static_cast<size_t>(key); }

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    size_t cut = text.find(separator);
    parts.push_back(text.substr(0, cut));
    text = cut == std::string_view::npos ? std::string_view() : text.substr(cut + 1);
  }
  return parts;
}

std::optional<bool> ParseFlag(std::string_view text) {
  for (std::string_view yes : {"true", "1", "yes", "on"}) {
    if (text == yes) return true;
  }
  for (std::string_view no : {"false", "0", "no", "off", ""}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

std::string Allowed(const Setting& setting) {
  switch (setting.type) {
    case kFlag:
      return "true or false";
    case kNumber:
      return "a whole number";
    case kBytes:
      return "a number of bytes such as 1048576 or \"32 MiB\"";
    case kTime:
      return "a time such as \"90s\", \"12h\" or \"7d\"";
    case kText:
      return "a text";
    case kList:
      return "a list of texts";
    case kObject:
      return "a JSON object";
    case kChoice:
      break;
  }
  std::string text = "one of";
  for (std::string_view choice : Split(setting.choices, '|')) text += " " + std::string(choice);
  return text;
}

bool Fits(const Setting& setting, std::string_view text) {
  switch (setting.type) {
    case kFlag:
      return ParseFlag(text).has_value();
    case kNumber:
      return ParseWhole(text).has_value();
    case kBytes:
      return ParseByteCount(text).has_value();
    case kTime:
      return ParseSeconds(text).has_value();
    case kText:
    case kList:
      return true;
    case kObject:
      return ParseJson(text).is_object();
    case kChoice: {
      std::vector<std::string_view> choices = Split(setting.choices, '|');
      return text == setting.otherwise || std::find(choices.begin(), choices.end(), text) != choices.end();
    }
  }
  return false;
}

// A value of config.json in the form of the environment; nullopt where its JSON type is not the setting's.
std::optional<std::string> TextOfJson(const Setting& setting, const nlohmann::json& value) {
  switch (setting.type) {
    case kFlag:
      return value.is_boolean() ? std::optional<std::string>(value.get<bool>() ? "true" : "false") : std::nullopt;
    case kNumber:
    case kBytes:
    case kTime:
      if (value.is_number_unsigned()) return std::to_string(value.get<uint64_t>());
      if (setting.type == kNumber) return std::nullopt;
      [[fallthrough]];
    case kText:
    case kChoice:
      return value.is_string() ? std::optional<std::string>(value.get<std::string>()) : std::nullopt;
    case kObject:
      return value.is_object() ? std::optional<std::string>(JsonText(value)) : std::nullopt;
    case kList:
      break;
  }
  if (!value.is_array()) return std::nullopt;
  std::string text;
  for (const nlohmann::json& item : value) {
    if (!item.is_string()) return std::nullopt;
    if (!text.empty()) text += kSeparator;
    text += item.get<std::string>();
  }
  return text;
}

// Whole file; nullopt if it is not there. A pipe or a device that somebody put there is not waited for.
Result<std::optional<std::string>> ReadSmallFile(const std::string& path) {
  int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<std::string>();
    return Error{errno == EACCES ? Cause::kDenied : Cause::kIo, "cannot read " + path + ": " + strerror(errno)};
  }
  struct stat about {};
  if (fstat(descriptor, &about) != 0 || !(S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))) {
    close(descriptor);
    return Error{Cause::kInvalid, path + " is not a regular file"};
  }
  std::string content;
  char buffer[16384];
  ssize_t got = 0;
  while ((got = read(descriptor, buffer, sizeof buffer)) > 0 && content.size() < (1u << 20)) {
    content.append(buffer, static_cast<size_t>(got));
  }
  int failure = errno;
  close(descriptor);
  if (got < 0) return Error{Cause::kIo, "cannot read " + path + ": " + strerror(failure)};
  if (content.size() >= (1u << 20)) return Error{Cause::kTooLarge, path + " is larger than 1 MiB"};
  return std::optional<std::string>(std::move(content));
}

std::string Variable(const ConfigSources& sources, const char* name) {
  const char* value = sources.environment ? sources.environment(name) : getenv(name);
  return value ? value : "";
}

std::string FolderOf(const ConfigSources& sources) {
  if (std::string base = Variable(sources, "XDG_CONFIG_HOME"); base.starts_with('/')) return base + "/pith";
  std::string home = Variable(sources, "HOME");
  return home.starts_with('/') ? home + "/.config/pith" : std::string();  // a relative one would be the project's
}

std::string DefaultFile(const ConfigSources& sources) {
  if (!sources.file.empty()) return sources.file;
  if (std::string named = Variable(sources, "PITH_CONFIG"); !named.empty()) return named;
  std::string folder = FolderOf(sources);
  return folder.empty() ? folder : folder + "/config.json";
}

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string ConfigFolder() { return FolderOf({}); }

std::span<const Setting> Settings() { return kSettings; }
const Setting& SettingOf(Key key) { return kSettings[IndexOf(key)]; }

std::string_view OriginName(Origin origin) {
  switch (origin) {
    case Origin::kDefault:
      return "default";
    case Origin::kFile:
      return "file";
    case Origin::kEnvironment:
      return "environment";
    case Origin::kFlag:
      return "flag";
  }
  return "default";
}

std::string NearestName(std::string_view written, const std::vector<std::string_view>& known) {
  std::string_view best;
  size_t best_distance = SIZE_MAX;
  written = written.substr(0, 64);
  for (std::string_view name : known) {
    size_t distance = EditDistance(written, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  bool near = best_distance <= std::max<size_t>(1, std::max(written.size(), best.size()) / 3);
  return near ? std::string(best) : std::string();
}

Config Config::Defaults() {
  Config config;
  for (const Setting& setting : kSettings) config.values_[IndexOf(setting.key)].text = setting.otherwise;
  return config;
}

Result<Config> Config::Read(const ConfigSources& sources) {
  Config config = Defaults();
  config.file_ = DefaultFile(sources);
  std::vector<Error> faults;
  config.ReadFile(faults);
  config.ReadEnvironment(sources, faults);
  if (!faults.empty()) return faults.front();
  if (Result<void> flags = config.TakeFlags(sources); !flags.ok()) return flags.error();
  return config;
}

Result<Config> Config::ReadToGoOn(const ConfigSources& sources, std::string* fault) {
  Config config = Defaults();
  config.file_ = DefaultFile(sources);
  std::vector<Error> faults;
  config.ReadFile(faults);
  config.ReadEnvironment(sources, faults);
  fault->clear();
  if (!faults.empty()) {
    *fault = faults.front().sentence + "; until that is mended outputs go out unchanged";
    for (const auto& [key, text] : kWidest) {
      if (config.OriginOf(key) == Origin::kDefault) config.values_[IndexOf(key)].text = text;
    }
  }
  if (Result<void> flags = config.TakeFlags(sources); !flags.ok()) return flags.error();
  if (!faults.empty()) config.values_[IndexOf(Key::kDisable)].text = "true";
  return config;
}

void Config::ReadEnvironment(const ConfigSources& sources, std::vector<Error>& faults) {
  for (const Setting& setting : kSettings) {
    std::string name(setting.environment);
    const char* value = sources.environment ? sources.environment(name.c_str()) : getenv(name.c_str());
    if (!value) continue;
    std::string text = value;
    if (text.empty() && setting.type != kFlag && setting.type != kText) continue;
    if (setting.type == kList) std::replace(text.begin(), text.end(), ',', kSeparator);
    if (Result<void> set = Set(setting, text, Origin::kEnvironment, name); !set.ok()) faults.push_back(set.error());
  }
}

Result<void> Config::TakeFlags(const ConfigSources& sources) {
  for (const auto& [key, value] : sources.flags) {
    const Setting& setting = SettingOf(key);
    std::string text = value;
    if (setting.type == kList) std::replace(text.begin(), text.end(), ',', kSeparator);
    std::string where = "the flag for " + std::string(setting.name);
    if (Result<void> set = Set(setting, text, Origin::kFlag, where); !set.ok()) return set;
  }
  return {};
}

void Config::ReadFile(std::vector<Error>& faults) {
  if (file_.empty()) return;
  Result<std::optional<std::string>> content = ReadSmallFile(file_);
  if (!content.ok()) return faults.push_back(content.error());
  if (!*content) return;
  nlohmann::json root = ParseJsonWithComments(**content);
  if (!root.is_object()) return faults.push_back(Error{Cause::kInvalid, file_ + " is not a JSON object"});
  for (const auto& item : root.items()) {
    if (Result<void> taken = TakeMember(item.key(), item.value()); !taken.ok()) faults.push_back(taken.error());
  }
}

Result<void> Config::TakeMember(const std::string& name, const nlohmann::json& value) {
  if (name == "$schema") return {};
  auto row = std::find_if(kSettings.begin(), kSettings.end(), [&](const Setting& s) { return s.name == name; });
  if (row == kSettings.end()) {
    std::vector<std::string_view> known;
    for (const Setting& setting : kSettings) known.push_back(setting.name);
    std::string nearest = NearestName(name, known);
    return Error{Cause::kInvalid, file_ + ": unknown key \"" + name + "\"" +
                                      (nearest.empty() ? "; `pith config --list` names all keys"
                                                       : "; did you mean \"" + nearest + "\"?")};
  }
  if (row->secret) {
    return Error{Cause::kInvalid, file_ + ": \"" + name + "\" is read from the environment only (" +
                                      std::string(row->environment) + ")"};
  }
  std::optional<std::string> text = TextOfJson(*row, value);
  if (!text) {
    return Error{Cause::kInvalid,
                 file_ + ": \"" + name + "\" must be " + Allowed(*row) + ", not " + JsonText(value).substr(0, 80)};
  }
  return Set(*row, *text, Origin::kFile, file_ + ": \"" + name + "\"");
}

Result<void> Config::Set(const Setting& setting, std::string text, Origin origin, const std::string& where) {
  if (!Fits(setting, text)) {
    return Error{Cause::kInvalid, where + " must be " + Allowed(setting) + ", not \"" + text.substr(0, 80) + "\""};
  }
  values_[IndexOf(setting.key)] = {std::move(text), origin};
  return {};
}

bool Config::Flag(Key key) const { return ParseFlag(Text(key)).value_or(false); }

uint64_t Config::Number(Key key) const {
  const std::string& text = Text(key);
  switch (SettingOf(key).type) {
    case kBytes:
      return ParseByteCount(text).value_or(0);
    case kTime:
      return static_cast<uint64_t>(ParseSeconds(text).value_or(0));
    default:
      return ParseWhole(text).value_or(0);
  }
}

const std::string& Config::Text(Key key) const { return values_[IndexOf(key)].text; }

std::vector<std::string> Config::List(Key key) const {
  std::vector<std::string> items;
  for (std::string_view item : Split(Text(key), kSeparator)) {
    if (!item.empty()) items.emplace_back(item);
  }
  return items;
}

Origin Config::OriginOf(Key key) const { return values_[IndexOf(key)].origin; }

std::string Config::JsonOf(Key key) const {
  const Setting& setting = SettingOf(key);
  if (setting.secret) return "null";
  switch (setting.type) {
    case kFlag:
      return Flag(key) ? "true" : "false";
    case kNumber:
    case kBytes:
    case kTime:
      return std::to_string(Number(key));
    case kObject:
      return Text(key);
    case kList:
      return JsonText(nlohmann::json(List(key)));
    case kText:
    case kChoice:
      break;
  }
  return JsonText(nlohmann::json(Text(key)));
}

}  // namespace pith
