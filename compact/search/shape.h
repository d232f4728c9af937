// How search results are laid out: matches beneath their file, said once; lists of paths beneath their folders.
#pragma once
#include <memory>

#include "compact/shaper.h"

namespace pith {

std::unique_ptr<Shaper> ShapeSearchResults(const Document& document);

}  // namespace pith
