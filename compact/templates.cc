// How a line becomes a template, and how templates are counted.
//
// Published miners of log templates (Drain and its kin) keep trees of tokens and compare each line with candidates.
// Here a line is hashed once, from digit to digit: what lies between two masked parts goes into the hash eight bytes at
// a time, and a masked part (a digit and all letters and digits around it, with everything of the kind joined to it by
// one of . : - / _ +) goes in as nothing but its place. So 10.0.0.1:443, 2026-01-02T03:04:05.678Z, 0x7f3a, a uuid and a
// version are each one masked part. Names of months and days beside a number are part of it.
//
// What it costs: ids without a digit in them make templates of their own. That errs towards showing more.
#include "compact/templates.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "compact/characters.h"

namespace pith {
namespace {

enum Class : uint8_t { kOther = 0, kLetter = 1, kDigit = 2, kBlank = 4, kJoiner = 8 };

constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[static_cast<size_t>(c)] = classes[static_cast<size_t>(c - 32)] = kLetter;
  for (int c = '0'; c <= '9'; ++c) classes[static_cast<size_t>(c)] = kDigit;
  classes[' '] = classes['\t'] = kBlank;
  for (char c : {'.', ':', '-', '/', '_', '+'}) classes[static_cast<size_t>(c)] = kJoiner;
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

uint8_t ClassOf(char c) { return kClasses[static_cast<unsigned char>(c)]; }
bool IsWordByte(char c) { return (ClassOf(c) & (kLetter | kDigit)) != 0; }
using ascii::IsUpper;
bool IsHexLetter(char c) { return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

uint64_t Mix(uint64_t hash, uint64_t value) {
  const uint64_t product = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return product ^ (product >> 29);
}

uint64_t Add(uint64_t hash, std::string_view bytes) {
  size_t at = 0;
  uint64_t word = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::memcpy(&word, bytes.data() + at, 8);
    hash = Mix(hash, word);
  }
  word = 0;
  if (at < bytes.size()) std::memcpy(&word, bytes.data() + at, bytes.size() - at);
  return Mix(hash + bytes.size(), word);
}

constexpr std::string_view kCalendar = "JanFebMarAprMayJunJulAugSepOctNovDecMonTueWedThuFriSatSun";

bool IsCalendarName(std::string_view text) {
  if (text.size() != 3 || !IsUpper(text[0])) return false;
  for (size_t i = 0; i < kCalendar.size(); i += 3) {
    if (kCalendar.substr(i, 3) == text) return true;
  }
  return false;
}

// The part of a line that stands for itself, from `from`, ends where this says, given that a digit stands at `digit`:
// before the word of the digit, a month or a day before that, and blanks.
size_t KeptUntil(std::string_view line, size_t from, size_t digit) {
  size_t end = digit;
  while (end > from && ClassOf(line[end - 1]) == kLetter) --end;
  if (end > from && (line[end - 1] == '-' || line[end - 1] == '+')) --end;
  auto skip_blanks = [&] {
    while (end > from && (ClassOf(line[end - 1]) == kBlank || line[end - 1] == ',')) --end;
  };
  skip_blanks();
  while (end >= from + 3 && IsCalendarName(line.substr(end - 3, 3)) &&
         (end == from + 3 || !IsWordByte(line[end - 4]))) {
    end -= 3;
    skip_blanks();
  }
  return end;
}

// Where the masked part ends whose digit stands at `digit`: the rest of its word, and further words joined to it that
// hold digits, hexadecimal letters or a month, also behind words of one or two letters (R23-M0-NE-C:J05).
size_t MaskedUntil(std::string_view line, size_t digit) {
  const size_t size = line.size();
  size_t at = digit;
  while (at < size && IsWordByte(line[at])) ++at;
  for (size_t next = at; next < size;) {
    const bool joined = ClassOf(line[next]) == kJoiner;
    if (!joined && !(line[next] == ',' && next + 1 < size && ClassOf(line[next + 1]) == kDigit)) break;
    const bool separated = line[next] == '-' || line[next] == ':';
    const size_t word = ++next;
    bool digits = false, hex = true;
    while (next < size && IsWordByte(line[next])) {
      const bool is_digit = ClassOf(line[next]) == kDigit;
      digits = digits || is_digit;
      hex = hex && (is_digit || IsHexLetter(line[next]));
      ++next;
    }
    const size_t length = next - word;
    if (digits || (hex && length >= 2 && separated) || IsCalendarName(line.substr(word, length))) {
      at = next;
    } else if (!separated || length == 0 || length > 2) {
      break;
    }
  }
  return at;
}

// A number that says what happened: an HTTP status after its request or version, a diagnostic's code.
bool SaysWhatHappened(std::string_view line, size_t begin, size_t end) {
  const std::string_view text = line.substr(begin, end - begin);
  if (text.size() == 3 && ClassOf(text[0]) == kDigit) {
    if (begin >= 2 && line[begin - 1] == ' ' && line[begin - 2] == '"') return true;
    const std::string_view before = line.substr(0, begin);
    return before.ends_with("HTTP/1.1 ") || before.ends_with("HTTP/2 ") || before.ends_with("HTTP/1.0 ") ||
           before.ends_with("status=") || before.ends_with("status\":") || before.ends_with("status: ");
  }
  if (!IsUpper(text[0]) || text.size() < 4 || text.size() > 8 || end >= line.size()) return false;
  size_t letters = 0;
  while (letters < text.size() && IsUpper(text[letters])) ++letters;
  const bool coded = letters <= 4 && std::all_of(text.begin() + static_cast<std::ptrdiff_t>(letters), text.end(),
                                                 [](char c) { return ClassOf(c) == kDigit; });
  return coded && text.size() - letters >= 3 && (line[end] == ':' || line[end] == ']');
}

constexpr size_t kLongestName = 32;
constexpr size_t kDigitsOfName = 4;  // more are an id

// A name that is told apart by a few digits: its word begins with a letter, or is joined to one that does.
bool IsName(std::string_view line, size_t word, size_t end) {
  size_t begin = word;
  while (begin > 0 && end - begin < kLongestName &&
         (IsWordByte(line[begin - 1]) || line[begin - 1] == '-' || line[begin - 1] == '_')) {
    --begin;
  }
  if (ClassOf(line[begin]) != kLetter || end - begin >= kLongestName) return false;
  const std::string_view name = line.substr(begin, end - begin);
  return std::count_if(name.begin(), name.end(), [](char c) { return ClassOf(c) == kDigit; }) <=
         static_cast<std::ptrdiff_t>(kDigitsOfName);
}

template <bool keep_names = false>
uint64_t AddPlain(uint64_t hash, std::string_view line) {
  size_t from = 0, at = 0;
  while (at < line.size()) {
    if (ClassOf(line[at]) != kDigit) {
      ++at;
      continue;
    }
    size_t word = at;
    while (word > from && ClassOf(line[word - 1]) == kLetter) --word;
    const size_t end = MaskedUntil(line, at);
    if (SaysWhatHappened(line, word, end) || (keep_names && IsName(line, word, end))) {
      at = end;
      continue;
    }
    hash = Add(hash, line.substr(from, KeptUntil(line, from, at) - from));
    at = end;
    while (at < line.size() && ClassOf(line[at]) == kBlank) ++at;
    from = at;
  }
  size_t end = line.size();
  while (end > from && ClassOf(line[end - 1]) == kBlank) --end;
  return Add(hash, line.substr(from, end - from));
}

constexpr uint64_t kSeed = 0x243f6a8885a308d3ull;

}  // namespace

uint64_t TemplateHash(std::string_view line) { return AddPlain(kSeed, line); }

uint64_t NamedTemplateHash(std::string_view line) { return AddPlain<true>(kSeed, line); }

size_t TimeEnd(std::string_view line) {
  constexpr size_t kNearStart = 48;
  size_t end = 0;
  for (size_t at = 0; at < std::min(line.size(), end == 0 ? kNearStart : end + 6); ++at) {
    if (ClassOf(line[at]) != kDigit) continue;
    const size_t part = MaskedUntil(line, at);
    const std::string_view text = line.substr(at, part - at);
    const bool time = text.find(':') != std::string_view::npos || std::count(text.begin(), text.end(), '-') == 2 ||
                      std::count(text.begin(), text.end(), '/') == 2 || text.find('.') != std::string_view::npos;
    if (time) end = part;
    if (!time && end != 0) break;
    at = part - (part > at);
  }
  return end;
}

namespace {

// True if the quote at `at` opens a value that is named by nothing but its place: open("x"), user 'alice', \"/etc\".
bool OpensQuoted(std::string_view line, size_t at) {
  const char before = at > 0 ? line[at - 1] : ' ';
  return before == ' ' || before == '(' || before == '\\' || before == '`' || before == '[';
}

size_t QuotedUntil(std::string_view line, size_t at) {
  const size_t close = line.substr(0, std::min(line.size(), at + 512)).find(line[at], at + 1);
  return close == std::string_view::npos ? at + 1 : close + 1;
}

bool EndsValue(char c) {
  return c == ' ' || c == '"' || c == '\'' || c == ',' || c == ';' || c == ')' || c == ']' || c == '>';
}

}  // namespace

uint64_t CoarseTemplateHash(std::string_view line) {
  std::array<char, 512> coarse;  // the line's first part with names and paths taken out
  size_t length = 0;
  for (size_t at = 0; at < line.size() && length + 1 < coarse.size();) {
    const char c = line[at];
    const char before = at > 0 ? line[at - 1] : ' ';
    const bool value =
        before == ' ' || before == '=' || before == '(' || before == '"' || before == '<' || before == '\'';
    if ((c == '"' || c == '\'') && OpensQuoted(line, at) && !line.substr(at + 1).starts_with("GET ")) {
      at = QuotedUntil(line, at);
    } else if ((c == '/' && value) || (before == '=' && IsWordByte(c)) || (c == '<' && before != '<')) {
      while (at < line.size() && !EndsValue(line[at])) ++at;
      if (c == '<' && at < line.size() && line[at] == '>') ++at;
    } else {
      coarse[length++] = c;
      ++at;
      continue;
    }
    coarse[length++] = '0';
  }
  return TemplateHash({coarse.data(), length});
}

TemplateTable::TemplateTable(uint64_t lines, size_t capacity)
    : rows_(std::bit_ceil(std::clamp<uint64_t>(2 * lines, kWays, std::max<uint64_t>(capacity, kWays)))),
      tags_(rows_.size()) {}

uint32_t TemplateTable::AddAt(uint64_t hash, uint32_t line) {
  const size_t set = SetOf(hash);
  const uint32_t tag = TagOf(hash);
  size_t place = set;
  for (; place < set + kWays && tags_[place] != 0; ++place) {  // rows of a set fill from the front
    if (tags_[place] != tag || rows_[place].hash != hash) continue;
    rows_[place].last = line;
    ++rows_[place].count;
    return static_cast<uint32_t>(place);
  }
  if (place == set + kWays) {
    const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(set);
    const auto least = std::min_element(first, first + kWays, [](const Template& a, const Template& b) {
      return a.count != b.count ? a.count < b.count : a.last < b.last;
    });
    place = static_cast<size_t>(least - rows_.begin());
    ++evicted_;
  }
  rows_[place] = Template{hash, line, line, 1};
  tags_[place] = tag;
  return static_cast<uint32_t>(place);
}

const Template* TemplateTable::Find(uint64_t hash) const {
  const size_t set = SetOf(hash);
  for (size_t place = set; place < set + kWays; ++place) {
    if (tags_[place] == TagOf(hash) && rows_[place].hash == hash) return &rows_[place];
  }
  return nullptr;
}

std::vector<Template> TemplateTable::InOrder() const {
  std::vector<Template> found;
  for (const Template& row : rows_) {
    if (row.count != 0) found.push_back(row);
  }
  std::sort(found.begin(), found.end(), [](const Template& a, const Template& b) { return a.first < b.first; });
  return found;
}

}  // namespace pith
