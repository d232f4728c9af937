// Reading a file for the tool `compact`, by a path that a model gave: regular files beneath allowed folders only,
// opened so that no link leads out, never one that is known to hold secrets.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pith {

struct ReadRules {
  std::vector<std::string> roots;          // absolute folders; a relative path is looked for beneath the first
  std::vector<std::string> allow_secrets;  // rows of the secrets table
  uint64_t largest = 1ull << 30;           // bytes
};

// Roots that are usable: absolute, resolved, each once; never /, the home folder or a folder above it.
std::vector<std::string> UsableRoots(const std::vector<std::string>& roots, const std::string& home);

// Errors: kDenied (outside of the roots, a secret, no permission), kNotFound, kInvalid (not a regular file), kTooLarge,
// kIo.
Result<std::string> ReadBeneath(const ReadRules& rules, std::string_view path);

}  // namespace pith
