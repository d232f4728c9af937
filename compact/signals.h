// What in a line a reader must not lose, by rules shared by all kinds. Kinds may raise a line's signal, never lower it.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace pith {

enum class Signal : uint8_t { kNone, kWarning, kError, kFatal };

// One pass over a line of plain text (plain_text.h), no allocation. Words as whole words in any case ("error",
// "FAILED", "Exception:", "panic"), identifiers split (ValueError, err_code is none), "0 errors" and "no failures" are
// none.
Signal SignalOf(std::string_view line);

// The same of [begin, end) of a text that has no letter, digit or underscore before it.
Signal SignalWithinText(std::string_view text, size_t begin, size_t end);

// The same of lines of a text that follow one another, in one pass over their bytes. `starts`: where in `text` each of
// them starts, then where the last ends; `signals`: one a line, written.
void SignalsOf(std::string_view text, std::span<const uint32_t> starts, std::span<Signal> signals);

}  // namespace pith
