// Whether a line counts faults: "web03 : ok=12 failed=7", "errors: 3", "5 failed, 2 passed".
#pragma once
#include <string_view>

namespace pith {

// A count of failures or errors in `line` that is not zero, written as a count. Of rows that tell it of one thing
// each, none stands for the others: which of them failed, and how often, is what they are read for. One pass.
bool CountsFaults(std::string_view line);

}  // namespace pith
