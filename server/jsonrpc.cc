// Reading JSON from strangers. The library's own parse() is not enough here: it builds values as deep as the input asks
// for, and copying or dumping such a value overflows the stack at about 100,000 levels; it has no bound on the number
// of values, each of which costs sixteen bytes for two of input; and it refuses a whole message for one lone surrogate
// escape. So the builder below takes the library's events and stops at the limits, and a text that failed is read once
// more with lone surrogates written as U+FFFD, if it held any. Numbers beyond 64 bits arrive as doubles and are no
// legal id.
#include "server/jsonrpc.h"

#include <utility>
#include <vector>

#include "base/utf8.h"
#include "server/write_json.h"

namespace pith::mcp {
namespace {

class BoundedBuilder final : public nlohmann::json_sax<Json> {
 public:
  BoundedBuilder(Json* root, const JsonLimits& limits) : root_(root), limits_(limits) {}

  bool too_large() const { return too_large_; }

  bool null() override { return Add(nullptr) != nullptr; }
  bool boolean(bool value) override { return Add(value) != nullptr; }
  bool number_integer(number_integer_t value) override { return Add(value) != nullptr; }
  bool number_unsigned(number_unsigned_t value) override { return Add(value) != nullptr; }
  bool number_float(number_float_t value, const string_t&) override { return Add(value) != nullptr; }
  bool string(string_t& value) override { return Add(std::move(value)) != nullptr; }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return Open(Json::object()); }
  bool start_array(size_t) override { return Open(Json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(string_t& name) override {
    slot_ = &(*open_.back())[std::move(name)];
    return true;
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  // The place for the next value: the root, the end of the open array, or the slot that the last key made.
  Json* Add(Json value) {
    if (++values_ > limits_.values) {
      too_large_ = true;
      return nullptr;
    }
    if (open_.empty()) {
      *root_ = std::move(value);
      return root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    *slot_ = std::move(value);
    return slot_;
  }
  bool Open(Json container) {
    if (open_.size() >= limits_.depth) {
      too_large_ = true;
      return false;
    }
    Json* added = Add(std::move(container));
    if (added != nullptr) open_.push_back(added);
    return added != nullptr;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  Json* root_;
  JsonLimits limits_;
  std::vector<Json*> open_;
  Json* slot_ = nullptr;
  size_t values_ = 0;
  bool too_large_ = false;
};

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

Result<Json> ParseJson(std::string_view text, const JsonLimits& limits) {
  const auto attempt = [&](std::string_view candidate, bool* too_large) {
    Json value;
    BoundedBuilder builder(&value, limits);
    const bool parsed = Json::sax_parse(candidate.begin(), candidate.end(), &builder);
    *too_large = builder.too_large();
    return parsed ? std::optional<Json>(std::move(value)) : std::nullopt;
  };
  bool too_large = false;
  std::optional<Json> value = attempt(text, &too_large);
  if (!value && !too_large && text.find("\\u") != std::string_view::npos) {
    std::string repaired(text);
    if (RepairLoneSurrogates(&repaired)) value = attempt(repaired, &too_large);
  }
  if (value) return std::move(*value);
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
