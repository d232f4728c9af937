#include "server/jsonrpc.h"

#include <doctest/doctest.h>

using namespace pith;       // NOLINT
using namespace pith::mcp;  // NOLINT

namespace {

std::string Repeat(std::string_view text, size_t times) {
  std::string repeated;
  for (size_t i = 0; i < times; ++i) repeated += text;
  return repeated;
}

}  // namespace

TEST_CASE("hostile JSON gives a cause, never a crash") {
  struct Row {
    const char* what;
    std::string text;
    std::optional<Cause> cause;  // none: it parses
  };
  const Row rows[] = {
      {"nothing", "", Cause::kInvalid},
      {"blank", "  \t ", Cause::kInvalid},
      {"truncated", R"({"a":[1,2)", Cause::kInvalid},
      {"two values", "1 2", Cause::kInvalid},
      {"a NUL byte", std::string("{\"a\":\"\0\"}", 9), Cause::kInvalid},
      {"an escaped NUL", R"({"a":"\u0000"})", {}},
      {"invalid UTF-8", "{\"a\":\"\xff\"}", Cause::kInvalid},
      {"a surrogate in UTF-8", "{\"a\":\"\xed\xa0\x80\"}", Cause::kInvalid},
      {"a byte order mark alone", "\xef\xbb\xbf", Cause::kInvalid},
      {"128 levels", Repeat("[", 128) + Repeat("]", 128), {}},
      {"129 levels", Repeat("[", 129) + Repeat("]", 129), Cause::kTooLarge},
      {"100,000 levels", Repeat("[", 100'000) + Repeat("]", 100'000), Cause::kTooLarge},
      {"100,000 levels of objects", Repeat("{\"a\":", 100'000), Cause::kTooLarge},
      {"a million values", "[" + Repeat("0,", 1'000'000) + "0]", Cause::kTooLarge},
      {"a number of 10,000 digits", "[" + Repeat("7", 10'000) + "]", Cause::kInvalid},
      {"1e400", "[1e400]", Cause::kInvalid},
      {"a literal that is none", "[nul]", Cause::kInvalid},
      {"a duplicate key", R"({"a":1,"a":2})", {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const Result<Json> parsed = ParseMessage(row.text);
    CHECK(parsed.ok() == !row.cause.has_value());
    if (!parsed.ok() && row.cause) CHECK(parsed.error().cause == *row.cause);
  }
}

TEST_CASE("of duplicate keys the last one wins") { CHECK((*ParseMessage(R"({"a":1,"a":2})"))["a"] == 2); }

TEST_CASE("a lone surrogate escape is read as U+FFFD, a pair as its character") {
  struct Row {
    const char* text;
    const char* value;
  };
  const Row rows[] = {
      {R"(["\ud83d"])", "\xef\xbf\xbd"},
      {R"(["\uDE00"])", "\xef\xbf\xbd"},
      {R"(["a\ud83db"])",
       "a\xef\xbf\xbd"
       "b"},
      {R"(["\ud83d\ud83d\ude00"])", "\xef\xbf\xbd\xf0\x9f\x98\x80"},
      {R"(["\ud83d\n"])", "\xef\xbf\xbd\n"},
      {R"(["\\ud83d \ud83d"])", "\\ud83d \xef\xbf\xbd"},
      {R"(["\ud83d\ude00"])", "\xf0\x9f\x98\x80"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const Result<Json> parsed = ParseMessage(row.text);
    REQUIRE(parsed.ok());
    CHECK((*parsed)[0] == row.value);
  }
}

TEST_CASE("messages are told apart by their members") {
  struct Row {
    const char* text;
    const char* kind;  // "request", "notification", "response", "misshapen"
    const char* id;    // JSON of the id that is answered
  };
  const Row rows[] = {
      {R"({"jsonrpc":"2.0","id":1,"method":"m"})", "request", "1"},
      {R"({"jsonrpc":"2.0","id":"x","method":"m","params":{}})", "request", "\"x\""},
      {R"({"jsonrpc":"2.0","id":"","method":"m"})", "request", "\"\""},
      {R"({"jsonrpc":"2.0","id":-9223372036854775808,"method":"m"})", "request", "-9223372036854775808"},
      {R"({"jsonrpc":"2.0","id":9223372036854775808,"method":"m"})", "request", "9223372036854775808"},
      {R"({"jsonrpc":"2.0","id":100000000000000000000,"method":"m"})", "misshapen", "null"},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", "misshapen", "null"},
      {R"({"jsonrpc":"2.0","id":null,"method":"m"})", "misshapen", "null"},
      {R"({"jsonrpc":"2.0","id":true,"method":"m"})", "misshapen", "null"},
      {R"({"jsonrpc":"2.0","id":{},"method":"m"})", "misshapen", "null"},
      {R"({"jsonrpc":"2.0","id":[1],"method":"m"})", "misshapen", "null"},
      {R"({"jsonrpc":"1.0","id":1,"method":"m"})", "misshapen", "1"},
      {R"({"id":1,"method":"m"})", "misshapen", "1"},
      {R"({"jsonrpc":2.0,"id":1,"method":"m"})", "misshapen", "1"},
      {R"({"jsonrpc":"2.0","id":1,"method":5})", "misshapen", "1"},
      {R"({"jsonrpc":"2.0","id":1})", "misshapen", "1"},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":[]})", "misshapen", "1"},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})", "misshapen", "1"},
      {R"({"jsonrpc":"2.0","method":"m"})", "notification", "null"},
      {R"({"jsonrpc":"2.0","method":"m","params":5})", "notification", "null"},
      {R"({"jsonrpc":"2.0","id":1,"result":{}})", "response", "1"},
      {R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}})", "response", "1"},
      {R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}})", "response", "null"},
      {"{}", "misshapen", "null"},
      {"5", "misshapen", "null"},
      {"\"text\"", "misshapen", "null"},
      {"null", "misshapen", "null"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::variant<Message, Misshapen> classified = Classify(ParseMessage(row.text).Take());
    if (const auto* message = std::get_if<Message>(&classified)) {
      const char* names[] = {"request", "notification", "response"};
      CHECK(std::string(names[static_cast<int>(message->kind)]) == row.kind);
      CHECK(Dump(message->id) == row.id);
    } else {
      CHECK(std::string("misshapen") == row.kind);
      CHECK(Dump(std::get<Misshapen>(classified).id) == row.id);
      CHECK(std::get<Misshapen>(classified).error.code == kInvalidRequest);
    }
  }
}

TEST_CASE("replies are one line of valid UTF-8 whatever they hold") {
  const std::string reply = ErrorReply("a\nb", {kInternalError, "bad \xff byte\n", OrderedJson{{"x", "\xc3"}}});
  CHECK(reply.find('\n') == std::string::npos);
  CHECK(Json::accept(reply));
  CHECK(NotificationText("m", {{"t", "\xff"}}).find("\xef\xbf\xbd") != std::string::npos);
}

TEST_CASE("what is quoted from a request is short and printable") {
  CHECK(Quotable("plain") == "plain");
  CHECK(Quotable("a\nb\x1b[2J\x7f") == "a b [2J ");
  CHECK(Quotable("\xff") == "\xef\xbf\xbd");
  CHECK(Quotable(std::string(1000, 'x'), 10) == std::string(10, 'x') + "...");
  CHECK(Quotable("ääää", 3) == "ä...");
}

TEST_CASE("text is written as the library writes it: escapes, invalid UTF-8, numbers, nesting") {
  const std::string bytes = [] {
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    return all;
  }();
  const Json rows[] = {nullptr,
                       true,
                       false,
                       0,
                       -1,
                       INT64_MIN,
                       UINT64_MAX,
                       1.5,
                       1e300,
                       2.0,
                       "",
                       "plain",
                       "quote \" backslash \\ newline \n tab \t bell \x07 delete \x7f",
                       "caf\xc3\xa9 \xf0\x9f\x98\x80",
                       "cut \xf0\x9f\x98",
                       "\xed\xa0\x80",
                       bytes,
                       bytes.substr(0, 128),
                       Json::object(),
                       Json::array(),
                       {1, "two", {3, {4}}},
                       {{"key \" of\n", {{"inner", Json::array({nullptr, 1})}}}, {"b", "\xff"}}};
  for (const Json& value : rows) {
    const std::string expected = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    CHECK(Dump(value) == expected);
    CHECK(Dump(OrderedJson::parse(expected)) == expected);
  }
  // Every string of up to three bytes over an alphabet of what matters.
  const std::string alphabet = std::string("a\"\n\x1f\x7f\x80\xbf\xc2\xe2\x82\xf0\x9f\xed\xff", 14);
  for (const char a : alphabet) {
    for (const char b : alphabet) {
      for (const char c : alphabet) {
        const Json value = std::string{a, b, c};
        CHECK(Dump(value) == value.dump(-1, ' ', false, Json::error_handler_t::replace));
      }
    }
  }
}
