#include "base/config.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

namespace pith {
namespace {

// A configuration file that goes with the test.
class File {
 public:
  explicit File(const std::string& content) {
    char name[] = "/tmp/pith-config-XXXXXX";
    int descriptor = mkstemp(name);
    path_ = name;
    if (write(descriptor, content.data(), content.size()) < 0) path_.clear();
    close(descriptor);
  }
  ~File() { unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Result<Config> Read(const std::string& file, std::map<std::string, std::string> environment = {},
                    std::vector<std::pair<Key, std::string>> flags = {}) {
  ConfigSources sources;
  sources.file = file;
  sources.flags = std::move(flags);
  sources.environment = [&](const char* name) -> const char* {
    auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  };
  return Config::Read(sources);
}

std::string Refusal(const std::string& content) {
  File file(content);
  Result<Config> config = Read(file.path());
  REQUIRE_FALSE(config.ok());
  CHECK(config.error().cause == Cause::kInvalid);
  return config.error().sentence;
}

bool Has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("defaults stand where nothing is said, and every default fits its own type") {
  Result<Config> config = Read("/nowhere/config.json");
  REQUIRE(config.ok());
  CHECK(config->Number(Key::kMaxBytes) == 1ull << 30);
  CHECK(config->Number(Key::kLifetime) == 7 * 86400);
  CHECK(config->Text(Key::kStore) == "memory,sqlite");
  CHECK_FALSE(config->Flag(Key::kDisable));
  CHECK(config->OriginOf(Key::kMaxBytes) == Origin::kDefault);
  for (const Setting& setting : Settings()) {
    CAPTURE(setting.name);
    std::string variable(setting.environment);
    CHECK(Read("/nowhere/config.json", {{variable, std::string(setting.otherwise)}}).ok());
  }
}

TEST_CASE("the table is in the order of its keys, and every name and variable is there once") {
  std::set<std::string_view> names, variables;
  size_t at = 0;
  for (const Setting& setting : Settings()) {
    CHECK(static_cast<size_t>(setting.key) == at++);
    CHECK(names.insert(setting.name).second);
    CHECK(variables.insert(setting.environment).second);
    CHECK(setting.environment.starts_with("PITH_"));
    CHECK(setting.help.ends_with("."));
  }
}

TEST_CASE("flags win over the environment, that over the file, that over defaults") {
  File file(R"({"max_entries": 1, "max_bytes": "2 MiB", "roots": ["/a,b", "/c"], "disable": true})");
  Result<Config> config =
      Read(file.path(), {{"PITH_MAX_BYTES", "3MiB"}, {"PITH_LIFETIME", "1h"}}, {{Key::kLifetime, "2h"}});
  REQUIRE(config.ok());
  CHECK(config->Number(Key::kMaxEntries) == 1);
  CHECK(config->OriginOf(Key::kMaxEntries) == Origin::kFile);
  CHECK(config->Number(Key::kMaxBytes) == 3u << 20);
  CHECK(config->OriginOf(Key::kMaxBytes) == Origin::kEnvironment);
  CHECK(config->Number(Key::kLifetime) == 7200);
  CHECK(config->OriginOf(Key::kLifetime) == Origin::kFlag);
  CHECK(config->List(Key::kRoots) == std::vector<std::string>{"/a,b", "/c"});
  CHECK(config->Flag(Key::kDisable));
  CHECK(config->JsonOf(Key::kRoots) == R"(["/a,b","/c"])");
}

TEST_CASE("kill switches take the usual words, and an empty variable is off") {
  for (const char* text : {"1", "true", "yes", "on"}) {
    CHECK(Read("/nowhere/config.json", {{"PITH_DISABLE", text}})->Flag(Key::kDisable));
  }
  for (const char* text : {"0", "false", "no", "off", ""}) {
    CHECK_FALSE(Read("/nowhere/config.json", {{"PITH_DISABLE", text}})->Flag(Key::kDisable));
  }
  CHECK_FALSE(Read("/nowhere/config.json", {{"PITH_DISABLE", "perhaps"}}).ok());
}

TEST_CASE("an unknown key is refused with the nearest known one") {
  std::string sentence = Refusal(R"({"max_bites": 5})");
  CHECK(Has(sentence, "unknown key \"max_bites\""));
  CHECK(Has(sentence, "did you mean \"max_bytes\"?"));
  CHECK(Has(Refusal(R"({"zzzzzzzzzzzzzzz": 5})"), "pith config --list"));
}

TEST_CASE("a value of the wrong kind is refused, naming the key, what was given and what is allowed") {
  CHECK(Has(Refusal(R"({"max_entries": "many"})"), "\"max_entries\" must be a whole number, not \"many\""));
  CHECK(Has(Refusal(R"({"durability": "eternal"})"), "one of process power, not \"eternal\""));
  CHECK(Has(Refusal(R"({"disable": 1})"), "must be true or false"));
  CHECK(Has(Refusal(R"({"roots": "/a"})"), "must be a list of texts"));
  CHECK(Has(Refusal("[1]"), "is not a JSON object"));
  CHECK(Has(Refusal("{"), "is not a JSON object"));
}

TEST_CASE("a key never comes from the file, and is never printed") {
  CHECK(Has(Refusal(R"({"store_key": "k"})"), "from the environment only"));
  Result<Config> config = Read("/nowhere/config.json", {{"PITH_STORE_KEY", "hunter2"}});
  REQUIRE(config.ok());
  CHECK(config->Text(Key::kStoreKey) == "hunter2");
  CHECK(config->JsonOf(Key::kStoreKey) == "null");
}

TEST_CASE("I14: a configuration does not change when its sources do") {
  File file(R"({"max_entries": 7})");
  Result<Config> config = Read(file.path());
  std::ofstream(file.path()) << R"({"max_entries": 8})";
  CHECK(config->Number(Key::kMaxEntries) == 7);
}

TEST_CASE("a file that cannot be read is an error, one that is not there is none") {
  CHECK(Read("/nowhere/config.json").ok());
  CHECK_FALSE(Read("/tmp").ok());
}

TEST_CASE("a configuration at fault is read to go on: what fits holds, nothing is compacted, no cap is lowered") {
  File file(R"({"max_bites": 5, "state_folder": "/a", "lifetime": "soon", "disable": false})");
  ConfigSources sources;
  sources.file = file.path();
  sources.environment = [](const char*) -> const char* { return nullptr; };
  std::string fault;
  Result<Config> config = Config::ReadToGoOn(sources, &fault);
  REQUIRE(config.ok());
  CHECK(Has(fault, "\"lifetime\" must be a time"));
  CHECK(config->Text(Key::kStateFolder) == "/a");
  CHECK(config->Flag(Key::kDisable));
  CHECK(config->Number(Key::kLifetime) == 7 * 86400);
  CHECK(config->Number(Key::kMaxBytes) == 1ull << 50);
  sources.file = "/nowhere/config.json";
  config = Config::ReadToGoOn(sources, &fault);
  CHECK(fault.empty());
  CHECK_FALSE(config->Flag(Key::kDisable));
  CHECK(config->Number(Key::kMaxBytes) == 1ull << 30);
}

}  // namespace pith
