// Figures of a store in words, for `ccr_stats` and `pith stats`.
#pragma once
#include <string>

#include "store/store.h"

namespace pith {

// A few lines: what is kept, where, and what was saved net of retrievals.
std::string StatsText(const StoreStats& stats);
// The same as a JSON object.
std::string StatsJson(const StoreStats& stats);

}  // namespace pith
