// Listings: git log, status, blame, branch, stash, reflog, diff --stat; ls, du, df, tree, ps; docker, kubectl, psql and
// other tables of aligned columns.
//
// A listing has no line that is wrong and none that is right; what a reader needs of it is not known. So nothing is
// left out as long as the rows fit once what they share is said once (folds_prefix.h). Only when they do not: the
// heading and the totals always; the first rows, since listings are sorted by what matters (newest, largest, top); the
// rows that are odd, those with the largest numbers and those whose cell differs where nearly all others are the same;
// of a tree what stands near its root. What is left out is counted, and its rows are addressed.
#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "compact/kinds.h"
#include "compact/listing/folds_prefix.h"
#include "compact/listing/rows.h"
#include "compact/templates.h"

namespace pith {
namespace {

constexpr uint32_t kSampled = 200;
constexpr uint8_t kHeadingRank = Rank::kSignal + 8;
constexpr uint8_t kOddRank = Rank::kUseful + 40;
constexpr uint8_t kRowRank = Rank::kUseful + 8;
constexpr uint64_t kLongRow = 240;        // bytes of a row of columns; longer ones lose their middle
constexpr uint64_t kPartialBytes = 5000;  // of ordinary rows, once not all can be shown
constexpr size_t kLargestRows = 48;       // rows shown for their numbers
constexpr uint64_t kMostFolded = 400000;  // bytes; of more not all would fit, however it folds
constexpr size_t kMostValues = 64;        // distinct values of a column that are told apart

struct Shapes {
  std::array<uint32_t, 10> of{};
  uint32_t looked = 0;
  // The shape that most rows have, if any has one.
  RowShape Main() const {
    const auto most = std::max_element(of.begin() + 1, of.end());
    return *most == 0 ? RowShape::kOther : static_cast<RowShape>(most - of.begin());
  }
  int Share(RowShape shape) const {
    return looked == 0 ? 0 : static_cast<int>(100 * of[static_cast<size_t>(shape)] / looked);
  }
};

Shapes ReadShapes(const Document& document) {
  Shapes shapes;
  const uint32_t count = document.line_count();
  const uint32_t step = std::max<uint32_t>(1, count / kSampled);
  std::string scratch;
  for (uint32_t line = 0; line < count; line += line < kSampled / 3 ? 1 : step) {
    const std::string_view text = document.Plain(line, scratch);
    if (text.empty()) continue;
    ++shapes.looked;
    ++shapes.of[static_cast<size_t>(ShapeOfRow(text))];
  }
  return shapes;
}

// The values of a column and how often each stands there, while there are few. Rows mostly repeat the value above.
class ColumnValues {
 public:
  void Count(std::string_view value) {
    if (above_ != nullptr && value == above_->first) {
      ++above_->second;
    } else if (counts_.size() < kMostValues) {
      above_ = &*counts_.try_emplace(value, 0).first;
      ++above_->second;
    }
  }
  // One value stands in most of `rows`, and there are few values.
  bool HasCommon(uint32_t rows) const {
    return counts_.size() < kMostValues &&
           std::any_of(counts_.begin(), counts_.end(), [&](const auto& value) { return value.second * 4 > rows * 3; });
  }
  uint32_t CountOf(std::string_view value) const {
    if (above_ != nullptr && value == above_->first) return above_->second;
    const auto found = counts_.find(value);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  std::unordered_map<std::string_view, uint32_t> counts_;
  std::pair<const std::string_view, uint32_t>* above_ = nullptr;
};
constexpr size_t kColumns = 8;  // that are looked at
using Columns = std::array<ColumnValues, kColumns>;

class ListingShaper : public Shaper {
 public:
  explicit ListingShaper(const Document& document) : document_(document), shape_(ReadShapes(document).Main()) {
    const bool blame = shape_ == RowShape::kBlame;
    options_ = {blame ? &SplitBlame : &SplitWords, blame, HoldsProse()};
    if (document.bytes.size() <= kMostFolded) {
      FoldRows(document, 0, document.line_count(), options_, folded_);
      folded_bytes_ = 0;
      for (const Piece& piece : folded_) {
        folded_bytes_ += piece.type == Piece::Type::kFold ? piece.text.size() : piece.span.size();
      }
    }
    for (uint32_t line = 0; line < document.line_count(); ++line) shapes_.push_back(ShapeOfRow(document.Text(line)));
    LinePlan plan(document);
    if (shape_ == RowShape::kCells) plan.long_line = kLongRow;  // one command line of a page must not crowd out fifty
    RankRows(plan);
    lines_ = ShapeLines(document, std::move(plan));
  }

  std::vector<Piece> Make(const Limit& limit) const override {
    if (folded_bytes_ <= std::min(limit.soft + limit.soft / 2, limit.hard)) return folded_;
    return FoldQuotes(document_, lines_->Make(limit), options_);
  }

 private:
  // Subjects of commits and lines of code speak of errors without being any.
  bool HoldsProse() const {
    return shape_ == RowShape::kCommit || shape_ == RowShape::kBlame || shape_ == RowShape::kStat ||
           shape_ == RowShape::kLongCommit;
  }

  void RankRows(LinePlan& plan) const {
    const uint8_t rows = plan.NounIndex("rows");
    if (HoldsProse()) plan.settled.assign(document_.line_count(), true);
    uint64_t spent = 0;
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      const std::string_view text = document_.Text(line);
      const RowShape shape = shapes_[line];
      if (shape == shape_) plan.noun[line] = rows;
      if (IsTotal(text) || (line < 3 && IsColumnHeading(text)) || StartsSection(line, shape)) {
        plan.Raise(line, kHeadingRank);
      } else if (spent < kPartialBytes && IsOrdinary(text, shape)) {
        plan.Raise(line, kRowRank);
        spent += text.size() + 1;
      } else if (shape == RowShape::kTree) {
        plan.Raise(line, DepthRank(text));
      }
    }
    if (document_.line_count() > 0) plan.Raise(document_.line_count() - 1, kOddRank);
    if (shape_ == RowShape::kStat || shape_ == RowShape::kMode || shape_ == RowShape::kSize ||
        shape_ == RowShape::kCells) {
      RankOddRows(plan);
    }
  }

  // A row of another shape than the listing's, at its start or behind a blank line, heads what follows.
  bool StartsSection(uint32_t line, RowShape shape) const {
    if (shape == shape_ || document_.Text(line).empty()) return false;
    return line == 0 || document_.Text(line - 1).empty();
  }

  bool IsOrdinary(std::string_view text, RowShape shape) const {
    if (shape_ == RowShape::kTree) return shape == RowShape::kTree && TreePrefix(text) <= 12;
    return shape_ != RowShape::kLongCommit || shape == RowShape::kLongCommit || text.starts_with("    ");
  }

  static uint8_t DepthRank(std::string_view text) {
    return TreePrefix(text) <= 12
               ? Rank::kUseful + 2
               : static_cast<uint8_t>(Rank::kFiller + 20 - std::min<size_t>(20, TreePrefix(text) / 6));
  }

  // The largest numbers of the first column of numbers that varies, and cells that are rare where one value is common.
  void RankOddRows(LinePlan& plan) const {
    std::vector<std::pair<uint64_t, uint32_t>> sizes;
    std::vector<std::string_view> cells;
    Columns values;
    uint32_t rows = 0;
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      const std::string_view text = document_.Text(line);
      if (shapes_[line] != shape_) continue;
      cells.clear();
      if (!SplitFewWords(text, cells)) continue;
      ++rows;
      sizes.emplace_back(LargestNumber(cells), line);
      for (size_t i = 0; i < std::min(cells.size(), values.size()); ++i) values[i].Count(cells[i]);
    }
    const size_t largest = std::min(kLargestRows, sizes.size());
    std::partial_sort(
        sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(largest), sizes.end(),
        [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
    for (size_t i = 0; i < largest; ++i) plan.Raise(sizes[i].second, kOddRank);
    RankRareCells(plan, values, rows);
  }

  void RankRareCells(LinePlan& plan, const Columns& values, uint32_t rows) const {
    std::array<bool, kColumns> tells{};  // one value stands in most rows, and there are few values
    for (size_t i = 0; i < values.size(); ++i) tells[i] = values[i].HasCommon(rows);
    if (std::none_of(tells.begin(), tells.end(), [](bool told) { return told; })) return;
    std::vector<std::string_view> cells;
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      const std::string_view text = document_.Text(line);
      if (shapes_[line] != shape_) continue;
      cells.clear();
      if (!SplitFewWords(text, cells)) continue;
      for (size_t i = 0; i < std::min(cells.size(), values.size()); ++i) {
        if (tells[i] && values[i].CountOf(cells[i]) * 50 < rows) plan.Raise(line, kOddRank - 4);
      }
    }
  }

  // Of a row of diff --stat the number behind the bar, else the largest whole number in its cells (1K is 1024).
  static uint64_t LargestNumber(const std::vector<std::string_view>& cells) {
    uint64_t largest = 0;
    for (std::string_view cell : cells) {
      uint64_t number = 0;
      size_t at = 0;
      while (at < cell.size() && at < 15 && cell[at] >= '0' && cell[at] <= '9')
        number = number * 10 + static_cast<uint64_t>(cell[at++] - '0');
      if (at == 0) continue;
      if (at < cell.size() && cell[at] == '.') {
        while (++at < cell.size() && cell[at] >= '0' && cell[at] <= '9') {
        }
      }
      const size_t unit = at < cell.size() ? std::string_view("KMGT").find(cell[at]) : std::string_view::npos;
      if (at < cell.size() && unit == std::string_view::npos) continue;
      if (unit != std::string_view::npos) number <<= 10 * (unit + 1);
      largest = std::max(largest, number);
    }
    return largest;
  }

  const Document& document_;
  RowShape shape_;
  FoldOptions options_;
  std::vector<Piece> folded_;
  uint64_t folded_bytes_ = UINT64_MAX;
  std::vector<RowShape> shapes_;  // one a line
  std::unique_ptr<Shaper> lines_;
};

bool StartsAsStatus(const Document& document) {
  std::string scratch;
  const std::string_view text = document.line_count() > 0 ? document.Plain(0, scratch) : std::string_view{};
  return text.starts_with("On branch ") || text.starts_with("HEAD detached") || text.starts_with("## ");
}

// Rows of a few words whose first is mostly the one above it: edges of a graph, pairs of a key and a value.
bool RepeatsFirstWord(const Document& document) {
  constexpr uint32_t kLooked = 100;
  std::vector<std::string_view> cells;
  std::string_view above;
  uint32_t repeats = 0, alike = 0;
  uint64_t form_above = 0;
  const uint32_t count = std::min(kLooked, document.line_count());
  for (uint32_t line = 0; line < count; ++line) {
    cells.clear();
    if (!SplitFewWords(document.Text(line), cells) || cells.size() > 4) return false;
    repeats += cells[0] == above;
    above = cells[0];
    const uint64_t form = TemplateHash(document.Text(line));
    alike += form == form_above;
    form_above = form;
  }
  const bool counts_up = alike * 10 > count * 8ull;  // "step 1 ok", "step 2 ok": progress
  return count >= 8 && repeats * 2 > count && !counts_up;
}

}  // namespace

Evidence DetectListing(const Document& document) {
  const Shapes shapes = ReadShapes(document);
  if (shapes.looked < 3) return {};
  if (shapes.Share(RowShape::kBlame) >= 80) return {95, "lines of blame"};
  if (shapes.of[static_cast<size_t>(RowShape::kLongCommit)] > 0 &&
      ShapeOfRow(document.Text(0)) == RowShape::kLongCommit) {
    return {60, "commits"};
  }
  if (shapes.Share(RowShape::kCommit) >= 60) return {85, "rows of commits"};
  if (shapes.Share(RowShape::kMode) >= 60) return {90, "rows of files with modes"};
  if (shapes.Share(RowShape::kStat) >= 70) return {88, "rows of a change summary"};
  if (shapes.Share(RowShape::kSize) >= 80) return {80, "rows of sizes and paths"};
  if (shapes.Share(RowShape::kTree) >= 50) return {82, "a drawn tree"};
  if (StartsAsStatus(document)) return {80, "a status of a repository"};
  if (shapes.Share(RowShape::kStatus) >= 70) return {60, "rows of states and paths"};
  if (RepeatsFirstWord(document)) return {58, "rows that repeat their first word"};
  std::string scratch;
  for (uint32_t line = 0; line < std::min<uint32_t>(2, document.line_count()); ++line) {
    if (IsColumnHeading(document.Plain(line, scratch)) && shapes.Share(RowShape::kCells) >= 50) {
      return {70, "columns under a heading"};
    }
  }
  if (shapes.Share(RowShape::kCells) >= 85) return {32, "aligned columns"};
  return {};
}

std::unique_ptr<Shaper> ShapeListing(const Document& document) { return std::make_unique<ListingShaper>(document); }

}  // namespace pith
