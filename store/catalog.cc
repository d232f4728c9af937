// Entries, tombstones, counters and the clock. Sightings and namespaces are in sightings.cc.
//
// Recency is a number that counts up with each use, not a time: a clock set back or forward cannot reorder it.
// Lifetimes need a time, and take it from the store's own clock (Now), which a jump of the wall clock does not move.
#include "store/catalog.h"

#include <algorithm>
#include <cstring>

#include "base/clock.h"
#include "base/encoding.h"
#include "base/token.h"

namespace pith {
namespace {

constexpr int64_t kHourMs = 3600 * 1000;
constexpr int64_t kClockKeptEveryMs = 60 * 1000;
constexpr int64_t kLargestTombstones = 50000;

constexpr char kFindEntry[] = "SELECT id FROM entries WHERE digest >= ? AND digest <= ? LIMIT 2";
constexpr char kEntryById[] =
    "SELECT id, digest, body_id, raw_bytes, stored_bytes, lines, frames, file, key_id, first_seen_ms, last_seen_ms, "
    "used_ms,"
    " use_order, lifetime_ms, expires_ms, sightings, retrievals, held FROM entries WHERE id = ?";

std::string_view Bytes(const Digest& digest) { return {reinterpret_cast<const char*>(digest.data()), digest.size()}; }

template <typename Array>
void CopyBlob(std::string_view blob, Array& to) {
  to = {};
  memcpy(to.data(), blob.data(), std::min(blob.size(), to.size()));
}

EntryRow ReadEntry(const Statement& statement) {
  EntryRow row;
  row.id = statement.IntAt(0);
  CopyBlob(statement.BlobAt(1), row.facts.digest);
  row.facts.body_id = static_cast<uint64_t>(statement.IntAt(2));
  row.facts.raw_bytes = static_cast<uint64_t>(statement.IntAt(3));
  row.facts.stored_bytes = static_cast<uint64_t>(statement.IntAt(4));
  row.facts.lines = static_cast<uint64_t>(statement.IntAt(5));
  row.facts.frames = static_cast<uint64_t>(statement.IntAt(6));
  row.file = statement.TextAt(7);
  CopyBlob(statement.BlobAt(8), row.facts.key_id);
  row.first_seen_ms = statement.IntAt(9);
  row.last_seen_ms = statement.IntAt(10);
  row.used_ms = statement.IntAt(11);
  row.use_order = statement.IntAt(12);
  row.lifetime_ms = statement.IntAt(13);
  row.expires_ms = statement.IntAt(14);
  row.sightings = statement.IntAt(15);
  row.retrievals = statement.IntAt(16);
  row.held = statement.IntAt(17) != 0;
  return row;
}

// The least and the greatest digest that begin with these hex digits.
struct DigestRange {
  Digest low{}, high{};
};
std::optional<DigestRange> RangeOf(std::string_view hex) {
  if (hex.size() > 64) return std::nullopt;
  std::string low(hex), high(hex);
  low.resize(64, '0');
  high.resize(64, 'f');
  std::optional<std::string> low_bytes = DecodeHex(low), high_bytes = DecodeHex(high);
  if (!low_bytes || !high_bytes) return std::nullopt;
  DigestRange range;
  CopyBlob(*low_bytes, range.low);
  CopyBlob(*high_bytes, range.high);
  return range;
}

}  // namespace

int64_t UseGranularity(int64_t lifetime_ms) { return std::min(kHourMs, lifetime_ms / 8); }

int64_t ExpiryOf(int64_t used_ms, int64_t lifetime_ms) {
  int64_t most = INT64_MAX - used_ms - kHourMs;
  return used_ms + std::min(lifetime_ms, most) + UseGranularity(lifetime_ms);
}

Result<std::optional<EntryRow>> Catalog::FindToken(std::string_view token) {
  std::optional<DigestRange> range = RangeOf(token);
  if (!range) return std::optional<EntryRow>();
  int64_t id = 0;
  {
    Statement statement = database_.Prepare(kFindEntry);
    statement.Blob(Bytes(range->low)).Blob(Bytes(range->high));
    Result<bool> found = statement.Step();
    if (!found) return found.error();
    if (!*found) return std::optional<EntryRow>();
    id = statement.IntAt(0);
    Result<bool> second = statement.Step();
    if (!second) return second.error();
    if (*second)
      return Error{Cause::kInvalid, "two originals share the token " + std::string(token) + ": give 64 digits"};
  }
  Result<std::optional<EntryRow>> row = FindId(id);
  if (!row) return row;
  // A damaged index may lead to another's row.
  if (!*row || (*row)->facts.digest < range->low || (*row)->facts.digest > range->high) {
    return Error{Cause::kDamaged, "original " + std::string(token) + " is damaged: the index leads to another"};
  }
  return row;
}

Result<std::optional<EntryRow>> Catalog::FindId(int64_t id) {
  Statement statement = database_.Prepare(kEntryById);
  Result<bool> found = statement.Int(id).Step();
  if (!found) return found.error();
  if (!*found) return std::optional<EntryRow>();
  return std::optional<EntryRow>(ReadEntry(statement));
}

Result<int64_t> Catalog::InsertEntry(const EntryRow& row) {
  Statement statement = database_.Prepare(
      "INSERT INTO entries (digest, body_id, raw_bytes, stored_bytes, lines, frames, file, key_id, first_seen_ms,"
      " last_seen_ms, used_ms, use_order, lifetime_ms, expires_ms, sightings, retrievals, held)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const BodyFacts& facts = row.facts;
  statement.Blob(Bytes(facts.digest)).Int(static_cast<int64_t>(facts.body_id));
  statement.Int(static_cast<int64_t>(facts.raw_bytes)).Int(static_cast<int64_t>(facts.stored_bytes));
  statement.Int(static_cast<int64_t>(facts.lines)).Int(static_cast<int64_t>(facts.frames)).Text(row.file);
  statement.Blob({facts.key_id.data(), facts.key_id.size()}).Int(row.first_seen_ms).Int(row.last_seen_ms);
  statement.Int(row.used_ms).Int(row.use_order).Int(row.lifetime_ms).Int(ExpiryOf(row.used_ms, row.lifetime_ms));
  statement.Int(row.sightings).Int(row.retrievals).Int(row.held ? 1 : 0);
  if (Result<void> done = statement.Run(); !done) return done.error();
  int64_t id = database_.LastRowId();
  Result<void> counted = Count({1, static_cast<int64_t>(facts.raw_bytes), static_cast<int64_t>(facts.stored_bytes)});
  if (!counted) return counted.error();
  return id;
}

Result<void> Catalog::UpdateBody(const EntryRow& row) {
  Result<std::optional<EntryRow>> old = FindId(row.id);
  if (!old) return old.error();
  Statement statement = database_.Prepare(
      "UPDATE entries SET body_id = ?, raw_bytes = ?, stored_bytes = ?, lines = ?, frames = ?, file = ?, key_id = ?"
      " WHERE id = ?");
  const BodyFacts& facts = row.facts;
  statement.Int(static_cast<int64_t>(facts.body_id)).Int(static_cast<int64_t>(facts.raw_bytes));
  statement.Int(static_cast<int64_t>(facts.stored_bytes)).Int(static_cast<int64_t>(facts.lines));
  statement.Int(static_cast<int64_t>(facts.frames)).Text(row.file);
  statement.Blob({facts.key_id.data(), facts.key_id.size()}).Int(row.id);
  if (Result<void> done = statement.Run(); !done) return done;
  if (!*old) return {};
  const BodyFacts& before = (*old)->facts;
  return Count({0, static_cast<int64_t>(facts.raw_bytes) - static_cast<int64_t>(before.raw_bytes),
                static_cast<int64_t>(facts.stored_bytes) - static_cast<int64_t>(before.stored_bytes)});
}

Result<void> Catalog::SetUse(int64_t id, int64_t used_ms, int64_t use_order, int64_t lifetime_ms) {
  return database_
      .Prepare("UPDATE entries SET used_ms = ?, use_order = ?, lifetime_ms = ?, expires_ms = ? WHERE id = ?")
      .Int(used_ms)
      .Int(use_order)
      .Int(lifetime_ms)
      .Int(ExpiryOf(used_ms, lifetime_ms))
      .Int(id)
      .Run();
}

Result<void> Catalog::SetSeen(int64_t id, int64_t last_seen_ms) {
  return database_
      .Prepare("UPDATE entries SET last_seen_ms = max(last_seen_ms, ?), sightings = sightings + 1 WHERE id = ?")
      .Int(last_seen_ms)
      .Int(id)
      .Run();
}

Result<void> Catalog::SetHeld(int64_t id, bool held) {
  return database_.Prepare("UPDATE entries SET held = ? WHERE id = ?").Int(held ? 1 : 0).Int(id).Run();
}

Result<void> Catalog::RemoveEntry(const EntryRow& row) {
  if (Result<void> done = RemoveSightings(row); !done) return done;
  if (Result<void> done = database_.Prepare("DELETE FROM entries WHERE id = ?").Int(row.id).Run(); !done) return done;
  return Count({-1, -static_cast<int64_t>(row.facts.raw_bytes), -static_cast<int64_t>(row.facts.stored_bytes)});
}

Result<int64_t> Catalog::NextUseOrder() {
  Result<void> raised = database_.Prepare("UPDATE counters SET use_order = use_order + ?").Int(kUseOrderStep).Run();
  if (!raised) return raised.error();
  return database_.Number("SELECT use_order FROM counters");
}

namespace {
Result<std::vector<int64_t>> Ids(Statement statement) {
  std::vector<int64_t> ids;
  while (true) {
    Result<bool> row = statement.Step();
    if (!row) return row.error();
    if (!*row) return ids;
    ids.push_back(statement.IntAt(0));
  }
}
}  // namespace

Result<std::vector<int64_t>> Catalog::ExpiredIds(int64_t now_ms, int64_t limit) {
  Statement statement =
      database_.Prepare("SELECT id FROM entries WHERE held = 0 AND expires_ms <= ? ORDER BY expires_ms LIMIT ?");
  statement.Int(now_ms).Int(limit);
  return Ids(std::move(statement));
}

Result<std::vector<int64_t>> Catalog::LeastUsedIds(int64_t limit) {
  Statement statement = database_.Prepare("SELECT id FROM entries WHERE held = 0 ORDER BY use_order LIMIT ?");
  statement.Int(limit);
  return Ids(std::move(statement));
}

Result<std::vector<std::string>> Catalog::TokensStartingWith(std::string_view prefix, int64_t limit) {
  std::vector<std::string> tokens;
  std::optional<DigestRange> range = RangeOf(prefix);
  if (!range) return tokens;
  Statement statement =
      database_.Prepare("SELECT digest FROM entries WHERE digest >= ? AND digest <= ? ORDER BY digest LIMIT ?");
  statement.Blob(Bytes(range->low)).Blob(Bytes(range->high)).Int(limit);
  while (true) {
    Result<bool> row = statement.Step();
    if (!row) return row.error();
    if (!*row) return tokens;
    tokens.push_back(EncodeHex(statement.BlobAt(0)).substr(0, kTokenLength));
  }
}

Result<void> Catalog::AddTombstone(const Tombstone& tombstone) {
  Statement statement = database_.Prepare(
      "INSERT OR REPLACE INTO tombstones (digest, at_ms, cause, raw_bytes, tool, command) VALUES (?, ?, ?, ?, ?, ?)");
  statement.Blob(Bytes(tombstone.digest)).Int(tombstone.at_ms).Int(static_cast<int64_t>(tombstone.cause));
  statement.Int(static_cast<int64_t>(tombstone.raw_bytes)).Text(tombstone.tool);
  if (Result<void> done = BindText(statement, tombstone.command, "command").Run(); !done) return done;
  return database_.Prepare("DELETE FROM tombstones WHERE id <= ?")
      .Int(database_.LastRowId() - kLargestTombstones)
      .Run();
}

Result<void> Catalog::RemoveTombstone(const Digest& digest) {
  return database_.Prepare("DELETE FROM tombstones WHERE digest = ?").Blob(Bytes(digest)).Run();
}

Result<std::optional<Tombstone>> Catalog::FindTombstone(std::string_view token) {
  std::optional<DigestRange> range = RangeOf(token);
  if (!range) return std::optional<Tombstone>();
  Statement statement = database_.Prepare(
      "SELECT digest, at_ms, cause, raw_bytes, tool, command FROM tombstones WHERE digest >= ? AND digest <= ? LIMIT "
      "1");
  Result<bool> found = statement.Blob(Bytes(range->low)).Blob(Bytes(range->high)).Step();
  if (!found) return found.error();
  if (!*found) return std::optional<Tombstone>();
  Tombstone tombstone;
  CopyBlob(statement.BlobAt(0), tombstone.digest);
  tombstone.at_ms = statement.IntAt(1);
  tombstone.cause = static_cast<Cause>(statement.IntAt(2));
  tombstone.raw_bytes = static_cast<uint64_t>(statement.IntAt(3));
  tombstone.tool = statement.TextAt(4);
  tombstone.command = Reveal(statement, 5, "command");
  return std::optional<Tombstone>(std::move(tombstone));
}

Result<Counters> Catalog::ReadCounters() {
  Statement statement =
      database_.Prepare("SELECT entries, raw_bytes, stored_bytes, evicted, expired, purged FROM counters");
  Result<bool> row = statement.Step();
  if (!row) return row.error();
  if (!*row) return Error{Cause::kDamaged, "the store's counters are missing"};
  return Counters{statement.IntAt(0), statement.IntAt(1), statement.IntAt(2),
                  statement.IntAt(3), statement.IntAt(4), statement.IntAt(5)};
}

Result<void> Catalog::Count(const Counters& change) {
  return database_
      .Prepare(
          "UPDATE counters SET entries = entries + ?, raw_bytes = raw_bytes + ?, stored_bytes = stored_bytes + ?,"
          " evicted = evicted + ?, expired = expired + ?, purged = purged + ?")
      .Int(change.entries)
      .Int(change.raw_bytes)
      .Int(change.stored_bytes)
      .Int(change.evicted)
      .Int(change.expired)
      .Int(change.purged)
      .Run();
}

Result<int64_t> Catalog::Now() {
  Statement statement = database_.Prepare("SELECT clock_ms, clock_boot_ms, clock_boot_id FROM counters");
  Result<bool> row = statement.Step();
  if (!row) return row.error();
  Clock& clock = TheClock();
  int64_t kept = *row ? statement.IntAt(0) : 0;
  if (kept == 0) return clock.WallMs();
  std::string boot_id = clock.BootId();
  int64_t since = clock.BootMs() - statement.IntAt(1);
  if (!boot_id.empty() && boot_id == statement.TextAt(2) && since >= 0) return kept + since;
  return std::max(kept, clock.WallMs());
}

Result<void> Catalog::KeepClock() {
  Result<int64_t> now = Now();
  if (!now) return now.error();
  {
    Statement statement = database_.Prepare("SELECT clock_ms, clock_boot_id FROM counters WHERE clock_ms > 0");
    Result<bool> row = statement.Step();
    if (!row) return row.error();
    bool this_boot = *row && statement.TextAt(1) == TheClock().BootId();
    if (this_boot && *now < statement.IntAt(0) + kClockKeptEveryMs) return {};
  }
  return database_.Prepare("UPDATE counters SET clock_ms = ?, clock_boot_ms = ?, clock_boot_id = ?")
      .Int(*now)
      .Int(TheClock().BootMs())
      .Text(TheClock().BootId())
      .Run();
}

}  // namespace pith
