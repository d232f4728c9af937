#include "compact/records/columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace pith {
namespace {

constexpr uint32_t kErrorRows = 8;  // of one template that are shown while there is room

bool IsWhole(std::string_view text) {
  size_t at = text.starts_with('-') ? 1 : 0;
  if (text.size() > 17 || text.size() == at) return false;
  for (; at < text.size(); ++at)
    if (text[at] < '0' || text[at] > '9') return false;
  return true;
}

constexpr std::array<std::string_view, kNoName> kNames = {"name",  "path", "title", "key", "method", "identifier",
                                                          "label", "slug", "file",  "url", "id",     "_id"};

constexpr std::string_view kErrorKeys[] = {"error",   "errors", "err",           "exception",
                                           "failure", "fault",  "error_message", "errormessage"};
constexpr std::string_view kSuccessKeys[] = {"ok", "success", "succeeded", "passed", "healthy", "valid", "ready"};
constexpr std::string_view kStatusKeys[] = {"status", "statuscode", "status_code", "http_status", "code"};

constexpr size_t kFewValues = 6;
constexpr size_t kValueShown = 40;
constexpr size_t kMostTemplates = 4096;
constexpr size_t kLongNumber = 64;  // bytes; longer ones are not compared

std::string Shown(std::string_view text) {
  if (text.empty()) return "(empty)";
  if (text.size() <= kValueShown) return std::string(text);
  size_t cut = kValueShown - 4;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return std::string(text.substr(0, cut)) + (text.front() == '"' ? "...\"" : "...");
}

std::string ValuesText(const ValueCounts& counts, const TextAt& text_at) {
  std::vector<ValueCounts::Entry> entries = counts.entries;
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  std::string out;
  for (size_t i = 0; i < entries.size() && i < kFewValues; ++i) {
    if (i > 0) out += ", ";
    out += Shown(text_at(entries[i].where)) + " " + std::to_string(entries[i].count);
  }
  if (entries.size() == kFewValues + 1) out += ", 1 other value";
  if (entries.size() > kFewValues + 1) out += ", " + std::to_string(entries.size() - kFewValues) + " other values";
  return out;
}

constexpr std::array<std::string_view, 38> kPlaces = {
    "id",    "_id",     "uid",  "gid",    "pid", "ppid",    "year",     "port",     "line",        "column",
    "col",   "row",     "lat",  "lon",    "lng", "seq",     "rank",     "latitude", "longitude",   "index",
    "idx",   "version", "code", "status", "zip", "zipcode", "zip_code", "postcode", "postal_code", "postalcode",
    "phone", "tel",     "fax",  "isbn",   "ean", "upc",     "epoch",    "ts"};

// Numbers under such a key say which, where or when, not how much: their sum says nothing.
bool NamesItsRow(std::string_view label) {
  const std::string_view key = label.substr(label.rfind('.') + 1);
  if (KeyIs(key, kPlaces) || key.ends_with("_id") || key.ends_with("-id") || key.ends_with("_ID") ||
      key.ends_with("Id")) {
    return true;
  }
  return key.size() > 2 && key.ends_with("ID") && key[key.size() - 3] >= 'a' && key[key.size() - 3] <= 'z';
}

// Moments from 2000 to 2100, in seconds since 1970 or thousandths, millionths, billionths of them.
bool AreTimes(const NumberStats& numbers) {
  constexpr double kFirst = 946684800, kLast = 4102444800;
  for (double unit : {1.0, 1e3, 1e6, 1e9}) {
    if (numbers.minimum >= kFirst * unit && numbers.maximum <= kLast * unit) return true;
  }
  return false;
}

}  // namespace

int SeenTemplates::See(uint64_t hash, int first, int again) {
  if (counts_.size() >= kMostTemplates && !counts_.contains(hash)) return 0;
  uint32_t count = ++counts_[hash];
  if (count == 1) return first;
  if (first == RowPriority::kError) return count <= kErrorRows ? RowPriority::kErrorAgain : 0;
  return count <= 3 ? again : 0;
}

std::string ColumnText(std::string_view label, uint64_t present, uint64_t rows, uint64_t values,
                       const ValueCounts& counts, const NumberStats& numbers, const TextAt& text_at) {
  std::string out(label);
  if (present < rows) out += " (in " + std::to_string(present) + ")";
  if (!counts.many && counts.entries.size() == 1 && counts.entries[0].count == rows) {
    return out + "=" + Shown(text_at(counts.entries[0].where));
  }
  bool are_numbers = numbers.count * 2 > values;
  bool few = !counts.many && counts.entries.size() * 2 <= values;
  if (few && (!are_numbers || counts.entries.size() <= kFewValues)) return out + " " + ValuesText(counts, text_at);
  if (!are_numbers || !numbers.ranged) return "";
  out += " " + std::string(text_at(numbers.least)) + ".." + std::string(text_at(numbers.greatest));
  const bool scale = numbers.even && numbers.count >= kEnoughValues;  // seconds of a series, rows counted up
  const bool adds_up = !scale && !NamesItsRow(label) && !AreTimes(numbers);
  if (numbers.exact_sum.exact() && adds_up) out += " sum " + numbers.exact_sum.Text();
  if (numbers.negative > 0 && uint64_t{numbers.negative} * kRareShare <= numbers.count) {
    out += ", " + std::to_string(numbers.negative) + " negative";
  }
  const uint64_t others = values - numbers.count;
  if (others > 0) out += ", " + std::to_string(others) + (others == 1 ? " is no number" : " are no numbers");
  return out;
}

void ValueCounts::Count(std::string_view text, uint32_t where) {
  if (many) return;
  uint64_t hash = HashText(text);
  for (Entry& entry : entries) {
    if (entry.hash == hash) {
      ++entry.count;
      return;
    }
  }
  if (entries.size() == kMost)
    many = true;
  else
    entries.push_back({hash, where, 1});
}

const ValueCounts::Entry* ValueCounts::Find(uint64_t hash) const {
  for (const Entry& entry : entries)
    if (entry.hash == hash) return &entry;
  return nullptr;
}

// Rounding to a double keeps the order of what it does not make equal: only equals are compared as they are written.
void NumberStats::CountRange(double value, std::string_view text, uint32_t where) {
  auto differs = [&](const std::string& other) { return text != other ? CompareDecimals(text, other) : 0; };
  if (count == 0 || value < minimum || (value == minimum && differs(least_text) < 0)) {
    minimum = value, least = where;
    least_text = text;
  }
  if (count == 0 || value > maximum || (value == maximum && differs(greatest_text) > 0)) {
    maximum = value, greatest = where;
    greatest_text = text;
  }
}

void NumberStats::CountStep(double value) {
  constexpr double kNear = 1e-6;  // of a step: what rounding to a double leaves
  const double step = value - last_;
  if (count == 1) step_ = step;
  if (count >= 1) even = even && step > 0 && std::abs(step - step_) <= kNear * step_;
  last_ = value;
}

void NumberStats::Count(std::string_view text, uint32_t where) {
  double value;
  if (const std::optional<ShortDecimal> number = ReadShortDecimal(text)) {
    value = number->Value();
    exact_sum.Add(*number);
  } else {
    if (text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return;  // NaN, Infinity
    if (text.size() > kLongNumber) {
      ranged = false;
      return;
    }
    value = NumberValue(text);
    exact_sum.Add(text);
  }
  CountRange(value, text, where);
  CountStep(value);
  ++count;
  negative += value < 0;
  if (!std::isfinite(value)) return;
  sum += value;
  squares += value * value;
}

bool NumberStats::CountNumber(std::string_view text, uint32_t where) {
  if (text.empty() || (text[0] > '9' || (text[0] < '0' && text[0] != '-' && text[0] != '.'))) return false;
  if (text.size() > kLongNumber) {
    if (text.find_first_not_of("0123456789+-.eE") == std::string_view::npos) ranged = false;
    return false;
  }
  if (IsWhole(text) ? text.size() > 1 && text[0] == '0' : !IsNumber(text)) return false;
  Count(text, where);
  return true;
}

double NumberStats::Deviation() const {
  return count == 0 ? 0 : std::sqrt(std::max(0.0, squares / count - Mean() * Mean()));
}

double NumberStats::Away(double value) const {
  double deviation = Deviation();
  return deviation == 0 ? 0 : std::abs(value - Mean()) / deviation;
}

uint64_t HashText(std::string_view text) {
  uint64_t hash = 0x9E3779B97F4A7C15ull ^ text.size();
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    hash = (hash ^ word) * 0xFF51AFD7ED558CCDull;
    hash ^= hash >> 32;
  }
  uint64_t rest = 0;
  for (size_t i = at; i < text.size(); ++i) rest = (rest << 8) | static_cast<unsigned char>(text[i]);
  hash = (hash ^ rest) * 0xC4CEB9FE1A85EC53ull;
  return hash ^ (hash >> 29);
}

uint64_t MaskedHash(std::string_view text) {
  std::string masked;
  for (char c : text.substr(0, 200)) {
    bool digit = c >= '0' && c <= '9';
    if (digit && !masked.empty() && masked.back() == '0') continue;
    masked += digit ? '0' : c;
  }
  return HashText(masked);
}

uint64_t MixHashes(uint64_t a, uint64_t b) {
  return (a ^ (b + 0x9E3779B97F4A7C15ull + (a << 6))) * 0xFF51AFD7ED558CCDull;
}

double NumberValue(std::string_view text) {
  if (const std::optional<ShortDecimal> number = ReadShortDecimal(text)) return number->Value();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc::result_out_of_range) return value;
  bool small = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
  double far = small ? 0 : std::numeric_limits<double>::infinity();
  return text.starts_with('-') ? -far : far;
}

bool IsNumber(std::string_view text) {
  if (text.empty() || text.size() > kLongNumber) return false;
  char first = text[0];
  if (first != '-' && first != '.' && (first < '0' || first > '9')) return false;
  if (IsWhole(text)) return text.size() == 1 || text[0] != '0';  // "007" is a name
  double value = 0;
  auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec != std::errc::invalid_argument && result.ptr == text.data() + text.size();  // 1e400 is one
}

bool IsRareValue(uint32_t count, uint64_t values, const ValueCounts& counts, const NumberStats& numbers) {
  if (counts.many || values < kEnoughValues || uint64_t{count} * kRareShare > values) return false;
  return numbers.count * 2 <= values || counts.entries.size() <= kFewValues;
}

bool KeyIs(std::string_view key, std::span<const std::string_view> names) {
  for (std::string_view name : names) {
    if (key.size() != name.size()) continue;
    if (std::equal(key.begin(), key.end(), name.begin(), [](char a, char b) { return (a | 0x20) == b || a == b; }))
      return true;
  }
  return false;
}

size_t NameRank(std::string_view key) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (KeyIs(key, std::span(&kNames[i], 1))) return i;
  return kNoName;
}

size_t NamePathRank(std::string_view path) {
  size_t depth = static_cast<size_t>(std::count(path.begin(), path.end(), '.'));
  size_t rank = NameRank(path.substr(path.rfind('.') + 1));
  return rank == kNoName ? kNoName + depth : std::min(rank + 4 * depth, kNoName - 1);
}

bool MaySayError(std::string_view key) {
  return KeyIs(key, kErrorKeys) || KeyIs(key, kSuccessKeys) || KeyIs(key, kStatusKeys);
}

bool SaysError(std::string_view key, std::string_view text, bool quoted) {
  if (KeyIs(key, kErrorKeys)) {
    if (quoted || text.empty()) return !text.empty();
    return text != "null" && text != "false" && text != "0" && text != "none" && text != "{}" && text != "[]";
  }
  if (text == "false") return KeyIs(key, kSuccessKeys);
  return text.size() == 3 && text[0] == '5' && KeyIs(key, kStatusKeys);
}

}  // namespace pith
