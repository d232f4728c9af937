// One pass over the bytes finds the lines; a second, over each line, what shared rules see in it. Everything later
// speaks in lines and bytes of the original.
#include "compact/document.h"

#include <algorithm>
#include <bit>

#include "base/utf8.h"
#include "compact/blocks.h"
#include "compact/display.h"

namespace pith {
namespace {

// A line longer than this (minified JSON, a dump) almost surely names an error somewhere: it is taken for one that must
// be seen, unread; where it is shown, it is cut around what SignalWithin finds.
constexpr uint64_t kTooLongToRead = 1 << 20;

constexpr size_t kBytesOfNul = 1000;  // text with at most one NUL in so many bytes is text still

// Text as tools print it has next to no NUL, and is text around it. Other control bytes are allowed to some extent:
// colours, bells, form feeds.
bool LooksBinary(std::string_view bytes) {
  std::string_view head = bytes.substr(0, 1 << 16);
  const auto nuls = static_cast<size_t>(std::count(head.begin(), head.end(), '\0'));
  if (nuls * kBytesOfNul > head.size()) return true;
  if (nuls > 0 && !IsUtf8(head.substr(0, head.rfind('\n') + 1))) return true;
  size_t control = 0;
  for (char c : head) {
    uint8_t b = static_cast<uint8_t>(c);
    control += b < 0x20 && b != '\n' && b != '\r' && b != '\t' && b != 0x1b && b != '\b' && b != '\f';
  }
  return control * 10 > head.size();
}

}  // namespace

LineIndex::LineIndex(std::string_view bytes) {
  constexpr size_t kStep = 1 << 14;                // lines that room is made for at once
  starts_.reserve(bytes.size() / 8 + 2 + kBlock);  // room that is not used is never touched
  starts_.push_back(0);
  size_t filled = 1;
  for (size_t at = 0; at < bytes.size(); at += kBlock) {
    uint64_t newlines = EqualAt(bytes, at, '\n');
    if (starts_.size() < filled + kBlock) starts_.resize(filled + kStep);
    for (uint32_t* next = starts_.data() + filled; newlines != 0; newlines &= newlines - 1) {
      *next++ = static_cast<uint32_t>(at) + static_cast<uint32_t>(std::countr_zero(newlines)) + 1;
      ++filled;
    }
  }
  starts_.resize(filled);
  if (starts_.back() < bytes.size()) starts_.push_back(static_cast<uint32_t>(bytes.size()));
  for (size_t line = 1; line < starts_.size(); ++line) longest_ = std::max(longest_, starts_[line] - starts_[line - 1]);
}

uint32_t LineIndex::LineNear(uint64_t offset, uint32_t near) const {
  for (uint32_t line = near; line < std::min(near + 4, count()); ++line) {
    if (starts_[line] <= offset && offset < starts_[line + 1]) return line;
  }
  return LineAt(offset);
}

uint32_t LineIndex::LineAt(uint64_t offset) const {
  auto after = std::upper_bound(starts_.begin(), starts_.end() - 1, offset);
  return after == starts_.begin() ? 0 : static_cast<uint32_t>(after - starts_.begin() - 1);
}

Document::Document(std::string_view all, const Hints& given)
    : bytes(all), hints(given), command(ParseCommand(given.command, given.rules)), lines(all) {
  binary = LooksBinary(bytes);
  needs_display = NeedsDisplay(bytes);
  signals.resize(lines.count());
  if (binary) return;
  if (lines.longest() <= kTooLongToRead) {
    SignalsOf(bytes, lines.starts(), signals);
    return;
  }
  for (uint32_t line = 0; line < lines.count(); ++line) {
    signals[line] = lines.Line(line).size() > kTooLongToRead ? Signal::kError : SignalOf(Text(line));
  }
}

std::string_view Document::Displayed(uint32_t line, std::string& scratch) const {
  scratch.clear();
  AppendDisplayed(Text(line), scratch);
  return scratch;
}

}  // namespace pith
