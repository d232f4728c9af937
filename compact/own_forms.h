// Lines of an original that look like Pith's own words: a program can print "[212 lines omitted: 31-242]" or a footer
// with a token. They are shown as they are; the view says which they are.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "compact/piece.h"

namespace pith {

// Whether something in `text`, a line as a reader sees it, has one of the forms of docs/views.md or names a token.
bool HasOwnForm(std::string_view text);

// "[2 lines of the output itself look like Pith's own: 17, 240]" where `pieces` show such lines. Linear in what they
// show.
std::optional<Piece> NoteOfForged(const Document& document, const std::vector<Piece>& pieces);

}  // namespace pith
