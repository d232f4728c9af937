// How long originals live: uses, caps, expiry, holds, sweeping.
//
// Reads stay reads: a use is written down at most once an hour an entry, else only remembered in this process. So that
// an entry in use is not the one to go, those remembered uses are written, in their order, when room must be made.
#include <algorithm>

#include "base/clock.h"
#include "store/local_store.h"

namespace pith {
namespace {

constexpr size_t kMostUses = 4096;
constexpr size_t kMostRetrievals = 64;
constexpr int64_t kStep = 64;
constexpr int kAtExitMs = 100;

}  // namespace

bool LocalStore::HasDatabase() { return !connections_.on_disk() || Files().Stat(connections_.path()).ok(); }

LocalStore::~LocalStore() { WriteCounts(kAtExitMs); }

// Writes what reads have left behind, waiting no longer than `busy_ms` for the lock; best effort: a count that cannot
// be written must not fail the read that it is of.
void LocalStore::WriteCounts(int busy_ms) {
  {
    std::lock_guard lock(mutex_);
    if (uses_.empty() && retrievals_.empty()) return;
  }
  if (!HasDatabase()) return;
  (void)Writing<bool>([&](Lease& lease) -> Result<bool> {
    lease.database->SetBusy(busy_ms);
    Transaction transaction(*lease.database);
    lease.database->SetBusy(options_.busy_ms);
    if (!transaction.begun()) return transaction.begun().error();
    if (Result<void> flushed = FlushUses(lease, true); !flushed) return flushed.error();
    if (Result<void> flushed = FlushRetrievals(lease); !flushed) return flushed.error();
    if (Result<void> done = transaction.Commit(); !done) return done.error();
    return true;
  }).ok();
}

void LocalStore::NoteUsed(const EntryRow& row, int64_t now_ms) {
  int64_t due = TheClock().BootMs() - (now_ms - row.used_ms) + UseGranularity(row.lifetime_ms);
  std::lock_guard lock(mutex_);
  if (use_due_.size() >= kMostUses) use_due_.clear();
  use_due_[row.token()] = due;
}

void LocalStore::CountUse(std::string_view token) {
  {
    std::lock_guard lock(mutex_);
    std::string name(token.substr(0, 24));
    int64_t now = TheClock().BootMs();
    if (uses_.size() >= kMostUses) uses_.clear();
    uses_[name] = {++last_order_, now};
    auto due = use_due_.find(name);
    if (due != use_due_.end() && now < due->second) return;
  }
  WriteCounts(0);
}

// In the order of the uses. `due_only`: those alone that would else cost their entries time.
Result<void> LocalStore::FlushUses(Lease& lease, bool due_only) {
  std::vector<std::pair<Use, std::string>> in_order;
  int64_t boot_ms = TheClock().BootMs();
  {
    std::lock_guard lock(mutex_);
    for (auto& [token, use] : uses_) {
      auto due = use_due_.find(token);
      if (due_only && due != use_due_.end() && boot_ms < due->second) continue;
      in_order.emplace_back(use, token);
    }
  }
  std::sort(in_order.begin(), in_order.end(),
            [](const auto& a, const auto& b) { return a.first.order < b.first.order; });
  Result<int64_t> now = lease.catalog->Now();
  if (!now) return now.error();
  std::vector<std::string> written;
  for (const auto& [use, token] : in_order) {
    Result<std::optional<EntryRow>> row = lease.catalog->FindToken(token);
    if (!row) return row.error();
    if (!*row) {
      written.push_back(token);
      continue;
    }
    int64_t used_ms = *now - std::max<int64_t>(0, boot_ms - use.boot_ms);
    if (due_only && used_ms - (*row)->used_ms < UseGranularity((*row)->lifetime_ms)) {
      NoteUsed(**row, *now);
      continue;
    }
    (*row)->used_ms = std::max(used_ms, (*row)->used_ms);
    int64_t order = std::max(use.order, (*row)->use_order);
    if (due_only) {
      // Long ago remembered: others may have put much since, and it is in use now.
      Result<int64_t> fresh = lease.catalog->NextUseOrder();
      if (!fresh) return fresh.error();
      order = *fresh;
    }
    Result<void> done = lease.catalog->SetUse((*row)->id, (*row)->used_ms, order, (*row)->lifetime_ms);
    if (!done) return done;
    NoteUsed(**row, *now);
    written.push_back(token);
  }
  std::lock_guard lock(mutex_);
  for (const std::string& token : written) uses_.erase(token);
  return {};
}

void LocalStore::CountRetrieval(std::string_view token, uint64_t bytes, uint64_t tokens) {
  bool full = false;
  {
    std::lock_guard lock(mutex_);
    Retrievals& one = retrievals_[std::string(token.substr(0, 24))];
    one.count += 1;
    one.bytes += bytes;
    one.tokens += tokens;
    full = retrievals_.size() >= kMostRetrievals;
  }
  if (full) WriteCounts(0);
}

Result<void> LocalStore::FlushRetrievals(Lease& lease) {
  std::map<std::string, Retrievals, std::less<>> waiting;
  {
    std::lock_guard lock(mutex_);
    waiting.swap(retrievals_);
  }
  for (const auto& [token, one] : waiting) {
    Result<std::optional<EntryRow>> row = lease.catalog->FindToken(token);
    if (!row) return row.error();
    if (!*row) continue;
    Result<void> done = lease.catalog->CountRetrieval((*row)->id, one.count, one.bytes, one.tokens);
    if (!done) return done;
  }
  return {};
}

Result<bool> LocalStore::OverCaps(Catalog& catalog) {
  Result<Counters> counters = catalog.ReadCounters();
  if (!counters) return counters.error();
  return static_cast<uint64_t>(counters->entries) > std::max<uint64_t>(1, options_.max_entries) ||
         static_cast<uint64_t>(counters->stored_bytes) > options_.max_bytes;
}

Result<void> LocalStore::RemoveRow(Lease& lease, const EntryRow& row, Cause cause, int64_t at_ms, Removal* removal) {
  Tombstone tombstone;
  tombstone.digest = row.facts.digest;
  tombstone.at_ms = at_ms;
  tombstone.cause = cause;
  tombstone.raw_bytes = row.facts.raw_bytes;
  Counters change;
  if (cause == Cause::kPurged) {
    change.purged = 1;
  } else {
    (cause == Cause::kExpired ? change.expired : change.evicted) = 1;
    Result<std::optional<SightingRow>> newest = lease.catalog->NewestSighting(row.id);
    if (!newest) return newest.error();
    if (*newest) {
      tombstone.tool = (*newest)->sighting.tool;
      tombstone.command = (*newest)->sighting.command;
    }
  }
  if (Result<void> done = bodies_.Remove(*lease.database, row); !done) return done;
  if (Result<void> done = lease.catalog->RemoveEntry(row); !done) return done;
  if (Result<void> done = lease.catalog->AddTombstone(tombstone); !done) return done;
  removal->rows.push_back(row);
  return lease.catalog->Count(change);
}

Result<int64_t> LocalStore::RemoveExpired(Lease& lease, int64_t most, Removal* removal) {
  Result<int64_t> now = lease.catalog->Now();
  if (!now) return now.error();
  Result<std::vector<int64_t>> ids = lease.catalog->ExpiredIds(*now, most);
  if (!ids) return ids.error();
  for (int64_t id : *ids) {
    Result<std::optional<EntryRow>> row = lease.catalog->FindId(id);
    if (!row) return row.error();
    if (!*row) continue;
    Result<void> removed = RemoveRow(lease, **row, Cause::kExpired, (*row)->expires_ms, removal);
    if (!removed) return removed.error();
  }
  return static_cast<int64_t>(ids->size());
}

Result<int64_t> LocalStore::Evict(Lease& lease, int64_t most, int64_t keep, Removal* removal) {
  Result<int64_t> removed = RemoveExpired(lease, most, removal);
  if (!removed) return removed;
  int64_t count = *removed;
  bool flushed = false;
  while (count < most) {
    Result<bool> over = OverCaps(*lease.catalog);
    if (!over) return over.error();
    if (!*over) break;
    if (!flushed) {
      if (Result<void> done = FlushUses(lease, false); !done) return done.error();
      flushed = true;
    }
    Result<std::vector<int64_t>> ids = lease.catalog->LeastUsedIds(1);
    if (!ids) return ids.error();
    if (ids->empty() || ids->front() == keep) break;
    Result<std::optional<EntryRow>> row = lease.catalog->FindId(ids->front());
    if (!row) return row.error();
    if (!*row) break;
    Result<void> done = RemoveRow(lease, **row, Cause::kEvicted, TheClock().WallMs(), removal);
    if (!done) return done.error();
    ++count;
  }
  return count;
}

void LocalStore::RemoveFiles(const Removal& removal) {
  for (const EntryRow& row : removal.rows) bodies_.RemoveFile(row);
}

void LocalStore::ApplyCaps(int64_t budget_ms) {
  int64_t begun = TheClock().BootMs();
  while (budget_ms == INT64_MAX || TheClock().BootMs() - begun < budget_ms) {
    Removal removal;
    Result<int64_t> removed = Writing<int64_t>([&](Lease& lease) -> Result<int64_t> {
      removal = {};
      Transaction transaction(*lease.database);
      if (!transaction.begun()) return transaction.begun().error();
      Result<int64_t> some = Evict(lease, kStep, 0, &removal);
      if (!some) return some;
      if (Result<void> done = transaction.Commit(); !done) return done.error();
      return some;
    });
    if (!removed) return;
    RemoveFiles(removal);
    if (*removed < kStep) return;
  }
}

Result<void> LocalStore::Hold(std::string_view token, bool held) {
  (void)FoldIn(1000).ok();
  Result<bool> done = Writing<bool>([&](Lease& lease) -> Result<bool> {
    Transaction transaction(*lease.database);
    if (!transaction.begun()) return transaction.begun().error();
    Result<EntryRow> row = LiveRow(*lease.catalog, token);
    if (!row) return row.error();
    if (Result<void> set = lease.catalog->SetHeld(row->id, held); !set) return set.error();
    Result<int64_t> now = lease.catalog->Now();
    if (!now) return now.error();
    Result<int64_t> order = lease.catalog->NextUseOrder();
    if (!order) return order.error();
    // Released, it begins a new life: its time may have run out while it was held.
    if (Result<void> used = lease.catalog->SetUse(row->id, *now, *order, row->lifetime_ms); !used) return used.error();
    if (Result<void> committed = transaction.Commit(); !committed) return committed.error();
    return true;
  });
  if (!done) return done.error();
  return {};
}

Result<GcOutcome> LocalStore::Gc() {
  GcOutcome outcome;
  Result<uint64_t> folded = FoldIn(10000);
  if (!folded) return folded.error();
  outcome.folded_in = *folded;
  if (!HasDatabase()) return outcome;
  Result<Counters> before = Reading<Counters>([](Lease& lease) { return lease.catalog->ReadCounters(); });
  if (!before) return before.error();
  while (true) {
    Removal removal;
    Result<int64_t> removed = Writing<int64_t>([&](Lease& lease) -> Result<int64_t> {
      removal = {};
      Transaction transaction(*lease.database);
      if (!transaction.begun()) return transaction.begun().error();
      Result<int64_t> some = Evict(lease, kStep, 0, &removal);
      if (!some) return some;
      if (Result<void> kept = lease.catalog->KeepClock(); !kept) return kept.error();
      if (Result<void> done = transaction.Commit(); !done) return done.error();
      return some;
    });
    if (!removed) return removed.error();
    RemoveFiles(removal);
    if (*removed == 0) break;
  }
  Result<Counters> after = Reading<Counters>([](Lease& lease) { return lease.catalog->ReadCounters(); });
  if (!after) return after.error();
  outcome.expired = static_cast<uint64_t>(after->expired - before->expired);
  outcome.evicted = static_cast<uint64_t>(after->evicted - before->evicted);
  outcome.bytes_freed = static_cast<uint64_t>(std::max<int64_t>(0, before->stored_bytes - after->stored_bytes));
  if (connections_.on_disk()) SweepFiles();
  return outcome;
}

// Files that a killed process left: half-written ones, and bodies whose row was never committed or is gone.
void LocalStore::SweepFiles() {
  int64_t now_ms = TheClock().WallMs();
  inbox_.RemoveLeftovers(now_ms);
  std::vector<std::string> names;
  Result<void> listed = Files().List(connections_.folder() + "/bodies", [&](std::string_view name) {
    names.emplace_back(name);
    return true;
  });
  if (!listed) return;
  for (const std::string& name : names) {
    Result<FileInfo> info = Files().LinkStat(bodies_.PathOf(name));
    if (!info || now_ms - info->modified_ns / 1000000 < kDayMs || name.size() < 64) continue;
    Result<bool> known = Reading<bool>([&](Lease& lease) -> Result<bool> {
      Result<std::optional<EntryRow>> row = lease.catalog->FindToken(std::string_view(name).substr(0, 64));
      if (!row) return row.error();
      return *row && (*row)->file == name;
    });
    if (known && !*known) (void)Files().Unlink(bodies_.PathOf(name)).ok();
  }
}

void LocalStore::Notice(std::string text) {
  std::lock_guard lock(mutex_);
  notices_.push_back(std::move(text));
}

std::vector<std::string> LocalStore::TakeNotices() {
  std::lock_guard lock(mutex_);
  return std::exchange(notices_, {});
}

}  // namespace pith
