// What views would have saved while `measure_only` is on: one line of JSON a view, beside the store, with sizes and the
// program's name and nothing of the content.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "compact/compact.h"

namespace pith {

// Appends; what cannot be written is not said, since nothing depends on it. `folder` is the store's, "" for the
// default.
void NoteMeasured(const std::string& folder, std::string_view road, std::string_view command, const View& view);

struct Measured {
  uint64_t views = 0, original_tokens = 0, shown_tokens = 0;
};
Measured SumOfMeasured(const std::string& folder);

}  // namespace pith
