// Originals for the invariants: generated ones of every shape that breaks compactors, and the real ones under
// tests/data. Deterministic: one seed, one set.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace pith::test {

struct Original {
  std::string name;
  std::string bytes;
};

// xorshift64*: small, fast, the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}
  uint64_t Next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1Dull;
  }
  uint64_t Below(uint64_t bound) { return Next() % bound; }
  bool OneIn(uint64_t n) { return Below(n) == 0; }
  template <typename Container>
  const typename Container::value_type& Of(const Container& from) {
    return from[Below(from.size())];
  }

 private:
  uint64_t state_;
};

// Shapes named in the design: random bytes, invalid UTF-8, NUL, CRLF, lone CR, BOM, no final newline, empty, colours
// and cursor movement, progress bars; each some KiB.
std::vector<Original> HardOriginals();

// One line of `megabytes`, a million empty lines, a million equal lines, 10^5 opening brackets: for linear time.
std::vector<Original> LargeOriginals(uint64_t megabytes);

// What each kind is made for, by generators with noise around: logs, test runs, builds, searches, diffs, JSON,
// tables...
std::vector<Original> TypicalOriginals(uint64_t seed, uint64_t lines);

// Files under tests/data, largest first cut at `most` bytes each.
std::vector<Original> ShippedOriginals(uint64_t most);

// A copy with lines dropped, doubled, swapped and bytes flipped.
std::string Mutate(const std::string& bytes, Random& random);

}  // namespace pith::test
