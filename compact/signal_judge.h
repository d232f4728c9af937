// Between signal_scan.cc, which finds the places in a line where a word of signal_words.h may stand, and signals.cc,
// which judges the word by what stands around it. No allocation anywhere; offsets are bytes of `line`.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compact/characters.h"
#include "compact/signal_words.h"

namespace pith {
namespace ascii {

// Three bytes in one number, the same for letters of either case; other bytes may fall together.
constexpr uint32_t FirstThree(char first, char second, char third) {
  const auto byte = [](char c) { return static_cast<uint32_t>(static_cast<unsigned char>(c) | 0x20); };
  return byte(first) | byte(second) << 8 | byte(third) << 16;
}
}  // namespace ascii

// What the word that starts at `at` (< line.size()) says, judged with all that stands around it in its line.
Signal SignalOfWordAt(std::string_view line, size_t at);

bool IsZeroAt(std::string_view line, size_t at);

// Some ASCII characters, as bits.
class CharSet {
 public:
  consteval explicit(false) CharSet(const char* characters) {
    for (; *characters != '\0'; ++characters) {
      const auto c = static_cast<unsigned char>(*characters);
      bits_[c / 64] |= uint64_t{1} << (c % 64);
    }
  }
  constexpr bool Has(char character) const {
    const auto c = static_cast<unsigned char>(character);
    return c < 128 && (bits_[c / 64] >> (c % 64) & 1) != 0;
  }

 private:
  uint64_t bits_[2] = {};
};

// Where, from `at` on, a character stands that is not of the set; the size if none does.
inline size_t SkipAny(std::string_view line, size_t at, CharSet set) {
  while (at < line.size() && set.Has(line[at])) ++at;
  return at;
}

// The number of at most six digits that is a word at `at`; -1 if there is none.
int NumberAt(std::string_view line, size_t at);
bool AfterWrittenEscape(std::string_view line, size_t at);

}  // namespace pith
