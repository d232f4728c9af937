// Spools whose writer has gone: what is left of them, who may remove them, and when.
#include <fcntl.h>
#include <sys/stat.h>

#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

// A spool as a killed process leaves it; its name.
std::string Abandoned(const StoreOptions& options, const std::string& bytes) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  InChild([&] {
    auto store = Opened(options);
    auto spool = store->OpenSpool("/project").Take();
    if (!spool->Append(bytes) || write(ends[1], spool->name().data(), 12) != 12) return 1;
    return kill(getpid(), SIGKILL);
  });
  char name[12];
  REQUIRE(read(ends[0], name, 12) == 12);
  close(ends[0]);
  close(ends[1]);
  return std::string(name, 12);
}

size_t FilesIn(const std::string& folder) {
  size_t count = 0;
  (void)Files().List(folder, [&](std::string_view) { return ++count, true; }).ok();
  return count;
}

void SetAgeOf(const std::string& path, int64_t seconds) {
  timespec times[2] = {{time(nullptr) - seconds, 0}, {time(nullptr) - seconds, 0}};
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

void SetAge(const StoreOptions& options, const std::string& name, int64_t seconds) {
  for (const char* suffix : {"", ".tail", ".project"}) SetAgeOf(options.folder + "/spool/" + name + suffix, seconds);
}

}  // namespace

TEST_CASE("a purge of all removes spools whose writer is gone, and leaves those that are being written") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  std::string name = Abandoned(options, LogLines(30000));
  auto store = Opened(options);
  auto live = store->OpenSpool().Take();
  REQUIRE(live->Append("still coming").ok());
  CHECK_FALSE(store->SpoolIsLive(name));
  CHECK(store->SpoolIsLive(live->name()));
  CHECK((*store->ReadSpool(name, {}) == LogLines(30000)));
  PurgeQuery query;
  query.name_space = "/elsewhere";
  CHECK(store->Purge(query)->spools == 0);
  CHECK(store->ReadSpool(name, {}).ok());
  query = {};
  query.all = true;
  CHECK(store->Purge(query)->spools == 1);
  CHECK(store->ReadSpool(name, {}).error().cause == Cause::kNotFound);
  CHECK(FilesIn(folder / "spool") == 3);
  CHECK(*store->ReadSpool(live->name(), {}) == "still coming");
  Result<PutOutcome> finished = live->Finish(Seen());
  REQUIRE(finished.ok());
  CHECK(GetOrFail(*store, finished->token) == "still coming");
}

TEST_CASE("a purge of a project takes its spools and no others, with a key and without") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  SUBCASE("without") {}
  SUBCASE("with") { options.key = "a key that is long enough"; }
  std::string mine = Abandoned(options, "mine"), unknown = Abandoned(options, "of whom?");
  REQUIRE(Files().Unlink(folder / ("spool/" + unknown + ".project")).ok());
  auto store = Opened(options);
  PurgeQuery query;
  query.name_space = "/project";
  CHECK(store->Purge(query)->spools == 1);
  CHECK(store->ReadSpool(mine, {}).error().cause == Cause::kNotFound);
  CHECK(*store->ReadSpool(unknown, {}) == "of whom?");
  REQUIRE(store->TakeNotices().size() == 1);
  CHECK(FilesIn(folder / "spool") == 2);
}

TEST_CASE("a purge by age takes the spools that were last written before it") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  std::string old = Abandoned(options, "old"), young = Abandoned(options, "young");
  SetAge(options, old, 7200);
  PurgeQuery query;
  query.older_than_seconds = 3600;
  auto store = Opened(options);
  CHECK(store->Purge(query)->spools == 1);
  CHECK_FALSE(store->ReadSpool(old, {}).ok());
  CHECK(*store->ReadSpool(young, {}) == "young");
}

TEST_CASE("gc removes spools after a day, but none that is being written however long it is silent") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  std::string old = Abandoned(options, "old"), young = Abandoned(options, "young");
  auto store = Opened(options);
  auto live = store->OpenSpool().Take();
  REQUIRE(live->Append("silent since").ok());
  SetAge(options, old, 90000);
  SetAge(options, live->name(), 90000);
  REQUIRE(store->Gc().ok());
  CHECK_FALSE(store->ReadSpool(old, {}).ok());
  CHECK(*store->ReadSpool(young, {}) == "young");
  CHECK(*live->Read({}) == "silent since");
  SetAgeOf(options.folder + "/spool/" + young, 90000);  // its tail was written later
  REQUIRE(store->Gc().ok());
  CHECK(*store->ReadSpool(young, {}) == "young");
}
