#include "tools/name_space.h"

#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "base/encoding.h"
#include "base/utf8.h"

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

namespace {
constexpr std::string_view kEncoded = "base64:";
}

std::string PathAsText(std::string_view path) {
  return IsUtf8(path) ? std::string(path) : std::string(kEncoded) + EncodeBase64(path);
}

std::string PathFromText(std::string_view text) {
  if (!text.starts_with(kEncoded)) return std::string(text);
  return DecodeBase64(text.substr(kEncoded.size())).value_or(std::string());
}

}  // namespace pith
