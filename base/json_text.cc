#include "base/json_text.h"

#include <nlohmann/json.hpp>

namespace pith {

nlohmann::json ParseJson(std::string_view text) { return nlohmann::json::parse(text, nullptr, false); }

nlohmann::json ParseJsonWithComments(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, false, true);
}

nlohmann::ordered_json ParseOrderedJson(std::string_view text) {
  return nlohmann::ordered_json::parse(text, nullptr, false);
}

std::string JsonText(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string JsonText(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace pith
