// JSON text to values and back, in one place: nlohmann/json's reader and writer are templates, and each file that uses
// them would compile them anew.
#pragma once
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace pith {

using OrderedJson = nlohmann::ordered_json;  // keys stay as they came

// What a text may hold at most. The depth is one that the library's recursion stands.
struct JsonLimits {
  size_t depth = 500;
  size_t values = SIZE_MAX;
};

// A value that is_discarded() where the text is no JSON, or nests deeper than 500 levels. Never throws.
nlohmann::json ParseJson(std::string_view text);
// The same within other limits; `too_large`, where given, tells whether it was these that the text passed.
nlohmann::json ParseJsonWithin(const JsonLimits& limits, std::string_view text, bool* too_large = nullptr);
nlohmann::json ParseJsonWithComments(std::string_view text);
OrderedJson ParseOrderedJson(std::string_view text);

// On one line, or with `indent` blanks a level. Bytes that are no UTF-8 become U+FFFD.
std::string JsonText(const nlohmann::json& value, int indent = -1);
std::string JsonText(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace pith
