// When an original stays exactly as it is, whatever a kind could make of it.
#pragma once
#include <string>

#include "compact/document.h"

namespace pith {

// True if the document must be shown as it is under its hints' policy; `reason`, if given, gets why (for --explain).
bool StaysExact(const Document& document, std::string* reason = nullptr);

}  // namespace pith
