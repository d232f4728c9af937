// Removal that leaves no bytes behind, for purges.
#pragma once
#include <string>

namespace pith {

// Zeros over the whole file, so that its blocks do not keep it, then the name goes. A copy-on-write file system may
// keep the old blocks. What cannot be overwritten is removed all the same. True if the name is gone.
bool EraseFile(const std::string& path);

}  // namespace pith
