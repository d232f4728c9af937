// An original without its escape sequences, line for line the same: what every kind reads, so that coloured output
// gives the view that plain output would. An escape sequence never holds a newline. One that takes the cursor to the
// first column reads as the carriage return that it is.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compact/span.h"

namespace pith {

class PlainText {
 public:
  // Borrows `original` (up to 4 GiB - 1) and copies it only where it has escape sequences. `strip` false: the text is
  // the original whatever it holds, for bytes that are none.
  explicit PlainText(std::string_view original, bool strip = true);
  PlainText(const PlainText&) = delete;  // the text may lie in the object
  PlainText& operator=(const PlainText&) = delete;

  std::string_view original() const { return original_; }
  std::string_view text() const { return differs_ ? std::string_view(stripped_) : original_; }
  bool differs() const { return differs_; }

  // Where in the original the byte at `offset` of the text stands; for the text's size the original's.
  uint64_t InOriginal(uint64_t offset) const;
  // From the first byte of a span of the text to its last, with the escape sequences between them.
  Span InOriginal(Span span) const;

 private:
  std::string_view original_;
  std::string stripped_;
  std::vector<uint32_t> marks_;  // where each kMarked-th byte of the text stands in the original
  bool differs_ = false;
};

}  // namespace pith
