#include <array>

#include "tests/clients/conformance/fixtures.h"

namespace pith::mcp::fixtures {

Tool MakeTool(std::string name, std::string description,
              std::function<ToolResult(const nlohmann::json&, CallContext&)> call, std::string schema) {
  Tool tool;
  tool.name = std::move(name);
  tool.title = tool.name;
  tool.description = std::move(description);
  tool.input_schema = schema.empty() ? R"({"type":"object","properties":{}})" : std::move(schema);
  tool.call = std::move(call);
  return tool;
}

Content TextBlock(std::string text) {
  Content content;
  content.text = std::move(text);
  return content;
}

ToolResult Text(std::string text) {
  ToolResult result;
  result.content.push_back(TextBlock(std::move(text)));
  return result;
}

std::string OnePixelPng() {
  constexpr std::array<unsigned char, 67> kBytes = {
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0,    0,    0,    13,   0x49, 0x48, 0x44, 0x52, 0,
      0,    0,    1,    0,    0,    0,    1,    8,    6,    0,    0,    0,    0x1F, 0x15, 0xC4, 0x89, 0,
      0,    0,    10,   0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0,    1,    0,    0,    5,    0,    1,
      0x0D, 0x0A, 0x2D, 0xB4, 0,    0,    0,    0,    0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};
  return {kBytes.begin(), kBytes.end()};
}

std::string ShortWav() {
  constexpr std::array<unsigned char, 46> kBytes = {
      'R', 'I',  'F',  'F', 38, 0,    0,    0, 'W', 'A', 'V', 'E', 'f', 'm', 't', ' ', 16,  0, 0, 0, 1, 0, 1,
      0,   0x40, 0x1F, 0,   0,  0x80, 0x3E, 0, 0,   2,   0,   16,  0,   'd', 'a', 't', 'a', 2, 0, 0, 0, 0, 0};
  return {kBytes.begin(), kBytes.end()};
}

Registry MakeRegistry() {
  Registry registry;
  registry.name = "pith-fixtures";
  registry.title = "Pith's protocol fixtures";
  registry.version = "1.0.0";
  registry.instructions = "Fixtures for tests of the protocol.";
  registry.logging = true;
  registry.resource_subscriptions = true;
  registry.tools_change = registry.prompts_change = registry.resources_change = true;
  registry.changes = std::make_shared<ChangeFeed>();
  AddContentTools(registry);
  AddAskingTools(registry);
  AddInputTools(registry);
  AddResources(registry);
  AddPrompts(registry);
  return registry;
}

}  // namespace pith::mcp::fixtures
