// Counts the basic blocks that instrumented code runs. This file itself is not instrumented.
#include "tests/steps/counter.h"

namespace {
uint64_t g_steps = 0;
}

extern "C" void __sanitizer_cov_trace_pc();
extern "C" void __sanitizer_cov_trace_pc() { ++g_steps; }

namespace pith::test {
uint64_t Steps() { return g_steps; }
}  // namespace pith::test
