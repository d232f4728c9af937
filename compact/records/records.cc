// The view of records: what stands around them, the records that say something, gaps with the names of the others, and
// one line of statistics over all. A record of many lines that is larger than its share is shown by its first lines and
// those that make it odd; a record of one long line loses the ends of its long values.
#include "compact/records/records.h"

#include <algorithm>
#include <unordered_set>

#include "compact/begins.h"
#include "compact/licence.h"
#include "compact/records/folds_table.h"
#include "compact/records/record_ranks.h"
#include "compact/records/table_reader.h"
#include "compact/templates.h"

namespace pith {
namespace {

constexpr uint64_t kSmallestTarget = 700;
constexpr uint64_t kShrink = 8;  // a view aims at this part of the original
constexpr uint64_t kGapCost = 36;
constexpr uint64_t kLongValue = 120;  // bytes of a value that may lose its end
constexpr uint64_t kKeptOfValue = 60;
constexpr uint64_t kLongLine = 400;  // bytes of a line in a record of many lines that loses its end
constexpr uint64_t kKeptOfLine = 160;
constexpr uint64_t kMostNumbers = 40;  // left-out records that are named by a number

class RecordShaper : public Shaper {
 public:
  RecordShaper(const Document& document, std::unique_ptr<Records> records)
      : document_(document), records_(std::move(records)), ranks_(document, *records_) {}

  std::vector<Piece> Make(const Limit& limit) const override;

 private:
  const Document& document_;
  std::unique_ptr<Records> records_;
  RecordRanks ranks_;
};

// One view being made.
class RecordView {
 public:
  RecordView(const Document& document, const Records& records, const RecordRanks& ranks, const Limit& limit)
      : document_(document), records_(records), ranks_(ranks), limit_(limit) {}

  std::vector<Piece> Make() {
    uint64_t room = limit_.soft;
    if (!limit_.fill)
      room = std::clamp<uint64_t>(document_.bytes.size() / kShrink, std::min(kSmallestTarget, room), room);
    std::vector<Piece> whole = Whole();
    const uint64_t whole_size = whole.empty() ? UINT64_MAX : SizeOf(whole);
    if (whole_size <= room) return whole;
    std::vector<Piece> partial = Partial(room);
    const bool worth = SizeOf(partial) / 4 <= whole_size / 5;  // what is left out must pay for it
    return worth || whole_size > limit_.hard ? std::move(partial) : std::move(whole);
  }

 private:
  std::vector<Piece> Partial(uint64_t room) {
    std::vector<bool> shown = Choose(room);
    std::vector<uint32_t> names = NamesFor(shown, room);
    for (size_t i = 0; i < records_.spans.size();) {
      ShowBetween(records_.spans[i].begin, room / 3);
      if (shown[i]) {
        ShowRecord(static_cast<uint32_t>(i));
        ++i;
        continue;
      }
      size_t end = i;
      while (end < records_.spans.size() && !shown[end] && (end == i || Adjoin(end))) ++end;
      Omit(i, end);
      Names(i, end, names);
      i = end;
    }
    std::string statistics = ranks_.Statistics(std::min<uint64_t>(room / 4, 1200));
    if (!statistics.empty() && omitted_) pieces_.push_back(Note(std::move(statistics)));
    ShowBetween(document_.bytes.size(), room / 3);
    return std::move(pieces_);
  }

  static uint64_t SizeOf(const std::vector<Piece>& pieces) {
    uint64_t size = 0;
    for (const Piece& piece : pieces) {
      const bool shows = piece.type == Piece::Type::kQuote || piece.type == Piece::Type::kCite;
      size += shows ? piece.span.size() : piece.type == Piece::Type::kGap ? kGapCost : piece.text.size() + 1;
    }
    return size;
  }

  // The whole original, its rows with what repeats in them said once; nothing for other notations, and where that
  // would be longer than a view can be.
  std::vector<Piece> Whole() const {
    constexpr uint64_t kMostShrink = 6;
    const bool rows = records_.Delimiter() != '\0' && !document_.needs_display;
    if (!rows || document_.bytes.size() > limit_.hard * kMostShrink) return {};
    std::vector<Piece> pieces;
    uint64_t at = 0;
    std::vector<std::vector<std::string_view>> run;
    uint64_t run_begin = 0;
    const auto close = [&](uint64_t end) {
      if (run.size() >= 3) {
        if (at < run_begin) pieces.push_back(Quote({at, run_begin}));
        pieces.push_back(Fold(FoldForm::kTable, {run_begin, end}, WriteTable(run, records_.Delimiter())));
        at = end;
      }
      run.clear();
    };
    uint64_t before = 0;
    for (const RecordSpan& span : records_.spans) {
      std::vector<std::string_view> cells = RawCells(span);
      if (!run.empty() && (span.begin != before || cells.size() != run.front().size())) close(before);
      if (run.empty()) run_begin = span.begin;
      if (!cells.empty()) run.push_back(std::move(cells));
      before = span.end;
    }
    close(before);
    if (at < document_.bytes.size()) pieces.push_back(Quote({at, document_.bytes.size()}));
    return pieces;
  }

  // The cells of a record as they are written; none of one of several lines, and of one with a cell that the fold would
  // read as its own mark.
  std::vector<std::string_view> RawCells(const RecordSpan& span) const {
    const std::string_view text = WithoutLineEnd(document_.Bytes({span.begin, span.end}));
    std::vector<std::string_view> cells;
    if (text.find('\n') != std::string_view::npos) return cells;
    for (size_t at = 0; at <= text.size();) {
      const size_t end = FieldEnd(text, at, records_.Delimiter());
      cells.push_back(text.substr(at, end - at));
      if (cells.back() == kDitto) return {};
      at = end + 1;
    }
    return cells;
  }

  uint64_t SizeOf(size_t record) const { return records_.spans[record].end - records_.spans[record].begin; }

  std::vector<bool> Choose(uint64_t room) {
    std::vector<bool> shown(records_.spans.size());
    uint64_t must = 0;
    for (const RecordRank& rank : ranks_.ranked()) must += rank.priority >= RowPriority::kMust;
    record_room_ = std::max<uint64_t>(room * 3 / 5 / std::clamp<uint64_t>(must, 2, 8), 160);
    uint64_t spent = 0, useful = room * 3 / 5, most = std::min(limit_.hard / 2, room * 3);
    for (const RecordRank& rank : ranks_.ranked()) {
      uint64_t cost = std::min(SizeOf(rank.record), record_room_ + kGapCost) + kGapCost;
      uint64_t allowed = rank.priority >= RowPriority::kError  ? most
                         : rank.priority >= RowPriority::kMust ? room
                                                               : useful;
      if (spent + cost > allowed && spent > 0) continue;
      spent += cost;
      shown[rank.record] = true;
    }
    return shown;
  }

  // -- what stands between records

  // Bytes up to `end` that no record owns: all of them while that is little, else the first and the last lines.
  void ShowBetween(uint64_t end, uint64_t room) {
    if (at_ >= end) return;
    Span span = {at_, end};
    at_ = end;
    uint32_t first = document_.lines.LineAt(span.begin), last = document_.lines.LineAt(span.end - 1);
    bool whole_lines = document_.lines.Lines(first, last) == span;
    if (first == 0 && whole_lines) {
      const LineRange licence = LicenceLines(document_, last);
      if (licence.end > 0) {
        if (licence.first > 0) pieces_.push_back(QuoteLines(document_, 0, licence.first - 1));
        pieces_.push_back(GapOfLines(document_, licence.first, licence.end - 1, "licence lines"));
        if (licence.end > last) return;
        first = licence.end;
        room /= 2;
        span = document_.lines.Lines(first, last);
      }
    }
    if (span.size() <= room || !whole_lines || last - first < 8) return QuoteSpan(span);
    uint64_t half = std::max<uint64_t>(room / 2, 200);
    uint32_t head = first, tail = last;
    while (head + 1 < last && document_.lines.Lines(first, head + 1).size() <= half) ++head;
    while (tail > head + 2 && document_.lines.Lines(tail - 1, last).size() <= half / 2) --tail;
    if (tail <= head + 1) return QuoteSpan(span);
    pieces_.push_back(QuoteLines(document_, first, head));
    ShowFaults(head + 1, tail - 1);
    pieces_.push_back(QuoteLines(document_, tail, last));
  }

  // Of lines first..last the first of each kind that says of an error, with gaps around them.
  void ShowFaults(uint32_t first, uint32_t last) {
    std::unordered_set<uint64_t> seen;
    uint64_t room = limit_.hard / 4;
    uint32_t from = first;
    for (uint32_t line = first; line <= last; ++line) {
      if (document_.signals[line] < Signal::kError) continue;
      const uint64_t cost = document_.lines.Line(line).size() + kGapCost;
      if (cost > room || !seen.insert(TemplateHash(document_.Text(line))).second) continue;
      room -= cost;
      if (from < line) pieces_.push_back(GapOfLines(document_, from, line - 1));
      pieces_.push_back(QuoteLines(document_, line, line));
      from = line + 1;
    }
    if (from <= last) pieces_.push_back(GapOfLines(document_, from, last));
  }

  // Quotes that follow each other without a line end in between are one line.
  void QuoteSpan(Span span) {
    if (span.size() == 0) return;
    Piece quote = Quote(span);
    quote.glued = span.begin > 0 && document_.bytes[span.begin - 1] != '\n' && !pieces_.empty() && !after_own_line_;
    after_own_line_ = false;
    pieces_.push_back(std::move(quote));
  }

  // -- shown records

  void ShowRecord(uint32_t record) {
    RecordSpan span = records_.spans[record];
    at_ = span.end;
    if (SizeOf(record) <= record_room_ + kGapCost) return QuoteSpan({span.begin, span.end});
    uint32_t first = document_.lines.LineAt(span.begin), last = document_.lines.LineAt(span.end - 1ull);
    bool own_lines = document_.lines.Lines(first, last) == Span{span.begin, span.end};
    if (own_lines && last - first >= 6)
      ShowLines(record, first, last);
    else
      ShowCut(record);
  }

  // Lines that name the record and make it odd, its first and last, others in order while there is room.
  void ShowLines(uint32_t record, uint32_t first, uint32_t last) {
    std::vector<bool> shown(last - first + 1ull);
    uint64_t spent = 0;
    auto show = [&](uint32_t line) {
      if (shown[line - first]) return;
      shown[line - first] = true;
      spent += std::min(document_.lines.Line(line).size(), kKeptOfLine + kGapCost);
    };
    show(first);
    show(last);
    for (const Span& name : NameSpans(record)) show(document_.lines.LineAt(name.begin));
    for (const Span& odd : ranks_.OddSpans(record)) {
      if (spent >= record_room_ || odd.size() == 0) continue;
      uint32_t line = document_.lines.LineAt(odd.begin);
      show(line);
      if (line > first) show(line - 1);  // "value: x" says little without the name above it
    }
    for (uint32_t line = first; line <= last && spent < record_room_; ++line) show(line);
    for (uint32_t line = first; line <= last;) {
      uint32_t end = line;
      while (end < last && shown[end + 1 - first] == shown[line - first]) ++end;
      if (!shown[line - first]) pieces_.push_back(GapOfLines(document_, line, end));
      for (uint32_t one = line; one <= end && shown[line - first]; ++one) ShowLine(one);
      line = end + 1;
    }
  }

  void ShowLine(uint32_t line) {
    Span span = document_.lines.Line(line);
    if (span.size() <= kLongLine) return QuoteSpan(span);
    uint64_t end = span.begin + document_.Text(line).size();
    uint64_t cut = CharacterStart(span.begin + kKeptOfLine);
    QuoteSpan({span.begin, cut});
    pieces_.push_back(GapOfBytes({cut, end}));
    QuoteSpan({end, span.end});
  }

  uint64_t CharacterStart(uint64_t at) const {
    while (at > 0 && (static_cast<unsigned char>(document_.bytes[at]) & 0xC0) == 0x80) --at;
    return at;
  }

  std::vector<Span> NameSpans(uint32_t record) const {
    std::vector<Span> spans;
    std::vector<RecordCell> cells;
    records_.Cells(record, cells);
    std::vector<uint32_t> identity = ranks_.Identity();
    for (const RecordCell& cell : cells) {
      if (!identity.empty() && cell.column == identity[0] && cell.value.size() > 0) spans.push_back(cell.value);
    }
    return spans;
  }

  // Long values lose their ends; where that is not enough, the record does.
  void ShowCut(uint32_t record) {
    RecordSpan span = records_.spans[record];
    std::vector<RecordCell> cells;
    records_.Cells(record, cells);
    uint64_t saved = 0;
    for (const RecordCell& cell : cells)
      saved += cell.value.size() > kLongValue ? cell.value.size() - kKeptOfValue - kGapCost : 0;
    if (SizeOf(record) > saved + record_room_ * 2) return ShowHead(record);
    uint64_t at = span.begin;
    for (const RecordCell& cell : cells) {
      if (cell.value.size() <= kLongValue || cell.value.begin < at) continue;
      uint64_t cut = CharacterStart(cell.value.begin + kKeptOfValue);
      QuoteSpan({at, cut});
      pieces_.push_back(GapOfBytes({cut, cell.value.end}));
      at = cell.value.end;
    }
    QuoteSpan({at, span.end});
  }

  void ShowHead(uint32_t record) {
    RecordSpan span = records_.spans[record];
    uint64_t end = span.end;
    while (end > span.begin && (document_.bytes[end - 1] == '\n' || document_.bytes[end - 1] == '\r')) --end;
    uint64_t cut = CharacterStart(span.begin + record_room_);
    if (cut + kGapCost >= end) return QuoteSpan({span.begin, span.end});
    QuoteSpan({span.begin, cut});
    pieces_.push_back(GapOfBytes({cut, end}));
    QuoteSpan({end, span.end});
  }

  // -- left-out records

  // Nothing but blanks stands between this record and the one before, so that one gap may hold both.
  bool Adjoin(size_t record) const {
    Span between = {records_.spans[record - 1].end, records_.spans[record].begin};
    return document_.Bytes(between).find_first_not_of(" \t\r\n") == std::string_view::npos;
  }

  void Omit(size_t first, size_t end) {
    omitted_ = true;
    Span span = {records_.spans[first].begin, records_.spans[end - 1].end};
    at_ = span.end;
    uint32_t first_line = document_.lines.LineAt(span.begin), last_line = document_.lines.LineAt(span.end - 1);
    if (document_.lines.Lines(first_line, last_line) == span) {
      pieces_.push_back(GapOfLines(document_, first_line, last_line, records_.noun));
      uint64_t lines = 0, blank = 0;
      for (uint32_t line = first_line; line <= last_line; ++line) ++lines, blank += document_.Text(line).empty();
      if (lines - blank == end - first) AddDetail(pieces_.back(), blank, "blank");
      pieces_.back().count = end - first;
      TellFailing(first, end, pieces_.back());
      after_own_line_ = true;
      return;
    }
    Piece gap = GapOfBytes(span);
    TellFailing(first, end, gap);
    gap.glued = span.begin > 0 && document_.bytes[span.begin - 1] != '\n';
    pieces_.push_back(std::move(gap));
    Say(" (" + Counted(end - first, records_.noun) + ")");
  }

  // Records are what is counted here, however many of their lines say of an error.
  void TellFailing(size_t first, size_t end, Piece& gap) const {
    const uint64_t failing = ranks_.Failing(first, end);
    AddDetail(gap, failing, "failing records");
    gap.weighed = failing > 0;
  }

  void Say(std::string text) {
    pieces_.push_back(Note(std::move(text)));
    pieces_.back().glued = true;
  }

  // The columns that are cited of each left-out record; none where that takes too much.
  std::vector<uint32_t> NamesFor(const std::vector<bool>& shown, uint64_t room) const {
    uint64_t hidden = static_cast<uint64_t>(std::count(shown.begin(), shown.end(), false));
    std::vector<uint32_t> identity = ranks_.Identity();
    if (identity.empty()) return {};
    const RecordColumn& column = ranks_.columns()[identity[0]];
    bool number = column.numbers.count * 2 > column.values;
    uint64_t cost = hidden * (column.bytes / std::max<uint32_t>(1, column.values) + 2);
    if ((number && hidden > kMostNumbers) || cost > std::min(room * 2, std::max(room, limit_.soft * 3 / 4))) return {};
    return {identity[0]};
  }

  // Names of the left-out records first..end-1, so that each can be told from the next: with their quotes where they
  // are quoted, divided by what stands in none of them; one with a line end in it is not said.
  void Names(size_t first, size_t end, const std::vector<uint32_t>& names) {
    if (names.empty()) return;
    std::vector<RecordCell> cells;
    std::vector<Span> said;
    for (size_t i = first; i < end; ++i) {
      cells.clear();
      records_.Cells(static_cast<uint32_t>(i), cells);
      for (const RecordCell& cell : cells) {
        if (cell.column != names[0] || cell.value.size() == 0) continue;
        const bool quotes = cell.quoted && document_.Bytes(cell.value).find_first_of(",;\"") != std::string_view::npos;
        if (document_.Bytes(cell.value).find('\n') == std::string_view::npos) {
          said.push_back({cell.value.begin - quotes, cell.value.end + quotes});
        }
        break;
      }
    }
    const std::string_view divider = DividerOf(said);
    if (said.empty() || divider.empty()) return;
    Say(" " + records_.columns[names[0]] + ": ");
    for (size_t i = 0; i < said.size(); ++i) {
      if (i > 0) Say(std::string(divider));
      pieces_.push_back(Cite(said[i]));
      pieces_.back().glued = true;
    }
  }

  // What may stand between names; a quoted name is known by its quotes. Empty: each divider is part of a name.
  std::string_view DividerOf(const std::vector<Span>& names) const {
    for (std::string_view divider : {", ", "; ", " | "}) {
      const bool divides = std::none_of(names.begin(), names.end(), [&](Span name) {
        const std::string_view text = document_.Bytes(name);
        return text[0] != '"' && text.find(divider.substr(0, divider.size() - 1)) != std::string_view::npos;
      });
      if (divides) return divider;
    }
    return "";
  }

  const Document& document_;
  const Records& records_;
  const RecordRanks& ranks_;
  const Limit& limit_;
  std::vector<Piece> pieces_;
  uint64_t at_ = 0;  // bytes before have an owner
  uint64_t record_room_ = 0;
  bool omitted_ = false;
  bool after_own_line_ = false;
};

std::vector<Piece> RecordShaper::Make(const Limit& limit) const {
  return RecordView(document_, *records_, ranks_, limit).Make();
}

}  // namespace

std::unique_ptr<Shaper> ShapeRecords(const Document& document, std::unique_ptr<Records> records) {
  return std::make_unique<RecordShaper>(document, std::move(records));
}

}  // namespace pith
