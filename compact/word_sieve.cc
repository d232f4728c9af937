// Two sieves, one behind the other. The first marks, for a block of 64 bytes, where a letter begins a word. The second
// asks of each such place whether some word of the table has these first three letters and this fourth and fifth: rows
// of bits found by a hash of the three. Less than one word in a hundred passes.
//
// Machines with 32-byte vectors put a third sieve before the second: a set of words for each of the first four bytes,
// looked up by halves of the byte (shuffles as tables of 16), and joined; it takes all 64 places at once. The words are
// in eight groups, a bit each; so only a byte that no word of a group has at this place clears the group's bit. The
// idea is known as Teddy, from Hyperscan's matcher of short literals. Machines that look up 64 bytes at once in a table
// of 128 do the same with whole bytes, both cases of a letter in the table.
#include "compact/word_sieve.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "compact/blocks.h"
#include "compact/signal_judge.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pith {
namespace {

using namespace ascii;

// For the first three letters of words, by a hash (what falls together passes), which fourth and which fifth byte some
// word has there: a bit for its lower five bits, which are the same in capitals and small letters.
struct Next {
  uint32_t fourth = 0, fifth = 0;
};
constexpr size_t RowOf(uint32_t first_three) { return (first_three * 0x9e3779b1u) >> 20; }
constexpr uint32_t LowFive(char c) { return static_cast<unsigned char>(c) & 31; }
constexpr std::array<Next, 1 << 12> MakeNexts() {
  std::array<Next, 1 << 12> nexts{};
  for (const SignalWord& row : kSignalWords) {
    Next& next = nexts[RowOf(FirstThree(row.word[0], row.word[1], row.word[2]))];
    next.fourth |= row.word.size() > 3 ? 1u << LowFive(row.word[3]) : ~0u;
    next.fifth |= row.word.size() > 4 ? 1u << LowFive(row.word[4]) : ~0u;
  }
  return nexts;
}
constexpr std::array<Next, 1 << 12> kNexts = MakeNexts();

// What a block is looked at with behind it: the letters of a word that starts at its last byte.
constexpr size_t kBehind = 4;

// Whether the five letters at `letters` may be those of a word.
inline bool MayBeWord(const char* letters) {
  uint32_t first_three = FirstThree(letters[0], letters[1], letters[2]);
  if constexpr (std::endian::native == std::endian::little) {  // the same, in one read
    std::memcpy(&first_three, letters, sizeof first_three);
    first_three = (first_three | 0x202020) & 0xffffff;
  }
  const Next& next = kNexts[RowOf(first_three)];
  return ((next.fourth >> LowFive(letters[3])) & (next.fifth >> LowFive(letters[4])) & 1) != 0;
}

// What of a block of 64 bytes decides where words begin, bit i for byte i.
struct Classes {
  uint64_t letter = 0, small = 0, digit = 0, underscore = 0, backslash = 0;
};

// `before` and `earlier`: the two bytes before the block.
uint64_t WordStarts(const Classes& of, char before, char earlier) {
  const uint64_t upper = of.letter & ~of.small;
  const uint64_t previous_small =
      ((of.small | of.digit) << 1) | static_cast<uint64_t>(IsLower(before) || IsDigit(before));
  const uint64_t previous_word = ((of.letter | of.digit | of.underscore) << 1) | static_cast<uint64_t>(IsWord(before));
  const uint64_t two_before =
      (of.backslash << 2) | (static_cast<uint64_t>(before == '\\') << 1) | static_cast<uint64_t>(earlier == '\\');
  return of.letter & (~previous_word | (upper & previous_small) | two_before);
}

#if defined(__SSE2__)
// Bytes of `block` in [low, low + count), as a mask.
uint64_t InRange(__m128i block, char low, int count) {
  const __m128i shifted = _mm_sub_epi8(block, _mm_set1_epi8(static_cast<char>(low + 128)));
  return static_cast<uint32_t>(
      _mm_movemask_epi8(_mm_cmplt_epi8(shifted, _mm_set1_epi8(static_cast<char>(count - 128)))));
}

Classes ClassesOf(const char* bytes) {
  Classes of;
  for (unsigned part = 0; part < kBlock; part += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + part));
    of.letter |= InRange(_mm_or_si128(block, _mm_set1_epi8(0x20)), 'a', 26) << part;
    of.small |= InRange(block, 'a', 26) << part;
    of.digit |= InRange(block, '0', 10) << part;
  }
  of.underscore = EqualInBlock(bytes, '_');
  of.backslash = EqualInBlock(bytes, '\\');
  return of;
}
#else
Classes ClassesOf(const char* bytes) {
  Classes of;
  for (size_t i = 0; i < kBlock; ++i) {
    const auto bit = [i](bool set) { return static_cast<uint64_t>(set) << i; };
    of.letter |= bit(IsLetter(bytes[i]));
    of.small |= bit(IsLower(bytes[i]));
    of.digit |= bit(IsDigit(bytes[i]));
    of.underscore |= bit(bytes[i] == '_');
    of.backslash |= bit(bytes[i] == '\\');
  }
  return of;
}
#endif

// The places of one block that pass the last sieve. `letters`: the block's bytes with kBehind more behind them; `at`:
// where it stands. No branch hangs on what the letters are.
inline size_t Keep(uint64_t starts, const char* letters, size_t at, uint32_t* places) {
  size_t count = 0;
  for (; starts != 0; starts &= starts - 1) {
    const auto place = static_cast<size_t>(std::countr_zero(starts));
    places[count] = static_cast<uint32_t>(at + place);
    count += MayBeWord(letters + place);
  }
  return count;
}

char ByteBefore(std::string_view text, size_t at, size_t back) { return at >= back ? text[at - back] : '\0'; }

// The blocks from `begin` on that the text may end in, or that `end` cuts.
size_t SiftRest(std::string_view text, size_t begin, size_t end, uint32_t* places) {
  size_t count = 0;
  for (size_t at = begin; at < end; at += kBlock) {
    std::array<char, kBlock + kBehind> rest{};
    std::memcpy(rest.data(), text.data() + at, std::min(rest.size(), text.size() - at));
    uint64_t starts = WordStarts(ClassesOf(rest.data()), ByteBefore(text, at, 1), ByteBefore(text, at, 2));
    if (end - at < kBlock) starts &= (uint64_t{1} << (end - at)) - 1;
    count += Keep(starts, rest.data(), at, places + count);
  }
  return count;
}

#if defined(__x86_64__)
#define PITH_AVX2 __attribute__((target("avx2,bmi")))

// What a byte is, by its lower and its upper four bits: bits that both tables have for it.
enum ByteClass : uint8_t {
  kUpper = 1 | 2,  // A to O, P to Z
  kLower = 4 | 8,  // a to o, p to z
  kDigit = 16,
  kUnderscore = 32,
};
struct Halves {
  std::array<uint8_t, 16> low{}, high{};
  constexpr void Add(unsigned byte, unsigned bits) {
    low[byte & 15u] |= static_cast<uint8_t>(bits);
    high[byte >> 4] |= static_cast<uint8_t>(bits);
  }
};
constexpr Halves MakeClasses() {
  Halves classes;
  for (unsigned byte = 'A'; byte <= 'Z'; ++byte) classes.Add(byte, byte < 'P' ? 1 : 2);
  for (unsigned byte = 'a'; byte <= 'z'; ++byte) classes.Add(byte, byte < 'p' ? 4 : 8);
  for (unsigned byte = '0'; byte <= '9'; ++byte) classes.Add(byte, kDigit);
  classes.Add('_', kUnderscore);
  return classes;
}
alignas(16) constexpr Halves kClasses = MakeClasses();

constexpr unsigned kShortWords = 0x80;  // the group of words of three letters, which have any fourth

// The group of a row, as a bit. The rows are sorted, so that a group has few first letters.
constexpr unsigned GroupOf(size_t row) {
  return kSignalWords[row].word.size() < 4 ? kShortWords : 1u << (row * 7 / kSignalWords.size());
}

// For each of the first four bytes of a word, in small letters, the groups that have it.
constexpr std::array<Halves, 4> MakeGroups() {
  std::array<Halves, 4> groups;
  for (size_t row = 0; row < kSignalWords.size(); ++row) {
    const std::string_view word = kSignalWords[row].word;
    for (size_t i = 0; i < 4; ++i) {
      for (unsigned byte = 0; byte < 128; ++byte) {
        if (i >= word.size() || byte == (static_cast<unsigned char>(word[i]) | 0x20u))
          groups[i].Add(byte, GroupOf(row));
      }
    }
  }
  return groups;
}
alignas(16) constexpr std::array<Halves, 4> kGroups = MakeGroups();

struct WideHalves {
  __m256i low, high;
};

PITH_AVX2 inline __m256i Twice(const std::array<uint8_t, 16>& table) {
  return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(table.data())));
}

PITH_AVX2 inline WideHalves Widen(const Halves& halves) { return {Twice(halves.low), Twice(halves.high)}; }

PITH_AVX2 inline __m256i Load(const char* bytes) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)); }

// What the tables have for each byte; nothing for bytes above 0x7f, which a shuffle answers with 0.
PITH_AVX2 inline __m256i Look(const WideHalves& halves, __m256i bytes) {
  const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
  return _mm256_and_si256(_mm256_shuffle_epi8(halves.low, bytes), _mm256_shuffle_epi8(halves.high, upper));
}

// 0xff for each byte that has none of `bits`.
PITH_AVX2 inline __m256i Lacks(__m256i bytes, int bits) {
  const __m256i found = _mm256_and_si256(bytes, _mm256_set1_epi8(static_cast<char>(bits)));
  return _mm256_cmpeq_epi8(found, _mm256_setzero_si256());
}

// The groups of words whose first four bytes may be these and the next three, of 32 bytes.
PITH_AVX2 inline __m256i GroupsAt(const std::array<WideHalves, 4>& groups, const char* bytes) {
  const __m256i fold = _mm256_set1_epi8(0x20), fourth = _mm256_or_si256(Load(bytes + 3), fold);
  const __m256i any_fourth = _mm256_and_si256(fourth, _mm256_set1_epi8(static_cast<char>(kShortWords)));
  return _mm256_and_si256(_mm256_and_si256(Look(groups[0], _mm256_or_si256(Load(bytes), fold)),
                                           Look(groups[1], _mm256_or_si256(Load(bytes + 1), fold))),
                          _mm256_and_si256(Look(groups[2], _mm256_or_si256(Load(bytes + 2), fold)),
                                           _mm256_or_si256(Look(groups[3], fourth), any_fourth)));
}

// Of 32 bytes, those where a letter begins a word, by the two bytes before each.
PITH_AVX2 inline __m256i WordStarts(const WideHalves& classes, const char* bytes) {
  const __m256i here = Look(classes, Load(bytes)), before = Look(classes, Load(bytes - 1));
  const __m256i escaped = _mm256_cmpeq_epi8(Load(bytes - 2), _mm256_set1_epi8('\\'));
  const __m256i apart = _mm256_or_si256(escaped, Lacks(before, kUpper | kLower | kDigit | kUnderscore));
  const __m256i no_capital_inside = _mm256_or_si256(Lacks(here, kUpper), Lacks(before, kLower | kDigit));
  const __m256i inside = _mm256_andnot_si256(apart, no_capital_inside);
  return _mm256_andnot_si256(_mm256_or_si256(inside, Lacks(here, kUpper | kLower)), _mm256_set1_epi8(-1));
}

// Blocks that have two bytes before them and kBehind behind: from the second of a text on.
PITH_AVX2 size_t SiftWide(std::string_view text, size_t begin, size_t end, uint32_t* places) {
  const WideHalves classes = Widen(kClasses);
  const std::array<WideHalves, 4> groups = {Widen(kGroups[0]), Widen(kGroups[1]), Widen(kGroups[2]), Widen(kGroups[3])};
  size_t count = 0, at = begin;
  if (at < 2) {
    at = std::min(end, at + kBlock);
    count = SiftRest(text, begin, at, places);
  }
  for (; at < end && at + kBlock + kBehind <= text.size(); at += kBlock) {
    const size_t size = std::min(kBlock, end - at);
    uint64_t starts = 0;
    for (unsigned part = 0; part < size; part += 32) {
      const char* bytes = text.data() + at + part;
      const __m256i none = _mm256_cmpeq_epi8(GroupsAt(groups, bytes), _mm256_setzero_si256());
      const __m256i found = _mm256_andnot_si256(none, WordStarts(classes, bytes));
      starts |= static_cast<uint64_t>(static_cast<uint32_t>(_mm256_movemask_epi8(found))) << part;
    }
    if (size < kBlock) starts &= (uint64_t{1} << size) - 1;
    count += Keep(starts, text.data() + at, at, places + count);
  }
  return at < end ? count + SiftRest(text, at, end, places + count) : count;
}

#define PITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi,bmi")))

using ByteTable = std::array<uint8_t, 128>;

// What a byte is, as bits of ByteClass; for each of the first four bytes of a word, in either case, its groups.
constexpr ByteTable MakeClassTable() {
  ByteTable table{};
  for (unsigned byte = 0; byte < 128; ++byte) table[byte] = kClasses.low[byte & 15u] & kClasses.high[byte >> 4];
  return table;
}
constexpr std::array<ByteTable, 4> MakeGroupTables() {
  std::array<ByteTable, 4> tables{};
  tables[3].fill(kShortWords);
  for (size_t row = 0; row < kSignalWords.size(); ++row) {
    const std::string_view word = kSignalWords[row].word;
    for (size_t i = 0; i < std::min<size_t>(4, word.size()); ++i) {
      const auto byte = static_cast<unsigned char>(word[i]);
      tables[i][byte] |= static_cast<uint8_t>(GroupOf(row));
      if (IsLower(word[i])) tables[i][byte - 0x20u] |= static_cast<uint8_t>(GroupOf(row));
    }
  }
  return tables;
}
alignas(64) constexpr ByteTable kClassTable = MakeClassTable();
alignas(64) constexpr std::array<ByteTable, 4> kGroupTables = MakeGroupTables();

PITH_AVX512 inline __m512i LoadWidest(const void* bytes) { return _mm512_loadu_si512(bytes); }

// What the table has for each byte, by its lower seven bits.
PITH_AVX512 inline __m512i LookWidest(const ByteTable& table, __m512i bytes) {
  return _mm512_permutex2var_epi8(LoadWidest(table.data()), bytes, LoadWidest(table.data() + 64));
}

PITH_AVX512 inline __mmask64 Has(__m512i classes, int bits) {
  return _mm512_test_epi8_mask(classes, _mm512_set1_epi8(static_cast<char>(bits)));
}

// Blocks that have two bytes before them and kBehind behind.
PITH_AVX512 size_t SiftWidest(std::string_view text, size_t begin, size_t end, uint32_t* places) {
  size_t count = 0, at = begin;
  if (at < 2) {
    at = std::min(end, at + kBlock);
    count = SiftRest(text, begin, at, places);
  }
  for (; at < end && at + kBlock + kBehind <= text.size(); at += kBlock) {
    const char* bytes = text.data() + at;
    const __m512i block = LoadWidest(bytes), earlier = LoadWidest(bytes - 1);
    const __m512i here = LookWidest(kClassTable, block), before = LookWidest(kClassTable, earlier);
    const __mmask64 ascii_before = ~_mm512_movepi8_mask(earlier);
    const __mmask64 letter = Has(here, kUpper | kLower) & ~_mm512_movepi8_mask(block);
    const __mmask64 inside = Has(before, kUpper | kLower | kDigit | kUnderscore) & ascii_before;
    const __mmask64 capital_inside = Has(here, kUpper) & Has(before, kLower | kDigit) & ascii_before;
    const __mmask64 escaped = _mm512_cmpeq_epi8_mask(LoadWidest(bytes - 2), _mm512_set1_epi8('\\'));
    const __m512i groups = _mm512_and_si512(
        _mm512_and_si512(LookWidest(kGroupTables[0], block), LookWidest(kGroupTables[1], LoadWidest(bytes + 1))),
        _mm512_and_si512(LookWidest(kGroupTables[2], LoadWidest(bytes + 2)),
                         LookWidest(kGroupTables[3], LoadWidest(bytes + 3))));
    uint64_t starts = letter & (~inside | capital_inside | escaped) & _mm512_test_epi8_mask(groups, groups);
    if (end - at < kBlock) starts &= (uint64_t{1} << (end - at)) - 1;
    count += Keep(starts, bytes, at, places + count);
  }
  return at < end ? count + SiftRest(text, at, end, places + count) : count;
}

bool HasWide() { return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("avx2"); }
bool HasWidest() { return HasWide() && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi"); }
#endif

}  // namespace

size_t SiftWordsPlainly(std::string_view text, size_t begin, size_t end, uint32_t* places) {
  size_t count = 0, at = begin;
  for (; at + kBlock <= end && at + kBlock + kBehind <= text.size(); at += kBlock) {
    const char* bytes = text.data() + at;
    const uint64_t starts = WordStarts(ClassesOf(bytes), ByteBefore(text, at, 1), ByteBefore(text, at, 2));
    count += Keep(starts, bytes, at, places + count);
  }
  return count + SiftRest(text, at, end, places + count);
}

std::vector<WordSieve> WordSievesHere() {
  std::vector<WordSieve> sieves = {SiftWordsPlainly};
#if defined(__x86_64__)
  if (HasWide()) sieves.push_back(SiftWide);
  if (HasWidest()) sieves.push_back(SiftWidest);
#endif
  return sieves;
}

size_t SiftWords(std::string_view text, size_t begin, size_t end, uint32_t* places) {
#if defined(__x86_64__)
  static const WordSieve widest = WordSievesHere().back();
  return widest(text, begin, end, places);
#else
  return SiftWordsPlainly(text, begin, end, places);
#endif
}

}  // namespace pith
