// Listings repeat themselves from row to row: the mode, the owner, the date, the folder, the blanks that align them. A
// table of columns keeps all of it readable and gives every byte back: what is the same in all rows goes into a
// pattern, padding becomes a width, equal neighbours become a ditto mark, a folder or a commit is named once above its
// rows.
//
// A block grows line by line. For the gap before each cell three claims are kept: always the same text; always fills
// the cell before it to one width; always fills the cell after it to one width. When a line leaves a gap without a
// claim the block ends before it. The text is then written and read back by the decoder, which shares no code with the
// writer but the syntax, and dropped unless it gives the same bytes.
#include "compact/listing/folds_prefix.h"

#include <algorithm>
#include <unordered_map>

namespace pith {
namespace {

constexpr uint32_t kMostLines = 1 << 16;  // of one fold
constexpr size_t kMostCells = 12;
struct ColumnFold {
  uint32_t first = 0, last = 0;  // lines, inclusive
  std::string text;
};

constexpr std::string_view kDitto = "\"", kNoFolder = "[no folder]", kOpening = "[columns: ";

struct Gap {
  std::string_view text;             // before the cell, in the first line
  size_t cell_before = 0, cell = 0;  // their sizes in the first line
  bool same = true, left = true, right = true, blank = true;
};

struct Column {
  bool constant = true, key = false, path = false;
  char align = ' ';  // ' ', '<', '>'
  size_t width = 0;
};

bool AllBlank(std::string_view text) { return text.find_first_not_of(' ') == std::string_view::npos; }

// Path up to and with its last slash; empty if it has none or the cell is no path.
std::string_view FolderOf(std::string_view cell) {
  const size_t slash = cell.rfind('/');
  if (slash == std::string_view::npos || slash + 1 == cell.size() || cell.find(' ') < slash) return {};
  return cell.substr(0, slash + 1);
}

std::string_view FirstWord(std::string_view text) { return text.substr(0, text.find(' ')); }

class Writer {
 public:
  Writer(const Document& document, CellSplitter split, bool key, bool keeps_signals)
      : document_(document), split_(split), key_(key), keeps_signals_(keeps_signals) {}

  std::optional<ColumnFold> Write(uint32_t first, uint32_t last, uint32_t& next) {
    next = first + 1;
    if (!Start(first)) return std::nullopt;
    uint32_t end = first;
    while (end < last && end - first + 1 < kMostLines && Extend(end + 1, end - first + 1)) ++end;
    next = end + 1;
    if (end - first < 2) return std::nullopt;
    JoinProse();
    if (!Settle(first, end)) return std::nullopt;
    ColumnFold fold{first, end, WriteText(first, end)};
    const Span span = document_.lines.Lines(first, end);
    if (fold.text.size() * 10 > span.size() * 8) return std::nullopt;
    std::string expected(document_.Bytes(span));
    if (expected.empty() || expected.back() != '\n') expected += '\n';
    const std::optional<std::string> decoded = DecodeColumns(fold.text);
    if (!decoded || *decoded != expected) return std::nullopt;
    return fold;
  }

 private:
  std::string_view GapBefore(std::string_view line, size_t cell) const {
    const char* begin = cell == 0 ? line.data() : cells_[cell - 1].data() + cells_[cell - 1].size();
    return {begin, static_cast<size_t>(cells_[cell].data() - begin)};
  }

  // Between cells at least one blank is left; before the first there may be none.
  static bool IsPadding(std::string_view text, size_t cell) { return AllBlank(text) && (cell == 0 || !text.empty()); }

  bool Split(uint32_t line) {
    cells_.clear();
    if (!keeps_signals_ && document_.signals[line] >= Signal::kError) return false;  // shown as they stand
    const std::string_view text = document_.Text(line);
    if (text.empty() || text.size() + 1 < document_.lines.Line(line).size()) return false;  // CR LF: not ours
    return split_(text, cells_) && !cells_.empty() && cells_.size() <= kMostCells;
  }

  // Cells from `count - 1` on become one: the rest of the line.
  void Join(uint32_t line, size_t count) {
    if (cells_.size() <= count) return;
    const std::string_view text = document_.Text(line);
    cells_[count - 1] = text.substr(static_cast<size_t>(cells_[count - 1].data() - text.data()));
    cells_.resize(count);
  }

  bool SplitJoined(uint32_t line) {
    if (!Split(line)) return false;
    Join(line, gaps_.size());
    return true;
  }

  bool Start(uint32_t line) {
    gaps_.clear();
    if (!Split(line)) return false;
    columns_.assign(cells_.size(), Column{});
    first_cells_ = cells_;
    for (size_t i = 0; i < cells_.size(); ++i) {
      const std::string_view text = GapBefore(document_.Text(line), i);
      gaps_.push_back({text, i == 0 ? 0 : cells_[i - 1].size(), cells_[i].size()});
      gaps_.back().blank = IsPadding(text, i);
    }
    return true;
  }

  // How many columns have structure so far: the last that is constant or filled, and all before it.
  size_t Structured() const {
    size_t structured = 1;
    for (size_t i = 0; i + 1 < gaps_.size(); ++i) {
      if (columns_[i].constant || !gaps_[i].same || !gaps_[i + 1].same) structured = i + 1;
    }
    return structured;
  }

  // Lets the columns from `count - 1` on be the rest of the line, if that loses nothing that has held for a while.
  bool Shrink(uint32_t lines, size_t count) {
    if (count < 2 || count >= gaps_.size()) return count >= gaps_.size();
    if (lines < 2 || (lines > 2 && Structured() >= count)) return false;
    Truncate(count);
    return true;
  }

  void Truncate(size_t count) {
    gaps_.resize(count);
    columns_.resize(count);
    first_cells_.resize(count);
  }

  // The claims on the gap before cell i that still hold with this line.
  Gap Narrowed(uint32_t line, size_t i) const {
    Gap gap = gaps_[i];
    const std::string_view text = GapBefore(document_.Text(line), i);
    gap.same = gap.same && text == gap.text;
    gap.blank = gap.blank && IsPadding(text, i);
    gap.left = gap.left && i > 0 && text.size() + cells_[i - 1].size() == gap.text.size() + gap.cell_before;
    gap.right = gap.right && i + 1 < gaps_.size() && text.size() + cells_[i].size() == gap.text.size() + gap.cell;
    return gap;
  }

  // How many columns that were constant until now are not with these cells: two at once are another kind of row.
  size_t Breaks() const {
    size_t breaks = 0;
    for (size_t i = 0; i + 1 < gaps_.size(); ++i) breaks += columns_[i].constant && cells_[i] != first_cells_[i];
    return breaks;
  }

  bool Extend(uint32_t line, uint32_t lines) {
    if (!Split(line) || !Shrink(lines, cells_.size())) return false;
    Join(line, gaps_.size());
    for (size_t i = 0; i < gaps_.size(); ++i) {
      const Gap gap = Narrowed(line, i);
      if (gap.same || (gap.blank && (gap.left || gap.right))) continue;
      if (!Shrink(lines, i)) return false;
      Join(line, gaps_.size());
      break;
    }
    if (lines > 2 && Breaks() > 1) return false;
    for (size_t i = 0; i < gaps_.size(); ++i) {
      gaps_[i] = Narrowed(line, i);
      columns_[i].constant = columns_[i].constant && cells_[i] == first_cells_[i];
    }
    return true;
  }

  // Words behind the last column with structure are the rest of the line; one more column may hold repeats.
  void JoinProse() {
    const size_t structured = Structured();
    if (!key_ && structured + 1 < gaps_.size()) Truncate(std::max<size_t>(2, structured + 1));
  }

  // What each column is, once the block stands.
  bool Settle(uint32_t first, uint32_t end) {
    for (Column& column : columns_) column.align = ' ';
    for (size_t i = 0; i < gaps_.size(); ++i) {
      if (gaps_[i].same) continue;
      if (gaps_[i].left && columns_[i - 1].align == ' ') {
        columns_[i - 1].align = '<';
        columns_[i - 1].width = gaps_[i].text.size() + gaps_[i].cell_before - 1;
      } else if (gaps_[i].right) {
        columns_[i].align = '>';
        columns_[i].width = gaps_[i].text.size() + gaps_[i].cell - (i == 0 ? 0 : 1);
      } else {
        return false;
      }
    }
    columns_.back().constant = false;
    if (key_) {
      columns_[0].key = true;
      columns_[0].constant = false;
    }
    FindPathColumn(first, end);
    return true;
  }

  // The first column whose cell mostly stands in the folder of the one above it.
  void FindPathColumn(uint32_t first, uint32_t end) {
    constexpr uint32_t kLooked = 64;
    std::vector<uint32_t> paths(columns_.size());
    std::vector<std::string_view> above(columns_.size());
    const uint32_t last = std::min(end, first + kLooked - 1);
    for (uint32_t line = first; line <= last; ++line) {
      SplitJoined(line);
      for (size_t i = 0; i < cells_.size(); ++i) {
        const std::string_view folder = FolderOf(cells_[i]);
        paths[i] += !folder.empty() && folder == FolderOf(above[i]) && cells_[i] != above[i];
      }
      above = cells_;
    }
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].constant || columns_[i].key || columns_[i].align == '>' || paths[i] * 2 < last - first) continue;
      columns_[i].path = true;
      return;
    }
  }

  static void AddLiteral(std::string& pattern, std::string_view text, bool after_hole) {
    for (char c : text) {
      const bool special = c == '\\' || c == '*' || (after_hole && (c == '=' || c == '/' || c == '<' || c == '>'));
      if (special) pattern += '\\';
      pattern += c;
      after_hole = false;
    }
  }

  std::string Pattern() const {
    std::string pattern;
    bool after_hole = false;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const Column& column = columns_[i];
      const bool filled = !gaps_[i].same;  // the gap is padding but for one blank
      AddLiteral(pattern, filled ? std::string_view(i == 0 ? "" : " ") : gaps_[i].text, after_hole);
      if (column.constant) {
        AddConstant(pattern, i);
        after_hole = false;
        continue;
      }
      pattern += '*';
      if (column.key) pattern += '=';
      if (column.path) pattern += '/';
      if (column.align != ' ') pattern += column.align + std::to_string(column.width);
      after_hole = true;
    }
    return pattern;
  }

  // A constant cell with padding is literal text, padding and all.
  void AddConstant(std::string& pattern, size_t i) const {
    std::string text(first_cells_[i]);
    if (columns_[i].align == '<') text.resize(columns_[i].width, ' ');
    if (columns_[i].align == '>') text.insert(0, columns_[i].width - text.size(), ' ');
    AddLiteral(pattern, text, false);
  }

  std::string WriteText(uint32_t first, uint32_t end) {
    std::string out(kOpening);
    out += Pattern();
    out += ']';
    std::vector<std::string> above(columns_.size());
    std::unordered_map<std::string, std::string> keys;
    std::string folder;
    for (uint32_t line = first; line <= end; ++line) {
      SplitJoined(line);
      WriteGroups(keys, folder, out);
      out += '\n';
      for (size_t i = 0; i < cells_.size(); ++i) {
        if (columns_[i].constant) continue;
        std::string_view cell = cells_[i];
        if (columns_[i].key) cell = FirstWord(cell);
        if (columns_[i].path) cell = cell.substr(folder.size());
        const size_t least = i + 1 < cells_.size() ? 0 : 3;  // bytes of the rest of a line that are worth a mark
        const bool repeated = cell.size() >= least && cell == above[i] && line > first && !columns_[i].path;
        out += ' ';
        out += repeated ? kDitto : cell;
        above[i] = cell;
      }
    }
    return out;
  }

  void WriteGroups(std::unordered_map<std::string, std::string>& keys, std::string& folder, std::string& out) {
    for (size_t i = 0; i < cells_.size(); ++i) {
      if (columns_[i].key) {
        std::string& known = keys[std::string(FirstWord(cells_[i]))];
        if (known == cells_[i]) continue;
        known = cells_[i];
        out += '\n';
        out += known;
      }
      if (columns_[i].path && FolderOf(cells_[i]) != folder) {
        folder = FolderOf(cells_[i]);
        out += '\n';
        out += folder.empty() ? kNoFolder : std::string_view(folder);
      }
    }
  }

  const Document& document_;
  CellSplitter split_;
  bool key_, keeps_signals_;
  std::vector<Gap> gaps_;
  std::vector<Column> columns_;
  std::vector<std::string_view> cells_, first_cells_;
};

// The decoder. A pattern as it reads it: literal text before each hole, and after the last.
struct Hole {
  std::string literal;
  bool hole = false, key = false, path = false;
  char align = ' ';
  size_t width = 0;
};

std::optional<std::vector<Hole>> ReadPattern(std::string_view pattern) {
  std::vector<Hole> holes(1);
  for (size_t at = 0; at < pattern.size();) {
    if (pattern[at] == '\\') {
      if (at + 1 == pattern.size()) return std::nullopt;
      holes.back().literal += pattern[at + 1];
      at += 2;
      continue;
    }
    if (pattern[at] != '*') {
      holes.back().literal += pattern[at++];
      continue;
    }
    Hole& hole = holes.back();
    hole.hole = true;
    ++at;
    if (at < pattern.size() && pattern[at] == '=') hole.key = true, ++at;
    if (at < pattern.size() && pattern[at] == '/') hole.path = true, ++at;
    if (at < pattern.size() && (pattern[at] == '<' || pattern[at] == '>')) {
      hole.align = pattern[at++];
      for (size_t digits = 0; at < pattern.size() && pattern[at] >= '0' && pattern[at] <= '9' && digits < 6; ++digits) {
        hole.width = hole.width * 10 + static_cast<size_t>(pattern[at++] - '0');
      }
    }
    holes.emplace_back();
  }
  return holes;
}

class Decoder {
 public:
  explicit Decoder(std::vector<Hole> holes) : holes_(std::move(holes)), above_(holes_.size()) {
    for (const Hole& hole : holes_) count_ += hole.hole;
    for (const Hole& hole : holes_) has_key_ = has_key_ || hole.key;
  }

  bool Line(std::string_view line) {
    if (line.empty()) return false;
    if (line[0] == ' ') return Row(line.substr(1));
    if (line == kNoFolder) {
      folder_.clear();
    } else if (line.back() == '/' && !has_key_) {
      folder_ = line;
    } else {
      keys_[std::string(line.substr(0, line.find(' ')))] = line;
    }
    return true;
  }

  std::string Take() { return std::move(out_); }

 private:
  bool Row(std::string_view row) {
    size_t left = count_;
    for (size_t i = 0; i < holes_.size(); ++i) {
      const Hole& hole = holes_[i];
      out_ += hole.literal;
      if (!hole.hole) continue;
      std::string_view cell = row;
      if (--left > 0) {
        const size_t blank = row.find(' ');
        if (blank == std::string_view::npos) return false;
        cell = row.substr(0, blank);
        row.remove_prefix(blank + 1);
      }
      if (cell == kDitto && !hole.path) cell = above_[i];
      const std::string kept(cell);
      std::string value = hole.path ? folder_ + kept : kept;
      if (hole.key) {
        const auto known = keys_.find(kept);
        if (known == keys_.end()) return false;
        value = known->second;
      }
      above_[i] = kept;
      const size_t fill = hole.align != ' ' && value.size() < hole.width ? hole.width - value.size() : 0;
      if (hole.align == '>') out_.append(fill, ' ');
      out_ += value;
      if (hole.align == '<') out_.append(fill, ' ');
    }
    out_ += '\n';
    return true;
  }

  std::vector<Hole> holes_;
  std::vector<std::string> above_;
  size_t count_ = 0;
  bool has_key_ = false;
  std::string folder_, out_;
  std::unordered_map<std::string, std::string> keys_;
};

}  // namespace

void FoldRows(const Document& document, uint32_t first, uint32_t end, const FoldOptions& options,
              std::vector<Piece>& pieces) {
  uint32_t quoted = first;
  Writer writer(document, options.split, options.key, options.keeps_signals);
  for (uint32_t line = first; line < end && !document.needs_display;) {
    uint32_t next = line + 1;
    const std::optional<ColumnFold> fold = writer.Write(line, end - 1, next);
    if (fold) {
      if (quoted < line) pieces.push_back(QuoteLines(document, quoted, line - 1));
      pieces.push_back(Fold(FoldForm::kPrefix, document.lines.Lines(fold->first, fold->last), fold->text));
      quoted = fold->last + 1;
    }
    line = next;
  }
  if (quoted < end) pieces.push_back(QuoteLines(document, quoted, end - 1));
}

std::vector<Piece> FoldQuotes(const Document& document, std::vector<Piece> pieces, const FoldOptions& options) {
  std::vector<Piece> folded;
  for (size_t i = 0; i < pieces.size(); ++i) {
    Piece& piece = pieces[i];
    bool whole = piece.type == Piece::Type::kQuote && !piece.glued && piece.span.size() > 0;
    uint32_t first = 0, last = 0;
    if (whole) {
      first = document.lines.LineAt(piece.span.begin);
      last = document.lines.LineAt(piece.span.end - 1);
      whole = last - first >= 2 && document.lines.Lines(first, last) == piece.span;
    }
    if (!whole) {
      folded.push_back(std::move(piece));
      continue;
    }
    // A repeat says how often the line above it comes: that line stays as it is.
    const bool repeated = i + 1 < pieces.size() && pieces[i + 1].form == FoldForm::kRepeat;
    FoldRows(document, first, repeated ? last : last + 1, options, folded);
    if (repeated) folded.push_back(QuoteLines(document, last, last));
  }
  return folded;
}

bool PrefixFoldMatches(const Document& document, const Piece& fold) {
  std::string expected(document.Bytes(fold.span));
  if (expected.empty()) return false;
  if (expected.back() != '\n') expected += '\n';
  const std::optional<std::string> decoded = DecodeColumns(fold.text);
  return decoded && *decoded == expected;
}

std::optional<std::string> DecodeColumns(std::string_view text) {
  size_t end = std::min(text.find('\n'), text.size());
  std::string_view head = text.substr(0, end);
  if (!head.starts_with(kOpening) || !head.ends_with("]")) return std::nullopt;
  head = head.substr(kOpening.size(), head.size() - kOpening.size() - 1);
  std::optional<std::vector<Hole>> holes = ReadPattern(head);
  if (!holes) return std::nullopt;
  Decoder decoder(std::move(*holes));
  while (end < text.size()) {
    const size_t start = end + 1;
    end = std::min(text.find('\n', start), text.size());
    if (!decoder.Line(text.substr(start, end - start))) return std::nullopt;
  }
  return decoder.Take();
}

}  // namespace pith
