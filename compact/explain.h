// What `pith compact --explain` says of a view, for a person to read: what it was taken for, what it might have cost,
// which candidates there were, what was kept and why.
#pragma once
#include <string>
#include <vector>

#include "compact/shaper.h"

namespace pith {

// "budget: ..." and, where a token budget is smaller than what one gap and the footer cost, what that means.
std::string BudgetText(const Document& document, const Limit& limit, uint64_t footer_tokens, uint64_t floor_tokens);

// "kept: ...": lines by state and by the reason for which they are shown, then the largest gaps.
std::string KeptText(const Document& document, const View& view, const std::vector<Piece>& pieces);

}  // namespace pith
