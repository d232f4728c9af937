#include "compact/search/json.h"

#include <algorithm>

namespace pith {
namespace {

constexpr std::string_view kBegin = "{\"type\":\"begin\",\"data\":{\"path\":{\"text\":\"";
constexpr std::string_view kMatch = "{\"type\":\"match\",\"data\":{\"path\":{\"text\":\"";
constexpr std::string_view kContext = "{\"type\":\"context\",\"data\":{\"path\":{\"text\":\"";
constexpr std::string_view kLines = "\"},\"lines\":{\"text\":\"";
constexpr std::string_view kNumber = "\"},\"line_number\":";
constexpr std::string_view kOffset = ",\"absolute_offset\":";
constexpr std::string_view kSubmatches = ",\"submatches\":[";

// Reads the parts of a text one after the other; a miss ends it.
class Parts {
 public:
  explicit Parts(std::string_view text) : rest_(text) {}
  bool ok() const { return ok_; }
  bool done() const { return ok_ && rest_.empty(); }
  bool Skip(std::string_view expected) {
    bool here = ok_ && rest_.starts_with(expected);
    if (here) rest_.remove_prefix(expected.size());
    return here;
  }
  void Expect(std::string_view expected) { ok_ = Skip(expected); }
  std::string_view Digits() { return Take(rest_.find_first_not_of("0123456789")); }
  // The inside of a JSON string, up to its closing quote.
  std::string_view String() {
    size_t end = 0;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    if (end >= rest_.size()) ok_ = false;
    return Take(end);
  }

 private:
  std::string_view Take(size_t size) {
    if (!ok_ || size == 0 || size > rest_.size()) return {};
    std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::string_view rest_;
  bool ok_ = true;
};

std::string_view PathOfRecord(std::string_view line) {
  for (std::string_view opening : {kBegin, kMatch, kContext}) {
    if (!line.starts_with(opening)) continue;
    Parts parts(line.substr(opening.size()));
    std::string_view path = parts.String();
    return parts.ok() ? path : std::string_view();
  }
  return {};
}

// The text of a match's or context's fold; empty for a record of another shape.
std::string FoldTextOf(std::string_view line) {
  bool match = line.starts_with(kMatch);
  if (!match && !line.starts_with(kContext)) return "";
  Parts parts(line.substr(match ? kMatch.size() : kContext.size()));
  parts.String();
  parts.Expect(kLines);
  std::string_view text = parts.String();
  parts.Expect(kNumber);
  std::string_view number = parts.Digits();
  parts.Expect(kOffset);
  std::string_view offset = parts.Digits();
  parts.Expect(kSubmatches);
  std::string columns;
  while (parts.ok() && !parts.Skip("]}}")) {
    if (!columns.empty()) parts.Expect(",");
    parts.Expect("{\"match\":{\"text\":\"");
    std::string_view matched = parts.String();
    parts.Expect("\"},\"start\":");
    std::string_view start = parts.Digits();
    parts.Expect(",\"end\":");
    std::string_view end = parts.Digits();
    parts.Expect("}");
    if (!parts.ok() || start.empty() || start.size() > 8 || end.empty() || end.size() > 8) return "";
    // What matched is said by its columns; so only where columns count the text's bytes as they stand.
    size_t from = std::stoul(std::string(start)), to = std::stoul(std::string(end));
    if (from > to || to > text.size() || text.substr(0, to).find('\\') != std::string_view::npos) return "";
    if (text.substr(from, to - from) != matched) return "";
    columns.append(" ").append(start).append("-").append(end);
  }
  if (!parts.done() || number.empty() || offset.empty()) return "";
  std::string out(number);
  out.append(match ? ":" : "-").append(text).append(" [@").append(offset).append(columns).append("]");
  return out;
}

// {"type":"begin","data":{"path":{"text":"PATH"}}} and nothing more.
bool IsWholeBegin(std::string_view record) {
  const std::string_view path = PathOfRecord(record);
  return !path.empty() && record.size() == kBegin.size() + path.size() + 4 && record.ends_with("\"}}}");
}

class RipgrepShaper : public Shaper {
 public:
  explicit RipgrepShaper(const Document& document) : document_(document) {
    uint32_t count = document.line_count();
    texts_.resize(count);
    uint32_t turn = 0;
    std::string_view file;  // that the records belong to
    for (uint32_t line = 0; line < count; ++line) {
      std::string_view text = document.Text(line);
      if (text.starts_with(kBegin)) {
        file = IsWholeBegin(text) ? PathOfRecord(text) : std::string_view();
        texts_[line] = file;
        turn = 0;
      } else {
        if (!file.empty() && PathOfRecord(text) == file) texts_[line] = FoldTextOf(text);
        if (!texts_[line].empty()) ++turn;
      }
      turns_.push_back(texts_[line].empty() ? UINT32_MAX : text.starts_with(kBegin) ? 0 : turn);
    }
  }

  std::vector<Piece> Make(const Limit& limit) const override {
    uint32_t turn = 256;
    while (turn > 0 && SizeAt(turn) > (turn > 1 ? limit.soft : limit.hard)) turn /= 2;
    std::vector<Piece> pieces;
    bool any = SizeAt(0) <= limit.hard;
    for (uint32_t line = 0; line < document_.line_count();) {
      if (any && Shown(line, turn)) {
        if (IsLast(line))
          pieces.push_back(QuoteLines(document_, line, line));
        else
          pieces.push_back(Fold(FoldForm::kSearchGroup, document_.lines.Line(line), texts_[line]));
        ++line;
        continue;
      }
      uint32_t end = line;
      while (end < document_.line_count() && !(any && Shown(end, turn))) ++end;
      pieces.push_back(GapOf(line, end));
      line = end;
    }
    return pieces;
  }

 private:
  bool IsLast(uint32_t line) const {
    return line + 1 == document_.line_count() && texts_[line].empty() && document_.lines.Line(line).size() < 800;
  }
  bool Shown(uint32_t line, uint32_t turn) const {
    return IsLast(line) || (turns_[line] != UINT32_MAX && turns_[line] <= turn);
  }

  uint64_t SizeAt(uint32_t turn) const {
    uint64_t size = 0;
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      if (Shown(line, turn)) size += texts_[line].size() + 1 + (turns_[line] == 0 ? 24 : 0);
    }
    return size;
  }

  Piece GapOf(uint32_t first, uint32_t end) const {
    Piece gap = GapOfLines(document_, first, end - 1, "records");
    std::string numbers;
    for (uint32_t line = first; line < end && numbers.size() < 400; ++line) {
      size_t colon = texts_[line].find(':');
      if (turns_[line] == UINT32_MAX || turns_[line] == 0 || colon == std::string::npos) continue;
      numbers.append(numbers.empty() ? "at " : ",").append(texts_[line].substr(0, colon));
    }
    gap.detail = numbers;
    return gap;
  }

  const Document& document_;
  std::vector<std::string> texts_;  // of folds; empty where a record has none
  std::vector<uint32_t> turns_;     // 0: begins a file; n: its n-th match
};

}  // namespace

bool IsRipgrepJson(const Document& document) {
  return document.line_count() >= 3 && document.Text(0).starts_with(kBegin) &&
         document.Text(1).substr(0, kMatch.size()).starts_with("{\"type\":\"");
}

std::unique_ptr<Shaper> ShapeRipgrepJson(const Document& document) { return std::make_unique<RipgrepShaper>(document); }

bool OwnsRipgrepRecord(const Document& document, const Piece& piece) {
  return piece.more.empty() && document.Bytes(piece.span).starts_with("{\"type\":\"");
}

bool RipgrepFoldMatches(const Document& document, const std::vector<Piece>& pieces, size_t at) {
  std::string_view record = document.Bytes(pieces[at].span);
  if (record.ends_with('\n')) record.remove_suffix(1);
  if (record.find('\n') != std::string_view::npos) return false;
  std::string_view path = PathOfRecord(record);
  if (record.starts_with(kBegin)) {
    return IsWholeBegin(record) && pieces[at].text == path;
  }
  // The path that stands above: of the nearest begin record that is shown.
  for (size_t above = at; above-- > 0;) {
    if (pieces[above].form != FoldForm::kSearchGroup) continue;
    if (!document.Bytes(pieces[above].span).starts_with(kBegin)) continue;
    return pieces[above].text == path && !pieces[at].text.empty() && pieces[at].text == FoldTextOf(record);
  }
  return false;
}

}  // namespace pith
