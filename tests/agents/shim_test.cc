// Shims: a view where the output is seen, the bare program everywhere else.
#include "agents/shim.h"

#include <doctest/doctest.h>

#include "run_fixture.h"

namespace pith {
namespace {

using namespace test;

TEST_CASE("only plain names become shims, and what is not ours is neither replaced nor removed") {
  Scratch scratch;
  const std::string folder = scratch.folder() + "/shims";
  CHECK(WriteShims(folder, "/opt/pith", {"../evil"}).error().cause == Cause::kInvalid);
  CHECK(WriteShims(folder, "/opt/pith", {"-rf"}).error().cause == Cause::kInvalid);
  REQUIRE(WriteShims(folder, "/opt/pi'th dir/pith", {"git", "g++"}).ok());
  scratch.Write("shims/own", "#!/bin/sh\n", 0755);
  CHECK(WriteShims(folder, "/opt/pith", {"own"}).error().cause == Cause::kDenied);
  Result<std::vector<std::string>> removed = RemoveShims(folder, {});
  REQUIRE(removed.ok());
  CHECK(removed->size() == 2);
  CHECK(access((folder + "/own").c_str(), F_OK) == 0);
}

TEST_CASE("the program behind a shim is found past it, and a shim with nothing behind ends in 127") {
  Scratch scratch;
  const std::string folder = scratch.folder() + "/shims";
  REQUIRE(WriteShims(folder, "/opt/pith", {"sh", "no-such-program"}).ok());
  const std::string before = getenv("PATH");
  setenv("PATH", (folder + ":/usr/bin:/bin").c_str(), 1);
  CHECK(BehindShim("sh") != folder + "/sh");
  CHECK_FALSE(BehindShim("sh").empty());
  CHECK(BehindShim("no-such-program").empty());
  const Seen seen = InChild(Streams::kMerged, [] {
    RunRequest request;
    request.shim = "no-such-program";
    request.argv = {"no-such-program"};
    return Run(request);
  });
  CHECK(WEXITSTATUS(seen.status) == 127);
  setenv("PATH", before.c_str(), 1);
}

TEST_CASE("each kill switch holds for shims, which then are the program behind them") {
  Scratch scratch;
  const std::string folder = scratch.folder() + "/shims";
  scratch.Write("noisy",
                "#!/bin/sh\ni=0\nwhile [ $i -lt 900 ]; do echo \"2026-01-02 INFO item $i\"; i=$((i+1)); done\n", 0755);
  REQUIRE(WriteShims(folder, "/opt/pith", {"noisy"}).ok());
  const std::string before = getenv("PATH");
  setenv("PATH", (folder + ":" + scratch.folder() + ":" + before).c_str(), 1);
  RunRequest request;
  request.shim = "noisy";
  request.argv = {"noisy"};
  const Seen bare = test::Bare(Streams::kMerged, {scratch.folder() + "/noisy"});
  for (const char* name : {"PITH_DISABLE", "PITH_NO_RUN", "PITH_MEASURE_ONLY"}) {
    setenv(name, "1", 1);
    CHECK_MESSAGE(InChild(Streams::kMerged, [&] { return Run(request); }) == bare, name);
    unsetenv(name);
  }
  setenv("PATH", before.c_str(), 1);
}

}  // namespace
}  // namespace pith
