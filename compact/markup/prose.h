// Text for people, shown by units: a heading, a sentence, a list item, a small block of code. Units are quoted in their
// order; what lies between shown ones is a gap of lines or, within a line, of bytes.
#pragma once
#include <memory>
#include <vector>

#include "compact/shaper.h"

namespace pith {

struct TextUnit {
  Span span;         // the units of a document follow one another and cover it
  uint8_t rank = 0;  // as of lines
  bool heading = false;
};

// Chooses units by rank, the better ones everywhere before the lesser ones anywhere. Asked for in so many words and
// without a budget, a text longer than a few paragraphs is brought to about a third of itself.
std::unique_ptr<Shaper> ShapeUnits(const Document& document, std::vector<TextUnit> units);

// Where the sentences of `span` (prose, one paragraph) end, the last at span.end. A sentence keeps the blanks after it.
// Bounded to `most` ends; the last sentence then takes the rest.
std::vector<uint64_t> SentenceEnds(const Document& document, Span span, size_t most);

}  // namespace pith
