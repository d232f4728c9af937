#include "tools/name_space.h"

#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>

namespace pith {

std::string WorkingFolder() {
  char buffer[PATH_MAX];
  return getcwd(buffer, sizeof buffer) ? buffer : "";
}

std::string NamespaceOf(std::string_view folder) {
  // A git root has .git as a folder, or as a file in a worktree or submodule.
  std::string at(folder);
  while (at.size() > 1) {
    struct stat about {};
    if (stat((at + "/.git").c_str(), &about) == 0) return at;
    size_t slash = at.rfind('/');
    if (slash == std::string::npos) break;
    at.resize(slash);
  }
  return std::string(folder);
}

}  // namespace pith
