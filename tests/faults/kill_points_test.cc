// A process killed at each operation in turn: in the middle of a commit, a fold-in, an eviction, a purge, a migration,
// a rewrite of the journal, the end of a spool, a change of the key. Where kill_test.cc kills at random instants, this
// leaves none out.
#include <algorithm>

#include "base/clock.h"
#include "store/journal_tier.h"
#include "store/maintenance.h"
#include "store/schema.h"
#include "tests/faults/faulty_files.h"
#include "tests/faults/faulty_vfs.h"
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

constexpr int kWasKilled = 128 + SIGKILL;

// Where a child says what is promised: a byte for each original that was put.
class Promises {
 public:
  Promises() { REQUIRE(pipe(ends_) == 0); }
  Promises(const Promises&) = delete;
  Promises& operator=(const Promises&) = delete;
  ~Promises() {
    close(ends_[0]);
    close(ends_[1]);
  }
  void Say(uint8_t which) const {
    if (write(ends_[1], &which, 1) != 1) _exit(99);
  }
  std::vector<uint8_t> Heard() {
    close(ends_[1]);
    ends_[1] = -1;
    std::vector<uint8_t> all(256);
    ssize_t got = read(ends_[0], all.data(), all.size());
    all.resize(static_cast<size_t>(std::max<ssize_t>(0, got)));
    return all;
  }

 private:
  int ends_[2];
};

std::string OriginalOf(uint32_t which) { return which % 3 == 2 ? RandomBytes(60000, which) : LogLines(40, which); }

struct Scene {
  std::string name;
  bool files;  // kills at file operations, else at writes, truncations and syncs of SQLite
  std::function<void(const std::string& folder)> before;
  std::function<void(const std::string& folder, const Promises& promises)> work;
  std::function<void(const std::string& folder, const std::vector<uint8_t>& promised)> after;
};

// Kills the work at its first operation, its second, ... until it ends unharmed. The number of kills.
int KillEverywhere(const Scene& scene) {
  const char* given = getenv("PITH_KILLS");
  int step = given != nullptr && atoi(given) >= 1000 ? 1 : 7;
  int kills = 0;
  for (int64_t nth = 1;; nth += step) {
    ScratchFolder folder;
    CAPTURE(scene.name);
    CAPTURE(nth);
    scene.before(folder.path());
    Promises promises;
    int ended = InChild([&] {
      FaultyFiles files;
      FaultyVfs vfs;
      scene.files ? files.Kill(nth, 9) : vfs.Kill(nth);
      scene.work(folder.path(), promises);
      return 0;
    });
    scene.after(folder.path(), promises.Heard());
    if (ended == 0) return kills;
    REQUIRE(ended == kWasKilled);
    ++kills;
  }
}

void AllThere(const StoreOptions& options, const std::vector<uint8_t>& which) {
  auto store = Opened(options);
  for (uint8_t one : which) {
    std::string original = OriginalOf(one);
    CHECK((GetOrFail(*store, TokenOf(original)) == original));
  }
  CHECK(store->TakeNotices().empty());
}

void Sound(const std::string& folder) {
  Result<CheckOutcome> outcome = CheckStore(In(folder), false);
  REQUIRE(outcome.ok());
  CHECK(outcome->whole == outcome->checked);
  CHECK(outcome->sentences.empty());
}

std::vector<uint8_t> UpTo(uint8_t count) {
  std::vector<uint8_t> all;
  for (uint8_t i = 0; i < count; ++i) all.push_back(i);
  return all;
}

void PutUpTo(const StoreOptions& options, uint8_t count) {
  auto store = Opened(options);
  for (uint8_t i : UpTo(count)) PutOrFail(*store, OriginalOf(i));
}

StoreOptions OneShot(const std::string& folder) {
  StoreOptions options = In(folder);
  options.one_shot = true;
  return options;
}

void NothingBefore(const std::string&) {}

}  // namespace

TEST_CASE("killed at every operation of a put: what was promised is there, by either road") {
  auto put = [](const StoreOptions& options, const Promises& promises) {
    for (uint8_t i = 0; i < 4; ++i) {
      if (Opened(options)->Put(OriginalOf(i), Seen())) promises.Say(i);
    }
  };
  auto check = [](const std::string& folder, const std::vector<uint8_t>& promised) {
    AllThere(In(folder), promised);
    Sound(folder);
  };
  int kills = 0;
  for (bool files : {false, true}) {
    kills += KillEverywhere({"server", files, NothingBefore,
                             [&](const std::string& folder, const Promises& promises) { put(In(folder), promises); },
                             check});
  }
  kills += KillEverywhere({"inbox", true, NothingBefore,
                           [&](const std::string& folder, const Promises& promises) { put(OneShot(folder), promises); },
                           check});
  MESSAGE(kills, " kills");
}

TEST_CASE("killed at every operation of a fold-in: all that waited is there, and is counted once") {
  auto before = [](const std::string& folder) {
    for (uint8_t i : UpTo(5)) PutOrFail(*Opened(OneShot(folder)), OriginalOf(i));
    PutOrFail(*Opened(OneShot(folder)), std::string(17 << 20, 'b'));
  };
  auto fold = [](const std::string& folder, const Promises&) { (void)Opened(In(folder))->Gc().ok(); };
  auto after = [](const std::string& folder, const std::vector<uint8_t>&) {
    AllThere(In(folder), UpTo(5));
    CHECK(Opened(In(folder))->Get(TokenOf(std::string(17 << 20, 'b')), {5, 3}).ok());
    auto store = Opened(In(folder));
    REQUIRE(store->Gc().ok());
    CHECK(store->TakeNotices().empty());
    store.reset();
    CHECK(Opened(In(folder))->Stats(std::nullopt)->sightings == 6);
    Sound(folder);
  };
  int kills = KillEverywhere({"by SQLite", false, before, fold, after});
  kills += KillEverywhere({"by files", true, before, fold, after});
  MESSAGE(kills, " kills");
}

TEST_CASE("killed at every operation of evictions and purges: the store opens, and all that it lists resolves") {
  StoreOptions small;
  small.max_entries = 6;
  auto before = [](const std::string& folder) { PutUpTo(In(folder), 6); };
  auto evict = [&](const std::string& folder, const Promises&) {
    StoreOptions options = small;
    options.folder = folder;
    auto store = Opened(options);
    for (uint8_t i = 6; i < 9; ++i) (void)store->Put(OriginalOf(i), Seen()).ok();
  };
  auto purge = [](const std::string& folder, const Promises&) {
    PurgeQuery query;
    query.token = TokenOf(OriginalOf(2));
    (void)Opened(In(folder))->Purge(query).ok();
  };
  auto after = [](const std::string& folder, const std::vector<uint8_t>&) {
    auto store = Opened(In(folder));
    Result<std::vector<Entry>> listed = store->List({});
    REQUIRE(listed.ok());
    CHECK(listed->size() >= 5);
    for (const Entry& entry : *listed) CHECK(TokenOf(GetOrFail(*store, entry.token)) == entry.token);
    for (uint8_t i = 0; i < 6; ++i) {
      Result<std::string> bytes = store->Get(TokenOf(OriginalOf(i)));
      if (!bytes) CHECK((bytes.error().cause == Cause::kEvicted || bytes.error().cause == Cause::kPurged));
    }
    Sound(folder);
  };
  int kills = KillEverywhere({"eviction", false, before, evict, after});
  kills += KillEverywhere({"purge by SQLite", false, before, purge, after});
  kills += KillEverywhere({"purge by files", true, before, purge, after});
  MESSAGE(kills, " kills");
}

TEST_CASE("killed at every operation of a migration: the old schema or the new one, never between") {
  auto before = [](const std::string& folder) {
    PutUpTo(In(folder), 3);
    Result<std::unique_ptr<Database>> database = Database::Open(folder + "/ccr.db", {});
    REQUIRE((*database)
                ->Execute("DROP TABLE folded; DELETE FROM migrations WHERE version > 1; PRAGMA user_version=1;")
                .ok());
  };
  auto migrate = [](const std::string& folder, const Promises& promises) {
    if (Opened(In(folder))->Put(OriginalOf(3), Seen())) promises.Say(3);
  };
  auto after = [](const std::string& folder, const std::vector<uint8_t>& promised) {
    AllThere(In(folder), UpTo(3));
    AllThere(In(folder), promised);
    PutOrFail(*Opened(In(folder)), "after it");
    Result<std::unique_ptr<Database>> database = Database::Open(folder + "/ccr.db", {});
    CHECK(*(*database)->Number("PRAGMA user_version") == SchemaVersion());
    CHECK(*(*database)->Number("SELECT count(*) FROM migrations") == SchemaVersion());
    Sound(folder);
  };
  MESSAGE(KillEverywhere({"migration", false, before, migrate, after}), " kills");
}

TEST_CASE("killed at every operation of a rewrite of the journal: what has not ended is there") {
  int64_t now = TheClock().WallMs(), later = now + 3600 * 1000;
  auto before = [&](const std::string& folder) {
    JournalTier tier(folder + "/j.jsonl", 1 << 30, Durability::kProcess);
    for (uint8_t i : UpTo(8)) {
      std::string original = OriginalOf(i);
      REQUIRE(tier.Put(original, Sha256Of(original), i % 2 == 0 ? later : now + 1).ok());
    }
    usleep(2000);
  };
  auto rewrite = [&](const std::string& folder, const Promises& promises) {
    JournalTier tier(folder + "/j.jsonl", 1 << 30, Durability::kProcess);
    (void)tier.Sweep().ok();
    std::string original = OriginalOf(8);
    if (tier.Put(original, Sha256Of(original), later)) promises.Say(8);
    (void)tier.Remove(TokenOf(OriginalOf(0))).ok();
  };
  auto after = [&](const std::string& folder, const std::vector<uint8_t>& promised) {
    JournalTier tier(folder + "/j.jsonl", 1 << 30, Durability::kProcess);
    std::vector<uint8_t> expected = promised;
    for (uint8_t i = 2; i < 8; i += 2) expected.push_back(i);
    for (uint8_t i : expected) {
      Result<std::string> bytes = tier.Get(TokenOf(OriginalOf(i)), {});
      REQUIRE(bytes.ok());
      CHECK((*bytes == OriginalOf(i)));
    }
    REQUIRE(tier.Put("after it", Sha256Of("after it"), later).ok());
    CHECK(*tier.Get(TokenOf("after it"), {}) == "after it");
  };
  MESSAGE(KillEverywhere({"journal", true, before, rewrite, after}), " kills");
}

TEST_CASE("killed at every operation of a spool: what came before is readable under its name or its token") {
  auto stream = [](const std::string& folder, const Promises& promises) {
    auto store = Opened(In(folder));
    Result<std::unique_ptr<Spool>> spool = store->OpenSpool();
    if (!spool) return;
    for (uint8_t i = 0; i < 3; ++i) {
      if ((*spool)->Append(RandomBytes(700000, i))) promises.Say(i);
    }
    if ((*spool)->Finish(Seen())) promises.Say(100);
  };
  auto after = [](const std::string& folder, const std::vector<uint8_t>& promised) {
    std::string whole = RandomBytes(700000, 0) + RandomBytes(700000, 1) + RandomBytes(700000, 2);
    auto store = Opened(In(folder));
    if (std::find(promised.begin(), promised.end(), 100) != promised.end()) {
      CHECK((GetOrFail(*store, TokenOf(whole)) == whole));
      return;
    }
    if (promised.empty() || store->Get(TokenOf(whole))) return;
    std::string name;
    (void)Files().List(folder + "/spool", [&](std::string_view one) { return name = one.substr(0, 12), true; }).ok();
    Result<std::string> bytes = store->ReadSpool(name, {});
    REQUIRE(bytes.ok());
    CHECK(bytes->size() >= promised.size() * 700000);
    CHECK((*bytes == whole.substr(0, bytes->size())));
  };
  MESSAGE(KillEverywhere({"spool", true, NothingBefore, stream, after}), " kills");
}

TEST_CASE("killed at every operation of a change of the key: called again it goes on, and nothing is lost") {
  const std::string key = "a key that is long enough";
  auto before = [](const std::string& folder) { PutUpTo(In(folder), 3); };
  auto rekey = [&](const std::string& folder, const Promises&) { (void)RekeyStore(In(folder), key).ok(); };
  auto after = [&](const std::string& folder, const std::vector<uint8_t>&) {
    REQUIRE(RekeyStore(In(folder), key).ok());
    StoreOptions renewed = In(folder);
    renewed.key = key;
    AllThere(renewed, UpTo(3));
    CHECK(CauseOfGet(*Opened(In(folder)), TokenOf(OriginalOf(0))) == Cause::kDenied);
  };
  MESSAGE(KillEverywhere({"key", false, before, rekey, after}), " kills");
}
