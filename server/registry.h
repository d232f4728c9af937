// What an MCP server offers, as the protocol layer sees it: tools, resources, prompts, completion. The layer knows
// nothing of what stands behind; whoever builds a server fills a Registry and hands it over. Frozen once serving has
// begun.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
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
  std::string text;  // kText, kTextResource
  std::string blob;  // raw bytes of the others
  std::string uri, mime_type, name;
};

// A JSON-RPC error in place of a result. `code` 0: none.
struct ProtocolFault {
  int code = 0;
  std::string message = {};
  std::string data_json = {};  // JSON text, "" if none
};

// What a handler still needs from the client before it can answer (multi round-trip requests; revision 2026-07-28
// only).
struct InputNeed {
  std::string requests_json = {};  // object text: our key -> {"method", "params"}; "" if nothing is asked
  std::string state = {};          // opaque; comes back unchanged, and is to be treated as hostile
  bool any() const { return !requests_json.empty() || !state.empty(); }
};

struct ToolResult {
  std::vector<Content> content;
  bool is_error = false;
  std::string meta_json;        // an object for `_meta`, "" if none
  std::string structured_json;  // "" if none; Pith's own tools never set it (hosts then hide the text)
  InputNeed need = {};          // if any: sent instead of the content
  ProtocolFault fault = {};     // if its code is not 0: sent instead of a result
};

// What a handler may ask of the request it serves. Valid during the call; any thread.
class CallContext {
 public:
  virtual ~CallContext() = default;
  virtual bool cancelled() const = 0;
  virtual void Progress(double progress, std::optional<double> total,
                        std::string_view message) = 0;  // rate-limited; no-op when not asked for
  virtual void Log(std::string_view level, std::string_view message) = 0;
  virtual std::string_view name_space() const = 0;  // of the bearer over HTTP; "" over stdio
  virtual bool over_http() const = 0;

  // Revision 2026-07-28: what this very request declared and brought along. Null or empty when absent.
  virtual bool modern() const { return false; }
  virtual const nlohmann::json* client_capabilities() const { return nullptr; }
  virtual const nlohmann::json* input_responses() const { return nullptr; }
  virtual std::string_view request_state() const { return {}; }
  // Earlier revisions: a request to the client (sampling, elicitation, roots) and its result as JSON text. Blocks until
  // the answer, cancellation or two minutes. kUnsupported: no such road in this revision or transport, or the client
  // did not declare that it can be asked this.
  virtual Result<std::string> Ask(std::string_view method, std::string_view params_json) {
    (void)method, (void)params_json;
    return Error{Cause::kUnsupported, "this client cannot be asked"};
  }
  // Earlier revisions over HTTP: closes the event stream; the client comes back for the rest. No-op elsewhere.
  virtual void CloseStream() {}
};

struct Tool {
  std::string name, title, description;
  std::string input_schema;  // JSON text, "type":"object" at the root; arguments are checked against it before `call`
  std::string annotations;   // JSON object text, "" if none
  std::string meta;          // JSON object text for `_meta`, "" if none
  // Arguments are valid against input_schema. May run on several threads at once. Must not throw.
  std::function<ToolResult(const nlohmann::json& arguments, CallContext& context)> call;
};

struct Resource {
  std::string uri, name, title, description, mime_type;
  std::optional<uint64_t> size;
};
struct ResourcePage {
  std::vector<Resource> resources;
  std::string next_cursor;
};
struct ResourceTemplate {
  std::string uri_template, name, title, description, mime_type;
};

struct PromptArgument {
  std::string name, title, description;
  bool required = false;
};
struct PromptMessage {
  std::string role;
  Content content;
};
struct PromptResult {
  std::vector<PromptMessage> messages;
  InputNeed need = {};
  ProtocolFault fault = {};
};
struct Prompt {
  std::string name, title, description;
  std::vector<PromptArgument> arguments;
  std::function<Result<std::vector<PromptMessage>>(const nlohmann::json& arguments)> get;
  std::function<PromptResult(const nlohmann::json& arguments, CallContext& context)> get_in_context =
      {};  // wins if set
};

struct Completion {
  std::vector<std::string> values;
  std::optional<uint64_t> total;
  bool has_more = false;
};

// Changes that subscribers are told of. Whoever changes something publishes; the protocol layer listens. Thread-safe.
class ChangeFeed {
 public:
  enum class Kind : uint8_t { kTools, kPrompts, kResources, kResource };
  using Listener = std::function<void(Kind kind, std::string_view uri)>;
  void Publish(Kind kind, std::string_view uri = {});  // `uri` with kResource only
  uint64_t Listen(Listener listener);
  void Forget(uint64_t listener);

 private:
  std::mutex mutex_;
  uint64_t next_ = 1;
  std::map<uint64_t, Listener> listeners_;
};

struct Registry {
  std::string name, title, version, description, website, instructions;
  std::vector<Tool> tools;  // listed in this order
  std::vector<Prompt> prompts;
  std::vector<ResourceTemplate> resource_templates;
  // Null: the server has no resources / no completion, and does not declare them. Errors: kInvalid cursor, kNotFound
  // uri.
  std::function<Result<ResourcePage>(std::string_view cursor, std::string_view name_space)> list_resources;
  std::function<Result<std::vector<Content>>(std::string_view uri, CallContext& context)> read_resource;
  std::function<Result<Completion>(std::string_view reference_type, std::string_view reference,
                                   std::string_view argument, std::string_view value)>
      complete;

  // Declared features beyond the lists. A server whose lists never change leaves all of this alone.
  bool logging = false;  // messages of CallContext::Log reach the client; else nowhere
  bool resource_subscriptions = false;
  bool tools_change = false, prompts_change = false, resources_change = false;
  std::shared_ptr<ChangeFeed> changes = nullptr;  // null: nothing ever changes
  uint64_t read_ttl_ms = 0;                       // how long a client may reuse what resources/read gave; 0: not at all
  uint64_t list_ttl_ms = 3'600'000;               // likewise for the lists of tools, prompts and templates
};

}  // namespace pith::mcp
