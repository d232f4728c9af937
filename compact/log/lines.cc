// Loggers agree on little: where the time stands, how it is written, how a level is called. But nearly all of them put
// a time of day (03:04:05), a date (2026-01-02, 17/06/09, 081109 203615), or seconds since something ([    1.234567],
// 15.987:, 1117838570) near the start, and that is what is looked for, not one format after the other.
#include "compact/log/lines.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "compact/characters.h"

namespace pith {
namespace {

constexpr size_t kTimeWithin = 48;    // bytes: docker compose, BGL and others put a name before the time
constexpr size_t kLevelWithin = 120;  // bytes
constexpr size_t kMostRead = 160;

using ascii::IsDigit;
using ascii::IsLetter;

size_t DigitsAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsDigit(text[end])) ++end;
  return end - at;
}

// dd:dd:dd
bool IsClockAt(std::string_view text, size_t at) {
  return at + 8 <= text.size() && DigitsAt(text, at) == 2 && text[at + 2] == ':' && DigitsAt(text, at + 3) == 2 &&
         text[at + 5] == ':' && DigitsAt(text, at + 6) == 2;
}

// dddd-dd-dd and dd/dd/dd with one separator of - / .
bool IsDateAt(std::string_view text, size_t at) {
  const size_t year = DigitsAt(text, at);
  if ((year != 4 && year != 2) || at + year + 6 > text.size()) return false;
  const char separator = text[at + year];
  if (separator != '-' && separator != '/' && !(separator == '.' && year == 4)) return false;
  return DigitsAt(text, at + year + 1) == 2 && text[at + year + 3] == separator && DigitsAt(text, at + year + 4) == 2;
}

bool HasTime(std::string_view text) {
  const std::string_view head = text.substr(0, kTimeWithin);
  for (size_t at = 0; at < head.size();) {
    const size_t digits = DigitsAt(head, at);
    if (digits == 0) {
      ++at;
      continue;
    }
    if (digits == 2 && IsClockAt(text, at)) return true;
    if ((digits == 4 || (digits == 2 && at < 2)) && IsDateAt(text, at)) return true;
    at += digits;
  }
  const size_t bracket = head.starts_with('[') ? 1 : 0;  // [    1.234567] and 15.987: and 1117838570.123
  size_t start = bracket;
  while (bracket == 1 && start < head.size() && head[start] == ' ') ++start;
  const size_t whole = DigitsAt(head, start);
  const size_t point = start + whole;
  if (whole == 0 || point + 1 >= head.size()) return false;
  const size_t fraction = head[point] == '.' ? DigitsAt(head, point + 1) : 0;
  const char after = fraction > 0 && point + 1 + fraction < head.size() ? head[point + 1 + fraction] : '\0';
  if (fraction >= 3 && ((bracket == 1 && after == ']') || after == ':' || whole == 10)) return true;
  return whole == 6 && head[point] == ' ' && DigitsAt(head, point + 1) == 6;  // 081109 203615
}

constexpr auto kLevels = std::to_array<std::string_view>(
    {"TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL", "SEVERE", "FINE", "VERBOSE"});

char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

bool IsLevelName(std::string_view word) {
  return std::any_of(kLevels.begin(), kLevels.end(), [&](std::string_view level) {
    return level.size() == word.size() &&
           std::equal(level.begin(), level.end(), word.begin(), [](char a, char b) { return a == Upper(b); });
  });
}

// A level in capitals as a word of its own, or of any case in brackets, quotes or after a key.
bool HasLevel(std::string_view text) {
  const std::string_view head = text.substr(0, kLevelWithin);
  for (size_t at = 0; at < head.size();) {
    if (!IsLetter(head[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < head.size() && (IsLetter(head[end]) || IsDigit(head[end]) || head[end] == '_')) ++end;
    const std::string_view word = head.substr(at, end - at);
    if (word.size() >= 4 && word.size() <= 8 && IsLevelName(word)) {
      const bool capitals = std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
      const char before = at > 0 ? head[at - 1] : ' ';
      if (capitals || before == '[' || before == '=' || before == '"' || before == '<') return true;
    }
    const char next = end < head.size() ? head[end] : '\0';
    if ((word == "level" || word == "severity" || word == "lvl") && (next == '=' || next == '"')) return true;
    at = end;
  }
  const bool glog = text.size() > 8 && (text[0] == 'I' || text[0] == 'W' || text[0] == 'E' || text[0] == 'F') &&
                    DigitsAt(text, 1) == 4 && text[5] == ' ';
  return glog;
}

// "127.0.0.1 - - [30/Nov/2026:11:32:02 +0000] \"GET ..."
bool IsAccessRecord(std::string_view text) {
  const size_t bracket = text.substr(0, 120).find(" [");
  if (bracket == std::string_view::npos || bracket + 14 > text.size()) return false;
  return DigitsAt(text, bracket + 2) == 2 && text[bracket + 4] == '/' && text[bracket + 8] == '/';
}

bool IsNativeFrame(std::string_view text) {
  const size_t digits = DigitsAt(text, 0);
  if (digits == 0 || digits > 3 || digits + 4 > text.size() || text[digits] != ' ') return false;
  const size_t address = text.substr(0, kMostRead).find("0x");
  return address != std::string_view::npos && address > digits + 3 && text[address - 1] <= ' ';
}

}  // namespace

LogLine ReadLogLine(std::string_view text) {
  text = text.substr(0, kMostRead);
  LogLine line;
  line.access = IsAccessRecord(text);
  line.timed = line.access || HasTime(text);
  line.levelled = HasLevel(text);
  line.native_frame = IsNativeFrame(text);
  return line;
}

}  // namespace pith
