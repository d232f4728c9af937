// Sentences are found by their ends: a full stop, question or exclamation mark, perhaps with a closing quote or
// bracket, then a blank. Not by what follows, for prose of tools begins sentences with `code`. Initials, numbers
// ("1.5", "v2."), and the few abbreviations that end in a stop are no ends. Ideographic full stops need no blank.
#include "compact/markup/prose.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "compact/query.h"
#include "compact/templates.h"

namespace pith {
namespace {

constexpr uint64_t kByteGap = 30;  // bytes of a gap within a line
constexpr uint64_t kLineGap = 28;  // bytes of a gap of lines
constexpr uint32_t kFewLines = 6;
constexpr uint64_t kLeast = 1000;    // bytes to which a text is brought at the least
constexpr uint64_t kReserve = 400;   // bytes kept for gaps
constexpr size_t kFaultBegins = 40;  // bytes of a line in which a fault that is one says so
constexpr uint64_t kShare = 3;       // of itself to which a text is brought, as divisor

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsAbbreviation(std::string_view text, size_t stop) {
  size_t start = stop;
  while (start > 0 && !IsBlank(text[start - 1]) && text[start - 1] != '(' && stop - start < 12) --start;
  std::string_view word = text.substr(start, stop - start);
  if (word.size() == 1) return true;
  for (std::string_view known :
       {"e.g", "i.e", "etc", "vs", "cf", "Mr", "Mrs", "Dr", "St", "No", "Fig", "al", "approx", "resp"}) {
    if (word == known) return true;
  }
  return false;
}

class UnitShaper : public Shaper {
 public:
  UnitShaper(const Document& document, std::vector<TextUnit> units) : document_(document), units_(std::move(units)) {
    RaiseSignals();
    RaiseMatches();
  }

  std::vector<Piece> Make(const Limit& limit) const override { return Emit(Choose(limit)); }

 private:
  // Prose speaks of errors without being one; a line that begins as a fault does is one, pasted or printed in between.
  void RaiseSignals() {
    std::unordered_set<uint64_t> seen;
    size_t unit = 0;
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      if (!IsFault(line) || !seen.insert(TemplateHash(document_.Text(line))).second) continue;
      Span span = document_.lines.Line(line);
      while (unit < units_.size() && units_[unit].span.end <= span.begin) ++unit;
      for (size_t i = unit; i < units_.size() && units_[i].span.begin < span.end; ++i) {
        units_[i].rank = std::max<uint8_t>(units_[i].rank, Rank::kSignal);
      }
    }
  }

  bool IsFault(uint32_t line) const {
    return document_.signals[line] >= Signal::kError &&
           SignalOf(document_.Text(line).substr(0, kFaultBegins)) >= Signal::kError;
  }

  void AddGap(Piece gap, std::vector<Piece>& pieces) const {
    uint64_t faults = 0;
    const uint32_t last = document_.lines.LineAt(gap.span.end - 1);
    for (uint32_t line = document_.lines.LineAt(gap.span.begin); line <= last; ++line) {
      faults += gap.span.begin <= document_.lines.Line(line).begin && IsFault(line);
    }
    AddDetail(gap, faults, "errors");
    AddDetail(gap, HeadingsIn(gap.span), "headings");
    gap.weighed = true;
    pieces.push_back(std::move(gap));
  }

  uint64_t HeadingsIn(Span span) const {
    uint64_t headings = 0;
    auto unit = std::lower_bound(units_.begin(), units_.end(), span.begin,
                                 [](const TextUnit& row, uint64_t at) { return row.span.begin < at; });
    for (; unit != units_.end() && unit->span.begin < span.end; ++unit) headings += unit->heading;
    return headings;
  }

  void RaiseMatches() {
    if (document_.hints.query.empty() || units_.empty()) return;
    std::vector<std::string_view> texts;
    for (const TextUnit& unit : units_) texts.push_back(document_.Bytes(unit.span));
    std::vector<double> scores = QueryScores(document_.hints.query, texts);
    double best = *std::max_element(scores.begin(), scores.end());
    for (size_t i = 0; i < units_.size() && best > 0; ++i) {
      if (scores[i] > best / 3) units_[i].rank = std::max<uint8_t>(units_[i].rank, Rank::kSignal + 4);
    }
  }

  std::vector<bool> Choose(const Limit& limit) const {
    bool asked = document_.hints.policy == Policy::kExplicit && !limit.fill;
    uint64_t soft = std::min(limit.soft, limit.hard);
    if (asked) soft = std::min(soft, std::max(kLeast, document_.bytes.size() / kShare));
    std::array<uint64_t, 256> bytes{};
    for (const TextUnit& unit : units_) bytes[unit.rank] += unit.span.size();
    std::vector<bool> shown(units_.size(), false);
    uint64_t spent = 0, signals = 0;
    for (int rank = 255; rank >= (limit.fill ? Rank::kFiller : Rank::kUseful); --rank) {
      if (bytes[static_cast<size_t>(rank)] == 0) continue;
      // However many the headings are, what stands beneath them has a share of its own.
      const uint64_t most = limit.hard - std::min(limit.hard, kReserve);
      const uint64_t room = rank >= Rank::kSignal ? most : std::min(std::max(soft, signals + soft / 4), most);
      if (spent >= room) continue;
      for (size_t i = 0; i < units_.size(); ++i) {
        if (units_[i].rank != rank || shown[i]) continue;
        bool joins = i > 0 && (shown[i - 1] || (i > 1 && shown[i - 2] && units_[i - 1].span.size() <= 2));
        uint64_t cost = units_[i].span.size() + (joins ? 0 : kLineGap);
        if (spent + cost > room) continue;
        spent += cost;
        shown[i] = true;
      }
      if (rank >= Rank::kSignal) signals = spent;
    }
    if (limit.soft >= kLeast) FillHoles(shown);
    return shown;
  }

  // What is hidden between shown units and costs no more than its gap is shown.
  void FillHoles(std::vector<bool>& shown) const {
    for (size_t first = 0; first < units_.size();) {
      size_t end = first;
      uint64_t bytes = 0;
      while (end < units_.size() && !shown[end]) bytes += units_[end++].span.size();
      if (end > first && bytes <= kLineGap)
        std::fill(shown.begin() + static_cast<long>(first), shown.begin() + static_cast<long>(end), true);
      first = end + 1;
    }
  }

  std::vector<Piece> Emit(const std::vector<bool>& shown) const {
    std::vector<Piece> pieces;
    for (size_t first = 0; first < units_.size();) {
      size_t end = first;
      while (end < units_.size() && shown[end] == shown[first]) ++end;
      Span span{units_[first].span.begin, units_[end - 1].span.end};
      if (shown[first]) {
        Piece quote = Quote(span);
        quote.glued = !pieces.empty() && !StartsLine(span.begin);
        pieces.push_back(std::move(quote));
      } else {
        EmitGap(span, pieces);
      }
      first = end;
    }
    return pieces;
  }

  bool StartsLine(uint64_t at) const { return at == 0 || document_.bytes[at - 1] == '\n'; }

  // Whole lines as lines, the parts of lines at both ends as bytes.
  void EmitGap(Span span, std::vector<Piece>& pieces) const {
    if (!StartsLine(span.begin)) {
      uint32_t line = document_.lines.LineAt(span.begin);
      uint64_t end = std::min(span.end, document_.lines.Line(line).end);
      if (document_.lines.LineAt(span.end - 1) - line <= kFewLines) end = span.end;  // not worth a gap of their own
      AddGap(GapOfBytes({span.begin, end}), pieces);
      span.begin = end;
    }
    if (span.size() == 0) return;
    uint32_t first = document_.lines.LineAt(span.begin);
    uint32_t last = document_.lines.LineAt(span.end - 1);
    bool whole = document_.lines.Line(last).end == span.end;
    if (whole || last > first) {
      uint32_t to = whole ? last : last - 1;
      AddGap(GapOfLines(document_, first, to), pieces);
      span.begin = document_.lines.Line(to).end;
    }
    if (span.size() == 0) return;
    Piece gap = GapOfBytes(span);
    gap.glued = false;
    AddGap(std::move(gap), pieces);
  }

  const Document& document_;
  std::vector<TextUnit> units_;
};

}  // namespace

std::unique_ptr<Shaper> ShapeUnits(const Document& document, std::vector<TextUnit> units) {
  return std::make_unique<UnitShaper>(document, std::move(units));
}

std::vector<uint64_t> SentenceEnds(const Document& document, Span span, size_t most) {
  std::string_view text = document.Bytes(span);
  std::vector<uint64_t> ends;
  bool code = false;
  uint64_t start = 0;
  for (size_t at = 0; at + 1 < text.size() && ends.size() + 1 < most; ++at) {
    if (text[at] == '`') code = !code;
    bool wide = text.substr(at, 3) == "\xE3\x80\x82";
    if (!wide && (code || (text[at] != '.' && text[at] != '!' && text[at] != '?'))) continue;
    size_t end = at + (wide ? 3 : 1);
    while (end < text.size() &&
           (text[end] == '"' || text[end] == ')' || text[end] == '\'' || text[end] == '*' || text[end] == '_'))
      ++end;
    if (end >= text.size()) break;
    if (!wide && (!IsBlank(text[end]) || (text[at] == '.' && IsAbbreviation(text, at)))) continue;
    while (end < text.size() && IsBlank(text[end])) ++end;
    if (end - start < kByteGap) continue;  // too short to leave out: part of the next
    ends.push_back(span.begin + end);
    start = end;
    at = end - 1;
    code = false;
  }
  if (ends.empty() || ends.back() != span.end) ends.push_back(span.end);
  return ends;
}

}  // namespace pith
