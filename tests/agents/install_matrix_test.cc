// Install and uninstall over what hosts' configuration files may look like: never a loss, never a change beyond ours.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

#include "agents/install.h"
#include "base/files.h"
#include "run_fixture.h"

namespace pith {
namespace {

using test::Scratch;

InstallRequest RequestFor(std::string_view host, const Scratch& scratch) {
  InstallRequest request;
  request.host = host;
  request.place.home = scratch.folder();
  request.place.claude_folder = scratch.folder() + "/.claude";
  request.place.state = scratch.folder() + "/state/pith";
  request.place.binary = "/opt/pith/bin/pith";
  return request;
}

// Files of the host that belong to it, not to us alone.
std::set<std::string> SharedFiles(const InstallRequest& request, bool toml) {
  std::set<std::string> files;
  for (const SetupChange& change : ChangesFor(request.host, request.place)) {
    if (change.row->form != SetupForm::kFile && (change.row->form == SetupForm::kBlock) == toml)
      files.insert(change.file);
  }
  return files;
}

void Write(const std::string& path, const std::string& text, mode_t mode = 0644) {
  REQUIRE(MakeFolders(path.substr(0, path.rfind('/'))).ok());
  FILE* file = fopen(path.c_str(), "w");
  REQUIRE(file != nullptr);
  fwrite(text.data(), 1, text.size(), file);
  fclose(file);
  chmod(path.c_str(), mode);
}

std::string Read(const std::string& path) {
  Result<std::string> text = ReadFile(path, 1 << 20);
  return text.ok() ? *text : "(none)";
}

const std::vector<std::pair<std::string, std::string>>& JsonForms() {
  static const std::vector<std::pair<std::string, std::string>> kForms = {
      {"empty", ""},
      {"blank", "\n"},
      {"an empty object", "{}"},
      {"commented", "{\n  // one\n  \"theme\": \"dark\", /* two */\n}\n"},
      {"other hooks",
       "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\"matcher\": \"Edit\", \"hooks\": [{\"type\": \"command\", "
       "\"command\": \"fmt\"}]}\n    ],\n    \"AfterTool\": [],\n    \"Stop\": []\n  },\n  \"mcpServers\": {\"other\": "
       "{\"command\": \"x\"}}\n}\n"},
      {"CRLF and tabs", "{\r\n\t\"a\": 1\r\n}\r\n"},
      {"a byte order mark", "\xef\xbb\xbf{\"a\": \"\xc3\xa9\"}\n"},
      {"one line", "{\"a\":[1,2,{\"b\":null}],\"env\":{\"X\":\"1\"}}"},
      {"escapes", "{\"a\\u0062\": \"\\\"{[// no comment\\\\\"}\n"},
  };
  return kForms;
}

TEST_CASE("every host, every form of file: installed, then byte for byte as before") {
  for (std::string_view host : SetupHosts()) {
    for (const auto& row : JsonForms()) {
      const std::string &form = row.first, &text = row.second;
      Scratch scratch;
      const InstallRequest request = RequestFor(host, scratch);
      for (const std::string& file : SharedFiles(request, false)) Write(file, text, 0640);
      for (const std::string& file : SharedFiles(request, true)) Write(file, "# mine\nmodel = \"m\"\n[a]\nb = 1\n");
      Result<std::vector<std::string>> done = Install(request);
      REQUIRE_MESSAGE(done.ok(), host << ", " << form << ": " << (done.ok() ? "" : done.error().sentence));
      for (const SetupState& state : StateOf(request.host, request.place)) {
        CHECK_MESSAGE(state.held, host << ", " << form << ": " << state.change.file);
      }
      REQUIRE(Uninstall(request, false).ok());
      for (const std::string& file : SharedFiles(request, false)) {
        CHECK_MESSAGE(Read(file) == text, host << ", " << form);
        struct stat about {};
        REQUIRE(stat(file.c_str(), &about) == 0);
        CHECK((about.st_mode & 0777) == 0640);
      }
      for (const std::string& file : SharedFiles(request, true))
        CHECK(Read(file) == "# mine\nmodel = \"m\"\n[a]\nb = 1\n");
    }
  }
}

TEST_CASE(
    "every host: what cannot be read as its format, or not be written, is left as it is and nothing else is done") {
  struct Row {
    std::string form, text;
    mode_t mode;
  };
  const std::vector<Row> rows = {{"read-only", "{}", 0444},
                                 {"UTF-16", std::string("\xff\xfe{\0}\0", 6), 0644},
                                 {"not UTF-8", "{\"a\": \"\xe9\"}", 0644},
                                 {"cut off", "{\"a\": ", 0644},
                                 {"an array", "[]", 0644}};
  for (std::string_view host : SetupHosts()) {
    for (const Row& row : rows) {
      Scratch scratch;
      const InstallRequest request = RequestFor(host, scratch);
      const std::set<std::string> files = SharedFiles(request, false);
      if (files.empty()) continue;
      for (const std::string& file : files) Write(file, row.text, row.mode);
      CHECK_MESSAGE(!Install(request).ok(), host << ", " << row.form);
      CHECK_FALSE(Uninstall(request, false).ok());
      for (const std::string& file : files) CHECK_MESSAGE(Read(file) == row.text, host << ", " << row.form);
      CHECK(access((scratch.folder() + "/state/pith/bin/claude-shell").c_str(), F_OK) != 0);
    }
  }
}

TEST_CASE("every host: a link stays a link, and what it leads to is changed and restored") {
  for (std::string_view host : SetupHosts()) {
    Scratch scratch;
    const InstallRequest request = RequestFor(host, scratch);
    int number = 0;
    std::vector<std::string> reals;
    for (const std::string& file : SharedFiles(request, false)) {
      reals.push_back(scratch.folder() + "/dotfiles/" + std::to_string(number++));
      Write(reals.back(), "{\n  \"a\": 1\n}\n");
      REQUIRE(MakeFolders(file.substr(0, file.rfind('/'))).ok());
      REQUIRE(symlink(reals.back().c_str(), file.c_str()) == 0);
    }
    REQUIRE_MESSAGE(Install(request).ok(), host);
    for (const std::string& file : SharedFiles(request, false)) {
      struct stat about {};
      REQUIRE(lstat(file.c_str(), &about) == 0);
      CHECK(S_ISLNK(about.st_mode));
    }
    for (const std::string& real : reals) CHECK(Read(real).find("pith") != std::string::npos);
    REQUIRE(Uninstall(request, false).ok());
    for (const std::string& real : reals) CHECK_MESSAGE(Read(real) == "{\n  \"a\": 1\n}\n", host);
  }
}

TEST_CASE("every host: what an older Pith wrote, without a record, gives way and is not doubled") {
  for (std::string_view host : SetupHosts()) {
    Scratch scratch;
    InstallRequest request = RequestFor(host, scratch);
    request.place.binary = "/old/place/pith";
    REQUIRE(Install(request).ok());
    REQUIRE(std::system(("rm -rf '" + scratch.folder() + "/state/pith/install'").c_str()) == 0);
    request.place.binary = "/opt/pith/bin/pith";
    Result<std::vector<std::string>> done = Install(request);
    REQUIRE_MESSAGE(done.ok(), host << ": " << (done.ok() ? "" : done.error().sentence));
    for (const SetupChange& change : ChangesFor(request.host, request.place)) {
      CHECK_MESSAGE(Read(change.file).find("/old/place") == std::string::npos, host << ": " << Read(change.file));
    }
    REQUIRE(Uninstall(request, true).ok());
    for (const SetupChange& change : ChangesFor(request.host, request.place)) {
      CHECK_MESSAGE(Read(change.file).find("/opt/pith") == std::string::npos, change.file);
      CHECK_MESSAGE(Read(change.file).find("/old/place") == std::string::npos, change.file);
    }
  }
}

}  // namespace
}  // namespace pith
