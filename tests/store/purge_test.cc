// Purge and encryption, checked with an incompressible canary in the raw files.
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

// Whether 24 bytes of the canary, from one of up to 50 of its places, stand in a file under `path`.
bool FoundIn(const std::string& path, const std::string& canary) {
  bool found = false;
  std::vector<std::string> names;
  (void)Files().List(path, [&](std::string_view name) { return names.emplace_back(name), true; }).ok();
  for (const std::string& name : names) {
    std::string child = path + "/" + name;
    Result<FileInfo> info = Files().LinkStat(child);
    if (info && info->type == FileInfo::Type::kFolder) {
      found = found || FoundIn(child, canary);
    } else if (Result<std::string> content = ReadFile(child, UINT64_MAX)) {
      for (size_t at = 0; at + 24 <= canary.size(); at += std::max<size_t>(500, canary.size() / 50)) {
        found = found || content->find(canary.substr(at, 24)) != std::string::npos;
      }
    }
  }
  return found;
}

}  // namespace

TEST_CASE("a purge leaves nothing of an original in the files, by each road and size") {
  for (size_t size : {600, 3000, 40000, 17 << 20}) {
    CAPTURE(size);
    ScratchFolder folder;
    std::string canary = RandomBytes(size, 77);
    std::string command = "deploy --secret canary-in-the-command-line-1234567890";
    {
      auto store = Opened(In(folder.path()));
      for (uint32_t i = 0; i < 30; ++i) PutOrFail(*store, RandomBytes(2000, i), Seen("other", "/other"));
      PutOrFail(*store, canary, Seen(command));
    }
    StoreOptions one_shot = In(folder.path());
    one_shot.one_shot = true;
    PutOrFail(*Opened(one_shot), canary, Seen(command));
    REQUIRE(FoundIn(folder.path(), canary));
    REQUIRE(FoundIn(folder.path(), command));
    auto store = Opened(In(folder.path()));
    PurgeQuery query;
    query.name_space = "/project";
    Result<PurgeOutcome> purged = store->Purge(query);
    REQUIRE(purged.ok());
    CHECK(purged->entries == 1);
    CHECK(purged->sightings == 2);
    CHECK(purged->bytes == size);
    CHECK_FALSE(FoundIn(folder.path(), canary));
    CHECK_FALSE(FoundIn(folder.path(), command));
    CHECK(CauseOfGet(*store, TokenOf(canary)) == Cause::kPurged);
    CHECK(store->Get(TokenOf(RandomBytes(2000, 3))).ok());
  }
}

TEST_CASE("a purge of a project keeps what was seen elsewhere too, by age, by token, and of all") {
  ScratchFolder folder;
  auto store = Opened(In(folder.path()));
  std::string only = PutOrFail(*store, "only here", Seen("ls", "/a"));
  std::string both = PutOrFail(*store, "here and there", Seen("ls", "/a"));
  PutOrFail(*store, "here and there", Seen("ls", "/b"));
  PurgeQuery query;
  CHECK(store->Purge(query).error().cause == Cause::kInvalid);
  query.name_space = "/a";
  CHECK(store->Purge(query)->entries == 1);
  CHECK(CauseOfGet(*store, only) == Cause::kPurged);
  CHECK(GetOrFail(*store, both) == "here and there");
  query = {};
  query.older_than_seconds = 3600;
  CHECK(store->Purge(query)->entries == 0);
  query = {};
  query.token = both;
  CHECK(store->Purge(query)->entries == 1);
  CHECK(CauseOfGet(*store, both) == Cause::kPurged);
  CHECK(store->Purge(query).error().cause == Cause::kPurged);
  PutOrFail(*store, "last");
  query = {};
  query.all = true;
  CHECK(store->Purge(query)->entries == 1);
  CHECK(store->Stats(std::nullopt)->entries == 0);
}

TEST_CASE("what a purge takes away is taken off the sums of views, sightings and retrievals") {
  ScratchFolder folder;
  auto store = Opened(In(folder.path()));
  const auto put = [&](const std::string& bytes, const std::string& name_space, uint64_t tokens) {
    Sighting sighting = Seen("ls", name_space);
    sighting.original_bytes = bytes.size();
    sighting.original_tokens = tokens;
    sighting.shown_bytes = 10;
    sighting.shown_tokens = tokens / 10;
    return PutOrFail(*store, bytes, sighting);
  };
  const std::string first = put("first original", "/a", 1000);
  const std::string both = put("second original", "/a", 200);
  put("second original", "/b", 200);
  for (int i = 0; i < 50; ++i) put("seen often", "/b", 30);  // more often than its sightings are kept
  CHECK(store->Stats(std::nullopt)->original_tokens == 1000 + 400 + 1500);
  PurgeQuery query;
  query.token = first;
  REQUIRE(store->Purge(query).ok());
  StoreStats left = *store->Stats(std::nullopt);
  CHECK(left.original_tokens == 400 + 1500);
  CHECK(left.shown_tokens == 40 + 150);
  CHECK(left.sightings == 52);
  query = {};
  query.name_space = "/a";
  REQUIRE(store->Purge(query).ok());
  left = *store->Stats(std::nullopt);
  CHECK(left.original_tokens == 200 + 1500);
  CHECK(left.sightings == 51);
  query = {};
  query.token = TokenOf("seen often");
  REQUIRE(store->Purge(query).ok());
  left = *store->Stats(std::nullopt);
  CHECK(left.original_tokens == 200);
  CHECK(left.shown_tokens == 20);
  CHECK(left.sightings == 1);
  query = {};
  query.older_than_seconds = -60;
  REQUIRE(store->Purge(query).ok());
  left = *store->Stats(std::nullopt);
  CHECK(left.original_tokens == 0);
  CHECK(left.sightings == 0);
}

TEST_CASE("what another process purges is gone from this one's memory too") {
  ScratchFolder folder;
  auto server = Opened(In(folder.path()));
  std::string token = PutOrFail(*server, "in memory here");
  CHECK(GetOrFail(*server, token) == "in memory here");
  PurgeQuery query;
  query.all = true;
  REQUIRE(Opened(In(folder.path()))->Purge(query).ok());
  CHECK(CauseOfGet(*server, token) == Cause::kPurged);
}

TEST_CASE("with a key, no file tells bytes, words or command lines, and another key is said clearly") {
  ScratchFolder folder;
  std::string canary = RandomBytes(5000, 4);
  std::string text = "unmistakable-canary-word " + LogLines(100) + canary;
  std::string command = "a command line that nobody may read 0123456789";
  StoreOptions options = In(folder.path());
  options.key = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  StoreOptions one_shot = options;
  one_shot.one_shot = true;
  Sighting sighting = Seen(command, "/a/project/with/a/telling/name/0123456789");
  sighting.folder = "/a/folder/with/a/telling/name/0123456789";
  std::string token = PutOrFail(*Opened(one_shot), text, sighting);
  std::string inbox_only = PutOrFail(*Opened(one_shot), canary + "x", sighting);
  for (int folded = 0; folded < 2; ++folded) {
    CHECK_FALSE(FoundIn(folder.path(), canary));
    for (const std::string& telling : {command, sighting.name_space, sighting.folder})
      CHECK_FALSE(FoundIn(folder.path(), telling));
    auto store = Opened(options);
    CHECK((GetOrFail(*store, token) == text));
    SearchQuery query;
    query.text = "UNMISTAKABLE";
    CHECK(store->Search(query)->hits.size() == 1);
    ListQuery list;
    list.name_space = sighting.name_space;
    REQUIRE(store->List(list)->size() == 2);
    CHECK(store->List(list)->front().last.command == command);
    CHECK(store->List(list)->front().last.name_space == sighting.name_space);
  }
  StoreOptions other = options;
  other.key = "another secret of enough length";
  CHECK(CauseOfGet(*Opened(other), token) == Cause::kDenied);
  CHECK(Opened(other)->Get(token).error().sentence.find("another key") != std::string::npos);
  CHECK(CauseOfGet(*Opened(In(folder.path())), token) == Cause::kDenied);
  CHECK((GetOrFail(*Opened(options), token) == text));
  other.key = "short";
  CHECK(Store::Open(other).error().cause == Cause::kInvalid);
}
