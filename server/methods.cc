// The methods, one function each. What the caller got wrong about the protocol is an error; what a model got wrong
// about a tool's arguments is a result with isError, because only that reaches the model.
#include <utility>

#include "base/json_text.h"
#include "server/context.h"
#include "server/dispatch.h"
#include "server/encode.h"

namespace pith::mcp {
namespace {

constexpr size_t kMostCompletions = 100;
constexpr uint64_t kDiscoverTtlMs = 3'600'000;

// A member of params of the given JSON type, or null.
const Json* Member(const Json& params, const char* name, Json::value_t type) {
  const auto found = params.find(name);
  return found != params.end() && found->type() == type ? &*found : nullptr;
}

const std::string* StringMember(const Json& params, const char* name) {
  const Json* member = Member(params, name, Json::value_t::string);
  return member == nullptr ? nullptr : &member->get_ref<const std::string&>();
}

RpcError BadParameter(const char* name, const char* must) {
  return RpcError{kInvalidParams, std::string("`") + name + "` must be " + must};
}

// Lists of one page take no cursor but the empty one, which stands for the start.
RpcError CheckSinglePage(const Json& params) {
  const auto cursor = params.find("cursor");
  if (cursor == params.end() || *cursor == "") return {};
  return RpcError{kInvalidParams, "invalid cursor"};
}

// A code that came with the newest revision is in earlier ones a fault of the parameters.
RpcError FaultError(const ProtocolFault& fault, const RevisionTraits& revision) {
  const bool unknown = !revision.modern && fault.code <= kHeaderMismatch && fault.code >= kLastModernCode;
  RpcError error{unknown ? static_cast<int>(kInvalidParams) : fault.code, fault.message};
  if (!fault.data_json.empty()) {
    error.data = ParseOrderedJson(fault.data_json);
    if (error.data.is_discarded()) error.data = nullptr;
  }
  return error;
}

ToolResult Refusal(const std::vector<std::string>& refusals) {
  std::string text = "Nothing was done:";
  for (const std::string& refusal : refusals) text += (refusals.size() > 1 ? "\n- " : " ") + refusal;
  return ToolResult{{Content{Content::Type::kText, std::move(text), "", "", "", ""}}, true, "", ""};
}

OrderedJson CompletionJson(Completion completion) {
  const bool cut = completion.values.size() > kMostCompletions;
  if (cut) completion.values.resize(kMostCompletions);
  OrderedJson encoded{{"values", completion.values}};
  if (completion.total) encoded["total"] = *completion.total;
  if (completion.has_more || cut) encoded["hasMore"] = true;
  return {{"completion", std::move(encoded)}};
}

// MRTR members must have their types before a handler sees them.
RpcError CheckInputMembers(const Json& params, const RevisionTraits& revision) {
  if (!revision.modern) return {};
  if (params.contains("inputResponses") && !params["inputResponses"].is_object()) {
    return BadParameter("inputResponses", "an object");
  }
  if (params.contains("requestState") && !params["requestState"].is_string()) {
    return BadParameter("requestState", "a string");
  }
  return {};
}

}  // namespace

Dispatcher::Answer Dispatcher::Finished(OrderedJson result, const Call& call, uint64_t ttl_ms,
                                        std::string_view scope) const {
  AddCommonFields(&result, registry_, *call.revision, ttl_ms, scope);
  return {Dump(result), {}, false};
}

Dispatcher::Answer Dispatcher::Serve(Call& call, const Peer& peer, const std::shared_ptr<Sink>& sink) {
  switch (call.method->method) {
    case Method::kInitialize:
      return Initialize(call, *peer.session);
    case Method::kPing:
      return {"{}", {}, false};
    case Method::kSetLevel:
      return SetLevel(call, *peer.session);
    case Method::kSubscribe:
    case Method::kUnsubscribe:
      return SubscribeResource(call, *peer.session);
    case Method::kDiscover:
      return Discover(call);
    case Method::kListen:
      return Listen(call, *peer.session, sink);
    case Method::kToolsList:
      return ListTools(call);
    case Method::kToolsCall:
      return CallTool(call, peer, sink);
    case Method::kResourcesList:
      return ListResources(call, peer);
    case Method::kTemplatesList:
      return ListTemplates(call);
    case Method::kResourcesRead:
      return ReadResource(call, peer, sink);
    case Method::kPromptsList:
      return ListPrompts(call);
    case Method::kPromptsGet:
      return GetPrompt(call, peer, sink);
    case Method::kComplete:
      return Complete(call);
  }
  return {"", RpcError{kInternalError, "the method has no handler"}, false};
}

// --- lifecycle -----------------------------------------------------------------------------------------------------

Dispatcher::Answer Dispatcher::Initialize(const Call& call, Session& session) const {
  const Json& params = call.message.params;
  const std::string* requested = StringMember(params, "protocolVersion");
  if (requested == nullptr) return {"", BadParameter("protocolVersion", "a string"), false};
  if (Member(params, "clientInfo", Json::value_t::object) == nullptr) {
    return {"", BadParameter("clientInfo", "an object"), false};
  }
  const auto capabilities = params.find("capabilities");
  if (capabilities != params.end() && !capabilities->is_object()) {
    return {"", BadParameter("capabilities", "an object"), false};
  }
  const RevisionTraits* revision = RevisionNamed(*requested);
  if (revision == nullptr || revision->modern) revision = &LatestLegacy();
  session.Initialize(*revision, capabilities == params.end() ? Json::object() : *capabilities);

  OrderedJson result{{"protocolVersion", revision->name},
                     {"capabilities", EncodeCapabilities(registry_, *revision)},
                     {"serverInfo", EncodeServerInfo(registry_, *revision)}};
  if (!registry_.instructions.empty()) result["instructions"] = registry_.instructions;
  return {Dump(result), {}, false};
}

Dispatcher::Answer Dispatcher::Discover(const Call& call) const {
  OrderedJson result{{"resultType", "complete"}, {"supportedVersions", OrderedJson::array()}};
  for (const RevisionTraits& row : Revisions()) {
    if (row.modern) result["supportedVersions"].push_back(row.name);
  }
  result["capabilities"] = EncodeCapabilities(registry_, *call.revision);
  if (!registry_.instructions.empty()) result["instructions"] = registry_.instructions;
  return Finished(std::move(result), call, kDiscoverTtlMs, "public");
}

Dispatcher::Answer Dispatcher::Listen(const Call& call, Session& session, const std::shared_ptr<Sink>& sink) {
  const auto filter = call.message.params.find("notifications");
  const Result<uint64_t> opened =
      subscriptions_.Open(call.message.id, filter == call.message.params.end() ? Json() : *filter, sink);
  if (!opened.ok()) {
    const int code = opened.error().cause == Cause::kInvalid ? kInvalidParams : kInternalError;
    return {"", RpcError{code, opened.error().sentence}, false};
  }
  session.OnCancel(call.message.id, call.cancelled, [this, handle = *opened] { subscriptions_.Close(handle); });
  return {"", {}, true};
}

Dispatcher::Answer Dispatcher::SetLevel(const Call& call, Session& session) const {
  const std::string* name = StringMember(call.message.params, "level");
  const std::optional<LogLevel> level = name == nullptr ? std::nullopt : LogLevelNamed(*name);
  if (!level) {
    return {"", BadParameter("level", "one of debug, info, notice, warning, error, critical, alert, emergency"), false};
  }
  session.set_log_level(*level);
  return {"{}", {}, false};
}

Dispatcher::Answer Dispatcher::SubscribeResource(const Call& call, Session& session) const {
  const std::string* uri = StringMember(call.message.params, "uri");
  if (uri == nullptr) return {"", BadParameter("uri", "a string"), false};
  if (call.method->method == Method::kSubscribe) {
    session.Subscribe(*uri);
  } else {
    session.Unsubscribe(*uri);
  }
  return {"{}", {}, false};
}

// --- tools ---------------------------------------------------------------------------------------------------------

// The list is the same for everyone who speaks a revision, so its text is made once.
Dispatcher::Answer Dispatcher::ListTools(const Call& call) {
  if (RpcError error = CheckSinglePage(call.message.params); error.code != 0) return {"", std::move(error), false};
  const auto make = [&] {
    OrderedJson result{{"tools", OrderedJson::array()}};
    for (const Tool& tool : registry_.tools) result["tools"].push_back(EncodeTool(tool, *call.revision));
    return Finished(std::move(result), call, registry_.list_ttl_ms, "public").result;
  };
  const auto at = static_cast<size_t>(call.revision->revision);
  std::call_once(tool_list_made_[at], [&] { tool_list_[at] = make(); });
  return {tool_list_[at], {}, false};
}

const Schema* Dispatcher::SchemaOf(ToolEntry& entry) const {
  std::call_once(entry.compiled, [&] {
    Result<Schema> compiled = Schema::Compile(entry.tool->input_schema);
    if (compiled.ok()) entry.schema = compiled.Take();
  });
  return entry.schema ? &*entry.schema : nullptr;
}

Dispatcher::Answer Dispatcher::CallTool(Call& call, const Peer& peer, const std::shared_ptr<Sink>& sink) {
  Json& params = call.message.params;
  const std::string* name = StringMember(params, "name");
  if (name == nullptr) return {"", BadParameter("name", "a string"), false};
  const auto entry = tools_.find(*name);
  if (entry == tools_.end()) return {"", RpcError{kInvalidParams, "unknown tool: " + Quotable(*name)}, false};
  if (!params.contains("arguments") || params["arguments"].is_null()) params["arguments"] = Json::object();
  Json& arguments = params["arguments"];
  if (!arguments.is_object()) return {"", BadParameter("arguments", "an object"), false};
  if (RpcError error = CheckInputMembers(params, *call.revision); error.code != 0) return {"", std::move(error), false};

  const Schema* schema = SchemaOf(entry->second);
  if (schema == nullptr) return {"", RpcError{kInternalError, "the tool's input schema cannot be read"}, false};
  if (call.revision->modern && peer.headers != nullptr) {
    const std::string mismatch = FindParameterMismatch(*peer.headers, *schema, arguments);
    if (!mismatch.empty()) return {"", RpcError{kHeaderMismatch, mismatch}, false};
  }
  ToolResult result;
  if (const std::vector<std::string> refusals = schema->Check(&arguments); !refusals.empty()) {
    result = Refusal(refusals);
  } else {
    RequestContext context({&registry_, call.revision, &params, peer.session.get(), peer.name_space, peer.over_http},
                           sink, call.cancelled);
    result = entry->second.tool->call(arguments, context);
  }
  if (result.fault.code != 0) return {"", FaultError(result.fault, *call.revision), false};
  if (result.need.any() && call.revision->modern) return Finished(EncodeInputNeed(result.need), call);
  return Finished(EncodeToolResult(std::move(result), *call.revision), call);
}

// --- resources -----------------------------------------------------------------------------------------------------

Dispatcher::Answer Dispatcher::ListResources(const Call& call, const Peer& peer) const {
  const auto cursor = call.message.params.find("cursor");
  const bool given = cursor != call.message.params.end();
  if (given && !cursor->is_string()) return {"", BadParameter("cursor", "a string"), false};
  OrderedJson result{{"resources", OrderedJson::array()}};
  if (registry_.list_resources) {
    const Result<ResourcePage> page =
        registry_.list_resources(given ? cursor->get_ref<const std::string&>() : std::string(), peer.name_space);
    if (!page.ok()) {
      const int code = page.error().cause == Cause::kInvalid ? kInvalidParams : kInternalError;
      return {"", RpcError{code, page.error().sentence}, false};
    }
    for (const Resource& resource : page->resources) {
      result["resources"].push_back(EncodeResource(resource, *call.revision));
    }
    if (!page->next_cursor.empty()) result["nextCursor"] = page->next_cursor;
  }
  return Finished(std::move(result), call, 0, "private");
}

Dispatcher::Answer Dispatcher::ListTemplates(const Call& call) const {
  if (RpcError error = CheckSinglePage(call.message.params); error.code != 0) return {"", std::move(error), false};
  OrderedJson result{{"resourceTemplates", OrderedJson::array()}};
  for (const ResourceTemplate& row : registry_.resource_templates) {
    result["resourceTemplates"].push_back(EncodeTemplate(row, *call.revision));
  }
  return Finished(std::move(result), call, registry_.list_ttl_ms, "public");
}

Dispatcher::Answer Dispatcher::ReadResource(const Call& call, const Peer& peer,
                                            const std::shared_ptr<Sink>& sink) const {
  const std::string* uri = StringMember(call.message.params, "uri");
  if (uri == nullptr) return {"", BadParameter("uri", "a string"), false};
  Result<std::vector<Content>> contents = Error{Cause::kNotFound, "no such resource"};
  if (registry_.read_resource) {
    RequestContext context(
        {&registry_, call.revision, &call.message.params, peer.session.get(), peer.name_space, peer.over_http}, sink,
        call.cancelled);
    contents = registry_.read_resource(*uri, context);
  }
  if (!contents.ok()) {
    const Cause cause = contents.error().cause;
    const bool gone =
        cause == Cause::kNotFound || cause == Cause::kExpired || cause == Cause::kEvicted || cause == Cause::kPurged;
    const int code = gone                       ? call.revision->resource_not_found
                     : cause == Cause::kInvalid ? static_cast<int>(kInvalidParams)
                                                : static_cast<int>(kInternalError);
    return {"", RpcError{code, contents.error().sentence, OrderedJson{{"uri", Quotable(*uri, 1000)}}}, false};
  }
  OrderedJson result{{"contents", OrderedJson::array()}};
  for (Content& content : *contents) result["contents"].push_back(EncodeResourceContents(std::move(content)));
  return Finished(std::move(result), call, registry_.read_ttl_ms, "private");
}

// --- prompts and completion ----------------------------------------------------------------------------------------

Dispatcher::Answer Dispatcher::ListPrompts(const Call& call) const {
  if (RpcError error = CheckSinglePage(call.message.params); error.code != 0) return {"", std::move(error), false};
  OrderedJson result{{"prompts", OrderedJson::array()}};
  for (const Prompt& prompt : registry_.prompts) result["prompts"].push_back(EncodePrompt(prompt, *call.revision));
  return Finished(std::move(result), call, registry_.list_ttl_ms, "public");
}

Dispatcher::Answer Dispatcher::GetPrompt(const Call& call, const Peer& peer, const std::shared_ptr<Sink>& sink) const {
  const Json& params = call.message.params;
  const std::string* name = StringMember(params, "name");
  if (name == nullptr) return {"", BadParameter("name", "a string"), false};
  const Prompt* prompt = nullptr;
  for (const Prompt& candidate : registry_.prompts) {
    if (candidate.name == *name) prompt = &candidate;
  }
  if (prompt == nullptr) return {"", RpcError{kInvalidParams, "unknown prompt: " + Quotable(*name)}, false};
  const auto given = params.find("arguments");
  const Json arguments = given == params.end() || given->is_null() ? Json::object() : *given;
  if (!arguments.is_object()) return {"", BadParameter("arguments", "an object"), false};
  for (const PromptArgument& argument : prompt->arguments) {
    const auto value = arguments.find(argument.name);
    if (value == arguments.end() ? argument.required : !value->is_string()) {
      return {"", BadParameter(argument.name.c_str(), "given, as a string"), false};
    }
  }
  if (RpcError error = CheckInputMembers(params, *call.revision); error.code != 0) return {"", std::move(error), false};

  PromptResult got;
  if (prompt->get_in_context) {
    RequestContext context({&registry_, call.revision, &params, peer.session.get(), peer.name_space, peer.over_http},
                           sink, call.cancelled);
    got = prompt->get_in_context(arguments, context);
  } else {
    Result<std::vector<PromptMessage>> messages = prompt->get(arguments);
    if (messages.ok()) {
      got.messages = messages.Take();
    } else {
      const bool asked_wrong = messages.error().cause == Cause::kInvalid || messages.error().cause == Cause::kNotFound;
      got.fault = {asked_wrong ? kInvalidParams : kInternalError, messages.error().sentence};
    }
  }
  if (got.fault.code != 0) return {"", FaultError(got.fault, *call.revision), false};
  if (got.need.any() && call.revision->modern) return Finished(EncodeInputNeed(got.need), call);
  OrderedJson result = OrderedJson::object();
  if (!prompt->description.empty()) result["description"] = prompt->description;
  result["messages"] = OrderedJson::array();
  for (PromptMessage& message : got.messages) {
    result["messages"].push_back(
        {{"role", message.role}, {"content", EncodeContent(std::move(message.content), *call.revision)}});
  }
  return Finished(std::move(result), call);
}

Dispatcher::Answer Dispatcher::Complete(const Call& call) const {
  const Json& params = call.message.params;
  const Json* reference = Member(params, "ref", Json::value_t::object);
  const Json* argument = Member(params, "argument", Json::value_t::object);
  const std::string* type = reference == nullptr ? nullptr : StringMember(*reference, "type");
  const bool of_prompt = type != nullptr && *type == "ref/prompt";
  const bool of_resource = type != nullptr && *type == "ref/resource";
  const std::string* target = of_prompt     ? StringMember(*reference, "name")
                              : of_resource ? StringMember(*reference, "uri")
                                            : nullptr;
  if (target == nullptr) return {"", BadParameter("ref", "a ref/prompt with name or a ref/resource with uri"), false};
  const std::string* name = argument == nullptr ? nullptr : StringMember(*argument, "name");
  const std::string* value = argument == nullptr ? nullptr : StringMember(*argument, "value");
  if (name == nullptr || value == nullptr) {
    return {"", BadParameter("argument", "an object with the strings name and value"), false};
  }
  Result<Completion> completion = registry_.complete(*type, *target, *name, *value);
  if (!completion.ok()) {
    const bool asked_wrong =
        completion.error().cause == Cause::kInvalid || completion.error().cause == Cause::kNotFound;
    return {"", RpcError{asked_wrong ? kInvalidParams : kInternalError, completion.error().sentence}, false};
  }
  return Finished(CompletionJson(completion.Take()), call);
}

}  // namespace pith::mcp
