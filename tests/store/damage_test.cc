// Damaged files: never wrong bytes, never a crash, and what is whole comes back.
#include <signal.h>

#include "store/database.h"
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

std::vector<std::string> FilesUnder(const std::string& path) {
  std::vector<std::string> files, names;
  (void)Files().List(path, [&](std::string_view name) { return names.emplace_back(name), true; }).ok();
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    Result<FileInfo> info = Files().LinkStat(path + "/" + name);
    if (!info) continue;
    if (info->type == FileInfo::Type::kFolder) {
      for (std::string& file : FilesUnder(path + "/" + name)) files.push_back(std::move(file));
    } else if (info->size > 0) {
      files.push_back(path + "/" + name);
    }
  }
  return files;
}

std::vector<std::string> Originals(bool large) {
  std::vector<std::string> originals;
  if (large) return {LogLines(100), std::string(17 << 20, 'L')};
  for (uint32_t i = 0; i < 12; ++i) originals.push_back(LogLines(40 + i * 30, i));
  originals.push_back(RandomBytes(1500000, 5));
  return originals;
}

void Overwrite(const std::string& path, const std::string& content) {
  (void)Files().Unlink(path).ok();
  Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kCreateNew);
  REQUIRE(file.ok());
  REQUIRE((*file)->Write(content).ok());
}

// What is to be damaged: the store's folder as a way of keeping leaves it.
struct Kept {
  std::string name, chain = "sqlite";
  bool large = false, in_inbox = false, killed = false, encrypted = false;
};
const Kept kKept[] = {{"rows of the database"},
                      {"rows and their log, after a kill", "sqlite", false, false, true},
                      {"the inbox", "sqlite", false, true},
                      {"both, encrypted", "sqlite", false, true, false, true},
                      {"a body with a file of its own", "sqlite", true},
                      {"files", "files"},
                      {"journal", "journal"}};

StoreOptions OptionsOf(const Kept& kept, const std::string& folder) {
  StoreOptions options = In(folder);
  options.chain = kept.chain;
  if (kept.encrypted) options.key = "a key that is long enough";
  return options;
}

void Fill(const Kept& kept, const std::string& folder, const std::vector<std::string>& originals) {
  StoreOptions options = OptionsOf(kept, folder);
  StoreOptions one_shot = options;
  one_shot.one_shot = true;
  int ended = InChild([&] {
    auto store = Opened(options);
    for (size_t i = 0; i < originals.size(); ++i) {
      bool waits = kept.in_inbox && i % 2 == 1;
      if (!(waits ? *Opened(one_shot) : *store).Put(originals[i], Seen())) return 1;
    }
    return kept.killed ? kill(getpid(), SIGKILL) : (store.reset(), 0);
  });
  REQUIRE(ended == (kept.killed ? 128 + SIGKILL : 0));
}

std::string Damaged(std::string content, int round, std::mt19937& random) {
  if (round % 4 == 3) {
    content.resize(random() % content.size());
    return content;
  }
  for (int flips = 1 + static_cast<int>(random() % 3); flips > 0; --flips) {
    size_t at = random() % content.size();
    content[at] = static_cast<char>(content[at] ^ (1 << (random() % 8)));
  }
  return content;
}

int DamagesOf(const Kept& kept) {
  const char* given = getenv("PITH_DAMAGES");
  int rounds = given != nullptr ? atoi(given) / 7 : 40;
  return kept.large ? std::max(1, rounds / 10) : rounds;
}

// Asks for everything in every way. Counts what came back right; wrong bytes fail the test.
size_t AskForAll(Store& store, const std::vector<std::string>& originals) {
  size_t right = 0;
  for (const std::string& original : originals) {
    std::string token = TokenOf(original);
    Result<std::string> bytes = store.Get(token);
    if (bytes) REQUIRE((*bytes == original));
    if (!bytes) CHECK(bytes.error().sentence.size() > 10);
    right += bytes.ok() ? 1 : 0;
    for (uint64_t offset : {original.size() / 3, original.size() - 100}) {
      Result<std::string> part = store.Get(token, {offset, 100});
      if (part) REQUIRE((*part == original.substr(offset, 100)));
    }
    Result<LineSlice> line = store.GetLines(token, 1, 1);
    size_t newline = original.find('\n');
    size_t first = newline == std::string::npos ? original.size() : newline + 1;
    if (line) REQUIRE((line->bytes == original.substr(0, first)));
  }
  return right;
}

}  // namespace

TEST_CASE("bits flipped and files cut anywhere, in every tier, give damaged entries, never wrong bytes") {
  for (const Kept& kept : kKept) {
    ScratchFolder folder;
    std::vector<std::string> originals = Originals(kept.large);
    Fill(kept, folder.path(), originals);
    std::vector<std::string> paths = FilesUnder(folder.path()), contents;
    std::erase_if(paths, [](const std::string& path) { return path.ends_with("-shm"); });
    for (const std::string& path : paths) contents.push_back(*ReadFile(path, UINT64_MAX));
    std::mt19937 random(42);
    size_t right = 0, asked = 0;
    int rounds = DamagesOf(kept);
    for (int round = 0; round < rounds; ++round) {
      size_t which = random() % paths.size();
      Overwrite(paths[which], Damaged(contents[which], round, random));
      CAPTURE(kept.name);
      CAPTURE(round);
      CAPTURE(paths[which]);
      {
        auto store = Opened(OptionsOf(kept, folder.path()));
        right += AskForAll(*store, originals);
        asked += originals.size();
        (void)store->List({}).ok();
        SearchQuery query;
        query.text = "worker";
        (void)store->Search(query).ok();
        (void)store->Gc().ok();
        CHECK(GetOrFail(*store, PutOrFail(*store, "life goes on")) == "life goes on");
      }
      // Everything back as it was.
      for (const std::string& path : FilesUnder(folder.path())) (void)Files().Unlink(path).ok();
      (void)Files().Unlink(folder / "ccr.made").ok();
      for (size_t i = 0; i < paths.size(); ++i) Overwrite(paths[i], contents[i]);
    }
    MESSAGE(kept.name, ": ", rounds, " damages, ", right, " of ", asked, " came back right, the rest was said");
    CHECK(right * 2 > asked);
  }
}

TEST_CASE("bits flipped in an output that is still coming give what came before them, or the fault") {
  ScratchFolder folder;
  std::string bytes = LogLines(30000);
  std::string name;
  auto store = Opened(In(folder.path()));
  auto spool = store->OpenSpool("/project").Take();
  REQUIRE(spool->Append(bytes).ok());
  name = spool->name();
  std::vector<std::string> paths = {folder / ("spool/" + name), folder / ("spool/" + name + ".tail")};
  std::vector<std::string> contents;
  for (const std::string& path : paths) contents.push_back(*ReadFile(path, UINT64_MAX));
  std::mt19937 random(8);
  const char* given = getenv("PITH_DAMAGES");
  int rounds = given != nullptr ? atoi(given) / 7 : 60;
  for (int round = 0; round < rounds; ++round) {
    size_t which = static_cast<size_t>(round) % 2;
    Overwrite(paths[which], Damaged(contents[which], round, random));
    Result<std::string> got = store->ReadSpool(name, {});
    if (got) REQUIRE((*got == bytes.substr(0, got->size())));
    Result<std::string> part = store->ReadSpool(name, {bytes.size() - 1000, 50});
    if (part && !part->empty()) REQUIRE((*part == bytes.substr(bytes.size() - 1000, part->size())));
    Overwrite(paths[which], contents[which]);
  }
  CHECK((*store->ReadSpool(name, {}) == bytes));
}

TEST_CASE(
    "a database deleted under a running store: a fresh one, said once, large bodies taken back, later misses say so") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.chain = "sqlite";
  auto store = Opened(options);
  std::string small = PutOrFail(*store, LogLines(50)), original(17 << 20, 'L');
  std::string large = PutOrFail(*store, original);
  CHECK((GetOrFail(*store, small) == LogLines(50)));
  for (const char* suffix : {"", "-wal", "-shm"}) (void)Files().Unlink(folder / ("ccr.db" + std::string(suffix))).ok();
  SUBCASE("a put comes first") { PutOrFail(*store, "after it"); }
  SUBCASE("a get comes first") {}
  SUBCASE("another process comes first") {
    REQUIRE(InChild([&] { return Opened(In(folder.path()))->Gc().ok() ? 0 : 1; }) == 0);
  }
  CHECK((GetOrFail(*store, large) == original));
  Result<std::string> gone = store->Get(small);
  CHECK(gone.error().cause == Cause::kNotFound);
  CAPTURE(gone.error().sentence);
  CHECK(gone.error().sentence.find("never stored") == std::string::npos);
  CHECK(gone.error().sentence.find("its database was damaged at 20") != std::string::npos);
  CHECK(store->TakeNotices().size() <= 1);
  PutOrFail(*store, "life goes on");
  CHECK(store->TakeNotices().empty());
  CHECK(Opened(In(folder.path()))->TakeNotices().empty());
}

TEST_CASE("a damaged database is set aside, said once, what can be read is saved, and the server goes on") {
  ScratchFolder folder;
  std::string path = folder / "ccr.db";
  {
    auto store = Opened(In(folder.path()));
    for (uint32_t i = 0; i < 200; ++i) PutOrFail(*store, LogLines(100, i));
  }
  std::string content = *ReadFile(path, UINT64_MAX);
  SUBCASE("its beginning is gone") {
    content.replace(0, 100, std::string(100, 'x'));
    Overwrite(path, content);
    auto store = Opened(In(folder.path()));
    CHECK(CauseOfGet(*store, TokenOf(LogLines(100, 3))) == Cause::kNotFound);
  }
  SUBCASE("pages in the middle are gone") {
    content.replace(content.size() / 2, 40 * 4096, std::string(40 * 4096, '\x7f'));
    Overwrite(path, content);
    auto store = Opened(In(folder.path()));
    size_t back = 0;
    for (uint32_t i = 0; i < 200; ++i) {
      Result<std::string> bytes = store->Get(TokenOf(LogLines(100, i)));
      if (bytes) {
        REQUIRE((*bytes == LogLines(100, i)));
        ++back;
      }
    }
    CHECK(back > 60);
  }
  auto store = Opened(In(folder.path()));
  std::string token = PutOrFail(*store, "life goes on");
  CHECK(GetOrFail(*store, token) == "life goes on");
}

TEST_CASE("a put of an original whose stored bytes are damaged stores it again") {
  ScratchFolder folder;
  std::string original = RandomBytes(50000, 3);
  PutOrFail(*Opened(In(folder.path())), original);
  {
    Result<std::unique_ptr<Database>> database = Database::Open(folder / "ccr.db", {});
    REQUIRE((*database)->Execute("UPDATE frames SET data = zeroblob(length(data))").ok());
  }
  auto store = Opened(In(folder.path()));
  CHECK(CauseOfGet(*store, TokenOf(original)) == Cause::kDamaged);
  PutOrFail(*store, original);
  CHECK((GetOrFail(*Opened(In(folder.path())), TokenOf(original)) == original));
}

TEST_CASE("after a database was set aside or emptied, a miss says when and where, and a warning was given") {
  ScratchFolder folder;
  std::string left;
  SUBCASE("emptied") {}
  SUBCASE("not a database any more") { left = std::string(8192, 'x'); }
  std::string token = PutOrFail(*Opened(In(folder.path())), "small enough to lie in the database");
  Overwrite(folder / "ccr.db", left);
  std::vector<std::string> notices;
  {
    auto store = Opened(In(folder.path()));
    CHECK(CauseOfGet(*store, token) == Cause::kNotFound);
    notices = store->TakeNotices();
  }
  REQUIRE(notices.size() == 1);
  CHECK(notices[0].find("was damaged") != std::string::npos);
  auto store = Opened(In(folder.path()));
  std::string said = store->Get(token).error().sentence;
  CAPTURE(said);
  CHECK(said.find("never stored") == std::string::npos);
  CHECK(said.find("its database was damaged at 20") != std::string::npos);
  CHECK(said.find("ccr.db.damaged-20") != std::string::npos);
  CHECK(store->Find(token).error().sentence == said);
  PutOrFail(*store, "life goes on");
  CHECK(store->TakeNotices().empty());
  PurgeQuery query;
  query.all = true;
  REQUIRE(store->Purge(query).ok());
  for (const std::string& path : FilesUnder(folder.path())) CHECK(path.find("damaged") == std::string::npos);
}

TEST_CASE("bodies beside a database that was emptied come back by their hash") {
  ScratchFolder folder;
  std::string original(17 << 20, 'L');
  PutOrFail(*Opened(In(folder.path())), original);
  (void)Files().Unlink(folder / "ccr.made").ok();  // the bodies tell as well
  Overwrite(folder / "ccr.db", "");
  auto store = Opened(In(folder.path()));
  CHECK((GetOrFail(*store, TokenOf(original)) == original));
  std::vector<std::string> notices = store->TakeNotices();
  REQUIRE(notices.size() == 1);
  CHECK(notices[0].find("1 original saved") != std::string::npos);
  CHECK(store->List({})->size() == 1);
}
