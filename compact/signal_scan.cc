// What each line of an original says by its words and by how it starts. The words are sifted over the whole text by
// word_sieve.cc; only what passes there (about one word in a hundred) is judged, in its line, by signals.cc. Lines play
// no part before that, so short ones cost no more than long ones.
#include <algorithm>
#include <array>

#include "compact/begins.h"
#include "compact/signal_judge.h"
#include "compact/word_sieve.h"

namespace pith {
namespace {

using namespace ascii;

// A word inside another begins at a capital after a small letter or a digit, or after a written escape.
bool BeginsWord(std::string_view text, size_t at) {
  if (at == 0 || !IsWord(text[at - 1])) return true;
  return (IsUpper(text[at]) && (IsLower(text[at - 1]) || IsDigit(text[at - 1]))) || AfterWrittenEscape(text, at);
}

// Calls visit(offset) for each place in text[begin, end) where a word of the table may start, ascending.
template <typename Visit>
void ForEachWord(std::string_view text, size_t begin, size_t end, Visit visit) {
  std::array<uint32_t, kSieveBytes> places;
  for (size_t at = begin; at < end; at += kSieveBytes) {
    const size_t count = SiftWords(text, at, std::min(end, at + kSieveBytes), places.data());
    for (size_t i = 0; i < count; ++i) visit(static_cast<size_t>(places[i]));
  }
}

// What the words of text[begin, end) say, taken for a line of their own.
Signal OfWords(std::string_view text, size_t begin, size_t end) {
  const std::string_view line = text.substr(begin, end - begin);
  Signal found = Signal::kNone;
  ForEachWord(text, begin, end, [&](size_t at) {
    if (found != Signal::kFatal && BeginsWord(line, at - begin)) {
      found = std::max(found, SignalOfWordAt(line, at - begin));
    }
  });
  return found;
}

Signal OfWords(std::string_view line) { return OfWords(line, 0, line.size()); }

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

// What a line begins with, after blanks, for OfStart to have anything to say of it.
constexpr std::array<bool, 256> MakeOpeners() {
  std::array<bool, 256> openers{};
  for (size_t byte = 0; byte < 256; ++byte) openers[byte] = byte >= 0x80 || IsDigit(static_cast<char>(byte));
  for (unsigned char byte : {'E', 'W', 'F', '<'}) openers[byte] = true;
  return openers;
}
constexpr std::array<bool, 256> kOpeners = MakeOpeners();

// Levels of one letter, and marks, at the start of the line: glog, logcat, syslog priorities, pytest, ticks and
// crosses.
Signal OfStart(std::string_view line) {
  const size_t at = BlanksEnd(line);
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

// The same of a line with or without its end, most of which begin with nothing to say anything of.
Signal OfLineStart(std::string_view line) {
  const size_t at = BlanksEnd(line);
  const bool opens = at < line.size() && kOpeners[static_cast<unsigned char>(line[at])];
  return opens ? OfStart(WithoutLineEnd(line)) : Signal::kNone;
}

std::string_view LineText(std::string_view bytes, std::span<const uint32_t> starts, size_t line) {
  return WithoutLineEnd({bytes.data() + starts[line], starts[line + 1] - starts[line]});
}

}  // namespace

Signal SignalOf(std::string_view line) { return std::max(OfStart(line), OfWords(line)); }

Signal SignalWithinText(std::string_view text, size_t begin, size_t end) {
  return std::max(OfLineStart(text.substr(begin, end - begin)), OfWords(text, begin, end));
}

void SignalsOf(std::string_view text, std::span<const uint32_t> starts, std::span<Signal> signals) {
  for (size_t line = 0; line < signals.size(); ++line) {
    signals[line] = OfLineStart(text.substr(starts[line], starts[line + 1] - starts[line]));
  }
  size_t line = 0;
  ForEachWord(text, starts.front(), starts.back(), [&](size_t at) {
    if (!BeginsWord(text, at)) return;
    while (starts[line + 1] <= at) ++line;
    const std::string_view whole = LineText(text, starts, line);
    const size_t within = at - starts[line];
    if (within < whole.size() && signals[line] != Signal::kFatal) {
      signals[line] = std::max(signals[line], SignalOfWordAt(whole, within));
    }
  });
}

}  // namespace pith
