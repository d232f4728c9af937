// What a line must not be lost for, decided by its words: here each word is judged by what stands around it; which
// words are looked at at all is decided in signal_scan.cc.
//
// Rivals search for substrings and so see "0 errors" and "error_handler.py" as errors, and miss "panicked at",
// "undefined reference" or an exit status. Here a word counts only where it starts (after anything but a letter, a
// digit or an underscore, or at a capital inside an identifier) and where it ends, and then its neighbours have a say:
// a count of zero, a "no" before, a null after, an option or a path around it make it harmless.
//
// Letters are ASCII letters; bytes above 0x7f are letters of no word but part of none either.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "compact/signal_judge.h"

namespace pith {
namespace {

using namespace ascii;

// The first eight bytes of a text in one number, capitals as small letters, the first in the lowest byte; 0 for what a
// shorter text lacks.
constexpr uint64_t FoldedEight(std::string_view text) {
  uint64_t eight = 0;
  if (!std::is_constant_evaluated() && std::endian::native == std::endian::little && text.size() >= 8) {
    std::memcpy(&eight, text.data(), 8);
  } else {
    for (size_t i = 0; i < 8 && i < text.size(); ++i) {
      eight |= static_cast<uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
    }
  }
  // Bit 7 of a byte: set where its lower seven are at least 'A', and where they are more than 'Z'; bit 7 of its own
  // keeps others out.
  const auto each = [](uint64_t byte) { return byte * 0x0101010101010101u; };
  const uint64_t seven = eight & each(0x7f);
  const uint64_t capital = (seven + each(0x80 - 'A')) & ~(seven + each(0x7f - 'Z')) & ~eight & each(0x80);
  return eight | capital >> 2;
}

// Of each row of kSignalWords its first eight letters in one number, and which bytes of it they are. The rows by a hash
// of their first three letters: the first of each hash, and of each row the next.
constexpr auto kNoRow = static_cast<uint8_t>(kSignalWords.size());
struct Index {
  std::array<uint64_t, kSignalWords.size()> eight{}, bytes_of_eight{};
  std::array<uint8_t, kSignalWords.size()> next_row{};
  std::array<uint8_t, 1 << 10> first_row{};
};
constexpr size_t HashOf(uint32_t first_three) { return (first_three * 0x9e3779b1u) >> 22; }
constexpr Index MakeIndex() {
  static_assert(kSignalWords.size() < 256);
  Index index;
  index.first_row.fill(kNoRow);
  for (size_t row = kSignalWords.size(); row-- > 0;) {
    const std::string_view word = kSignalWords[row].word;
    index.eight[row] = FoldedEight(word);
    index.bytes_of_eight[row] = word.size() >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * word.size())) - 1;
    uint8_t& first = index.first_row[HashOf(FirstThree(word[0], word[1], word[2]))];
    index.next_row[row] = first;
    first = static_cast<uint8_t>(row);
  }
  return index;
}
constexpr Index kIndex = MakeIndex();

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

bool StartsWord(std::string_view line, size_t at, std::string_view lower) {
  return at <= line.size() && EqualsFolded(line, at, lower) &&
         (at + lower.size() == line.size() || !IsWord(line[at + lower.size()]));
}

// Whether a value ends at `at`: the line does, or a mark comes that parts values, or a word that only says "there are".
bool ValueEnds(std::string_view line, size_t at) {
  at = SkipAny(line, at, "\"'\\");
  const size_t next = SkipAny(line, at, " \t\r");
  if (next >= line.size() || std::string_view(",;.)]}|<&").find(line[next]) != std::string_view::npos) return true;
  if (next == at) return false;
  for (std::string_view said : {"found", "reported", "detected", "so far", "yet", "in "}) {
    if (EqualsFolded(line, next, said)) return true;
  }
  // The next of several values: "errors: none warnings: 3", "error=null code=0".
  size_t end = next;
  while (end < line.size() && (IsWord(line[end]) || line[end] == '-' || line[end] == '.')) ++end;
  return end > next && end < line.size() && (line[end] == '=' || line[end] == ':');
}

// A value that says that there is none: 0, null, "", [], {}.
bool IsNothingAt(std::string_view line, size_t at) {
  for (std::string_view empty : {"\"\"", "''", "\\\"\\\"", "[]", "{}"}) {
    if (!line.substr(at).starts_with(empty)) continue;
    const size_t after = at + empty.size();  // a letter there: two quotes are one that is escaped
    return after >= line.size() || !IsWord(line[after]);
  }
  const size_t value = SkipAny(line, at, "\"'\\");
  for (std::string_view nothing : {"null", "none", "nil", "<nil>", "<none>", "false", "undefined", "no"}) {
    if (StartsWord(line, value, nothing)) return ValueEnds(line, value + nothing.size());
  }
  return IsZeroAt(line, value);
}

// "0.0026 ms", "12s" at the end of a line or before a mark: how long it took, not how many there were.
bool IsDurationAt(std::string_view line, size_t at) {
  size_t end = SkipAny(line, at, "0123456789.");
  if (end == at) return false;
  if (end < line.size() && line[end] == ' ') ++end;
  for (std::string_view unit : {"ms", "us", "ns", "s", "sec", "seconds", "min"}) {
    if (!StartsWord(line, end, unit)) continue;
    const size_t after = end + unit.size();
    return after == line.size() || line[after] == ')' || line[after] == ',' || line[after] == ']';
  }
  return false;
}

// A unit of size behind a number: "500 bytes", "500 kB".
bool IsSizeAt(std::string_view line, size_t at) {
  at = SkipAny(line, at, " ");
  for (std::string_view unit : {"b", "kb", "mb", "gb", "kib", "mib", "gib", "bytes"}) {
    if (StartsWord(line, at, unit)) return true;
  }
  return false;
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
  const size_t value = SkipAny(line, separator, " \t:=>");
  return IsNothingAt(line, value) || IsDurationAt(line, value);
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

// "0 cached but invalid", "0 of 12 failed", "0/12 failed": a clause that counts none from its first word to the last.
bool ClauseCountsNone(const Place& place) {
  constexpr size_t kMostWords = 6;
  constexpr std::string_view kBegins = ",;([{|", kEnds = ",;)]}|.";
  const std::string_view line = place.line;
  const size_t behind = SkipAny(line, place.end, " ");
  if (behind < line.size() && kEnds.find(line[behind]) == std::string_view::npos) return false;
  size_t at = place.begin;
  for (size_t words = 0; words < kMostWords && at > 1 && line[at - 1] == ' '; ++words) {
    const size_t end = at - 1;
    for (at = end; at > 0 && (IsWord(line[at - 1]) || line[at - 1] == '/' || line[at - 1] == '-');) --at;
    if (at == end) return false;
    const std::string_view word = line.substr(at, end - at);
    if (word[0] != '0' || (word.size() > 1 && word[1] != '/')) continue;
    size_t before = at;
    while (before > 0 && line[before - 1] == ' ') --before;
    return before == 0 || kBegins.find(line[before - 1]) != std::string_view::npos;
  }
  return false;
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

Signal OfHttpStatus(int status) {
  if (status >= 500 && status <= 599) return Signal::kError;
  return status >= 400 && status <= 499 ? Signal::kWarning : Signal::kNone;
}

// A status after what was asked for: past arrows, bars and quotes, and past the protocol that stands between. A number
// that has a unit is a size or a time.
Signal OfStatusBehind(std::string_view line, size_t at) {
  const auto skip = [&] {
    at = SkipAny(line, at, " \t\":=->|[(");
    for (; line.substr(at).starts_with("\xe2\x86\x92"); at = SkipAny(line, at + 3, " ")) continue;  // an arrow
  };
  const size_t begin = at;
  skip();
  if (EqualsFolded(line, at, "http/")) {
    at = SkipAny(line, at + 5, "0123456789.");
    skip();
  }
  const size_t digits = SkipAny(line, at, "0123456789") - at;
  if (at == begin || digits != 3) return Signal::kNone;
  if (at + digits < line.size() && line[at + digits] == '.') return Signal::kNone;  // of a longer number
  if (IsDurationAt(line, at) || IsSizeAt(line, at + digits)) return Signal::kNone;
  return OfHttpStatus(NumberAt(line, at));
}

// Where the address that begins at `at` ends.
size_t AddressEnd(std::string_view line, size_t at) {
  constexpr size_t kLongest = 2048;
  const size_t end = std::min(line.size(), at + kLongest);
  constexpr CharSet kEnds = " \t\"'";
  while (at < end && !kEnds.Has(line[at])) ++at;
  return at;
}

// HTTP/1.1" 502, HTTP/2 404, HTTP 503, HTTP status: 503, https://host/path -> 500
Signal OfHttp(const Place& place) {
  const std::string_view line = place.line;
  size_t at = place.end;
  if (place.After() == '/') return OfStatusBehind(line, SkipAny(line, at + 1, "0123456789."));
  if (EqualsFolded(line, at, "://") || EqualsFolded(line, at, "s://")) {
    return OfStatusBehind(line, AddressEnd(line, at));
  }
  for (std::string_view part : {" response", " error", " status", " code"}) {
    if (EqualsFolded(line, at, part)) at += part.size();
  }
  return OfStatusBehind(line, at);
}

// GET /path -> 500, "POST https://host/path" 502: a method in capitals and what it was asked of.
Signal OfMethod(const Place& place) {
  if (!AllUpper(place.line.substr(place.begin, place.end - place.begin)) || IsWord(place.After())) {
    return Signal::kNone;
  }
  const size_t asked = SkipAny(place.line, place.end, " \"'");
  if (asked == place.end || asked >= place.line.size()) return Signal::kNone;
  if (place.line[asked] != '/' && !EqualsFolded(place.line, asked, "http")) return Signal::kNone;
  return OfStatusBehind(place.line, AddressEnd(place.line, asked));
}

// status=500, "statusCode": 503, status code 502
Signal OfStatus(const Place& place) {
  size_t at = place.end;
  for (std::string_view unit : {"code", "_code", " code"}) {
    if (EqualsFolded(place.line, at, unit)) {
      at += unit.size();
      break;
    }
  }
  const size_t value = SkipAny(place.line, at, " \":=\\'");
  return value == at ? Signal::kNone : OfHttpStatus(NumberAt(place.line, value));
}

// code=99, rc=1, return code: 2, errno 13. What a process can end with, or HTTP with; other numbers have other
// meanings.
Signal OfCode(const Place& place, Signal signal) {
  const bool open = place.line[place.end - 1] == '=';
  size_t value = SkipAny(place.line, place.end, open ? CharSet("\"'") : CharSet(" \":='("));
  if (value == place.end && !open) return Signal::kNone;
  const bool negative = value < place.line.size() && place.line[value] == '-';
  const int number = NumberAt(place.line, value + (negative ? 1 : 0));
  const size_t end = SkipAny(place.line, value + (negative ? 1 : 0), "0123456789");
  if (end < place.line.size() && (place.line[end] == '.' || place.line[end] == '-')) return Signal::kNone;
  if (number >= 400 && number <= 599 && !negative) return OfHttpStatus(number);
  const bool ended = (number >= 1 && number < 100) || (number >= 124 && number <= 165) || number == 255;
  return ended ? signal : Signal::kNone;
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

// Inside the name of a setting that is on or off, with more words behind it: "Count Failed Values":true.
bool NamesSwitch(const Place& place) {
  constexpr size_t kLongestName = 48;
  const std::string_view line = place.line;
  if (place.After() != ' ') return false;
  size_t end = place.end;
  while (end < line.size() && end - place.end < kLongestName && (IsWord(line[end]) || line[end] == ' ')) ++end;
  if (end + 1 >= line.size() || line[end] != '"' || line[end + 1] != ':') return false;
  const size_t value = SkipAny(line, end + 2, " ");
  return StartsWord(line, value, "true") || StartsWord(line, value, "false") || IsNothingAt(line, value);
}

Signal OfRow(const SignalWord& row, const Place& place, bool camel_tail) {
  switch (row.rule) {
    case WordRule::kHttp:
      return camel_tail ? Signal::kNone : OfHttp(place);
    case WordRule::kMethod:
      return camel_tail ? Signal::kNone : OfMethod(place);
    case WordRule::kStatus:
      return OfStatus(place);
    case WordRule::kCode:
      return camel_tail ? Signal::kNone : OfCode(place, row.signal);
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
  const bool setting = row.rule == WordRule::kSetting;
  if ((row.rule == WordRule::kPlain || setting) && (place.After() == '=' || place.After() == '_')) return Signal::kNone;
  if (setting && NumberAt(place.line, SkipAny(place.line, place.end, " \":'")) >= 0) return Signal::kNone;
  if (NothingAfter(place) || NothingBefore(place, row.rule == WordRule::kNoun)) return Signal::kNone;
  if (ClauseCountsNone(place) || NamesSwitch(place)) return Signal::kNone;
  return row.signal == Signal::kFatal && IsScoped(place) ? Signal::kWarning : row.signal;
}

}  // namespace

// "0", "00", "0%", "0.0": a number that is nothing. Not "0x1f", "0.5", "07", "00:12".
bool IsZeroAt(std::string_view line, size_t at) {
  if (at >= line.size() || line[at] != '0') return false;
  size_t i = at;
  while (i < line.size() && (line[i] == '0' || (line[i] == '.' && i + 1 < line.size() && line[i + 1] == '0'))) ++i;
  if (i == line.size()) return true;
  const bool goes_on = (line[i] == '.' || line[i] == ':') && i + 1 < line.size() && IsDigit(line[i + 1]);
  return !goes_on && !IsWord(line[i]);
}

int NumberAt(std::string_view line, size_t at) {
  int number = 0;
  size_t digits = 0;
  while (at + digits < line.size() && IsDigit(line[at + digits]) && digits < 6) {
    number = number * 10 + (line[at + digits++] - '0');
  }
  return digits == 0 || (at + digits < line.size() && IsWord(line[at + digits])) ? -1 : number;
}

// A newline or tab written as an escape, as inside a JSON string, ends a word: \nerror
bool AfterWrittenEscape(std::string_view line, size_t at) {
  return at >= 2 && line[at - 2] == '\\' && (line[at - 1] == 'n' || line[at - 1] == 't' || line[at - 1] == 'r');
}

Signal SignalOfWordAt(std::string_view line, size_t at) {
  if (!IsLetter(line[at]) || at + 2 >= line.size()) return Signal::kNone;
  const uint32_t first_three = FirstThree(line[at], line[at + 1], line[at + 2]);
  const uint64_t eight = FoldedEight(line.substr(at));
  const bool camel_tail = at > 0 && IsWord(line[at - 1]) && !AfterWrittenEscape(line, at);
  Signal found = Signal::kNone;
  for (size_t i = kIndex.first_row[HashOf(first_three)]; i != kNoRow; i = kIndex.next_row[i]) {
    if ((eight & kIndex.bytes_of_eight[i]) != kIndex.eight[i]) continue;
    const SignalWord& row = kSignalWords[i];
    if (row.word.size() > 8 && !EqualsFolded(line, at, row.word)) continue;
    found = std::max(found, OfRow(row, {line, at, at + row.word.size()}, camel_tail));
  }
  return found;
}

}  // namespace pith
