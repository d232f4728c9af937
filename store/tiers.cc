// The chain's names are a table: a new tier is one file and one row. Memory and SQLite are the local store's own.
#include "store/tiers.h"

#include <cstdlib>
#include <set>
#include <string_view>

#include "store/files_tier.h"
#include "store/journal_tier.h"
#include "store/redis_tier.h"

namespace pith {
namespace {

using MadeTier = Result<std::unique_ptr<Tier>>;

MadeTier MakeFiles(const StoreOptions& options, const std::string& folder, const Cipher* cipher) {
  std::string root = options.files_folder.empty() ? folder + "/files" : options.files_folder;
  return std::unique_ptr<Tier>(std::make_unique<FilesTier>(root, options.max_bytes, options.durability, cipher));
}

MadeTier MakeJournal(const StoreOptions& options, const std::string& folder, const Cipher* cipher) {
  if (cipher != nullptr) {
    return Error{Cause::kInvalid,
                 "the journal tier cannot be encrypted, its format is fixed: take it out of the chain"};
  }
  std::string path = options.journal_path.empty() ? folder + "/journal.jsonl" : options.journal_path;
  return std::unique_ptr<Tier>(std::make_unique<JournalTier>(path, options.max_bytes, options.durability));
}

MadeTier MakeRedis(const StoreOptions& options, const std::string&, const Cipher* cipher) {
  Result<RedisAddress> address = ParseRedisAddress(options.redis);
  if (!address) return address.error();
  RedisTier::Options redis;
  redis.address = address.Take();
  if (!options.redis_password.empty()) redis.address.password = options.redis_password;
  redis.timeout_ms = options.redis_timeout_ms;
  redis.may_evict = options.redis_may_evict;
  redis.durability = options.durability;
  return std::unique_ptr<Tier>(std::make_unique<RedisTier>(std::move(redis), cipher));
}

struct Row {
  std::string_view name;
  MadeTier (*make)(const StoreOptions&, const std::string& folder, const Cipher*);
};
constexpr Row kShared[] = {{"files", MakeFiles}, {"journal", MakeJournal}, {"redis", MakeRedis}};

std::string_view Trimmed(std::string_view name) {
  while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return name;
}

}  // namespace

Result<TierChain> MakeTiers(const StoreOptions& options, const std::string& folder, const Cipher* cipher) {
  TierChain chain;
  std::set<std::string_view> seen;
  std::string_view rest = options.chain;
  while (!rest.empty()) {
    size_t comma = rest.find(',');
    std::string_view name = Trimmed(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    if (!seen.insert(name).second) return Error{Cause::kInvalid, "the store names a tier twice: " + std::string(name)};
    if (name == "memory") {
      chain.memory = true;
      continue;
    }
    if (name == "sqlite") {
      chain.sqlite = true;
      continue;
    }
    const Row* row = nullptr;
    for (const Row& one : kShared) {
      if (one.name == name) row = &one;
    }
    if (row == nullptr) {
      return Error{Cause::kInvalid, "the store names an unknown tier: \"" + std::string(name) +
                                        "\"; memory, sqlite, files, journal and redis are known"};
    }
    if (options.memory_only) continue;
    MadeTier tier = row->make(options, folder, cipher);
    if (!tier) return tier.error();
    chain.shared.push_back(tier.Take());
  }
  return chain;
}

Result<std::string> StoreFolder(const std::string& given) {
  if (!given.empty()) return given;
  // A relative XDG_STATE_HOME is to be ignored, its specification says; an empty variable would name the root.
  const char* state = getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return std::string(state) + "/pith";
  const char* home = getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.local/state/pith";
  return Error{Cause::kInvalid, "no place for the store: set HOME or XDG_STATE_HOME, or name a folder"};
}

}  // namespace pith
