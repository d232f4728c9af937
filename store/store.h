// Originals under their tokens: put once, get back byte for byte from any process, until a stated end.
//
// A Store is a chain of tiers (tier.h) plus what only the SQLite tier can hold: sightings, namespaces, holds,
// tombstones. All methods may be called from any thread. Bytes live while one of their sightings does.
//
// A folder that cannot be looked into, or that is under another key than the configured one, is never an empty store:
// what would give a list, a sum or a hit, and what would write, fails with kDenied or kIo then (access.h).
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "base/stop.h"

namespace pith {

enum class Durability : uint8_t {
  kProcess,  // survives SIGKILL of any process at any instant
  kPower,    // synced before put returns
};

struct StoreOptions {
  std::string folder;        // holds ccr.db and the inbox; empty: $XDG_STATE_HOME/pith, else ~/.local/state/pith
  bool memory_only = false;  // nothing on disk
  bool one_shot = false;     // put goes to the inbox; the database is opened only when something must be read
  Durability durability = Durability::kProcess;
  uint64_t memory_bytes = 32ull << 20;
  uint64_t max_entries = 200000;
  uint64_t max_bytes = 1ull << 30;           // as stored
  uint64_t max_original = 0;                 // 0: half of max_bytes
  int64_t lifetime_seconds = 7 * 24 * 3600;  // since last use
  std::string chain = "memory,sqlite";       // tiers, first asked first
  std::string key;                           // encryption at rest: 64 hex digits, or at least 16 bytes; empty is none
  std::string files_folder;                  // of the tier `files`; empty: files/ in the store's folder
  std::string journal_path;                  // of the tier `journal`; empty: journal.jsonl in the store's folder
  std::string redis;                         // redis://[[user]:password@]host[:port][/db], unix:///path/to/socket,
                                             // redis+sentinel://[:password@]host[:port]/MASTER
  std::string redis_password;                // in place of one in the address
  bool redis_may_evict = false;              // accept a server that evicts by itself
  int redis_timeout_ms = 500;                // for connecting and for each command
  int busy_ms = 10000;                       // how long another process's lock is waited for
};

// One time that an original was seen.
struct Sighting {
  int64_t at_ms = 0;       // Unix time; 0: now
  std::string name_space;  // git root or folder; "" is a namespace too
  std::string tool, command, folder, road, policy, kind;
  std::optional<int> exit_code, signal;
  uint64_t original_bytes = 0, original_lines = 0, original_tokens = 0;
  uint64_t shown_bytes = 0, shown_lines = 0, shown_tokens = 0;
  bool host_cut = false;
  std::optional<int64_t> lifetime_seconds;  // overrides the store's for this sighting
};

struct Entry {
  std::string token;   // 24 digits
  uint64_t bytes = 0;  // raw
  uint64_t stored_bytes = 0;
  uint64_t lines = 0;
  int64_t first_seen_ms = 0, last_seen_ms = 0, last_used_ms = 0, expires_ms = 0;
  uint64_t sightings = 0, retrievals = 0;
  bool held = false;
  Sighting last;  // the newest sighting
};

struct PutOutcome {
  std::string token;
  Digest digest{};
  bool existed = false;   // the same bytes were there already
  std::string_view tier;  // the durable tier that has it: "sqlite", "inbox", "memory", ...
};

struct Range {
  uint64_t offset = 0, length = UINT64_MAX;
};

// Lines as ReadLines gives them.
struct LineSlice {
  std::string bytes;             // with their newlines
  uint64_t first = 0, last = 0;  // 1-based, inclusive; 0 when the range began past the end
  uint64_t offset = 0;           // of the first byte
  uint64_t total = 0;            // lines of the original
};

struct SearchQuery {
  std::string text;                       // words; found inside paths and identifiers too, any case
  std::optional<std::string> name_space;  // none: all
  std::string tool, command;              // substring filters, empty: any
  int64_t since_ms = 0;
  uint64_t limit = 20;
  int64_t time_limit_ms = 2000;
  const StopAsked* stop = nullptr;  // borrowed for the call; ends it like the time limit
};
struct SearchHit {
  std::string token;
  uint64_t line = 0;
  std::string text;
  int64_t seen_ms = 0;
  std::string tool, command;
};
struct SearchOutcome {
  std::vector<SearchHit> hits;       // newest original first, then by line
  uint64_t searched = 0, total = 0;  // originals looked at, originals that the filter left
  bool complete = true;              // false: limit or time ended it
};

struct TierStats {
  std::string name;
  uint64_t entries = 0, bytes = 0, raw_bytes = 0;
};
struct StoreStats {
  std::vector<TierStats> tiers;
  uint64_t entries = 0, raw_bytes = 0, stored_bytes = 0, sightings = 0, retrievals = 0, retrieved_bytes = 0,
           retrieved_tokens = 0;
  uint64_t original_tokens = 0, shown_tokens = 0, original_bytes = 0, shown_bytes = 0;  // over the sightings
  uint64_t evicted = 0, expired = 0, purged = 0, inbox_files = 0;
};

struct ListQuery {
  std::optional<std::string> name_space;
  std::string tool, command;
  int64_t since_ms = 0;
  uint64_t offset = 0, limit = 50;  // newest first
};

struct PurgeQuery {
  std::optional<std::string> name_space, token;
  std::optional<int64_t> older_than_seconds;
  bool all = false;
};
struct PurgeOutcome {
  uint64_t entries = 0, sightings = 0, bytes = 0;
  uint64_t spools = 0;  // unfinished outputs that no process writes any more
};
// An output that is not finished.
struct UnfinishedSpool {
  std::string name;         // run-XXXXXXXX
  bool live = false;        // a process writes it now; else it was abandoned
  uint64_t disk_bytes = 0;  // in its files, as stored
  int64_t written_ms = 0;   // Unix time of the last write
};
struct GcOutcome {
  uint64_t folded_in = 0, expired = 0, evicted = 0, bytes_freed = 0;
};

// Receives an original of unknown length while it is being made. Not shared between threads. Dropped without Finish:
// what was written is kept as an unfinished spool for a day (`run-XXXXXXXX`).
class Spool {
 public:
  virtual ~Spool() = default;
  virtual const std::string& name() const = 0;  // run-XXXXXXXX
  // After a failure (kTooLarge: over max_original; kFull) size() and Read tell what the Appends before it gave, so that
  // a caller can replay that, pass the rest on, and say so.
  virtual Result<void> Append(std::string_view bytes) = 0;
  virtual Result<PutOutcome> Finish(const Sighting& sighting) = 0;
  virtual uint64_t size() const = 0;
  virtual Result<std::string> Read(Range range) = 0;  // what has come so far
  virtual void Discard() = 0;                         // nothing of it is kept; nothing else may be called then
};

class Store {
 public:
  virtual ~Store() = default;

  // Opens without touching the disk where it can: folders are made at the first write, the database is opened at the
  // first need. A damaged database is set aside under a dated name and said in `notices`.
  static Result<std::unique_ptr<Store>> Open(const StoreOptions& options);

  // Stored, at the store's durability, before it returns. Idempotent by content. `digest` if the caller has it already.
  virtual Result<PutOutcome> Put(std::string_view bytes, const Sighting& sighting, const Digest* digest = nullptr) = 0;

  // The bytes, whole or a range (clamped at the end). A miss says which: kInvalid (not a token), kNotFound, kExpired,
  // kEvicted, kPurged, kDamaged; its sentence names the time and, where known, the command to run again.
  virtual Result<std::string> Get(std::string_view token, Range range = {}) = 0;

  // Lines first..last (1-based, inclusive), decoding only the frames they stand in. The end is clamped; a start past
  // the end gives no bytes and the total. Misses as Get.
  virtual Result<LineSlice> GetLines(std::string_view token, uint64_t first, uint64_t last) = 0;

  virtual Result<Entry> Find(std::string_view token) = 0;  // no use is counted
  virtual Result<std::vector<Sighting>> Sightings(std::string_view token, uint64_t limit) = 0;
  virtual Result<std::vector<Entry>> List(const ListQuery& query) = 0;
  virtual Result<std::vector<std::string>> TokensStartingWith(std::string_view prefix,
                                                              uint64_t limit) = 0;  // for a person's command line
  virtual Result<SearchOutcome> Search(const SearchQuery& query) = 0;

  // Counts a retrieval against the newest sighting of the token.
  virtual void CountRetrieval(std::string_view token, uint64_t bytes, uint64_t tokens) = 0;

  virtual Result<void> Hold(std::string_view token, bool held) = 0;
  virtual Result<StoreStats> Stats(const std::optional<std::string>& name_space) = 0;
  virtual Result<GcOutcome> Gc() = 0;
  // Unfinished spools go too, unless a process still writes them or a token was named.
  virtual Result<PurgeOutcome> Purge(const PurgeQuery& query) = 0;

  // `name_space` is for purges: the sighting that Finish gets may come too late.
  virtual Result<std::unique_ptr<Spool>> OpenSpool(std::string_view name_space) = 0;
  Result<std::unique_ptr<Spool>> OpenSpool() { return OpenSpool({}); }
  virtual Result<std::string> ReadSpool(std::string_view name, Range range) = 0;  // of a live or finished spool
  virtual Result<std::string> SpoolToken(std::string_view name) = 0;              // once it is finished
  virtual bool SpoolIsLive(std::string_view name) = 0;                            // whether a process writes it now
  // Unfinished spools, of a namespace or of all, newest first.
  virtual std::vector<UnfinishedSpool> UnfinishedSpools(const std::optional<std::string>& name_space) = 0;

  // For a one-shot process, after its view is printed: folds in an inbox that has grown past 1,000 files or 64 MiB, and
  // applies the caps. Does not wait for a lock. The destructor does it too, where a put was made and this was not
  // called.
  virtual void Tend() = 0;

  // What a person should be told once (a damaged file set aside, a tier that does not answer); taking clears them.
  virtual std::vector<std::string> TakeNotices() = 0;
};

}  // namespace pith
