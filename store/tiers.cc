// The chain's names are a table: a new tier is one file and one row.
#include "store/tiers.h"

#include <cstdlib>
#include <set>
#include <string_view>

namespace pith {

Result<TierChain> MakeTiers(const StoreOptions& options, const std::string& folder, const Cipher* cipher) {
  (void)folder;
  (void)cipher;
  TierChain chain;
  std::set<std::string_view> seen;
  std::string_view rest = options.chain;
  while (!rest.empty()) {
    size_t comma = rest.find(',');
    std::string_view name = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    if (!seen.insert(name).second)
      return Error{Cause::kInvalid, "the store names the tier " + std::string(name) + " twice"};
    if (name == "memory") {
      chain.memory = true;
    } else if (name == "sqlite") {
      chain.sqlite = true;
    } else {
      return Error{Cause::kInvalid, "the store names an unknown tier: \"" + std::string(name) + "\""};
    }
  }
  return chain;
}

Result<std::string> StoreFolder(const std::string& given) {
  if (!given.empty()) return given;
  // A relative XDG_STATE_HOME is to be ignored, its specification says; an empty variable would name the root.
  const char* state = getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return std::string(state) + "/pith";
  const char* home = getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.local/state/pith";
  return Error{Cause::kInvalid, "no place for the store: set HOME or XDG_STATE_HOME, or name a folder"};
}

}  // namespace pith
