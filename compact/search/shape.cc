// Laying out search results: each file's path and each folder that files share are said once, as headings that own the
// beginnings of their lines; bodies are quoted beneath, cut around what was searched when they are long. What is left
// out is a gap that still names every place, since an agent's next step is to open one of them.
#include "compact/search/shape.h"

#include <algorithm>
#include <map>

#include "base/utf8.h"
#include "compact/kinds.h"
#include "compact/search/choice.h"
#include "compact/search/folds_search.h"

namespace pith {
namespace {

using Type = SearchLine::Type;
using Block = SearchBlock;

constexpr uint64_t kCutSlack = 60;       // bytes by which a body may exceed its width before it is cut
constexpr uint64_t kSmallHole = 40;      // hidden bytes that cost no more when shown
constexpr uint32_t kFewComplaints = 12;  // shown as they are
constexpr size_t kComplaintKinds = 8;

class SearchShaper : public Shaper {
 public:
  explicit SearchShaper(const Document& document)
      : results_(document), chooser_(results_), literal_(SearchedLiteral(document)) {
    FindRoots();
    reads_file_ = ReadsFile();
  }

  // Whether any line reads as a result.
  bool understood() const {
    const SearchText& text = results_.text;
    return text.matches + text.paths + text.headings + text.complaints > 0;
  }

  std::vector<Piece> Make(const Limit& limit) const override {
    bool unasked = results_.document.hints.policy == Policy::kHook && !limit.fill;
    if (unasked && reads_file_) return {QuoteLines(results_.document, 0, results_.document.line_count() - 1)};
    return Emit(chooser_.Choose(limit));
  }

 private:
  // A search that matched nearly every line of one file is how some agents read it: such a read stays exact.
  bool ReadsFile() const {
    uint32_t matches = 0, successive = 0, before = 0;
    for (const SearchLine& line : results_.text.lines) {
      if (line.type != Type::kMatch || !line.has_number) continue;
      successive += matches > 0 && line.number == before + 1;
      before = line.number;
      ++matches;
    }
    return matches >= 40 && successive * 20 >= matches * 19;
  }

  // Folders that stretches of files share.
  void FindRoots() {
    std::vector<std::string_view> folders;
    std::vector<size_t> groups;
    for (size_t i = 0; i < results_.blocks.size(); ++i) {
      if (results_.blocks[i].type != Block::Type::kGroup || results_.blocks[i].heading ||
          results_.blocks[i].path.size() == 0)
        continue;
      folders.push_back(FolderOf(results_.document.Bytes(results_.blocks[i].path)));
      groups.push_back(i);
    }
    root_.assign(results_.blocks.size(), 0);
    for (const RootStretch& stretch : ShareRoots(folders, 4)) {
      if (stretch.last == stretch.first) continue;
      for (size_t i = stretch.first; i <= stretch.last; ++i) root_[groups[i]] = stretch.length;
    }
  }

  // Lines left out that have no gap yet: from the first of them to the line before the next piece.
  struct Hidden {
    uint32_t first = 0, end = 0;
    bool any() const { return end > first; }
    void Add(uint32_t from, uint32_t to) {
      if (!any()) first = from;
      end = to;
    }
  };

  // The folder whose heading stands above, and which piece that is.
  struct Above {
    std::string_view root;
    size_t fold = 0;
  };

  std::vector<Piece> Emit(const SearchChoice& choice) const {
    std::vector<Piece> pieces;
    Hidden hidden;
    Above above;
    size_t list = 0;
    for (size_t i = 0; i < results_.blocks.size(); ++i) {
      const Block& block = results_.blocks[i];
      switch (block.type) {
        case Block::Type::kGroup:
          EmitGroup(i, choice, hidden, above, pieces);
          break;
        case Block::Type::kOther:
          EmitOther(block, choice, hidden, pieces);
          break;
        case Block::Type::kComplaints:
        case Block::Type::kList: {
          const SearchList* paths = block.type == Block::Type::kList ? &results_.lists[list++] : nullptr;
          if (choice.rooms[i] == 0) {
            hidden.Add(block.first, block.last + 1);
            break;
          }
          Flush(choice, hidden, pieces);
          if (paths) {
            paths->Emit(choice.rooms[i], pieces);
          } else {
            EmitComplaints(block, pieces);
          }
          above = {};
          break;
        }
      }
    }
    Flush(choice, hidden, pieces);
    return pieces;
  }

  void EmitOther(const Block& block, const SearchChoice& choice, Hidden& hidden, std::vector<Piece>& pieces) const {
    for (uint32_t line = block.first; line <= block.last; ++line) {
      bool blank = results_.text.lines[line].type == Type::kSeparator;
      if (!choice.shown[line] || (blank && hidden.any())) {
        hidden.Add(line, line + 1);
        continue;
      }
      Flush(choice, hidden, pieces);
      EmitLine(line, results_.document.lines.Line(line).begin, choice.width == UINT64_MAX ? choice.width : kOtherWidth,
               pieces);
    }
  }

  void EmitGroup(size_t index, const SearchChoice& choice, Hidden& hidden, Above& above,
                 std::vector<Piece>& pieces) const {
    const Block& block = results_.blocks[index];
    std::vector<uint32_t> shown;
    for (uint32_t line = block.first; line <= block.last; ++line) {
      if (choice.shown[line]) shown.push_back(line);
    }
    if (shown.empty()) return hidden.Add(block.first, block.last + 1);
    Flush(choice, hidden, pieces);
    if (block.path.size() > 0) EmitHeading(index, shown, above, pieces);
    for (uint32_t line = block.first; line <= block.last;) {
      uint32_t end = line;
      while (end <= block.last && choice.shown[end] == choice.shown[line]) ++end;
      if (!choice.shown[line]) {
        pieces.push_back(GapWithin(line, end, choice));
      } else {
        for (; line < end; ++line) EmitLine(line, BodyBegin(line), choice.width, pieces);
      }
      line = end;
    }
  }

  // Where the shown part of a hit begins: after its path and the separator, which headings own. A line whose own text
  // would make a reader take the separator for another one keeps its path ("a.c:12-30 lines", without a number).
  uint64_t BodyBegin(uint32_t line) const {
    const SearchLine& read = results_.text.lines[line];
    uint64_t begin = results_.document.lines.Line(line).begin;
    bool hit = read.type == Type::kMatch || read.type == Type::kContext;
    if (!hit || !read.path) return begin;
    return SeparatorIsImplied(results_.document, begin + read.path) ? begin + read.path + 1 : begin;
  }

  void EmitHeading(size_t index, const std::vector<uint32_t>& shown, Above& above, std::vector<Piece>& pieces) const {
    std::string_view path = results_.document.Bytes(results_.blocks[index].path);
    // A path that is a folder and nothing else ("base/:text") is its own heading.
    const uint64_t root_size = root_[index] < path.size() ? root_[index] : 0;
    std::vector<Span> roots, paths;
    for (uint32_t line : shown) {
      uint64_t begin = results_.document.lines.Line(line).begin, body = BodyBegin(line);
      if (body == begin) continue;
      roots.push_back({begin, begin + root_size});
      paths.push_back({begin + root_size, body});
    }
    if (paths.empty()) return;
    if (root_size == 0) {
      above = {};
    } else if (above.root == path.substr(0, root_size)) {
      auto& more = pieces[above.fold].more;
      more.insert(more.end(), roots.begin(), roots.end());
    } else {
      above = {path.substr(0, root_size), pieces.size()};
      pieces.push_back(HeadingOf(std::string(above.root), roots));
    }
    pieces.push_back(HeadingOf((root_size > 0 ? " " : "") + std::string(path.substr(root_size)), paths));
  }

  static Piece HeadingOf(std::string text, const std::vector<Span>& spans) {
    Piece heading = Fold(FoldForm::kSearchGroup, spans.front(), std::move(text));
    heading.more.assign(spans.begin() + 1, spans.end());
    return heading;
  }

  // A line from byte `begin`, cut around what was searched when it is longer than `width`.
  void EmitLine(uint32_t line, uint64_t begin, uint64_t width, std::vector<Piece>& pieces) const {
    Span whole = results_.document.lines.Line(line);
    if (width == UINT64_MAX || whole.end - begin <= width + kCutSlack)
      return pieces.push_back(Quote({begin, whole.end}));
    uint64_t body = std::max(begin, whole.begin + results_.text.lines[line].body);
    if (results_.text.lines[line].type == Type::kPath || body >= whole.end) body = begin;
    std::string_view text = results_.document.Bytes({body, whole.end});
    size_t found = FindIgnoringCase(text, literal_);
    uint64_t from = found == std::string_view::npos ? body : body + found - std::min<uint64_t>(found, width / 3);
    if (from <= body + kSmallHole) from = body;
    uint64_t to = std::min(whole.end, from + width);
    from = from == body ? body : Utf8FloorBoundary(results_.document.bytes, from);
    to = to + kSmallHole >= whole.end ? whole.end : Utf8FloorBoundary(results_.document.bytes, to);
    bool first = true;
    auto add = [&](Piece piece) {
      piece.glued = !first;
      first = false;
      pieces.push_back(std::move(piece));
    };
    if (from == body) {
      add(Quote({begin, to}));
    } else {
      if (body > begin) add(Quote({begin, body}));
      add(GapOfBytes({body, from}));
      add(Quote({from, to}));
    }
    if (to < whole.end) add(GapOfBytes({to, whole.end}));
  }

  // "651,655-659,700", of the matches among lines first..end-1.
  std::string Numbers(uint32_t first, uint32_t end) const {
    std::string out;
    uint32_t from = 0, to = 0;  // the run of successive numbers at hand; 0: none
    auto put = [&] {
      if (from == 0) return;
      if (!out.empty()) out += ',';
      out += std::to_string(from);
      if (to > from) out += (to > from + 1 ? "-" : ",") + std::to_string(to);
    };
    for (uint32_t line = first; line < end; ++line) {
      if (results_.text.lines[line].type != Type::kMatch || !results_.text.lines[line].has_number) continue;
      uint32_t number = results_.text.lines[line].number;
      if (from > 0 && number == to + 1) {
        to = number;
        continue;
      }
      put();
      from = to = number;
    }
    put();
    return out;
  }

  Piece GapOf(uint32_t first, uint32_t end) const {
    uint64_t matches = 0, contexts = 0, others = 0;
    for (uint32_t line = first; line < end; ++line) {
      matches += results_.text.lines[line].type == Type::kMatch;
      contexts += results_.text.lines[line].type == Type::kContext;
      others += results_.text.lines[line].type == Type::kOther;
    }
    Piece gap = GapOfLines(results_.document, first, end - 1);
    if (matches > 0 && others == 0) {
      gap.noun = "matches";
      gap.count = matches;
    } else if (contexts > 0 && others == 0) {
      gap.noun = "context lines";
      gap.count = contexts;
    }
    return gap;
  }

  Piece GapWithin(uint32_t first, uint32_t end, const SearchChoice& choice) const {
    Piece gap = GapOf(first, end);
    if (choice.numbers) gap.detail = Numbers(first, end);
    if (!gap.detail.empty()) gap.detail.insert(0, "at ");
    return gap;
  }

  // Several files in one gap: "src/core/{all.rs:651,700 any.rs:3} tests/all.rs:5".
  void Flush(const SearchChoice& choice, Hidden& hidden, std::vector<Piece>& pieces) const {
    if (!hidden.any()) return;
    Piece gap = GapOf(hidden.first, hidden.end);
    if (choice.files)
      gap.detail = Places(hidden, choice.numbers);
    else
      gap.detail = std::to_string(FilesIn(hidden)) + " files";
    if (gap.detail == "0 files") gap.detail.clear();
    pieces.push_back(std::move(gap));
    hidden = {};
  }

  template <typename Visit>
  void EachGroup(const Hidden& hidden, Visit visit) const {
    auto block = std::partition_point(results_.blocks.begin(), results_.blocks.end(),
                                      [&](const Block& b) { return b.last < hidden.first; });
    for (; block != results_.blocks.end() && block->first < hidden.end; ++block) {
      if (block->type == Block::Type::kGroup) visit(*block);
    }
  }

  uint64_t FilesIn(const Hidden& hidden) const {
    uint64_t files = 0;
    EachGroup(hidden, [&](const Block&) { ++files; });
    return files;
  }

  std::string_view NameOfGroup(const Block& block) const {
    return block.heading ? results_.document.Text(block.first) : results_.document.Bytes(block.path);
  }

  std::string Places(const Hidden& hidden, bool numbers) const {
    std::vector<std::string_view> paths, folders;
    std::vector<std::string> at;
    EachGroup(hidden, [&](const Block& block) {
      paths.push_back(NameOfGroup(block));
      folders.push_back(FolderOf(paths.back()));
      at.push_back(numbers ? Numbers(block.first, block.last + 1) : "");
      if (at.back().empty()) at.back() = CountOf(block);
    });
    std::string out;
    for (const RootStretch& root : ShareRoots(folders, 4)) {
      if (!out.empty()) out += ' ';
      bool several = root.last > root.first && root.length > 0;
      size_t said = several ? root.length : 0;
      out.append(paths[root.first].substr(0, said)).append(several ? "{" : "");
      for (size_t i = root.first; i <= root.last; ++i) {
        if (i > root.first) out += ' ';
        out.append(paths[i].substr(said)).append(paths[i].empty() ? "at " : ":").append(at[i]);
      }
      if (several) out += '}';
    }
    return out;
  }

  std::string CountOf(const Block& block) const {
    auto count = std::count_if(results_.text.lines.begin() + block.first, results_.text.lines.begin() + block.last + 1,
                               [](const SearchLine& line) { return line.type == Type::kMatch; });
    return std::to_string(count) + (count == 1 ? " match" : " matches");
  }

  // One of each message, the rest counted: "grep: /proc/kmsg: Operation not permitted".
  void EmitComplaints(const Block& block, std::vector<Piece>& pieces) const {
    if (block.last - block.first < kFewComplaints)
      return pieces.push_back(QuoteLines(results_.document, block.first, block.last));
    std::map<std::string_view, uint64_t> seen;
    uint32_t hidden = block.first;
    std::map<std::string_view, uint64_t> counts;
    auto flush = [&](uint32_t end) {
      if (end > hidden) {
        Piece gap = GapOfLines(results_.document, hidden, end - 1, "such messages");
        for (const auto& [message, count] : counts) {
          gap.detail += (gap.detail.empty() ? "" : ", ") + std::to_string(count) + " ";
          gap.detail += message;
        }
        pieces.push_back(std::move(gap));
      }
      counts.clear();
    };
    for (uint32_t line = block.first; line <= block.last; ++line) {
      std::string_view text = results_.document.Text(line);
      std::string_view message = text.substr(text.rfind(": ") + 2);
      bool new_kind = message.size() < 200 && seen.size() < kComplaintKinds && seen.emplace(message, 0).second;
      if (new_kind) {
        flush(line);
        pieces.push_back(QuoteLines(results_.document, line, line));
        hidden = line + 1;
      } else {
        ++counts[seen.count(message) ? message : std::string_view("other messages")];
      }
    }
    flush(block.last + 1);
  }

  SearchResults results_;
  SearchChooser chooser_;
  std::string literal_;
  std::vector<uint64_t> root_;  // one a block: length of the folder shared with its neighbours
  bool reads_file_ = false;
};

}  // namespace

std::unique_ptr<Shaper> ShapeSearchResults(const Document& document) {
  if (document.line_count() == 0) return ShapeText(document);
  auto shaper = std::make_unique<SearchShaper>(document);
  if (!shaper->understood()) return ShapeText(document);
  return shaper;
}

}  // namespace pith
