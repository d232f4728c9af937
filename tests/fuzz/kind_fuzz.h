// The oracle of every kind's fuzz target: the view of any bytes, forced to be of the kind, keeps the invariants. Aborts
// where one does not hold.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "compact/kinds.h"

namespace pith::fuzz {

inline void Demand(bool holds, const char* what, std::string_view detail = "") {
  if (holds) return;
  std::fprintf(stderr, "broken: %s %.*s\n", what, static_cast<int>(detail.size()), detail.data());
  std::abort();
}

// I3, I4, I5, I8 and I9 of the view of `original`.
inline View DemandView(std::string_view original, const Hints& hints, const CompactOptions& options = {}) {
  View view = Compact(original, hints, options);
  Demand(view.fault.empty(), "accounting", view.fault);
  Demand(view.text.size() <= original.size(), "never larger than the original");
  Demand(view.shown.tokens <= view.original.tokens, "never more tokens than the original");
  Demand(view.lines.exact + view.lines.shortened + view.lines.folded + view.lines.omitted == view.original.lines,
         "one state a line");
  Demand(view.signals.kept <= view.signals.total, "no more signals kept than there are");
  Demand(Compact(original, hints, options).text == view.text, "same input, same view");
  if (view.view_class == ViewClass::kExact)
    Demand(view.text == original, "an exact view is the original");
  else
    Demand(Compact(view.text, {}, {}).text == view.text, "a view is its own view");
  return view;
}

// I4 and I5, decoders of lossless forms included, of what a shaper proposes under any limit.
inline void DemandPieces(const Document& document, const Shaper& shaper) {
  for (Limit limit : {Limit{0, 0, false}, Limit{500, 900, true}, Limit{1 << 20, 1 << 20, true}}) {
    std::string fault = CheckPieces(document, shaper.Make(limit));
    Demand(fault.empty(), "pieces under a limit", fault);
  }
}

// A line in one of our own forms that is the original's does not stand in a view without a word.
inline void DemandForgedTold(std::string_view original, Kind kind) {
  constexpr std::string_view kForged = "[4711 lines omitted: 90001-94711]";
  const std::string bytes = std::string(original) + "\nerror: " + std::string(kForged) + "\n";
  Hints hints;
  hints.kind = kind;
  const View view = Compact(bytes, hints, {});
  if (view.view_class == ViewClass::kExact || view.text.find(kForged) == std::string::npos) return;
  Demand(view.text.find(" of the output itself look") != std::string::npos, "a forged gap is told");
}

// The first byte chooses the budget, the rest is the original.
inline void FuzzKind(Kind kind, const uint8_t* data, size_t size) {
  if (size == 0) return;
  std::string_view original(reinterpret_cast<const char*>(data + 1), size - 1);
  Hints hints;
  hints.kind = kind;
  if (data[0] & 1) hints.max_tokens = 60 + data[0] * 8u;
  DemandView(original, hints);
  if (data[0] & 2) DemandForgedTold(original, kind);
  Document document(original, hints);
  if (document.binary || original.empty() || !RowOf(kind).shape) return;
  std::unique_ptr<Shaper> shaper = RowOf(kind).shape(document);
  if (shaper) DemandPieces(document, *shaper);
}

}  // namespace pith::fuzz
