// What in a line a reader must not lose, by rules shared by all kinds. Kinds may raise a line's signal, never lower it.
#pragma once
#include <cstdint>
#include <string_view>

namespace pith {

enum class Signal : uint8_t { kNone, kWarning, kError, kFatal };

// One pass over the line, no allocation. Words as whole words in any case ("error", "FAILED", "Exception:", "panic"),
// identifiers split (ValueError, err_code is none), "0 errors" and "no failures" are none. Escape sequences are looked
// through.
Signal SignalOf(std::string_view line);

}  // namespace pith
