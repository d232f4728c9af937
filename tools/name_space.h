// The namespace of a folder: the git root that it stands in, else the folder itself. Looks at names only, opens
// nothing.
#pragma once
#include <string>
#include <string_view>

namespace pith {

// Absolute path of the process's working folder; "" if it is gone.
std::string WorkingFolder();

std::string NamespaceOf(std::string_view folder);

}  // namespace pith
