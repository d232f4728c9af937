// Work counted in basic blocks run (-fsanitize-coverage=trace-pc), so that linear time is a fact and not a stopwatch's
// opinion. One thread.
#pragma once
#include <cstdint>

namespace pith::test {

uint64_t Steps();  // since the program began

}  // namespace pith::test
