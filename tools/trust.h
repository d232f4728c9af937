// What a repository's own file may decide, and only after its user has said so: `.pith.json` in the root of a project
// names commands to compact (`include`) or never to compact (`exclude`), and gives command rules (`rules`). It counts
// while its bytes are those that were trusted; any change asks for trust again.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/config.h"
#include "base/result.h"

namespace pith {

inline constexpr std::string_view kProjectFile = ".pith.json";

struct ProjectRules {
  std::vector<std::string> include, exclude;
  std::string rule_file;  // its rules in the form of a rule file; "" without any
};

// Those of the project that `folder` lies in; empty without a file. `notice` gets a sentence when there is a file that
// does not count: not trusted, changed since, or not of its form.
ProjectRules ReadProjectRules(const std::string& folder, std::string* notice);

// Those of the project that the working folder lies in, read at the first call and never again: configuration does not
// change within a process. Any thread. The notice is for `pith doctor`, not for every call.
struct ThisProject {
  ProjectRules rules;
  std::string notice;
};
const ThisProject& TheProject();

struct Trusted {
  std::string folder, sha256;
};
std::vector<Trusted> TrustedFolders();
// Trusts the file as it is now. Errors: kNotFound (no file), kInvalid (not of its form), kIo.
Result<void> TrustProject(const std::string& folder);
// kNotFound: was not trusted.
Result<void> RevokeTrust(const std::string& folder);

}  // namespace pith
