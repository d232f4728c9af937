#include "base/units.h"

#include <array>
#include <cstdio>
#include <limits>

namespace pith {
namespace {

struct Unit {
  std::string_view name;
  uint64_t factor;
};

constexpr std::array<Unit, 14> kByteUnits = {{{"", 1},
                                              {"b", 1},
                                              {"k", 1ull << 10},
                                              {"kb", 1ull << 10},
                                              {"kib", 1ull << 10},
                                              {"m", 1ull << 20},
                                              {"mb", 1ull << 20},
                                              {"mib", 1ull << 20},
                                              {"g", 1ull << 30},
                                              {"gb", 1ull << 30},
                                              {"gib", 1ull << 30},
                                              {"t", 1ull << 40},
                                              {"tb", 1ull << 40},
                                              {"tib", 1ull << 40}}};
constexpr std::array<Unit, 6> kTimeUnits = {{{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}}};

template <size_t N>
std::optional<uint64_t> ParseWithUnit(std::string_view text, const std::array<Unit, N>& units) {
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  std::optional<uint64_t> amount = ParseWhole(text.substr(0, digits));
  if (!amount) return std::nullopt;
  std::string name;
  for (char c : text.substr(digits)) {
    if (c == ' ' && name.empty()) continue;
    name += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  }
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    if (*amount > std::numeric_limits<uint64_t>::max() / unit.factor) return std::nullopt;
    return *amount * unit.factor;
  }
  return std::nullopt;
}

// Days since 1970-01-01 of a Gregorian date.
int64_t DaysOf(int64_t year, int64_t month, int64_t day) {
  if (month <= 2) --year;
  int64_t era = (year >= 0 ? year : year - 399) / 400;
  int64_t year_of_era = year - era * 400;
  int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

// Reads fixed-width digits; false if one is missing.
bool TakeDigits(std::string_view& text, size_t count, int64_t& value) {
  if (text.size() < count) return false;
  std::optional<uint64_t> number = ParseWhole(text.substr(0, count));
  if (!number) return false;
  value = static_cast<int64_t>(*number);
  text.remove_prefix(count);
  return true;
}
bool TakeByte(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<int64_t> ParseDate(std::string_view text) {
  int64_t year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (!TakeDigits(text, 4, year) || !TakeByte(text, '-') || !TakeDigits(text, 2, month) || !TakeByte(text, '-') ||
      !TakeDigits(text, 2, day)) {
    return std::nullopt;
  }
  if (!text.empty() && (TakeByte(text, 'T') || TakeByte(text, ' '))) {
    if (!TakeDigits(text, 2, hour) || !TakeByte(text, ':') || !TakeDigits(text, 2, minute)) return std::nullopt;
    if (TakeByte(text, ':') && !TakeDigits(text, 2, second)) return std::nullopt;
    if (TakeByte(text, '.')) {
      while (!text.empty() && text.front() >= '0' && text.front() <= '9') text.remove_prefix(1);
    }
    TakeByte(text, 'Z');
  }
  if (!text.empty() || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) {
    return std::nullopt;
  }
  return (DaysOf(year, month, day) * 86400 + hour * 3600 + minute * 60 + second) * 1000;
}

}  // namespace

std::optional<uint64_t> ParseWhole(std::string_view text) {
  if (text.empty()) return std::nullopt;
  uint64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    uint64_t digit = static_cast<uint64_t>(c - '0');
    if (value > (std::numeric_limits<uint64_t>::max() - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return value;
}

std::optional<uint64_t> ParseByteCount(std::string_view text) { return ParseWithUnit(text, kByteUnits); }

std::optional<int64_t> ParseSeconds(std::string_view text) {
  std::optional<uint64_t> seconds = ParseWithUnit(text, kTimeUnits);
  if (!seconds || *seconds > 100ull * 366 * 86400) return std::nullopt;
  return static_cast<int64_t>(*seconds);
}

std::optional<int64_t> ParseMoment(std::string_view text, int64_t now_ms) {
  if (std::optional<int64_t> date = ParseDate(text)) return date;
  if (!text.empty() && text.back() >= '0' && text.back() <= '9') return std::nullopt;  // a bare number has no meaning
  std::optional<int64_t> seconds = ParseSeconds(text);
  if (!seconds) return std::nullopt;
  return now_ms - *seconds * 1000;
}

std::string CountText(uint64_t count, std::string_view one, std::string_view many) {
  std::string text = std::to_string(count) + " ";
  if (count == 1) return text.append(one);
  return many.empty() ? text.append(one) + "s" : text.append(many);
}

std::string BytesText(uint64_t bytes) {
  constexpr std::array<const char*, 5> kNames = {"B", "KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double amount = static_cast<double>(bytes);
  size_t unit = 0;
  while (amount >= 1024 && unit + 1 < kNames.size()) {
    amount /= 1024;
    ++unit;
  }
  char text[32];
  snprintf(text, sizeof text, amount < 10 ? "%.1f %s" : "%.0f %s", amount, kNames[unit]);
  return text;
}

std::string SecondsText(int64_t seconds) {
  if (seconds < 120) return std::to_string(seconds) + " s";
  if (seconds < 7200) return std::to_string(seconds / 60) + " min";
  if (seconds < 2 * 86400) return std::to_string(seconds / 3600) + " h";
  return std::to_string(seconds / 86400) + " days";
}

}  // namespace pith
