// Lossless forms, each with the decoder that proves it: Matches is true when the fold's text rebuilds the bytes (or,
// for structured data, the tokens) of the spans that it owns. CheckPieces calls these at run time on every view.
#pragma once
#include "compact/piece.h"

namespace pith {

bool FoldMatches(const Document& document, const std::vector<Piece>& pieces, size_t at);

// "[the line above 57 more times: 11-67]": owns lines that equal the one shown before them.
std::string RepeatText(uint64_t count, uint32_t first, uint32_t last);  // 1-based lines

}  // namespace pith
