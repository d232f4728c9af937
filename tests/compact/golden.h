// Expected views as files that a person can read: tests/data/NAME.view beside tests/data/NAME. A view is written anew
// when PITH_UPDATE_GOLDENS is set: read the difference before committing it.
#pragma once
#include <string_view>

#include "compact/compact.h"

namespace pith::test {

struct Golden {
  std::string_view name;  // below tests/data
  std::string_view command = {};
  std::string_view path = {};
  uint64_t soft_bytes = 10000;
};

// The view of the file, made with its hints, is of `kind`, has no fault and is the one written down.
void CheckGolden(const Golden& golden, Kind kind);

}  // namespace pith::test
