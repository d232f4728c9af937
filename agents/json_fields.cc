#include "agents/json_fields.h"
#include "base/json_text.h"

#include <optional>

namespace pith {

const HookJson& FieldAt(const HookJson& object, std::string_view key) {
  static const HookJson kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(std::string(key));
  return found == object.end() ? kNothing : *found;
}

std::string TextAt(const HookJson& object, std::string_view key) {
  const HookJson& field = FieldAt(object, key);
  return field.is_string() ? field.get<std::string>() : std::string();
}

std::string FirstTextAt(const HookJson& object, std::initializer_list<std::string_view> keys) {
  for (std::string_view key : keys) {
    if (std::string text = TextAt(object, key); !text.empty()) return text;
  }
  return {};
}

std::string JsonLine(const HookJson& value) { return JsonText(value); }

std::optional<std::string> TextOfBlocks(const HookJson& blocks) {
  if (!blocks.is_array() || blocks.empty()) return std::nullopt;
  std::string text;
  for (const HookJson& block : blocks) {
    if (TextAt(block, "type") != "text" || !FieldAt(block, "text").is_string()) return std::nullopt;
    text += TextAt(block, "text");
  }
  return text;
}

HookJson BlocksOf(const std::string& text) { return HookJson::array({{{"type", "text"}, {"text", text}}}); }

}  // namespace pith
