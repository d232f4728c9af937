// What the user decides: flags over PITH_* over ~/.config/pith/config.json over defaults. One table of settings, from
// which reading, checking, `pith config`, the JSON Schema and the documentation come.
//
// Frozen: a Config is read once at start-up and never changes. Nothing in a working folder is read here: a repository's
// own files configure nothing. Reading costs one open() when there is no file.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pith {

// In the order of the table in config.cc.
enum class Key : uint8_t {
  kDisable,
  kMeasureOnly,
  kNoHooks,
  kNoRun,
  kNoMcp,
  kStateFolder,
  kStore,
  kMemoryOnly,
  kDurability,
  kMemoryBytes,
  kMaxEntries,
  kMaxBytes,
  kMaxOriginal,
  kLifetime,
  kKeyFile,
  kStoreKey,
  kAllowSecrets,
  kNamespace,
  kMarkerStyle,
  kSoftBytes,
  kPageBytes,
  kHost,
  kRoots,
  kInclude,
  kExclude,
  kDsh,
  kHeartbeat,
  kHttpTokenFile,
  kFilesFolder,
  kJournal,
  kRedis,
  kRedisPassword,
  kRedisMayEvict,
};
inline constexpr size_t kKeyCount = 33;

// The agents whose pages are known (tools/page.h).
inline constexpr std::string_view kHostChoices =
    "claude-code|claude-desktop|codex|gemini|qwen|cursor|vscode|copilot|cline|droid|opencode|dsh";

enum class SettingType : uint8_t {
  kFlag,    // true, false; in the environment also 1, 0, yes, no, on, off, ""
  kNumber,  // a whole number
  kBytes,   // "32 MiB" or a number
  kTime,    // "7d" or a number of seconds
  kText,
  kChoice,  // one of `choices`, or the default
  kList,    // an array of texts; in the environment and in flags separated by commas
  kObject,  // a JSON object, kept as its text: who uses it checks it
};

struct Setting {
  Key key;
  std::string_view name;  // in config.json: "max_bytes"
  SettingType type;
  std::string_view otherwise;    // the default, written as in the environment
  std::string_view environment;  // "PITH_MAX_BYTES"
  std::string_view choices;      // "process|power"
  std::string_view help;         // one sentence
  bool secret = false;           // from the environment only; never printed
};
std::span<const Setting> Settings();
const Setting& SettingOf(Key key);

// Where a value came from, for `pith config`.
enum class Origin : uint8_t { kDefault, kFile, kEnvironment, kFlag };
std::string_view OriginName(Origin origin);

// What a Config is read from. Empty functions and strings mean the process's own.
struct ConfigSources {
  std::function<const char*(const char*)> environment;  // getenv
  std::string file;  // PITH_CONFIG, else $XDG_CONFIG_HOME/pith/config.json, else ~/.config/...
  std::vector<std::pair<Key, std::string>> flags;  // as written on the command line
};

// Where the user's configuration lives: $XDG_CONFIG_HOME/pith, else ~/.config/pith; "" without a home.
std::string ConfigFolder();

class Config {
 public:
  // Errors: kInvalid with a sentence that names the file or variable, the key, what was given and what is allowed; an
  // unknown key with the nearest known one. A file that is not there is no error, one that cannot be read is (kDenied,
  // kIo).
  static Result<Config> Read(const ConfigSources& sources = {});
  // For programs that must go on: what is wrong is left out and `disable` is set, so that outputs go out unchanged
  // while what was stored before can still be fetched; no cap is lower than what the user may have set. `fault` gets
  // one sentence, "" if all is well. Errors: a wrong flag alone.
  static Result<Config> ReadToGoOn(const ConfigSources& sources, std::string* fault);
  // Nothing but defaults.
  static Config Defaults();

  bool Flag(Key key) const;
  uint64_t Number(Key key) const;  // kNumber, kBytes (bytes), kTime (seconds)
  const std::string& Text(Key key) const;
  std::vector<std::string> List(Key key) const;
  Origin OriginOf(Key key) const;
  const std::string& file() const { return file_; }  // the path looked at

  // The value as JSON text (a secret as null), for `pith config --json`.
  std::string JsonOf(Key key) const;

 private:
  Result<void> Set(const Setting& setting, std::string text, Origin origin, const std::string& where);
  void ReadFile(std::vector<Error>& faults);
  void ReadEnvironment(const ConfigSources& sources, std::vector<Error>& faults);
  Result<void> TakeMember(const std::string& name, const nlohmann::json& value);
  Result<void> TakeFlags(const ConfigSources& sources);

  struct Value {
    std::string text;
    Origin origin = Origin::kDefault;
  };
  std::array<Value, kKeyCount> values_;
  std::string file_;
};

// The known name nearest to what was written, empty if none is near (more than a third of the letters differ).
std::string NearestName(std::string_view written, const std::vector<std::string_view>& known);

}  // namespace pith
