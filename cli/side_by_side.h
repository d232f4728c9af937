// An original and its view next to each other, for a person at a terminal.
#pragma once
#include <string>
#include <string_view>

#include "compact/compact.h"

namespace pith::cli {

struct SideBySideOptions {
  unsigned columns = 160;  // of the terminal
  bool colour = false;
};

// The width of the terminal on stdout, else COLUMNS, else 160; colour on a terminal where NO_COLOR is not set.
SideBySideOptions OptionsOfTerminal();

// One row a line: the original left with its line numbers, the view right. Between them: nothing where both show the
// same, `<` where only the original has it, `|` where the view shows it otherwise (shortened, folded), `>` where the
// view says something of its own. Lines are cut to the width. Linear but for the lines between two gaps, which are
// matched in order.
std::string SideBySide(std::string_view original, const View& view, const SideBySideOptions& options);

}  // namespace pith::cli
