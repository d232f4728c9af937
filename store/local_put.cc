// Putting originals into the local store, and folding the inbox in.
//
// A put is one transaction: entry, frames, filters, sighting, sums, and as much eviction as the caps ask for, at most
// 64 entries; what is left of that goes in further small transactions for at most 50 ms. All packing is done before the
// transaction begins, so that the write lock is held for some 100 us. An original that is there already is read and
// hashed before it is relied upon: a damaged one is replaced by the bytes at hand.
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/token.h"
#include "store/access.h"
#include "store/local_store.h"

namespace pith {
namespace {

constexpr int64_t kEvictedAtOnce = 64;
constexpr int64_t kEvictionBudgetMs = 50;
constexpr size_t kBatchTokens = 64;
constexpr uint64_t kBatchBytes = 8 << 20;
constexpr int64_t kFoldInEveryMs = 2000;
constexpr uint64_t kInboxFiles = 1000;
constexpr uint64_t kInboxBytes = 64 << 20;

}  // namespace

uint64_t LocalStore::MaxOriginal() const {
  return options_.max_original != 0 ? options_.max_original : options_.max_bytes / 2;
}

bool LocalStore::StoredWhole(const Digest& digest) {
  std::string hex = HexOf(digest);
  Result<bool> whole = Reading<bool>([&](Lease& lease) -> Result<bool> {
    Result<EntryRow> row = LiveRow(*lease.catalog, hex);
    if (!row) return false;
    Result<std::unique_ptr<FrameSource>> body = bodies_.Open(*lease.database, *row);
    if (!body) return false;
    return VerifyBody(**body).ok();
  });
  return whole && *whole;
}

Result<PutOutcome> LocalStore::Put(std::string_view bytes, const Digest& digest, const Sighting& sighting) {
  return PutBody(
      digest, [&] { return bodies_.Prepare(bytes, digest); }, sighting);
}

Result<PutOutcome> LocalStore::Adopt(const std::string& path, const BodyFacts& facts, const Sighting& sighting) {
  Result<PutOutcome> outcome = PutBody(
      facts.digest, [&] { return bodies_.PrepareFrom(path); }, sighting);
  if (outcome) (void)Files().Unlink(path).ok();
  return outcome;
}

Result<PutOutcome> LocalStore::PutBody(const Digest& digest, const std::function<Result<NewBody>()>& prepare,
                                       const Sighting& sighting) {
  NewBody body;
  bool intact = StoredWhole(digest);
  if (!intact) {
    if (Result<void> made = MakeDatabase(); !made) return made.error();
    Result<NewBody> prepared = prepare();
    if (!prepared) return prepared.error();
    body = prepared.Take();
  }
  if (!intact && body.facts.stored_bytes > MaxOriginal()) {
    bodies_.Discard(body);
    return Error{Cause::kTooLarge, "the original takes " + std::to_string(body.facts.stored_bytes) +
                                       " bytes in the store, over its bound of " + std::to_string(MaxOriginal())};
  }
  bool over = false;
  Removal removal;
  Result<bool> existed = Writing<bool>([&](Lease& lease) -> Result<bool> {
    removal = {};
    Transaction transaction(*lease.database);
    if (!transaction.begun()) return transaction.begun().error();
    Result<bool> known = Record(lease, digest, intact ? nullptr : &body, {sighting}, !intact, &removal);
    if (!known && known.error().cause == Cause::kNotFound && intact) {
      // It went between the look and the lock. Rare, so that packing under the lock does not matter.
      Result<NewBody> prepared = prepare();
      if (!prepared) return prepared.error();
      body = prepared.Take();
      intact = false;
      known = Record(lease, digest, &body, {sighting}, true, &removal);
    }
    if (!known) return known;
    Result<std::optional<EntryRow>> row = lease.catalog->FindToken(HexOf(digest));
    if (!row) return row.error();
    Result<int64_t> now = lease.catalog->Now();
    if (!now) return now.error();
    if (*row) NoteUsed(**row, *now);
    Result<int64_t> evicted = Evict(lease, kEvictedAtOnce, *row ? (*row)->id : 0, &removal);
    if (!evicted) return evicted.error();
    Result<bool> still_over = OverCaps(*lease.catalog);
    if (!still_over) return still_over;
    over = *still_over;
    if (over && *evicted == 0) {
      return Error{Cause::kFull, "the store is full of originals that are held: release some, or raise its bounds"};
    }
    if (Result<void> flushed = FlushRetrievals(lease); !flushed) return flushed.error();
    if (Result<void> kept = lease.catalog->KeepClock(); !kept) return kept.error();
    if (Result<void> done = transaction.Commit(); !done) return done.error();
    return known;
  });
  if (!existed) {
    bodies_.Discard(body);
    return existed.error();
  }
  RemoveFiles(removal);
  if (over) ApplyCaps(kEvictionBudgetMs);
  MaybeFoldIn();
  PutOutcome outcome;
  outcome.token = TokenOf(digest);
  outcome.digest = digest;
  outcome.existed = *existed;
  outcome.tier = connections_.on_disk() ? "sqlite" : "memory";
  return outcome;
}

// Inside a transaction. True if it was there already. kNotFound: it is not there and there is no body.
Result<bool> LocalStore::Record(Lease& lease, const Digest& digest, const NewBody* body,
                                const std::vector<Sighting>& sightings, bool replace, Removal* removal) {
  Catalog& catalog = *lease.catalog;
  Result<std::optional<EntryRow>> found = catalog.FindToken(HexOf(digest));
  if (!found) return found.error();
  if (!*found && body == nullptr) return Error{Cause::kNotFound, "no such original"};
  Result<int64_t> now = catalog.Now();
  if (!now) return now.error();
  Result<int64_t> order = catalog.NextUseOrder();
  if (!order) return order.error();
  {
    // Uses that were remembered since the last put take their places between that one's order and this one's.
    std::lock_guard lock(mutex_);
    for (auto& [token, use] : uses_) {
      if (use.order < kUseOrderStep) use.order += *order - kUseOrderStep;
    }
    last_order_ = 0;
  }
  int64_t wall = TheClock().WallMs();
  int64_t newest = sightings.empty() ? wall : sightings.back().at_ms;
  EntryRow row;
  if (*found) row = **found;
  int64_t lifetime = 0;
  for (const Sighting& sighting : sightings) {
    lifetime = std::max(lifetime, sighting.lifetime_seconds.value_or(options_.lifetime_seconds) * 1000);
  }
  bool expired = *found && !row.held && row.expires_ms <= *now;
  row.lifetime_ms = *found && !expired ? std::max(row.lifetime_ms, lifetime) : lifetime;
  row.used_ms = std::max(row.used_ms, *now - std::max<int64_t>(0, wall - newest));
  row.use_order = *order;
  if (!*found) {
    row.facts = body->facts;
    row.file = body->file;
    row.first_seen_ms = sightings.empty() ? wall : sightings.front().at_ms;
    row.last_seen_ms = newest;
    Result<int64_t> id = catalog.InsertEntry(row);
    if (!id) return id.error();
    row.id = *id;
    if (Result<void> done = bodies_.Insert(*lease.database, row.id, *body); !done) return done.error();
    if (Result<void> done = catalog.RemoveTombstone(digest); !done) return done.error();
  } else {
    if (replace && body != nullptr) {
      removal->rows.push_back(row);
      if (Result<void> done = bodies_.Remove(*lease.database, row); !done) return done.error();
      row.facts = body->facts;
      row.file = body->file;
      if (Result<void> done = catalog.UpdateBody(row); !done) return done.error();
      if (Result<void> done = bodies_.Insert(*lease.database, row.id, *body); !done) return done.error();
    }
    Result<void> used = catalog.SetUse(row.id, row.used_ms, row.use_order, row.lifetime_ms);
    if (!used) return used.error();
  }
  for (const Sighting& sighting : sightings) {
    if (Result<void> done = catalog.AddSighting(row.id, sighting); !done) return done.error();
    if (Result<void> done = catalog.SetSeen(row.id, sighting.at_ms); !done) return done.error();
  }
  return found->has_value();
}

void LocalStore::MaybeFoldIn() {
  if (!connections_.on_disk()) return;
  {
    std::lock_guard lock(mutex_);
    int64_t now = TheClock().BootMs();
    if (now - folded_in_at_ms_ < kFoldInEveryMs) return;
    folded_in_at_ms_ = now;
  }
  if (!inbox_.Empty()) (void)FoldIn(0).ok();
}

void LocalStore::Tend() {
  if (!connections_.on_disk()) return;
  Inbox::Load load = inbox_.Size();
  if (load.files > kInboxFiles || load.bytes > kInboxBytes) (void)FoldIn(0).ok();
}

Result<uint64_t> LocalStore::FoldIn(int wait_ms) {
  if (!connections_.on_disk() || inbox_.Empty()) return uint64_t{0};
  // With the wrong key sightings could not be read, and would be taken in without their texts.
  if (Result<KeyMark> mark = CheckKey(connections_.folder(), cipher_); !mark) return mark.error();
  Result<std::unique_ptr<File>> lock = Files().Open(connections_.folder() + "/inbox.lock", OpenMode::kReadWrite);
  if (!lock) return lock.error();
  for (int waited_ms = 0;; waited_ms += 10) {
    Result<bool> locked = (*lock)->TryLock();
    if (!locked) return locked.error();
    if (*locked) break;
    if (waited_ms >= wait_ms) return uint64_t{0};
    usleep(10000);
  }
  Result<uint64_t> folded = FoldInLocked();
  if (folded && *folded > 0) ApplyCaps(INT64_MAX);
  return folded;
}

Result<void> LocalStore::MakeDatabase() {
  if (!connections_.on_disk()) return {};
  if (Result<FileInfo> info = Files().Stat(connections_.path()); info && info->size > 0) return {};
  Result<bool> made = Writing<bool>([](Lease&) { return Result<bool>(true); });
  if (!made) return made.error();
  return {};
}

Result<uint64_t> LocalStore::FoldInLocked() {
  if (Result<void> made = MakeDatabase(); !made) return made.error();
  Result<std::vector<InboxSighting>> waiting = inbox_.Waiting("");
  if (!waiting) return waiting.error();
  // What a process that died between its commit and its unlinks has folded in already.
  Result<std::vector<std::string>> done_before = Reading<std::vector<std::string>>([&](Lease& lease) {
    std::vector<std::string> names;
    Statement statement = lease.database->Prepare("SELECT name FROM folded");
    while (true) {
      Result<bool> row = statement.Step();
      if (!row) return Result<std::vector<std::string>>(row.error());
      if (!*row) return Result<std::vector<std::string>>(std::move(names));
      names.push_back(statement.TextAt(0));
    }
  });
  if (!done_before && done_before.error().cause != Cause::kNotFound) return done_before.error();
  std::vector<InboxSighting> batch;
  std::vector<std::string> tokens;
  uint64_t bytes = 0, folded = 0;
  for (InboxSighting& sighting : *waiting) {
    if (done_before && std::binary_search(done_before->begin(), done_before->end(), sighting.file_name)) {
      (void)Files().Unlink(inbox_.Path(sighting.file_name)).ok();
      continue;
    }
    if (std::find(tokens.begin(), tokens.end(), sighting.token) == tokens.end()) {
      tokens.push_back(sighting.token);
      bytes += sighting.body_bytes;
    }
    batch.push_back(std::move(sighting));
    if (tokens.size() < kBatchTokens && bytes < kBatchBytes && batch.size() < 4 * kBatchTokens) continue;
    Result<uint64_t> some = FoldInBatch(batch);
    if (!some) return some;
    folded += *some;
    batch.clear();
    tokens.clear();
    bytes = 0;
  }
  Result<uint64_t> rest = FoldInBatch(batch);
  if (!rest) return rest;
  return folded + *rest;
}

Result<uint64_t> LocalStore::FoldInBatch(const std::vector<InboxSighting>& batch) {
  struct Original {
    std::optional<NewBody> body;
    std::vector<Sighting> sightings;
    bool stored_whole = false;  // the database has it already
    bool body_unused = false;
  };
  if (batch.empty()) return uint64_t{0};
  std::map<std::string, Original> originals;
  for (const InboxSighting& waiting : batch) {
    Result<Sighting> sighting = inbox_.ReadSighting(waiting);
    auto [place, fresh] = originals.try_emplace(waiting.token);
    if (fresh) {
      Result<NewBody> body = bodies_.PrepareFrom(inbox_.BodyPath(waiting.token));
      if (body) {
        place->second.stored_whole = StoredWhole(body->facts.digest);
        place->second.body = body.Take();
      } else if (body.error().cause == Cause::kDamaged) {
        SetAsideInboxBody(waiting.token, body.error());
      } else if (body.error().cause != Cause::kNotFound) {
        for (auto& [token, original] : originals) {
          if (original.body) bodies_.Discard(*original.body);
        }
        return body.error();
      }
    }
    Sighting fallback;
    fallback.at_ms = waiting.at_ms;
    place->second.sightings.push_back(sighting ? sighting.Take() : fallback);
  }
  uint64_t folded = 0;
  Removal removal;
  Result<bool> done = Writing<bool>([&](Lease& lease) -> Result<bool> {
    folded = 0;
    removal = {};
    Transaction transaction(*lease.database);
    if (!transaction.begun()) return transaction.begun().error();
    if (Result<void> cleared = lease.database->Prepare("DELETE FROM folded").Run(); !cleared) return cleared.error();
    for (const InboxSighting& waiting : batch) {
      Result<void> noted =
          lease.database->Prepare("INSERT OR IGNORE INTO folded (name) VALUES (?)").Text(waiting.file_name).Run();
      if (!noted) return noted.error();
    }
    for (auto& [token, original] : originals) {
      Digest digest{};
      if (original.body) {
        digest = original.body->facts.digest;
      } else {
        Result<std::optional<EntryRow>> row = lease.catalog->FindToken(token);
        if (!row) return row.error();
        if (!*row) continue;  // its body was damaged, or purged under it
        digest = (*row)->facts.digest;
      }
      Result<bool> recorded = Record(lease, digest, original.body ? &*original.body : nullptr, original.sightings,
                                     !original.stored_whole, &removal);
      if (!recorded) return recorded;
      original.body_unused = *recorded && original.stored_whole;
      folded += original.sightings.size();
    }
    if (Result<void> kept = lease.catalog->KeepClock(); !kept) return kept.error();
    if (Result<void> committed = transaction.Commit(); !committed) return committed.error();
    return true;
  });
  if (!done) {
    for (auto& [token, original] : originals) {
      if (original.body) bodies_.Discard(*original.body);
    }
    return done.error();
  }
  RemoveFiles(removal);
  for (const InboxSighting& waiting : batch) (void)Files().Unlink(inbox_.Path(waiting.file_name)).ok();
  for (auto& [token, original] : originals) {
    if (!original.body) continue;
    if (original.body_unused) bodies_.Discard(*original.body);
    (void)Files().Unlink(inbox_.BodyPath(token)).ok();
  }
  return folded;
}

void LocalStore::SetAsideInboxBody(std::string_view token, const Error& why) {
  std::string aside = connections_.folder() + "/damaged";
  std::string path = aside + "/" + std::string(token) + "-" + RandomName() + ".body";
  Result<void> moved = MakeFolders(aside);
  if (moved) moved = Files().Rename(inbox_.BodyPath(token), path);
  Notice("original " + std::string(token) + " in the inbox could not be read (" + why.sentence + ")" +
         (moved ? ": set aside as " + path : ""));
}

}  // namespace pith
