// The decoder of JSON folds. A fold of the form kJson shows either JSON text of which only blanks were dropped, any run
// of tokens, or rows of a table (json_table.h), under a header of its own or, when `detail` has a schema, under the
// header with that schema that an earlier piece shows.
#pragma once
#include "compact/piece.h"

namespace pith {

// True when the text of pieces[at] decodes to exactly the tokens that stand in the bytes it owns. A comma between rows
// of a table is implied by the line end, also where the neighbour is in another piece. Linear in text and span.
bool JsonFoldMatches(const Document& document, const std::vector<Piece>& pieces, size_t at);

}  // namespace pith
