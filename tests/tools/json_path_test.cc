#include "tools/json_path.h"

#include <doctest/doctest.h>

namespace pith {
namespace {

// The examples of RFC 9535 are over a bookstore; this one is of our own.
constexpr std::string_view kShop = R"({
  "orders": [
    {"id": 1, "who": "Ann", "sum": 12.5, "tags": ["a", "b"]},
    {"id": 2, "who": "Bob", "sum": 8, "open": true},
    {"id": 3, "who": "Zoë", "sum": 1e1, "tags": []},
    {"id": 4, "who": null}
  ],
  "odd name": {"x": {"y": 1}, "x": 2},
  "a'b": 7
})";

std::vector<std::string> Find(std::string_view document, std::string_view path) {
  JsonTape tape(document);
  REQUIRE(tape.Read(0));
  Result<JsonPath> parsed = JsonPath::Parse(path);
  REQUIRE_MESSAGE(parsed.ok(), parsed.error().sentence);
  Result<std::vector<uint32_t>> nodes = parsed->Find(tape);
  REQUIRE(nodes.ok());
  std::vector<std::string> texts;
  for (uint32_t node : *nodes) texts.emplace_back(tape.Text(node));
  return texts;
}

using Texts = std::vector<std::string>;

std::vector<std::string> Spans(std::string_view document, std::string_view path) {
  JsonTape tape(document);
  REQUIRE(tape.Read(0));
  Result<JsonPath> parsed = JsonPath::Parse(path);
  REQUIRE(parsed.ok());
  Result<std::vector<Span>> spans = parsed->Spans(tape);
  REQUIRE(spans.ok());
  std::vector<std::string> texts;
  for (const Span& span : *spans) texts.emplace_back(document.substr(span.begin, span.size()));
  return texts;
}

}  // namespace

TEST_CASE("json_path: names, indexes, wildcards") {
  CHECK(Find(kShop, "$.orders[0].who") == Texts{"\"Ann\""});
  CHECK(Find(kShop, "$['orders'][-1]['id']") == Texts{"4"});
  CHECK(Find(kShop, "$[\"a'b\"]") == Texts{"7"});
  CHECK(Find(kShop, R"($['a\'b'])") == Texts{"7"});
  CHECK(Find(kShop, "$.orders[*].id") == Texts{"1", "2", "3", "4"});
  CHECK(Find(kShop, "$.orders[0,2].id") == Texts{"1", "3"});
  CHECK(Find(kShop, "$.orders[9]").empty());
  CHECK(Find(kShop, "$.nothing.here").empty());
  CHECK(Find("[1]", "$") == Texts{"[1]"});
  CHECK(Find(R"({"\u0061": 1})", "$.a") == Texts{"1"});
  CHECK(Find(kShop, "$ .orders [ 0 ] .id") == Texts{"1"});
}

TEST_CASE("json_path: a name that stands twice is found twice, in the order of the text") {
  CHECK(Find(kShop, "$['odd name'].x") == Texts{"{\"y\": 1}", "2"});
}

TEST_CASE("json_path: slices, also backwards and past the ends") {
  constexpr std::string_view kList = "[0,1,2,3,4,5]";
  CHECK(Find(kList, "$[1:3]") == Texts{"1", "2"});
  CHECK(Find(kList, "$[4:]") == Texts{"4", "5"});
  CHECK(Find(kList, "$[:-4]") == Texts{"0", "1"});
  CHECK(Find(kList, "$[::2]") == Texts{"0", "2", "4"});
  CHECK(Find(kList, "$[5:1:-2]") == Texts{"5", "3"});
  CHECK(Find(kList, "$[::-1]") == Texts{"5", "4", "3", "2", "1", "0"});
  CHECK(Find(kList, "$[-2:]") == Texts{"4", "5"});
  CHECK(Find(kList, "$[10:20]").empty());
  CHECK(Find(kList, "$[::0]").empty());
  CHECK(Find(kList, "$[3:497]") == Texts{"3", "4", "5"});
}

TEST_CASE("json_path: slices agree with a slow reading of the rule, for all small cases") {
  for (int size = 0; size <= 5; ++size) {
    std::string list = "[";
    for (int at = 0; at < size; ++at) list += (at ? "," : "") + std::to_string(at);
    list += "]";
    for (int start = -6; start <= 6; ++start) {
      for (int end = -6; end <= 6; ++end) {
        for (int step = -3; step <= 3; ++step) {
          auto norm = [&](int place) { return place >= 0 ? place : size + place; };
          Texts expected;
          if (step > 0) {
            int low = std::min(std::max(norm(start), 0), size), high = std::min(std::max(norm(end), 0), size);
            for (int at = low; at < high; at += step) expected.push_back(std::to_string(at));
          } else if (step < 0) {
            int high = std::min(std::max(norm(start), -1), size - 1), low = std::min(std::max(norm(end), -1), size - 1);
            for (int at = high; at > low; at += step) expected.push_back(std::to_string(at));
          }
          std::string path =
              "$[" + std::to_string(start) + ":" + std::to_string(end) + ":" + std::to_string(step) + "]";
          CAPTURE(path);
          CHECK(Find(list, path) == expected);
        }
      }
    }
  }
}

TEST_CASE("json_path: descendants come in document order, keys are never values") {
  CHECK(Find(kShop, "$..id") == Texts{"1", "2", "3", "4"});
  CHECK(Find(kShop, "$..y") == Texts{"1"});
  CHECK(Find(R"({"id":{"id":5}})", "$..id") == Texts{"{\"id\":5}", "5"});
  CHECK(Find("[[1],[2,[3]]]", "$..[0]") == Texts{"[1]", "1", "2", "3"});
}

TEST_CASE("json_path: filters compare, test, combine and call") {
  CHECK(Find(kShop, "$.orders[?@.sum > 9].id") == Texts{"1", "3"});
  CHECK(Find(kShop, "$.orders[?@.sum == 10].id") == Texts{"3"});
  CHECK(Find(kShop, "$.orders[?@.open].id") == Texts{"2"});
  CHECK(Find(kShop, "$.orders[?!@.sum].id") == Texts{"4"});
  CHECK(Find(kShop, "$.orders[?@.who == null].id") == Texts{"4"});
  CHECK(Find(kShop, "$.orders[?@.id < 3 && (@.who == 'Bob' || @.who == 'Zoë')].id") == Texts{"2"});
  CHECK(Find(kShop, "$.orders[?@.missing == @.other].id") == Texts{"1", "2", "3", "4"});  // nothing equals nothing
  CHECK(Find(kShop, "$.orders[?length(@.who) == 3].id") == Texts{"1", "2", "3"});
  CHECK(Find(kShop, "$.orders[?count(@.tags[*]) == 2].id") == Texts{"1"});
  CHECK(Find(kShop, "$.orders[?match(@.who, 'B.b')].id") == Texts{"2"});
  CHECK(Find(kShop, "$.orders[?search(@.who, '[nb]')].id") == Texts{"1", "2"});
  CHECK(Find(kShop, "$.orders[?value(@.tags[0]) == 'a'].id") == Texts{"1"});
  CHECK(Find(kShop, "$.orders[?@.tags == $.orders[2].tags].id") == Texts{"3"});
  CHECK(Find(R"([{"a":{"x":1,"y":[2]}},{"a":3}])", R"($[?@.a == $[0].a].a)") == Texts{R"({"x":1,"y":[2]})"});
}

TEST_CASE("json_path: neighbours under one parent are one span, with what stands between") {
  CHECK(Spans("[10, 20 ,30, 40]", "$[1:3]") == Texts{"20 ,30"});
  CHECK(Spans("[10, 20]", "$[*]") == Texts{"10, 20"});
  CHECK(Spans(R"({"a": 1, "b": 2, "c": 3})", "$['a','b']") == Texts{R"(1, "b": 2)"});
  CHECK(Spans("[10,20,30]", "$[0,2]") == Texts{"10", "30"});
  CHECK(Spans("[[1,2],[3]]", "$[*][0]") == Texts{"1", "3"});
  CHECK(Spans("[1,2,3]", "$[?@ < 3]") == Texts{"1", "2"});
}

TEST_CASE("json_path: a repeated name is never a stretch, and stands for its last value in a comparison") {
  CHECK(Spans(R"({"a": 1, "a": 2})", "$.a") == Texts{"1", "2"});
  CHECK(Spans(R"({"a": 1, "b": 3, "a": 2})", "$['a','b']") == Texts{"1", "2", "3"});
  CHECK(Spans(R"({"a": 1, "\u0061": 2})", "$.a") == Texts{"1", "2"});
  CHECK(Spans(R"({"a": [1,2], "a": [3,4]})", "$.a[0:2]") == Texts{"1", "2", "3", "4"});
  CHECK(Spans(R"({"a": 1, "a": 2})", "$.*") == Texts{R"(1, "a": 2)"});  // by place, as a gap is named
  CHECK(Find(R"([{"k": 1, "k": 2, "id": 7}])", "$[?@.k == 2].id") == Texts{"7"});
  CHECK(Find(R"([{"k": 1, "k": 2, "id": 7}])", "$[?@.k == 1].id") == Texts{});
}

TEST_CASE("json_path: what is not valid is refused with the place") {
  for (const char* path : {"",
                           "orders",
                           "$.",
                           "$[",
                           "$[1",
                           "$['a",
                           "$[01]",
                           "$[-0]",
                           "$[1:2:3:4]",
                           "$[9007199254740992]",
                           "$..",
                           "$[?]",
                           "$[?@.a ==]",
                           "$[?1]",
                           "$[?@.a == @..b]",
                           "$[?@[*] == 1]",
                           "$[?count(1) == 1]",
                           "$[?length(@.a)]",
                           "$[?match(@.a)]",
                           "$[?match(@.a, '(')]",
                           "$[?nope(@)]",
                           "$[?(@.a]",
                           "$.a b",
                           "$['\\q']",
                           "$[?!@.a == 1]"}) {
    CAPTURE(path);
    Result<JsonPath> parsed = JsonPath::Parse(path);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.error().cause == Cause::kInvalid);
    CHECK(parsed.error().sentence.starts_with("json_path is not valid"));
  }
  CHECK(JsonPath::Parse("$" + std::string(5000, ' ')).error().cause == Cause::kTooLarge);
  CHECK_FALSE(JsonPath::Parse("$[?" + std::string(1000, '(') + "@" + std::string(1000, ')') + "]").ok());
}

TEST_CASE("json_path: deep documents and paths that name too much end within bounds") {
  std::string deep = std::string(100000, '[') + std::string(100000, ']');
  CHECK(Find(deep, "$..*").size() == 99999);
  JsonTape tape(deep);
  REQUIRE(tape.Read(0));
  Result<JsonPath> path = JsonPath::Parse("$..*..*..*");
  REQUIRE(path.ok());
  Result<std::vector<uint32_t>> nodes = path->Find(tape);
  REQUIRE_FALSE(nodes.ok());
  CHECK(nodes.error().cause == Cause::kTooLarge);
}

}  // namespace pith
