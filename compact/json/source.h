// Reading a whole original as JSON values, shared by the kinds JSON and JSON lines.
#pragma once
#include <memory>

#include "compact/json/view.h"

namespace pith {

struct JsonReading {
  JsonTape tape;
  JsonParts parts;
  explicit JsonReading(std::string_view bytes) : tape(bytes) {}
};

// Values one after the other from offset `at` on; other lines before and after them, and between them a few. Null when
// the original is not mostly JSON.
std::unique_ptr<JsonReading> ReadDocuments(const Document& document, uint64_t at);

// One value a line. Null when not nearly all lines are values.
std::unique_ptr<JsonReading> ReadLines(const Document& document);

// How many of the first lines are each a JSON object or array of its own; 0 when the sample has others in between.
uint32_t LinesOfRecords(const Document& document);

// The shaper over what was read; nullptr for null.
std::unique_ptr<Shaper> ShapeJsonSource(const Document& document, std::unique_ptr<JsonReading> reading);

}  // namespace pith
