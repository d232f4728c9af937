// Which lines of an original: a bit a line, 64 of them at once where runs are looked for.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pith {

class LineSet {
 public:
  explicit LineSet(uint32_t count = 0) : count_(count), words_((count + 63ull) / 64) {}

  uint32_t count() const { return count_; }  // of all lines, in the set or not
  bool operator[](uint32_t line) const { return (words_[line / 64] >> (line % 64) & 1) != 0; }
  void Add(uint32_t line) { words_[line / 64] |= uint64_t{1} << (line % 64); }
  // Lines first..end-1.
  void Add(uint32_t first, uint32_t end) {
    for (uint32_t line = first; line < end; ++line) Add(line);
  }
  // Lines 64 * word to 64 * word + 63, from the lowest bit on; those that there are not must not be set.
  void AddWord(uint32_t word, uint64_t lines) { words_[word] |= lines; }

  // The first line from `line` on that is in the set, or that is not; count() if there is none.
  uint32_t NextIn(uint32_t line) const { return Next(line, count_, 0); }
  uint32_t NextOut(uint32_t line) const { return Next(line, count_, ~uint64_t{0}); }
  // The same before `end`; `end` if there is none.
  uint32_t NextIn(uint32_t line, uint32_t end) const { return Next(line, end, 0); }

 private:
  uint32_t Next(uint32_t line, uint32_t end, uint64_t flipped) const {
    if (line >= end) return end;
    size_t word = line / 64;
    uint64_t bits = (words_[word] ^ flipped) & (~uint64_t{0} << (line % 64));
    while (bits == 0 && ++word * 64 < end) bits = words_[word] ^ flipped;
    if (bits == 0) return end;
    return std::min(end, static_cast<uint32_t>(word * 64 + static_cast<size_t>(std::countr_zero(bits))));
  }

  uint32_t count_;
  std::vector<uint64_t> words_;
};

}  // namespace pith
