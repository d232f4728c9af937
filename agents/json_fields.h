// Reading of payloads whose shape belongs to somebody else: a field that is missing or of another type is empty.
#pragma once
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace pith {

using HookJson = nlohmann::ordered_json;

// The string at `key`, "" if there is none.
std::string TextAt(const HookJson& object, std::string_view key);
// The first of the keys that holds a string.
std::string FirstTextAt(const HookJson& object, std::initializer_list<std::string_view> keys);
// The object or other value at `key`; a null value if there is none.
const HookJson& FieldAt(const HookJson& object, std::string_view key);

// As one line of JSON; bytes that are not UTF-8 come out as U+FFFD.
std::string JsonLine(const HookJson& value);

// The joined text of an array of text blocks ({"type":"text","text":...}); nullopt when a block is of another type or
// the array is empty.
std::optional<std::string> TextOfBlocks(const HookJson& blocks);
// One text block.
HookJson BlocksOf(const std::string& text);

}  // namespace pith
