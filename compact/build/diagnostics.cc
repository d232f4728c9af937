// Diagnostics come in a few forms only: `place: severity: message [code]` with three ways to write a place,
// `severity[code]: message` with the place below, and `line:column severity message code` under a file's name.
// Everything else that differs between tools is words, and words are tables here.
#include "compact/build/diagnostics.h"

#include <algorithm>
#include <array>

#include "compact/begins.h"
#include "compact/build/words.h"
#include "compact/characters.h"

namespace pith {
namespace {

using namespace build_words;

using ascii::IsBlank;
using ascii::IsDigit;
using ascii::IsLetter;
using ascii::IsUpper;

std::string_view TrimLeft(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  return text;
}
std::string_view TrimRight(std::string_view text) {
  while (!text.empty() && (IsBlank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

size_t Digits(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsDigit(text[end])) ++end;
  return end - at;
}

// The severity word that a text starts with; its length in `length`. A letter may not follow it.
Severity SeverityAt(std::string_view text, size_t& length) {
  const Word* row = FindByFirstByte(kSeverityBytes, kSeverities, text, [&](const Word& candidate) {
    const size_t end = candidate.word.size();
    return Begins(text, candidate.word) && !(text.size() > end && (IsLetter(text[end]) || IsDigit(text[end])));
  });
  length = row == nullptr ? 0 : row->word.size();
  return row == nullptr ? Severity::kNone : row->severity;
}

// "E501", "C0114", "TS2345", "SC2086", "CS0103": capitals, then digits. Its length, else 0.
size_t CodeLength(std::string_view text) {
  size_t letters = 0;
  while (letters < text.size() && IsUpper(text[letters])) ++letters;
  size_t digits = Digits(text, letters);
  size_t end = letters + digits;
  if (letters == 0 || letters > 6 || digits < 2 || digits > 6) return 0;
  if (end < text.size() && (IsLetter(text[end]) || text[end] == '_' || text[end] == '.')) return 0;
  return end;
}

bool IsRuleWord(std::string_view word) {
  if (word.size() < 2 || word.size() > 60) return false;
  size_t letters = 0;
  for (char c : word) {
    letters += IsLetter(c);
    if (!IsLetter(c) && !IsDigit(c) && std::string_view("-_/@=:+.").find(c) == std::string_view::npos) return false;
  }
  return letters >= 2;
}

// Takes "[code]" or "(code)" off the end of a message.
void TakeTrailingCode(DiagnosticText& diagnostic) {
  std::string_view message = TrimRight(diagnostic.message);
  if (message.size() > 3 && (message.back() == ']' || message.back() == ')')) {
    size_t open = message.rfind(message.back() == ']' ? '[' : '(');
    if (open != std::string_view::npos && open > 0 && IsBlank(message[open - 1])) {
      std::string_view word = message.substr(open + 1, message.size() - open - 2);
      if (IsRuleWord(word)) {
        if (diagnostic.code.empty()) diagnostic.code = word;
        message = TrimRight(message.substr(0, open));
      }
    }
  }
  diagnostic.message = message;
}

constexpr std::string_view kRule = "\xE2\x94\x81\xE2\x94\x81";  // a line drawn to the end of the screen

// What follows a place: a separator, a severity or a code, the message.
void ReadAfterPlace(std::string_view rest, DiagnosticText& diagnostic) {
  while (!rest.empty() && (rest.front() == ':' || rest.front() == '-' || IsBlank(rest.front()))) rest.remove_prefix(1);
  size_t length = 0;
  Severity severity = SeverityAt(rest, length);
  if (severity != Severity::kNone) {
    rest = rest.substr(length);
    if (rest.starts_with("[")) {
      size_t close = rest.find(']');
      if (close != std::string_view::npos) diagnostic.code = rest.substr(1, close - 1), rest = rest.substr(close + 1);
    }
    rest = TrimLeft(rest);
    if (size_t code = CodeLength(rest); code > 0 && code < rest.size() && rest[code] == ':') {
      diagnostic.code = rest.substr(0, code);
      rest = rest.substr(code);
    }
    while (!rest.empty() && (rest.front() == ':' || IsBlank(rest.front()))) rest.remove_prefix(1);
  } else if (size_t code = CodeLength(rest); code > 0) {
    diagnostic.code = rest.substr(0, code);
    severity = Severity::kWarning;
    if (rest.front() == 'E' || rest.front() == 'F') severity = Severity::kError;
    rest = rest.substr(code);
    while (!rest.empty() && (rest.front() == ':' || IsBlank(rest.front()))) rest.remove_prefix(1);
  } else if (rest.ends_with(kRule)) {  // biome: "a.js:7:3 lint/suspicious/noDebugger  FIXABLE  ━━━", the message below
    const size_t end = rest.find(' ');
    diagnostic.severity = Severity::kError;
    diagnostic.code = diagnostic.message = rest.substr(0, end);
    diagnostic.message_below = true;
    return;
  } else if (rest.starts_with("undefined reference") || rest.starts_with("multiple definition")) {
    severity = Severity::kError;
  }
  diagnostic.severity = severity;
  diagnostic.message = rest;
  TakeTrailingCode(diagnostic);
}

bool ReadHeadOfMessage(std::string_view text, DiagnosticText& diagnostic) {
  const Word* row = FindByFirstByte(kHeadBytes, kHeadsOfMessages, text,
                                    [&](const Word& candidate) { return Begins(text, candidate.word); });
  if (row == nullptr) return false;
  diagnostic.severity = row->severity;
  diagnostic.message_below = true;
  std::string_view rest = text.substr(row->word.size());
  if (row->word.ends_with("n ") || row->word.ends_with("t ")) {  // "in ./a.js 1:2-3", "at CMakeLists.txt:3 (f):"
    size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    if (end + 1 < rest.size() && IsDigit(rest[end + 1]))
      end = std::min(rest.find_first_of(" \t", end + 1), rest.size());
    diagnostic.place = rest.substr(0, end);
  }
  diagnostic.message = row->word;
  return true;
}

constexpr auto kBeforeSeverity = TextTable("CMake ", "[", "\xE2\x9C\x98 [", "e: ", "w: ", "npm ");

// "error[E0053]: message", "warning: message", "ERROR in ./a.js 1:2-3", "CMake Error at CMakeLists.txt:3 (f):".
bool ReadUnplaced(std::string_view text, DiagnosticText& diagnostic) {
  size_t length = 0;
  std::string_view rest = text;
  for (std::string_view before : kBeforeSeverity) {
    if (Begins(rest, before) && before.size() > 1) rest.remove_prefix(before.size());
  }
  Severity severity = SeverityAt(rest, length);
  if (Begins(text, "e: ")) severity = Severity::kError, length = 0;
  if (Begins(text, "w: ")) severity = Severity::kWarning, length = 0;
  if (severity == Severity::kNone) return false;
  std::string_view after = rest.substr(length);
  bool form = length == 0 || after.starts_with(":") || after.starts_with("[") || after.starts_with("]") ||
              after.starts_with(" in ") || after.starts_with(" at ");
  if (!form) return false;
  diagnostic.severity = severity;
  if (after.starts_with("[")) {
    size_t close = after.find(']');
    if (close == std::string_view::npos) return false;
    diagnostic.code = after.substr(1, close - 1);
    after = after.substr(close + 1);
  }
  while (!after.empty() && (after.front() == ':' || after.front() == ']' || IsBlank(after.front())))
    after.remove_prefix(1);
  if (after.starts_with("in ") || after.starts_with("at ")) {
    std::string_view where = after.substr(3);
    size_t end = where.find_first_of(" \t");
    size_t second = end == std::string_view::npos ? end : where.find_first_of(" \t", end + 1);
    bool placed = end != std::string_view::npos && end + 1 < where.size() && IsDigit(where[end + 1]);
    diagnostic.place = placed ? where.substr(0, second) : where.substr(0, end);
  }
  if (size_t code = CodeLength(after); code > 0 && after.substr(code).starts_with(":"))
    diagnostic.code = after.substr(0, code);
  diagnostic.message = after;
  diagnostic.placed_below = diagnostic.place.empty();
  TakeTrailingCode(diagnostic);
  return true;
}

// "main.c:(.text+0xf): undefined reference to `twice'", "ld: cannot find -lfoo".
bool ReadLinker(std::string_view body, DiagnosticText& diagnostic) {
  if (body.find(":(") == std::string_view::npos && !body.starts_with("ld") && !body.starts_with("/usr/bin/"))
    return false;
  for (std::string_view fault :
       {"undefined reference to ", "multiple definition of ", "cannot find -l", "undefined symbol: "}) {
    size_t at = body.find(fault);
    if (at == std::string_view::npos || at < 2) continue;
    if (body[at - 1] != ' ' || (body[at - 2] != ':' && !body.starts_with("ld"))) continue;
    std::string_view before = TrimRight(body.substr(0, at - 1));
    if (before.ends_with(":")) before.remove_suffix(1);
    diagnostic.severity = Severity::kError;
    diagnostic.place = before.substr(before.find_last_of(' ') + 1);
    diagnostic.message = body.substr(at);
    return true;
  }
  return false;
}

// Rollup's `src/a.js (1:94): message`.
bool ReadPlaceInBrackets(std::string_view body, DiagnosticText& diagnostic) {
  size_t open = body.find(" (");
  if (open == std::string_view::npos || open == 0 ||
      body.substr(0, open).find_first_of(" \t:") != std::string_view::npos)
    return false;
  size_t line = Digits(body, open + 2);
  size_t colon = open + 2 + line;
  if (line == 0 || colon >= body.size() || body[colon] != ':') return false;
  size_t end = colon + 1 + Digits(body, colon + 1);
  if (!body.substr(end).starts_with("): ")) return false;
  diagnostic.severity = Severity::kError;
  diagnostic.place = body.substr(0, end + 1);
  diagnostic.message = body.substr(end + 3);
  return true;
}

// ESLint's rows: "  12:5  error  message  rule-name".
bool ReadRow(std::string_view body, bool indented, DiagnosticText& diagnostic) {
  size_t line = Digits(body, 0);
  if (!indented || line == 0 || line >= body.size() || body[line] != ':') return false;
  size_t column = Digits(body, line + 1);
  size_t end = line + 1 + column;
  if (column == 0 || end >= body.size() || !IsBlank(body[end])) return false;
  std::string_view rest = TrimLeft(body.substr(end));
  size_t length = 0;
  Severity severity = SeverityAt(rest, length);
  if (severity == Severity::kNone || length >= rest.size() || !IsBlank(rest[length])) return false;
  diagnostic.severity = severity;
  diagnostic.place = body.substr(0, end);
  rest = TrimRight(TrimLeft(rest.substr(length)));
  size_t gap = rest.rfind("  ");
  if (gap != std::string_view::npos && IsRuleWord(rest.substr(gap + 2))) {
    diagnostic.code = rest.substr(gap + 2);
    rest = TrimRight(rest.substr(0, gap));
  }
  diagnostic.message = rest;
  return true;
}

bool HasCount(std::string_view text) {
  size_t digits = Digits(text, 0);
  if (digits == 0 || digits + 1 >= text.size() || text[digits] != ' ') return false;
  std::string_view word = text.substr(digits + 1);
  size_t end = 0;
  while (end < word.size() && !IsBlank(word[end]) && word[end] != ',' && word[end] != ';' && word[end] != '.') ++end;
  word = word.substr(0, end);
  for (std::string_view known : kCounted)
    if (word == known) return true;
  return false;
}

constexpr auto kArrows = TextTable("--> ", "::: ", "\xE2\x95\xAD\xE2\x94\x80[");
constexpr auto kBeforePlace =
    TextTable("[ERROR] ", "[WARNING] ", "vet: ", "e: ", "w: ", "ld: ", "/usr/bin/ld: ", "::error ");

}  // namespace

size_t DiagnosticPlaceLength(std::string_view text) {
  size_t at = 0;
  bool pathlike = false;
  if (text.size() > 3 && IsLetter(text[0]) && text[1] == ':' && (text[2] == '\\' || text[2] == '/')) at = 2;  // C:\a.c
  while (at < text.size() && !IsBlank(text[at]) && text[at] != ':' && text[at] != '(' && text[at] != '"') {
    pathlike |= text[at] == '.' || text[at] == '/' || text[at] == '\\' ||
                (text[at] == 'M' && text.substr(at).starts_with("Makefile"));
    ++at;
  }
  if (!pathlike || at == 0 || at + 1 >= text.size()) return 0;
  if (text[at] == '(') {
    size_t line = Digits(text, at + 1);
    size_t end = at + 1 + line;
    while (line > 0 && end < text.size() && (IsDigit(text[end]) || text[end] == ',' || text[end] == '-')) ++end;
    return line > 0 && end < text.size() && text[end] == ')' ? end + 1 : 0;
  }
  if (text[at] != ':') return 0;
  if (text[at + 1] == '[') {
    size_t line = Digits(text, at + 2);
    size_t close = text.find(']', at + 2);
    return line > 0 && close != std::string_view::npos && close < at + 24 ? close + 1 : 0;
  }
  size_t line = Digits(text, at + 1);
  if (line == 0) return 0;
  size_t end = at + 1 + line;
  if (end + 1 < text.size() && text[end] == ':' && IsDigit(text[end + 1])) end += 1 + Digits(text, end + 1);
  return end;
}

DiagnosticText ReadDiagnostic(std::string_view line) {
  DiagnosticText diagnostic;
  std::string_view text = TrimRight(line.substr(0, 4096));
  std::string_view body = TrimLeft(text);
  bool indented = body.size() != text.size();
  if (body.empty()) return diagnostic;
  for (std::string_view arrow : kArrows) {
    if (!Begins(body, arrow)) continue;
    size_t place = DiagnosticPlaceLength(body.substr(arrow.size()));
    if (place == 0) break;
    diagnostic.place = body.substr(arrow.size(), place);
    diagnostic.arrow = arrow != "::: ";
    return diagnostic;
  }
  for (std::string_view before : kBeforePlace) {
    if (!Begins(body, before)) continue;
    size_t place = DiagnosticPlaceLength(body.substr(before.size()));
    if (place == 0) continue;
    diagnostic.place = body.substr(before.size(), place);
    ReadAfterPlace(body.substr(before.size() + place), diagnostic);
    if (diagnostic.severity == Severity::kNone) {
      diagnostic.severity = before.starts_with("[W") || before.starts_with("w") ? Severity::kWarning : Severity::kError;
    }
    return diagnostic;
  }
  size_t place = DiagnosticPlaceLength(body);
  if (place > 0) {
    diagnostic.place = body.substr(0, place);
    ReadAfterPlace(body.substr(place), diagnostic);
    return diagnostic;
  }
  bool bracket = body.find('(') != std::string_view::npos || Begins(body, "ld") || Begins(body, "/usr/bin/");
  if (bracket && (ReadLinker(body, diagnostic) || ReadPlaceInBrackets(body, diagnostic))) return diagnostic;
  if (ReadRow(body, indented, diagnostic)) return diagnostic;
  if (!indented && !ReadHeadOfMessage(body, diagnostic)) ReadUnplaced(body, diagnostic);
  return diagnostic;
}

BuildRole ReadBuildRole(std::string_view line) {
  std::string_view body = TrimLeft(TrimRight(line));
  if (body.empty()) return BuildRole::kOther;
  if (HasCount(body)) return BuildRole::kTotals;
  if (Begins(body, "warning: `") && body.find(" generated ") != std::string_view::npos) return BuildRole::kTotals;
  if (body.front() == '[' && body.size() > 4 && (IsDigit(body[1]) || body[1] == ' ')) {  // [1/7], [ 12%]
    size_t close = body.find(']');
    // A number alone is the place of a row: "[ 3] .text" of readelf.
    const bool counts = close != std::string_view::npos && close < 12 && body.find_first_of("/%", 1) < close;
    if (counts) return BuildRole::kProgress;
  }
  if (IsDigit(body.front()) || Begins(body, "webpack")) {
    const size_t webpack = body.find("webpack");
    if (webpack != std::string_view::npos && body.find(" compiled ", webpack) != std::string_view::npos) {
      return BuildRole::kTotals;
    }
  }
  if (body.front() == '[' &&
      (body.find("BUILD FAILURE") != std::string_view::npos || body.find("BUILD SUCCESS") != std::string_view::npos)) {
    return BuildRole::kTotals;
  }
  const Start* row =
      FindByFirstByte(kStartBytes, kStarts, body, [&](const Start& candidate) { return Begins(body, candidate.text); });
  return row == nullptr ? BuildRole::kOther : row->role;
}

}  // namespace pith
