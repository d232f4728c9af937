// The view of a JSON original: whole without blanks and with keys said once where that is short enough, else a skeleton
// in which large values are sampled, with statistics and names of what is left out.
#pragma once
#include "compact/json/rows.h"
#include "compact/shaper.h"

namespace pith {

// What a JSON original consists of: values one after the other (one for a document), between text that is no JSON.
struct JsonParts {
  std::vector<Span> foreign;  // whole lines that are no JSON, ascending: before, between and after the values
  bool by_lines = false;      // each value has lines of its own: gaps between values are addressed by lines
};

// Pieces that own the whole document, every value of the tape and the foreign lines.
std::vector<Piece> JsonView(const JsonSource& source, const JsonParts& parts, const Limit& limit);

}  // namespace pith
