#include "store/maintenance.h"
#include "store/database.h"
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

TEST_CASE("check names what is damaged, repair removes it and says so to whoever asks") {
  ScratchFolder folder;
  std::string damaged, whole;
  {
    auto store = Opened(In(folder.path()));
    damaged = PutOrFail(*store, RandomBytes(30000, 1), Seen("make broken"));
    whole = PutOrFail(*store, RandomBytes(30000, 2));
  }
  CHECK(CheckStore(In(folder.path()), false)->whole == 2);
  {
    Result<std::unique_ptr<Database>> database = Database::Open(folder / "ccr.db", {});
    REQUIRE((*database)->Execute("UPDATE frames SET data = zeroblob(length(data)) WHERE id = 1 << 20").ok());
  }
  Result<CheckOutcome> checked = CheckStore(In(folder.path()), false);
  REQUIRE(checked.ok());
  CHECK(checked->checked == 2);
  CHECK(checked->whole == 1);
  REQUIRE(checked->damaged.size() == 1);
  CHECK(checked->damaged[0] == damaged);
  CHECK(CheckStore(In(folder.path()), true)->removed == 1);
  auto store = Opened(In(folder.path()));
  Result<std::string> gone = store->Get(damaged);
  CHECK(gone.error().cause == Cause::kDamaged);
  CHECK(gone.error().sentence.find("run it again: make broken") != std::string::npos);
  CHECK(store->Get(whole).ok());
  CHECK(CheckStore(In(folder.path()), false)->damaged.empty());
}

TEST_CASE("originals move between machines as a plain tar") {
  ScratchFolder here, there;
  std::vector<std::string> originals = {
      "", "a\n", std::string("\0\xff", 2), LogLines(30000), RandomBytes(511, 1), RandomBytes(512, 2)};
  StoreOptions encrypted = In(here.path());
  encrypted.key = "a secret of more than sixteen bytes";
  {
    auto store = Opened(encrypted);
    for (const std::string& original : originals) PutOrFail(*store, original, Seen("make it", "/a"));
    PutOrFail(*store, "not of this project", Seen("ls", "/b"));
  }
  std::string path = here / "export.tar";
  {
    Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kCreateNew);
    Result<ArchiveOutcome> out =
        ExportStore(encrypted, std::string("/a"), [&](std::string_view bytes) { return (*file)->Write(bytes); });
    REQUIRE(out.ok());
    CHECK(out->originals == originals.size());
  }
  CHECK(system(("tar tf " + path + " > " + (here / "names")).c_str()) == 0);
  std::string names = *ReadFile(here / "names", 10000);
  CHECK(names.find("manifest.jsonl\n") == 0);
  CHECK(names.find("originals/" + HexOf(Sha256Of(originals[3])) + "\n") != std::string::npos);
  Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kRead);
  Result<ArchiveOutcome> in = ImportStore(In(there.path()), **file);
  REQUIRE(in.ok());
  CHECK(in->originals == originals.size());
  auto store = Opened(In(there.path()));
  for (const std::string& original : originals) CHECK((GetOrFail(*store, TokenOf(original)) == original));
  CHECK(store->Find(TokenOf(originals[3]))->last.command == "make it");
  // Damaged archives never give wrong bytes.
  std::string content = *ReadFile(path, UINT64_MAX);
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    ScratchFolder other;
    std::string damaged = content;
    size_t at = random() % damaged.size();
    if (round % 2 == 0)
      damaged.resize(at);
    else
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
    std::string damaged_path = other / "damaged.tar";
    REQUIRE(WriteFileAtomically(damaged_path, damaged).ok());
    Result<std::unique_ptr<File>> from = Files().Open(damaged_path, OpenMode::kRead);
    (void)ImportStore(In(other / "store"), **from).ok();
    auto imported = Opened(In(other / "store"));
    for (const std::string& original : originals) {
      Result<std::string> bytes = imported->Get(TokenOf(original));
      if (bytes) CHECK((*bytes == original));
    }
  }
}

TEST_CASE("another key: all originals and texts move to it, and nothing of the old one is needed any more") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  std::string first = "the first secret of enough length", second = "the second secret of enough length";
  std::vector<std::string> originals = {"", "short", LogLines(2000), std::string(17 << 20, 'k')};
  for (const std::string& original : originals)
    PutOrFail(*Opened(options), original, Seen("a telling command", "/telling"));
  std::string from;
  for (const std::string& to : {first, second, std::string()}) {
    options.key = from;
    Result<RekeyOutcome> moved = RekeyStore(options, to);
    REQUIRE(moved.ok());
    CHECK(moved->originals == originals.size());
    CHECK(moved->skipped == 0);
    options.key = to;
    auto store = Opened(options);
    for (const std::string& original : originals) CHECK((GetOrFail(*store, TokenOf(original)) == original));
    ListQuery query;
    query.name_space = "/telling";
    REQUIRE(store->List(query)->size() == originals.size());
    CHECK(store->List(query)->front().last.command == "a telling command");
    SearchQuery search;
    search.text = "worker";
    CHECK(store->Search(search)->hits.size() > 0);
    if (!to.empty()) {
      CHECK(ReadFile(folder / "ccr.db", UINT64_MAX)->find("telling") == std::string::npos);
      StoreOptions old = options;
      old.key = from;
      CHECK(CauseOfGet(*Opened(old), TokenOf(originals[2])) == Cause::kDenied);
    }
    from = to;
  }
}

TEST_CASE("a rekey with a wrong key says so and changes nothing, the command lines of tombstones included") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.key = "the right secret of enough length";
  options.max_entries = 2;
  std::string gone;
  {
    auto store = Opened(options);
    gone = PutOrFail(*store, LogLines(20, 1), Seen("make the first"));
    for (uint32_t i = 2; i < 4; ++i) PutOrFail(*store, LogLines(20, i));
  }
  StoreOptions wrong = options;
  wrong.key = "a wrong secret of enough length";
  Result<RekeyOutcome> refused = RekeyStore(wrong, "");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().cause == Cause::kDenied);
  CHECK(refused.error().sentence.find("nothing was changed") != std::string::npos);
  // Also where the store does not say its key: by the keys of its originals.
  Result<std::string> mark = ReadFile(folder / "key", 100);
  REQUIRE((mark && Files().Unlink(folder / "key").ok()));
  refused = RekeyStore(wrong, "");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().cause == Cause::kDenied);
  CHECK(refused.error().sentence.find("nothing was changed") != std::string::npos);
  REQUIRE(WriteFileAtomically(folder / "key", *mark));
  auto store = Opened(options);
  CHECK((GetOrFail(*store, TokenOf(LogLines(20, 2))) == LogLines(20, 2)));
  CHECK(store->Get(gone).error().sentence.find("run it again: make the first") != std::string::npos);
}

TEST_CASE("the file of a large body goes with its row") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.max_entries = 1;
  auto store = Opened(options);
  PutOrFail(*store, std::string(17 << 20, 'L'));
  auto bodies = [&] {
    size_t count = 0;
    (void)Files().List(folder / "bodies", [&](std::string_view) { return ++count, true; }).ok();
    return count;
  };
  CHECK(bodies() == 1);
  PutOrFail(*store, "small");
  CHECK(bodies() == 0);
}
