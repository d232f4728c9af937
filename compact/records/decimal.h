// Decimal numbers as they are written: compared and summed without rounding. Texts are in the forms "-12", "0.50",
// ".5", "1.5e-3".
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pith {

// Negative, 0 or positive as `a` is less than, equal to or greater than `b`. Linear in both; exponents beyond 10^15
// count as equally far.
int CompareDecimals(std::string_view a, std::string_view b);

// A number of at most 15 digits without an exponent: mantissa / 10^places, which a double holds to the last bit.
struct ShortDecimal {
  int64_t mantissa = 0;
  int places = 0;
  double Value() const;
};
std::optional<ShortDecimal> ReadShortDecimal(std::string_view text);

// A sum of decimals that is exact or not told: it holds what 127 bits and 18 places after the point do.
class DecimalSum {
 public:
  void Add(std::string_view text);
  void Add(ShortDecimal number) {
    if (exact_) AddScaled(number.mantissa, number.places);
  }
  bool exact() const { return exact_; }
  std::string Text() const;  // "71234", "-0.25"

 private:
  __extension__ using Wide = __int128;

  bool Shift(Wide& value, int places) const;  // false: it does not fit
  void AddScaled(Wide value, int places);

  Wide sum_ = 0;  // times 10^places_
  int places_ = 0;
  bool exact_ = true;
};

}  // namespace pith
