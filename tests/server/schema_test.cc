#include "server/schema.h"

#include <doctest/doctest.h>

#include <cstring>

using pith::mcp::Json;
using pith::mcp::Schema;

namespace {

constexpr const char* kSchema = R"({
  "type": "object",
  "properties": {
    "token": {"type": "string", "minLength": 1, "maxLength": 8},
    "limit": {"type": "integer", "minimum": 1, "maximum": 500},
    "encoding": {"type": "string", "enum": ["text", "base64"]},
    "range": {"type": "object", "properties": {"start": {"type": "integer", "minimum": 1}}, "required": ["start"],
              "additionalProperties": false},
    "ratio": {"type": "number", "exclusiveMinimum": 0},
    "flag": {"type": "boolean"},
    "names": {"type": "array", "items": {"type": "string"}, "maxItems": 2}
  },
  "required": ["token"],
  "additionalProperties": false
})";

std::string FirstRefusal(const char* arguments) {
  static const Schema schema = Schema::Compile(kSchema).Take();
  Json parsed = Json::parse(arguments);
  const auto refusals = schema.Check(&parsed);
  return refusals.empty() ? "" : refusals[0];
}

}  // namespace

TEST_CASE("arguments are refused with a sentence that names the field, what was given and what is allowed") {
  struct Row {
    const char* arguments;
    const char* refusal;
  };
  const Row rows[] = {
      {R"({"token":"a"})", ""},
      {R"({"token":"a","limit":500,"encoding":"text","range":{"start":1},"ratio":0.5,"flag":true,"names":["x"]})", ""},
      {R"({"token":"a","limit":"all"})", "`limit` must be an integer from 1 to 500; got \"all\""},
      {R"({"token":"a","limit":0})", "`limit` must be an integer from 1 to 500; got 0"},
      {R"({"token":"a","limit":501})", "`limit` must be an integer from 1 to 500; got 501"},
      {R"({"token":"a","limit":1.5})", "`limit` must be an integer from 1 to 500; got 1.5"},
      {R"({"token":"a","limit":null})", "`limit` must be an integer from 1 to 500; got null"},
      {R"({})", "`token` is missing; it must be a string of 1 to 8 characters"},
      {R"({"token":""})", "`token` must be a string of 1 to 8 characters; got \"\""},
      {R"({"token":7})", "`token` must be a string of 1 to 8 characters; got 7"},
      {R"({"token":"a","encoding":"hex"})", "`encoding` must be one of \"text\", \"base64\"; got \"hex\""},
      {R"({"token":"a","range":{}})", "`range.start` is missing; it must be an integer at least 1"},
      {R"({"token":"a","range":[1]})", "`range` must be an object; got an array of 1"},
      {R"({"token":"a","range":{"start":1,"end":2}})", "unknown argument `range.end`; allowed: start"},
      {R"({"token":"a","ratio":0})", "`ratio` must be a number above 0; got 0"},
      {R"({"token":"a","flag":"yes"})", "`flag` must be true or false; got \"yes\""},
      {R"({"token":"a","names":["x",5]})", "`names[1]` must be a string; got 5"},
      {R"({"token":"a","names":["x","y","z"]})", "`names` must be an array of at most 2 items; got an array of 3"},
      {R"({"token":"a","lines_from":1})",
       "unknown argument `lines_from`; allowed: token, limit, encoding, range, ratio, flag, names"},
      {R"([])", "the arguments must be an object; got an array of 0"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.arguments);
    CHECK(FirstRefusal(row.arguments) == row.refusal);
  }
}

TEST_CASE("a length is counted in characters, not bytes") {
  CHECK(FirstRefusal(R"({"token":"ääääääää"})") == "");
  CHECK(FirstRefusal(R"({"token":"äääääääää"})") != "");
}

TEST_CASE("an integral number where an integer is due is made one") {
  const Schema schema = Schema::Compile(kSchema).Take();
  Json arguments = Json::parse(R"({"token":"a","limit":5.0})");
  CHECK(schema.Check(&arguments).empty());
  CHECK(arguments["limit"].is_number_integer());
}

TEST_CASE("a long value is not repeated in full, and control bytes not at all") {
  Json arguments = {{"token", std::string(100000, 'x') + "\n"}};
  const Schema schema = Schema::Compile(kSchema).Take();
  const std::string refusal = schema.Check(&arguments).at(0);
  CHECK(refusal.size() < 200);
  CHECK(refusal.find("(100001 bytes)") != std::string::npos);
  Json unknown = {{"token", "a"}, {"bad\nname", 1}};
  CHECK(schema.Check(&unknown).at(0).find('\n') == std::string::npos);
}

TEST_CASE("at most five refusals are given") {
  Json arguments = {{"token", "a"}};
  for (int i = 0; i < 20; ++i) arguments["extra" + std::to_string(i)] = i;
  CHECK(Schema::Compile(kSchema)->Check(&arguments).size() == 5);
}

TEST_CASE("a schema of the wrong form is refused") {
  CHECK_FALSE(Schema::Compile("[]").ok());
  CHECK_FALSE(Schema::Compile("{").ok());
  CHECK_FALSE(Schema::Compile(R"({"type":5})").ok());
  CHECK_FALSE(Schema::Compile(R"({"properties":[]})").ok());
  CHECK_FALSE(Schema::Compile(R"({"minimum":"1"})").ok());
  CHECK_FALSE(Schema::Compile(R"({"minLength":-1})").ok());
  CHECK_FALSE(Schema::Compile(R"({"maxItems":1e300})").ok());
}

TEST_CASE("header parameters are found along properties only") {
  const auto schema = Schema::Compile(R"({"type":"object","properties":{"a":{"type":"string","x-mcp-header":"Region"},
      "b":{"type":"object","properties":{"c":{"type":"integer","x-mcp-header":"Size"}}},
      "d":{"type":"array","items":{"type":"string","x-mcp-header":"No"}}}})");
  REQUIRE(schema.ok());
  REQUIRE(schema->header_parameters().size() == 2);
  CHECK(schema->header_parameters()[0].header == "Region");
  CHECK(schema->header_parameters()[1].path == std::vector<std::string>{"b", "c"});
}
