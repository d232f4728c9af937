// Changes in files that belong to somebody else: only the bytes of the change differ, and taking it out restores them.
#include "agents/json_edit.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace pith {
namespace {

const std::vector<std::string> kFiles = {
    "{}",
    "{}\n",
    "{ }\n",
    "{\"a\":1}",
    "{\"a\": 1, \"hooks\": {\"PostToolUse\": []}}\n",
    "{\n  \"a\": 1\n}\n",
    "{\r\n\t\"a\": 1,\r\n\t\"env\": {\r\n\t\t\"X\": \"1\"\r\n\t}\r\n}\r\n",
    "// top\n{\n    // first\n    \"a\": [1, 2], /* mid */\n    \"env\": {\n        \"X\": \"{\\\"}\" // last\n    "
    "}\n}\n",
    "{\n  \"a\": 1,\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\"matcher\": \"Edit\"},\n    ],\n  },\n}\n",
    "\xef\xbb\xbf{\n  \"a\": \"\xc3\xa4\"\n}\n",
    "{\n  \"env\": {\"PITH\": \"no\"},\n  \"z\": null\n}",
};

std::string WithoutComments(const std::string& text) {
  return nlohmann::ordered_json::parse(text, nullptr, false, true).dump();
}

TEST_CASE("a member is added and taken out again without a trace, whatever the file looks like") {
  for (const std::string& before : kFiles) {
    Result<std::string> after = SetJson(before, {"env", "NAME"}, "\"value\"");
    REQUIRE_MESSAGE(after.ok(), before);
    Result<std::optional<std::string>> found = FindJson(*after, {"env", "NAME"});
    REQUIRE(found.ok());
    CHECK_MESSAGE(*found == "\"value\"", *after);
    const bool had_env = (*FindJson(before, {"env"})).has_value();
    Result<std::string> back = RemoveJson(*after, had_env ? JsonPath{"env", "NAME"} : JsonPath{"env"});
    REQUIRE(back.ok());
    if (before.find_first_not_of("{} \n") != std::string::npos) {
      CHECK_MESSAGE(*back == before, *after);
    } else {
      CHECK(back->starts_with("{}"));
    }
  }
}

TEST_CASE(
    "what is changed is what readers of the file see: the last of a doubled key, an escaped key by what it says") {
  for (const std::string& before : {std::string("{\"env\": {\"A\": \"1\"}, \"env\": {\"B\": \"2\"}}"),
                                    std::string("{\"\\u0065nv\": {\"B\": \"2\"}}")}) {
    Result<std::string> after = SetJson(before, {"env", "NAME"}, "\"value\"");
    REQUIRE(after.ok());
    const nlohmann::json read = nlohmann::json::parse(*after);
    CHECK(read["env"] == nlohmann::json{{"B", "2"}, {"NAME", "value"}});
    CHECK(*RemoveJson(*after, {"env", "NAME"}) == before);
  }
}

TEST_CASE("an element is appended behind those of others and taken out again without a trace") {
  const std::string element =
      "{\n  \"matcher\": \"ours\",\n  \"hooks\": [\n    {\n      \"command\": \"pith\"\n    }\n  ]\n}";
  for (const std::string& before : kFiles) {
    Result<std::string> after = AppendJson(before, {"hooks", "PostToolUse"}, element);
    REQUIRE_MESSAGE(after.ok(), before);
    Result<std::string> back = RemoveJsonElements(*after, {"hooks", "PostToolUse"}, [](std::string_view text) {
      return text.find("ours") != std::string_view::npos;
    });
    REQUIRE_MESSAGE(back.ok(), *after);
    if ((*FindJson(before, {"hooks", "PostToolUse"})).has_value()) CHECK_MESSAGE(*back == before, *after);
    CHECK(RemoveJsonElements(*back, {"hooks", "PostToolUse"}, [](std::string_view) { return false; }).error().cause ==
          Cause::kNotFound);
  }
}

TEST_CASE("what is written is JSON to a reader that knows comments") {
  for (const std::string& before : kFiles) {
    if (before.find(",\n}") != std::string::npos || before.find(",\n  }") != std::string::npos)
      continue;  // trailing commas
    Result<std::string> after =
        SetJson(before, {"mcpServers", "pith"}, "{\n  \"command\": \"/a b/pith\",\n  \"args\": [\"serve\"]\n}");
    REQUIRE(after.ok());
    const auto parsed = nlohmann::ordered_json::parse(*after, nullptr, false, true);
    REQUIRE_MESSAGE(!parsed.is_discarded(), *after);
    CHECK(parsed["mcpServers"]["pith"]["command"] == "/a b/pith");
  }
  CHECK(WithoutComments(*SetJson("", {"a", "b"}, "1")) == "{\"a\":{\"b\":1}}");
}

TEST_CASE("what is not JSON, not UTF-8 or of another shape is refused") {
  for (const std::string& text :
       {std::string("{"), std::string("{\"a\" 1}"), std::string("[1"), std::string("{\"a\":1} x"),
        std::string("\xff\xfe{\0}\0", 6), std::string(100000, '[')}) {
    CHECK_FALSE(SetJson(text, {"a"}, "1").ok());
    CHECK_FALSE(RemoveJson(text, {"a"}).ok());
  }
  CHECK(SetJson("{\"env\": []}", {"env", "A"}, "1").error().cause == Cause::kInvalid);
  CHECK(AppendJson("{\"hooks\": {\"PostToolUse\": {}}}", {"hooks", "PostToolUse"}, "1").error().cause ==
        Cause::kInvalid);
  CHECK(RemoveJson("{}", {"a", "b"}).error().cause == Cause::kNotFound);
}

}  // namespace
}  // namespace pith
