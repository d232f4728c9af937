// An original as every kind sees it: its bytes, its lines, what is known of it. Borrowed and immutable.
//
// Bytes and spans are those of the plain text (plain_text.h), which are the original's own wherever it has no escape
// sequences; only an address of bytes that a reader sees counts in the original. Lines are the same in both.
// Lines are 0-based inside the program and 1-based in everything a reader sees. A line ends at LF; a final line without
// LF counts; an empty original has no lines. A lone CR ends no line (display rules resolve it, see display.h).
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "compact/begins.h"
#include "compact/command/command.h"
#include "compact/compact.h"
#include "compact/plain_text.h"
#include "compact/signals.h"
#include "compact/span.h"

namespace pith {

// One pass over the bytes. 4 bytes a line; originals up to 4 GiB - 1.
class LineIndex {
 public:
  LineIndex() : starts_{0} {}
  explicit LineIndex(std::string_view bytes);

  uint32_t count() const { return static_cast<uint32_t>(starts_.size() - 1); }
  uint64_t longest() const { return longest_; }  // bytes, newline included
  // Bytes of lines first..last (0-based, inclusive), with their newlines.
  Span Lines(uint32_t first, uint32_t last) const { return {starts_[first], starts_[last + 1]}; }
  Span Line(uint32_t line) const { return Lines(line, line); }
  // Start of each line, then the size.
  std::span<const uint32_t> starts() const { return starts_; }
  // The line that holds byte `offset` (< size); the last line for offset == size.
  uint32_t LineAt(uint64_t offset) const;
  // The same, found at once if it is `near` or one of the next three: for visits in order.
  uint32_t LineNear(uint64_t offset, uint32_t near) const;

 private:
  std::vector<uint32_t> starts_;  // start of each line, then the size
  uint32_t longest_ = 0;
};

class Document {
 public:
  // `with_signals` false: they are all none until ReadSignals.
  Document(std::string_view original, const Hints& hints, bool with_signals = true);

  // Reads what the shared rules see in each line, on two threads where that is worth it.
  void ReadSignals();

  bool binary = false;  // NUL bytes or mostly not text
  PlainText plain;
  std::string_view bytes;  // plain.text()
  const Hints& hints;
  Command command;  // of hints.command, normalised
  LineIndex lines;
  std::vector<Signal> signals;  // one a line: what the shared rules see in it
  bool needs_display = false;   // display rules change something in `bytes` (CR, NUL, invalid UTF-8)

  uint32_t line_count() const { return lines.count(); }
  std::string_view Bytes(Span span) const { return {bytes.data() + span.begin, span.size()}; }
  // Text of a line without its LF and a CR before it.
  std::string_view Text(uint32_t line) const { return WithoutLineEnd(Bytes(lines.Line(line))); }
  // The same as a reader sees it: carriage returns resolved. In `scratch` where that differs from the bytes.
  std::string_view Plain(uint32_t line, std::string& scratch) const {
    return needs_display ? Displayed(line, scratch) : Text(line);
  }
  // An address of this document as a reader of the original uses it.
  Address InOriginal(const Address& address) const;

 private:
  std::string_view Displayed(uint32_t line, std::string& scratch) const;
};

}  // namespace pith
