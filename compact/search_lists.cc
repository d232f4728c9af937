#include "compact/search_lists.h"

#include <algorithm>

namespace pith {
namespace {

constexpr uint64_t kGapCost = 60;
constexpr uint32_t kSlack = 2;  // paths beyond the quota that are shown rather than spend a gap on them

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
  for (Stretch& stretch : stretches_) {
    std::vector<PathEntry> entries;
    for (uint32_t line = stretch.first; line <= stretch.last; ++line) entries.push_back(EntryOf(line));
    if (stretch.fits) stretch.text = WritePathList(entries);
    Span span = document.lines.Lines(stretch.first, stretch.last);
    if (stretch.text.size() + 1 >= span.size()) stretch.fits = false;  // nothing won: as it stands
    full_size_ += stretch.fits ? stretch.text.size() + 1 : span.size();
  }
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
  if (full_size_ > room) return EmitPart(room, pieces);
  for (const Stretch& stretch : stretches_) {
    Span span = document_.lines.Lines(stretch.first, stretch.last);
    pieces.push_back(stretch.fits ? Fold(FoldForm::kSearchGroup, span, stretch.text) : Quote(span));
  }
}

std::vector<SearchList::Run> SearchList::RunsOf(const Stretch& stretch) const {
  std::vector<Run> runs;
  for (uint32_t line = stretch.first; line <= stretch.last; ++line) {
    std::string_view folder = FolderOf(EntryOf(line).path);
    if (!runs.empty() && runs.back().folder == folder)
      runs.back().end = line + 1;
    else
      runs.push_back({line, line + 1, folder});
  }
  return runs;
}

uint64_t SearchList::SizeAt(uint32_t quota) const {
  uint64_t size = 0;
  for (const Stretch& stretch : stretches_) {
    for (const Run& run : RunsOf(stretch)) {
      uint32_t count = run.end - run.first;
      uint32_t shown = count <= quota + kSlack ? count : quota;
      Span span = document_.lines.Lines(run.first, run.first + shown - 1);
      size += span.size() - (shown - 1) * std::min<uint64_t>(run.folder.size(), span.size() / shown) +
              (shown < count ? kGapCost + run.folder.size() : 0);
    }
  }
  return size;
}

Piece SearchList::GapOf(uint32_t first, uint32_t end, std::string detail) const {
  Piece gap = GapOfLines(document_, first, end - 1, "paths");
  gap.detail = std::move(detail);
  return gap;
}

// As many of each folder as fit, the same number for all; when not even one does, whole folders from the top and a gap
// for the rest.
void SearchList::EmitPart(uint64_t room, std::vector<Piece>& pieces) const {
  uint32_t quota = 128;
  while (quota > 1 && SizeAt(quota) > room) quota /= 2;
  uint64_t spent = 0;
  for (size_t s = 0; s < stretches_.size(); ++s) {
    std::vector<uint32_t> shown;
    std::vector<Piece> gaps;
    for (const Run& run : RunsOf(stretches_[s])) {
      uint32_t count = run.end - run.first;
      uint32_t most = count <= quota + kSlack ? count : quota;
      spent +=
          most * (document_.lines.Lines(run.first, run.end - 1).size() / count - run.folder.size()) + run.folder.size();
      if (most < count) spent += kGapCost + run.folder.size();
      if (spent > room) {
        if (!shown.empty()) EmitFold(shown, pieces);
        pieces.insert(pieces.end(), gaps.begin(), gaps.end());
        pieces.push_back(GapOf(run.first, last_ + 1, ""));
        return;
      }
      for (uint32_t line = run.first; line < run.first + most; ++line) shown.push_back(line);
      if (most < count)
        gaps.push_back(GapOf(run.first + most, run.end, run.folder.empty() ? "" : "in " + std::string(run.folder)));
    }
    if (stretches_[s].fits)
      EmitFold(shown, pieces);
    else
      for (uint32_t line : shown) pieces.push_back(QuoteLines(document_, line, line));
    pieces.insert(pieces.end(), gaps.begin(), gaps.end());
  }
}

}  // namespace pith
