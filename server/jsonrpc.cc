// Reading JSON from strangers: within limits (json_text.h), which it passes or not in one pass. The library refuses a
// whole message for one lone surrogate escape: so a text that failed is read once more with lone surrogates written as
// U+FFFD, if it held any. Numbers beyond 64 bits arrive as doubles and are no legal id.
#include "server/jsonrpc.h"

#include <utility>

#include "base/json_text.h"
#include "base/utf8.h"
#include "server/write_json.h"

namespace pith::mcp {
namespace {

// The code unit of the escape \uXXXX at `at`, or -1.
int EscapedUnit(std::string_view text, size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int unit = 0;
  for (size_t i = at + 2; i < at + 6; ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

bool IsHighSurrogate(int unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsLowSurrogate(int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// Writes \ufffd over each escape of a lone surrogate. False if there was none.
bool RepairLoneSurrogates(std::string* text) {
  bool repaired = false;
  for (size_t i = text->find('\\'); i < text->size(); i = text->find('\\', i)) {
    const int unit = EscapedUnit(*text, i);
    if (IsHighSurrogate(unit) && IsLowSurrogate(EscapedUnit(*text, i + 6))) {
      i += 12;
    } else if (IsHighSurrogate(unit) || IsLowSurrogate(unit)) {
      text->replace(i, 6, "\\ufffd");
      repaired = true;
      i += 6;
    } else {
      i += 2;
    }
  }
  return repaired;
}

bool IsLegalId(const Json& id) { return id.is_string() || id.is_number_integer(); }

Misshapen Refuse(Json id, std::string message) {
  return Misshapen{std::move(id), RpcError{kInvalidRequest, std::move(message)}};
}

template <typename Value>
std::string TextOf(const Value& value) {
  std::string text;
  WriteJson(value, &text);
  return text;
}

}  // namespace

Result<Json> ParseMessage(std::string_view text, const JsonLimits& limits) {
  bool too_large = false;
  Json value = ParseJsonWithin(limits, text, &too_large);
  if (value.is_discarded() && !too_large && text.find("\\u") != std::string_view::npos) {
    std::string repaired(text);
    if (RepairLoneSurrogates(&repaired)) value = ParseJsonWithin(limits, repaired, &too_large);
  }
  if (!value.is_discarded()) return value;
  if (too_large) {
    return Error{Cause::kTooLarge, "the message nests deeper than " + std::to_string(limits.depth) +
                                       " levels or holds more than " + std::to_string(limits.values) + " values"};
  }
  return Error{Cause::kInvalid, "the message is not JSON"};
}

std::variant<Message, Misshapen> Classify(Json value) {
  if (!value.is_object()) return Refuse(nullptr, "a message must be a JSON object");
  const auto id = value.find("id");
  const bool has_id = id != value.end();
  const Json readable_id = has_id && IsLegalId(*id) ? *id : Json(nullptr);
  const auto version = value.find("jsonrpc");
  if (version == value.end() || *version != "2.0") return Refuse(readable_id, "`jsonrpc` must be \"2.0\"");

  Message message;
  const auto method = value.find("method");
  if (method == value.end() && (value.contains("result") || value.contains("error"))) {
    message.kind = Message::Kind::kResponse;
    message.id = readable_id;
    message.body = std::move(value);
    return message;
  }
  if (method == value.end() || !method->is_string()) return Refuse(readable_id, "`method` must be a string");
  if (has_id && !IsLegalId(*id)) return Refuse(nullptr, "`id` must be a string or a 64-bit integer");
  const auto params = value.find("params");
  const bool has_params = params != value.end();
  if (has_id && has_params && !params->is_object()) return Refuse(readable_id, "`params` must be an object");

  message.kind = has_id ? Message::Kind::kRequest : Message::Kind::kNotification;
  message.id = readable_id;
  message.method = std::move(method->get_ref<std::string&>());
  message.params = has_params && params->is_object() ? std::move(*params) : Json::object();
  return message;
}

std::string Dump(const Json& value) { return TextOf(value); }
std::string Dump(const OrderedJson& value) { return TextOf(value); }

std::string ResultReply(const Json& id, std::string_view result) {
  std::string reply = R"({"jsonrpc":"2.0","id":)";
  reply += Dump(id);
  reply += R"(,"result":)";
  reply += result;
  reply += '}';
  return reply;
}

std::string ErrorReply(const Json& id, const RpcError& error) {
  OrderedJson body{{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null()) body["data"] = error.data;
  return R"({"jsonrpc":"2.0","id":)" + Dump(id) + R"(,"error":)" + Dump(body) + '}';
}

std::string NotificationText(std::string_view method, const OrderedJson& params) {
  return Dump(OrderedJson{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

std::string RequestText(std::string_view id, std::string_view method, const OrderedJson& params) {
  return Dump(OrderedJson{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
}

std::string Quotable(std::string_view text, size_t limit) {
  const bool cut = text.size() > limit;
  std::string clean = ReplaceInvalidUtf8(text.substr(0, cut ? Utf8FloorBoundary(text, limit) : text.size()));
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return cut ? clean + "..." : clean;
}

}  // namespace pith::mcp
