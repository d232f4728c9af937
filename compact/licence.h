// The licence that many files open with: it says nothing of the file.
#pragma once
#include "compact/document.h"

namespace pith {

// Lines first..end-1; none: first == end.
struct LineRange {
  uint32_t first = 0, end = 0;
  bool Holds(uint32_t line) const { return line >= first && line < end; }
};

// A comment of four lines or more among the first hundred lines that speaks of a licence or a copyright: between "<!--"
// and "-->", "/*" and "*/", or of lines that begin with one mark of comments. Looks at lines up to `last` only.
LineRange LicenceLines(const Document& document, uint32_t last);

}  // namespace pith
