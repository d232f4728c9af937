// Reading JSON that others wrote: what is too deep to be handled safely is refused, everything else is as the library
// reads it.
#include "base/json_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace pith {
namespace {

std::string Nested(size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

}  // namespace

TEST_CASE("JSON of up to 500 levels is read, a deeper one is none, brackets in strings and comments do not count") {
  CHECK_FALSE(ParseJson(Nested(500)).is_discarded());
  CHECK(ParseJson(Nested(501)).is_discarded());
  CHECK(ParseOrderedJson(Nested(1000000)).is_discarded());
  CHECK(ParseJsonWithComments("/* [ */" + Nested(501)).is_discarded());
  const std::string many(1000, '[');
  CHECK(ParseJson("[\"" + many + "\\\"" + many + "\", \"\\\\\"]").size() == 2);
  CHECK(ParseJsonWithComments("// " + many + " don't \"\n[1, /* " + many + " */ 2]").size() == 2);
  bool too_large = false;
  CHECK(ParseJsonWithin({3, 100}, Nested(3), &too_large)[0][0].is_array());
  CHECK_FALSE(too_large);
  CHECK(ParseJsonWithin({3, 100}, Nested(4), &too_large).is_discarded());
  CHECK(too_large);
  CHECK(ParseJsonWithin({3, 4}, "[1,2,3]", &too_large).size() == 3);
  CHECK(ParseJsonWithin({3, 4}, "[1,2,3,4]", &too_large).is_discarded());
  CHECK(too_large);
  CHECK(ParseJsonWithin({3, 4}, "[1,", &too_large).is_discarded());
  CHECK_FALSE(too_large);
  CHECK(JsonText(ParseOrderedJson(R"({"z":1,"a":{"z":[2.5,-3]},"z":null,"":"x"})")) ==
        R"({"z":null,"a":{"z":[2.5,-3]},"":"x"})");
  std::string wide = "[";
  for (int i = 0; i < 1000; ++i) wide += "[],{},";
  CHECK(ParseOrderedJson(wide + "1]").size() == 2001);
  for (const char* none : {"", "\"", "\"\\", "[", "]", "/", "/*", "[1] 2"}) {
    CAPTURE(none);
    CHECK(ParseJson(none).is_discarded());
    CHECK(ParseJsonWithComments(none).is_discarded());
  }
}

}  // namespace pith
