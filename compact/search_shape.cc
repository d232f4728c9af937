// Laying out search results. Everything is shown while it fits the soft limit, each file's path and each shared folder
// said once: that view is lossless. Above it, files take turns: the best match of each (one that defines something, one
// that the reader asked for, else the first), then the second, until the space is spent. Bodies are cut around what was
// searched. What is left out is a gap that still names every place, file and line number, since an agent's next step is
// to open one of them; only when even the places exceed the hard limit do numbers, and then files, give way to counts.
#include "compact/search_shape.h"

#include <algorithm>
#include <map>

#include "base/utf8.h"
#include "compact/folds_search.h"
#include "compact/kinds.h"
#include "compact/query.h"
#include "compact/search_blocks.h"
#include "compact/search_lists.h"

namespace pith {
namespace {

using Type = SearchLine::Type;
using Block = SearchBlock;

constexpr uint64_t kGapCost = 36;        // bytes of a gap line without its detail
constexpr uint64_t kCutSlack = 60;       // bytes by which a body may exceed its width before it is cut
constexpr uint64_t kSmallHole = 40;      // hidden bytes that cost no more when shown
constexpr uint32_t kFewComplaints = 12;  // shown as they are
constexpr size_t kComplaintKinds = 8;
constexpr uint32_t kRounds = 1024;

std::string_view FirstWord(std::string_view& text) {
  size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return text = {};
  size_t end = text.find_first_of(" \t(<:", start);
  std::string_view word = text.substr(start, end == std::string_view::npos ? end : end - start);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end);
  return word;
}

// Whether a matched line defines something rather than mentions it.
bool Defines(std::string_view body) {
  body = body.substr(0, 200);
  for (int skipped = 0; skipped < 4; ++skipped) {
    std::string_view word = FirstWord(body);
    for (std::string_view key :
         {"def", "class", "fn", "func", "function", "struct", "enum", "trait", "interface", "impl", "type", "#define",
          "typedef", "module", "namespace", "macro_rules!", "record", "protocol", "sub"}) {
      if (word == key) return true;
    }
    bool modifier = false;
    for (std::string_view key :
         {"pub", "public", "private", "protected", "static", "export", "default", "async", "abstract", "final",
          "inline", "virtual", "internal", "sealed", "open", "data", "unsafe", "const"}) {
      modifier = modifier || word == key;
    }
    if (word == "pub" && body.starts_with('(')) body = body.substr(std::min(body.size(), body.find(')') + 1));
    if (!modifier) return false;
  }
  return false;
}

// What is shown of an output under one limit.
struct Choice {
  std::vector<bool> shown;      // one a line, of groups and others
  uint64_t width = UINT64_MAX;  // bytes of a body above which it is cut
  bool numbers = true;          // gaps name line numbers
  bool files = true;            // gaps name files
  uint64_t list_room = UINT64_MAX;
  bool complaints = true;  // one of each message is shown
};

class SearchShaper : public Shaper {
 public:
  explicit SearchShaper(const Document& document)
      : document_(document),
        text_(ReadSearch(document, 0, document.line_count() - 1)),
        literal_(SearchedLiteral(document)),
        blocks_(BlocksOf(document, text_)) {
    FindRoots();
    OrderRounds();
    reads_file_ = ReadsFile();
    for (const Block& block : blocks_) {
      if (block.type != Block::Type::kList) continue;
      lists_.emplace_back(document_, text_, block.first, block.last);
    }
  }

  std::vector<Piece> Make(const Limit& limit) const override {
    bool unasked = document_.hints.policy == Policy::kHook && !limit.fill;
    if (unasked && reads_file_) return {QuoteLines(document_, 0, document_.line_count() - 1)};
    return Emit(Choose(limit));
  }

 private:
  // --- what things cost ---

  uint64_t PathCost(const Block& block) const { return block.heading ? 0 : block.path.size() + 1; }

  uint64_t LineCost(uint32_t line, uint64_t width) const {
    uint64_t size = document_.lines.Line(line).size() - (text_.lines[line].path ? text_.lines[line].path + 1ull : 0);
    return width != UINT64_MAX && size > width + kCutSlack ? width + 40 : size;
  }

  uint64_t PlaceCost(const Block& block, bool numbers) const {
    uint64_t cost = PathCost(block) / 2 + 8;
    if (!numbers) return cost;
    for (uint32_t line = block.first; line <= block.last; ++line)
      cost += text_.lines[line].type == Type::kMatch ? 4 : 0;
    return cost;
  }

  uint64_t ListCost() const {
    uint64_t cost = 0;
    for (const SearchList& list : lists_) cost += list.full_size();
    return cost;
  }

  // --- choosing ---

  Choice Choose(const Limit& limit) const {
    Choice choice;
    choice.shown.assign(document_.line_count(), true);
    uint64_t lists = ListCost(), groups = 0, others = 0;
    for (const Block& block : blocks_) {
      if (block.type == Block::Type::kGroup) {
        groups += PathCost(block);
        for (uint32_t line = block.first; line <= block.last; ++line) groups += LineCost(line, UINT64_MAX);
      } else if (block.type == Block::Type::kOther) {
        others += document_.lines.Lines(block.first, block.last).size();
      } else if (block.type == Block::Type::kComplaints) {
        others += 400;
      }
    }
    if (groups + others <= limit.soft && lists + groups + others <= limit.hard) return choice;
    uint64_t spent = ChooseOthers(limit.soft / 3, choice);
    choice.complaints = limit.hard >= 2000;
    choice.list_room = limit.hard > spent ? limit.hard - spent : 0;
    spent += std::min(choice.list_room, lists);
    ChooseMatches(limit, spent, choice);
    return choice;
  }

  // The tool's own words: the first and the last ones, up to `room` bytes. Gives the bytes spent.
  uint64_t ChooseOthers(uint64_t room, Choice& choice) const {
    std::vector<uint32_t> lines;
    for (const Block& block : blocks_) {
      if (block.type != Block::Type::kOther) continue;
      for (uint32_t line = block.first; line <= block.last; ++line) lines.push_back(line);
    }
    uint64_t spent = 0;
    auto take = [&](uint32_t line, uint64_t most) {
      uint64_t cost = LineCost(line, 400);
      if (choice.shown[line] || spent + cost > most) return;
      choice.shown[line] = true;
      spent += cost;
    };
    for (uint32_t line : lines) choice.shown[line] = false;
    for (uint32_t line : lines) {
      if (document_.signals[line] >= Signal::kError) take(line, room / 2);
    }
    size_t tail = std::min<size_t>(lines.size(), 12);
    for (size_t i = lines.size(); i-- > lines.size() - tail;) take(lines[i], room * 3 / 4);
    for (size_t i = 0; i + tail < lines.size(); ++i) take(lines[i], room);
    return spent;
  }

  void ChooseMatches(const Limit& limit, uint64_t spent, Choice& choice) const {
    uint64_t places = 0, bare = 0, matches = 0;
    for (const Block& block : blocks_) {
      if (block.type != Block::Type::kGroup) continue;
      places += PlaceCost(block, true);
      bare += PlaceCost(block, false);
      for (uint32_t line = block.first; line <= block.last; ++line) {
        choice.shown[line] = false;
        matches += text_.lines[line].type == Type::kMatch;
      }
    }
    if (matches == 0) return;
    choice.numbers = spent + places <= limit.hard / 4 * 3;
    choice.files = choice.numbers || spent + bare <= limit.hard / 4 * 3;
    uint64_t told = choice.numbers ? places : choice.files ? bare : 0;
    // Places may take what they need, but bodies keep two fifths of the soft limit.
    uint64_t room = std::min(limit.hard, std::max(limit.soft, spent + told + limit.soft * 2 / 5));
    uint64_t bodies = room > spent + told ? room - spent - told : 0;
    choice.width = std::clamp<uint64_t>(bodies / matches, 120, 400);
    TakeTurns(bodies, choice);
    FillHoles(choice);
  }

  // Round by round over all files, while there is room; context lines last.
  void TakeTurns(uint64_t room, Choice& choice) const {
    std::vector<bool> opened(blocks_.size(), false);
    uint64_t spent = 0;
    for (const auto& [line, block] : turns_) {
      uint64_t cost = LineCost(line, choice.width);
      if (!opened[block])
        cost += PathCost(blocks_[block]) / 2 + (blocks_[block].last > blocks_[block].first ? kGapCost : 0);
      if (spent + cost > room) continue;
      spent += cost;
      opened[block] = choice.shown[line] = true;
    }
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (opened[i] && blocks_[i].heading) choice.shown[blocks_[i].first] = true;
    }
  }

  // A hole between shown lines of a group that would cost as much as its gap is filled.
  void FillHoles(Choice& choice) const {
    for (const Block& block : blocks_) {
      if (block.type != Block::Type::kGroup) continue;
      bool any = false;
      for (uint32_t line = block.first; line <= block.last; ++line) any = any || choice.shown[line];
      if (!any) continue;
      for (uint32_t line = block.first; line <= block.last;) {
        if (choice.shown[line]) {
          ++line;
          continue;
        }
        uint32_t end = line;
        uint64_t bytes = 0;
        for (; end <= block.last && !choice.shown[end]; ++end) bytes += LineCost(end, choice.width);
        if (bytes <= kSmallHole) std::fill(choice.shown.begin() + line, choice.shown.begin() + end, true);
        line = end;
      }
    }
  }

  // The order in which lines are taken: wanted ones, other matches, context; by turn within their file, then as they
  // stand.
  void OrderRounds() {
    std::vector<std::vector<std::pair<uint32_t, uint32_t>>> rounds(3 * kRounds);  // wanted, other, context
    std::vector<bool> wanted = Wanted();
    for (uint32_t b = 0; b < blocks_.size(); ++b) {
      const Block& block = blocks_[b];
      if (block.type != Block::Type::kGroup) continue;
      uint32_t turn = 0, context = 0;
      for (bool first : {true, false}) {
        for (uint32_t line = block.first; line <= block.last; ++line) {
          if (text_.lines[line].type == Type::kMatch && wanted[line] == first) {
            rounds[(first ? 0 : kRounds) + std::min(turn++, kRounds - 1)].emplace_back(line, b);
          } else if (first && text_.lines[line].type == Type::kContext) {
            rounds[2 * kRounds + std::min(context++, kRounds - 1)].emplace_back(line, b);
          }
        }
      }
    }
    for (auto& round : rounds) turns_.insert(turns_.end(), round.begin(), round.end());
  }

  // Matches that go before the others of their file.
  std::vector<bool> Wanted() const {
    std::vector<bool> wanted(document_.line_count(), false);
    std::vector<std::string_view> bodies(document_.line_count());
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      if (text_.lines[line].type != Type::kMatch) continue;
      bodies[line] = document_.Text(line).substr(text_.lines[line].body);
      wanted[line] = Defines(bodies[line]);
    }
    if (document_.hints.query.empty()) return wanted;
    std::vector<double> scores = QueryScores(document_.hints.query, bodies);
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      if (scores[line] > 0) wanted[line] = true;
    }
    return wanted;
  }

  // A search that matched nearly every line of one file is how some agents read it: such a read stays exact.
  bool ReadsFile() const {
    uint32_t matches = 0, successive = 0, before = 0;
    for (const SearchLine& line : text_.lines) {
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
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].type != Block::Type::kGroup || blocks_[i].heading || blocks_[i].path.size() == 0) continue;
      folders.push_back(FolderOf(document_.Bytes(blocks_[i].path)));
      groups.push_back(i);
    }
    root_.assign(blocks_.size(), 0);
    for (const RootStretch& stretch : ShareRoots(folders, 4)) {
      if (stretch.last == stretch.first) continue;
      for (size_t i = stretch.first; i <= stretch.last; ++i) root_[groups[i]] = stretch.length;
    }
  }

  // --- emitting ---

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

  std::vector<Piece> Emit(const Choice& choice) const {
    std::vector<Piece> pieces;
    Hidden hidden;
    Above above;
    size_t list = 0;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const Block& block = blocks_[i];
      switch (block.type) {
        case Block::Type::kGroup:
          EmitGroup(i, choice, hidden, above, pieces);
          break;
        case Block::Type::kOther:
          EmitOther(block, choice, hidden, pieces);
          break;
        case Block::Type::kComplaints:
          Flush(choice, hidden, pieces);
          EmitComplaints(block, choice, pieces);
          break;
        case Block::Type::kList:
          Flush(choice, hidden, pieces);
          lists_[list++].Emit(choice.list_room, pieces);
          above = {};
          break;
      }
    }
    Flush(choice, hidden, pieces);
    return pieces;
  }

  void EmitOther(const Block& block, const Choice& choice, Hidden& hidden, std::vector<Piece>& pieces) const {
    for (uint32_t line = block.first; line <= block.last; ++line) {
      bool blank = text_.lines[line].type == Type::kSeparator;
      if (!choice.shown[line] || (blank && hidden.any())) {
        hidden.Add(line, line + 1);
        continue;
      }
      Flush(choice, hidden, pieces);
      EmitLine(line, document_.lines.Line(line).begin, choice.width == UINT64_MAX ? choice.width : 400, pieces);
    }
  }

  void EmitGroup(size_t index, const Choice& choice, Hidden& hidden, Above& above, std::vector<Piece>& pieces) const {
    const Block& block = blocks_[index];
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
    const SearchLine& read = text_.lines[line];
    uint64_t begin = document_.lines.Line(line).begin;
    bool hit = read.type == Type::kMatch || read.type == Type::kContext;
    if (!hit || !read.path) return begin;
    return SeparatorIsImplied(document_, begin + read.path) ? begin + read.path + 1 : begin;
  }

  void EmitHeading(size_t index, const std::vector<uint32_t>& shown, Above& above, std::vector<Piece>& pieces) const {
    uint64_t root_size = root_[index];
    std::string_view path = document_.Bytes(blocks_[index].path);
    std::vector<Span> roots, paths;
    for (uint32_t line : shown) {
      uint64_t begin = document_.lines.Line(line).begin, body = BodyBegin(line);
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
    Span whole = document_.lines.Line(line);
    if (width == UINT64_MAX || whole.end - begin <= width + kCutSlack)
      return pieces.push_back(Quote({begin, whole.end}));
    uint64_t body = std::max(begin, whole.begin + text_.lines[line].body);
    if (text_.lines[line].type == Type::kPath || body >= whole.end) body = begin;
    std::string_view text = document_.Bytes({body, whole.end});
    size_t found = FindIgnoringCase(text, literal_);
    uint64_t from = found == std::string_view::npos ? body : body + found - std::min<uint64_t>(found, width / 3);
    if (from <= body + kSmallHole) from = body;
    uint64_t to = std::min(whole.end, from + width);
    from = from == body ? body : Utf8FloorBoundary(document_.bytes, from);
    to = to + kSmallHole >= whole.end ? whole.end : Utf8FloorBoundary(document_.bytes, to);
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
      if (text_.lines[line].type != Type::kMatch || !text_.lines[line].has_number) continue;
      uint32_t number = text_.lines[line].number;
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
      matches += text_.lines[line].type == Type::kMatch;
      contexts += text_.lines[line].type == Type::kContext;
      others += text_.lines[line].type == Type::kOther;
    }
    Piece gap = GapOfLines(document_, first, end - 1);
    if (matches > 0 && others == 0) {
      gap.noun = "matches";
      gap.count = matches;
    } else if (contexts > 0 && others == 0) {
      gap.noun = "context lines";
      gap.count = contexts;
    }
    return gap;
  }

  Piece GapWithin(uint32_t first, uint32_t end, const Choice& choice) const {
    Piece gap = GapOf(first, end);
    if (choice.numbers) gap.detail = Numbers(first, end);
    if (!gap.detail.empty()) gap.detail.insert(0, "at ");
    return gap;
  }

  // Several files in one gap: "src/core/{all.rs:651,700 any.rs:3} tests/all.rs:5".
  void Flush(const Choice& choice, Hidden& hidden, std::vector<Piece>& pieces) const {
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
    auto block =
        std::partition_point(blocks_.begin(), blocks_.end(), [&](const Block& b) { return b.last < hidden.first; });
    for (; block != blocks_.end() && block->first < hidden.end; ++block) {
      if (block->type == Block::Type::kGroup) visit(*block);
    }
  }

  uint64_t FilesIn(const Hidden& hidden) const {
    uint64_t files = 0;
    EachGroup(hidden, [&](const Block&) { ++files; });
    return files;
  }

  std::string_view NameOfGroup(const Block& block) const {
    return block.heading ? document_.Text(block.first) : document_.Bytes(block.path);
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
    auto count = std::count_if(text_.lines.begin() + block.first, text_.lines.begin() + block.last + 1,
                               [](const SearchLine& line) { return line.type == Type::kMatch; });
    return std::to_string(count) + (count == 1 ? " match" : " matches");
  }

  // One of each message, the rest counted: "grep: /proc/kmsg: Operation not permitted".
  void EmitComplaints(const Block& block, const Choice& choice, std::vector<Piece>& pieces) const {
    if (!choice.complaints) return pieces.push_back(GapOfLines(document_, block.first, block.last, "such messages"));
    if (block.last - block.first < kFewComplaints)
      return pieces.push_back(QuoteLines(document_, block.first, block.last));
    std::map<std::string_view, uint64_t> seen;
    uint32_t hidden = block.first;
    std::map<std::string_view, uint64_t> counts;
    auto flush = [&](uint32_t end) {
      if (end > hidden) {
        Piece gap = GapOfLines(document_, hidden, end - 1, "such messages");
        for (const auto& [message, count] : counts) {
          gap.detail += (gap.detail.empty() ? "" : ", ") + std::to_string(count) + " ";
          gap.detail += message;
        }
        pieces.push_back(std::move(gap));
      }
      counts.clear();
    };
    for (uint32_t line = block.first; line <= block.last; ++line) {
      std::string_view text = document_.Text(line);
      std::string_view message = text.substr(text.rfind(": ") + 2);
      bool new_kind = message.size() < 200 && seen.size() < kComplaintKinds && seen.emplace(message, 0).second;
      if (new_kind) {
        flush(line);
        pieces.push_back(QuoteLines(document_, line, line));
        hidden = line + 1;
      } else {
        ++counts[seen.count(message) ? message : std::string_view("other messages")];
      }
    }
    flush(block.last + 1);
  }

  const Document& document_;
  SearchText text_;
  std::string literal_;
  std::vector<Block> blocks_;
  std::vector<uint64_t> root_;                        // one a block: length of the folder shared with its neighbours
  std::vector<std::pair<uint32_t, uint32_t>> turns_;  // line, block
  std::vector<SearchList> lists_;
  bool reads_file_ = false;
};

}  // namespace

std::unique_ptr<Shaper> ShapeSearchResults(const Document& document) {
  if (document.line_count() == 0) return ShapeText(document);
  return std::make_unique<SearchShaper>(document);
}

}  // namespace pith
