// `pith tune`: one command's wish, written without touching the rest of the file.
#include "agents/tune.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "base/config.h"
#include "base/files.h"
#include "run_fixture.h"
#include "tools/trust.h"

namespace pith {
namespace {

using test::Scratch;

TEST_CASE("a command that shall never become a view is written into the user's configuration, and only that") {
  Scratch scratch;
  mkdir((scratch.folder() + "/config").c_str(), 0700);
  mkdir((scratch.folder() + "/config/pith").c_str(), 0700);
  const std::string file = scratch.Write("config/pith/config.json", "{\n  // mine\n  \"soft_bytes\": 9000\n}\n");
  REQUIRE(Tune({"git log", false, false, ""}).ok());
  REQUIRE(Tune({"git log", false, false, ""}).ok());
  REQUIRE(Tune({"make deploy", false, false, ""}).ok());
  const std::string text = *ReadFile(file, 1 << 20);
  CHECK(text.starts_with("{\n  // mine\n  \"soft_bytes\": 9000"));
  Result<Config> config = Config::Read();
  REQUIRE(config.ok());
  CHECK(config->List(Key::kExclude) == std::vector<std::string>{"git log", "make deploy"});
  REQUIRE(Tune({"git log", true, false, ""}).ok());
  config = Config::Read();
  CHECK(config->List(Key::kExclude) == std::vector<std::string>{"make deploy"});
  CHECK(config->List(Key::kInclude) == std::vector<std::string>{"git log"});
  REQUIRE(Tune({"git log", false, true, ""}).ok());
  CHECK(Tune({"git log", false, true, ""}).error().cause == Cause::kNotFound);
  CHECK(Tune({"", false, false, ""}).error().cause == Cause::kInvalid);
}

TEST_CASE("a first wish makes the file, and pith run obeys it") {
  Scratch scratch;
  std::string script = "#!/bin/sh\ni=0\nwhile [ $i -lt 900 ]; do echo \"2026-01-02 INFO item $i\"; i=$((i+1)); done\n";
  const std::string program = scratch.Write("noisy", script, 0755);
  const test::Seen bare = test::Bare(test::Streams::kMerged, {program});
  CHECK(test::Wrapped(test::Streams::kMerged, {program}).out != bare.out);
  REQUIRE(Tune({"noisy", false, false, ""}).ok());
  CHECK(test::Wrapped(test::Streams::kMerged, {program}).out == bare.out);
}

TEST_CASE("a project's file is made trusted, but one that nobody trusted is not written to") {
  Scratch scratch;
  const std::string root = scratch.folder() + "/project";
  mkdir(root.c_str(), 0755);
  mkdir((root + "/.git").c_str(), 0755);
  REQUIRE(Tune({"make deploy", false, false, root}).ok());
  std::string notice;
  CHECK(ReadProjectRules(root, &notice).exclude == std::vector<std::string>{"make deploy"});
  scratch.Write("project/.pith.json", "{\"exclude\": [\"git\"]}");
  CHECK(Tune({"make", false, false, root}).error().cause == Cause::kDenied);
  CHECK(*ReadFile(root + "/.pith.json", 4096) == "{\"exclude\": [\"git\"]}");
}

}  // namespace
}  // namespace pith
