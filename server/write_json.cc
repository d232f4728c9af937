// The library looks at each byte of a string through a decoder's table. Most strings are valid UTF-8 with an escape now
// and then, so we check validity in one go and copy what lies between two escapes as a block. A string with invalid
// bytes goes to the library, so that both agree on what they are replaced by; so does a number with a fraction.
#include "server/write_json.h"

#include <array>
#include <charconv>

#include "base/utf8.h"

namespace pith::mcp {
namespace {

// What stands after the backslash, 'u' for the long form, 0 where the byte needs no escape.
constexpr std::array<char, 256> kEscapes = [] {
  std::array<char, 256> table{};
  for (size_t control = 0; control < 0x20; ++control) table[control] = 'u';
  table['\b'] = 'b';
  table['\f'] = 'f';
  table['\n'] = 'n';
  table['\r'] = 'r';
  table['\t'] = 't';
  table['"'] = '"';
  table['\\'] = '\\';
  return table;
}();

void WriteString(const std::string& text, std::string* out) {
  if (!IsUtf8(text)) {
    *out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  out->reserve(out->size() + text.size() + text.size() / 16 + 2);
  *out += '"';
  size_t from = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const char escape = kEscapes[byte];
    if (escape == 0) continue;
    out->append(text, from, at - from);
    from = at + 1;
    *out += '\\';
    *out += escape;
    if (escape != 'u') continue;
    constexpr std::string_view digits = "0123456789abcdef";
    *out += "00";
    *out += digits[byte >> 4];
    *out += digits[byte & 15];
  }
  out->append(text, from);
  *out += '"';
}

template <typename Integer>
void WriteInteger(Integer value, std::string* out) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out->append(digits.data(), end);
}

template <typename Value>
void Write(const Value& value, std::string* out) {
  switch (value.type()) {
    case Value::value_t::object: {
      char separator = '{';
      for (auto member = value.begin(); member != value.end(); ++member, separator = ',') {
        *out += separator;
        WriteString(member.key(), out);
        *out += ':';
        Write(*member, out);
      }
      *out += separator == '{' ? "{}" : "}";
      return;
    }
    case Value::value_t::array: {
      char separator = '[';
      for (const Value& element : value) {
        *out += separator;
        Write(element, out);
        separator = ',';
      }
      *out += separator == '[' ? "[]" : "]";
      return;
    }
    case Value::value_t::string:
      return WriteString(value.template get_ref<const std::string&>(), out);
    case Value::value_t::boolean:
      *out += value.template get<bool>() ? "true" : "false";
      return;
    case Value::value_t::number_integer:
      return WriteInteger(value.template get<int64_t>(), out);
    case Value::value_t::number_unsigned:
      return WriteInteger(value.template get<uint64_t>(), out);
    default:
      *out += value.dump(-1, ' ', false, Value::error_handler_t::replace);
  }
}

}  // namespace

void WriteJson(const Json& value, std::string* out) { Write(value, out); }
void WriteJson(const OrderedJson& value, std::string* out) { Write(value, out); }

}  // namespace pith::mcp
