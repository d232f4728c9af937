#include "compact/records/decimal.h"

#include <algorithm>
#include <array>
#include <compare>

namespace pith {
namespace {

constexpr int64_t kFarExponent = 1'000'000'000'000'000;
constexpr int kMostPlaces = 18;  // after the point
constexpr int kMostDigits = 37;  // that surely fit

struct Decimal {
  bool negative = false;
  std::string digits;    // neither begin nor end with 0; empty: the number is 0
  int64_t exponent = 0;  // of the last digit: the value is digits * 10^exponent
  // Place of the first digit.
  int64_t Magnitude() const { return exponent + static_cast<int64_t>(digits.size()); }
};

int64_t ReadExponent(std::string_view text) {
  if (text.empty()) return 0;
  const bool negative = text[0] == '-';
  int64_t value = 0;
  for (char c : text) {
    if (c >= '0' && c <= '9') value = std::min(kFarExponent, value * 10 + (c - '0'));
  }
  return negative ? -value : value;
}

Decimal Read(std::string_view text) {
  Decimal number;
  number.negative = text.starts_with('-');
  const size_t mark = std::min(text.find_first_of("eE"), text.size());
  number.exponent = mark < text.size() ? ReadExponent(text.substr(mark + 1)) : 0;
  bool fraction = false;
  for (char c : text.substr(0, mark)) {
    fraction = fraction || c == '.';
    if (c < '0' || c > '9') continue;
    number.exponent -= fraction;
    if (c != '0' || !number.digits.empty()) number.digits += c;
  }
  while (!number.digits.empty() && number.digits.back() == '0') {
    number.digits.pop_back();
    ++number.exponent;
  }
  if (number.digits.empty()) number = {};
  return number;
}

}  // namespace

int CompareDecimals(std::string_view a, std::string_view b) {
  const Decimal left = Read(a), right = Read(b);
  const int left_sign = left.digits.empty() ? 0 : left.negative ? -1 : 1;
  const int right_sign = right.digits.empty() ? 0 : right.negative ? -1 : 1;
  if (left_sign != right_sign) return left_sign - right_sign;
  if (left_sign == 0) return 0;
  if (left.Magnitude() != right.Magnitude()) return left.Magnitude() < right.Magnitude() ? -left_sign : left_sign;
  const int order = left.digits.compare(right.digits);
  return order < 0 ? -left_sign : order > 0 ? left_sign : 0;
}

bool DecimalSum::Shift(Wide& value, int places) const {
  for (; places > 0; --places) {
    if (__builtin_mul_overflow(value, Wide{10}, &value)) return false;
  }
  return true;
}

void DecimalSum::AddScaled(Wide value, int places) {
  const int common = std::max(places, places_);
  exact_ = exact_ && common <= kMostPlaces && Shift(sum_, common - places_) && Shift(value, common - places) &&
           !__builtin_add_overflow(sum_, value, &sum_);
  places_ = common;
}

double ShortDecimal::Value() const {
  static constexpr std::array<double, 16> kPowers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  return static_cast<double>(mantissa) / kPowers[static_cast<size_t>(places)];
}

std::optional<ShortDecimal> ReadShortDecimal(std::string_view text) {
  ShortDecimal number;
  const bool negative = !text.empty() && text[0] == '-';
  int digits = 0;
  bool fraction = false;
  for (size_t at = negative ? 1 : 0; at < text.size(); ++at) {
    if (text[at] == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (text[at] < '0' || text[at] > '9' || ++digits > 15) return std::nullopt;
    number.mantissa = number.mantissa * 10 + (text[at] - '0');
    number.places += fraction;
  }
  if (digits == 0) return std::nullopt;
  if (negative) number.mantissa = -number.mantissa;
  return number;
}

void DecimalSum::Add(std::string_view text) {
  if (!exact_) return;
  const Decimal number = Read(text);
  exact_ = number.digits.size() <= kMostDigits && number.exponent >= -kMostPlaces && number.exponent <= kMostDigits;
  if (!exact_) return;
  Wide value = 0;
  for (char c : number.digits) value = value * 10 + (c - '0');
  if (number.negative) value = -value;
  exact_ = Shift(value, static_cast<int>(std::max<int64_t>(0, number.exponent)));
  if (exact_) AddScaled(value, static_cast<int>(std::max<int64_t>(0, -number.exponent)));
}

std::string DecimalSum::Text() const {
  std::string digits;  // from the last
  int places = places_;
  for (Wide rest = sum_; rest != 0 || places >= 0; rest /= 10, --places) {
    if (places == 0 && places_ > 0) digits += '.';
    const int digit = static_cast<int>(rest % 10);
    digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  if (places_ > 0) digits.erase(0, digits.find_first_not_of('0'));
  if (digits.starts_with('.')) digits.erase(0, 1);
  if (sum_ < 0) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace pith
