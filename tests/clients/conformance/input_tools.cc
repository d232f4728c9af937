// Tools that ask by way of their result (revision 2026-07-28): the client calls again with what was asked for. Their
// state is sealed, since it comes back from a stranger: its text, a dot, and an HMAC of the text.
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

#include "base/encoding.h"
#include "tests/clients/conformance/fixtures.h"

namespace pith::mcp::fixtures {
namespace {

using nlohmann::json;

constexpr std::string_view kKey = "a key for tests only";
constexpr int kMissingCapability = -32021;
constexpr int kInvalid = -32602;

std::string Mac(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
  unsigned int size = 0;
  HMAC(EVP_sha256(), kKey.data(), static_cast<int>(kKey.size()), reinterpret_cast<const unsigned char*>(text.data()),
       text.size(), mac.data(), &size);
  return EncodeHex({reinterpret_cast<const char*>(mac.data()), size});
}

std::string Seal(std::string_view text) { return std::string(text) + '.' + Mac(text); }

std::optional<std::string> Unseal(std::string_view state) {
  const size_t dot = state.rfind('.');
  if (dot == std::string_view::npos || Mac(state.substr(0, dot)) != state.substr(dot + 1)) return std::nullopt;
  return std::string(state.substr(0, dot));
}

json Elicitation(const char* message, const char* field, const char* type = "string") {
  return {{"method", "elicitation/create"},
          {"params",
           {{"mode", "form"},
            {"message", message},
            {"requestedSchema",
             {{"type", "object"}, {"properties", {{field, {{"type", type}}}}}, {"required", json::array({field})}}}}}};
}
json Sampling(const char* question) {
  const json message = {{"role", "user"}, {"content", {{"type", "text"}, {"text", question}}}};
  return {{"method", "sampling/createMessage"}, {"params", {{"messages", json::array({message})}, {"maxTokens", 100}}}};
}
json Roots() { return {{"method", "roots/list"}, {"params", json::object()}}; }

ToolResult Need(const json& requests, std::string state = "") {
  ToolResult result;
  result.need.requests_json = requests.dump();
  result.need.state = std::move(state);
  return result;
}

// The client's answer under `key`, null if it is not there or not an object.
json Response(const CallContext& context, const char* key) {
  const json* responses = context.input_responses();
  if (responses == nullptr || !responses->contains(key) || !responses->at(key).is_object()) return nullptr;
  return responses->at(key);
}

std::string Answered(const json& response, const char* field) {
  const json content = response.value("content", json::object());
  if (content.is_object() && content.contains(field)) return content.at(field).dump();
  return response.dump();
}

ToolResult Fault(int code, const char* message, const char* data = "") {
  ToolResult result;
  result.fault = {code, message, data};
  return result;
}

// Asks `requests` until all of them are answered, then says `done`.
ToolResult AskAll(CallContext& context, const json& requests, const char* state, const std::string& done) {
  const std::string sealed = *state == '\0' ? "" : Seal(state);
  if (!context.request_state().empty() && *state != '\0' && Unseal(context.request_state()) != std::string(state)) {
    return Fault(kInvalid, "the requestState was not made by this server");
  }
  std::string text = done;
  for (const auto& [key, request] : requests.items()) {
    const json response = Response(context, key.c_str());
    if (response.is_null()) return Need(requests, sealed);
    text += ' ' + response.dump();
  }
  return Text(text);
}

ToolResult MultiRound(CallContext& context) {
  const std::string_view given = context.request_state();
  const std::optional<std::string> state = given.empty() ? std::string() : Unseal(given);
  if (!state) return Fault(kInvalid, "the requestState was not made by this server");
  const json first = Response(context, "step1");
  if (state->empty() || (*state == "round-1" && first.is_null())) {
    return Need({{"step1", Elicitation("Step 1: What is your name?", "name")}}, Seal("round-1"));
  }
  if (*state == "round-1") {
    return Need({{"step2", Elicitation("Step 2: What is your favourite colour?", "color")}},
                Seal("round-2 " + Answered(first, "name")));
  }
  const json second = Response(context, "step2");
  if (second.is_null()) {
    return Need({{"step2", Elicitation("Step 2: What is your favourite colour?", "color")}}, std::string(given));
  }
  return Text("Hello " + state->substr(std::string_view("round-2 ").size()) + ", you like " +
              Answered(second, "color"));
}

ToolResult OnlyWhatIsDeclared(CallContext& context) {
  json requests = json::object();
  const json& declared = *context.client_capabilities();
  if (declared.contains("sampling")) requests["capital_question"] = Sampling("What is the capital of France?");
  if (declared.contains("elicitation")) requests["user_name"] = Elicitation("What is your name?", "name");
  if (declared.contains("roots")) requests["client_roots"] = Roots();
  return requests.empty() ? Text("nothing can be asked of this client") : AskAll(context, requests, "", "Asked:");
}

void AddInputTool(Registry& registry, const char* name, json requests, const char* state, const char* done) {
  registry.tools.push_back(MakeTool(name, "Asks by its result", [=](const json&, CallContext& context) {
    return AskAll(context, requests, state, done);
  }));
}

}  // namespace

void AddInputTools(Registry& registry) {
  const json name = Elicitation("What is your name?", "name");
  const json confirm = Elicitation("Please confirm", "ok", "boolean");
  const json capital = Sampling("What is the capital of France?");
  AddInputTool(registry, "test_input_required_result_elicitation", {{"user_name", name}}, "", "Hello");
  AddInputTool(registry, "test_input_required_result_sampling", {{"capital_question", capital}}, "", "Said:");
  AddInputTool(registry, "test_input_required_result_list_roots", {{"client_roots", Roots()}}, "", "Roots:");
  AddInputTool(registry, "test_input_required_result_request_state", {{"confirm", confirm}}, "confirm", "state-ok");
  AddInputTool(registry, "test_input_required_result_tampered_state", {{"confirm", confirm}}, "tamper", "state-ok");
  AddInputTool(registry, "test_input_required_result_multiple_inputs",
               {{"user_name", name}, {"greeting", Sampling("Write a greeting")}, {"client_roots", Roots()}}, "many",
               "All:");
  AddInputTool(registry, "test_streaming_elicitation", {{"user_name", name}}, "", "Hello");
  registry.tools.push_back(MakeTool("test_input_required_result_multi_round", "Asks twice",
                                    [](const json&, CallContext& context) { return MultiRound(context); }));
  registry.tools.push_back(MakeTool("test_input_required_result_capabilities", "Asks what the client can answer",
                                    [](const json&, CallContext& context) { return OnlyWhatIsDeclared(context); }));
  registry.tools.push_back(MakeTool("test_missing_capability", "Needs sampling", [](const json&, CallContext& context) {
    if (context.client_capabilities()->contains("sampling")) return Text("The client can sample.");
    return Fault(kMissingCapability, "this tool needs the client capability sampling",
                 R"({"requiredCapabilities":{"sampling":{}}})");
  }));
  Prompt prompt;
  prompt.name = "test_input_required_result_prompt";
  prompt.description = "A prompt that asks by its result";
  prompt.get_in_context = [](const json&, CallContext& context) {
    PromptResult result;
    const json response = Response(context, "user_context");
    if (response.is_null()) {
      result.need.requests_json = json{{"user_context", Elicitation("What context?", "context")}}.dump();
    } else {
      result.messages.push_back({"user", TextBlock("Context: " + Answered(response, "context"))});
    }
    return result;
  };
  registry.prompts.push_back(std::move(prompt));
}

}  // namespace pith::mcp::fixtures
