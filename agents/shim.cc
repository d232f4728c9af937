// A shim is a script of three lines, so that it can be read, and recognised by its second. It hands over to `pith run
// --shim NAME`, which looks for the real program behind it.
#include "agents/shim.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "agents/quoting.h"
#include "base/files.h"

namespace pith {
namespace {

constexpr std::string_view kSign = "# pith shim\n";

std::string ScriptFor(const std::string& binary, const std::string& name) {
  return "#!/bin/sh\n" + std::string(kSign) + "exec " + ShellQuoted(binary) + " run --shim " + name + " -- " + name +
         " \"$@\"\n";
}

bool IsPlainName(std::string_view name) {
  return !name.empty() && name[0] != '-' &&
         std::all_of(
             name.begin(), name.end(),
             [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '+'; }) &&
         name != "." && name != "..";
}

bool IsShim(const std::string& path) {
  Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kRead);
  if (!file.ok()) return false;
  Result<std::string> head = (*file)->ReadAt(0, 64);
  return head.ok() && head->find(kSign) != std::string::npos;
}

}  // namespace

Result<std::vector<std::string>> WriteShims(const std::string& folder, const std::string& binary,
                                            const std::vector<std::string>& names) {
  std::vector<std::string> written;
  for (const std::string& name : names) {
    if (!IsPlainName(name)) return Error{Cause::kInvalid, "\"" + name + "\" is not the name of a program"};
  }
  if (Result<void> made = MakeFolders(folder); !made.ok()) return made.error();
  for (const std::string& name : names) {
    const std::string path = folder + "/" + name;
    if (access(path.c_str(), F_OK) == 0 && !IsShim(path)) return Error{Cause::kDenied, path + " is not a shim of ours"};
    if (Result<void> wrote = WriteFileAtomically(path, ScriptFor(binary, name), 0755); !wrote.ok())
      return wrote.error();
    written.push_back(path);
  }
  return written;
}

Result<std::vector<std::string>> RemoveShims(const std::string& folder, const std::vector<std::string>& names) {
  std::vector<std::string> wanted = names, removed;
  if (wanted.empty()) {
    Result<void> listed = Files().List(folder, [&](std::string_view name) {
      wanted.emplace_back(name);
      return true;
    });
    if (!listed.ok()) return listed.error();
    std::sort(wanted.begin(), wanted.end());
  }
  for (const std::string& name : wanted) {
    const std::string path = folder + "/" + name;
    if (!IsPlainName(name) || !IsShim(path)) continue;
    if (Result<void> gone = Files().Unlink(path); !gone.ok()) return gone.error();
    removed.push_back(path);
  }
  return removed;
}

std::string BehindShim(const std::string& name) {
  const char* variable = getenv("PATH");
  std::string_view path = variable == nullptr ? "" : variable;
  while (!path.empty()) {
    const size_t cut = path.find(':');
    const std::string folder(path.substr(0, cut));
    path = cut == std::string_view::npos ? std::string_view() : path.substr(cut + 1);
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    struct stat about {};
    if (stat(candidate.c_str(), &about) == 0 && S_ISREG(about.st_mode) && access(candidate.c_str(), X_OK) == 0 &&
        !IsShim(candidate)) {
      return candidate;
    }
  }
  return {};
}

}  // namespace pith
