// Escape sequences are left out first; one pass over what is left finds the lines, a second, over each line, what
// shared rules see in it.
#include "compact/document.h"

#include <algorithm>
#include <bit>

#include "base/aside.h"
#include "base/utf8.h"
#include "compact/blocks.h"
#include "compact/display.h"

namespace pith {
namespace {

// A line longer than this (minified JSON, a dump) almost surely names an error somewhere: it is taken for one that must
// be seen, unread; where it is shown, it is cut around what SignalWithin finds.
constexpr uint64_t kTooLongToRead = 1 << 20;

constexpr uint64_t kWorthAThread = 512 << 10;  // bytes

// What a text as tools print it has none of, or next to none.
struct Odd {
  size_t nuls = 0;      // one by one they part names (find -print0, git -z)
  size_t padding = 0;   // NULs that follow one
  size_t controls = 0;  // but for colours, backspaces, form feeds
  size_t foreign = 0;   // bytes that are no UTF-8
};

Odd OddOf(std::string_view head) {
  Odd odd;
  for (size_t at = 0; at < head.size();) {
    const auto byte = static_cast<uint8_t>(head[at]);
    if (byte == 0) {
      ++odd.nuls;
      odd.padding += at > 0 && head[at - 1] == '\0';
    } else if (byte < 0x20) {
      odd.controls += byte != '\n' && byte != '\r' && byte != '\t' && byte != 0x1b && byte != '\b' && byte != '\f';
    } else if (byte >= 0x80) {
      const size_t length = Utf8SequenceLength(head, at);
      odd.foreign += length == 0;
      at += std::max<size_t>(length, 1);
      continue;
    }
    ++at;
  }
  return odd;
}

bool LooksBinary(std::string_view bytes) {
  constexpr size_t kLooked = 1 << 16;
  constexpr size_t kFewControls = 10, kFewBesideNul = 100, kShortestName = 3;  // one in so many bytes
  const std::string_view head = bytes.substr(0, kLooked);
  const Odd odd = OddOf(head);
  if (odd.controls * kFewControls > head.size()) return true;
  if (odd.nuls == 0) return false;  // in another character set, perhaps
  const bool names = odd.padding + odd.controls + odd.foreign == 0 && odd.nuls * kShortestName <= head.size();
  return !names && (odd.nuls + odd.controls + odd.foreign) * kFewBesideNul > head.size();
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

Document::Document(std::string_view original, const Hints& given, bool with_signals)
    : binary(LooksBinary(original)),
      plain(original, !binary),
      bytes(plain.text()),
      hints(given),
      command(ParseCommand(given.command, given.rules)) {
  Aside display(bytes.size() >= kWorthAThread, [this] { needs_display = NeedsDisplay(bytes); });
  lines = LineIndex(bytes);
  display.Wait();
  signals.resize(lines.count());
  if (with_signals) ReadSignals();
}

void Document::ReadSignals() {
  if (binary) return;
  if (lines.longest() > kTooLongToRead) {
    for (uint32_t line = 0; line < lines.count(); ++line) {
      signals[line] = lines.Line(line).size() > kTooLongToRead ? Signal::kError : SignalOf(Text(line));
    }
    return;
  }
  const uint32_t half = lines.LineAt(bytes.size() / 2);
  Aside rest(bytes.size() >= kWorthAThread,
             [this, half] { SignalsOf(bytes, lines.starts().subspan(half), std::span(signals).subspan(half)); });
  SignalsOf(bytes, lines.starts().first(half + 1), std::span(signals).first(half));
  rest.Wait();
}

Address Document::InOriginal(const Address& address) const {
  if (address.form != Address::Form::kBytes || !plain.differs()) return address;
  const Span span = plain.InOriginal({address.first, address.first + address.last});
  return {address.form, span.begin, span.size(), {}};
}

std::string_view Document::Displayed(uint32_t line, std::string& scratch) const {
  scratch.clear();
  AppendDisplayed(Text(line), scratch);
  return scratch;
}

}  // namespace pith
