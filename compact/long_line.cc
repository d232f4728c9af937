// A long line is shown around what matters in it: its head says what it is, the stretch around its signal or match says
// why it was kept, its tail how it ends. What is left out is addressed in bytes, so that it can be fetched alone.
#include <algorithm>

#include "base/utf8.h"
#include "compact/shaper.h"

namespace pith {
namespace {

constexpr uint64_t kWindow = 4096;  // bytes looked at together when a signal is searched in a line
constexpr uint64_t kGapBytes = 32;  // "[bytes 123456+7890 omitted]": smaller holes are not worth a gap

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

void ShortenLine(const Document& document, Span line, Span wanted, uint64_t room, std::vector<Piece>& pieces) {
  uint64_t ends = wanted.size() == 0 ? room * 3 / 4 : room / 4;
  uint64_t tail = wanted.size() == 0 ? room / 4 : room / 8;
  uint64_t around = wanted.size() == 0 ? 0 : room - ends - tail;
  Span head{line.begin, std::min(line.end, line.begin + ends)};
  Span last{line.end - std::min(line.size(), tail), line.end};
  Span middle = wanted;
  if (wanted.size() > around) middle.end = middle.begin + around;
  uint64_t slack = (around - middle.size()) / 2;
  if (around)
    middle = {middle.begin - std::min(slack, middle.begin - line.begin), std::min(line.end, middle.end + slack)};
  Span parts[] = {head, middle, last};
  uint64_t at = line.begin;
  bool first = true;
  for (size_t i = 0; i < 3; ++i) {
    Span part = parts[i];
    if (i == 1 && !around) continue;
    part.begin = Utf8FloorBoundary(document.bytes, part.begin);
    part.end = part.end == line.end ? line.end : Utf8FloorBoundary(document.bytes, part.end);
    if (part.begin <= at + kGapBytes) part.begin = at;
    if (part.end <= part.begin) continue;
    if (i < 2 && line.end - part.end <= kGapBytes) part.end = line.end;
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
