// What is known of the values at one place of many records (a JSON member, a CSV column): which there are while they
// are few, how large the numbers are. Bounded memory, one look at each value.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compact/records/decimal.h"

namespace pith {

// Values seen and how often, exact while there are few of them. `where` is whatever finds a value again: a node, an
// offset.
struct ValueCounts {
  struct Entry {
    uint64_t hash = 0;
    uint32_t where = 0;  // of the first with this value
    uint32_t count = 0;
  };
  static constexpr size_t kMost = 24;
  std::vector<Entry> entries;  // in order of first sight
  bool many = false;           // more than kMost: entries are of no use

  void Count(std::string_view text, uint32_t where);
  const Entry* Find(uint64_t hash) const;
};

struct NumberStats {
  uint32_t count = 0;
  uint32_t negative = 0;                                  // of them
  uint32_t least = 0, greatest = 0;                       // where
  double minimum = 0, maximum = 0, sum = 0, squares = 0;  // near enough to find what is far off
  std::string least_text, greatest_text;                  // as they are written: what `least` and `greatest` hold
  DecimalSum exact_sum;
  bool ranged = true;  // none was too long to compare
  bool even = true;    // each is larger than the one before by as much as that is than its own

  void Count(std::string_view text, uint32_t where);
  // Counts the text if it is a number as IsNumber has it.
  bool CountNumber(std::string_view text, uint32_t where);
  double Mean() const { return count == 0 ? 0 : sum / count; }
  double Deviation() const;
  // How many standard deviations a value is from the mean; 0 when all are equal.
  double Away(double value) const;

 private:
  void CountRange(double value, std::string_view text, uint32_t where);
  void CountStep(double value);
  double last_ = 0, step_ = 0;
};

// Equal texts have equal hashes, on every machine.
uint64_t HashText(std::string_view text);
// The same for texts that differ in numbers only.
uint64_t MaskedHash(std::string_view text);
uint64_t MixHashes(uint64_t a, uint64_t b);

// The value of a number's text, near enough to compare; NaN for NaN.
double NumberValue(std::string_view text);
// True if all of the text is a decimal number.
bool IsNumber(std::string_view text);

// True if `key` is one of `names` (lower case), in any case.
bool KeyIs(std::string_view key, std::span<const std::string_view> names);
// Where the key stands among words that name a thing ("name", "path", ... "id"); kNoName if it is none.
inline constexpr size_t kNoName = 12;
size_t NameRank(std::string_view key);
// The same for a path "owner.name": what stands deeper names something else more likely.
size_t NamePathRank(std::string_view path);

// Whether a value says that something went wrong by the key that it stands under: a non-empty "error", a false "ok", a
// "status" of 500. `text` without quotes; `quoted`: it is a string.
// False for keys under which SaysError never finds anything.
bool MaySayError(std::string_view key);
bool SaysError(std::string_view key, std::string_view text, bool quoted);

// Why a record is shown when not all are; higher is more.
struct RowPriority {
  static constexpr int kQuery = 100;
  static constexpr int kError = 90;  // the first of its template
  static constexpr int kFirst = 80;
  static constexpr int kOdd = 70;  // the first with a rare value, type or key
  static constexpr int kLast = 65;
  static constexpr int kErrorAgain = 64;  // an error seen before: which rows they are matters as much as what they say
  static constexpr int kMust = 64;        // from here on a row is shown up to the hard limit
  static constexpr int kAgain = 60;       // a rare value seen once or twice before
  static constexpr int kExtreme = 55;
  static constexpr int kShape = 50;  // the first with its set of keys
  static constexpr int kValue = 45;  // the first with a value of a column that has few
  static constexpr int kSecond = 40;
};
// Templates met so far in a walk over records: the first record with one is worth more than the second, and the second
// more than the hundredth. Bounded; what does not fit counts for nothing.
class SeenTemplates {
 public:
  // Priority of a record with this template: `first`, then twice `again`, then 0; of an error seven times kErrorAgain.
  int See(uint64_t hash, int first, int again);

 private:
  std::unordered_map<uint64_t, uint32_t> counts_;  // never iterated
};

// What a column's values are, for a note: "level "info" 480, "warn" 20", "ms 1..30011 sum 71234", "type="x"", "ms -4..9
// sum 80, 1 negative, 2 are no numbers". Least and greatest are compared as they are written; a sum is told only if it
// is exact, and of no ids, places or moments; empty when there is nothing short to say. `present`: records that have
// it; `values`: values seen; `text_at` gives a value back.
using TextAt = std::function<std::string_view(uint32_t where)>;
std::string ColumnText(std::string_view label, uint64_t present, uint64_t rows, uint64_t values,
                       const ValueCounts& counts, const NumberStats& numbers, const TextAt& text_at);

// Whether a value seen `count` times is rare in its column: only where values are few, and few numbers are codes.
bool IsRareValue(uint32_t count, uint64_t values, const ValueCounts& counts, const NumberStats& numbers);

inline constexpr size_t kExemplars = 8;        // a column with at most so many values has one row shown of each
inline constexpr uint32_t kEnoughValues = 12;  // fewer say nothing of what is rare
inline constexpr uint32_t kRareShare = 20;     // rare: at most one in this many

}  // namespace pith
