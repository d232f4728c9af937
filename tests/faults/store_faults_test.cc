// What the store promises while its medium fails: the put that fails says why, and nothing that was promised before is
// lost.
#include <cerrno>

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

}  // namespace

TEST_CASE("the Nth file operation fails, for every N: an inbox put keeps its promise or says why") {
  for (int number : kErrors) {
    for (bool onwards : {false, true}) {
      for (int64_t nth = 1; nth <= 12; ++nth) {
        ScratchFolder folder;
        FaultyFiles files;
        StoreOptions options = In(folder.path());
        options.one_shot = true;
        options.durability = Durability::kPower;
        std::vector<std::string> promised = {"before the fault"};
        PutOrFail(*Opened(options), promised[0]);
        files.Fail(nth, number, onwards, 7);
        std::string original = LogLines(50, static_cast<uint32_t>(nth));
        Result<PutOutcome> put = Opened(options)->Put(original, Seen());
        files.Heal();
        CAPTURE(nth);
        if (put) promised.push_back(original);
        if (!put) CHECK(put.error().sentence.size() > 10);
        CheckAll(folder.path(), promised);
      }
    }
  }
}

TEST_CASE("the Nth write of SQLite fails, for every N: a put keeps its promise or says why") {
  for (bool full : {false, true}) {
    for (bool onwards : {false, true}) {
      bool reached_end = false;
      for (int64_t nth = 1; !reached_end; ++nth) {
        ScratchFolder folder;
        FaultyVfs vfs;
        std::vector<std::string> promised;
        {
          auto store = Opened(In(folder.path()));
          promised.push_back("before the fault");
          PutOrFail(*store, promised[0]);
          vfs.Fail(nth, full, onwards);
          for (uint32_t i = 0; i < 5; ++i) {
            std::string original = RandomBytes(20000, i);
            Result<PutOutcome> put = store->Put(original, Seen());
            if (put) promised.push_back(original);
            if (!put) CHECK(put.error().sentence.size() > 10);
          }
          (void)store->Gc().ok();
          reached_end = vfs.count() < nth;
        }
        vfs.Heal();
        CAPTURE(nth);
        CheckAll(folder.path(), promised);
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
