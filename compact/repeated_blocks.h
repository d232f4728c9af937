// Runs of lines that stand in a text more than once, word for word: a patch of two copies of one file, a usage message
// printed twice. The second is worth a gap that says where the first is.
#pragma once
#include <cstdint>
#include <vector>

#include "compact/document.h"
#include "compact/line_set.h"

namespace pith {

struct RepeatedBlock {
  uint32_t first = 0, end = 0;  // lines, end exclusive
  uint32_t source = 0;          // where the same lines begin, before `first`
};

// Blocks of shown lines whose like stands before them, shown too and no such block itself; ascending, without overlap.
// `shown`: one a line; `apart`: one a line, those that no block may hold. Only blocks that are worth their gap. Linear.
std::vector<RepeatedBlock> FindRepeatedBlocks(const Document& document, const LineSet& shown, const LineSet& apart);

}  // namespace pith
