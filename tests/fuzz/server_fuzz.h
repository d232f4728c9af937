// What the server's fuzz targets share: a small registry whose tool takes every type of argument, and a check that what
// comes out is one line of JSON.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "server/dispatch.h"

namespace pith::fuzz {

inline constexpr const char* kSchema = R"({
  "type": "object",
  "properties": {
    "text": {"type": "string", "minLength": 1, "maxLength": 20},
    "limit": {"type": "integer", "minimum": 1, "maximum": 500},
    "ratio": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    "mode": {"enum": ["a", "b", 3, null]},
    "range": {"type": "object", "properties": {"start": {"type": "integer"}}, "required": ["start"],
              "additionalProperties": {"type": "boolean"}},
    "items": {"type": "array", "items": {"type": ["string", "null"]}, "minItems": 1, "maxItems": 3}
  },
  "required": ["text"],
  "additionalProperties": false
})";

class Discard final : public mcp::Sink {
 public:
  void Send(std::string) override {}
  void Finish(std::string) override {}
};

inline const mcp::Registry& SmallRegistry() {
  static const mcp::Registry registry = [] {
    mcp::Registry made;
    made.name = "fuzz";
    made.version = "1";
    mcp::Tool tool;
    tool.name = "echo";
    tool.input_schema = kSchema;
    tool.call = [](const mcp::Json& arguments, mcp::CallContext& context) {
      context.Progress(1, 2, "half");
      mcp::ToolResult result;
      mcp::Content block;
      block.text = arguments.dump(-1, ' ', false, mcp::Json::error_handler_t::replace);
      result.content.push_back(std::move(block));
      return result;
    };
    made.tools.push_back(std::move(tool));
    made.list_resources = [](std::string_view, std::string_view) -> Result<mcp::ResourcePage> {
      return mcp::ResourcePage{};
    };
    made.read_resource = [](std::string_view, mcp::CallContext&) -> Result<std::vector<mcp::Content>> {
      return Error{Cause::kNotFound, "no such resource"};
    };
    made.complete = [](std::string_view, std::string_view, std::string_view,
                       std::string_view) -> Result<mcp::Completion> { return mcp::Completion{}; };
    return made;
  }();
  return registry;
}

inline void CheckReply(const std::string& reply) {
  if (reply.empty()) return;
  if (reply.find('\n') != std::string::npos || !mcp::Json::accept(reply)) std::abort();
}

// What a transport does with one text.
inline void ServeText(std::string_view text, mcp::Dispatcher& dispatcher,
                      const std::shared_ptr<mcp::Session>& session) {
  const mcp::Peer peer{session};
  const auto sink = std::make_shared<Discard>();
  Result<mcp::Json> parsed = mcp::ParseMessage(text);
  if (!parsed.ok()) return;
  if (parsed->is_array()) return CheckReply(dispatcher.RunBatch(parsed.Take(), peer, sink).reply);
  std::variant<mcp::Message, mcp::Misshapen> classified = mcp::Classify(parsed.Take());
  if (const auto* misshapen = std::get_if<mcp::Misshapen>(&classified)) {
    return CheckReply(mcp::ErrorReply(misshapen->id, misshapen->error));
  }
  auto& message = std::get<mcp::Message>(classified);
  if (message.kind != mcp::Message::Kind::kRequest) return mcp::Dispatcher::Notice(message, *session);
  mcp::Call call = dispatcher.Admit(std::move(message), peer);
  CheckReply(dispatcher.Run(call, peer, sink).reply);
}

}  // namespace pith::fuzz
