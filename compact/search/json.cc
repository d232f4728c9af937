#include "compact/search/json.h"

#include <algorithm>
#include <unordered_map>

#include "compact/begins.h"

namespace pith {
namespace {

constexpr std::string_view kBegin = "{\"type\":\"begin\",\"data\":{\"path\":{\"text\":\"";
constexpr std::string_view kMatch = "{\"type\":\"match\",\"data\":{\"path\":{\"text\":\"";
constexpr std::string_view kContext = "{\"type\":\"context\",\"data\":{\"path\":{\"text\":\"";
constexpr std::string_view kLines = "\"},\"lines\":{\"text\":\"";
constexpr std::string_view kNumber = "\"},\"line_number\":";
constexpr std::string_view kOffset = ",\"absolute_offset\":";
constexpr std::string_view kEnd = "{\"type\":\"end\",\"data\":{\"path\":{\"text\":\"";
constexpr std::string_view kNote =
    "[records of rg --json: path, then line number and text; offsets, columns and end records are not shown]";

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
  for (std::string_view opening : {kBegin, kMatch, kContext, kEnd}) {
    if (!line.starts_with(opening)) continue;
    Parts parts(line.substr(opening.size()));
    std::string_view path = parts.String();
    return parts.ok() ? path : std::string_view();
  }
  return {};
}

// Whether a JSON string's inside ends in the escape \ and `letter`: after an odd number of backslashes.
bool EndsInEscape(std::string_view text, char letter) {
  if (!text.ends_with(letter)) return false;
  size_t slashes = 0;
  while (slashes + 1 < text.size() && text[text.size() - 2 - slashes] == '\\') ++slashes;
  return slashes % 2 == 1;
}

// The inside of a JSON string without its escapes and the line's own end; as it stands where it holds more than quotes,
// backslashes and tabs.
std::string PlainText(std::string_view text) {
  for (char end : {'n', 'r'}) {
    if (EndsInEscape(text, end)) text.remove_suffix(2);
  }
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char escaped = ++i < text.size() ? text[i] : '\0';
    if (escaped != '"' && escaped != '\\' && escaped != '/' && escaped != 't') return std::string(text);
    out += escaped == 't' ? '\t' : escaped;
  }
  return out;
}

// The text of a match's or context's fold: number, ':' or '-', what stands in the line; empty for a record of another
// shape.
std::string FoldTextOf(std::string_view line) {
  const bool match = line.starts_with(kMatch);
  if (!match && !line.starts_with(kContext)) return "";
  Parts parts(line.substr(match ? kMatch.size() : kContext.size()));
  parts.String();
  parts.Expect(kLines);
  const std::string_view text = parts.String();
  parts.Expect(kNumber);
  const std::string_view number = parts.Digits();
  parts.Expect(kOffset);
  if (!parts.ok() || number.empty()) return "";
  return std::string(number) + (match ? ":" : "-") + PlainText(text);
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
    ends_.resize(count, kNone);
    uint32_t turn = 0, begin = 0;
    std::string_view file;  // that the records belong to
    for (uint32_t line = 0; line < count; ++line) {
      std::string_view text = document.Text(line);
      if (text.starts_with(kBegin)) {
        file = IsWholeBegin(text) ? PathOfRecord(text) : std::string_view();
        texts_[line] = file;
        turn = 0;
        begin = line;
      } else if (text.starts_with(kEnd)) {
        if (!file.empty() && PathOfRecord(text) == file) ends_[line] = begin;
        file = {};
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
    std::unordered_map<uint32_t, size_t> headings;  // where the piece of a begin record stands
    bool any = SizeAt(0) <= limit.hard;
    if (any) pieces.push_back(Note(std::string(kNote)));
    for (uint32_t line = 0; line < document_.line_count();) {
      if (any && Shown(line, turn)) {
        if (IsLast(line)) {
          pieces.push_back(QuoteLines(document_, line, line));
        } else {
          pieces.push_back(Fold(FoldForm::kMarkup, document_.lines.Line(line), texts_[line]));
        }
        if (turns_[line] == 0) headings[line] = pieces.size() - 1;
        ++line;
        continue;
      }
      if (any && ends_[line] != kNone) {  // belongs to the path above
        pieces[headings.at(ends_[line])].more.push_back(document_.lines.Line(line));
        ++line;
        continue;
      }
      uint32_t end = line;
      while (end < document_.line_count() && !(any && (Shown(end, turn) || ends_[end] != kNone))) ++end;
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

  static constexpr uint32_t kNone = UINT32_MAX;
  const Document& document_;
  std::vector<uint32_t> ends_;      // of an end record: the line of its begin record; kNone for others
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
  return document.Bytes(piece.span).starts_with("{\"type\":\"");
}

bool RipgrepFoldMatches(const Document& document, const std::vector<Piece>& pieces, size_t at) {
  const auto record_of = [&](Span span) { return WithoutLineEnd(document.Bytes(span)); };
  const std::string_view record = record_of(pieces[at].span);
  if (record.find('\n') != std::string_view::npos) return false;
  const std::string_view path = PathOfRecord(record);
  if (record.starts_with(kBegin)) {
    const bool ended = std::all_of(pieces[at].more.begin(), pieces[at].more.end(), [&](Span span) {
      return record_of(span).starts_with(kEnd) && PathOfRecord(record_of(span)) == path;
    });
    return ended && IsWholeBegin(record) && pieces[at].text == path;
  }
  // The path that stands above: of the nearest begin record that is shown.
  for (size_t above = at; above-- > 0;) {
    if (pieces[above].form != FoldForm::kMarkup) continue;
    if (!document.Bytes(pieces[above].span).starts_with(kBegin)) continue;
    return pieces[above].text == path && !pieces[at].text.empty() && pieces[at].text == FoldTextOf(record);
  }
  return false;
}

}  // namespace pith
