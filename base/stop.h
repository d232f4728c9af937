// Long work that may be taken back: it asks between its steps (a pass over a gigabyte takes a second or two) whether to
// stop.
#pragma once
#include <functional>

namespace pith {

// True once nobody waits for the answer any more. Called from the thread that works; must be quick.
using StopAsked = std::function<bool()>;

// Null never stops.
inline bool Stops(const StopAsked* stop) { return stop != nullptr && (*stop)(); }

}  // namespace pith
