#include "compact/explain.h"

#include <algorithm>

#include "compact/piece.h"
#include "compact/query.h"

namespace pith {
namespace {

constexpr size_t kGapsTold = 8;

// Why whole lines are shown: each is counted under the first reason that holds.
struct Reasons {
  uint64_t errors = 0, warnings = 0, matches = 0, other = 0;
};

Reasons ReasonsOf(const Document& document, const std::vector<Piece>& pieces) {
  Reasons reasons;
  std::vector<std::string_view> texts;
  for (const Piece& piece : pieces) {
    if (piece.type != Piece::Type::kQuote || piece.span.size() == 0) continue;
    const uint32_t last = document.lines.LineAt(piece.span.end - 1);
    for (uint32_t line = document.lines.LineAt(piece.span.begin); line <= last; ++line) {
      if (document.lines.Line(line).begin < piece.span.begin) continue;  // counted with the quote of its beginning
      if (document.signals[line] >= Signal::kError) {
        ++reasons.errors;
      } else if (document.signals[line] == Signal::kWarning) {
        ++reasons.warnings;
      } else {
        texts.push_back(document.Text(line));
      }
    }
  }
  if (!document.hints.query.empty()) {
    const std::vector<double> scores = QueryScores(document.hints.query, texts);
    reasons.matches =
        static_cast<uint64_t>(std::count_if(scores.begin(), scores.end(), [](double s) { return s > 0; }));
  }
  reasons.other = texts.size() - reasons.matches;
  return reasons;
}

}  // namespace

std::string BudgetText(const Document& document, const Limit& limit, uint64_t footer_tokens, uint64_t floor_tokens) {
  const std::optional<uint64_t>& asked = document.hints.max_tokens;
  if (!asked) {
    return "budget: about " + std::to_string(limit.soft) + " bytes, up to " + std::to_string(limit.hard) +
           " where errors, failures or matches need it\n";
  }
  std::string text = "budget: " + Counted(*asked, "tokens") + " for the view, of which the footer takes " +
                     std::to_string(footer_tokens) + "\n";
  if (*asked < floor_tokens) {
    text += "  below the floor: one gap over everything and the footer cost " + Counted(floor_tokens, "tokens") +
            "; that is the least that a view can say, and it is shown\n";
  }
  return text;
}

std::string KeptText(const Document& document, const View& view, const std::vector<Piece>& pieces) {
  const Reasons reasons = ReasonsOf(document, pieces);
  std::string text = "kept: " + std::to_string(view.lines.exact) + " of " + Counted(view.original.lines, "lines") +
                     " as they are, " + std::to_string(view.lines.shortened) + " shortened, " +
                     std::to_string(view.lines.folded) + " folded without loss, " + std::to_string(view.lines.omitted) +
                     " omitted; " + std::to_string(view.signals.kept) + " of " + Counted(view.signals.total, "lines") +
                     " with an error\n  shown because of an error: " + std::to_string(reasons.errors) +
                     ", of a warning: " + std::to_string(reasons.warnings);
  if (!document.hints.query.empty()) text += ", of the query: " + std::to_string(reasons.matches);
  text += ", by the rules of the kind: " + std::to_string(reasons.other) + "\n";
  std::vector<const Piece*> gaps;
  for (const Piece& piece : pieces) {
    if (piece.type == Piece::Type::kGap) gaps.push_back(&piece);
  }
  std::stable_sort(gaps.begin(), gaps.end(),
                   [](const Piece* a, const Piece* b) { return a->span.size() > b->span.size(); });
  if (gaps.empty()) return text;
  text += "  " + Counted(gaps.size(), "gaps") + (gaps.size() > kGapsTold ? ", the largest:\n" : ":\n");
  for (size_t i = 0; i < std::min(gaps.size(), kGapsTold); ++i) {
    text += "    " + RenderGap(document, *gaps[i]) + " " + Counted(gaps[i]->span.size(), "bytes") + "\n";
  }
  return text;
}

}  // namespace pith
