// A path is first cut down to its root by its text alone, then the kernel is asked to open the rest beneath that root
// (openat2 with RESOLVE_BENEATH), so that neither "..", nor a link, nor a race between look and open leads out. Where
// the kernel or a sandbox has no openat2, the way is walked folder by folder and no link is followed at all.
#include "tools/readable_file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "base/secrets.h"
#include "base/utf8.h"

namespace pith {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int get() const { return number_; }

 private:
  int number_;
};

std::string ShownPath(std::string_view path) { return ReplaceInvalidUtf8(path.substr(0, 300)); }

// "a//b/./c" -> "a/b/c", ".." taken back where a part is there to take. A leading slash stays.
std::string Normal(std::string_view path) {
  std::vector<std::string_view> parts;
  bool absolute = path.starts_with('/');
  while (!path.empty()) {
    size_t slash = path.find('/');
    std::string_view part = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (part != ".." || !absolute) {
      parts.push_back(part);
    }
  }
  std::string normal = absolute ? "/" : "";
  for (size_t at = 0; at < parts.size(); ++at) {
    if (at > 0) normal += '/';
    normal += parts[at];
  }
  return normal;
}

bool IsBeneath(std::string_view path, std::string_view root) {
  return path == root || (path.starts_with(root) && path[root.size()] == '/');
}

// Walks part by part; follows no link. -1 with errno as open().
int OpenWithoutLinks(int root, std::string_view path) {
  Descriptor folder(dup(root));
  while (true) {
    size_t slash = path.find('/');
    std::string part(path.substr(0, slash));
    if (part == "..") {
      errno = EXDEV;
      return -1;
    }
    if (slash == std::string_view::npos) {
      return openat(folder.get(), part.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    }
    Descriptor next(openat(folder.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (next.get() < 0) return -1;
    folder = std::move(next);
    path = path.substr(slash + 1);
  }
}

int OpenBeneath(int root, const std::string& path) {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  long opened = syscall(SYS_openat2, root, path.c_str(), &how, sizeof how);
  if (opened >= 0 || (errno != ENOSYS && errno != EPERM)) return static_cast<int>(opened);
  return OpenWithoutLinks(root, path);
}

Error OpenError(std::string_view path, int failure) {
  switch (failure) {
    case ENOENT:
    case ENOTDIR:
      return Error{Cause::kNotFound, "no such file: " + ShownPath(path)};
    case EXDEV:
    case ELOOP:
      return Error{Cause::kDenied, ShownPath(path) + " leads out of the folders that may be read"};
    case EACCES:
    case EPERM:
      return Error{Cause::kDenied, "no permission to read " + ShownPath(path)};
    default:
      return Error{Cause::kIo, "cannot read " + ShownPath(path) + ": " + strerror(failure)};
  }
}

Error SecretError(std::string_view path, const SecretRow& row) {
  return Error{Cause::kDenied,
               ShownPath(path) + " is known to hold secrets (" + std::string(row.name) + ") and is not read"};
}

Result<void> CheckSecret(const ReadRules& rules, std::string_view shown, std::string_view path) {
  const SecretRow* row = SecretPath(path);
  if (row && !SecretAllowed(*row, rules.allow_secrets)) return SecretError(shown, *row);
  return {};
}

std::string ResolvedName(int descriptor) {
  char buffer[PATH_MAX];
  ssize_t length = readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), buffer, sizeof buffer);
  return length > 0 ? std::string(buffer, static_cast<size_t>(length)) : std::string();
}

Result<std::string> ReadAll(int descriptor, std::string_view path, uint64_t size, uint64_t largest) {
  std::string content(size + 1, '\0');
  size_t filled = 0;
  while (true) {
    if (filled == content.size()) content.resize(content.size() * 2);
    ssize_t got = read(descriptor, content.data() + filled, content.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return OpenError(path, errno);
    if (got == 0) break;
    filled += static_cast<size_t>(got);
    if (filled > largest) return Error{Cause::kTooLarge, ShownPath(path) + " is larger than can be kept"};
  }
  content.resize(filled);
  return content;
}

// The file of one root, or its error.
Result<std::string> ReadIn(const ReadRules& rules, const std::string& root, const std::string& rest,
                           std::string_view path) {
  Descriptor folder(open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0) return OpenError(root, errno);
  Descriptor file(OpenBeneath(folder.get(), rest));
  if (file.get() < 0) return OpenError(path, errno);
  struct stat about {};
  if (fstat(file.get(), &about) != 0) return OpenError(path, errno);
  if (S_ISDIR(about.st_mode)) return Error{Cause::kInvalid, ShownPath(path) + " is a folder, not a file"};
  if (!S_ISREG(about.st_mode)) return Error{Cause::kInvalid, ShownPath(path) + " is not a regular file"};
  if (Result<void> safe = CheckSecret(rules, path, ResolvedName(file.get())); !safe.ok()) return safe.error();
  uint64_t size = static_cast<uint64_t>(about.st_size);
  if (size > rules.largest) return Error{Cause::kTooLarge, ShownPath(path) + " is larger than can be kept"};
  return ReadAll(file.get(), path, size, rules.largest);
}

}  // namespace

std::vector<std::string> UsableRoots(const std::vector<std::string>& roots, const std::string& home) {
  std::vector<std::string> usable;
  char buffer[PATH_MAX];
  std::string real_home = !home.empty() && realpath(home.c_str(), buffer) ? std::string(buffer) : home;
  for (const std::string& root : roots) {
    if (root.empty() || !realpath(root.c_str(), buffer)) continue;
    std::string real = buffer;
    bool too_wide = real == "/" || (!real_home.empty() && IsBeneath(real_home, real));
    if (!too_wide && std::find(usable.begin(), usable.end(), real) == usable.end()) usable.push_back(std::move(real));
  }
  return usable;
}

Result<std::string> ReadBeneath(const ReadRules& rules, std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos || path.size() >= PATH_MAX) {
    return Error{Cause::kInvalid, "path is not the name of a file"};
  }
  if (rules.roots.empty()) {
    return Error{Cause::kDenied,
                 "this server reads no files: give content, or start it in a project folder or with --root"};
  }
  if (Result<void> safe = CheckSecret(rules, path, path); !safe.ok()) return safe.error();
  std::string normal = Normal(path);
  if (normal.starts_with("..")) return OpenError(path, EXDEV);
  if (!path.starts_with('/')) {
    return normal.empty() ? Error{Cause::kInvalid, ShownPath(path) + " is a folder, not a file"}
                          : ReadIn(rules, rules.roots.front(), normal, path);
  }
  for (const std::string& root : rules.roots) {
    if (!IsBeneath(normal, root)) continue;
    if (normal == root) return Error{Cause::kInvalid, ShownPath(path) + " is a folder, not a file"};
    return ReadIn(rules, root, normal.substr(root.size() + 1), path);
  }
  std::string sentence = ShownPath(path) + " is outside of the folders that may be read:";
  for (const std::string& root : rules.roots) sentence += " " + root;
  return Error{Cause::kDenied, sentence + "; give its content instead, or start the server with --root"};
}

}  // namespace pith
