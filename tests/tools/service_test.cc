#include "tools/service.h"

#include <algorithm>

#include "base/encoding.h"
#include "base/token.h"
#include "base/utf8.h"
#include "tests/tools/service_fixture.h"

namespace pith {
namespace {

using testing::LogOf;
using testing::OpenedIn;
using testing::OptionsIn;
using testing::ScratchFolder;

// A store that refuses to keep anything.
std::unique_ptr<Service> OpenedNowhere() {
  ServiceOptions options = OptionsIn("/proc/pith-cannot-be-made");
  return std::make_unique<Service>(options, Store::Open(options.store).Take());
}

std::string Joined(Service& service, const std::string& token, Selector selector, bool raw = false) {
  std::string all;
  for (int page = 0; page < 100000; ++page) {
    Result<RetrieveOutcome> outcome = service.Retrieve(token, selector, raw);
    REQUIRE(outcome.ok());
    CHECK(outcome->bytes.size() <= std::max<uint64_t>(selector.limit.value_or(UINT64_MAX), 4));
    all += outcome->bytes;
    if (!outcome->next_offset) return all;
    REQUIRE(*outcome->next_offset > selector.offset);
    selector.offset = *outcome->next_offset;
  }
  FAIL("the pages do not end");
  return all;
}

std::string StoredIn(Service& service, const std::string& bytes) {
  Result<PutOutcome> put = service.store().Put(bytes, testing::Seen());
  REQUIRE(put.ok());
  return put->token;
}

std::vector<std::string> HardOriginals() {
  std::string every_byte;
  for (int c = 0; c < 256; ++c) every_byte += static_cast<char>(c);
  return {"",
          "x",
          "\n",
          "no final newline",
          "a\r\nb\r\n",
          "\xEF\xBB\xBF"
          "with a mark",
          every_byte + every_byte,
          std::string(5000, '\0'),
          std::string(3000, '\n'),
          "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 caf\xC3\xA9",
          "cut \xF0\x9F\x98",
          LogOf(200, true)};
}

}  // namespace

TEST_CASE("I2: a view that is not exact is stored before it is handed out") {
  ScratchFolder folder;
  auto service = OpenedIn(folder.path());
  std::string log = LogOf(2000);
  CompactOutcome outcome = service->Compact(log, {});
  REQUIRE(outcome.view.view_class == ViewClass::kPartial);
  CHECK(outcome.token == TokenOf(log));
  CHECK(outcome.view.text.find(outcome.token) != std::string::npos);
  CHECK(outcome.view.text.find("ERROR disk full") != std::string::npos);
  CHECK(outcome.view.text.size() < log.size());
  CHECK(OpenedIn(folder.path())->Retrieve(outcome.token, {.limit = UINT64_MAX})->bytes == log);
}

TEST_CASE("exact views are not stored") {
  ScratchFolder folder;
  auto service = OpenedIn(folder.path());
  CompactOutcome outcome = service->Compact("short\n", {});
  CHECK(outcome.view.view_class == ViewClass::kExact);
  CHECK(outcome.view.text == "short\n");
  CHECK(outcome.token.empty());
  CHECK(service->List({})->empty());
}

TEST_CASE("I10: where no tier can keep the original, it goes out unchanged with a notice") {
  std::string log = LogOf(2000);
  CompactOutcome outcome = OpenedNowhere()->Compact(log, {});
  CHECK(outcome.view.view_class == ViewClass::kExact);
  CHECK(outcome.view.text == log);
  CHECK(outcome.token.empty());
  REQUIRE(outcome.notices.size() >= 1);
  CHECK(outcome.notices.front().find("could not be stored") != std::string::npos);
}

TEST_CASE("secrets are neither stored nor compacted, unless the user allows them by name") {
  ScratchFolder folder;
  std::string log = LogOf(2000);
  for (const auto& row : {std::pair{"env | sort", ""}, {"cat .env", ""}, {"", "/a/.env"}, {"gh auth token", ""}}) {
    const char* command = row.first;
    const char* path = row.second;
    CAPTURE(command);
    Hints hints;
    hints.command = command;
    hints.path = path;
    auto service = OpenedIn(folder.path());
    CompactOutcome outcome = service->Compact(log, hints);
    CHECK(outcome.view.text == log);
    CHECK(outcome.notices.size() == 1);
    CHECK(service->List({})->empty());
  }
  ServiceOptions options = OptionsIn(folder.path());
  options.allow_secrets = {"env"};
  Hints hints;
  hints.command = "env | sort";
  CHECK(Service::Open(options).Take()->Compact(log, hints).view.view_class == ViewClass::kPartial);
}

TEST_CASE("the output of a recovery tool is never compacted") {
  ScratchFolder folder;
  auto service = OpenedIn(folder.path());
  std::string log = LogOf(2000);
  for (const char* tool : {"tokenjuice_retrieve", "mcp__pith__retrieve_tool_output", "ccr_retrieve"}) {
    Hints hints;
    hints.tool_name = tool;
    CHECK(service->Compact(log, hints).view.text == log);
  }
}

TEST_CASE("kill switches: disabled passes through, measure only counts and shows the original") {
  ScratchFolder folder;
  std::string log = LogOf(2000);
  ServiceOptions options = OptionsIn(folder.path());
  options.disabled = true;
  CHECK(Service::Open(options).Take()->Compact(log, {}).view.text == log);
  options.disabled = false;
  options.measure_only = true;
  auto service = Service::Open(options).Take();
  CompactOutcome outcome = service->Compact(log, {});
  CHECK(outcome.view.text == log);
  REQUIRE(outcome.measured);
  CHECK(outcome.measured->shown.bytes < log.size());
  CHECK(service->List({})->empty());
}

TEST_CASE("a one-shot that keeps nothing prints no token and says so") {
  ScratchFolder folder;
  ServiceOptions options = OptionsIn(folder.path());
  options.keep = false;
  CompactOutcome outcome = Service::Open(options).Take()->Compact(LogOf(2000), {});
  CHECK(outcome.view.view_class == ViewClass::kPartial);
  CHECK(outcome.token.empty());
  CHECK(outcome.view.text.find("original not kept (--memory-only)]") != std::string::npos);
}

TEST_CASE("I1: any bytes come back, whole and in pages of any size, raw and on characters") {
  ScratchFolder folder;
  auto service = OpenedIn(folder.path());
  for (const std::string& bytes : HardOriginals()) {
    std::string token = StoredIn(*service, bytes);
    CHECK(service->Retrieve(token, {.limit = UINT64_MAX}, true)->bytes == bytes);
    for (uint64_t limit : {1, 2, 3, 4, 7, 64, 4096}) {
      CAPTURE(limit);
      if (bytes.size() / limit > 2000) continue;
      CHECK(Joined(*service, token, {.limit = limit}, true) == bytes);
      CHECK(Joined(*service, token, {.limit = limit}) == bytes);
    }
    std::string streamed;
    CHECK(service->Stream(token, [&](std::string_view piece) { return streamed += piece, true; }).ok());
    CHECK(streamed == bytes);
  }
}

TEST_CASE("pages never split a character") {
  ScratchFolder folder;
  auto service = OpenedIn(folder.path());
  std::string text;
  for (int at = 0; at < 50; ++at) text += "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
  std::string token = StoredIn(*service, text);
  for (uint64_t limit = 1; limit < 12; ++limit) {
    for (Selector selector : {Selector{.limit = limit}, Selector{.lines = {{1, 1}}, .limit = limit}}) {
      while (true) {
        Result<RetrieveOutcome> outcome = service->Retrieve(token, selector);
        REQUIRE(outcome.ok());
        CHECK(IsUtf8(outcome->bytes));
        if (!outcome->next_offset) break;
        selector.offset = *outcome->next_offset;
      }
    }
  }
}

TEST_CASE("lines are counted from 1, clamped at the end, exact, and slices joined give the original") {
  ScratchFolder folder;
  auto service = OpenedIn(folder.path());
  std::string text = "one\r\ntwo\n\nfour\rstill four\nfive";
  std::string token = StoredIn(*service, text);
  auto lines = [&](std::vector<LineRange> ranges) {
    Selector selector;
    selector.lines = std::move(ranges);
    Result<RetrieveOutcome> outcome = service->Retrieve(token, selector);
    REQUIRE(outcome.ok());
    return outcome->bytes;
  };
  CHECK(lines({{1, 1}}) == "one\r\n");
  CHECK(lines({{2, 3}}) == "two\n\n");
  CHECK(lines({{4, 4}, {1, 1}}) == "four\rstill four\none\r\n");
  CHECK(lines({{5, 900}}) == "five");
  std::string joined;
  for (uint64_t at = 1; at <= 5; ++at) joined += lines({{at, at}});
  CHECK(joined == text);
  Result<RetrieveOutcome> past = service->Retrieve(token, {.lines = {{6, 7}}});
  REQUIRE(past.ok());
  CHECK(past->bytes.empty());
  CHECK(past->note == "line 6 is past the end: the original has 5 lines");
  CHECK(service->Retrieve(token, {.tail = 2})->bytes == "four\rstill four\nfive");
}

TEST_CASE("bytes are taken as a gap names them, clamped at the end") {
  ScratchFolder folder;
  auto service = OpenedIn(folder.path());
  std::string token = StoredIn(*service, "0123456789");
  CHECK(service->Retrieve(token, {.bytes = ByteRange{3, 4}})->bytes == "3456");
  CHECK(service->Retrieve(token, {.bytes = ByteRange{8, 400}})->bytes == "89");
  Result<RetrieveOutcome> past = service->Retrieve(token, {.bytes = ByteRange{10, 1}});
  CHECK(past->bytes.empty());
  CHECK(past->note == "byte 10 is past the end: the original has 10 bytes");
  CHECK(service->Retrieve(token, {.lines = {{1, 1}}, .bytes = ByteRange{0, 1}}).error().cause == Cause::kInvalid);
}

TEST_CASE("a pattern chooses lines and puts the original's numbers in front") {
  ScratchFolder folder;
  auto service = OpenedIn(folder.path());
  std::string token = StoredIn(*service, "alpha\nbeta\ngamma\ndelta\nomega\nbeta two");
  CHECK(service->Retrieve(token, {.pattern = "^beta"})->bytes == "2:beta\n6:beta two\n");
  CHECK(service->Retrieve(token, {.pattern = "^beta", .context = 1})->bytes ==
        "1-alpha\n2:beta\n3-gamma\n--\n5-omega\n6:beta two\n");
  CHECK(service->Retrieve(token, {.lines = {{3, 5}}, .pattern = "a$"})->bytes == "3:gamma\n4:delta\n5:omega\n");
  CHECK(service->Retrieve(token, {.pattern = "(?i)BETA T"})->bytes == "6:beta two\n");
  CHECK(service->Retrieve(token, {.pattern = "nowhere"})->note == "no line matches the pattern");
  Result<RetrieveOutcome> bad = service->Retrieve(token, {.pattern = "("});
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().sentence.starts_with("bad pattern: missing )"));
  std::string paged = Joined(*service, token, {.pattern = ".", .limit = 5});
  CHECK(paged == service->Retrieve(token, {.pattern = "."})->bytes);
}

TEST_CASE("json_path gives the original's own text, lines and patterns narrow it with the original's numbers") {
  ScratchFolder folder;
  auto service = OpenedIn(folder.path());
  std::string token = StoredIn(*service, "[\n 1.50,\n {\"b\" : 2},\n \"three\"\n]\n");
  CHECK(service->Retrieve(token, {.json_path = "$[0:2]"})->bytes == "1.50,\n {\"b\" : 2}");
  CHECK(service->Retrieve(token, {.json_path = "$[0,2]"})->bytes == "1.50\n\"three\"");
  CHECK(service->Retrieve(token, {.json_path = "$[0:2]", .lines = {{3, 3}}})->bytes == " {\"b\" : 2}");
  CHECK(service->Retrieve(token, {.json_path = "$[1:]", .pattern = "e"})->bytes == "4: \"three\"\n");
  CHECK(service->Retrieve(token, {.json_path = "$[7]"})->note == "json_path matches nothing in this original");
  CHECK(service->Retrieve(token, {.json_path = "$["}).error().cause == Cause::kInvalid);
  std::string coloured = StoredIn(*service, "\x1b[1m[\x1b[0m1, \x1b[32m\"a\"\x1b[0m, {\x1b[34m\"b\"\x1b[0m: 2}]\n");
  CHECK(service->Retrieve(coloured, {.json_path = "$[1]"})->bytes == "\"a\"");
  CHECK(service->Retrieve(coloured, {.json_path = "$[2]"})->bytes == "{\x1b[34m\"b\"\x1b[0m: 2}");
  std::string text = StoredIn(*service, "not json");
  CHECK(service->Retrieve(text, {.json_path = "$"}).error().cause == Cause::kInvalid);
}

TEST_CASE("misses say which they are, before and after asking a tier") {
  ScratchFolder folder;
  auto service = OpenedIn(folder.path());
  CHECK(service->Retrieve("zz", {}).error().cause == Cause::kInvalid);
  CHECK(service->Retrieve("5622B87934180AFC4F75CF4B", {}).error().cause == Cause::kInvalid);
  CHECK(service->Retrieve(std::string(24, 'f'), {}).error().cause == Cause::kNotFound);
  std::string token = StoredIn(*service, "gone soon");
  CHECK(service->store().Purge({.name_space = {}, .token = token, .older_than_seconds = {}, .all = false}).ok());
  CHECK(service->Retrieve(token, {}).error().cause == Cause::kPurged);
  CHECK(service->Retrieve(token, {.limit = 0}).ok() == false);
}

TEST_CASE("the full digest and its first 32 digits name the original too") {
  ScratchFolder folder;
  auto service = OpenedIn(folder.path());
  StoredIn(*service, "hello\n");
  std::string digest = HexOf(Sha256Of("hello\n"));
  CHECK(service->Retrieve(digest, {})->bytes == "hello\n");
  CHECK(service->Retrieve(digest.substr(0, 32), {})->bytes == "hello\n");
}

TEST_CASE("a person may write last, a beginning or a footer, a program may not") {
  ScratchFolder folder;
  auto service = OpenedIn(folder.path());
  CHECK(service->TokenMeant("last").error().cause == Cause::kNotFound);
  std::string token = StoredIn(*service, "hello\n");
  CHECK(*service->TokenMeant("last") == token);
  CHECK(*service->TokenMeant(token.substr(0, 6)) == token);
  CHECK(*service->TokenMeant("[PARTIAL view of 6 bytes, 1 line; full original: pith retrieve " + token + "]") == token);
  CHECK(service->TokenMeant(token.substr(0, 3)).error().cause == Cause::kInvalid);
  CHECK(service->TokenMeant("ffff").error().cause == Cause::kNotFound);
  CHECK(service->TokenMeant("what").error().cause == Cause::kInvalid);
  CHECK(service->Retrieve(token.substr(0, 6), {}).error().cause == Cause::kInvalid);
}

TEST_CASE("memory only: a process that lives keeps originals without a file") {
  ScratchFolder folder;
  ServiceOptions options = OptionsIn(folder / "never-made");
  options.store.memory_only = true;
  auto service = Service::Open(options).Take();
  std::string log = LogOf(2000);
  CompactOutcome outcome = service->Compact(log, {});
  REQUIRE_FALSE(outcome.token.empty());
  CHECK(service->Retrieve(outcome.token, {.limit = UINT64_MAX})->bytes == log);
  CHECK_FALSE(SystemFiles().Stat(folder / "never-made").ok());
}

}  // namespace pith
