// The sieve before the words of signals: whatever the machine, never a word too few.
#include "compact/word_sieve.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "compact/signal_words.h"

namespace pith {
namespace {

bool WordStands(std::string_view text, size_t at) {
  return std::any_of(kSignalWords.begin(), kSignalWords.end(), [&](const SignalWord& row) {
    const std::string_view there = text.substr(at, row.word.size());
    return std::equal(there.begin(), there.end(), row.word.begin(), row.word.end(), [](char c, char lower) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c))) == lower;
    });
  });
}

// The places that `sift` gives where a word of the table does stand.
std::vector<uint32_t> WordsBy(WordSieve sift, std::string_view text, size_t step) {
  std::vector<uint32_t> all, places(kSieveBytes);
  for (size_t at = 0; at < text.size(); at += step) {
    const size_t count = sift(text, at, std::min(text.size(), at + step), places.data());
    std::copy_if(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count), std::back_inserter(all),
                 [&](uint32_t place) { return WordStands(text, place); });
  }
  return all;
}

// Words of the table, whole, cut and glued together, with what stands between words.
std::string RandomText(std::mt19937& random, size_t size) {
  constexpr std::string_view kBetween = " _-.:=/\\\"'\n\t09azAZ\x80\xc3\xff(";
  std::string text;
  while (text.size() < size) {
    std::string word(kSignalWords[random() % kSignalWords.size()].word);
    word.resize(random() % 3 == 0 ? random() % (word.size() + 1) : word.size());
    for (char& c : word) {
      if (random() % 4 == 0) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    text += word;
    for (size_t i = random() % 4; i > 0; --i) text += kBetween[random() % kBetween.size()];
    if (random() % 8 == 0) text += std::string("\\n\\t\\r\\x").substr(random() % 4 * 2, 2);
  }
  return text.substr(0, size);
}

}  // namespace

TEST_CASE("the sieve finds the same words with wide instructions and without, however the text is cut") {
  std::mt19937 random(20240611);
  for (size_t size = 0; size < 700; ++size) {
    const std::string text = RandomText(random, size);
    const std::vector<uint32_t> plain = WordsBy(SiftWordsPlainly, text, kSieveBytes);
    for (WordSieve sieve : WordSievesHere()) {
      CHECK(WordsBy(sieve, text, kSieveBytes) == plain);
      CHECK(WordsBy(sieve, text, 64) == plain);
      CHECK(WordsBy(sieve, text, 39) == plain);
    }
  }
  const std::string text = RandomText(random, 1 << 20);
  const std::vector<uint32_t> plain = WordsBy(SiftWordsPlainly, text, kSieveBytes);
  for (WordSieve sieve : WordSievesHere()) CHECK(WordsBy(sieve, text, kSieveBytes) == plain);
}

TEST_CASE("no word of the table falls through the sieve, in small letters or capitals, at any place of a block") {
  for (const SignalWord& row : kSignalWords) {
    std::string word(row.word), capitals = word;
    for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    for (size_t before = 0; before < 130; ++before) {
      const std::string blanks(before, ' ');
      for (const std::string& text : {blanks + word, blanks + capitals + " ", blanks + word + std::string(80, ' ')}) {
        const std::vector<uint32_t> places = WordsBy(SiftWords, text, kSieveBytes);
        CAPTURE(text);
        CHECK(std::count(places.begin(), places.end(), before) == 1);
      }
    }
  }
}

}  // namespace pith
