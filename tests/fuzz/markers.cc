// Text in which markers may stand: what is found has the shape of a token and stands in the text, once each; a footer
// of ours at the end is found in every style; what a model pasted as an argument means the first token in it.
#include "base/markers.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>

#include "base/token.h"

namespace {

void Demand(bool holds) {
  if (!holds) std::abort();
}

constexpr pith::MarkerStyle kStyles[] = {pith::MarkerStyle::kMcp, pith::MarkerStyle::kCli, pith::MarkerStyle::kCcr,
                                         pith::MarkerStyle::kTokenjuice, pith::MarkerStyle::kDsh};
constexpr std::string_view kToken = "0123456789abcdef01234567";

void DemandTokens(std::string_view text) {
  std::set<std::string> seen;
  for (const std::string& token : pith::FindTokens(text)) {
    Demand(token.size() == 24 || token.size() == 32 || token.size() == 64);
    Demand(std::all_of(token.begin(), token.end(),
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }));
    Demand(text.find(token) != std::string_view::npos);
    Demand(seen.insert(token).second);
  }
  const std::optional<std::string> meant = pith::TokenFromArgument(text);
  if (meant) {
    Demand(pith::IsTokenShaped(*meant));
    Demand(text.find(*meant) != std::string_view::npos);
    Demand(pith::TokenFromArgument(*meant) == meant);
  }
}

void DemandFooter(std::string_view text, pith::MarkerStyle style, pith::ViewClass view_class) {
  pith::FooterFacts facts;
  facts.view_class = view_class;
  facts.bytes = text.size();
  facts.lines = 3;
  facts.token = kToken;
  const std::string footer = pith::Footer(style, facts);
  const std::string view = std::string(text) + "\n" + footer;
  Demand(footer.find('\n') == std::string::npos || style == pith::MarkerStyle::kDsh);
  Demand(pith::EndsInFooter(view));
  const std::vector<std::string> tokens = pith::FindTokens(footer);
  Demand(std::find(tokens.begin(), tokens.end(), kToken) != tokens.end() || style == pith::MarkerStyle::kCli);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  DemandTokens(text);
  Demand(pith::EndsInFooter(text) == pith::EndsInFooter(text));
  pith::IsRecoveryTool(text);
  for (const pith::MarkerStyle style : kStyles) {
    DemandFooter(text, style, pith::ViewClass::kPartial);
    DemandFooter(text, style, pith::ViewClass::kLossless);
  }
  return 0;
}
