#include "compact/query.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "compact/characters.h"

namespace pith {
namespace {

constexpr size_t kMostTerms = 16;
constexpr uint64_t kMostRaisedBytes = 6000;  // of matches: they come before what merely helps,
constexpr uint64_t kFirstBytes = 600;        // of the best: before all else
constexpr uint8_t kFirstRank = 254;
constexpr double kSaturation = 1.2, kLengthWeight = 0.5;  // BM25's k1 and b

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || static_cast<uint8_t>(c) >= 0x80;
}
using ascii::IsUpper;
using ascii::Lower;

// Calls fn(begin, end) for each word of text; identifiers are split at underscores and at lower-to-upper changes.
template <typename Fn>
void ForEachWord(std::string_view text, Fn fn) {
  for (size_t at = 0; at < text.size();) {
    if (!IsWord(text[at])) {
      ++at;
      continue;
    }
    size_t end = at + 1;
    while (end < text.size() && IsWord(text[end]) && !(IsUpper(text[end]) && !IsUpper(text[end - 1]))) ++end;
    fn(at, end);
    at = end;
  }
}

bool SameWord(std::string_view word, std::string_view lowered) {
  if (word.size() != lowered.size()) return false;
  for (size_t i = 0; i < word.size(); ++i)
    if (Lower(word[i]) != lowered[i]) return false;
  return true;
}

std::vector<std::string> TermsOf(std::string_view query) {
  static constexpr std::array<std::string_view, 14> kStop = {"the", "a",  "an",  "of",   "in",    "is",    "to",
                                                             "and", "or", "for", "what", "which", "where", "why"};
  std::vector<std::string> terms;
  ForEachWord(query, [&](size_t begin, size_t end) {
    std::string term(query.substr(begin, end - begin));
    std::transform(term.begin(), term.end(), term.begin(), Lower);
    bool stop = std::find(kStop.begin(), kStop.end(), term) != kStop.end();
    if (!stop && terms.size() < kMostTerms && std::find(terms.begin(), terms.end(), term) == terms.end())
      terms.push_back(term);
  });
  return terms;
}

// Term frequencies of one text; false if none occurs.
bool Frequencies(std::string_view text, const std::vector<std::string>& terms,
                 std::array<uint16_t, kMostTerms>& counts) {
  counts.fill(0);
  bool any = false;
  ForEachWord(text, [&](size_t begin, size_t end) {
    for (size_t t = 0; t < terms.size(); ++t) {
      if (SameWord(text.substr(begin, end - begin), terms[t])) {
        counts[t] = static_cast<uint16_t>(std::min(counts[t] + 1, 1000));
        any = true;
      }
    }
  });
  return any;
}

struct Match {
  uint32_t at;
  double score;
};

// BM25 over count texts, text(i) giving each. Two passes: document frequencies, then scores of those that match.
template <typename Text>
std::vector<Match> Score(const std::vector<std::string>& terms, uint32_t count, Text text) {
  std::array<uint32_t, kMostTerms> in_texts{};
  std::array<uint16_t, kMostTerms> counts;
  std::vector<uint32_t> matching;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count; ++i) {
    bytes += text(i).size();
    if (!Frequencies(text(i), terms, counts)) continue;
    matching.push_back(i);
    for (size_t t = 0; t < terms.size(); ++t) in_texts[t] += counts[t] > 0;
  }
  double mean = std::max(1.0, static_cast<double>(bytes) / std::max(1u, count));
  std::vector<Match> matches;
  for (uint32_t i : matching) {
    Frequencies(text(i), terms, counts);
    double score = 0, length = static_cast<double>(text(i).size()) / mean;
    for (size_t t = 0; t < terms.size(); ++t) {
      if (!counts[t]) continue;
      double rarity = std::log(1 + (count - in_texts[t] + 0.5) / (in_texts[t] + 0.5));
      score += rarity * counts[t] * (kSaturation + 1) /
               (counts[t] + kSaturation * (1 - kLengthWeight + kLengthWeight * length));
    }
    matches.push_back({i, score});
  }
  return matches;
}

}  // namespace

void RaiseQueryMatches(const Document& document, LinePlan& plan) {
  std::vector<std::string> terms = TermsOf(document.hints.query);
  if (terms.empty()) return;
  std::vector<Match> matches = Score(terms, document.line_count(), [&](uint32_t line) { return document.Text(line); });
  std::stable_sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) { return a.score > b.score; });
  uint64_t spent = 0;
  for (const Match& match : matches) {
    spent += std::min<uint64_t>(document.lines.Line(match.at).size(), plan.long_line);
    if (spent > kMostRaisedBytes) break;
    plan.Raise(match.at, spent <= kFirstBytes ? kFirstRank : Rank::kSignal + 8);
  }
}

std::vector<double> QueryScores(std::string_view query, const std::vector<std::string_view>& texts) {
  std::vector<double> scores(texts.size());
  std::vector<std::string> terms = TermsOf(query);
  if (terms.empty()) return scores;
  for (const Match& match : Score(terms, static_cast<uint32_t>(texts.size()), [&](uint32_t i) { return texts[i]; })) {
    scores[match.at] = match.score;
  }
  return scores;
}

}  // namespace pith
