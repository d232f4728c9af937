// One message of any kind, as its bytes came, over stdio and over HTTP in each revision: whether it is answered, with
// which code to which id, and with which status.
#include <doctest/doctest.h>

#include "tests/server/driver.h"

using namespace pith::mcp;        // NOLINT
using namespace pith::mcp::test;  // NOLINT

namespace {

constexpr int kNoAnswer = 1, kResult = 0;
constexpr int kAccepted = 202;

constexpr unsigned k2024_11 = 1, k2025_03 = 2, k2025_06 = 4, k2025_11 = 8, kModern = 16;
constexpr unsigned kLegacy = 15, kAll = 31;

struct Row {
  const char* what;
  unsigned revisions;
  std::string text;
  int code;    // of the error; kResult, kNoAnswer
  Json id;     // of the answer
  int status;  // over HTTP
};

bool Applies(const Row& row, const RevisionTraits& revision) {
  return (row.revisions & (1u << static_cast<unsigned>(revision.revision))) != 0;
}

std::string Repeat(std::string_view text, size_t times) {
  std::string repeated;
  for (size_t i = 0; i < times; ++i) repeated += text;
  return repeated;
}

// Shapes that are decided before any revision is: the same everywhere.
std::vector<Row> MisshapenRows() {
  const auto bad = [](const char* what, std::string text, int code, Json id = nullptr) {
    return Row{what, kAll, std::move(text), code, std::move(id), 400};
  };
  return {
      bad("no JSON", "nonsense", -32700),
      bad("a cut message", R"({"jsonrpc":"2.0","id":1,"method":"ping")", -32700),
      bad("two messages in one", R"({"jsonrpc":"2.0","id":1,"method":"ping"} {})", -32700),
      bad("invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xff\"}", -32700),
      bad("a NUL byte", R"({"jsonrpc":"2.0","id":")" + std::string(1, '\0') + R"(","method":"ping"})", -32700),
      bad("a number of 10,000 digits", R"({"jsonrpc":"2.0","id":)" + Repeat("9", 10'000) + R"(,"method":"ping"})",
          -32700),
      bad("1e400", R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1e400}})", -32700),
      bad("10,000 nested arrays", Repeat("[", 10'000) + Repeat("]", 10'000), -32600),
      bad("100,000 nested objects", Repeat("{\"a\":", 100'000) + "1" + Repeat("}", 100'000), -32600),
      bad("more than a million values", "[" + Repeat("0,", 1'000'000) + "0]", -32600),
      bad("an empty object", "{}", -32600),
      bad("a number", "5", -32600),
      bad("a text", "\"ping\"", -32600),
      bad("null", "null", -32600),
      bad("no `jsonrpc`", R"({"id":1,"method":"ping"})", -32600, 1),
      bad("`jsonrpc` 1.0", R"({"jsonrpc":"1.0","id":"a","method":"ping"})", -32600, "a"),
      bad("`jsonrpc` as a number", R"({"jsonrpc":2.0,"id":1,"method":"ping"})", -32600, 1),
      bad("no method", R"({"jsonrpc":"2.0","id":1})", -32600, 1),
      bad("a method that is no text", R"({"jsonrpc":"2.0","id":1,"method":5})", -32600, 1),
      bad("params that are an array", R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})", -32600, 1),
      bad("params that are a text", R"({"jsonrpc":"2.0","id":1,"method":"ping","params":"x"})", -32600, 1),
      bad("id null", R"({"jsonrpc":"2.0","id":null,"method":"ping"})", -32600),
      bad("id true", R"({"jsonrpc":"2.0","id":true,"method":"ping"})", -32600),
      bad("id 1.5", R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", -32600),
      bad("id 10^20", R"({"jsonrpc":"2.0","id":100000000000000000000,"method":"ping"})", -32600),
      bad("id that is an array", R"({"jsonrpc":"2.0","id":[1],"method":"ping"})", -32600),
      bad("id that is an object", R"({"jsonrpc":"2.0","id":{},"method":"ping"})", -32600),
  };
}

// Ids come back as they were, of whatever legal kind; `ping` where it exists, an unknown method everywhere.
std::vector<Row> IdRows() {
  const std::pair<const char*, Json> ids[] = {{"0", 0},
                                              {"-7", -7},
                                              {"9223372036854775807", INT64_MAX},
                                              {"9223372036854775808", uint64_t{1} << 63},
                                              {"-9223372036854775808", INT64_MIN},
                                              {"18446744073709551615", UINT64_MAX},
                                              {R"("")", ""},
                                              {R"("\u0000\n")", std::string("\0\n", 2)},
                                              {R"("\ud83d")", "\xef\xbf\xbd"},
                                              {R"("\ud83d\ude00")", "\xf0\x9f\x98\x80"}};
  const std::string modern = R"("params":{"_meta":)" + Dump(ModernMeta()) + "}";
  std::vector<Row> rows;
  for (const auto& [text, id] : ids) {
    const std::string begin = std::string(R"({"jsonrpc":"2.0","id":)") + text;
    rows.push_back({text, kLegacy, begin + R"(,"method":"ping"})", kResult, id, 200});
    rows.push_back({text, kLegacy, begin + R"(,"method":"no/such"})", -32601, id, 200});
    rows.push_back({text, kModern, begin + R"(,"method":"tools/list",)" + modern + "}", kResult, id, 200});
    rows.push_back({text, kModern, begin + R"(,"method":"no/such",)" + modern + "}", -32601, id, 404});
  }
  return rows;
}

std::vector<Row> OtherRows() {
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  const std::string notice = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  const auto silent = [](const char* what, std::string text) {
    return Row{what, kAll, std::move(text), kNoAnswer, nullptr, kAccepted};
  };
  const std::string stray_result = R"({"jsonrpc":"2.0","id":77,"result":{}})";
  const std::string stray_error = R"({"jsonrpc":"2.0","id":"pith-1","error":{"code":1,"message":"x"}})";
  return {
      silent("a notification", notice),
      silent("an unknown notification", R"({"jsonrpc":"2.0","method":"notifications/no_such"})"),
      silent("a notification whose params are an array", R"({"jsonrpc":"2.0","method":"x","params":[]})"),
      silent("a notification of a request's method", R"({"jsonrpc":"2.0","method":"tools/list"})"),
      silent("cancelling nothing", R"({"jsonrpc":"2.0","method":"notifications/cancelled"})"),
      silent("cancelling what does not run",
             R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}})"),
      silent("cancelling by an object",
             R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}})"),
      {"an answer to nothing", kLegacy, stray_result, kNoAnswer, nullptr, kAccepted},
      {"an error to nothing", kLegacy, stray_error, kNoAnswer, nullptr, kAccepted},
      {"duplicate keys: the last one counts", kLegacy,
       R"({"jsonrpc":"2.0","id":1,"id":2,"method":"x","method":"ping"})", kResult, 2, 200},
      {"unknown members", kLegacy, R"({"jsonrpc":"2.0","id":1,"method":"ping","extra":[1]})", kResult, 1, 200},
      {"blanks around", kLegacy, "  " + ping + "\t ", kResult, 1, 200},
      {"a batch", k2024_11 | k2025_06 | k2025_11 | kModern, "[" + ping + "]", -32600, nullptr, 400},
      {"an empty batch", kAll, "[]", -32600, nullptr, 400},
      {"a batch of notifications", k2025_03, "[" + notice + "," + notice + "]", kNoAnswer, nullptr, kAccepted},
      {"discovery without metadata", kLegacy, R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})", -32602, 1, 400},
  };
}

void Check(const std::vector<Row>& rows) {
  for (const RevisionTraits& revision : Revisions()) {
    for (const Row& row : rows) {
      if (!Applies(row, revision)) continue;
      CAPTURE(revision.name);
      CAPTURE(row.what);
      int status = 0;
      const Json over_stdio = RawOverStdio(revision, row.text);
      const Json over_http = RawOverHttp(revision, row.text, &status);
      const std::string shown = Dump(over_stdio).substr(0, 300);
      CAPTURE(shown);
      CAPTURE(Dump(over_http).substr(0, 300));
      CHECK((over_http == over_stdio));
      CHECK(status == row.status);
      if (row.code == kNoAnswer) {
        CHECK(over_stdio.is_null());
        continue;
      }
      REQUIRE(over_stdio.is_object());
      CHECK(over_stdio.value("/error/code"_json_pointer, 0) == row.code);
      CHECK(Dump(over_stdio.at("id")) == Dump(row.id));
    }
  }
}

}  // namespace

TEST_CASE("messages of no legal shape have the same code in every revision, over both transports") {
  Check(MisshapenRows());
}

TEST_CASE("an id comes back as it was sent, with results and with errors") { Check(IdRows()); }

TEST_CASE("what needs no answer gets none, and what no revision takes is refused") { Check(OtherRows()); }

TEST_CASE("a batch is answered with an array where the revision has batches, over both transports") {
  const RevisionTraits& revision = *RevisionNamed("2025-03-26");
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"method":"no/such"}])";
  int status = 0;
  const Json over_stdio = RawOverStdio(revision, batch);
  CHECK(RawOverHttp(revision, batch, &status) == over_stdio);
  CHECK(status == 200);
  REQUIRE(over_stdio.size() == 3);
  CHECK(over_stdio.at(0) == Json{{"jsonrpc", "2.0"}, {"id", 1}, {"result", Json::object()}});
  CHECK(over_stdio.at("/1/error/code"_json_pointer) == -32600);
  CHECK(over_stdio.at("/2/error/code"_json_pointer) == -32601);
}
