// What words a frame may hold, in at most 3 % of its bytes: a set of hashed three-byte runs inside words.
//
// A word is a run of letters, digits and bytes from 0x80 on; ASCII letters in either case are one. A filter never says
// no to a frame that holds the word, also inside a longer one (`retry` in `maxRetryCount`); it may say yes to one that
// does not.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pith {

// Bits, then 8 bytes that check them. Empty for frames so small that looking is cheaper than asking.
std::string BuildFilter(std::string_view raw);

// The words of a query, lower-cased, without empties and doubles.
std::vector<std::string> WordsOf(std::string_view text);

// A query made ready to be asked of many filters.
class FilterQuery {
 public:
  explicit FilterQuery(const std::vector<std::string>& words);
  // False: the frame holds none of it for sure. An empty or damaged filter gives true.
  bool MayMatch(std::string_view filter) const;

 private:
  std::vector<uint32_t> runs_;  // hashed
};

}  // namespace pith
