// JSON lines: the records of one stream, one a line. To the JSON view they are the items of an array without brackets,
// and gaps between them are lines. Detection tells them from a JSON document by each line being whole by itself.
#include "base/utf8.h"
#include "compact/json/source.h"
#include "compact/kinds.h"

namespace pith {

Evidence DetectJsonLines(const Document& document) {
  uint32_t records = LinesOfRecords(document);
  if (records < 2) return {};
  return {records >= 3 ? 88 : 60, "each line is a JSON value"};
}

std::unique_ptr<Shaper> ShapeJsonLines(const Document& document) {
  if (document.needs_display && !IsUtf8(document.bytes)) return nullptr;
  return ShapeJsonSource(document, ReadLines(document));
}

}  // namespace pith
