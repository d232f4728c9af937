// Events have a fixed form, one JSON object a line with "Action" and, for output, "Output". Looking for these two keys
// by text is enough: an event that is not of this form is read as the line that it is.
#include "compact/test_run/json.h"

namespace pith {
namespace {

constexpr std::string_view kActionKey = "\"Action\":\"";
constexpr std::string_view kOutputKey = "\"Output\":\"";

// The text of a JSON string up to its closing quote; escapes of one letter resolved, \uXXXX of ASCII too.
void Unescape(std::string_view inside, std::string& out) {
  out.clear();
  for (size_t i = 0; i < inside.size() && inside[i] != '"'; ++i) {
    if (inside[i] != '\\' || i + 1 >= inside.size()) {
      out += inside[i];
      continue;
    }
    char c = inside[++i];
    if (c == 'n' || c == 'r') continue;
    if (c == 'u' && i + 4 < inside.size()) {
      std::string_view hex = inside.substr(i + 1, 4);
      if (hex == "003c") out += '<';
      if (hex == "003e") out += '>';
      if (hex == "0026") out += '&';
      i += 4;
      continue;
    }
    out += c == 't' ? '\t' : c;
  }
}

}  // namespace

std::string_view UnwrapTestEvent(std::string_view line, TestEvent& event) {
  event.text = line;
  if (!line.starts_with("{\"") || line.substr(0, 256).find(kActionKey) == std::string_view::npos) return line;
  size_t output = line.find(kOutputKey);
  event.unwrapped.clear();
  if (output != std::string_view::npos) Unescape(line.substr(output + kOutputKey.size()), event.unwrapped);
  event.text = event.unwrapped;
  return event.text;
}

Row ReadTestEvent(std::string_view line, TestEvent& event) {
  std::string_view text = UnwrapTestEvent(line, event);
  if (text.empty() && !line.empty() && line.find(kOutputKey) == std::string_view::npos) return {RowRole::kProgress, {}};
  return ReadRow(text);
}

}  // namespace pith
