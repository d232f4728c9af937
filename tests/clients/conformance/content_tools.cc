#include <chrono>
#include <thread>

#include "tests/clients/conformance/fixtures.h"

namespace pith::mcp::fixtures {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds kBetween{50};

Content Blob(Content::Type type, std::string bytes, std::string mime_type) {
  Content content;
  content.type = type;
  content.blob = std::move(bytes);
  content.mime_type = std::move(mime_type);
  return content;
}

Content Embedded(std::string uri, std::string mime_type, std::string text) {
  Content content = TextBlock(std::move(text));
  content.type = Content::Type::kTextResource;
  content.uri = std::move(uri);
  content.mime_type = std::move(mime_type);
  return content;
}

ToolResult Mixed() {
  ToolResult result = Text("Multiple content types test:");
  result.content.push_back(Blob(Content::Type::kImage, OnePixelPng(), "image/png"));
  result.content.push_back(
      Embedded("test://mixed-content-resource", "application/json", R"({"test":"data","value":123})"));
  return result;
}

ToolResult Logs(CallContext& context) {
  for (const char* message : {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
    context.Log("info", message);
    std::this_thread::sleep_for(kBetween);
  }
  return Text("Logged three messages.");
}

ToolResult Progresses(CallContext& context) {
  for (const double done : {0.0, 50.0, 100.0}) {
    context.Progress(done, 100, "at " + std::to_string(static_cast<int>(done)));
    std::this_thread::sleep_for(kBetween);
  }
  return Text("Reported progress three times.");
}

// Runs until it is cancelled, at most ten seconds; reports progress all the while.
ToolResult RunsLong(CallContext& context) {
  for (int i = 1; i <= 1000 && !context.cancelled(); ++i) {
    context.Progress(i, std::nullopt, "");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return Text(context.cancelled() ? "cancelled" : "ran to its end");
}

constexpr const char* kDialectSchema = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {"address": {"$anchor": "addressDef", "type": "object",
                        "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
  "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
                 "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                 "phone": {"type": "string"}, "email": {"type": "string"}},
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false
})";

constexpr const char* kHeaderSchema = R"({
  "type": "object",
  "properties": {"region": {"type": "string", "x-mcp-header": "Region"},
                 "size": {"type": "integer", "x-mcp-header": "Size"},
                 "query": {"type": "string"}},
  "required": ["region"]
})";

}  // namespace

void AddContentTools(Registry& registry) {
  auto& tools = registry.tools;
  tools.push_back(MakeTool("test_simple_text", "Gives a text", [](const json&, CallContext&) {
    return Text("This is a simple text response for testing.");
  }));
  tools.push_back(MakeTool("test_image_content", "Gives an image", [](const json&, CallContext&) {
    return ToolResult{{Blob(Content::Type::kImage, OnePixelPng(), "image/png")}, false, "", ""};
  }));
  tools.push_back(MakeTool("test_audio_content", "Gives a sound", [](const json&, CallContext&) {
    return ToolResult{{Blob(Content::Type::kAudio, ShortWav(), "audio/wav")}, false, "", ""};
  }));
  tools.push_back(MakeTool("test_embedded_resource", "Gives a resource", [](const json&, CallContext&) {
    return ToolResult{
        {Embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")}, false, "", ""};
  }));
  tools.push_back(MakeTool("test_multiple_content_types", "Gives several blocks",
                           [](const json&, CallContext&) { return Mixed(); }));
  tools.push_back(MakeTool("test_resource_link", "Gives a link", [](const json&, CallContext&) {
    Content link;
    link.type = Content::Type::kResourceLink;
    link.uri = "test://static-text";
    link.name = "static text";
    return ToolResult{{link}, false, "", ""};
  }));
  tools.push_back(MakeTool("test_structured", "Gives structured content", [](const json&, CallContext&) {
    ToolResult result = Text("1");
    result.structured_json = R"({"value":1})";
    result.meta_json = R"({"dev.pith/result":{"value":1}})";
    return result;
  }));
  for (const char* name : {"test_tool_with_logging", "test_logging_tool"}) {
    tools.push_back(MakeTool(name, "Logs while it runs", [](const json&, CallContext& c) { return Logs(c); }));
  }
  tools.push_back(MakeTool("test_error_handling", "Fails", [](const json&, CallContext&) {
    ToolResult result = Text("This tool intentionally returns an error for testing");
    result.is_error = true;
    return result;
  }));
  tools.push_back(MakeTool("test_throwing", "Breaks its word",
                           [](const json& arguments, CallContext&) { return Text(arguments.at("absent").dump()); }));
  tools.push_back(MakeTool("test_invalid_utf8", "Gives a byte that is no UTF-8",
                           [](const json&, CallContext&) { return Text("before \xff after"); }));
  tools.push_back(MakeTool("test_tool_with_progress", "Reports progress",
                           [](const json&, CallContext& c) { return Progresses(c); }));
  tools.push_back(
      MakeTool("test_long_running", "Runs until cancelled", [](const json&, CallContext& c) { return RunsLong(c); }));
  tools.push_back(MakeTool(
      "json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features",
      [](const json& arguments, CallContext&) { return Text(arguments.dump()); }, kDialectSchema));
  tools.push_back(MakeTool(
      "test_header_parameters", "Has parameters that headers repeat",
      [](const json& arguments, CallContext&) { return Text(arguments.dump()); }, kHeaderSchema));
  const auto changes = registry.changes;
  tools.push_back(
      MakeTool("test_trigger_tool_change", "Says that the tools changed", [changes](const json&, CallContext&) {
        changes->Publish(ChangeFeed::Kind::kTools);
        return Text("said so");
      }));
  tools.push_back(
      MakeTool("test_trigger_prompt_change", "Says that the prompts changed", [changes](const json&, CallContext&) {
        changes->Publish(ChangeFeed::Kind::kPrompts);
        return Text("said so");
      }));
  tools.push_back(
      MakeTool("test_trigger_resource_update", "Says that a resource changed", [changes](const json&, CallContext&) {
        changes->Publish(ChangeFeed::Kind::kResource, "test://watched-resource");
        return Text("said so");
      }));
}

}  // namespace pith::mcp::fixtures
