// Scripts that stand in for programs of PATH, for hosts whose commands are reached no other way.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"

namespace pith {

// Writes one script a name into `folder` (made if missing). A name is a plain program name; kInvalid otherwise. Gives
// what was written, one path each.
Result<std::vector<std::string>> WriteShims(const std::string& folder, const std::string& binary,
                                            const std::vector<std::string>& names);
// Removes the scripts of these names, or all of ours in the folder when none is named.
Result<std::vector<std::string>> RemoveShims(const std::string& folder, const std::vector<std::string>& names);

// The program that a shim stands in for: the first of that name in PATH that is no shim of ours; "" if there is none.
std::string BehindShim(const std::string& name);

}  // namespace pith
