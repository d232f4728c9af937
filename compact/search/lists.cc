#include "compact/search/lists.h"

#include <algorithm>
#include <numeric>

#include "compact/query.h"

namespace pith {
namespace {

constexpr uint64_t kGapCost = 60;
constexpr uint64_t kNeverFits = 4 << 20;  // bytes of paths that no saying-once brings to a page
constexpr uint32_t kSlack = 2;            // paths beyond the quota that are shown rather than spend a gap on them

}  // namespace

SearchList::SearchList(const Document& document, const SearchText& text, uint32_t first, uint32_t last)
    : document_(document), text_(text), last_(last) {
  for (uint32_t line = first; line <= last; ++line) {
    PathEntry entry = EntryOf(line);
    bool fits = FitsPathList(entry) && document.lines.Line(line).size() > 0 &&
                !document.Bytes(document.lines.Line(line)).ends_with("\r\n");
    bool joins = fits && !stretches_.empty() && stretches_.back().fits &&
                 EntryOf(stretches_.back().first).counted == entry.counted;
    if (joins)
      stretches_.back().last = line;
    else
      stretches_.push_back({line, line, fits, ""});
  }
  bool hopeless = document.lines.Lines(first, last).size() > kNeverFits;
  for (Stretch& stretch : stretches_) {
    std::vector<PathEntry> entries;
    if (!hopeless) {
      for (uint32_t line = stretch.first; line <= stretch.last; ++line) entries.push_back(EntryOf(line));
      if (stretch.fits) stretch.text = WritePathList(entries);
    }
    Span span = document.lines.Lines(stretch.first, stretch.last);
    if (stretch.text.size() + 1 >= span.size()) stretch.fits = false;  // nothing won: as it stands
    full_size_ += hopeless ? span.size() : stretch.fits ? stretch.text.size() + 1 : span.size();
  }
  for (uint32_t s = 0; s < stretches_.size(); ++s) FindRuns(s);
}

PathEntry SearchList::EntryOf(uint32_t line) const {
  const SearchLine& read = text_.lines[line];
  std::string_view text = document_.Text(line);
  PathEntry entry;
  entry.path = text;
  if (text.ends_with(" matches)") && read.has_number) {
    entry.counted = true;
    entry.path = text.substr(0, read.path);
    entry.count = text.substr(read.path + 2, text.size() - read.path - 2 - std::string_view(" matches)").size());
  }
  return entry;
}

void SearchList::EmitFold(const std::vector<uint32_t>& lines, std::vector<Piece>& pieces) const {
  std::vector<PathEntry> entries;
  std::vector<Span> spans;
  for (uint32_t line : lines) {
    entries.push_back(EntryOf(line));
    Span span = document_.lines.Line(line);
    if (!spans.empty() && spans.back().end == span.begin)
      spans.back().end = span.end;
    else
      spans.push_back(span);
  }
  Piece fold = Fold(FoldForm::kSearchGroup, spans.front(), WritePathList(entries));
  fold.more.assign(spans.begin() + 1, spans.end());
  pieces.push_back(std::move(fold));
}

void SearchList::Emit(uint64_t room, std::vector<Piece>& pieces) const {
  if (full_size_ > room && EmitAsked(room, pieces)) return;
  if (full_size_ > room) return EmitPart(room, pieces);
  for (const Stretch& stretch : stretches_) {
    Span span = document_.lines.Lines(stretch.first, stretch.last);
    pieces.push_back(stretch.fits ? Fold(FoldForm::kSearchGroup, span, stretch.text) : Quote(span));
  }
}

void SearchList::FindRuns(uint32_t s) {
  const Stretch& stretch = stretches_[s];
  for (uint32_t line = stretch.first; line <= stretch.last; ++line) {
    std::string_view folder = FolderOf(EntryOf(line).path);
    if (!runs_.empty() && runs_.back().stretch == s && runs_.back().folder == folder)
      runs_.back().end = line + 1;
    else
      runs_.push_back({line, line + 1, s, folder});
  }
}

uint32_t SearchList::ShownOf(const Run& run, uint32_t quota) {
  uint32_t count = run.end - run.first;
  return count <= quota + kSlack ? count : quota;
}

uint64_t SearchList::CostOf(const Run& run, uint32_t quota) const {
  uint64_t count = run.end - run.first, shown = ShownOf(run, quota);
  uint64_t average = document_.lines.Lines(run.first, run.end - 1).size() / count;
  uint64_t name = average - std::min<uint64_t>(average, run.folder.size());
  return run.folder.size() + shown * name + (shown < count ? kGapCost + run.folder.size() : 0);
}

Piece SearchList::GapOf(uint32_t first, uint32_t end, std::string detail) const {
  Piece gap = GapOfLines(document_, first, end - 1, "paths");
  gap.detail = std::move(detail);
  return gap;
}

// As many of each folder as fit, the same number for all; when not even one does, whole folders from the top and a gap
// for the rest.
void SearchList::EmitPart(uint64_t room, std::vector<Piece>& pieces) const {
  auto size_at = [&](uint32_t quota) {
    uint64_t size = 0;
    for (const Run& run : runs_) size += CostOf(run, quota);
    return size;
  };
  uint32_t quota = 128;
  while (quota > 1 && size_at(quota) > room) quota /= 2;
  uint64_t spent = 0;
  std::vector<uint32_t> shown;
  std::vector<Piece> gaps;
  auto flush = [&](uint32_t s) {
    bool fits = std::all_of(shown.begin(), shown.end(), [&](uint32_t line) { return FitsPathList(EntryOf(line)); });
    if (!shown.empty() && fits && shown.size() > 1 && stretches_[s].first < stretches_[s].last)
      EmitFold(shown, pieces);
    else
      for (uint32_t line : shown) pieces.push_back(QuoteLines(document_, line, line));
    pieces.insert(pieces.end(), gaps.begin(), gaps.end());
    shown.clear();
    gaps.clear();
  };
  for (size_t i = 0; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    spent += CostOf(run, quota);
    if (spent > room) {
      flush(run.stretch);
      pieces.push_back(GapOf(run.first, last_ + 1, ""));
      return;
    }
    uint32_t end = run.first + ShownOf(run, quota);
    for (uint32_t line = run.first; line < end; ++line) shown.push_back(line);
    if (end < run.end) gaps.push_back(GapOf(end, run.end, run.folder.empty() ? "" : "in " + std::string(run.folder)));
    if (i + 1 == runs_.size() || runs_[i + 1].stretch != run.stretch) flush(run.stretch);
  }
}

// What a query matches, best first, then others from the top, while there is room. False: it matches nothing here.
bool SearchList::EmitAsked(uint64_t room, std::vector<Piece>& pieces) const {
  if (document_.hints.query.empty()) return false;
  const uint32_t first = stretches_.front().first;
  std::vector<std::string_view> texts;
  for (uint32_t line = first; line <= last_; ++line) texts.push_back(document_.Text(line));
  const std::vector<double> scores = QueryScores(document_.hints.query, texts);
  std::vector<uint32_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
  if (scores[order.front()] <= 0) return false;
  std::vector<bool> shown(texts.size());
  uint64_t spent = kGapCost;
  for (uint32_t line : order) {
    const bool apart = scores[line] > 0;  // a gap before it
    const uint64_t cost = texts[line].size() + 1 + (apart ? kGapCost : 0);
    if (spent + cost > room) break;
    spent += cost;
    shown[line] = true;
  }
  for (const Stretch& stretch : stretches_) {
    for (uint32_t line = stretch.first, end = line; line <= stretch.last; line = end) {
      while (end <= stretch.last && shown[end - first] == shown[line - first]) ++end;
      std::vector<uint32_t> run(end - line);
      std::iota(run.begin(), run.end(), line);
      if (!shown[line - first]) {
        pieces.push_back(GapOf(line, end, ""));
      } else if (stretch.fits && run.size() > 1) {
        EmitFold(run, pieces);
      } else {
        pieces.push_back(QuoteLines(document_, line, end - 1));
      }
    }
  }
  return true;
}

}  // namespace pith
