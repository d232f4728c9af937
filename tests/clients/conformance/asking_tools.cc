// Tools that ask the client something while they run: by a request of their own in earlier revisions.
#include "tests/clients/conformance/fixtures.h"

namespace pith::mcp::fixtures {
namespace {

using nlohmann::json;

constexpr const char* kPromptSchema =
    R"({"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]})";
constexpr const char* kMessageSchema =
    R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})";

constexpr const char* kUserSchema = R"({"type":"object","properties":{
  "username":{"type":"string","description":"User's response"},
  "email":{"type":"string","description":"User's email address"}},"required":["username","email"]})";

constexpr const char* kDefaultsSchema = R"({"type":"object","properties":{
  "name":{"type":"string","default":"John Doe"},
  "age":{"type":"integer","default":30},
  "score":{"type":"number","default":95.5},
  "status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
  "verified":{"type":"boolean","default":true}},"required":[]})";

constexpr const char* kEnumsSchema = R"({"type":"object","properties":{
  "untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
  "titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},
    {"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
  "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
  "untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
  "titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},
    {"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}},"required":[]})";

ToolResult Failed(const Error& error) {
  ToolResult result = Text(error.sentence);
  result.is_error = true;
  return result;
}

ToolResult Elicit(CallContext& context, const std::string& message, const char* schema) {
  const json params = {{"message", message}, {"requestedSchema", json::parse(schema)}};
  const Result<std::string> answer = context.Ask("elicitation/create", params.dump());
  if (!answer.ok()) return Failed(answer.error());
  const json parsed = json::parse(*answer, nullptr, false);
  return Text("Elicitation completed: action=" + parsed.value("action", "") +
              ", content=" + parsed.value("content", json::object()).dump());
}

ToolResult Sample(CallContext& context, const std::string& prompt) {
  const json message = {{"role", "user"}, {"content", {{"type", "text"}, {"text", prompt}}}};
  const json params = {{"messages", json::array({message})}, {"maxTokens", 100}};
  const Result<std::string> answer = context.Ask("sampling/createMessage", params.dump());
  if (!answer.ok()) return Failed(answer.error());
  const json parsed = json::parse(*answer, nullptr, false);
  return Text("LLM response: " + parsed.value("/content/text"_json_pointer, ""));
}

}  // namespace

void AddAskingTools(Registry& registry) {
  auto& tools = registry.tools;
  tools.push_back(MakeTool(
      "test_sampling", "Asks the client's model",
      [](const json& arguments, CallContext& context) { return Sample(context, arguments.at("prompt")); },
      kPromptSchema));
  tools.push_back(MakeTool(
      "test_elicitation", "Asks the client's user",
      [](const json& arguments, CallContext& context) { return Elicit(context, arguments.at("message"), kUserSchema); },
      kMessageSchema));
  tools.push_back(MakeTool("test_elicitation_sep1034_defaults", "Asks with defaults", [](const json&, CallContext& c) {
    return Elicit(c, "Please review and update the form fields with defaults", kDefaultsSchema);
  }));
  tools.push_back(MakeTool("test_elicitation_sep1330_enums", "Asks with enums", [](const json&, CallContext& c) {
    return Elicit(c, "Please select options from the enum fields", kEnumsSchema);
  }));
}

}  // namespace pith::mcp::fixtures
