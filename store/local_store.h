// The originals of one machine: the SQLite database, its large bodies and the inbox, taken together. What the chain
// asks for all that a tier alone cannot know. Any thread.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/catalog.h"
#include "store/connections.h"
#include "store/inbox.h"
#include "store/sqlite_bodies.h"
#include "store/store.h"

namespace pith {

// Whether a sighting's tool and command hold these parts; "" asks nothing.
inline bool IsOf(const Sighting& sighting, std::string_view tool, std::string_view command) {
  return sighting.tool.find(tool) != std::string::npos && sighting.command.find(command) != std::string::npos;
}

class LocalStore {
 public:
  // `options.folder` is set, "" for a store in memory. `cipher` is borrowed, may be null.
  LocalStore(const StoreOptions& options, const Cipher* cipher);
  ~LocalStore();

  // --- writing ---
  Result<PutOutcome> Put(std::string_view bytes, const Digest& digest, const Sighting& sighting);
  // Takes in a finished body file by renaming it.
  Result<PutOutcome> Adopt(const std::string& path, const BodyFacts& facts, const Sighting& sighting);
  Result<uint64_t> FoldIn(int wait_ms);  // sightings taken in; 0 too when another process holds the lock
  void Tend();

  // --- reading ---
  Result<std::string> Get(std::string_view token, Range range);
  Result<LineSlice> GetLines(std::string_view token, uint64_t first, uint64_t last);
  Result<Entry> Find(std::string_view token);
  Result<std::vector<Sighting>> Sightings(std::string_view token, uint64_t limit);
  Result<std::vector<Entry>> List(const ListQuery& query);
  Result<std::vector<std::string>> TokensStartingWith(std::string_view prefix, uint64_t limit);
  Result<SearchOutcome> Search(const SearchQuery& query);
  Result<StoreStats> Stats(const std::optional<std::string>& name_space);
  // Walks every original that is not expired; for check and export. Stops when `visit` gives false.
  Result<void> Walk(
      const std::function<Result<bool>(const EntryRow& row, FrameSource* body, const Error* fault)>& visit);
  // Of what waits in the inbox each original once, with what is wrong with it.
  Result<void> WalkInbox(const std::function<void(const std::string& token, const Result<void>& whole)>& visit);

  // --- maintenance ---
  Result<void> CheckStructure();
  Result<void> Forget(std::string_view token, Cause cause);  // removes one, with a tombstone
  Result<void> Recover();                                    // sets the database aside and salvages it
  Result<bool> MoveToKey(int64_t id, const LocalStore& other);
  Result<void> RenewNames(const LocalStore& other);
  Result<void> Scrub();  // rebuilds the file and empties the log, so that nothing removed can be read

  // --- lifetime ---
  // Remembers a use; writes it down at once where the entry would else lose promised time (UseGranularity).
  void CountUse(std::string_view token);
  void CountRetrieval(std::string_view token, uint64_t bytes, uint64_t tokens);
  Result<void> Hold(std::string_view token, bool held);
  Result<GcOutcome> Gc();
  Result<PurgeOutcome> Purge(const PurgeQuery& query, std::vector<std::string>* purged_tokens);

  Result<bool> HoldsOther();  // an original that is not under this store's key (none counts as one)
  int64_t Generation();       // changes when any process has purged: what is cached from before must go
  Inbox& inbox() { return inbox_; }
  uint64_t MaxOriginal() const;  // bytes as stored
  std::vector<std::string> TakeNotices();
  const StoreOptions& options() const { return options_; }

 private:
  struct Retrievals {
    uint64_t count = 0, bytes = 0, tokens = 0;
  };
  struct Use {
    int64_t order = 0;    // its place in the order of uses
    int64_t boot_ms = 0;  // when, by the time since boot
  };
  struct Removal {
    std::vector<EntryRow> rows;
  };  // whose files go after the commit

  // Runs `work` with a connection; when SQLite finds the file corrupt, sets it aside, salvages, and runs it once more.
  template <typename Value, typename Work>
  Result<Value> Reading(Work work);
  template <typename Value, typename Work>
  Result<Value> Writing(Work work);
  Result<void> Salvage(const std::string& aside);
  uint64_t SalvageBodies();  // how many came back
  Result<PurgeOutcome> PurgeRows(const PurgeQuery& query, std::vector<std::string>* purged_tokens);
  Result<PurgeOutcome> PurgeFiles(std::vector<std::string>* purged_tokens);
  void EraseSetAside();

  template <typename Value, typename Work>
  Result<Value> WithBody(std::string_view token, Work work);
  Result<EntryRow> LiveRow(Catalog& catalog, std::string_view token);
  Error Miss(Catalog* catalog, std::string_view token);
  Error ExpiredMiss(Catalog& catalog, const EntryRow& row);
  bool InboxAlive(std::string_view token);
  Result<Entry> EntryOf(Catalog& catalog, const EntryRow& row, const Sighting* last);
  Result<Entry> InboxEntry(std::string_view token);

  bool StoredWhole(const Digest& digest);
  Result<bool> Record(Lease& lease, const Digest& digest, const NewBody* body, const std::vector<Sighting>& sightings,
                      bool replace, Removal* removal);
  Result<PutOutcome> PutBody(const Digest& digest, const std::function<Result<NewBody>()>& prepare,
                             const Sighting& sighting);
  Result<uint64_t> FoldInLocked();
  Result<uint64_t> FoldInBatch(const std::vector<InboxSighting>& batch);
  void SetAsideInboxBody(std::string_view token, const Error& why);
  void MaybeFoldIn();
  void FoldInToRead();  // before lists and search: a failure is a notice

  bool HasDatabase();
  // Before a body gets a file: bodies beside a database of no bytes tell that it was emptied.
  Result<void> MakeDatabase();
  void WriteCounts(int busy_ms);
  Result<void> FlushUses(Lease& lease, bool due_only);
  void NoteUsed(const EntryRow& row, int64_t now_ms);  // `now_ms` by the store's clock
  Result<void> FlushRetrievals(Lease& lease);
  Result<bool> OverCaps(Catalog& catalog);
  // Removes at most `most` entries, expired ones first; never `keep`. The number removed.
  Result<int64_t> Evict(Lease& lease, int64_t most, int64_t keep, Removal* removal);
  Result<int64_t> RemoveExpired(Lease& lease, int64_t most, Removal* removal);
  Result<void> RemoveRow(Lease& lease, const EntryRow& row, Cause cause, int64_t at_ms, Removal* removal);
  void ApplyCaps(int64_t budget_ms);
  void RemoveFiles(const Removal& removal);
  void SweepFiles();
  void Notice(std::string text);

  StoreOptions options_;
  const Cipher* cipher_;
  Connections connections_;
  SqliteBodies bodies_;
  Inbox inbox_;

  std::mutex mutex_;                           // guards what follows
  std::unordered_map<std::string, Use> uses_;  // by token; not yet written
  int64_t last_order_ = 0;                     // uses since the last put
  // By token: the time since boot from which a use must be written. What is not there is to be looked up.
  std::unordered_map<std::string, int64_t> use_due_;
  std::map<std::string, Retrievals, std::less<>> retrievals_;
  std::vector<std::string> notices_;
  int64_t folded_in_at_ms_ = 0;
};

// Runs as the class says. Defined here because put, get, lifetime, search and purge are files of their own.
template <typename Value, typename Work>
Result<Value> LocalStore::Reading(Work work) {
  for (int attempt = 0;; ++attempt) {
    bool corrupt = false;
    Result<Value> result = Error{};
    {
      Result<Lease> lease = connections_.Read();
      if (lease) {
        result = work(*lease);
        corrupt = lease->database->corrupt();
      } else {
        result = lease.error();
        corrupt = lease.error().cause == Cause::kDamaged;
      }
    }
    if (result || !corrupt || attempt > 0) return result;
    if (Result<void> recovered = Recover(); !recovered) return recovered.error();
  }
}

template <typename Value, typename Work>
Result<Value> LocalStore::Writing(Work work) {
  for (int attempt = 0;; ++attempt) {
    bool corrupt = false, lost = false;
    Result<Value> result = Error{};
    {
      Result<Lease> lease = connections_.Write();
      if (lease) {
        result = work(*lease);
        corrupt = !result && lease->database->corrupt();
        lost = result && !connections_.WriterIsCurrent();
      } else {
        result = lease.error();
        corrupt = lease.error().cause == Cause::kDamaged;
      }
    }
    if (attempt > 2 || (!corrupt && !lost)) return result;
    if (corrupt) {
      if (Result<void> recovered = Recover(); !recovered) return recovered.error();
    }
  }
}

}  // namespace pith
