// Which frames are worth opening for a word.
//
// A Bloom filter over whole words cannot find `retry` inside `http_retry_policy2`, and one over split identifiers
// cannot find it in `httpretry`. Three-byte runs can, for the price of more elements; but their alphabet is small
// (letters and digits inside words only), so that a frame of 1 MiB of logs holds some 20,000 different ones: 250,000
// bits, which is 3 %, are then 8 % full with one hash each, and a word of seven letters is let through by chance once
// in 300,000 frames. A frame of 10 KB gets 2,400 bits for about 1,200 runs: the same word passes by chance once in 100,
// and looking costs 10 us. One hash, because at these loads a second would fill small filters and gain nothing in large
// ones.
#include "store/filter.h"

#include <algorithm>
#include <array>

#include "base/sha256.h"
#include "store/check.h"

namespace pith {
namespace {

constexpr size_t kSmallestFrame = 2048;       // below it a filter would be mostly check bytes
constexpr size_t kLargestFilter = 31 * 1024;  // 3 % of 1 MiB

// 0 for what stands between words, else the byte with ASCII letters lower-cased.
constexpr std::array<unsigned char, 256> MakeFold() {
  std::array<unsigned char, 256> fold{};
  for (int c = '0'; c <= '9'; ++c) fold[static_cast<size_t>(c)] = static_cast<unsigned char>(c);
  for (int c = 'a'; c <= 'z'; ++c) {
    fold[static_cast<size_t>(c)] = static_cast<unsigned char>(c);
    fold[static_cast<size_t>(c - 'a' + 'A')] = static_cast<unsigned char>(c);
  }
  for (size_t c = 0x80; c < 0x100; ++c) fold[c] = static_cast<unsigned char>(c);
  return fold;
}
constexpr std::array<unsigned char, 256> kFold = MakeFold();

uint32_t HashOf(uint32_t run) { return run * 2654435761u; }

// Maps a hash to a bit without a division: the filter's size is any number of bits.
size_t BitOf(uint32_t hash, size_t bits) { return static_cast<size_t>((static_cast<uint64_t>(hash) * bits) >> 32); }

}  // namespace

std::string BuildFilter(std::string_view raw) {
  if (raw.size() < kSmallestFrame) return {};
  size_t bytes = std::min(raw.size() * 3 / 100 - kCheckBytes, kLargestFilter);
  std::string filter(bytes, '\0');
  size_t bits = bytes * 8;
  // Through a pointer of its own: a write through std::string might change the string, for all the compiler knows.
  auto* set = reinterpret_cast<unsigned char*>(filter.data());
  uint32_t run = 0;
  uint32_t in_word = 0;
  for (char c : raw) {
    uint32_t folded = kFold[static_cast<unsigned char>(c)];
    run = (run << 8 | folded) & 0xffffff;
    in_word = folded == 0 ? 0 : in_word + 1;
    if (in_word < 3) continue;
    size_t bit = BitOf(HashOf(run), bits);
    set[bit >> 3] = static_cast<unsigned char>(set[bit >> 3] | 1u << (bit & 7));
  }
  return filter + CheckBytesOf({filter});
}

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (size_t i = 0; i <= text.size(); ++i) {
    unsigned char folded = i < text.size() ? kFold[static_cast<unsigned char>(text[i])] : 0;
    if (folded != 0) {
      word.push_back(static_cast<char>(folded));
    } else if (!word.empty()) {
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
      word.clear();
    }
  }
  return words;
}

FilterQuery::FilterQuery(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    for (size_t i = 2; i < word.size(); ++i) {
      uint32_t run = 0;
      for (size_t j = i - 2; j <= i; ++j) run = run << 8 | static_cast<unsigned char>(word[j]);
      runs_.push_back(HashOf(run));
    }
  }
}

bool FilterQuery::MayMatch(std::string_view filter) const {
  if (filter.size() <= kCheckBytes) return true;
  std::string_view bits = filter.substr(0, filter.size() - kCheckBytes);
  for (uint32_t hash : runs_) {
    size_t bit = BitOf(hash, bits.size() * 8);
    if ((bits[bit >> 3] >> (bit & 7) & 1) == 0) return CheckBytesOf({bits}) != filter.substr(bits.size());
  }
  return true;
}

}  // namespace pith
