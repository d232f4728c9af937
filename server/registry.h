// What an MCP server offers, as the protocol layer sees it: tools, resources, prompts, completion. The layer knows nothing
// of what stands behind; whoever builds a server fills a Registry and hands it over. Frozen once serving has begun.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pith::mcp {

// One block of a tool's or resource's content. Text must be UTF-8; bytes go as a blob (base64 on the wire).
struct Content {
  enum class Type : uint8_t { kText, kBlobResource, kTextResource, kImage, kAudio, kResourceLink } type = Type::kText;
  std::string text;       // kText, kTextResource
  std::string blob;       // raw bytes of the others
  std::string uri, mime_type, name;
};

struct ToolResult {
  std::vector<Content> content;
  bool is_error = false;
  std::string meta_json;  // an object for `_meta`, "" if none
  std::string structured_json;  // "" if none; Pith's own tools never set it (hosts then hide the text)
};

// What a handler may ask of the request it serves. Valid during the call; any thread.
class CallContext {
 public:
  virtual ~CallContext() = default;
  virtual bool cancelled() const = 0;
  virtual void Progress(double progress, std::optional<double> total, std::string_view message) = 0;  // rate-limited; no-op when not asked for
  virtual void Log(std::string_view level, std::string_view message) = 0;
  virtual std::string_view name_space() const = 0;  // of the bearer over HTTP; "" over stdio
  virtual bool over_http() const = 0;
};

struct Tool {
  std::string name, title, description;
  std::string input_schema;   // JSON text, "type":"object" at the root; arguments are checked against it before `call`
  std::string annotations;    // JSON object text, "" if none
  std::string meta;           // JSON object text for `_meta`, "" if none
  // Arguments are valid against input_schema. May run on several threads at once. Must not throw.
  std::function<ToolResult(const nlohmann::json& arguments, CallContext& context)> call;
};

struct Resource { std::string uri, name, title, description, mime_type; std::optional<uint64_t> size; };
struct ResourcePage { std::vector<Resource> resources; std::string next_cursor; };
struct ResourceTemplate { std::string uri_template, name, title, description, mime_type; };

struct PromptArgument { std::string name, title, description; bool required = false; };
struct PromptMessage { std::string role; Content content; };
struct Prompt {
  std::string name, title, description;
  std::vector<PromptArgument> arguments;
  std::function<Result<std::vector<PromptMessage>>(const nlohmann::json& arguments)> get;
};

struct Completion { std::vector<std::string> values; std::optional<uint64_t> total; bool has_more = false; };

struct Registry {
  std::string name, title, version, description, website, instructions;
  std::vector<Tool> tools;  // listed in this order
  std::vector<Prompt> prompts;
  std::vector<ResourceTemplate> resource_templates;
  // Null: the server has no resources / no completion, and does not declare them. Errors: kInvalid cursor, kNotFound uri.
  std::function<Result<ResourcePage>(std::string_view cursor, std::string_view name_space)> list_resources;
  std::function<Result<std::vector<Content>>(std::string_view uri, CallContext& context)> read_resource;
  std::function<Result<Completion>(std::string_view reference_type, std::string_view reference, std::string_view argument, std::string_view value)> complete;
};

}  // namespace pith::mcp
