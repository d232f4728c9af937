// JSON-RPC 2.0 as MCP uses it: reading one message, telling what it is, and writing replies. Bounded in depth and in
// the number of values; hostile input gives an error, never an exception. Pure functions, any thread.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "base/json_text.h"
#include "base/result.h"

namespace pith::mcp {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;  // for what we write: keys stay in the order a reader expects

// Codes of JSON-RPC and of MCP. Those of the range -32020 to -32099 belong to revision 2026-07-28.
enum ErrorCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kLegacyResourceNotFound = -32002,
  kHeaderMismatch = -32020,
  kMissingClientCapability = -32021,
  kUnsupportedProtocolVersion = -32022,
  kLastModernCode = -32099,  // the end of their range
};

struct RpcError {
  int code = 0;  // 0: no error
  std::string message = {};
  OrderedJson data = nullptr;  // null: left out
};

inline constexpr JsonLimits kMessageLimits = {128, 1'000'000};

// One JSON text. A lone surrogate escape, which JavaScript writes for a text cut inside an emoji, is read as U+FFFD.
// Errors: kInvalid (not JSON), kTooLarge (deeper or with more values than the limits).
Result<Json> ParseMessage(std::string_view text, const JsonLimits& limits = kMessageLimits);

// A message of the right shape.
struct Message {
  enum class Kind : uint8_t { kRequest, kNotification, kResponse } kind = Kind::kNotification;
  Json id;             // requests and responses: a string or an integer
  std::string method;  // requests and notifications
  Json params;         // an object; empty if the message had none
  Json body;           // responses: {"result": ...} or {"error": ...}
};

// A message of no legal shape: what to answer, to the id as far as it could be read (else null).
struct Misshapen {
  Json id;
  RpcError error;
};

// Tells what an object is. An object without id whose method is a string counts as a notification whatever else it
// holds (notifications are never answered); one with result or error and no method as a response.
std::variant<Message, Misshapen> Classify(Json value);

// Compact text, invalid UTF-8 replaced by U+FFFD; never throws.
std::string Dump(const Json& value);
std::string Dump(const OrderedJson& value);

// Whole messages, without newline. `result` is JSON text and is taken as it is.
std::string ResultReply(const Json& id, std::string_view result);
std::string ErrorReply(const Json& id, const RpcError& error);
std::string NotificationText(std::string_view method, const OrderedJson& params);
std::string RequestText(std::string_view id, std::string_view method, const OrderedJson& params);

// A piece of a request for use in a sentence: control bytes and invalid UTF-8 replaced, at most `limit` bytes.
std::string Quotable(std::string_view text, size_t limit = 80);

}  // namespace pith::mcp
