// Comparison as the specification has it: names ignore case (the lookup does), values do not; surrounding blanks go;
// =?base64?...?= is decoded first; integers compare as numbers. The HTTP library's decoding of %XX makes two different
// headers equal at times; what such a false agreement lets through is a request whose body was right anyway.
#include "server/headers.h"

#include <cstdlib>
#include <string>

#include "base/encoding.h"

namespace pith::mcp {
namespace {

constexpr std::string_view kBase64Open = "=?base64?";
constexpr std::string_view kBase64Close = "?=";

std::string_view Trimmed(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

bool IsPlain(std::string_view value) {
  for (const char c : value) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) return false;
  }
  return true;
}

// The value that a header stands for; none if its form is wrong.
std::optional<std::string> HeaderValue(std::string_view raw) {
  const std::string_view value = Trimmed(raw);
  if (!IsPlain(value)) return std::nullopt;
  const bool encoded = value.size() >= kBase64Open.size() + kBase64Close.size() && value.starts_with(kBase64Open) &&
                       value.ends_with(kBase64Close);
  if (!encoded) return std::string(value);
  return DecodeBase64(value.substr(kBase64Open.size(), value.size() - kBase64Open.size() - kBase64Close.size()));
}

bool IsEncoded(std::string_view raw) { return Trimmed(raw).starts_with(kBase64Open); }

std::optional<int> HexValue(std::string_view digits) {
  int value = 0;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    value = value * 16 + digit;
  }
  return value;
}

void AppendUtf8(int code, std::string* into) {
  if (code < 0x80) {
    *into += static_cast<char>(code);
  } else if (code < 0x800) {
    *into += static_cast<char>(0xC0 | (code >> 6));
    *into += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    *into += static_cast<char>(0xE0 | (code >> 12));
    *into += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    *into += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// True if the header that arrived as `raw` may have been sent for `value`.
bool Agrees(std::string_view raw, std::string_view value) {
  const bool as_decoded = !IsEncoded(raw) && IsPlain(value) && Trimmed(raw) == Trimmed(AsTheLibraryDecodes(value));
  return as_decoded || HeaderValue(raw) == value;
}

std::string CompareText(const HeaderLookup& header, const char* lower_name, const char* name, std::string_view value,
                        const char* what) {
  const std::optional<std::string> given = header(lower_name);
  if (!given) return std::string("the header ") + name + " is missing";
  if (Agrees(*given, value)) return "";
  return std::string("the header ") + name + " differs from " + what + " in the body";
}

bool NumbersAgree(const std::string& header, const Json& value) {
  char* end = nullptr;
  const double number = std::strtod(header.c_str(), &end);
  const bool plain = !header.empty() && header.find_first_not_of("0123456789+-.eE") == std::string::npos;
  return plain && end == header.c_str() + header.size() && number == value.get<double>();
}

bool ParameterAgrees(const std::string& raw_header, const Json& value) {
  if (value.is_string()) return Agrees(raw_header, value.get_ref<const std::string&>());
  const std::optional<std::string> header = HeaderValue(raw_header);
  if (!header) return false;
  if (value.is_boolean()) return *header == (value.get<bool>() ? "true" : "false");
  return value.is_number() && NumbersAgree(*header, value);
}

const Json* AtPath(const Json& root, const std::vector<std::string>& path) {
  const Json* at = &root;
  for (const std::string& name : path) {
    if (!at->is_object()) return nullptr;
    const auto member = at->find(name);
    if (member == at->end()) return nullptr;
    at = &*member;
  }
  return at->is_null() ? nullptr : at;
}

std::string Lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace

std::string AsTheLibraryDecodes(std::string_view value) {
  std::string decoded;
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '%' && i + 5 < value.size() && value[i + 1] == 'u') {
      if (const auto code = HexValue(value.substr(i + 2, 4))) {
        AppendUtf8(*code, &decoded);
        i += 5;
        continue;
      }
    } else if (value[i] == '%' && i + 2 < value.size()) {
      if (const auto code = HexValue(value.substr(i + 1, 2))) {
        decoded += static_cast<char>(*code);
        i += 2;
        continue;
      }
    }
    decoded += value[i];
  }
  return decoded;
}

std::string FindHeaderMismatch(const HeaderLookup& header, const Message& message, const MethodTraits* method) {
  const Json& meta = message.params.at("_meta");
  const std::string& version = meta.at("io.modelcontextprotocol/protocolVersion").get_ref<const std::string&>();
  std::string mismatch = CompareText(header, "mcp-protocol-version", "MCP-Protocol-Version", version, "the version");
  if (!mismatch.empty()) return mismatch;
  mismatch = CompareText(header, "mcp-method", "Mcp-Method", message.method, "the method");
  if (!mismatch.empty() || method == nullptr || method->name_parameter.empty()) return mismatch;
  const auto named = message.params.find(method->name_parameter);
  if (named == message.params.end() || !named->is_string()) return "";  // refused as a parameter later on
  return CompareText(header, "mcp-name", "Mcp-Name", named->get_ref<const std::string&>(), "the name");
}

std::string FindParameterMismatch(const HeaderLookup& header, const Schema& schema, const Json& arguments) {
  for (const Schema::HeaderParameter& parameter : schema.header_parameters()) {
    const std::string name = "Mcp-Param-" + parameter.header;
    const std::optional<std::string> given = header(Lower(name));
    const Json* value = AtPath(arguments, parameter.path);
    if (value == nullptr && given) return "the header " + name + " has no argument in the body";
    if (value != nullptr && !given) return "the header " + name + " is missing";
    if (value != nullptr && !ParameterAgrees(*given, *value)) {
      return "the header " + name + " differs from the argument in the body";
    }
  }
  return "";
}

}  // namespace pith::mcp
