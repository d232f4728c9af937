// The store as callers see it: the chain of tiers, asked in order, and the local store that answers for all that a tier
// does not know.
//
//   put: local store (database, or inbox for a one-shot process and whenever the database cannot be written in time),
//        then the shared tiers, then memory
//   get: memory, local store, shared tiers
//
// Another process may purge what this one keeps in memory. A purge touches a file; each read compares its time (a
// microsecond) and drops the memory tier when it has changed.
#include <algorithm>
#include <atomic>
#include <set>

#include "base/clock.h"
#include "base/token.h"
#include "base/units.h"
#include "store/access.h"
#include "store/local_store.h"
#include "store/memory_tier.h"
#include "store/spool.h"
#include "store/tiers.h"

namespace pith {
namespace {

Error NotAToken(std::string_view token) {
  std::string shown(token.substr(0, 80));
  return {Cause::kInvalid, "not a token: \"" + shown + "\"; a token is 24 hex digits (0-9, a-f)"};
}

LineSlice LinesOf(std::string_view bytes, uint64_t first, uint64_t last) {
  LineSlice slice;
  uint64_t line = 1, begin = 0;
  for (size_t at = 0; at < bytes.size(); ++line) {
    size_t newline = bytes.find('\n', at);
    size_t end = newline == std::string_view::npos ? bytes.size() : newline + 1;
    if (line == first) begin = at;
    if (line >= first && line <= last) {
      slice.first = first;
      slice.last = line;
      slice.offset = begin;
      slice.bytes = bytes.substr(begin, end - begin);
    }
    at = end;
    slice.total = line;
  }
  return slice;
}

class ChainStore : public Store {
 public:
  ChainStore(const StoreOptions& options, std::unique_ptr<Cipher> cipher, std::vector<std::unique_ptr<Tier>> shared,
             bool memory_tier)
      : options_(options),
        cipher_(std::move(cipher)),
        local_(std::make_unique<LocalStore>(options, cipher_.get())),
        shared_(std::move(shared)),
        on_disk_(!options.folder.empty()),
        access_(options.folder, cipher_.get(), options.durability == Durability::kPower,
                [this] { return local_->HoldsOther(); }),
        shared_must_keep_(options.folder.empty() && !options.memory_only) {
    if (memory_tier && on_disk_) memory_ = std::make_unique<MemoryTier>(options.memory_bytes);
  }

  ~ChainStore() override {
    if (put_since_tending_) Tend();
  }

  Result<PutOutcome> Put(std::string_view bytes, const Sighting& given, const Digest* digest) override {
    if (Result<void> may = access_.MayWrite(); !may) return may.error();
    Digest own{};
    if (digest == nullptr) own = Sha256Of(bytes);
    const Digest& name = digest != nullptr ? *digest : own;
    Sighting sighting = Completed(given, bytes.size());
    Result<PutOutcome> outcome = PutLocal(bytes, name, sighting);
    bool kept = false;  // by a shared tier, where that is what counts
    for (const std::unique_ptr<Tier>& tier : shared_) {
      Result<void> done = tier->Put(bytes, name, EndOf(sighting));
      if (!done) {
        NoticeOnce(tier->name(), done.error());
        if (shared_must_keep_) outcome = kept ? outcome : Result<PutOutcome>(done.error());
      } else if (tier->durable() && !kept && (!outcome || shared_must_keep_)) {
        kept = true;
        PutOutcome elsewhere;
        elsewhere.token = TokenOf(name);
        elsewhere.digest = name;
        elsewhere.existed = outcome && outcome->existed;
        elsewhere.tier = tier->name();
        outcome = elsewhere;
      }
    }
    if (outcome) Remember(bytes, name, EndOf(sighting));
    return outcome;
  }

  Result<std::string> Get(std::string_view token, Range range) override {
    if (!IsTokenShaped(token)) return NotAToken(token);
    if (memory_ != nullptr) {
      DropIfPurged();
      if (Result<std::string> bytes = memory_->Get(token, range)) {
        local_->CountUse(token);
        return bytes;
      }
    }
    Result<std::string> bytes = local_->Get(token, range);
    if (!bytes) bytes = GetShared(token, range, bytes.error());
    bool whole = range.offset == 0 && range.length == UINT64_MAX;
    if (bytes && whole && memory_ != nullptr) {
      Digest digest = Sha256Of(*bytes);
      Remember(*bytes, digest, TheClock().WallMs() + options_.lifetime_seconds * 1000);
    }
    return bytes;
  }

  Result<LineSlice> GetLines(std::string_view token, uint64_t first, uint64_t last) override {
    if (!IsTokenShaped(token)) return NotAToken(token);
    Result<LineSlice> slice = local_->GetLines(token, first, last);
    if (slice || shared_.empty() || slice.error().cause == Cause::kInvalid) return slice;
    Result<std::string> bytes = GetShared(token, {}, slice.error());
    if (!bytes) return bytes.error();
    return LinesOf(*bytes, first, last);
  }

  Result<Entry> Find(std::string_view token) override {
    if (!IsTokenShaped(token)) return NotAToken(token);
    Result<Entry> entry = local_->Find(token);
    if (entry || shared_.empty()) return entry;
    Result<std::string> bytes = GetShared(token, {}, entry.error());
    if (!bytes) return bytes.error();
    Entry found;
    found.token = std::string(token.substr(0, kTokenLength));
    found.bytes = bytes->size();
    found.lines = static_cast<uint64_t>(std::count(bytes->begin(), bytes->end(), '\n'));
    if (!bytes->empty() && bytes->back() != '\n') found.lines += 1;
    return found;
  }

  Result<std::vector<Sighting>> Sightings(std::string_view token, uint64_t limit) override {
    if (!IsTokenShaped(token)) return NotAToken(token);
    if (Result<void> may = access_.MayRead(); !may) return may.error();
    return local_->Sightings(token, limit);
  }
  Result<std::vector<Entry>> List(const ListQuery& query) override {
    if (Result<void> may = access_.MayRead(); !may) return may.error();
    return local_->List(query);
  }
  Result<std::vector<std::string>> TokensStartingWith(std::string_view prefix, uint64_t limit) override {
    if (Result<void> may = access_.MayRead(); !may) return may.error();
    return local_->TokensStartingWith(prefix, limit);
  }
  Result<SearchOutcome> Search(const SearchQuery& query) override {
    if (Result<void> may = access_.MayRead(); !may) return may.error();
    return local_->Search(query);
  }
  void CountRetrieval(std::string_view token, uint64_t bytes, uint64_t tokens) override {
    if (IsTokenShaped(token)) local_->CountRetrieval(token, bytes, tokens);
  }
  Result<void> Hold(std::string_view token, bool held) override {
    if (!IsTokenShaped(token)) return NotAToken(token);
    if (Result<void> may = access_.MayWrite(); !may) return may;
    return local_->Hold(token, held);
  }

  Result<StoreStats> Stats(const std::optional<std::string>& name_space) override {
    if (Result<void> may = access_.MayRead(); !may) return may.error();
    Result<StoreStats> stats = local_->Stats(name_space);
    if (!stats) return stats;
    if (memory_ != nullptr) {
      if (Result<TierStats> tier = memory_->Stats()) stats->tiers.insert(stats->tiers.begin(), *tier);
    }
    for (const std::unique_ptr<Tier>& tier : shared_) {
      if (Result<TierStats> one = tier->Stats()) stats->tiers.push_back(*one);
    }
    return stats;
  }

  Result<GcOutcome> Gc() override {
    if (Result<void> may = access_.MayRead(); !may) return may.error();
    Result<GcOutcome> outcome = local_->Gc();
    for (const std::unique_ptr<Tier>& tier : shared_) {
      if (Result<uint64_t> swept = tier->Sweep(); !swept) NoticeOnce(tier->name(), swept.error());
    }
    if (on_disk_) RemoveOldSpools(options_.folder, TheClock().WallMs());
    return outcome;
  }

  Result<PurgeOutcome> Purge(const PurgeQuery& query) override {
    if (query.token && !IsTokenShaped(*query.token)) return NotAToken(*query.token);
    // Where everything goes, nothing need be read.
    if (Result<void> may = query.all ? access_.FolderFits() : access_.MayRead(); !may) return may.error();
    std::vector<std::string> tokens;
    uint64_t spools = PurgeSpools(query);  // first: they may be what fills the disk
    Result<PurgeOutcome> outcome = local_->Purge(query, &tokens);
    if (outcome) outcome->spools = spools;
    if (outcome && query.all && !query.older_than_seconds && on_disk_) ForgetKey(options_.folder);
    if (query.token) tokens.push_back(*query.token);  // a shared tier may have it where this machine has not
    for (const std::string& token : tokens) {
      if (memory_ != nullptr) (void)memory_->Remove(token).ok();
      for (const std::unique_ptr<Tier>& tier : shared_) {
        if (Result<void> gone = tier->Remove(token); !gone) NoticeOnce(tier->name(), gone.error());
      }
    }
    return outcome;
  }

  using Store::OpenSpool;
  Result<std::unique_ptr<Spool>> OpenSpool(std::string_view name_space) override {
    if (!on_disk_) {
      return OpenMemorySpool(options_.memory_bytes, [this](std::string_view bytes, const Sighting& sighting) {
        return Put(bytes, sighting, nullptr);
      });
    }
    if (Result<void> may = access_.MayWrite(); !may) return may.error();
    return OpenSpoolFile(options_.folder, name_space, cipher_.get(), options_.durability, local_->MaxOriginal(),
                         [this](const std::string& path, const BodyFacts& facts, const Sighting& sighting) {
                           return AdoptSpool(path, facts, sighting);
                         });
  }

  Result<std::string> ReadSpool(std::string_view name, Range range) override {
    if (!on_disk_) return Error{Cause::kNotFound, "no output is named " + std::string(name)};
    Result<std::string> token = SpoolToken(name);
    if (token) return Get(*token, range);
    Result<std::string> bytes = ReadSpoolFile(options_.folder, name, cipher_.get(), range);
    if (bytes || bytes.error().cause != Cause::kNotFound) return bytes;
    token = SpoolToken(name);  // it may have been finished between the two looks
    if (token) return Get(*token, range);
    return Error{Cause::kNotFound, "no output is named " + std::string(name)};
  }

  Result<std::string> SpoolToken(std::string_view name) override {
    if (!on_disk_) return Error{Cause::kNotFound, "no finished output is named " + std::string(name)};
    return TokenOfSpool(options_.folder, name);
  }

  bool SpoolIsLive(std::string_view name) override { return on_disk_ && pith::SpoolIsLive(options_.folder, name); }

  std::vector<UnfinishedSpool> UnfinishedSpools(const std::optional<std::string>& name_space) override {
    if (!on_disk_) return {};
    std::vector<UnfinishedSpool> spools = ListUnfinishedSpools(options_.folder);
    std::erase_if(spools, [&](const UnfinishedSpool& spool) {
      if (!name_space) return false;
      Result<std::string> project = ProjectOfSpool(options_.folder, spool.name, cipher_.get());
      return !project || *project != *name_space;
    });
    return spools;
  }

  void Tend() override {
    put_since_tending_ = false;
    local_->Tend();
  }

  std::vector<std::string> TakeNotices() override {
    std::vector<std::string> notices = local_->TakeNotices();
    std::lock_guard lock(mutex_);
    notices.insert(notices.end(), notices_.begin(), notices_.end());
    notices_.clear();
    return notices;
  }

 private:
  static Sighting Completed(const Sighting& given, uint64_t bytes) {
    Sighting sighting = given;
    if (sighting.at_ms == 0) sighting.at_ms = TheClock().WallMs();
    if (sighting.original_bytes == 0) sighting.original_bytes = bytes;
    return sighting;
  }

  int64_t EndOf(const Sighting& sighting) const {
    return sighting.at_ms + sighting.lifetime_seconds.value_or(options_.lifetime_seconds) * 1000;
  }

  Result<PutOutcome> PutLocal(std::string_view bytes, const Digest& digest, const Sighting& sighting) {
    if (!on_disk_ || !options_.one_shot) {
      Result<PutOutcome> outcome = local_->Put(bytes, digest, sighting);
      if (outcome || !on_disk_ || outcome.error().cause == Cause::kTooLarge) return outcome;
      // The database cannot take it now: locked too long, damaged, written by a newer pith. The inbox can.
      if (Result<PutOutcome> waiting = PutInbox(bytes, digest, sighting)) return waiting;
      return outcome;
    }
    return PutInbox(bytes, digest, sighting);
  }

  Result<PutOutcome> PutInbox(std::string_view bytes, const Digest& digest, const Sighting& sighting) {
    Result<void> done = local_->inbox().Put(bytes, digest, sighting, local_->MaxOriginal());
    if (!done) return done.error();
    put_since_tending_ = true;
    return InboxOutcome(digest);
  }

  static PutOutcome InboxOutcome(const Digest& digest) {
    PutOutcome outcome;
    outcome.token = TokenOf(digest);
    outcome.digest = digest;
    outcome.tier = "inbox";
    return outcome;
  }

  Result<PutOutcome> AdoptSpool(const std::string& path, const BodyFacts& facts, const Sighting& given) {
    Sighting sighting = Completed(given, facts.raw_bytes);
    Result<PutOutcome> outcome = Error{};
    if (!options_.one_shot) outcome = local_->Adopt(path, facts, sighting);
    if (!outcome) {
      Result<void> done = local_->inbox().Adopt(path, facts, sighting);
      if (!done) return done.error();
      put_since_tending_ = true;
      outcome = InboxOutcome(facts.digest);
    }
    if (shared_.empty()) return outcome;
    Result<std::string> bytes = local_->Get(outcome->token, {});
    for (const std::unique_ptr<Tier>& tier : shared_) {
      if (!bytes) break;
      Result<void> done = tier->Put(*bytes, facts.digest, EndOf(sighting));
      if (!done) NoticeOnce(tier->name(), done.error());
    }
    return outcome;
  }

  uint64_t PurgeSpools(const PurgeQuery& query) {
    if (!on_disk_ || query.token || (!query.all && !query.name_space && !query.older_than_seconds)) return 0;
    int64_t before_ms = query.older_than_seconds ? TheClock().WallMs() - *query.older_than_seconds * 1000 : INT64_MAX;
    std::vector<std::string> abandoned = AbandonedSpools(options_.folder, before_ms);
    uint64_t erased = 0, unknown = 0;
    for (const std::string& name : abandoned) {
      if (query.name_space) {
        Result<std::string> project = ProjectOfSpool(options_.folder, name, cipher_.get());
        if (!project) ++unknown;
        if (!project || *project != *query.name_space) continue;
      }
      EraseSpool(options_.folder, name);
      ++erased;
    }
    if (unknown > 0) {
      std::lock_guard lock(mutex_);
      notices_.push_back("left: " + CountText(unknown, "unfinished output") +
                         " of unknown projects; they go within a day, or with --all");
    }
    return erased;
  }

  // A miss of the local store stands unless a shared tier has it.
  Result<std::string> GetShared(std::string_view token, Range range, const Error& local_miss) {
    std::string troubles, notes;
    for (const std::unique_ptr<Tier>& tier : shared_) {
      Result<std::string> bytes = tier->Get(token, range);
      if (bytes) return bytes;
      if (bytes.error().cause == Cause::kNotFound || bytes.error().cause == Cause::kExpired) {
        if (std::string note = tier->MissNote(); !note.empty()) notes += "; " + note;
        continue;
      }
      NoticeOnce(tier->name(), bytes.error());
      troubles += "; the " + std::string(tier->name()) + " tier could not say: " + bytes.error().sentence;
    }
    if (local_miss.cause != Cause::kNotFound) return local_miss;
    if (troubles.empty()) return Error{local_miss.cause, local_miss.sentence + notes};
    return Error{Cause::kUnavailable, "original " + std::string(token) + " is not on this machine" + troubles};
  }

  void Remember(std::string_view bytes, const Digest& digest, int64_t expires_ms) {
    if (memory_ != nullptr && !options_.one_shot) (void)memory_->Put(bytes, digest, expires_ms).ok();
  }

  void DropIfPurged() {
    int64_t generation = local_->Generation();
    if (generation_.exchange(generation) == generation) return;
    std::lock_guard lock(mutex_);
    memory_->Clear();
  }

  void NoticeOnce(std::string_view tier, const Error& error) {
    std::string text = "the " + std::string(tier) + " tier: " + error.sentence;
    std::lock_guard lock(mutex_);
    if (noticed_.size() < 64 && noticed_.insert(text).second) notices_.push_back(std::move(text));
  }

  StoreOptions options_;
  std::unique_ptr<Cipher> cipher_;
  std::unique_ptr<LocalStore> local_;
  std::unique_ptr<MemoryTier> memory_;
  std::vector<std::unique_ptr<Tier>> shared_;
  const bool on_disk_;
  const Access access_;
  const bool shared_must_keep_;  // a chain without a local disk: what counts as kept is what a shared tier has
  std::atomic<bool> put_since_tending_ = false;
  std::atomic<int64_t> generation_ = 0;
  std::mutex mutex_;  // guards what follows
  std::vector<std::string> notices_;
  std::set<std::string> noticed_;
};

}  // namespace

Result<std::unique_ptr<Store>> Store::Open(const StoreOptions& given) {
  StoreOptions options = given;
  std::unique_ptr<Cipher> cipher;
  if (!options.key.empty()) {
    Result<std::unique_ptr<Cipher>> made = Cipher::FromSecret(options.key);
    if (!made) return made.error();
    cipher = made.Take();
  }
  Result<std::string> folder = StoreFolder(options.folder);
  if (!folder && !options.memory_only) return folder.error();
  Result<TierChain> chain = MakeTiers(options, folder ? *folder : std::string(), cipher.get());
  if (!chain) return chain.error();
  options.folder = chain->sqlite && !options.memory_only ? *folder : std::string();
  if (options.folder.empty()) options.max_bytes = std::min(options.max_bytes, options.memory_bytes);
  return std::unique_ptr<Store>(
      std::make_unique<ChainStore>(options, std::move(cipher), std::move(chain->shared), chain->memory));
}

}  // namespace pith
