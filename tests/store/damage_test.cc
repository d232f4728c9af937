// Damaged files: never wrong bytes, never a crash, and what is whole comes back.
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

}  // namespace

TEST_CASE("bits flipped and files cut anywhere give damaged entries, never wrong bytes") {
  bool large = false;
  SUBCASE("rows of the database and of the inbox") {}
  SUBCASE("a body with a file of its own") { large = true; }
  ScratchFolder folder;
  std::vector<std::string> originals = Originals(large);
  {
    auto store = Opened(In(folder.path()));
    for (size_t i = 0; i < originals.size(); i += 2) PutOrFail(*store, originals[i]);
  }
  StoreOptions one_shot = In(folder.path());
  one_shot.one_shot = true;
  for (size_t i = 1; i < originals.size(); i += 2) PutOrFail(*Opened(one_shot), originals[i]);
  std::vector<std::string> paths = FilesUnder(folder.path());
  std::vector<std::string> contents;
  for (const std::string& path : paths) contents.push_back(*ReadFile(path, UINT64_MAX));
  std::mt19937 random(42);
  const char* given = getenv("PITH_DAMAGES");
  int rounds = given != nullptr ? atoi(given) : 100;
  if (large) rounds /= 10;
  size_t right = 0, damaged = 0;
  for (int round = 0; round < rounds; ++round) {
    size_t which = random() % paths.size();
    std::string content = contents[which];
    if (round % 4 == 3) {
      content.resize(random() % content.size());
    } else {
      for (int flips = 1 + static_cast<int>(random() % 3); flips > 0; --flips) {
        size_t at = random() % content.size();
        content[at] = static_cast<char>(content[at] ^ (1 << (random() % 8)));
      }
    }
    Overwrite(paths[which], content);
    CAPTURE(round);
    CAPTURE(paths[which]);
    {
      auto store = Opened(In(folder.path()));
      for (const std::string& original : originals) {
        std::string token = TokenOf(original);
        Result<std::string> bytes = store->Get(token);
        if (bytes) {
          REQUIRE((*bytes == original));
          ++right;
        } else {
          ++damaged;
        }
        Result<std::string> part = store->Get(token, {original.size() / 2, 100});
        if (part) REQUIRE((*part == original.substr(original.size() / 2, 100)));
      }
      (void)store->List({}).ok();
      SearchQuery query;
      query.text = "worker";
      (void)store->Search(query).ok();
      (void)store->Gc().ok();
    }
    // Everything back as it was.
    for (const std::string& path : FilesUnder(folder.path())) (void)Files().Unlink(path).ok();
    for (size_t i = 0; i < paths.size(); ++i) Overwrite(paths[i], contents[i]);
  }
  MESSAGE(rounds, " damages: ", right, " right, ", damaged, " said to be gone or damaged");
  CHECK(right > damaged);
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
  CHECK(notices[0].find("1 originals were saved") != std::string::npos);
  CHECK(store->List({})->size() == 1);
}
