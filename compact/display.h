// Display rules: how bytes of an original become text that a reader sees. docs/views.md lists them for users.
//   1. Escape sequences are dropped (plain_text.h).
//   2. A carriage return starts the line again: of the states of a line only the last that is not blank is shown, and
//      before it, each on a line of its own, every overwritten state that carries a signal. CR before LF is part of the
//      line end.
//   3. A byte that starts no valid UTF-8 sequence is shown as U+FFFD.
//   4. A NUL is shown as U+2400.
// All else is shown as it is.
#pragma once
#include <string>
#include <string_view>

namespace pith {

// Whether AppendDisplayed would change anything.
bool NeedsDisplay(std::string_view bytes);

// Appends `bytes` (any number of lines, or part of one) as a reader sees them. Linear.
void AppendDisplayed(std::string_view bytes, std::string& out);
}  // namespace pith
