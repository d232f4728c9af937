// Removal on request, and recovery of a damaged database.
//
// A purge takes the sightings that the query names, and the originals that were seen nowhere else. secure_delete has
// SQLite write zeros over what it frees; pages that a balance of the tree has left behind may hold old cells, so a
// purge ends by rebuilding the file (VACUUM), and empties the write-ahead log, which holds older pages too. Files are
// overwritten before they are unlinked.
#include <algorithm>
#include <cstring>

#include "base/clock.h"
#include "base/token.h"
#include "base/units.h"
#include "store/access.h"
#include "store/erase.h"
#include "store/local_store.h"

namespace pith {
namespace {

constexpr std::string_view kGenerationFile = "/purged";

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  (void)Files().List(folder, [&](std::string_view name) { return names.emplace_back(name), true; }).ok();
  return names;
}

void EraseFolder(const std::string& folder) {
  for (const std::string& name : NamesIn(folder)) (void)EraseFile(folder + "/" + name);
}

}  // namespace

int64_t LocalStore::Generation() {
  if (!connections_.on_disk()) return 0;
  Result<FileInfo> info = Files().Stat(connections_.folder() + std::string(kGenerationFile));
  return info ? info->modified_ns ^ static_cast<int64_t>(info->inode << 20) : 0;
}

Result<PurgeOutcome> LocalStore::Purge(const PurgeQuery& query, std::vector<std::string>* purged_tokens) {
  bool part = query.name_space || query.token || query.older_than_seconds;
  if (!query.all && !part) return Error{Cause::kInvalid, "nothing to purge was named"};
  // Under another key the rows cannot be read, and need not be where everything goes.
  bool by_files = !part && connections_.on_disk() && !CheckKey(connections_.folder(), cipher_).ok();
  Result<PurgeOutcome> outcome = by_files ? PurgeFiles(purged_tokens) : PurgeRows(query, purged_tokens);
  bool no_room = !outcome && (outcome.error().cause == Cause::kFull || outcome.error().cause == Cause::kIo);
  if (no_room && part) {
    return Error{
        outcome.error().cause,
        outcome.error().sentence + "; to take a part away needs some room there, `pith purge --all` needs none"};
  }
  if (no_room && connections_.on_disk()) outcome = PurgeFiles(purged_tokens);
  if (!outcome || !connections_.on_disk() || !Files().Stat(connections_.folder())) return outcome;
  if (!part) EraseSetAside();
  Result<void> raised =
      WriteFileAtomically(connections_.folder() + std::string(kGenerationFile), std::to_string(TheClock().WallMs()));
  // Without room for it, other processes keep what they have in memory: said, since it is no longer than they live.
  if (!raised && no_room) Notice("other processes could not be told of the purge: " + raised.error().sentence);
  if (!raised && !no_room) return raised.error();
  return outcome;
}

// Everything at once, by the files, where there is no room for a transaction. Older tombstones go with the rest.
Result<PurgeOutcome> LocalStore::PurgeFiles(std::vector<std::string>* purged_tokens) {
  PurgeOutcome outcome;
  std::vector<Digest> digests;
  Result<bool> counted = Reading<bool>([&](Lease& lease) -> Result<bool> {
    Result<Counters> counters = lease.catalog->ReadCounters();
    if (!counters) return counters.error();
    Result<int64_t> sightings = lease.database->Number("SELECT count(*) FROM sightings");
    if (!sightings) return sightings.error();
    outcome.entries = static_cast<uint64_t>(counters->entries);
    outcome.bytes = static_cast<uint64_t>(counters->raw_bytes);
    outcome.sightings = static_cast<uint64_t>(*sightings);
    Result<std::vector<std::string>> tokens = lease.catalog->TokensStartingWith("", INT64_MAX);
    if (tokens) *purged_tokens = tokens.Take();
    Statement statement = lease.database->Prepare("SELECT digest FROM entries ORDER BY id DESC LIMIT 50000");
    for (Result<bool> row = statement.Step(); row && *row; row = statement.Step()) {
      std::string_view bytes = statement.BlobAt(0);
      Digest digest{};
      if (bytes.size() == sizeof digest) memcpy(digest.data(), bytes.data(), sizeof digest);
      digests.push_back(digest);
    }
    return true;
  });
  if (!counted && counted.error().cause != Cause::kNotFound) Notice(counted.error().sentence);
  Result<std::vector<InboxSighting>> waiting = inbox_.Waiting("");
  if (!waiting) return waiting.error();
  for (const InboxSighting& one : *waiting) {
    outcome.sightings += 1;
    if (Result<std::unique_ptr<FrameSource>> body = inbox_.Open(one.token)) {
      outcome.entries += 1;
      outcome.bytes += (*body)->facts().raw_bytes;
      digests.push_back((*body)->facts().digest);
      purged_tokens->push_back(one.token);
    }
    (void)EraseFile(inbox_.BodyPath(one.token));
    (void)EraseFile(inbox_.Path(one.file_name));
  }
  EraseFolder(connections_.folder() + "/bodies");
  if (Result<void> removed = connections_.Remove(); !removed) return removed.error();
  // There is room now for saying what became of them.
  (void)Writing<bool>([&](Lease& lease) -> Result<bool> {
    Transaction transaction(*lease.database);
    if (!transaction.begun()) return transaction.begun().error();
    for (const Digest& digest : digests) {
      Tombstone tombstone;
      tombstone.digest = digest;
      tombstone.at_ms = TheClock().WallMs();
      tombstone.cause = Cause::kPurged;
      if (Result<void> added = lease.catalog->AddTombstone(tombstone); !added) return added.error();
    }
    if (Result<void> committed = transaction.Commit(); !committed) return committed.error();
    return true;
  }).ok();
  return outcome;
}

// What was damaged and kept for a person: it may hold what is to be purged.
void LocalStore::EraseSetAside() {
  for (const std::string& path : connections_.Damaged()) {
    for (const char* suffix : {"-wal", "-shm", ""}) (void)EraseFile(path + suffix);
  }
  EraseFolder(connections_.folder() + "/damaged");
}

Result<PurgeOutcome> LocalStore::PurgeRows(const PurgeQuery& query, std::vector<std::string>* purged_tokens) {
  PurgeOutcome outcome;
  if (Result<uint64_t> folded = FoldIn(10000); !folded) return folded.error();
  if (connections_.on_disk() && !inbox_.Empty()) {
    return Error{Cause::kBusy, "another process works on the inbox: try again"};
  }
  if (!HasDatabase()) return query.token ? Result<PurgeOutcome>(Miss(nullptr, *query.token)) : outcome;
  int64_t before_ms = query.older_than_seconds ? TheClock().WallMs() - *query.older_than_seconds * 1000 : INT64_MAX;
  std::vector<EntryRow> removed;
  Result<bool> done = Writing<bool>([&](Lease& lease) -> Result<bool> {
    outcome = {};
    removed.clear();
    Catalog& catalog = *lease.catalog;
    Transaction transaction(*lease.database);
    if (!transaction.begun()) return transaction.begun().error();
    std::vector<std::pair<int64_t, int64_t>> sightings;  // entry, id
    std::optional<int64_t> wanted;
    if (query.token) {
      Result<std::optional<EntryRow>> row = catalog.FindToken(*query.token);
      if (!row) return row.error();
      if (!*row) return Miss(&catalog, *query.token);
      wanted = (*row)->id;
    }
    auto visit = [&](SightingRow one) -> Result<bool> {
      if (one.sighting.at_ms >= before_ms || (wanted && one.entry != *wanted)) return true;
      sightings.emplace_back(one.entry, one.id);
      return true;
    };
    if (Result<void> walked = catalog.WalkSightings(query.name_space, 0, visit); !walked) return walked.error();
    std::sort(sightings.begin(), sightings.end());
    Removal removal;
    for (size_t first = 0, end = 0; first < sightings.size(); first = end) {
      const int64_t id = sightings[first].first;
      while (end < sightings.size() && sightings[end].first == id) ++end;
      Statement all = lease.database->Prepare("SELECT count(*) FROM sightings WHERE entry = ?");
      Result<bool> counted = all.Int(id).Step();
      if (!counted) return counted.error();
      if (static_cast<size_t>(all.IntAt(0)) > end - first) {  // seen elsewhere too
        for (size_t i = first; i < end; ++i) {
          if (Result<void> gone = catalog.RemoveSighting(sightings[i].second); !gone) return gone.error();
        }
        continue;
      }
      Result<std::optional<EntryRow>> row = catalog.FindId(id);
      if (!row) return row.error();
      if (!*row) continue;
      Result<void> gone = RemoveRow(lease, **row, Cause::kPurged, TheClock().WallMs(), &removal);
      if (!gone) return gone.error();
      outcome.entries += 1;
      outcome.bytes += (*row)->facts.raw_bytes;
      purged_tokens->push_back((*row)->token());
    }
    outcome.sightings = sightings.size();
    removed = std::move(removal.rows);
    // Tombstones keep no name of where they come from: the command lines of all go.
    Result<void> blank = lease.database->Execute("UPDATE tombstones SET command = '', tool = ''");
    if (!blank) return blank.error();
    blank = lease.database->Execute("DELETE FROM name_spaces WHERE id NOT IN (SELECT name_space FROM sightings)");
    if (!blank) return blank.error();
    if (Result<void> committed = transaction.Commit(); !committed) return committed.error();
    return true;
  });
  if (!done) return done.error();
  for (const EntryRow& row : removed) {
    if (!row.file.empty()) (void)EraseFile(bodies_.PathOf(row.file));
  }
  Result<void> scrubbed = Scrub();
  bool emptied = query.all && !query.name_space && !query.token && !query.older_than_seconds;
  // Nothing is left in it but tombstones, and no room to say so: the file itself goes.
  if (!scrubbed && scrubbed.error().cause == Cause::kFull && emptied) scrubbed = connections_.Remove();
  if (!scrubbed) Notice(scrubbed.error().sentence);
  return outcome;
}

Result<void> LocalStore::Scrub() {
  if (!connections_.on_disk()) return {};
  Result<bool> scrubbed = Writing<bool>([&](Lease& lease) -> Result<bool> {
    if (Result<void> rebuilt = lease.database->Execute("VACUUM"); !rebuilt) return rebuilt.error();
    Statement checkpoint = lease.database->Prepare("PRAGMA wal_checkpoint(TRUNCATE)");
    Result<bool> row = checkpoint.Step();
    if (!row) return row.error();
    return *row && checkpoint.IntAt(0) == 0;
  });
  if (scrubbed && *scrubbed) return {};
  if (!scrubbed && scrubbed.error().cause == Cause::kFull) {
    return Error{Cause::kFull, "what was removed no longer resolves, but the disk is too full to rebuild the database"};
  }
  return Error{
      Cause::kBusy,
      "what was removed no longer resolves, but older pages of it may stand in the store's log until the other "
      "processes that use the store end"};
}

Result<void> LocalStore::Recover() {
  Result<std::string> aside = connections_.SetAside();
  if (!aside) return aside.error();
  if (aside->empty()) return {};
  return Salvage(*aside);
}

// Reads what can be read of a damaged database, entry by entry from both ends of its key, into the fresh one.
Result<void> LocalStore::Salvage(const std::string& aside) {
  uint64_t saved = 0, lost = 0;
  Result<FileInfo> info = Files().Stat(aside);
  Result<std::unique_ptr<Database>> opened = Error{Cause::kDamaged, "empty"};
  if (info && info->size > 0) opened = Database::Open(aside, {});
  if (opened) {
    Catalog old(**opened, cipher_);
    std::vector<int64_t> ids;
    for (const char* sql : {"SELECT id FROM entries ORDER BY id", "SELECT id FROM entries ORDER BY id DESC"}) {
      Statement statement = (*opened)->Prepare(sql);
      for (Result<bool> row = statement.Step(); row && *row; row = statement.Step()) ids.push_back(statement.IntAt(0));
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (int64_t id : ids) {
      bool done = false;
      Result<std::optional<EntryRow>> row = old.FindId(id);
      if (row && *row) {
        Result<std::unique_ptr<FrameSource>> body = bodies_.Open(**opened, **row);
        Result<std::string> bytes = body ? ReadRange(**body, {}) : Result<std::string>(body.error());
        if (bytes && Sha256Of(*bytes) == (*row)->facts.digest) {
          Result<std::vector<SightingRow>> rows = old.SightingsOf(id, 32);
          std::vector<Sighting> sightings;
          if (rows) {
            for (auto one = rows->rbegin(); one != rows->rend(); ++one) sightings.push_back(std::move(one->sighting));
          }
          if (sightings.empty()) {
            sightings.emplace_back();
            sightings.back().at_ms = (*row)->last_seen_ms;
          }
          done = true;
          for (const Sighting& sighting : sightings) {
            done = done && Put(*bytes, (*row)->facts.digest, sighting).ok();
          }
          if (done && (*row)->held) (void)Hold((*row)->token(), true).ok();
        }
      }
      ++(done ? saved : lost);
    }
  }
  saved += SalvageBodies();
  std::string what = info && info->size > 0 ? "was damaged" : "was damaged (it had been emptied or deleted)";
  Notice("the store's database " + what + ": it is set aside as " + aside + ", " + CountText(saved, "original") +
         " saved from it" + (lost > 0 ? ", " + std::to_string(lost) + " could not be read" : ""));
  return {};
}

// Large bodies lie beside the database under their hash, and come back without their row. What they were the output of
// is not known any more; their life begins anew.
uint64_t LocalStore::SalvageBodies() {
  uint64_t saved = 0;
  for (const std::string& name : NamesIn(connections_.folder() + "/bodies")) {
    std::string digest = name.substr(0, 64);
    Result<bool> known = Reading<bool>([&](Lease& lease) -> Result<bool> {
      Result<std::optional<EntryRow>> row = lease.catalog->FindToken(digest);
      if (!row) return row.error();
      return row->has_value();
    });
    if (known ? *known : known.error().cause != Cause::kNotFound) continue;
    std::string path = bodies_.PathOf(name);
    Result<std::unique_ptr<FrameSource>> body = OpenBodyFile(path, cipher_);
    if (!body || HexOf((*body)->facts().digest) != digest) continue;
    Sighting sighting;
    sighting.at_ms = TheClock().WallMs();
    sighting.original_bytes = (*body)->facts().raw_bytes;
    sighting.original_lines = (*body)->facts().lines;
    if (Adopt(path, (*body)->facts(), sighting)) ++saved;
  }
  return saved;
}

}  // namespace pith
