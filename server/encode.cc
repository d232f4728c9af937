// Each `if` here is a column of the revision table. Texts that a registry gives as JSON (schemas, annotations,
// metadata) are parsed into ordered objects, so that their keys reach the client in the order their author chose; one
// that is not JSON is left out rather than sent broken.
#include "server/encode.h"

#include <utility>

#include "base/encoding.h"
#include "base/json_text.h"

namespace pith::mcp {
namespace {

constexpr const char* kServerInfoKey = "io.modelcontextprotocol/serverInfo";

OrderedJson ParseObject(const std::string& text) {
  if (text.empty()) return nullptr;
  OrderedJson value = ParseOrderedJson(text);
  return value.is_object() ? value : OrderedJson(nullptr);
}

void AddText(OrderedJson* object, const char* key, const std::string& text) {
  if (!text.empty()) (*object)[key] = text;
}

void AddObject(OrderedJson* object, const char* key, const std::string& json_text) {
  OrderedJson value = ParseObject(json_text);
  if (!value.is_null()) (*object)[key] = std::move(value);
}

OrderedJson TextBlock(std::string text) { return {{"type", "text"}, {"text", std::move(text)}}; }

}  // namespace

bool Declares(const Registry& registry, Feature feature) {
  switch (feature) {
    case Feature::kNone:
      return true;
    case Feature::kTools:
      return !registry.tools.empty() || registry.tools_change;
    case Feature::kResources:
      return registry.list_resources != nullptr || registry.read_resource != nullptr;
    case Feature::kResourceSubscriptions:
      return registry.resource_subscriptions;
    case Feature::kPrompts:
      return !registry.prompts.empty() || registry.prompts_change;
    case Feature::kCompletions:
      return registry.complete != nullptr;
    case Feature::kLogging:
      return registry.logging;
  }
  return false;
}

OrderedJson EncodeCapabilities(const Registry& registry, const RevisionTraits& revision) {
  OrderedJson capabilities = OrderedJson::object();
  const auto declare = [&](const char* name, Feature feature, bool changes) {
    if (!Declares(registry, feature)) return;
    capabilities[name] = OrderedJson::object();
    if (changes) capabilities[name]["listChanged"] = true;
  };
  declare("tools", Feature::kTools, registry.tools_change);
  declare("resources", Feature::kResources, registry.resources_change);
  if (registry.resource_subscriptions) capabilities["resources"]["subscribe"] = true;
  declare("prompts", Feature::kPrompts, registry.prompts_change);
  if (revision.completions_capability) declare("completions", Feature::kCompletions, false);
  declare("logging", Feature::kLogging, false);
  return capabilities;
}

OrderedJson EncodeServerInfo(const Registry& registry, const RevisionTraits& revision) {
  OrderedJson info{{"name", registry.name}};
  if (revision.titles) AddText(&info, "title", registry.title);
  info["version"] = registry.version;
  if (revision.implementation_details) {
    AddText(&info, "description", registry.description);
    AddText(&info, "websiteUrl", registry.website);
  }
  return info;
}

OrderedJson EncodeTool(const Tool& tool, const RevisionTraits& revision) {
  OrderedJson encoded{{"name", tool.name}};
  if (revision.titles) AddText(&encoded, "title", tool.title);
  AddText(&encoded, "description", tool.description);
  OrderedJson schema = ParseObject(tool.input_schema);
  encoded["inputSchema"] = schema.is_null() ? OrderedJson{{"type", "object"}} : std::move(schema);
  if (revision.tool_annotations) AddObject(&encoded, "annotations", tool.annotations);
  if (revision.titles) AddObject(&encoded, "_meta", tool.meta);
  return encoded;
}

OrderedJson EncodeResourceContents(Content content) {
  OrderedJson encoded{{"uri", content.uri}};
  AddText(&encoded, "mimeType", content.mime_type);
  if (content.type == Content::Type::kBlobResource) {
    encoded["blob"] = EncodeBase64(content.blob);
  } else {
    encoded["text"] = std::move(content.text);
  }
  return encoded;
}

OrderedJson EncodeContent(Content content, const RevisionTraits& revision) {
  switch (content.type) {
    case Content::Type::kText:
      return TextBlock(std::move(content.text));
    case Content::Type::kTextResource:
    case Content::Type::kBlobResource:
      return {{"type", "resource"}, {"resource", EncodeResourceContents(std::move(content))}};
    case Content::Type::kImage:
      return {{"type", "image"}, {"data", EncodeBase64(content.blob)}, {"mimeType", content.mime_type}};
    case Content::Type::kAudio:
      if (!revision.audio) {
        return TextBlock("[" + std::to_string(content.blob.size()) + " bytes of " + content.mime_type +
                         ": this protocol revision carries no audio]");
      }
      return {{"type", "audio"}, {"data", EncodeBase64(content.blob)}, {"mimeType", content.mime_type}};
    case Content::Type::kResourceLink: {
      if (!revision.titles) return TextBlock("[Resource link: " + content.name + "] " + content.uri);
      OrderedJson link{{"type", "resource_link"}, {"uri", content.uri}, {"name", content.name}};
      AddText(&link, "mimeType", content.mime_type);
      AddText(&link, "description", content.text);
      return link;
    }
  }
  return TextBlock("");
}

OrderedJson EncodeToolResult(ToolResult result, const RevisionTraits& revision) {
  OrderedJson encoded = OrderedJson::object();
  OrderedJson& blocks = encoded["content"] = OrderedJson::array();
  for (Content& content : result.content) blocks.push_back(EncodeContent(std::move(content), revision));
  if (revision.titles && !result.structured_json.empty()) {
    OrderedJson structured = ParseOrderedJson(result.structured_json);
    const bool carried = revision.structured_any ? !structured.is_discarded() : structured.is_object();
    if (carried) encoded["structuredContent"] = std::move(structured);
  }
  if (result.is_error) encoded["isError"] = true;
  AddObject(&encoded, "_meta", result.meta_json);
  return encoded;
}

OrderedJson EncodeInputNeed(const InputNeed& need) {
  OrderedJson encoded{{"resultType", "input_required"}};
  AddObject(&encoded, "inputRequests", need.requests_json);
  AddText(&encoded, "requestState", need.state);
  return encoded;
}

OrderedJson EncodePrompt(const Prompt& prompt, const RevisionTraits& revision) {
  OrderedJson encoded{{"name", prompt.name}};
  if (revision.titles) AddText(&encoded, "title", prompt.title);
  AddText(&encoded, "description", prompt.description);
  if (prompt.arguments.empty()) return encoded;
  OrderedJson& arguments = encoded["arguments"] = OrderedJson::array();
  for (const PromptArgument& argument : prompt.arguments) {
    OrderedJson entry{{"name", argument.name}};
    if (revision.titles) AddText(&entry, "title", argument.title);
    AddText(&entry, "description", argument.description);
    if (argument.required) entry["required"] = true;
    arguments.push_back(std::move(entry));
  }
  return encoded;
}

OrderedJson EncodeResource(const Resource& resource, const RevisionTraits& revision) {
  OrderedJson encoded{{"uri", resource.uri}, {"name", resource.name}};
  if (revision.titles) AddText(&encoded, "title", resource.title);
  AddText(&encoded, "description", resource.description);
  AddText(&encoded, "mimeType", resource.mime_type);
  if (resource.size) encoded["size"] = *resource.size;
  return encoded;
}

OrderedJson EncodeTemplate(const ResourceTemplate& resource_template, const RevisionTraits& revision) {
  OrderedJson encoded{{"uriTemplate", resource_template.uri_template}, {"name", resource_template.name}};
  if (revision.titles) AddText(&encoded, "title", resource_template.title);
  AddText(&encoded, "description", resource_template.description);
  AddText(&encoded, "mimeType", resource_template.mime_type);
  return encoded;
}

void AddCommonFields(OrderedJson* result, const Registry& registry, const RevisionTraits& revision, uint64_t ttl_ms,
                     std::string_view cache_scope) {
  if (!revision.modern) return;
  if (!result->contains("resultType")) (*result)["resultType"] = "complete";
  if (!cache_scope.empty()) {
    (*result)["ttlMs"] = ttl_ms;
    (*result)["cacheScope"] = cache_scope;
  }
  (*result)["_meta"][kServerInfoKey] = EncodeServerInfo(registry, revision);
}

}  // namespace pith::mcp
