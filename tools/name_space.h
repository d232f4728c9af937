// The namespace of a folder: the git root that it stands in, else the folder itself. Looks at names only, opens
// nothing.
#pragma once
#include <string>
#include <string_view>

namespace pith {

// Absolute path of the process's working folder; "" if it is gone.
std::string WorkingFolder();

std::string NamespaceOf(std::string_view folder);

// An absolute path as it may stand in a JSON string, and back. One that is not UTF-8 is written in base64 behind
// "base64:", which no absolute path begins with.
std::string PathAsText(std::string_view path);
std::string PathFromText(std::string_view text);

}  // namespace pith
