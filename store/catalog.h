// What the database knows beside the bodies: entries, sightings, namespaces, tombstones, counters, and the store's
// clock. Statements only; whoever calls holds the connection's mutex and, for what writes, a transaction.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/body.h"
#include "store/database.h"

namespace pith {

struct EntryRow {
  int64_t id = 0;
  BodyFacts facts;
  std::string file;                             // name under bodies/; empty: the frames lie in the database
  int64_t first_seen_ms = 0, last_seen_ms = 0;  // wall time
  int64_t used_ms = 0, use_order = 0, lifetime_ms = 0, expires_ms = 0;  // the store's clock
  int64_t sightings = 0, retrievals = 0;
  bool held = false;

  std::string token() const { return HexOf(facts.digest).substr(0, 24); }
};

struct SightingRow {
  int64_t id = 0, entry = 0;
  Sighting sighting;
};

struct Tombstone {
  Digest digest{};
  int64_t at_ms = 0;
  Cause cause = Cause::kEvicted;
  uint64_t raw_bytes = 0;
  std::string tool, command;
};

struct Counters {
  int64_t entries = 0, raw_bytes = 0, stored_bytes = 0, evicted = 0, expired = 0, purged = 0;
};

// Orders given to writes are this far apart; uses that are only remembered stand between them.
inline constexpr int64_t kUseOrderStep = 1 << 20;

// How long after an entry's last use it may go, given that use is written down at most once an hour: a use that was not
// written must not cost the entry its promised time.
int64_t ExpiryOf(int64_t used_ms, int64_t lifetime_ms);
int64_t UseGranularity(int64_t lifetime_ms);  // how old a written use must be before a new one is written

class Catalog {
 public:
  // Both are borrowed; `cipher` may be null. With one, command lines, folders and namespace names are sealed.
  Catalog(Database& database, const Cipher* cipher) : database_(database), cipher_(cipher) {}

  // --- entries ---
  // By 24, 32 or 64 hex digits. Nothing: not there. kInvalid: two share the digits given.
  Result<std::optional<EntryRow>> FindToken(std::string_view token);
  Result<std::optional<EntryRow>> FindId(int64_t id);
  Result<int64_t> InsertEntry(const EntryRow& row);  // row.id is ignored; counters follow
  Result<void> UpdateBody(const EntryRow& row);      // other facts for the same digest; counters follow
  Result<void> SetUse(int64_t id, int64_t used_ms, int64_t use_order, int64_t lifetime_ms);
  Result<void> SetSeen(int64_t id, int64_t last_seen_ms);
  Result<void> SetHeld(int64_t id, bool held);
  Result<void> RemoveEntry(const EntryRow& row);  // with its sightings; not its frames; counters follow
  Result<int64_t> NextUseOrder();
  // Not held, in the order in which they go: expired by `now`, or least recently used.
  Result<std::vector<int64_t>> ExpiredIds(int64_t now_ms, int64_t limit);
  Result<std::vector<int64_t>> LeastUsedIds(int64_t limit);
  Result<std::vector<std::string>> TokensStartingWith(std::string_view prefix, int64_t limit);

  // --- sightings ---
  Result<void> AddSighting(int64_t entry,
                           const Sighting& sighting);  // at_ms is set; totals follow; old ones are trimmed
  Result<void> RemoveSighting(int64_t id);             // one of several of its entry; totals follow
  // Under this catalogue's key, what `old` reads: a sighting's command and folder; all names of namespaces.
  Result<void> RewriteTexts(const SightingRow& row);
  Result<void> RenameNameSpaces(const Catalog& old);
  Result<std::optional<SightingRow>> NewestSighting(int64_t entry);
  Result<std::vector<SightingRow>> SightingsOf(int64_t entry, int64_t limit);
  // Newest first, of a namespace or of all, not before since_ms; until `visit` gives false. `visit` may ask this
  // catalogue anything but another walk.
  Result<void> WalkSightings(const std::optional<std::string>& name_space, int64_t since_ms,
                             const std::function<Result<bool>(SightingRow row)>& visit);
  Result<void> CountRetrieval(int64_t entry, uint64_t retrievals, uint64_t bytes, uint64_t tokens);
  Result<std::optional<int64_t>> NameSpaceId(std::string_view name, bool create);

  // --- tombstones ---
  Result<void> AddTombstone(const Tombstone& tombstone);
  Result<void> RemoveTombstone(const Digest& digest);
  Result<std::optional<Tombstone>> FindTombstone(std::string_view token);

  // --- counters and clock ---
  Result<Counters> ReadCounters();
  Result<void> Count(const Counters& change);
  Result<StoreStats> Totals(const std::optional<std::string>& name_space);  // the sums over sightings only
  // The store's clock: follows the time since boot within one boot whatever the wall clock does, and the wall clock,
  // never backwards, from one boot to the next. Written down once a minute by whoever writes.
  Result<int64_t> Now();
  Result<void> KeepClock();

  // A text column as it was given, sealed or not; "" where the key is missing.
  std::string Reveal(const Statement& statement, int column, std::string_view context) const;
  Database& database() { return database_; }

 private:
  Statement& BindText(Statement& statement, std::string_view text, std::string_view context) const;
  std::string NameSpaceKey(std::string_view name) const;
  Result<void> RemoveSightings(const EntryRow& row);  // all of an entry; totals follow
  Result<void> TrimSightings(int64_t entry, int64_t name_space);
  SightingRow ReadSighting(const Statement& statement) const;

  Database& database_;
  const Cipher* cipher_;
};

}  // namespace pith
