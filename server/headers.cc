// Comparison as the specification has it: names ignore case (the lookup does), values do not; surrounding blanks go;
// =?base64?...?= is decoded first; integers compare as numbers. Headers arrive here as they were sent: the transport
// must not undo %XX in them.
#include "server/headers.h"

#include <cstdlib>
#include <string>

#include "base/encoding.h"

namespace pith::mcp {
namespace {

constexpr std::string_view kBase64Open = "=?base64?";
constexpr std::string_view kBase64Close = "?=";

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

// True if the header `raw` says `value`.
bool Agrees(std::string_view raw, std::string_view value) { return HeaderValue(raw) == value; }

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

std::string_view Trimmed(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

std::string FindVersionMismatch(const HeaderLookup& header, const Message& message) {
  const Json& meta = message.params.at("_meta");
  const std::string& version = meta.at("io.modelcontextprotocol/protocolVersion").get_ref<const std::string&>();
  return CompareText(header, "mcp-protocol-version", "MCP-Protocol-Version", version, "the version");
}

std::string FindHeaderMismatch(const HeaderLookup& header, const Message& message, const MethodTraits* method) {
  std::string mismatch = CompareText(header, "mcp-method", "Mcp-Method", message.method, "the method");
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
