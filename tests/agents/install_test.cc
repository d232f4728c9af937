// Setting hosts up and taking it back: nothing lost, nothing changed beyond ours.
#include "agents/install.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.h"
#include "run_fixture.h"
#include "tools/trust.h"

namespace pith {
namespace {

using test::Scratch;

InstallRequest RequestFor(const std::string& host, const Scratch& scratch) {
  InstallRequest request;
  request.host = host;
  request.place.home = scratch.folder();
  request.place.claude_folder = scratch.folder() + "/.claude";
  request.place.state = scratch.folder() + "/state/pith";
  request.place.binary = "/opt/pith dir/pith";
  return request;
}

std::string Read(const std::string& path) {
  Result<std::string> text = ReadFile(path, 1 << 20);
  return text.ok() ? *text : "(none)";
}

TEST_CASE("every host: install, install again, uninstall leaves no file of ours and no change") {
  for (std::string_view host : SetupHosts()) {
    Scratch scratch;
    const InstallRequest request = RequestFor(std::string(host), scratch);
    Result<std::vector<std::string>> done = Install(request);
    REQUIRE_MESSAGE(done.ok(), host);
    for (const SetupState& state : StateOf(request.host, request.place)) CHECK_MESSAGE(state.held, state.change.file);
    REQUIRE(Install(request).ok());
    for (const SetupState& state : StateOf(request.host, request.place)) CHECK_MESSAGE(state.held, state.change.file);
    REQUIRE(Uninstall(request, false).ok());
    for (const SetupState& state : StateOf(request.host, request.place)) {
      CHECK_MESSAGE(access(state.change.file.c_str(), F_OK) != 0, state.change.file);
    }
    CHECK(Uninstall(request, false).error().cause == Cause::kNotFound);
  }
}

TEST_CASE("a file with comments and hooks of others comes back byte for byte") {
  for (const std::string& before :
       {std::string("{\n  // mine\n  \"env\": {\"A\": \"1\"}, // keep\n  \"hooks\": {\"PostToolUse\": [{\"matcher\": "
                    "\"Edit\", \"hooks\": []}]}\n}\n"),
        std::string("{}"), std::string(""), std::string("{\r\n\t\"model\": \"x\",\r\n}\r\n")}) {
    Scratch scratch;
    mkdir((scratch.folder() + "/.claude").c_str(), 0755);
    const std::string path = scratch.Write(".claude/settings.json", before, 0640);
    const InstallRequest request = RequestFor("claude-code", scratch);
    REQUIRE(Install(request).ok());
    CHECK(Read(path) != before);
    CHECK(Read(path + ".pith-backup") == before);
    REQUIRE(Uninstall(request, false).ok());
    CHECK(Read(path) == before);
    CHECK(Read(path + ".pith-backup") == "(none)");
    struct stat about {};
    REQUIRE(stat(path.c_str(), &about) == 0);
    CHECK((about.st_mode & 0777) == 0640);
  }
}

TEST_CASE("a file that somebody changed after install loses only what is ours") {
  Scratch scratch;
  mkdir((scratch.folder() + "/.claude").c_str(), 0755);
  const std::string path = scratch.Write(".claude/settings.json", "{\n  \"model\": \"a\"\n}\n");
  const InstallRequest request = RequestFor("claude-code", scratch);
  REQUIRE(Install(request).ok());
  std::string text = Read(path);
  text.replace(text.find("\"a\""), 3, "\"b\"");
  scratch.Write(".claude/settings.json", text);
  REQUIRE(Uninstall(request, false).ok());
  CHECK(Read(path) == "{\n  \"model\": \"b\"\n}\n");
}

TEST_CASE("a broken, read-only or foreign-typed file stops the whole, and nothing is written") {
  for (const auto& [content, mode] :
       {std::pair{std::string("{ not json"), 0644}, std::pair{std::string("{\"model\": 1}\n"), 0444},
        std::pair{std::string("{\"hooks\": []}"), 0644}, std::pair{std::string("\xff\xfe{\0}\0", 6), 0644}}) {
    Scratch scratch;
    mkdir((scratch.folder() + "/.claude").c_str(), 0755);
    const std::string path = scratch.Write(".claude/settings.json", content, mode);
    const InstallRequest request = RequestFor("claude-code", scratch);
    CHECK_FALSE(Install(request).ok());
    CHECK(Read(path) == content);
    CHECK(access((scratch.folder() + "/.claude.json").c_str(), F_OK) != 0);
    CHECK(access((scratch.folder() + "/state/pith/bin/claude-shell").c_str(), F_OK) != 0);
  }
}

TEST_CASE("a link that leads to nothing yet stays a link, and leads to nothing again afterwards") {
  Scratch scratch;
  mkdir((scratch.folder() + "/dotfiles").c_str(), 0755);
  const std::string link = scratch.folder() + "/.claude.json";
  REQUIRE(symlink("dotfiles/claude.json", link.c_str()) == 0);
  const InstallRequest request = RequestFor("claude-code", scratch);
  REQUIRE(Install(request).ok());
  CHECK(Read(scratch.folder() + "/dotfiles/claude.json").find("mcpServers") != std::string::npos);
  struct stat about {};
  REQUIRE(lstat(link.c_str(), &about) == 0);
  CHECK(S_ISLNK(about.st_mode));
  REQUIRE(Uninstall(request, false).ok());
  REQUIRE(lstat(link.c_str(), &about) == 0);
  CHECK(S_ISLNK(about.st_mode));
  CHECK(access(link.c_str(), F_OK) != 0);
}

TEST_CASE("a project whose folder's name is not UTF-8 is set up, taken back without a trace, and may be trusted") {
  Scratch scratch;
  const std::string project = scratch.folder() + "/\xff\xfe";
  mkdir(project.c_str(), 0755);
  scratch.Write("\xff\xfe/.mcp.json", "{\"a\": 1}\n");
  scratch.Write("\xff\xfe/.pith.json", "{\"exclude\": [\"make\"]}");
  InstallRequest request = RequestFor("claude-code", scratch);
  request.place.project = project;
  REQUIRE(Install(request).ok());
  REQUIRE(Uninstall(request, false).ok());
  CHECK(Read(project + "/.mcp.json") == "{\"a\": 1}\n");
  CHECK(access((project + "/.claude/settings.local.json").c_str(), F_OK) != 0);
  REQUIRE(TrustProject(project).ok());
  std::string notice;
  CHECK(ReadProjectRules(project, &notice).exclude.size() == 1);
  CHECK(TrustedFolders().at(0).folder == project);
  CHECK(RevokeTrust(project).ok());
}

TEST_CASE("a file that cannot be written puts back those before it, so that nothing names what is not there") {
  for (const char* blocked : {"state/pith/bin", ".claude/settings.json.pith-backup/in the way"}) {
    CAPTURE(blocked);
    Scratch scratch;
    mkdir((scratch.folder() + "/.claude").c_str(), 0755);
    const std::string settings = scratch.Write(".claude/settings.json", "{\"a\": 1}\n", 0640);
    const std::string servers = scratch.Write(".claude.json", "{\"b\": 2}\n");
    const std::string path = scratch.folder() + "/" + blocked;
    REQUIRE(MakeFolders(path.substr(0, path.rfind('/'))).ok());
    scratch.Write(blocked, "");
    const InstallRequest request = RequestFor("claude-code", scratch);
    Result<std::vector<std::string>> done = Install(request);
    REQUIRE_FALSE(done.ok());
    CHECK(done.error().sentence.ends_with("; nothing was changed"));
    CHECK(Read(settings) == "{\"a\": 1}\n");
    CHECK(Read(servers) == "{\"b\": 2}\n");
    CHECK(access((servers + ".pith-backup").c_str(), F_OK) != 0);
    CHECK(access((scratch.folder() + "/state/pith/bin/claude-shell").c_str(), F_OK) != 0);
    CHECK(Uninstall(request, false).error().cause == Cause::kNotFound);
  }
}

TEST_CASE("a link is followed and stays a link") {
  Scratch scratch;
  mkdir((scratch.folder() + "/.claude").c_str(), 0755);
  mkdir((scratch.folder() + "/dotfiles").c_str(), 0755);
  const std::string real = scratch.Write("dotfiles/settings.json", "{\n  \"a\": 1\n}\n");
  const std::string link = scratch.folder() + "/.claude/settings.json";
  REQUIRE(symlink(real.c_str(), link.c_str()) == 0);
  const InstallRequest request = RequestFor("claude-code", scratch);
  REQUIRE(Install(request).ok());
  struct stat about {};
  REQUIRE(lstat(link.c_str(), &about) == 0);
  CHECK(S_ISLNK(about.st_mode));
  CHECK(Read(real).find("pith") != std::string::npos);
  REQUIRE(Uninstall(request, false).ok());
  CHECK(Read(real) == "{\n  \"a\": 1\n}\n");
}

TEST_CASE("I16: another rewriter on the same event is refused unless forced, and so is another shell prefix") {
  for (const char* other :
       {"rtk hook claude", "/usr/bin/tokenjuice wrap", "lean-ctx hook", "node context-mode/hook.js"}) {
    Scratch scratch;
    mkdir((scratch.folder() + "/.claude").c_str(), 0755);
    const std::string before =
        std::string("{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"") + other + "\"}]}]}}";
    const std::string path = scratch.Write(".claude/settings.json", before);
    InstallRequest request = RequestFor("claude-code", scratch);
    Result<std::vector<std::string>> refused = Install(request);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().cause == Cause::kDenied);
    CHECK(Read(path) == before);
    request.force = true;
    CHECK(Install(request).ok());
  }
  Scratch scratch;
  mkdir((scratch.folder() + "/.claude").c_str(), 0755);
  scratch.Write(".claude/settings.json", "{\"env\": {\"CLAUDE_CODE_SHELL_PREFIX\": \"/opt/other\"}}");
  CHECK(Install(RequestFor("claude-code", scratch)).error().cause == Cause::kDenied);
  CHECK(OtherRewriter("{\"command\": \"smartkit\"}").empty());
}

TEST_CASE("a state folder with a blank in it leaves commands to the hook, since the prefix must be one path") {
  Scratch scratch;
  InstallRequest request = RequestFor("claude-code", scratch);
  request.place.state = scratch.folder() + "/my state/pith";
  REQUIRE(Install(request).ok());
  const std::string settings = Read(scratch.folder() + "/.claude/settings.json");
  CHECK(settings.find("CLAUDE_CODE_SHELL_PREFIX") == std::string::npos);
  CHECK(settings.find("^(Bash|Grep") != std::string::npos);
}

TEST_CASE("a dry run writes nothing") {
  Scratch scratch;
  InstallRequest request = RequestFor("claude-code", scratch);
  request.dry_run = true;
  REQUIRE(Install(request).ok());
  CHECK(access((scratch.folder() + "/.claude").c_str(), F_OK) != 0);
}

TEST_CASE("undoing can be tried first, and names the backup that stays where the host rewrote its file") {
  Scratch scratch;
  mkdir((scratch.folder() + "/.gemini").c_str(), 0755);
  const std::string path = scratch.Write(".gemini/settings.json", "{\"a\": 1}\n");
  InstallRequest request = RequestFor("gemini", scratch);
  REQUIRE(Install(request).ok());
  CHECK(*Install(request) == std::vector<std::string>{"set up already; nothing is changed"});
  request.dry_run = true;
  CHECK(*Uninstall(request, false) == std::vector<std::string>{"would restore " + path});
  const std::string rewritten = Read(path) + "\n";
  scratch.Write(".gemini/settings.json", rewritten);
  CHECK(*Uninstall(request, false) == std::vector<std::string>{"would take our part out of " + path});
  CHECK(Read(path) == rewritten);
  request.dry_run = false;
  Result<std::vector<std::string>> done = Uninstall(request, false);
  REQUIRE(done.ok());
  CHECK(done->back() == "kept " + path + ".pith-backup, the file as it was before install (--purge removes it)");
  CHECK(Read(path + ".pith-backup") == "{\"a\": 1}\n");
}

TEST_CASE("every host that can be set up has a sign by which it is found") {
  Scratch scratch;
  for (std::string_view host : SetupHosts()) {
    CHECK(std::any_of(HostSigns().begin(), HostSigns().end(), [&](const HostSign& sign) { return sign.host == host; }));
  }
  setenv("PATH", "/usr/bin:/bin", 1);
  InstallRequest request = RequestFor("gemini", scratch);
  CHECK_FALSE(HostPresent("gemini", request.place));
  scratch.Write("gemini", "#!/bin/sh\n", 0755);
  setenv("PATH", (scratch.folder() + ":/usr/bin:/bin").c_str(), 1);
  CHECK(HostPresent("gemini", request.place));
  setenv("PATH", "/usr/bin:/bin", 1);
}

}  // namespace
}  // namespace pith
