// Sets of lines: what is found by words is what is found line by line.
#include "compact/line_set.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace pith {

TEST_CASE("runs of a set of lines are found as by a look at each line, at every size and before every end") {
  std::mt19937 random(7);
  for (uint32_t count : {0u, 1u, 63u, 64u, 65u, 128u, 300u}) {
    for (uint32_t every : {1u, 3u, 50u, 1000u}) {
      LineSet set(count);
      std::vector<bool> plain(count);
      for (uint32_t line = 0; line < count; ++line) {
        if (random() % every != 0) continue;
        set.Add(line);
        plain[line] = true;
      }
      const auto next = [&](uint32_t line, uint32_t end, bool in) {
        while (line < end && plain[line] != in) ++line;
        return line < end ? line : end;
      };
      for (uint32_t line = 0; line < count; ++line) {
        CHECK(set[line] == plain[line]);
        CHECK(set.NextIn(line) == next(line, count, true));
        CHECK(set.NextOut(line) == next(line, count, false));
        const uint32_t end = line + random() % (count - line + 1);
        CHECK(set.NextIn(line, end) == next(line, end, true));
      }
      CHECK(set.NextIn(count) == count);
    }
  }
}

}  // namespace pith
