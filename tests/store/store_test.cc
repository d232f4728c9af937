#include <sys/stat.h>

#include <set>

#include "base/clock.h"
#include "store/database.h"
#include "store/schema.h"
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

// Originals that have broken stores: empty, NUL, invalid UTF-8, CRLF, BOM, no final newline, one long line, many
// frames.
std::vector<std::string> HardOriginals() {
  return {"",
          "x",
          std::string("a\0b\0\0c\n", 7),
          "\xff\xfe\x80 broken \xc3 utf-8 \xed\xa0\x80\n",
          "one\r\ntwo\r\n\r\nthree",
          "\xef\xbb\xbfwith a mark\n",
          "no final newline",
          std::string(3 << 20, 'z'),
          std::string(1000000, '\n'),
          RandomBytes(100000, 7),
          LogLines(60000),
          RandomBytes((2 << 20) + 1, 9)};
}

class SetClock : public Clock {
 public:
  SetClock() { ReplaceClock(this); }
  SetClock(const SetClock&) = delete;
  SetClock& operator=(const SetClock&) = delete;
  ~SetClock() override { ReplaceClock(nullptr); }
  int64_t WallMs() override { return wall_ms; }
  int64_t BootMs() override { return boot_ms; }
  std::string BootId() override { return boot_id; }
  void Pass(int64_t ms) {
    wall_ms += ms;
    boot_ms += ms;
  }
  int64_t wall_ms = 1800000000000;
  int64_t boot_ms = 5000000;
  std::string boot_id = "boot-1";
};

constexpr int64_t kHour = 3600 * 1000;

}  // namespace

TEST_CASE("I1: every original comes back byte for byte, from another process, by either road") {
  for (bool one_shot : {false, true}) {
    CAPTURE(one_shot);
    ScratchFolder folder;
    StoreOptions options = In(folder.path());
    options.one_shot = one_shot;
    for (const std::string& original : HardOriginals()) {
      int result = InChild([&] { return Opened(options)->Put(original, Seen()).ok() ? 0 : 1; });
      REQUIRE(result == 0);
    }
    for (const std::string& original : HardOriginals()) {
      std::string token = TokenOf(original);
      CAPTURE(original.size());
      CHECK(InChild([&] { return *Opened(options)->Get(token) == original ? 0 : 1; }) == 0);
    }
    auto store = Opened(In(folder.path()));
    REQUIRE(store->Gc().ok());
    CHECK(store->Stats(std::nullopt)->inbox_files == 0);
    for (const std::string& original : HardOriginals()) {
      CHECK((GetOrFail(*store, TokenOf(original)) == original));
      CHECK(store->Find(TokenOf(original))->bytes == original.size());
    }
  }
}

TEST_CASE("a put is idempotent by content, and each is a sighting") {
  ScratchFolder folder;
  auto store = Opened(In(folder.path()));
  Result<PutOutcome> first = store->Put("the same bytes", Seen("first"));
  Result<PutOutcome> second = store->Put("the same bytes", Seen("second", "/other"));
  REQUIRE(second.ok());
  CHECK(first->token == second->token);
  CHECK_FALSE(first->existed);
  CHECK(second->existed);
  Result<Entry> entry = store->Find(first->token);
  REQUIRE(entry.ok());
  CHECK(entry->sightings == 2);
  CHECK(entry->last.command == "second");
  CHECK(store->Stats(std::nullopt)->entries == 1);
  CHECK(store->Sightings(first->token, 10)->size() == 2);
}

TEST_CASE("a token is refused by shape before any tier is asked, and a miss is told apart") {
  ScratchFolder folder;
  auto store = Opened(In(folder.path()));
  std::string token = PutOrFail(*store, "an original");
  std::string hex = HexOf(Sha256Of("an original"));
  CHECK(GetOrFail(*store, hex.substr(0, 32)) == "an original");
  CHECK(GetOrFail(*store, hex) == "an original");
  for (std::string wrong :
       {hex.substr(0, 12), hex.substr(0, 23), hex.substr(0, 25), std::string("ABCDEF0123456789ABCDEF01"),
        std::string("zzzzzzzzzzzzzzzzzzzzzzzz"), std::string(), std::string("../../../../etc/passwd00")}) {
    CAPTURE(wrong);
    CHECK(CauseOfGet(*store, wrong) == Cause::kInvalid);
  }
  std::string almost = hex;
  almost.back() = almost.back() == '0' ? '1' : '0';
  CHECK(CauseOfGet(*store, almost) == Cause::kNotFound);
  CHECK(CauseOfGet(*store, "0123456789abcdef01234567") == Cause::kNotFound);
}

TEST_CASE("ranges are clamped, and slices joined give the original") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.chain = "sqlite";
  auto store = Opened(options);
  std::string original = LogLines(50000);
  std::string token = PutOrFail(*store, original);
  std::string joined;
  for (uint64_t at = 0; at < original.size(); at += 777777) joined += GetOrFail(*store, token, {at, 777777});
  CHECK((joined == original));
  CHECK(GetOrFail(*store, token, {original.size(), 10}).empty());
  CHECK(GetOrFail(*store, token, {original.size() - 3, UINT64_MAX}) == original.substr(original.size() - 3));
  CHECK(GetOrFail(*store, token, {UINT64_MAX, UINT64_MAX}).empty());
  CHECK(GetOrFail(*store, token, {5, 0}).empty());
}

TEST_CASE("lines are 1-based and inclusive, the end is clamped, a start past the end tells the total") {
  ScratchFolder folder;
  auto store = Opened(In(folder.path()));
  for (const std::string& original : HardOriginals()) {
    std::string token = PutOrFail(*store, original);
    std::vector<std::string> lines;
    for (size_t at = 0; at < original.size();) {
      size_t end = original.find('\n', at);
      end = end == std::string::npos ? original.size() : end + 1;
      lines.push_back(original.substr(at, end - at));
      at = end;
    }
    size_t count = lines.size();
    CAPTURE(original.size());
    Result<LineSlice> past = store->GetLines(token, count + 1, count + 5);
    REQUIRE(past.ok());
    CHECK(past->bytes.empty());
    CHECK(past->total == count);
    if (count == 0) continue;
    for (size_t first : {size_t{1}, count / 2 + 1, count}) {
      Result<LineSlice> slice = store->GetLines(token, first, first + 2);
      REQUIRE(slice.ok());
      std::string wanted;
      for (size_t i = first; i <= std::min(count, first + 2); ++i) wanted += lines[i - 1];
      CHECK((slice->bytes == wanted));
      CHECK(slice->last == std::min(count, first + 2));
      CHECK((original.substr(slice->offset, wanted.size()) == wanted));
    }
  }
}

TEST_CASE("an inbox original is found before it is folded in, and after, its sightings count once") {
  ScratchFolder folder;
  StoreOptions one_shot = In(folder.path());
  one_shot.one_shot = true;
  std::string token = PutOrFail(*Opened(one_shot), "left by a hook", Seen("npm test"));
  CHECK_FALSE(Files().Stat(folder / "ccr.db").ok());
  CHECK(GetOrFail(*Opened(one_shot), token) == "left by a hook");
  auto store = Opened(In(folder.path()));
  CHECK(GetOrFail(*store, token) == "left by a hook");
  ListQuery query;
  Result<std::vector<Entry>> listed = store->List(query);
  REQUIRE(listed.ok());
  REQUIRE(listed->size() == 1);
  CHECK(listed->front().last.command == "npm test");
  CHECK(store->Stats(std::nullopt)->sightings == 1);
  CHECK(store->Stats(std::nullopt)->inbox_files == 0);
  CHECK(GetOrFail(*store, token) == "left by a hook");
}

TEST_CASE("a one-shot process folds an overgrown inbox in when it is tended") {
  ScratchFolder folder;
  StoreOptions one_shot = In(folder.path());
  one_shot.one_shot = true;
  {
    auto store = Opened(one_shot);
    for (int i = 0; i < 501; ++i) PutOrFail(*store, "output " + std::to_string(i));
    store->Tend();
  }
  CHECK(Files().Stat(folder / "ccr.db").ok());
  auto store = Opened(In(folder.path()));
  CHECK(store->Stats(std::nullopt)->entries == 501);
}

TEST_CASE("folder and files are readable by their owner alone, whatever the umask") {
  ScratchFolder folder;
  mode_t old = umask(0);
  std::string place = folder / "state/pith";
  StoreOptions one_shot = In(place);
  one_shot.one_shot = true;
  PutOrFail(*Opened(one_shot), "secret");
  PutOrFail(*Opened(In(place)), std::string(20 << 20, 's'));
  umask(old);
  std::function<void(const std::string&)> check = [&](const std::string& path) {
    Result<FileInfo> info = Files().LinkStat(path);
    REQUIRE(info.ok());
    CAPTURE(path);
    bool is_folder = info->type == FileInfo::Type::kFolder;
    CHECK(info->mode == (is_folder ? 0700u : 0600u));
    if (!is_folder) return;
    std::vector<std::string> names;
    REQUIRE(Files().List(path, [&](std::string_view name) { return names.emplace_back(name), true; }).ok());
    for (const std::string& name : names) check(path + "/" + name);
  };
  check(folder / "state");
}

TEST_CASE("links that somebody has planted in the folder are not followed") {
  ScratchFolder folder;
  std::string victim = folder / "victim";
  StoreOptions options = In(folder / "pith");
  options.chain = "memory,sqlite,journal";
  REQUIRE(MakeFolders(options.folder).ok());
  for (const char* name : {"inbox.lock", "lock", "journal.jsonl", "journal.jsonl.lock"}) {
    REQUIRE(symlink(victim.c_str(), (options.folder + "/" + name).c_str()) == 0);
  }
  StoreOptions one_shot = options;
  one_shot.one_shot = true;
  std::string token = PutOrFail(*Opened(one_shot), "kept all the same");
  auto store = Opened(options);
  CHECK_FALSE(store->Gc().ok());
  CHECK(store->Put("in the database", Seen()).ok());
  CHECK(GetOrFail(*store, token) == "kept all the same");
  CHECK_FALSE(Files().LinkStat(victim).ok());
}

TEST_CASE("the least recently used goes first, also over a restart, and leaves a tombstone that says so") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.max_entries = 3;
  options.chain = "sqlite";
  std::vector<std::string> tokens;
  {
    auto store = Opened(options);
    for (const char* text : {"a", "b", "c"}) tokens.push_back(PutOrFail(*store, text, Seen(text)));
  }
  auto store = Opened(options);
  GetOrFail(*store, tokens[0]);
  PutOrFail(*store, "d");
  CHECK(CauseOfGet(*store, tokens[1]) == Cause::kEvicted);
  CHECK(store->Get(tokens[1]).error().sentence.find("run it again: b") != std::string::npos);
  CHECK(GetOrFail(*store, tokens[0]) == "a");
  CHECK(GetOrFail(*store, tokens[2]) == "c");
  store = Opened(options);
  CHECK(CauseOfGet(*store, tokens[1]) == Cause::kEvicted);
  PutOrFail(*store, "b");
  CHECK(GetOrFail(*store, tokens[1]) == "b");
}

TEST_CASE("five new originals after a restart of a full store push out the five oldest, not each other") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.max_entries = 5;
  for (int i = 0; i < 5; ++i) PutOrFail(*Opened(options), "old " + std::to_string(i));
  auto store = Opened(options);
  for (int i = 0; i < 5; ++i) PutOrFail(*store, "new " + std::to_string(i));
  for (int i = 0; i < 5; ++i) CHECK(store->Get(TokenOf("new " + std::to_string(i))).ok());
  for (int i = 0; i < 5; ++i) CHECK(CauseOfGet(*store, TokenOf("old " + std::to_string(i))) == Cause::kEvicted);
}

TEST_CASE("bytes as stored are bounded on the write path") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.max_bytes = 200000;
  auto store = Opened(options);
  for (uint32_t i = 0; i < 40; ++i) PutOrFail(*store, RandomBytes(20000, i));
  Result<StoreStats> stats = store->Stats(std::nullopt);
  CHECK(stats->stored_bytes <= 200000);
  CHECK(stats->entries >= 8);
  Result<PutOutcome> large = store->Put(RandomBytes(150000, 99), Seen());
  REQUIRE_FALSE(large.ok());
  CHECK(large.error().cause == Cause::kTooLarge);
}

TEST_CASE("a held original outlives caps and time, released, it lives a new life") {
  SetClock clock;
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.max_entries = 2;
  options.chain = "sqlite";
  auto store = Opened(options);
  std::string token = PutOrFail(*store, "keep me");
  REQUIRE(store->Hold(token, true).ok());
  for (int i = 0; i < 5; ++i) PutOrFail(*store, "other " + std::to_string(i));
  clock.Pass(365 * 24 * kHour);
  REQUIRE(store->Gc().ok());
  CHECK(GetOrFail(*store, token) == "keep me");
  REQUIRE(store->Hold(token, false).ok());
  CHECK(GetOrFail(*store, token) == "keep me");
  PutOrFail(*store, "x");
  PutOrFail(*store, "y");
  CHECK(CauseOfGet(*store, token) == Cause::kEvicted);
}

TEST_CASE("lifetime runs from the last use, is said when it has run out, and survives jumps of the clock") {
  SetClock clock;
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.chain = "sqlite";
  auto store = Opened(options);
  std::string used = PutOrFail(*store, "used each day"), idle = PutOrFail(*store, "never used", Seen("du -a"));
  for (int day = 0; day < 10; ++day) {
    clock.Pass(24 * kHour);
    CHECK(GetOrFail(*store, used) == "used each day");
  }
  CHECK(CauseOfGet(*store, idle) == Cause::kExpired);
  REQUIRE(store->Gc().ok());
  store = Opened(options);
  Result<std::string> miss = store->Get(idle);
  CHECK(miss.error().cause == Cause::kExpired);
  CHECK(miss.error().sentence.find("run it again: du -a") != std::string::npos);
  SUBCASE("a wall clock set back or forward moves nothing") {
    clock.wall_ms -= 1000 * 24 * kHour;
    CHECK(GetOrFail(*store, used) == "used each day");
    clock.wall_ms += 3000 * 24 * kHour;
    CHECK(GetOrFail(*store, used) == "used each day");
    REQUIRE(store->Gc().ok());
    CHECK(GetOrFail(*store, used) == "used each day");
  }
  SUBCASE("a boot with a clock that is behind does not make originals immortal") {
    clock.boot_id = "boot-2";
    clock.boot_ms = 1000;
    clock.wall_ms -= 1000 * 24 * kHour;
    PutOrFail(*store, "first of this boot");
    clock.Pass(8 * 24 * kHour);
    CHECK(CauseOfGet(*store, used) == Cause::kExpired);
  }
}

TEST_CASE("bytes live while one of their sightings does") {
  SetClock clock;
  ScratchFolder folder;
  auto store = Opened(In(folder.path()));
  Sighting brief = Seen();
  brief.lifetime_seconds = 60;
  std::string both = PutOrFail(*store, "seen twice", brief);
  std::string once = PutOrFail(*store, "seen briefly", brief);
  PutOrFail(*store, "seen twice", Seen());
  clock.Pass(2 * kHour);
  CHECK(GetOrFail(*store, both) == "seen twice");
  CHECK(CauseOfGet(*store, once) == Cause::kExpired);
}

TEST_CASE("lists and statistics keep to a namespace, tokens resolve from any") {
  ScratchFolder folder;
  auto store = Opened(In(folder.path()));
  std::string a = PutOrFail(*store, "of a", Seen("ls", "/a"));
  PutOrFail(*store, "of b", Seen("cat", "/b"));
  PutOrFail(*store, "of both", Seen("ls", "/a"));
  PutOrFail(*store, "of both", Seen("ls", "/b"));
  ListQuery query;
  query.name_space = "/a";
  CHECK(store->List(query)->size() == 2);
  query.name_space.reset();
  CHECK(store->List(query)->size() == 3);
  CHECK(store->List(query)->front().token == TokenOf("of both"));
  query.command = "cat";
  CHECK(store->List(query)->size() == 1);
  CHECK(store->Stats(std::string("/a"))->sightings == 2);
  CHECK(store->Stats(std::nullopt)->sightings == 4);
  CHECK(store->TokensStartingWith(a.substr(0, 6), 10)->front() == a);
}

TEST_CASE("search finds words inside paths and identifiers, in any case, newest first, and says how far it got") {
  ScratchFolder folder;
  auto store = Opened(In(folder.path()));
  std::string filler = LogLines(30000);
  PutOrFail(*store, filler + "src/net/http_retry_policy.rs:88: maxRetryCount exceeded\n" + filler, Seen("old"));
  PutOrFail(*store, "ConnectRETRY failed\nnothing here\nretry of the disk full\n", Seen("new"));
  PutOrFail(*store, filler, Seen("noise"));
  SearchQuery query;
  query.text = "retry";
  Result<SearchOutcome> found = store->Search(query);
  REQUIRE(found.ok());
  REQUIRE(found->hits.size() == 3);
  CHECK(found->hits[0].line == 1);
  CHECK(found->hits[0].text == "ConnectRETRY failed");
  CHECK(found->hits[1].line == 3);
  CHECK(found->hits[2].line == 30001);
  CHECK(found->hits[2].text == "src/net/http_retry_policy.rs:88: maxRetryCount exceeded");
  CHECK(found->complete);
  CHECK(found->total == 3);
  query.text = "full RETRY";
  CHECK(store->Search(query)->hits.size() == 1);
  query.text = "wordthatisnowhere";
  CHECK(store->Search(query)->hits.empty());
  query.text = "retry";
  query.command = "old";
  CHECK(store->Search(query)->hits.size() == 1);
  query.command.clear();
  query.limit = 1;
  CHECK_FALSE(store->Search(query)->complete);
  query.text = " -- ";
  CHECK(store->Search(query).error().cause == Cause::kInvalid);
}

TEST_CASE("a spool takes what comes, can be read meanwhile, and becomes an original") {
  ScratchFolder folder;
  for (bool one_shot : {false, true}) {
    StoreOptions options = In(folder.path());
    options.one_shot = one_shot;
    auto store = Opened(options);
    Result<std::unique_ptr<Spool>> spool = store->OpenSpool();
    REQUIRE(spool.ok());
    std::string whole = LogLines(40000, one_shot ? 2 : 3);
    for (size_t at = 0; at < whole.size(); at += 65536)
      REQUIRE((*spool)->Append(std::string_view(whole).substr(at, 65536)).ok());
    CHECK((*(*spool)->Read({}) == whole));
    auto other = Opened(In(folder.path()));
    CHECK(*other->ReadSpool((*spool)->name(), {whole.size() - 100, 50}) == whole.substr(whole.size() - 100, 50));
    CHECK(other->SpoolToken((*spool)->name()).error().cause == Cause::kNotFound);
    Result<PutOutcome> put = (*spool)->Finish(Seen());
    REQUIRE(put.ok());
    CHECK(put->token == TokenOf(whole));
    CHECK((GetOrFail(*other, put->token) == whole));
    CHECK(*other->SpoolToken((*spool)->name()) == put->token);
    CHECK(*other->ReadSpool((*spool)->name(), {5, 9}) == whole.substr(5, 9));
  }
}

TEST_CASE("an original over the bound is refused, and what was spooled can be replayed") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.max_original = 3 << 20;
  auto store = Opened(options);
  Result<std::unique_ptr<Spool>> spool = store->OpenSpool();
  std::string given;
  Result<void> done;
  for (uint32_t i = 0; done && i < 100; ++i) {
    std::string some = RandomBytes(1 << 20, i);
    done = (*spool)->Append(some);
    if (done) given += some;
  }
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().cause == Cause::kTooLarge);
  CHECK((*(*spool)->Read({}) == given));
}

TEST_CASE("a store in memory keeps its promises while it lives, and touches no disk") {
  ScratchFolder folder;
  StoreOptions options = In(folder / "nothing");
  options.memory_only = true;
  options.memory_bytes = 1 << 20;
  auto store = Opened(options);
  std::string token = PutOrFail(*store, LogLines(100));
  CHECK(GetOrFail(*store, token) == LogLines(100));
  CHECK(store->List({})->size() == 1);
  for (uint32_t i = 0; i < 30; ++i) PutOrFail(*store, RandomBytes(100000, i));
  CHECK(CauseOfGet(*store, token) == Cause::kEvicted);
  CHECK_FALSE(Files().Stat(folder / "nothing").ok());
}

TEST_CASE("a store written by a newer pith is refused with a sentence, an older one migrates") {
  ScratchFolder folder;
  std::string path = folder / "ccr.db";
  SUBCASE("newer") {
    std::string token = PutOrFail(*Opened(In(folder.path())), "kept");
    {
      Result<std::unique_ptr<Database>> database = Database::Open(path, {});
      REQUIRE((*database)->Execute("PRAGMA user_version=9999").ok());
    }
    auto store = Opened(In(folder.path()));
    Result<std::string> refused = store->Get(token);
    CHECK(refused.error().cause == Cause::kUnsupported);
    CHECK(refused.error().sentence.find("newer pith") != std::string::npos);
    // A put is still safe: it goes to the inbox, untouched database beside it.
    Result<PutOutcome> put = store->Put("meanwhile", Seen());
    REQUIRE(put.ok());
    CHECK(put->tier == "inbox");
    CHECK(GetOrFail(*store, put->token) == "meanwhile");
    Result<std::unique_ptr<Database>> database = Database::Open(path, {});
    CHECK(*(*database)->Number("PRAGMA user_version") == 9999);
  }
  SUBCASE("older") {
    {
      Result<std::unique_ptr<Database>> database = Database::Open(path, {});
      REQUIRE(database.ok());
      REQUIRE((*database)->Execute(Migrations().front().sql).ok());
      REQUIRE((*database)
                  ->Execute("PRAGMA user_version=1; PRAGMA application_id=1346982984;"
                            "CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_ms INTEGER NOT NULL);")
                  .ok());
    }
    auto store = Opened(In(folder.path()));
    std::string token = PutOrFail(*store, "after");
    CHECK(GetOrFail(*store, token) == "after");
    Result<std::unique_ptr<Database>> database = Database::Open(path, {});
    CHECK(*(*database)->Number("PRAGMA user_version") == SchemaVersion());
    CHECK(*(*database)->Number("SELECT count(*) FROM migrations") == SchemaVersion() - 1);
  }
  SUBCASE("another program's") {
    {
      Result<std::unique_ptr<Database>> database = Database::Open(path, {});
      REQUIRE((*database)->Execute("PRAGMA application_id=7; CREATE TABLE theirs (x);").ok());
    }
    auto store = Opened(In(folder.path()));
    CHECK(store->Stats(std::nullopt).error().cause == Cause::kUnsupported);
  }
}

TEST_CASE("a newer pith migrates the store under a running older one: neither loses anything") {
  ScratchFolder folder;
  auto older = Opened(In(folder.path()));
  std::string before = PutOrFail(*older, "before");
  Result<std::unique_ptr<Database>> newer = Database::Open(folder / "ccr.db", {});
  REQUIRE((*newer)->Execute("CREATE TABLE of_the_newer (x); PRAGMA user_version=9999;").ok());
  Result<PutOutcome> put = older->Put("meanwhile", Seen());
  REQUIRE(put.ok());
  CHECK(put->tier == "inbox");
  CHECK(GetOrFail(*older, put->token) == "meanwhile");
  CHECK(older->List({}).error().cause == Cause::kUnsupported);
  CHECK(older->Gc().error().cause == Cause::kUnsupported);
  older.reset();
  CHECK(*(*newer)->Number("SELECT count(*) FROM entries") == 1);
  CHECK(*(*newer)->Number("PRAGMA user_version") == 9999);
  // What the older one left waits for whoever can read it.
  REQUIRE((*newer)->Execute("DROP TABLE of_the_newer; PRAGMA user_version=" + std::to_string(SchemaVersion())).ok());
  auto store = Opened(In(folder.path()));
  CHECK(GetOrFail(*store, before) == "before");
  CHECK(store->List({})->size() == 2);
}

TEST_CASE("no folder to keep anything in is a clear error") {
  setenv("HOME", "", 1);
  unsetenv("XDG_STATE_HOME");
  Result<std::unique_ptr<Store>> store = Store::Open({});
  REQUIRE_FALSE(store.ok());
  CHECK(store.error().cause == Cause::kInvalid);
}

TEST_CASE("retrievals are counted, evictions are not retrievals") {
  ScratchFolder folder;
  auto store = Opened(In(folder.path()));
  std::string token = PutOrFail(*store, "fetched");
  GetOrFail(*store, token);
  store->CountRetrieval(token, 7, 2);
  store->CountRetrieval(token, 7, 2);
  Result<StoreStats> stats = store->Stats(std::string("/project"));
  CHECK(stats->retrievals == 2);
  CHECK(stats->retrieved_bytes == 14);
  CHECK(stats->retrieved_tokens == 4);
  CHECK(store->Find(token)->retrievals == 2);
  ScratchFolder other;
  StoreOptions small = In(other.path());
  small.max_entries = 1;
  auto full = Opened(small);
  for (uint32_t i = 0; i < 5; ++i) PutOrFail(*full, LogLines(10, i));
  CHECK(full->Stats(std::string("/project"))->evicted == 4);
  CHECK(full->Stats(std::string("/project"))->retrievals == 0);
}
