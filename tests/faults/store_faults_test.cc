// What the store promises while its medium fails: the put that fails says why, and nothing that was promised before is
// lost.
#include <cerrno>
#include <tuple>

#include "tests/faults/faulty_files.h"
#include "tests/faults/faulty_vfs.h"
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

const int kErrors[] = {ENOSPC, EIO, EACCES, EROFS};

// Everything that was put so far and did not fail.
void CheckAll(const std::string& folder, const std::vector<std::string>& promised) {
  auto store = Opened(In(folder));
  for (const std::string& original : promised) {
    Result<std::string> bytes = store->Get(TokenOf(original));
    INFO((bytes ? "" : bytes.error().sentence));
    REQUIRE(bytes.ok());
    CHECK((*bytes == original));
  }
}

// A way to put originals, and what it may promise: those that did not fail.
struct Road {
  std::string name;
  std::string chain = "memory,sqlite";
  bool one_shot = false, spooled = false;
  size_t bytes = 20000;
};
const Road kRoads[] = {{"server"},
                       {"inbox", "memory,sqlite", true},
                       {"spool", "sqlite", false, true},
                       {"spool, one-shot", "sqlite", true, true},
                       {"files", "files"},
                       {"journal", "journal"},
                       {"all", "memory,sqlite,files,journal"}};

Result<PutOutcome> PutBy(const Road& road, const StoreOptions& options, const std::string& original) {
  Result<std::unique_ptr<Store>> store = Store::Open(options);
  if (!store) return store.error();
  if (!road.spooled) return (*store)->Put(original, Seen());
  Result<std::unique_ptr<Spool>> spool = (*store)->OpenSpool("/project");
  if (!spool) return spool.error();
  if (Result<void> done = (*spool)->Append(original); !done) return done.error();
  return (*spool)->Finish(Seen());
}

StoreOptions OptionsOf(const Road& road, const std::string& folder) {
  StoreOptions options = In(folder);
  options.chain = road.chain;
  options.one_shot = road.one_shot;
  options.durability = Durability::kPower;
  return options;
}

// What fails is told by `fail`, which is called before two puts and a sweep; `count` says how many operations they
// took. Everything that was promised must be there when the medium is well again.
template <typename Faulty>
void FailAt(const Road& road, int64_t nth, const std::function<void(Faulty&)>& fail, bool* reached_end) {
  CAPTURE(road.name);
  CAPTURE(nth);
  ScratchFolder folder;
  std::vector<std::string> promised = {"before the fault"};
  {
    FaultyFiles files;
    FaultyVfs vfs;
    Faulty& faulty = std::get<Faulty&>(std::tie(files, vfs));
    StoreOptions options = OptionsOf(road, folder.path());
    PutOrFail(*Opened(options), promised[0]);
    fail(faulty);
    for (uint32_t i = 0; i < 2; ++i) {
      std::string original = RandomBytes(road.bytes, i);
      Result<PutOutcome> put = PutBy(road, options, original);
      if (put) promised.push_back(original);
      if (!put) CHECK(put.error().sentence.size() > 10);
    }
    (void)Opened(options)->Gc().ok();
    *reached_end = faulty.count() < nth;
    faulty.Heal();
  }
  StoreOptions options = OptionsOf(road, folder.path());
  options.one_shot = false;
  options.durability = Durability::kProcess;
  auto store = Opened(options);
  for (const std::string& original : promised) {
    Result<std::string> bytes = store->Get(TokenOf(original));
    INFO((bytes ? "" : bytes.error().sentence));
    REQUIRE(bytes.ok());
    CHECK((*bytes == original));
  }
  CHECK(store->Put("after the fault", Seen()).ok());
}

}  // namespace

TEST_CASE("the Nth file operation fails, for every N, by each road: a put keeps its promise or says why") {
  for (const Road& road : kRoads) {
    for (int number : kErrors) {
      for (bool onwards : {false, true}) {
        // A right that is missing or a medium that cannot be written stays so.
        if (!onwards && (number == EACCES || number == EROFS)) continue;
        bool reached_end = false;
        for (int64_t nth = 1; !reached_end; ++nth) {
          CAPTURE(number);
          CAPTURE(onwards);
          FailAt<FaultyFiles>(
              road, nth, [&](FaultyFiles& files) { files.Fail(nth, number, onwards, 7); }, &reached_end);
        }
      }
    }
  }
}

TEST_CASE("the Nth write of SQLite fails, for every N, by each road: a put keeps its promise or says why") {
  for (const Road& road : {kRoads[0], kRoads[1], kRoads[2]}) {
    for (bool full : {false, true}) {
      for (bool onwards : {false, true}) {
        bool reached_end = false;
        for (int64_t nth = 1; !reached_end; nth += onwards ? 3 : 1) {
          CAPTURE(full);
          FailAt<FaultyVfs>(
              road, nth, [&](FaultyVfs& vfs) { vfs.Fail(nth, full, onwards); }, &reached_end);
        }
      }
    }
  }
}

TEST_CASE("the Nth read fails, for every N: right bytes or the fault, never another's and never a miss") {
  for (const char* chain : {"sqlite", "files", "journal"}) {
    for (bool by_sqlite : {false, true}) {
      for (bool waiting : {false, true}) {  // in the inbox
        bool reached_end = false;
        for (int64_t nth = 1; !reached_end; ++nth) {
          ScratchFolder folder;
          CAPTURE(chain);
          CAPTURE(by_sqlite);
          CAPTURE(waiting);
          CAPTURE(nth);
          StoreOptions options = In(folder.path());
          options.chain = chain;
          options.one_shot = waiting;
          std::string original = RandomBytes(30000, 1), token = TokenOf(original);
          PutOrFail(*Opened(options), original);
          options.one_shot = false;
          FaultyFiles files;
          FaultyVfs vfs;
          files.CountReads(true);
          vfs.CountReads(true);
          by_sqlite ? vfs.Fail(nth, false, false) : files.Fail(nth, EIO, false);
          Result<std::string> bytes = Opened(options)->Get(token);
          reached_end = (by_sqlite ? vfs.count() : files.count()) < nth;
          files.Heal();
          vfs.Heal();
          if (bytes) CHECK((*bytes == original));
          if (!bytes) {
            CAPTURE(bytes.error().sentence);
            CHECK(bytes.error().cause != Cause::kNotFound);
            CHECK(bytes.error().cause != Cause::kExpired);
          }
          CHECK((GetOrFail(*Opened(options), token) == original));
        }
      }
    }
  }
}

TEST_CASE("file operations fail during fold-in, for every N: what is in the inbox stays retrievable") {
  bool reached_end = false;
  for (int64_t nth = 1; !reached_end; ++nth) {
    ScratchFolder folder;
    FaultyFiles files;
    StoreOptions one_shot = In(folder.path());
    one_shot.one_shot = true;
    std::vector<std::string> promised;
    for (uint32_t i = 0; i < 3; ++i) {
      promised.push_back(LogLines(100, i));
      PutOrFail(*Opened(one_shot), promised.back());
    }
    promised.push_back(std::string(17 << 20, 'b'));
    PutOrFail(*Opened(one_shot), promised.back());
    files.Fail(nth, EIO, true);
    (void)Opened(In(folder.path()))->Gc().ok();
    reached_end = files.count() < nth;
    files.Heal();
    CAPTURE(nth);
    CheckAll(folder.path(), promised);
    auto store = Opened(In(folder.path()));
    REQUIRE(store->Gc().ok());
    CHECK(store->Stats(std::nullopt)->sightings == promised.size());
    CheckAll(folder.path(), promised);
  }
}

TEST_CASE("a disk that fills up during a spool leaves what came readable") {
  ScratchFolder folder;
  for (int64_t nth = 1; nth < 14; ++nth) {
    FaultyFiles files;
    auto store = Opened(In(folder.path()));
    Result<std::unique_ptr<Spool>> spool = store->OpenSpool();
    REQUIRE(spool.ok());
    files.Fail(nth, ENOSPC, true, 100);
    std::string given;
    Result<void> done;
    for (uint32_t i = 0; done && i < 8; ++i) {
      std::string some = RandomBytes(700000, i);
      done = (*spool)->Append(some);
      if (done) given += some;
    }
    REQUIRE_FALSE(done.ok());
    CHECK(done.error().cause == Cause::kFull);
    CHECK((*spool)->size() == given.size());
    CHECK((*(*spool)->Read({}) == given));
    files.Heal();
  }
}

TEST_CASE("a store that cannot be written still gives what it has, and a put says why") {
  if (geteuid() == 0) return;  // root may write anywhere
  ScratchFolder folder;
  std::string token = PutOrFail(*Opened(In(folder.path())), "kept");
  REQUIRE(Files().ChangeMode(folder / "ccr.db", 0400).ok());
  REQUIRE(Files().ChangeMode(folder.path(), 0500).ok());
  auto store = Opened(In(folder.path()));
  CHECK(GetOrFail(*store, token) == "kept");
  Result<PutOutcome> put = store->Put("new", Seen());
  REQUIRE_FALSE(put.ok());
  CHECK(put.error().cause == Cause::kDenied);
}
