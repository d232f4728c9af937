// What `rg --json` prints, brought to the form of a search result and back. Each record is a line; the fold of a match
// says its number, its text as the JSON has it, where it stands in the file and which columns matched; the path is that
// of the begin record, said once above. Losslessly: the record is rebuilt from the two.
//
//   src/tree.rs
//   47:    let tree = Command::new(\"which\");\n [@1054 15-27]
#pragma once
#include <memory>
#include <vector>

#include "compact/shaper.h"

namespace pith {

// Whether the document is such an output, by its first lines.
bool IsRipgrepJson(const Document& document);

std::unique_ptr<Shaper> ShapeRipgrepJson(const Document& document);

// Whether pieces[at], a fold of form kSearchGroup over one record, says what the record says.
bool OwnsRipgrepRecord(const Document& document, const Piece& piece);
bool RipgrepFoldMatches(const Document& document, const std::vector<Piece>& pieces, size_t at);

}  // namespace pith
