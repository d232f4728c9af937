// The road of every line kind: a kind ranks its lines, and here is decided which of them are shown.
//
// A histogram of bytes over the 256 ranks gives, in one pass, the rank at which the space runs out; lines above it are
// all shown, lines at it in order until it is spent. What is left between shown lines becomes gaps that say what they
// hide; a gap that would cost more than its lines is filled instead. Runs of equal lines become one line and a count; a
// long line is shown around what matters in it. Linear in the lines; called again with a tighter limit, it only selects
// anew.
#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_set>

#include "base/utf8.h"
#include "compact/blocks.h"
#include "compact/fault_count.h"
#include "compact/folds.h"
#include "compact/line_set.h"
#include "compact/query.h"
#include "compact/records/columns.h"
#include "compact/repeated_blocks.h"
#include "compact/shaper.h"
#include "compact/templates.h"

namespace pith {
namespace {

constexpr uint64_t kGapCost = 34;       // bytes of a usual gap line
constexpr uint32_t kSmallGapLines = 3;  // a gap of so many short lines may be filled instead; of more
constexpr uint64_t kLineCost = 4;       // each adds so much to its bytes
constexpr uint8_t kWarningRank = Rank::kUseful + 32;
constexpr size_t kSignalTemplates = 4096;  // distinct signals raised; beyond, the kind's own rank stands
constexpr int kMostCounts = 60;            // rows raised that differ from one before only in whose faults they count

class LinesShaper : public Shaper {
 public:
  LinesShaper(const Document& document, LinePlan plan)
      : document_(document), plan_(std::move(plan)), blanks_(document.line_count()) {
    RaiseSignals();
    RaiseQueryMatches(document_, plan_);
    FindRepeats();
    ShowEdgesAtLeast();
    FindLinesApart();
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      bytes_of_rank_[plan_.rank[line]] += Cost(line);
      if (document_.lines.Line(line).size() <= 2 && document_.Text(line).empty()) blanks_.Add(line);
    }
  }

  std::vector<Piece> Make(const Limit& limit) const override {
    Choice choice = Choose(limit);
    FillSmallGaps(choice.shown);
    choice.blocks = FindRepeatedBlocks(document_, choice.shown, apart_);
    return Emit(choice);
  }

 private:
  struct Choice {
    LineSet shown;
    bool signals_cut = false;  // not all that the kind holds for a signal found room: gaps tell of settled ones too
    std::vector<RepeatedBlock> blocks = {};
  };

  uint64_t Cost(uint32_t line) const {
    if (repeats_.count() != 0 && repeats_[line]) return 0;
    return std::min<uint64_t>(document_.lines.Line(line).size(), plan_.long_line + 40);
  }

  // Whether lines first..end-1, all the same, are worth a fold: what is written for all but the first.
  bool FoldsRun(uint32_t first, uint32_t end) const {
    return end - first > 3 && (end - first - 1ull) * document_.lines.Line(first).size() > kGapCost + 6;
  }

  // Neighbours that count up differ near their end: that is looked at first.
  bool SameLine(Span line, Span other) const {
    constexpr uint64_t kTail = 16;
    if (line.size() != other.size()) return false;
    const char *a = document_.bytes.data() + line.begin, *b = document_.bytes.data() + other.begin;
    const uint64_t size = line.size(), tail = std::min(size, kTail);
    return std::memcmp(a + size - tail, b + size - tail, tail) == 0 && std::memcmp(a, b, size - tail) == 0;
  }

  // A line like those above it costs nothing: where they are shown, a fold says how often.
  void FindRepeats() {
    const uint32_t count = document_.line_count();
    for (uint32_t line = 0, end = 0; line < count; line = end) {
      const Span first = document_.lines.Line(line);
      end = line + 1;
      while (end < count && SameLine(first, document_.lines.Line(end))) ++end;
      if (end == line + 1 || !FoldsRun(line, end) || first.size() > plan_.long_line + 40) continue;
      if (document_.Text(line).empty()) continue;
      if (repeats_.count() == 0) repeats_ = LineSet(count);
      repeats_.Add(line + 1, end);
    }
  }

  // Lines that stand for more than their own text: they have a note, lose their middle, or repeat the line above.
  void FindLinesApart() {
    const uint32_t count = document_.line_count();
    apart_ = LineSet(count);
    for (const LineNote& note : plan_.notes) apart_.Add(note.line);
    const uint32_t last = repeats_.count();
    for (uint32_t line = repeats_.NextIn(0); line < last; line = repeats_.NextIn(line + 1))
      apart_.Add(line - 1, line + 1);
    if (document_.lines.longest() <= plan_.long_line + 40) return;
    for (uint32_t line = 0; line < count; ++line) {
      if (document_.lines.Line(line).size() > plan_.long_line + 40) apart_.Add(line);
    }
  }

  bool Settled(uint32_t line) const { return line < plan_.settled.size() && plan_.settled[line]; }

  // The first line of each distinct signal is raised, whatever the kind thought of it; later ones of the same template
  // keep the kind's rank and are counted in the gap that hides them. Rows that count the faults of one thing each do
  // not stand for one another.
  void RaiseSignals() {
    std::unordered_set<uint64_t> seen;
    int counts = 0;
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      const Signal signal = document_.signals[line];
      if (signal == Signal::kNone || seen.size() >= kSignalTemplates) continue;
      if (Settled(line)) continue;
      const std::string_view text = document_.Text(line);
      const bool first = seen.insert(TemplateHash(text)).second;
      if (!first && (counts >= kMostCounts || signal < Signal::kError || !CountsFaults(text))) continue;
      if (!first && !seen.insert(HashText(text.substr(TimeEnd(text)))).second) continue;
      counts += !first;
      plan_.Raise(line, signal == Signal::kWarning ? kWarningRank : Rank::kSignal);
    }
  }

  // Where the kind thinks nothing worth a line (all progress), the first and the last tell how far it came.
  void ShowEdgesAtLeast() {
    const uint32_t count = document_.line_count();
    if (std::any_of(plan_.rank.begin(), plan_.rank.end(), [](uint8_t rank) { return rank >= Rank::kUseful; })) return;
    uint32_t first = 0, last = count;
    while (first < count && document_.Text(first).empty()) ++first;
    while (last > first && document_.Text(last - 1).empty()) --last;
    if (first == last) return;
    plan_.Raise(first, Rank::kUseful);
    plan_.Raise(last - 1, Rank::kUseful);
  }

  Choice Choose(const Limit& limit) const {
    uint64_t spent = 0;
    int rank = 255;
    uint64_t room = limit.hard;
    for (; rank >= 0; --rank) {
      if (rank < Rank::kSignal) room = std::min(limit.soft, limit.hard);
      if (rank < (limit.fill ? Rank::kFiller : Rank::kUseful)) break;
      if (spent + bytes_of_rank_[static_cast<size_t>(rank)] > room) break;
      spent += bytes_of_rank_[static_cast<size_t>(rank)];
    }
    bool partly =
        rank >= (limit.fill ? Rank::kFiller : Rank::kUseful);  // lines at `rank`: in order, while there is room
    const uint32_t count = document_.line_count();
    Choice choice{LineSet(count), rank >= kWarningRank};
    LineSet& shown = choice.shown;
    uint32_t line = 0;
    for (; rank >= 0 && line + kBlock <= count; line += kBlock) {
      shown.AddWord(line / kBlock, MoreInBlock(plan_.rank.data() + line, static_cast<uint8_t>(rank)));
    }
    for (; line < count; ++line) {
      if (plan_.rank[line] > rank) shown.Add(line);
    }
    for (line = 0; partly && line < count; ++line) {
      if (plan_.rank[line] != rank || spent + Cost(line) > room) continue;
      shown.Add(line);
      spent += Cost(line);
    }
    return choice;
  }

  // A gap line costs about as much as a short line or three: then the lines themselves are the better text.
  void FillSmallGaps(LineSet& shown) const {
    const uint32_t count = document_.line_count();
    for (uint32_t line = shown.NextOut(0), end = 0; line < count; line = shown.NextOut(end)) {
      end = shown.NextIn(line);
      uint64_t bytes = 0;
      for (uint32_t hidden = line; hidden < end && bytes <= kGapCost; ++hidden) {
        bytes += Cost(hidden) + (hidden - line < kSmallGapLines ? 0 : kLineCost);
      }
      if (bytes <= kGapCost) shown.Add(line, end);
    }
  }

  std::vector<Piece> Emit(const Choice& choice) const {
    const LineSet& shown = choice.shown;
    std::vector<Piece> pieces;
    size_t note = 0, focus = 0;
    uint32_t count = document_.line_count();
    auto block = choice.blocks.begin();
    for (uint32_t line = 0; line < count;) {
      const bool blocks_left = block != choice.blocks.end();
      if (blocks_left && block->first == line) {
        EmitBlock(*block, pieces);
        line = block++->end;
        continue;
      }
      uint32_t end = shown[line] ? shown.NextOut(line) : shown.NextIn(line);
      if (blocks_left && block->first > line) end = std::min(end, block->first);
      if (shown[line]) {
        EmitShown(line, end, note, focus, shown, pieces);
      } else {
        pieces.push_back(GapFor(line, end, choice.signals_cut));
      }
      line = end;
    }
    return pieces;
  }

  // "[94 changed lines omitted: 311-404, shown above as 120-213] from: ..." with the first words of them.
  void EmitBlock(const RepeatedBlock& block, std::vector<Piece>& pieces) const {
    constexpr uint64_t kCited = 48;
    const uint32_t last = block.end - 1, source_last = block.source + (last - block.first);
    Piece gap = GapOfLines(document_, block.first, last, NounOf(block.first, block.end));
    gap.detail = "shown above as " + std::to_string(block.source + 1) + "-" + std::to_string(source_last + 1);
    gap.weighed = true;
    pieces.push_back(std::move(gap));
    uint32_t named = block.source;  // what it begins with, as far as that tells it from other lines
    while (named < source_last && document_.Text(named).size() < 6) ++named;
    const uint64_t begin = document_.lines.Line(named).begin, size = document_.Text(named).size();
    const uint64_t cut = size <= kCited ? size : Utf8FloorBoundary(document_.bytes, begin + kCited) - begin;
    pieces.push_back(Note(" from: "));
    pieces.back().glued = true;
    pieces.push_back(Cite({begin, begin + cut}));
    pieces.back().glued = true;
  }

  // What lines first..end-1 are, if they are all the same thing.
  std::string_view NounOf(uint32_t first, uint32_t end) const {
    for (uint32_t line = first + 1; line < end; ++line) {
      if (plan_.noun[line] != plan_.noun[first]) return "lines";
    }
    return plan_.nouns[plan_.noun[first]];
  }

  void EmitNotes(uint32_t line, bool after, size_t& note, const LineSet& shown, std::vector<Piece>& pieces) const {
    while (note < plan_.notes.size() && plan_.notes[note].line < line) ++note;
    for (; note < plan_.notes.size() && plan_.notes[note].line == line && plan_.notes[note].after == after; ++note) {
      EmitNote(plan_.notes[note], shown, pieces);
    }
  }

  static void EmitNote(const LineNote& note, const LineSet& shown, std::vector<Piece>& pieces) {
    if (note.parts.empty()) {
      pieces.insert(pieces.end(), note.pieces.begin(), note.pieces.end());
      return;
    }
    const auto add = [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) pieces.push_back(note.pieces[i]);
    };
    bool any = false;
    for (const LineNote::Part& part : note.parts) {
      if (shown[part.line]) continue;
      if (any) add(part.begin - 1, part.begin);
      if (!any) add(0, note.parts.front().begin);
      add(part.begin, part.end);
      any = true;
    }
    if (any) add(note.parts.back().end, note.pieces.size());
  }

  // Lines first..end-1, all shown: quotes as long as they can be, broken by notes, long lines and repeats.
  void EmitShown(uint32_t first, uint32_t end, size_t& note, size_t& focus, const LineSet& shown,
                 std::vector<Piece>& pieces) const {
    uint32_t quoted_from = first;
    auto flush = [&](uint32_t to) {
      if (quoted_from < to) pieces.push_back(QuoteLines(document_, quoted_from, to - 1));
      quoted_from = to;
    };
    for (uint32_t line = first; line < end; ++line) {
      while (note < plan_.notes.size() && plan_.notes[note].line < line) ++note;
      bool noted = note < plan_.notes.size() && plan_.notes[note].line == line;
      if (noted && !plan_.notes[note].after) {
        flush(line);
        EmitNotes(line, false, note, shown, pieces);
      }
      if (document_.lines.Line(line).size() > plan_.long_line + 40) {
        flush(line);
        EmitLongLine(line, focus, pieces);
        quoted_from = line + 1;
      }
      uint32_t same = line + 1;
      while (same < end && document_.Text(same) == document_.Text(line) && !document_.Text(line).empty()) ++same;
      if (FoldsRun(line, same) && quoted_from <= line) {
        flush(line + 1);
        Span span = document_.lines.Lines(line + 1, same - 1);
        pieces.push_back(Fold(FoldForm::kRepeat, span, RepeatText(same - line - 1ull, line + 2, same)));
        quoted_from = same;
        line = same - 1;
      }
      EmitAfterNotes(line, note, shown, flush, pieces);
    }
    flush(end);
  }

  template <typename Flush>
  void EmitAfterNotes(uint32_t line, size_t& note, const LineSet& shown, Flush& flush,
                      std::vector<Piece>& pieces) const {
    if (note >= plan_.notes.size() || plan_.notes[note].line != line || !plan_.notes[note].after) return;
    flush(line + 1);
    EmitNotes(line, true, note, shown, pieces);
  }

  // Head, the stretch around the focus, and the tail of a long line, with the addresses of what is between.
  void EmitLongLine(uint32_t line, size_t& focus, std::vector<Piece>& pieces) const {
    Span whole = document_.lines.Line(line);
    while (focus < plan_.focus.size() && plan_.focus[focus].first < line) ++focus;
    Span wanted{whole.begin, whole.begin};
    if (focus < plan_.focus.size() && plan_.focus[focus].first == line) {
      wanted = plan_.focus[focus].second;
    } else {
      wanted = SignalWithin(document_, whole);
    }
    const uint64_t end = whole.begin + document_.Text(line).size();
    if (document_.Bytes({whole.begin, end}).find('\r') == std::string_view::npos) {
      return ShortenLine(document_, whole, wanted, plan_.long_line, pieces);
    }
    std::string scratch;
    if (document_.Plain(line, scratch).size() <= plan_.long_line + 40) return pieces.push_back(Quote(whole));
    EmitStates(whole, end, wanted, pieces);
  }

  // A long line that was written over: the state that holds what is wanted and the last, each shortened by itself, so
  // that no two of them run together.
  void EmitStates(Span whole, uint64_t end, Span wanted, std::vector<Piece>& pieces) const {
    uint64_t last_end = end;
    while (last_end > whole.begin &&
           std::string_view(" \t\r").find(document_.bytes[last_end - 1]) != std::string::npos) {
      --last_end;
    }
    const Span last{StateBegin(whole.begin, last_end), whole.end};
    if (wanted.size() > 0 && wanted.begin < last.begin) {
      const uint64_t begin = StateBegin(whole.begin, wanted.begin + 1);
      const Span state{begin, std::min<uint64_t>(document_.bytes.find('\r', wanted.begin), last.begin)};
      if (begin > whole.begin) pieces.push_back(GapOfBytes({whole.begin, begin}));
      if (begin > whole.begin) pieces.back().glued = false;
      wanted.end = std::min(wanted.end, state.end);
      const size_t first = pieces.size();
      ShortenLine(document_, state, wanted, plan_.long_line, pieces);
      pieces[first].glued = begin > whole.begin;
      pieces.push_back(GapOfBytes({state.end, last.begin}));
      wanted = {last.begin, last.begin};
    } else if (last.begin > whole.begin) {
      pieces.push_back(GapOfBytes({whole.begin, last.begin}));
      pieces.back().glued = false;
    }
    const size_t first = pieces.size();
    ShortenLine(document_, last, {std::max(wanted.begin, last.begin), std::max(wanted.end, last.begin)},
                plan_.long_line, pieces);
    pieces[first].glued = last.begin > whole.begin;
  }

  // Where the state begins that ends at `end`: after the last carriage return before it.
  uint64_t StateBegin(uint64_t from, uint64_t end) const {
    const size_t at = document_.bytes.substr(0, end).rfind('\r');
    return at == std::string_view::npos || at < from ? from : at + 1;
  }

  // `counts_all`: also the signals that the kind has settled.
  Piece GapFor(uint32_t first, uint32_t end, bool counts_all) const {
    std::array<uint64_t, 4> signals{};
    std::vector<uint64_t> nouns(plan_.nouns.size()), graver(plan_.nouns.size());
    uint64_t blank = 0;
    const bool counts_settled = plan_.counts_settled || counts_all;
    for (uint32_t line = first; line < end; ++line) {
      const Signal signal = document_.signals[line];
      if (signal == Signal::kNone || (!counts_settled && Settled(line))) continue;
      const uint8_t noun = plan_.noun[line];
      if (signal <= plan_.told[noun]) continue;
      graver[noun] += plan_.told[noun] != Signal::kNone;
      ++signals[static_cast<size_t>(signal)];
    }
    for (uint32_t line = first, run = 0; line < end; line += run) {
      run = static_cast<uint32_t>(EqualRun(plan_.noun.data() + line, end - line));
      nouns[plan_.noun[line]] += run;
    }
    for (uint32_t line = blanks_.NextIn(first, end); line < end; line = blanks_.NextIn(line + 1, end)) {
      ++blank;
      --nouns[plan_.noun[line]];
    }
    Piece gap = GapOfLines(document_, first, end - 1);
    auto named = std::find_if(nouns.begin() + 1, nouns.end(), [](uint64_t n) { return n > 0; });
    if (named != nouns.end() && *named + blank == gap.count) {
      gap.noun = plan_.nouns[static_cast<size_t>(named - nouns.begin())];
      gap.count = *named;
      AddDetail(gap, blank, "blank");
    } else {
      for (size_t i = 1; i < nouns.size(); ++i) AddDetail(gap, nouns[i] - graver[i], plan_.nouns[i]);
    }
    AddDetail(gap, signals[2] + signals[3], "errors");
    AddDetail(gap, signals[1], "warnings");
    gap.weighed = true;
    return gap;
  }

  const Document& document_;
  LinePlan plan_;
  LineSet repeats_;  // the same as the line above, in a run that a fold can hold; of no lines where there are none
  LineSet apart_, blanks_;
  std::array<uint64_t, 256> bytes_of_rank_{};
};

}  // namespace

uint8_t LinePlan::NounIndex(std::string_view plural, Signal tells) {
  for (size_t i = 0; i < nouns.size(); ++i)
    if (nouns[i] == plural) return static_cast<uint8_t>(i);
  if (nouns.size() == 255) return 0;
  nouns.emplace_back(plural);
  told.push_back(tells);
  return static_cast<uint8_t>(nouns.size() - 1);
}

std::unique_ptr<Shaper> ShapeLines(const Document& document, LinePlan plan) {
  return std::make_unique<LinesShaper>(document, std::move(plan));
}

}  // namespace pith
