#include "tests/clients/conformance/fixtures.h"

namespace pith::mcp::fixtures {
namespace {

using nlohmann::json;

Prompt MakePrompt(const char* name, const char* description, std::vector<PromptArgument> arguments,
                  std::function<std::vector<PromptMessage>(const json&)> messages) {
  Prompt prompt;
  prompt.name = name;
  prompt.description = description;
  prompt.arguments = std::move(arguments);
  prompt.get = [messages = std::move(messages)](const json& given) -> Result<std::vector<PromptMessage>> {
    return messages(given);
  };
  return prompt;
}

}  // namespace

void AddPrompts(Registry& registry) {
  registry.prompts.push_back(MakePrompt("test_simple_prompt", "A simple prompt", {}, [](const json&) {
    return std::vector<PromptMessage>{{"user", TextBlock("This is a simple prompt for testing.")}};
  }));
  registry.prompts.push_back(MakePrompt(
      "test_prompt_with_arguments", "A prompt with arguments",
      {{"arg1", "First", "First argument", true}, {"arg2", "Second", "Second argument", true}}, [](const json& given) {
        return std::vector<PromptMessage>{{"user", TextBlock("Prompt with arguments: arg1='" + given.value("arg1", "") +
                                                             "', arg2='" + given.value("arg2", "") + "'")}};
      }));
  registry.prompts.push_back(MakePrompt(
      "test_prompt_with_embedded_resource", "A prompt with a resource",
      {{"resourceUri", "Resource", "URI of the resource", true}}, [](const json& given) {
        Content resource = TextBlock("Embedded resource content for testing.");
        resource.type = Content::Type::kTextResource;
        resource.uri = given.value("resourceUri", "");
        resource.mime_type = "text/plain";
        return std::vector<PromptMessage>{{"user", resource}, {"user", TextBlock("Please process the resource.")}};
      }));
  registry.prompts.push_back(MakePrompt("test_prompt_with_image", "A prompt with an image", {}, [](const json&) {
    Content image;
    image.type = Content::Type::kImage;
    image.blob = OnePixelPng();
    image.mime_type = "image/png";
    return std::vector<PromptMessage>{{"user", image}, {"user", TextBlock("Please analyse the image.")}};
  }));
}

}  // namespace pith::mcp::fixtures
