// A store that cannot be looked into is no empty one, and one store is under one key.
#include <unistd.h>

#include "store/maintenance.h"
#include "tests/store/scratch.h"

namespace pith {
namespace {

using namespace testing;

const std::string kRight = "the right secret of enough length", kWrong = "a wrong secret of enough length";

StoreOptions With(const std::string& folder, const std::string& key, bool one_shot = false) {
  StoreOptions options = In(folder);
  options.key = key;
  options.one_shot = one_shot;
  return options;
}

// The cause of everything that answers without a token, kInternal where it answers.
Cause CauseOfLists(Store& store) {
  ListQuery list;
  SearchQuery search;
  search.text = "words";
  std::vector<Cause> causes;
  const auto add = [&](const auto& result) { causes.push_back(result ? Cause::kInternal : result.error().cause); };
  add(store.List(list));
  add(store.Search(search));
  add(store.Stats(std::nullopt));
  add(store.TokensStartingWith("ab", 2));
  add(store.Gc());
  for (Cause cause : causes) CHECK(cause == causes[0]);
  return causes[0];
}

}  // namespace

TEST_CASE("another key, or none, is refused by lists and by writes, and harms nothing") {
  ScratchFolder folder;
  const std::string token = PutOrFail(*Opened(With(folder.path(), kRight)), "some words");
  for (const std::string& key : {kWrong, std::string()}) {
    for (bool one_shot : {false, true}) {
      auto store = Opened(With(folder.path(), key, one_shot));
      CHECK(CauseOfLists(*store) == Cause::kDenied);
      Result<PutOutcome> put = store->Put("CANARY-77 plain", Seen());
      REQUIRE_FALSE(put);
      CHECK(put.error().cause == Cause::kDenied);
      CHECK_FALSE(store->OpenSpool("/project"));
      CHECK(CauseOfGet(*store, token) == Cause::kDenied);
    }
  }
  auto store = Opened(With(folder.path(), kRight));
  CHECK(CauseOfLists(*store) == Cause::kInternal);
  CHECK(GetOrFail(*store, token) == "some words");
  CHECK(CauseOfGet(*store, TokenOf(Sha256Of("CANARY-77 plain"))) == Cause::kNotFound);
}

TEST_CASE("a server that runs on while the store is moved to a key writes nothing under the old one") {
  ScratchFolder folder;
  auto server = Opened(In(folder.path()));
  const std::string token = PutOrFail(*server, "before");
  REQUIRE(RekeyStore(In(folder.path()), kRight));
  Result<PutOutcome> put = server->Put("after", Seen());
  REQUIRE_FALSE(put);
  CHECK(put.error().cause == Cause::kDenied);
  auto renewed = Opened(With(folder.path(), kRight));
  CHECK(GetOrFail(*renewed, token) == "before");
  CHECK(CauseOfGet(*renewed, TokenOf(Sha256Of("after"))) == Cause::kNotFound);
}

TEST_CASE("a first key does not settle beside plain originals, and rekey takes them over") {
  ScratchFolder folder;
  const std::string token = PutOrFail(*Opened(In(folder.path())), "plain words");
  {
    auto store = Opened(With(folder.path(), kRight));
    CHECK(CauseOfLists(*store) == Cause::kDenied);
    CHECK_FALSE(store->Put("more", Seen()));
    CHECK(GetOrFail(*store, token) == "plain words");
  }
  REQUIRE(RekeyStore(With(folder.path(), kRight), kRight));
  auto store = Opened(With(folder.path(), kRight));
  CHECK(CauseOfLists(*store) == Cause::kInternal);
  CHECK(GetOrFail(*store, token) == "plain words");
}

TEST_CASE("a damaged mark of the key stops nobody who has the right one, and helps nobody who has not") {
  ScratchFolder folder;
  const std::string token = PutOrFail(*Opened(With(folder.path(), kRight)), "some words");
  for (const std::string& mark :
       {std::string(), std::string("none"), std::string(100, 'a'), std::string("\xff\0 x", 4)}) {
    REQUIRE(WriteFileAtomically(folder / "key", mark));
    CHECK(CauseOfLists(*Opened(In(folder.path()))) == Cause::kDenied);
    CHECK(CauseOfLists(*Opened(With(folder.path(), kWrong))) == Cause::kDenied);
    CHECK_FALSE(Opened(In(folder.path()))->Put("plain", Seen()));
    auto store = Opened(With(folder.path(), kRight));
    CHECK(CauseOfLists(*store) == Cause::kInternal);
    PutOrFail(*store, "more");
    CHECK(GetOrFail(*store, token) == "some words");
  }
}

TEST_CASE("a file or a link to nothing where the folder should be is no empty store, one never made is") {
  ScratchFolder folder;
  REQUIRE(WriteFileAtomically(folder / "file", "x"));
  REQUIRE(symlink("/nowhere/at/all", (folder / "link").c_str()) == 0);
  CHECK(CauseOfLists(*Opened(In(folder / "file"))) == Cause::kIo);
  CHECK(CauseOfLists(*Opened(In(folder / "file/below"))) == Cause::kIo);
  CHECK(CauseOfLists(*Opened(In(folder / "link"))) == Cause::kIo);
  CHECK(CauseOfLists(*Opened(In(folder / "not/there"))) == Cause::kInternal);
}

TEST_CASE(
    "an unfinished output is listed while it lives and after, by its project, until it is discarded or finished") {
  ScratchFolder folder;
  auto store = Opened(In(folder.path()));
  Result<std::unique_ptr<Spool>> kept = store->OpenSpool("/project"), discarded = store->OpenSpool("/project");
  REQUIRE((kept && discarded));
  REQUIRE((*kept)->Append("some bytes"));
  REQUIRE((*discarded)->Append("others"));
  CHECK(store->UnfinishedSpools("/project").size() == 2);
  CHECK(store->UnfinishedSpools("/other").empty());
  (*discarded)->Discard();
  std::vector<UnfinishedSpool> spools = store->UnfinishedSpools(std::nullopt);
  REQUIRE(spools.size() == 1);
  CHECK(spools[0].name == (*kept)->name());
  CHECK(spools[0].live);
  kept->reset();
  spools = store->UnfinishedSpools("/project");
  REQUIRE(spools.size() == 1);
  CHECK_FALSE(spools[0].live);
  CHECK(*store->ReadSpool(spools[0].name, {}) == "some bytes");
  Result<std::unique_ptr<Spool>> finished = store->OpenSpool("/project");
  REQUIRE((*finished)->Append("whole"));
  REQUIRE((*finished)->Finish(Seen()));
  CHECK(store->UnfinishedSpools(std::nullopt).size() == 1);
}

}  // namespace pith
