// A long line is shown around what matters in it: its head says what it is, the stretch around its signal or match says
// why it was kept, its tail how it ends; of a very long one (a document on one line) a few words more around each other
// kind of fault that it speaks of. What is left out is addressed in bytes, so that it can be fetched alone.
#include <algorithm>

#include "base/utf8.h"
#include "compact/shaper.h"

namespace pith {
namespace {

constexpr uint64_t kWindow = 4096;             // bytes looked at together when a signal is searched in a line
constexpr uint64_t kGapBytes = 32;             // "[bytes 123456+7890 omitted]": smaller holes are not worth a gap
constexpr uint64_t kVeryLong = 8192;           // bytes of a line from which on further signals in it are looked for ...
constexpr uint64_t kReadForFurther = 4 << 20;  // ... in this much of it
constexpr uint64_t kFurtherRoom = 120;         // bytes shown around each
constexpr size_t kMostFurther = 4;

}  // namespace

Span SignalWithin(const Document& document, Span line) {
  std::string_view bytes = document.Bytes(line);
  for (uint64_t at = 0; at < bytes.size(); at += kWindow) {
    std::string_view window = bytes.substr(at, kWindow + 64);
    if (SignalOf(window) < Signal::kError) continue;
    uint64_t low = 0, high = window.size();  // narrow it down by halves that overlap
    while (high - low > 160) {
      uint64_t middle = (low + high) / 2;
      if (SignalOf(window.substr(low, middle + 32 - low)) >= Signal::kError && middle + 32 < high) {
        high = middle + 32;
      } else if (SignalOf(window.substr(middle, high - middle)) >= Signal::kError) {
        low = middle;
      } else {
        break;
      }
    }
    return {line.begin + at + low, line.begin + at + high};
  }
  return {line.begin, line.begin};
}

namespace {

// Words of a line that are signals by themselves, each once in lower case, as they come.
class SignalWords {
 public:
  // True if a word in `text` of this line is new; its place in `found`.
  bool FindNew(std::string_view text, Span& found) {
    for (size_t at = 0; at < text.size();) {
      size_t end = at;
      while (end < text.size() && IsLetter(text[end])) ++end;
      if (end - at >= kShortest && IsNew(text, at, end)) {
        found = {at, end};
        return true;
      }
      at = end + 1;
    }
    return false;
  }

 private:
  static constexpr size_t kShortest = 3, kLongest = 24;  // letters

  static bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  // What stands around the word may make it harmless.
  bool IsNew(std::string_view text, size_t begin, size_t end) {
    if (end - begin > kLongest || SignalOf(text.substr(begin, end - begin)) < Signal::kWarning) return false;
    const size_t from = begin - std::min<size_t>(begin, 24);
    if (SignalOf(text.substr(from, end + 24 - from)) < Signal::kWarning) return false;
    std::string word(text.substr(begin, end - begin));
    for (char& c : word) c = static_cast<char>(c | 0x20);
    if (std::find(seen_.begin(), seen_.end(), word) != seen_.end()) return false;
    seen_.push_back(std::move(word));
    return true;
  }

  std::vector<std::string> seen_;
};

// Of a line so long that one place stands for little of it: where else something stands that no shown part tells.
std::vector<Span> FurtherSignals(const Document& document, Span line, const std::vector<Span>& shown) {
  std::vector<Span> further;
  if (line.size() < kVeryLong) return further;
  SignalWords words;
  for (const Span& part : shown) {
    for (Span found; words.FindNew(document.Bytes(part), found);) continue;
  }
  const uint64_t end = std::min(line.end, line.begin + kReadForFurther);
  for (uint64_t at = line.begin; at < end && further.size() < kMostFurther;) {
    const Span window{at, std::min(end, at + kWindow)};
    at = window.end;
    Span found;
    if (SignalOf(document.Bytes(window)) < Signal::kWarning || !words.FindNew(document.Bytes(window), found)) continue;
    further.push_back({std::max(line.begin, window.begin + found.begin - std::min(found.begin, kFurtherRoom / 2)),
                       std::min(line.end, window.begin + found.end + kFurtherRoom / 2)});
    at = window.begin + found.end;
  }
  return further;
}

}  // namespace

void ShortenLine(const Document& document, Span line, Span wanted, uint64_t room, std::vector<Piece>& pieces) {
  uint64_t ends = wanted.size() == 0 ? room * 3 / 4 : room / 4;
  uint64_t tail = wanted.size() == 0 ? room / 4 : room / 8;
  uint64_t around = wanted.size() == 0 ? 0 : room - ends - tail;
  std::vector<Span> parts = {{line.begin, std::min(line.end, line.begin + ends)},
                             {line.end - std::min(line.size(), tail), line.end}};
  if (around > 0) {
    Span middle = wanted;
    if (wanted.size() > around) middle.end = middle.begin + around;
    const uint64_t slack = (around - middle.size()) / 2;
    parts.push_back(
        {middle.begin - std::min(slack, middle.begin - line.begin), std::min(line.end, middle.end + slack)});
  }
  for (Span further : FurtherSignals(document, line, parts)) parts.push_back(further);
  std::sort(parts.begin(), parts.end(), [](Span a, Span b) { return a.begin < b.begin; });
  uint64_t at = line.begin;
  bool first = true;
  for (Span part : parts) {
    part.begin = std::max(at, Utf8FloorBoundary(document.bytes, part.begin));
    part.end = part.end == line.end ? line.end : Utf8FloorBoundary(document.bytes, part.end);
    if (part.begin <= at + kGapBytes) part.begin = at;
    if (part.end <= part.begin) continue;
    if (line.end - part.end <= kGapBytes) part.end = line.end;
    if (part.begin > at) pieces.push_back(GapOfBytes({at, part.begin}));
    Piece quote = Quote(part);
    quote.glued = !first;
    pieces.push_back(quote);
    first = false;
    at = part.end;
    if (at == line.end) return;
  }
}

}  // namespace pith
