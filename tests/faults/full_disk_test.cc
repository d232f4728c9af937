// A file system without a free block: a small tmpfs where this process may mount one (a namespace of its own or root).
#include <sys/mount.h>

#include <optional>

#include "store/maintenance.h"
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

class SmallDisk {
 public:
  explicit SmallDisk(const std::string& size = "2m") {
    std::string options = "size=" + size;
    mounted_ = mount("none", folder_.path().c_str(), "tmpfs", 0, options.c_str()) == 0;
    if (!mounted_) MESSAGE("no tmpfs may be mounted here (not root): a full disk is not tested");
  }
  ~SmallDisk() {
    if (mounted_) (void)umount2(folder_.path().c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }
  std::string store() const { return folder_ / "pith"; }

  void Fill() const {
    Result<std::unique_ptr<File>> file = Files().Open(folder_ / "filler", OpenMode::kReadWrite);
    REQUIRE(file.ok());
    uint64_t size = (*file)->Info()->size;
    for (size_t piece : {65536, 4096, 1}) {
      while ((*file)->WriteAt(size, std::string(piece, 'f')).ok()) size += piece;
    }
  }

 private:
  ScratchFolder folder_;
  bool mounted_ = false;
};

bool SaysFull(const std::vector<std::string>& notices) {
  for (const std::string& notice : notices) {
    if (notice.find("full") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("on a full disk all that is there can be read, and a purge of all makes room") {
  SmallDisk disk;
  if (!disk.mounted()) return;
  StoreOptions options = In(disk.store()), one_shot = options;
  one_shot.one_shot = true;
  std::vector<std::string> originals;
  for (uint32_t i = 0; i < 10; ++i) originals.push_back("worker " + RandomBytes(20000, i));
  bool killed = false, inbox = false;
  SUBCASE("the log was folded into the database") {}
  SUBCASE("a killed process has left a log") { killed = true; }
  SUBCASE("and something waits in the inbox") { inbox = true; }
  InChild([&] {
    auto store = Opened(options);
    for (const std::string& original : originals) {
      if (!store->Put(original, Seen())) return 1;
    }
    return killed ? kill(getpid(), SIGKILL) : (store.reset(), 0);
  });
  size_t in_database = originals.size();
  if (inbox) {
    originals.push_back("in the inbox");
    PutOrFail(*Opened(one_shot), originals.back());
  }
  disk.Fill();
  {
    auto store = Opened(options);
    for (const std::string& original : originals) {
      CHECK((GetOrFail(*store, TokenOf(original)) == original));
      Result<Entry> entry = store->Find(TokenOf(original));
      INFO((entry ? "" : entry.error().sentence));
      CHECK(entry.ok());
      store->CountRetrieval(TokenOf(original), 1, 1);
    }
    Result<std::vector<Entry>> listed = store->List({});
    REQUIRE(listed.ok());
    CHECK(listed->size() == in_database);
    SearchQuery query;
    query.text = "worker";
    CHECK(store->Search(query).ok());
    CHECK(store->Stats(std::nullopt).ok());
    CHECK(SaysFull(store->TakeNotices()) == inbox);
    PurgeQuery part;
    part.name_space = "/project";
    Result<PurgeOutcome> some = store->Purge(part);
    if (!some) CHECK(some.error().sentence.find("pith purge --all") != std::string::npos);
  }
  disk.Fill();
  PurgeQuery query;
  query.all = true;
  auto store = Opened(options);
  Result<PurgeOutcome> purged = store->Purge(query);
  INFO((purged ? "" : purged.error().sentence));
  REQUIRE(purged.ok());
  for (const std::string& original : originals) CHECK(CauseOfGet(*store, TokenOf(original)) == Cause::kPurged);
  CHECK((GetOrFail(*store, PutOrFail(*store, RandomBytes(50000, 99))) == RandomBytes(50000, 99)));
}

TEST_CASE(
    "a disk that fills up before there is a database: what waits in the inbox is checked, and each cause said once") {
  SmallDisk disk;
  if (!disk.mounted()) return;
  StoreOptions options = In(disk.store()), one_shot = options;
  one_shot.one_shot = true;
  PutOrFail(*Opened(one_shot), "in the inbox");
  disk.Fill();
  Result<CheckOutcome> outcome = CheckStore(options, false);
  REQUIRE(outcome.ok());
  CHECK(outcome->checked == 1);
  CHECK(outcome->whole == 1);
  REQUIRE(outcome->sentences.size() <= 1);
  auto store = Opened(options);
  CHECK(GetOrFail(*store, TokenOf("in the inbox")) == "in the inbox");
  Result<std::vector<Entry>> listed = store->List({});
  CHECK((listed.ok() || listed.error().sentence.find("older") == std::string::npos));
  CHECK(store->Stats(std::nullopt).ok());
}

TEST_CASE("a disk of 8 MB fills up by each road: what was put is there, what was not says why, and a stream goes on") {
  for (const char* chain : {"memory,sqlite", "memory,sqlite,files", "memory,sqlite,journal"}) {
    for (bool one_shot : {false, true}) {
      SmallDisk disk("8m");
      if (!disk.mounted()) return;
      CAPTURE(chain);
      CAPTURE(one_shot);
      StoreOptions options = In(disk.store());
      options.chain = chain;
      options.one_shot = one_shot;
      std::vector<std::string> promised;
      std::optional<Error> refused;
      for (uint32_t i = 0; i < 300 && !refused; ++i) {
        std::string original = RandomBytes(60000, i);
        Result<PutOutcome> put = Opened(options)->Put(original, Seen());
        put ? promised.push_back(original) : void(refused = put.error());
      }
      REQUIRE(refused);
      CHECK(refused->cause == Cause::kFull);
      CHECK(promised.size() > 10);
      auto store = Opened(options);
      Result<std::unique_ptr<Spool>> spool = store->OpenSpool("/project");
      std::string given;
      for (uint32_t i = 0; spool && i < 100; ++i) {
        std::string some = RandomBytes(100000, i);
        if (!(*spool)->Append(some)) break;
        given += some;
      }
      if (spool) CHECK((*(*spool)->Read({}) == given));
      for (const std::string& original : promised) CHECK((GetOrFail(*store, TokenOf(original)) == original));
    }
  }
}
