// Changes in a JSON file that belongs to somebody else: only the bytes of the change differ. Comments (// and /* */),
// order, indentation, line ends, trailing commas and a byte order mark stay as they are.
//
// Paths are keys from the root. All functions give the whole new text. Errors: kInvalid (not JSON, not UTF-8, or a
// value on the path is of another type than the change needs), kNotFound (nothing there to take out), kTooLarge.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pith {

using JsonPath = std::vector<std::string>;

// Puts `value` (JSON text) at the path, in place of what is there; missing objects on the way are made. An empty text
// counts as {}.
Result<std::string> SetJson(std::string_view text, const JsonPath& path, std::string_view value);

// Appends `value` to the array at the path, which is made when it is missing.
Result<std::string> AppendJson(std::string_view text, const JsonPath& path, std::string_view value);

// Takes the member at the path out.
Result<std::string> RemoveJson(std::string_view text, const JsonPath& path);

// Takes the elements out of the array at the path for which `is_ours` holds; kNotFound when there is none.
Result<std::string> RemoveJsonElements(std::string_view text, const JsonPath& path,
                                       const std::function<bool(std::string_view element)>& is_ours);

// The text of the value at the path, as it stands in the file; nullopt when it is not there.
Result<std::optional<std::string>> FindJson(std::string_view text, const JsonPath& path);

// True if the value at the path is an object or array without anything in it.
bool IsEmptyJson(std::string_view text, const JsonPath& path);

}  // namespace pith
