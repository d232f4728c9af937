// Patches. A reader of a patch wants what changed, where, and why: every added and removed line that a person wrote,
// the hunk headers, what happened to each file, and the commit's message whole. Context is there to help a program
// place the hunk; one line of it at each side helps a reader, the rest becomes gaps. A patch that fits is shown as it
// is, so that it still applies; one with gaps is no patch any more, and its gaps say so.
//
// What tools wrote (lock files, generated and minified files) is folded, with its counts. Nothing is judged by its
// content: a hunk that only moves blanks is a change, in Python even one of meaning. When changed lines exceed the hard
// limit, files take turns: the n-th line of a file ranks by n, and the middle of a long block of removed lines goes
// first. Of many files the first are shown with their first changes where not all have room, and one gap tells of the
// rest: a name without a change beside it says less than its gap costs.
#include <algorithm>

#include "compact/diff/lines.h"
#include "compact/kinds.h"

namespace pith {
namespace {

constexpr uint32_t kSample = 3000;        // lines looked at for evidence
constexpr uint32_t kStep = 6;             // changed lines of a file that share a rank
constexpr uint32_t kSteps = 40;           // ranks between kSignal and the first lines of a file
constexpr size_t kMostNamed = 12;         // files: their names go before any change
constexpr uint64_t kGapBytes = 80;        // of a gap between changes
constexpr uint32_t kLongBlock = 24;       // removed lines in a row beyond which the rest ranks lower
constexpr uint64_t kMinifiedLine = 2000;  // bytes of a line that no person wrote
constexpr uint8_t kFirstStep = Rank::kSignal + kSteps;

class Planner {
 public:
  Planner(const Document& document, DiffText text) : document_(document), text_(std::move(text)), plan_(document) {
    context_ = plan_.NounIndex("context lines");
    header_ = plan_.NounIndex("header lines");
    changed_ = plan_.NounIndex("changed lines");
    plan_.settled.assign(document.line_count(), true);
    for (const DiffFile& file : text_.files) generated_.push_back(!GeneratedFile(file.path).empty());
  }

  LinePlan Plan() {
    for (uint32_t line = 0; line < document_.line_count(); ++line) RankLine(line, text_.lines[line]);
    NoteGenerated();
    return std::move(plan_);
  }

 private:
  void RankLine(uint32_t line, DiffLine read) {
    if (read != DiffLine::kRemoved) block_ = 0;
    switch (read) {
      case DiffLine::kMessage:
        plan_.rank[line] = document_.Text(line).empty() ? Rank::kUseful : kFirstStep + 4;
        plan_.settled[line] = false;
        break;
      case DiffLine::kFile:
        plan_.rank[line] = HeaderRank(Rank::kVerdict);
        by_tool_ = generated_[files_++];
        position_ = 0;
        break;
      case DiffLine::kMode:
        plan_.rank[line] = HeaderRank(kFirstStep + 2);
        break;
      case DiffLine::kPaths:
        Set(line, Rank::kFiller + 1, header_);
        break;
      case DiffLine::kHunk:
        plan_.rank[line] = by_tool_ ? Rank::kNoise : HeaderRank(kFirstStep + 1);
        break;
      case DiffLine::kContext:
        Set(line, by_tool_ ? Rank::kFiller : ContextRank(line), context_);
        break;
      case DiffLine::kAdded:
      case DiffLine::kRemoved:
        RankChange(line, read);
        break;
    }
  }

  uint8_t HeaderRank(uint8_t of_few) const { return text_.files.size() > kMostNamed ? kFirstStep : of_few; }

  void Set(uint32_t line, uint8_t rank, uint8_t noun) {
    plan_.rank[line] = rank;
    plan_.noun[line] = noun;
  }

  void RankChange(uint32_t line, DiffLine read) {
    uint32_t step = std::min(position_++ / kStep, kSteps - 1);
    uint8_t rank = static_cast<uint8_t>(kFirstStep - step);
    if (read == DiffLine::kRemoved && ++block_ > kLongBlock) rank = Rank::kSignal;
    bool by_hand = !by_tool_ && document_.lines.Line(line).size() < kMinifiedLine;
    Set(line, by_hand ? rank : Rank::kNoise, changed_);
  }

  // The line beside a change helps to place it, and so does the end of a function that a hunk begins in.
  uint8_t ContextRank(uint32_t line) const {
    const uint32_t after = document_.line_count() - line - 1;  // lines
    if ((line > 0 && Changed(line - 1)) || (after > 0 && Changed(line + 1))) return Rank::kUseful;
    return (line > 1 && Changed(line - 2)) || (after > 1 && Changed(line + 2)) ? Rank::kFiller + 1 : Rank::kFiller;
  }

  bool Changed(uint32_t line) const { return text_.lines[line] >= DiffLine::kAdded; }

  // "[lock file: 12 lines added, 3 removed]" below the file's line.
  void NoteGenerated() {
    for (const DiffFile& file : text_.files) {
      std::string_view what = GeneratedFile(file.path);
      if (what.empty() || file.added + file.removed == 0) continue;
      std::string text = "[" + std::string(what) + ": " + std::to_string(file.added) + " lines added, " +
                         std::to_string(file.removed) + " removed]";
      plan_.notes.push_back({file.first, true, {Note(std::move(text))}});
    }
  }

  const Document& document_;
  DiffText text_;
  std::vector<bool> generated_;  // of each file: a tool wrote it
  LinePlan plan_;
  uint8_t context_ = 0, header_ = 0, changed_ = 0;
  bool by_tool_ = false;  // the file at hand is generated
  size_t files_ = 0;
  uint32_t position_ = 0, block_ = 0;  // changed lines of the file, removed lines in a row
};

// A patch that fits the soft limit is shown whole; else as its plan says.
class DiffShaper : public Shaper {
 public:
  DiffShaper(const Document& document, DiffText text) : document_(document), by_colour_(text.by_colour) {
    LinePlan plan = Planner(document, std::move(text)).Plan();
    uint64_t hidden = 0;  // bytes in a row that are no signal
    for (uint32_t line = 0; line < document.line_count(); ++line) {
      const uint64_t size = document.lines.Line(line).size();
      if (plan.rank[line] < Rank::kSignal) {
        hidden += size;
        continue;
      }
      signal_bytes_ += std::min(size, plan.long_line + kGapBytes) + std::min(hidden, kGapBytes);
      hidden = 0;
    }
    signal_bytes_ += kGapBytes;
    lines_ = ShapeLines(document, std::move(plan));
  }

  std::vector<Piece> Make(const Limit& limit) const override {
    std::vector<Piece> pieces;
    if (document_.bytes.size() <= limit.soft && document_.line_count() > 0) {
      pieces = {QuoteLines(document_, 0, document_.line_count() - 1)};
    } else {
      pieces = lines_->Make(limit);
    }
    if (by_colour_) pieces.insert(pieces.begin(), Note(std::string(kByColour)));
    return pieces;
  }

  uint64_t SignalBytes() const override { return signal_bytes_; }

 private:
  static constexpr std::string_view kByColour =
      "[removed and added words were told apart by colour alone, which is not shown: they stand side by side]";

  const Document& document_;
  bool by_colour_;
  std::unique_ptr<Shaper> lines_;
  uint64_t signal_bytes_ = 0;
};

}  // namespace

Evidence DetectDiff(const Document& document) {
  uint32_t count = std::min(document.line_count(), kSample);
  if (count < 3) return {};
  DiffText text = ReadDiff(document, count);
  uint32_t body = 0;
  for (DiffLine line : text.lines) body += line != DiffLine::kMessage;
  if (text.files.empty()) return {};
  if (text.hunks > 0 && body * 2 >= count) return {96, "files and hunks of a patch"};
  if (text.hunks > 0) return {70, "a patch among other text"};
  std::string_view first = document.Text(text.files.front().first);
  if (first.starts_with("diff --git ")) return {90, "headers of a patch"};
  return {};
}

std::unique_ptr<Shaper> ShapeDiff(const Document& document) {
  DiffText text = ReadDiff(document, document.line_count());
  if (text.files.empty()) return ShapeText(document);
  return std::make_unique<DiffShaper>(document, std::move(text));
}

}  // namespace pith
