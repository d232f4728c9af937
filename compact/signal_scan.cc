// Where in a text a word of signal_words.h may stand. Each byte of each original passes through here, so the scan is in
// two steps: the bytes where a word starts are marked, 64 at a time; of each the first four letters are looked up in a
// table of bits. Only what passes both (about one word in a hundred) is judged, in its line, by signals.cc. Lines play
// no part before that, so short ones cost no more than long ones.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "compact/begins.h"
#include "compact/blocks.h"
#include "compact/escapes.h"
#include "compact/signal_judge.h"

namespace pith {
namespace {

using namespace ascii;

// For the first three letters of words, by a hash (what falls together passes), which fourth byte some word has there:
// a bit for its lower five bits, which are the same in capitals and small letters.
constexpr size_t RowOf(uint32_t first_three) { return (first_three * 0x9e3779b1u) >> 19; }
constexpr uint32_t FourthBit(char c) { return 1u << (static_cast<unsigned char>(c) & 31); }
constexpr std::array<uint32_t, 1 << 13> MakeFourths() {
  std::array<uint32_t, 1 << 13> fourths{};
  for (const SignalWord& row : kSignalWords) {
    const uint32_t bits = row.word.size() > 3 ? FourthBit(row.word[3]) : ~0u;
    fourths[RowOf(FirstThree(row.word[0], row.word[1], row.word[2]))] |= bits;
  }
  return fourths;
}
constexpr std::array<uint32_t, 1 << 13> kFourths = MakeFourths();

// What a block is looked at with behind it: the letters of a word that starts at its last byte.
constexpr size_t kBehind = 3;

// Where in a block of 64 bytes letters may start a word: bit i for byte i.
struct Starts {
  uint64_t words = 0;    // at a letter after no letter, digit or underscore, or at a capital after a small one
  uint64_t escaped = 0;  // at a letter two bytes after a backslash: \nerror
};

#if defined(__SSE2__)
// Bytes of `block` in [low, low + count), as a mask.
uint64_t InRange(__m128i block, char low, int count) {
  const __m128i shifted = _mm_sub_epi8(block, _mm_set1_epi8(static_cast<char>(low + 128)));
  return static_cast<uint32_t>(
      _mm_movemask_epi8(_mm_cmplt_epi8(shifted, _mm_set1_epi8(static_cast<char>(count - 128)))));
}

// `bytes`: kBlock of them; `before` and `earlier`: the two before them.
Starts StartsIn(const char* bytes, char before, char earlier) {
  uint64_t letter = 0, digit = 0, bit_five = 0;
  for (unsigned part = 0; part < kBlock; part += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + part));
    letter |= InRange(_mm_or_si128(block, _mm_set1_epi8(0x20)), 'a', 26) << part;
    digit |= InRange(block, '0', 10) << part;
    bit_five |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(block, 2)))) << part;
  }
  const uint64_t underscore = EqualInBlock(bytes, '_'), backslash = EqualInBlock(bytes, '\\');
  const uint64_t upper = letter & ~bit_five, small = (letter & bit_five) | digit;  // bit 5 is set in small letters
  const uint64_t previous_small = (small << 1) | static_cast<uint64_t>(IsLower(before) || IsDigit(before));
  const uint64_t previous_word = ((letter | digit | underscore) << 1) | static_cast<uint64_t>(IsWord(before));
  const uint64_t two_before =
      (backslash << 2) | (static_cast<uint64_t>(before == '\\') << 1) | static_cast<uint64_t>(earlier == '\\');
  return {(letter & ~previous_word) | (upper & previous_small), letter & two_before};
}
#else
Starts StartsIn(const char* bytes, char before, char earlier) {
  Starts starts;
  for (size_t i = 0; i < kBlock; ++i) {
    const char c = bytes[i];
    const bool word = IsLetter(c) && (!IsWord(before) || (IsUpper(c) && (IsLower(before) || IsDigit(before))));
    starts.words |= static_cast<uint64_t>(word) << i;
    starts.escaped |= static_cast<uint64_t>(IsLetter(c) && earlier == '\\') << i;
    earlier = before;
    before = c;
  }
  return starts;
}
#endif

// Calls visit(offset) for each place in text[at..] of `starts` where the first four letters are those of some word.
// No branch hangs on what the letters are until all places of the block are sifted. `letters`: the block's bytes, with
// at least kBehind more behind them.
template <typename Visit>
void VisitBlock(std::string_view text, size_t at, const char* letters, Starts starts, Visit& visit) {
  std::array<uint8_t, kBlock> sifted;
  size_t count = 0;
  for (uint64_t places = starts.words | starts.escaped; places != 0; places &= places - 1) {
    const auto place = static_cast<size_t>(std::countr_zero(places));
    sifted[count] = static_cast<uint8_t>(place);
    const uint32_t fourths = kFourths[RowOf(FirstThree(letters[place], letters[place + 1], letters[place + 2]))];
    count += (fourths & FourthBit(letters[place + 3])) != 0;
  }
  for (size_t i = 0; i < count; ++i) {
    const bool word = (starts.words >> sifted[i] & 1) != 0;
    if (word || AfterWrittenEscape(text, at + sifted[i])) visit(at + sifted[i]);
  }
}

// Calls visit(offset) for each place in `text` where a word of the table may start, ascending.
template <typename Visit>
void ForEachWord(std::string_view text, Visit visit) {
  const auto byte = [&](size_t at, size_t back) { return at >= back ? text[at - back] : '\0'; };
  size_t at = 0;
  for (; at + kBlock + kBehind <= text.size(); at += kBlock) {
    const char* block = text.data() + at;
    VisitBlock(text, at, block, StartsIn(block, byte(at, 1), byte(at, 2)), visit);
  }
  while (at < text.size()) {  // once, or twice where up to kBehind bytes more than a block are left
    std::array<char, kBlock + kBehind> rest{};
    const size_t size = std::min(rest.size(), text.size() - at);
    std::memcpy(rest.data(), text.data() + at, size);
    VisitBlock(text, at, rest.data(), StartsIn(rest.data(), byte(at, 1), byte(at, 2)), visit);
    at += kBlock;
  }
}

Signal OfWords(std::string_view line) {
  Signal found = Signal::kNone;
  ForEachWord(line, [&](size_t at) {
    if (found != Signal::kFatal) found = std::max(found, SignalOfWordAt(line, at));
  });
  return found;
}

Signal OfLevelLetter(char letter) {
  switch (letter) {
    case 'F':
      return Signal::kFatal;
    case 'E':
      return Signal::kError;
    case 'W':
      return Signal::kWarning;
    default:
      return Signal::kNone;
  }
}

// Levels of one letter, and marks, at the start of the line: glog, logcat, syslog priorities, pytest, ticks and
// crosses.
Signal OfStart(std::string_view line) {
  size_t at = 0;
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  const std::string_view text = line.substr(at, 32);
  if (text.size() < 4) return Signal::kNone;
  const char first = text[0];
  if (first == 'E' || first == 'W' || first == 'F') {
    if (at == 0 && first == 'E' && text.starts_with("E   ")) return Signal::kError;   // pytest
    if (at == 0 && text[1] == '/' && IsLetter(text[2])) return OfLevelLetter(first);  // logcat, brief
    const bool glog =
        IsDigit(text[1]) && IsDigit(text[2]) && IsDigit(text[3]) && text.size() > 8 && text[5] == ' ' && text[8] == ':';
    return glog ? OfLevelLetter(first) : Signal::kNone;
  }
  if (IsDigit(first) && text.size() > 18 && text[2] == '-' && text[5] == ' ' && text[8] == ':' && text[14] == '.') {
    size_t field = 18;  // logcat, threadtime: MM-DD HH:MM:SS.mmm  pid  tid L tag
    for (int i = 0; i < 2; ++i) field = SkipAny(line, SkipAny(line, at + field, " "), "0123456789") - at;
    const size_t level = SkipAny(line, at + field, " ");
    return level + 1 < line.size() && line[level + 1] == ' ' ? OfLevelLetter(line[level]) : Signal::kNone;
  }
  if (first == '<' && at == 0) {  // syslog: severity is the lowest three bits
    const size_t close = text.find('>');
    const int priority = close != std::string_view::npos && close <= 4 ? NumberAt(text.substr(0, close), 1) : -1;
    if (priority < 0 || priority > 191) return Signal::kNone;
    return (priority & 7) <= 3 ? Signal::kError : (priority & 7) == 4 ? Signal::kWarning : Signal::kNone;
  }
  if (static_cast<unsigned char>(first) < 0x80) return Signal::kNone;
  for (std::string_view cross : kCrosses) {
    if (text.starts_with(cross))
      return IsZeroAt(line, SkipAny(line, at + cross.size(), " ")) ? Signal::kNone : Signal::kError;
  }
  return Signal::kNone;
}

// A line with escape sequences, in parts that overlap by more than the longest phrase with its neighbours.
Signal OfEscapedLine(std::string_view line) {
  constexpr size_t kOverlap = 96;
  std::array<char, 2048> part;
  Signal found = Signal::kNone;
  size_t at = 0, kept = 0;
  bool first = true;
  while (at < line.size()) {
    const size_t length = kept + CopyPlain(line, at, part.data() + kept, part.size() - kept);
    const std::string_view text(part.data(), length);
    if (first) found = OfStart(text);
    first = false;
    found = std::max(found, OfWords(text));
    kept = std::min(kOverlap, length);
    std::memmove(part.data(), part.data() + length - kept, kept);
  }
  return found;
}

std::string_view LineText(std::string_view bytes, std::span<const uint32_t> starts, size_t line) {
  return WithoutLineEnd({bytes.data() + starts[line], starts[line + 1] - starts[line]});
}

}  // namespace

Signal SignalOf(std::string_view line) {
  if (line.find('\x1b') != std::string_view::npos) return OfEscapedLine(line);
  return std::max(OfStart(line), OfWords(line));
}

void SignalsOf(std::string_view bytes, std::span<const uint32_t> starts, std::span<Signal> signals) {
  for (size_t line = 0; line < signals.size(); ++line) signals[line] = OfStart(LineText(bytes, starts, line));
  size_t line = 0;
  ForEachWord(bytes, [&](size_t at) {
    while (starts[line + 1] <= at) ++line;
    const std::string_view text = LineText(bytes, starts, line);
    const size_t within = at - starts[line];
    if (within < text.size() && signals[line] != Signal::kFatal) {
      signals[line] = std::max(signals[line], SignalOfWordAt(text, within));
    }
  });
  line = 0;
  for (size_t at = bytes.find('\x1b'); at != std::string_view::npos; at = bytes.find('\x1b', starts[line + 1])) {
    while (starts[line + 1] <= at) ++line;
    signals[line] = OfEscapedLine(LineText(bytes, starts, line));
  }
}

}  // namespace pith
