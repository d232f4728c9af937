#include "tests/clients/conformance/fixtures.h"

namespace pith::mcp::fixtures {
namespace {

using nlohmann::json;

constexpr std::string_view kTemplateHead = "test://template/";
constexpr std::string_view kTemplateTail = "/data";
constexpr std::string_view kSecondPage = "page-2";

Content TextResource(std::string_view uri, std::string mime_type, std::string text) {
  Content content = TextBlock(std::move(text));
  content.type = Content::Type::kTextResource;
  content.uri = uri;
  content.mime_type = std::move(mime_type);
  return content;
}

Result<std::vector<Content>> Read(std::string_view uri) {
  if (uri == "test://static-text") {
    return std::vector{TextResource(uri, "text/plain", "This is the content of the static text resource.")};
  }
  if (uri == "test://watched-resource") return std::vector{TextResource(uri, "text/plain", "Watched.")};
  if (uri == "test://static-binary") {
    Content content;
    content.type = Content::Type::kBlobResource;
    content.uri = uri;
    content.mime_type = "image/png";
    content.blob = OnePixelPng();
    return std::vector{content};
  }
  if (uri.starts_with(kTemplateHead) && uri.ends_with(kTemplateTail) &&
      uri.size() > kTemplateHead.size() + kTemplateTail.size()) {
    const std::string id(uri.substr(kTemplateHead.size(), uri.size() - kTemplateHead.size() - kTemplateTail.size()));
    const json data = {{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}};
    return std::vector{TextResource(uri, "application/json", data.dump())};
  }
  return Error{Cause::kNotFound, "there is no such resource"};
}

Result<ResourcePage> List(std::string_view cursor) {
  ResourcePage page;
  if (cursor.empty()) {
    page.resources = {{"test://static-text", "static text", "Static text", "A text", "text/plain", 48},
                      {"test://static-binary", "static binary", "Static binary", "A picture", "image/png", 67}};
    page.next_cursor = kSecondPage;
    return page;
  }
  if (cursor != kSecondPage) return Error{Cause::kInvalid, "invalid cursor"};
  page.resources = {{"test://watched-resource", "watched", "Watched", "A text that is watched", "text/plain", {}}};
  return page;
}

}  // namespace

void AddResources(Registry& registry) {
  registry.list_resources = [](std::string_view cursor, std::string_view) { return List(cursor); };
  registry.read_resource = [](std::string_view uri, CallContext&) { return Read(uri); };
  registry.resource_templates.push_back(
      {"test://template/{id}/data", "template", "Template", "Data of an id", "application/json"});
  registry.complete = [](std::string_view type, std::string_view reference, std::string_view argument,
                         std::string_view value) -> Result<Completion> {
    const bool known = type == "ref/resource" || reference == "test_prompt_with_arguments";
    if (!known) return Error{Cause::kNotFound, "nothing to complete there"};
    Completion completion;
    for (int i = 0; i < 150; ++i) {
      const std::string candidate = std::string(argument) + "-" + std::to_string(i);
      if (candidate.starts_with(value)) completion.values.push_back(candidate);
    }
    completion.total = completion.values.size();
    return completion;
  };
}

}  // namespace pith::mcp::fixtures
