// What the reader looks for: lines that match hints.query are raised, best first. Words as whole words, identifiers
// split (getUserName, get_user_name), any case; BM25 over lines.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "compact/shaper.h"

namespace pith {

// Raises at most a page of the best matching lines of the plan to signal rank. No-op without a query. Linear.
void RaiseQueryMatches(const Document& document, LinePlan& plan);

// Score of each of `texts` against the query, 0 where no word matches. For kinds with a form of their own.
std::vector<double> QueryScores(std::string_view query, const std::vector<std::string_view>& texts);

}  // namespace pith
