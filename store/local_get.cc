// Reading from the local store.
//
// The inbox is asked before the database: whoever folds an original in commits its row before he removes its file, so
// what is not in the inbox now is in the database for whoever looks there next, or is nowhere. The other order could
// miss one that moved between the two looks. Lists, search and statistics fold the inbox in first.
#include <algorithm>
#include <unordered_set>

#include "base/clock.h"
#include "base/token.h"
#include "store/local_store.h"

namespace pith {
namespace {

constexpr int kFoldInWaitMs = 1000;
constexpr size_t kStampLength = 18;  // 2026-01-31T235959Z
constexpr std::string_view kNoUse = "; asking again will not help";

std::string RunAgain(std::string_view command) {
  if (command.empty()) return std::string(kNoUse);
  return std::string(kNoUse) + ", run it again: " + std::string(command);
}

}  // namespace

LocalStore::LocalStore(const StoreOptions& options, const Cipher* cipher)
    : options_(options),
      cipher_(cipher),
      connections_(options.folder, cipher, options.durability, options.busy_ms),
      bodies_(options.folder, cipher, options.durability),
      inbox_(options.folder, cipher, options.durability) {}

Error LocalStore::ExpiredMiss(Catalog& catalog, const EntryRow& row) {
  Result<std::optional<SightingRow>> newest = catalog.NewestSighting(row.id);
  std::string command = newest && *newest ? (*newest)->sighting.command : std::string();
  return {Cause::kExpired, "original " + row.token() + " expired at " + UtcTime(row.expires_ms) + RunAgain(command)};
}

Error LocalStore::Miss(Catalog* catalog, std::string_view token) {
  std::string name = "original " + std::string(token);
  if (catalog != nullptr) {
    Result<std::optional<Tombstone>> found = catalog->FindTombstone(token);
    if (!found) return found.error();
    if (*found) {
      const Tombstone& tombstone = **found;
      std::string when = UtcTime(tombstone.at_ms);
      switch (tombstone.cause) {
        case Cause::kExpired:
          return {Cause::kExpired, name + " expired at " + when + RunAgain(tombstone.command)};
        case Cause::kDamaged:
          return {Cause::kDamaged, name + " was damaged, and removed at " + when + RunAgain(tombstone.command)};
        case Cause::kPurged:
          return {Cause::kPurged, name + " was purged at " + when + std::string(kNoUse)};
        default:
          return {Cause::kEvicted, name + " was evicted at " + when + " to make room" + RunAgain(tombstone.command)};
      }
    }
  }
  std::vector<std::string> damaged = connections_.on_disk() ? connections_.Damaged() : std::vector<std::string>();
  if (damaged.empty()) return {Cause::kNotFound, name + " was never stored here" + std::string(kNoUse)};
  const std::string& aside = damaged.back();
  std::string when = aside.substr(aside.rfind("damaged-") + 8, kStampLength);
  return {Cause::kNotFound, name + " is not in the store: its database was damaged at " + when +
                                ", and the original may have been in it (set aside as " + aside + ")" +
                                std::string(kNoUse)};
}

Result<EntryRow> LocalStore::LiveRow(Catalog& catalog, std::string_view token) {
  Result<std::optional<EntryRow>> row = catalog.FindToken(token);
  if (!row) return row.error();
  if (!*row) return Miss(&catalog, token);
  if ((*row)->held) return **row;
  Result<int64_t> now = catalog.Now();
  if (!now) return now.error();
  if ((*row)->expires_ms <= *now) return ExpiredMiss(catalog, **row);
  return **row;
}

bool LocalStore::InboxAlive(std::string_view token) {
  Result<std::vector<InboxSighting>> waiting = inbox_.Waiting(token);
  if (!waiting || waiting->empty()) return true;  // its sighting is being written
  int64_t now = TheClock().WallMs();
  for (const InboxSighting& one : *waiting) {
    Result<Sighting> sighting = inbox_.ReadSighting(one);
    int64_t seconds = options_.lifetime_seconds;
    if (sighting) seconds = sighting->lifetime_seconds.value_or(seconds);
    if (ExpiryOf(one.at_ms, seconds * 1000) > now) return true;
  }
  return false;
}

template <typename Value, typename Work>
Result<Value> LocalStore::WithBody(std::string_view token, Work work) {
  std::optional<Error> fault;
  if (connections_.on_disk()) {
    Result<std::unique_ptr<FrameSource>> body = inbox_.Open(token);
    if (body && InboxAlive(token)) {
      Result<Value> value = work(**body);
      if (value) return value;
      fault = value.error();
    } else if (!body && body.error().cause != Cause::kNotFound) {
      fault = body.error();
    }
  }
  Result<Value> value = Reading<Value>([&](Lease& lease) -> Result<Value> {
    Result<EntryRow> row = LiveRow(*lease.catalog, token);
    if (!row) return row.error();
    Result<int64_t> now = lease.catalog->Now();
    if (!now) return now.error();
    NoteUsed(*row, *now);
    Result<std::unique_ptr<FrameSource>> body = bodies_.Open(*lease.database, *row);
    if (!body) return body.error();
    return work(**body);
  });
  if (value || !fault) {
    if (!value && value.error().cause == Cause::kNotFound) return Miss(nullptr, token);
    if (value) CountUse(token);
    return value;
  }
  return *fault;
}

Result<std::string> LocalStore::Get(std::string_view token, Range range) {
  return WithBody<std::string>(token, [&](FrameSource& body) { return ReadRange(body, range); });
}

Result<LineSlice> LocalStore::GetLines(std::string_view token, uint64_t first, uint64_t last) {
  return WithBody<LineSlice>(token, [&](FrameSource& body) { return ReadLines(body, first, last); });
}

Result<Entry> LocalStore::EntryOf(Catalog& catalog, const EntryRow& row, const Sighting* last) {
  Entry entry;
  entry.token = row.token();
  entry.bytes = row.facts.raw_bytes;
  entry.stored_bytes = row.facts.stored_bytes;
  entry.lines = row.facts.lines;
  entry.first_seen_ms = row.first_seen_ms;
  entry.last_seen_ms = row.last_seen_ms;
  entry.last_used_ms = row.used_ms;
  entry.expires_ms = row.held ? 0 : row.expires_ms;
  entry.sightings = static_cast<uint64_t>(row.sightings);
  entry.retrievals = static_cast<uint64_t>(row.retrievals);
  entry.held = row.held;
  if (last != nullptr) {
    entry.last = *last;
    return entry;
  }
  Result<std::optional<SightingRow>> newest = catalog.NewestSighting(row.id);
  if (!newest) return newest.error();
  if (*newest) entry.last = std::move((*newest)->sighting);
  return entry;
}

// From the files alone, where they cannot be folded in (a store that may not be written, a lock that is held).
Result<Entry> LocalStore::InboxEntry(std::string_view token) {
  Result<std::unique_ptr<FrameSource>> body = inbox_.Open(token);
  if (!body) return body.error();
  if (!InboxAlive(token)) return Error{Cause::kNotFound, ""};
  Result<std::vector<InboxSighting>> waiting = inbox_.Waiting(token);
  if (!waiting) return waiting.error();
  const BodyFacts& facts = (*body)->facts();
  Entry entry;
  entry.token = TokenOf(facts.digest);
  entry.bytes = facts.raw_bytes;
  entry.stored_bytes = facts.stored_bytes;
  entry.lines = facts.lines;
  entry.sightings = waiting->size();
  if (waiting->empty()) return entry;
  Result<Sighting> last = inbox_.ReadSighting(waiting->back());
  if (last) entry.last = last.Take();
  entry.first_seen_ms = waiting->front().at_ms;
  entry.last_seen_ms = entry.last_used_ms = waiting->back().at_ms;
  int64_t lifetime = entry.last.lifetime_seconds.value_or(options_.lifetime_seconds) * 1000;
  entry.expires_ms = ExpiryOf(entry.last_seen_ms, lifetime);
  return entry;
}

Result<Entry> LocalStore::Find(std::string_view token) {
  Result<Entry> in_inbox = Error{Cause::kNotFound, ""};
  if (connections_.on_disk()) {
    in_inbox = InboxEntry(token);
    if (in_inbox) {
      Result<uint64_t> folded = FoldIn(kFoldInWaitMs);
      if (folded) in_inbox = InboxEntry(token);  // gone now, unless another process holds the lock
    }
  }
  Result<Entry> entry = Reading<Entry>([&](Lease& lease) -> Result<Entry> {
    if (Result<EntryRow> row = LiveRow(*lease.catalog, token); row)
      return EntryOf(*lease.catalog, *row, nullptr);
    else
      return row.error();
  });
  if (entry) return entry;
  if (in_inbox) return in_inbox;
  if (entry.error().cause == Cause::kNotFound) return Miss(nullptr, token);
  return entry;
}

Result<std::vector<Sighting>> LocalStore::Sightings(std::string_view token, uint64_t limit) {
  (void)FoldIn(kFoldInWaitMs).ok();
  Result<std::vector<Sighting>> result =
      Reading<std::vector<Sighting>>([&](Lease& lease) -> Result<std::vector<Sighting>> {
        Result<EntryRow> row = LiveRow(*lease.catalog, token);
        if (!row) return row.error();
        int64_t most = static_cast<int64_t>(std::min<uint64_t>(limit, INT64_MAX));
        Result<std::vector<SightingRow>> rows = lease.catalog->SightingsOf(row->id, most);
        if (!rows) return rows.error();
        std::vector<Sighting> sightings;
        for (SightingRow& one : *rows) sightings.push_back(std::move(one.sighting));
        return sightings;
      });
  if (!result && result.error().cause == Cause::kNotFound) return Miss(nullptr, token);
  return result;
}

void LocalStore::FoldInToRead() {
  Result<uint64_t> folded = FoldIn(kFoldInWaitMs);
  if (folded) return;
  std::string text =
      "originals that wait in the inbox are left out of lists and searches, though a token finds them: " +
      folded.error().sentence;
  std::lock_guard lock(mutex_);
  if (std::find(notices_.begin(), notices_.end(), text) == notices_.end()) notices_.push_back(std::move(text));
}

Result<std::vector<Entry>> LocalStore::List(const ListQuery& query) {
  FoldInToRead();
  Result<std::vector<Entry>> result = Reading<std::vector<Entry>>([&](Lease& lease) -> Result<std::vector<Entry>> {
    std::vector<Entry> entries;
    if (query.limit == 0) return entries;
    Catalog& catalog = *lease.catalog;
    Result<int64_t> now = catalog.Now();
    if (!now) return now.error();
    std::unordered_set<int64_t> seen;
    uint64_t passed = 0;
    auto visit = [&](SightingRow one) -> Result<bool> {
      if (!IsOf(one.sighting, query.tool, query.command)) return true;
      if (!seen.insert(one.entry).second) return true;
      Result<std::optional<EntryRow>> row = catalog.FindId(one.entry);
      if (!row) return row.error();
      if (!*row || (!(*row)->held && (*row)->expires_ms <= *now)) return true;
      if (passed++ < query.offset) return true;
      Result<Entry> entry = EntryOf(catalog, **row, &one.sighting);
      if (!entry) return entry.error();
      entries.push_back(entry.Take());
      return entries.size() < query.limit;
    };
    if (Result<void> walked = catalog.WalkSightings(query.name_space, query.since_ms, visit); !walked) {
      return walked.error();
    }
    return entries;
  });
  if (!result && result.error().cause == Cause::kNotFound) return std::vector<Entry>();
  return result;
}

Result<std::vector<std::string>> LocalStore::TokensStartingWith(std::string_view prefix, uint64_t limit) {
  FoldInToRead();
  Result<std::vector<std::string>> result =
      Reading<std::vector<std::string>>([&](Lease& lease) -> Result<std::vector<std::string>> {
        return lease.catalog->TokensStartingWith(prefix, static_cast<int64_t>(std::min<uint64_t>(limit, INT64_MAX)));
      });
  if (!result && result.error().cause == Cause::kNotFound) return std::vector<std::string>();
  return result;
}

Result<bool> LocalStore::HoldsOther() {
  Result<bool> result = Reading<bool>([&](Lease& lease) -> Result<bool> {
    const KeyId own = cipher_ != nullptr ? cipher_->key_id() : KeyId{};
    Statement statement = lease.database->Prepare("SELECT 1 FROM entries WHERE key_id != ? LIMIT 1");
    return statement.Blob({own.data(), own.size()}).Step();
  });
  if (!result && result.error().cause == Cause::kNotFound) return false;
  return result;
}

Result<StoreStats> LocalStore::Stats(const std::optional<std::string>& name_space) {
  FoldInToRead();
  WriteCounts(options_.busy_ms);
  Result<StoreStats> result = Reading<StoreStats>([&](Lease& lease) -> Result<StoreStats> {
    Result<StoreStats> stats = lease.catalog->Totals(name_space);
    if (!stats) return stats;
    Result<Counters> counters = lease.catalog->ReadCounters();
    if (!counters) return counters.error();
    stats->evicted = static_cast<uint64_t>(counters->evicted);
    stats->expired = static_cast<uint64_t>(counters->expired);
    stats->purged = static_cast<uint64_t>(counters->purged);
    stats->entries = static_cast<uint64_t>(counters->entries);
    stats->raw_bytes = static_cast<uint64_t>(counters->raw_bytes);
    stats->stored_bytes = static_cast<uint64_t>(counters->stored_bytes);
    stats->tiers.push_back(
        {connections_.on_disk() ? "sqlite" : "memory", stats->entries, stats->stored_bytes, stats->raw_bytes});
    return stats;
  });
  if (!result && result.error().cause == Cause::kNotFound) result = StoreStats{};
  if (!result || !connections_.on_disk()) return result;
  Inbox::Load load = inbox_.Size();
  result->inbox_files = load.files;
  if (load.files > 0) result->tiers.push_back({"inbox", load.files, load.bytes, 0});
  return result;
}

}  // namespace pith
