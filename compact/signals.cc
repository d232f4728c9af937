// What a line must not be lost for, decided by its words.
//
// Rivals search for substrings and so see "0 errors" and "error_handler.py" as errors, and miss "panicked at",
// "undefined reference" or an exit status. Here a word counts only where it starts (after anything but a letter, a
// digit or an underscore, or at a capital inside an identifier) and where it ends, and then its neighbours have a say:
// a count of zero, a "no" before, a null after, an option or a path around it make it harmless.
//
// Each line of each original passes through here, so the scan is in two steps. The first marks the bytes where a word
// starts, 16 at a time; the second looks at the first three letters of each. Only what passes both is compared with the
// table of words. Measured: 0.5 GB/s on logs full of faults, 1 to 1.8 GB/s on others.
//
// Letters are ASCII letters; bytes above 0x7f are letters of no word but part of none either.
#include "compact/signals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "compact/escapes.h"
#include "compact/signal_words.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace pith {
namespace {

constexpr char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLetter(char c) { return IsUpper(c) || IsLower(c); }
constexpr bool IsWord(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }

// 0 to 25 for a letter of either case, 26 for all else.
constexpr size_t LetterOf(char c) {
  const auto letter = static_cast<unsigned char>((static_cast<unsigned char>(c) | 0x20) - 'a');
  return letter < 26 ? letter : 26;
}
constexpr size_t TrigramOf(char first, char second, char third) {
  return (LetterOf(first) * 27 + LetterOf(second)) * 27 + LetterOf(third);
}

// The set of first three letters that some word of the table has; and for each first letter where its words stand.
struct Index {
  std::array<uint64_t, 27 * 27 * 27 / 64 + 1> trigrams{};
  std::array<uint8_t, 27> first_row{};
};
constexpr Index MakeIndex() {
  Index index;
  size_t row = 0;
  for (size_t letter = 0; letter < 26; ++letter) {
    index.first_row[letter] = static_cast<uint8_t>(row);
    while (row < kSignalWords.size() && LetterOf(kSignalWords[row].word[0]) == letter) {
      const std::string_view word = kSignalWords[row++].word;
      const size_t trigram = TrigramOf(word[0], word[1], word[2]);
      index.trigrams[trigram / 64] |= uint64_t{1} << (trigram % 64);
    }
  }
  index.first_row[26] = static_cast<uint8_t>(row);
  return index;
}
constexpr Index kIndex = MakeIndex();
static_assert(kIndex.first_row[26] == kSignalWords.size(), "rows of kSignalWords are sorted by their first letter");

// A word in its line: [begin, end).
struct Place {
  std::string_view line;
  size_t begin = 0, end = 0;
  char Before(size_t steps = 1) const { return begin >= steps ? line[begin - steps] : '\0'; }
  char After(size_t steps = 0) const { return end + steps < line.size() ? line[end + steps] : '\0'; }
};

bool EqualsFolded(std::string_view line, size_t at, std::string_view lower) {
  if (line.size() - at < lower.size()) return false;
  for (size_t i = 0; i < lower.size(); ++i) {
    if (Lower(line[at + i]) != lower[i]) return false;
  }
  return true;
}

bool AllUpper(std::string_view text) { return std::none_of(text.begin(), text.end(), IsLower); }

// "0", "00", "0%", "0.0": a number that is nothing. Not "0x1f", "0.5", "07", "00:12".
bool IsZeroAt(std::string_view line, size_t at) {
  if (at >= line.size() || line[at] != '0') return false;
  size_t i = at;
  while (i < line.size() && (line[i] == '0' || (line[i] == '.' && i + 1 < line.size() && line[i + 1] == '0'))) ++i;
  if (i == line.size()) return true;
  const bool goes_on = (line[i] == '.' || line[i] == ':') && i + 1 < line.size() && IsDigit(line[i + 1]);
  return !goes_on && !IsWord(line[i]);
}

bool StartsWord(std::string_view line, size_t at, std::string_view lower) {
  return at <= line.size() && EqualsFolded(line, at, lower) &&
         (at + lower.size() == line.size() || !IsWord(line[at + lower.size()]));
}

size_t SkipAny(std::string_view line, size_t at, std::string_view set) {
  while (at < line.size() && set.find(line[at]) != std::string_view::npos) ++at;
  return at;
}

// A value that says that there is none: 0, null, "", [], {}.
bool IsNothingAt(std::string_view line, size_t at) {
  for (std::string_view empty : {"\"\"", "''", "\\\"\\\"", "[]", "{}"}) {
    if (line.substr(at).starts_with(empty)) return true;
  }
  const size_t value = SkipAny(line, at, "\"'\\");
  for (std::string_view nothing : {"null", "none", "nil", "<nil>", "<none>", "false", "undefined", "no"}) {
    if (StartsWord(line, value, nothing)) return true;
  }
  return IsZeroAt(line, value);
}

// What follows the word says that there is none: "errors=0", "error_count: 0", "error": null, errors: [], failed 0.
bool NothingAfter(const Place& place) {
  const std::string_view line = place.line;
  size_t at = place.end;
  for (std::string_view unit : {" count", " rate", " total", "(s)"}) {
    if (!EqualsFolded(line, at, unit)) continue;
    at += unit.size();
    break;
  }
  const size_t space = SkipAny(line, at, " \t|");
  if (space > at && IsZeroAt(line, space)) return true;
  const size_t separator = SkipAny(line, at, " \t\"'\\");
  if (separator >= line.size() || (line[separator] != ':' && line[separator] != '=')) return false;
  return IsNothingAt(line, SkipAny(line, separator, " \t:=>"));
}

// The word before [.., end), spaces between skipped; empty when something else stands there.
std::string_view WordBefore(std::string_view line, size_t end) {
  size_t stop = end;
  while (stop > 0 && line[stop - 1] == ' ') --stop;
  if (stop == end || stop == 0) return {};
  size_t start = stop;
  while (start > 0 && stop - start < 16 && IsWord(line[start - 1])) --start;
  return line.substr(start, stop - start);
}

// "no", "without", or a zero.
bool IsNone(std::string_view word) {
  if (word.empty() || word.size() > 7) return false;
  if (word[0] == '0') return word == "0";  // "00" and "000" end a time
  return StartsWord(word, 0, "no") || StartsWord(word, 0, "zero") || StartsWord(word, 0, "without") ||
         StartsWord(word, 0, "not") || StartsWord(word, 0, "never");
}

// The zero of "unreachable=0 failed=1" is another's: it has a name before it, and the word has a number behind. So is
// one that ends a longer number.
bool CountsAnother(const Place& place, std::string_view zero) {
  size_t start = static_cast<size_t>(zero.data() - place.line.data());
  if (start > 1 && zero[0] == '0' && IsDigit(place.line[start - 2]) && !IsWord(place.line[start - 1]) &&
      place.line[start - 1] != ' ') {
    return true;  // of a time or a number: 12:00:0, 3.0
  }
  if (start > 0 && place.line[start - 1] == ' ') --start;
  const bool named = start > 0 && (place.line[start - 1] == '=' || place.line[start - 1] == ':');
  return named && zero[0] == '0' && (place.After() == '=' || place.After() == ':');
}

// What precedes the word says that there is none: "0 errors", "no compile errors", "without error".
bool NothingBefore(const Place& place, bool noun) {
  const std::string_view line = place.line;
  const std::string_view previous = WordBefore(line, place.begin);
  if (previous.empty()) return false;
  if (IsNone(previous)) return !CountsAnother(place, previous);
  if (!noun) return false;
  const auto start = static_cast<size_t>(previous.data() - line.data());
  const std::string_view earlier = WordBefore(line, start);
  return IsNone(earlier) && !CountsAnother(place, earlier) && !StartsWord(earlier, 0, "not");
}

// A newline or tab written as an escape, as inside a JSON string, ends a word: \nerror
bool AfterWrittenEscape(std::string_view line, size_t at) {
  return at >= 2 && line[at - 2] == '\\' && (line[at - 1] == 'n' || line[at - 1] == 't' || line[at - 1] == 'r');
}

// The word goes on: error_handler, errors.go, fail-fast, error(message).
bool NameGoesOn(const Place& place) {
  const char after = place.After(), next = place.After(1);
  if (IsWord(after) || after == '$') return true;
  if (after == '-') return IsLetter(next);
  if (after == '.' || after == '/' || after == '\\') return IsWord(next) || next == '<';
  const bool called = after == '(' && IsLower(place.line[place.begin]) && (IsLetter(next) || next == ')');
  return called && !EqualsFolded(place.line, place.end, "(s)");
}

// Part of a symbol's qualified name, as printed or as mangled: std::panic::catch_unwind, core..panic..unwind_safe. Such
// a frame names what handles faults; it tells of one, but is none.
bool IsScoped(const Place& place) {
  for (char c : {':', '.'}) {
    if (place.Before() == c && place.Before(2) == c && IsWord(place.Before(3))) return true;
    if (place.After() == c && place.After(1) == c && IsWord(place.After(2))) return true;
  }
  return false;
}

// The word is the end of something longer: --error, /var/log/error, logger.error. Capitals stand for themselves:
// -----ERROR-----, java.lang.Error.
bool EndsName(const Place& place) {
  if (AfterWrittenEscape(place.line, place.begin)) return false;
  const char before = place.Before(), earlier = place.Before(2);
  const bool capital = IsUpper(place.line[place.begin]);
  const bool capitals = capital && IsUpper(place.line[place.begin + 1]);
  switch (before) {
    case '.':
      return earlier == '.' ? !IsScoped(place) && place.Before(3) != '.' : IsWord(earlier) && !capital;
    case '-':
      return !capitals && (IsWord(earlier) || earlier == '-' || earlier == ' ');
    case '/':
      return !capitals || IsWord(earlier);
    case '\\':
      return IsWord(earlier);
    case '$':
    case '@':
      return true;
    default:
      return IsWord(before);
  }
}

// A capital inside an identifier: ValueError has one, handleError too, but only the first is the name of a fault.
bool CapitalisedIdentifier(const Place& place) {
  size_t at = place.begin;
  while (at > 0 && (IsLetter(place.line[at - 1]) || IsDigit(place.line[at - 1]))) --at;
  const bool underscored = at > 0 && place.line[at - 1] == '_';
  return !underscored && (IsUpper(place.line[at]) || AfterWrittenEscape(place.line, at + 1));
}

int NumberAt(std::string_view line, size_t at) {
  int number = 0;
  size_t digits = 0;
  while (at + digits < line.size() && IsDigit(line[at + digits]) && digits < 6) {
    number = number * 10 + (line[at + digits++] - '0');
  }
  return digits == 0 || (at + digits < line.size() && IsWord(line[at + digits])) ? -1 : number;
}

Signal OfHttpStatus(int status) {
  if (status >= 500 && status <= 599) return Signal::kError;
  return status >= 400 && status <= 499 ? Signal::kWarning : Signal::kNone;
}

// HTTP/1.1" 502, HTTP/2 404, status=500, "statusCode": 503
Signal OfStatus(const Place& place, bool http) {
  size_t at = place.end;
  if (http) {
    if (place.After() != '/') return Signal::kNone;
    at = SkipAny(place.line, at + 1, "0123456789.");
  } else {
    for (std::string_view unit : {"code", "_code", " code"}) {
      if (EqualsFolded(place.line, at, unit)) {
        at += unit.size();
        break;
      }
    }
  }
  const size_t value = SkipAny(place.line, at, " \":=\\'");
  return value == at ? Signal::kNone : OfHttpStatus(NumberAt(place.line, value));
}

// exit code 1, exited with status 137, exit status: 2, Exited (1) 3 hours ago
Signal OfExit(const Place& place) {
  const std::string_view line = place.line;
  size_t at = place.end;
  bool named = EqualsFolded(line, at, "ed (") || EqualsFolded(line, at, " (");
  for (std::string_view part : {"ed", " with", " code", "code", "_code", " status", "status", "_status", " value"}) {
    if (!EqualsFolded(line, at, part)) continue;
    at += part.size();
    named = named || part.size() > 2;
  }
  const size_t value = SkipAny(line, at, " \":='(");
  if (!named || value == at) return Signal::kNone;
  const bool negative = value < line.size() && line[value] == '-';
  const int number = NumberAt(line, value + (negative ? 1 : 0));
  return number > 0 ? Signal::kError : Signal::kNone;
}

// "level":50, severity=3 (pino, bunyan)
Signal OfNumericLevel(const Place& place) {
  const size_t value = SkipAny(place.line, place.end, "\":= ");
  if (value == place.end || place.Before() != '"') return Signal::kNone;
  const int level = NumberAt(place.line, value);
  if (level >= 60 && level < 100) return Signal::kFatal;
  if (level >= 50 && level < 60) return Signal::kError;
  return level >= 40 && level < 50 ? Signal::kWarning : Signal::kNone;
}

// [alert], level=alert, ALERT
bool StandsAsLevel(const Place& place) {
  const char before = place.Before(), after = place.After();
  const bool opened = before == '[' || before == '=' || before == '"' || before == '<' || before == '.';
  const bool closed = after == ']' || after == ' ' || after == '"' || after == '>' || after == ':' || after == '\0';
  return (opened && closed) || AllUpper(place.line.substr(place.begin, place.end - place.begin));
}

Signal OfRow(const SignalWord& row, const Place& place, bool camel_tail) {
  switch (row.rule) {
    case WordRule::kHttp:
      return camel_tail ? Signal::kNone : OfStatus(place, true);
    case WordRule::kStatus:
      return OfStatus(place, false);
    case WordRule::kExit:
      return camel_tail ? Signal::kNone : OfExit(place);
    case WordRule::kNumericLevel:
      return camel_tail ? Signal::kNone : OfNumericLevel(place);
    default:
      break;
  }
  const std::string_view word = place.line.substr(place.begin, place.end - place.begin);
  if (NameGoesOn(place) || (!camel_tail && EndsName(place))) return Signal::kNone;
  if (camel_tail && !(row.rule == WordRule::kNoun && CapitalisedIdentifier(place))) return Signal::kNone;
  if (row.rule == WordRule::kUpper && !AllUpper(word)) return Signal::kNone;
  if (row.rule == WordRule::kLevel && !StandsAsLevel(place)) return Signal::kNone;
  if (row.rule == WordRule::kKey && !AllUpper(word)) {
    const char after = place.After() == '"' ? place.After(1) : place.After();
    if (after != '=' && after != ':') return Signal::kNone;
  }
  if (row.rule == WordRule::kPlain && (place.After() == '=' || place.After() == '_')) return Signal::kNone;
  if (NothingAfter(place) || NothingBefore(place, row.rule == WordRule::kNoun)) return Signal::kNone;
  return row.signal == Signal::kFatal && IsScoped(place) ? Signal::kWarning : row.signal;
}

// The word that starts at `at`, whose first three letters some row has.
Signal OfWordAt(std::string_view line, size_t at) {
  const size_t letter = LetterOf(line[at]);
  if (letter == 26) return Signal::kNone;
  const bool camel_tail = at > 0 && IsWord(line[at - 1]) && !AfterWrittenEscape(line, at);
  Signal found = Signal::kNone;
  for (size_t i = kIndex.first_row[letter]; i < kIndex.first_row[letter + 1]; ++i) {
    const SignalWord& row = kSignalWords[i];
    if (!EqualsFolded(line, at, row.word)) continue;
    found = std::max(found, OfRow(row, {line, at, at + row.word.size()}, camel_tail));
  }
  return found;
}

// Bit i: a word starts at line[at + i]. Reads `count` (at most 16) bytes and the one before.
uint32_t WordStarts(const char* bytes, size_t count, char before) {
  uint32_t starts = 0;
  char previous = before;
  for (size_t i = 0; i < count; ++i) {
    const char c = bytes[i];
    const bool starts_here =
        IsLetter(c) && (!IsWord(previous) || (IsUpper(c) && (IsLower(previous) || IsDigit(previous))));
    starts |= static_cast<uint32_t>(starts_here) << i;
    previous = c;
  }
  return starts;
}

#if defined(__SSE2__)
// Bytes of `block` in [low, low + count), as a mask of 16 bits.
uint32_t InRange(__m128i block, char low, int count) {
  const __m128i shifted = _mm_sub_epi8(block, _mm_set1_epi8(static_cast<char>(low + 128)));
  return static_cast<uint32_t>(
      _mm_movemask_epi8(_mm_cmplt_epi8(shifted, _mm_set1_epi8(static_cast<char>(count - 128)))));
}

uint32_t WordStarts16(const char* bytes, char before) {
  const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  const uint32_t upper = InRange(block, 'A', 26), lower = InRange(block, 'a', 26), digit = InRange(block, '0', 10);
  const auto underscore = static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8('_'))));
  const uint32_t small = lower | digit;
  const uint32_t previous_small = (small << 1) | static_cast<uint32_t>(IsLower(before) || IsDigit(before));
  const uint32_t previous_word = ((small | upper | underscore) << 1) | static_cast<uint32_t>(IsWord(before));
  return ((upper | lower) & ~previous_word) | (upper & previous_small & 0xffff);
}
#endif

// True if some row of the table starts with the three letters at `at`.
bool MayStartWord(std::string_view line, size_t at) {
  if (at + 2 >= line.size()) return false;
  const size_t trigram = TrigramOf(line[at], line[at + 1], line[at + 2]);
  return (kIndex.trigrams[trigram / 64] >> (trigram % 64) & 1) != 0;
}

Signal OfStarts(std::string_view line, size_t at, uint32_t starts) {
  Signal found = Signal::kNone;
  for (; starts != 0; starts &= starts - 1) {
    const size_t word = at + static_cast<size_t>(std::countr_zero(starts));
    if (MayStartWord(line, word)) found = std::max(found, OfWordAt(line, word));
    if (word > 0 && line[word - 1] == '\\' && AfterWrittenEscape(line, word + 1) && MayStartWord(line, word + 1)) {
      found = std::max(found, OfWordAt(line, word + 1));
    }
  }
  return found;
}

Signal OfWords(std::string_view line) {
  Signal found = Signal::kNone;
  size_t at = 0;
#if defined(__SSE2__)
  for (; at + 16 <= line.size(); at += 16) {
    const uint32_t starts = WordStarts16(line.data() + at, at == 0 ? '\0' : line[at - 1]);
    if (starts != 0) found = std::max(found, OfStarts(line, at, starts));
    if (found == Signal::kFatal) return found;
  }
#endif
  for (; at < line.size(); at += 16) {
    const size_t count = std::min<size_t>(16, line.size() - at);
    found = std::max(found, OfStarts(line, at, WordStarts(line.data() + at, count, at == 0 ? '\0' : line[at - 1])));
  }
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

}  // namespace

Signal SignalOf(std::string_view line) {
  if (line.find('\x1b') != std::string_view::npos) return OfEscapedLine(line);
  return std::max(OfStart(line), OfWords(line));
}

}  // namespace pith
