// Which tiers a chain names, and where the store lies.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "store/cipher.h"
#include "store/tier.h"

namespace pith {

struct TierChain {
  bool memory = false, sqlite = false;
  std::vector<std::unique_ptr<Tier>> shared;  // beside the local store, in the order given
};

// `options.chain` is names with commas between. `folder` is the store's. kInvalid: an unknown name, or one twice.
Result<TierChain> MakeTiers(const StoreOptions& options, const std::string& folder, const Cipher* cipher);

// `given`, else $XDG_STATE_HOME/pith, else $HOME/.local/state/pith. kInvalid when all are empty.
Result<std::string> StoreFolder(const std::string& given);

}  // namespace pith
