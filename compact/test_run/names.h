// Names of tests, as runners spell them: one test is called `tests/test_a.py::T::test_x` in a list, `T.test_x` over its
// traceback and `test_x` in a row. A name covers another when the other's parts are its last parts.
#pragma once
#include <cstdint>
#include <string_view>

#include "compact/hash_set.h"

namespace pith {

// The name without what is no part of it: numbers before, messages, durations and quotes around.
std::string_view CleanTestName(std::string_view name);

// Hash of a whole cleaned name.
uint64_t TestNameHash(std::string_view name);

// The set of names that are shown. Linear in the names added; at most 16 parts of each count.
class ShownNames {
 public:
  void Add(std::string_view name);
  bool AddUnlessCovered(std::string_view name);  // false: a name that is there covers it

 private:
  HashSet endings_;
};

}  // namespace pith
