// What `rg --json` prints, brought to the form of a search result: a record is a line of its number and its text, under
// the path of the begin record. Offsets, columns and what the end record counts are not shown, so the view is partial;
// what is shown is checked against the record.
//
//   src/tree.rs
//   47:    let tree = Command::new("which");
#pragma once
#include <memory>
#include <vector>

#include "compact/shaper.h"

namespace pith {

// Whether the document is such an output, by its first lines.
bool IsRipgrepJson(const Document& document);

std::unique_ptr<Shaper> ShapeRipgrepJson(const Document& document);

// Whether a fold of form kMarkup stands for such records, and whether what pieces[at] says is what they say.
bool OwnsRipgrepRecord(const Document& document, const Piece& piece);
bool RipgrepFoldMatches(const Document& document, const std::vector<Piece>& pieces, size_t at);

}  // namespace pith
