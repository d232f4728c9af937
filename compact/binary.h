// Bytes that are not text: a line that says what they are, never the bytes.
#pragma once
#include <memory>

#include "compact/shaper.h"

namespace pith {

std::unique_ptr<Shaper> ShapeBinary(const Document& document);

}  // namespace pith
