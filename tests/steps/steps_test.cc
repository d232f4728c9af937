// I11 linear: steps at 8n are at most 8.5 times those at n, for every kind and every adversarial shape.
#include <doctest/doctest.h>

#include "base/encoding.h"
#include "compact/kinds.h"
#include "tests/compact/originals.h"
#include "tests/steps/counter.h"

namespace pith {
namespace {

uint64_t StepsOf(const std::string& bytes, std::optional<Kind> kind) {
  Hints hints;
  hints.kind = kind;
  uint64_t before = test::Steps();
  View view = Compact(bytes, hints, {});
  return test::Steps() - before;
}

// The work of a size, less what every call costs whatever the size.
void CheckLinear(const std::string& name, const std::string& small, const std::string& large,
                 std::optional<Kind> kind) {
  double growth = static_cast<double>(large.size()) / static_cast<double>(small.size());
  uint64_t at_n = StepsOf(small, kind), at_8n = StepsOf(large, kind);
  CAPTURE(EncodeHex(name.substr(0, 8)));
  CAPTURE(kind ? KindName(*kind) : "as detected");
  CAPTURE(at_n);
  CAPTURE(at_8n);
  CHECK(static_cast<double>(at_8n) <= 8.5 / 8 * growth * static_cast<double>(at_n));
}

std::string Times(const std::string& unit, uint64_t times) {
  std::string out;
  for (uint64_t i = 0; i < times; ++i) out += unit;
  return out;
}

}  // namespace

TEST_CASE("steps are counted") { CHECK(StepsOf("a line\n", std::nullopt) > 0); }

TEST_CASE("I11 linear: what each kind is made for") {
  std::vector<test::Original> small = test::TypicalOriginals(1, 2000), large = test::TypicalOriginals(1, 16000);
  for (size_t i = 0; i < small.size(); ++i) {
    CheckLinear(small[i].name, small[i].bytes, large[i].bytes, std::nullopt);
    for (const KindRow* row : AllKinds()) CheckLinear(small[i].name, small[i].bytes, large[i].bytes, row->kind);
  }
}

TEST_CASE("I11 linear: shapes that make compactors quadratic") {
  for (const char* unit : {"\n",
                           "x",
                           " ",
                           "[",
                           "]",
                           "{",
                           "<a>",
                           "</a>",
                           "<!--",
                           "\"",
                           "\\",
                           "(",
                           "# \n",
                           "- \n",
                           "+\n",
                           "a:1:b\n",
                           "a\n",
                           "  a\n",
                           "\t",
                           "`",
                           "```\n",
                           "error\n",
                           "E   \n",
                           "@@ -1 +1 @@\n",
                           "diff --git a/a b/a\n",
                           "\x1b[",
                           "\r",
                           "\xff",
                           ",",
                           "a,b\n",
                           "{}\n",
                           "[]",
                           "{\"a\":1}\n",
                           "&amp;",
                           "/*",
                           "'",
                           "PASS\n",
                           "--- FAIL: \n",
                           "=====\n"}) {
    std::string small = Times(unit, 40000), large = Times(unit, 320000);
    CheckLinear(unit, small, large, std::nullopt);
    for (const KindRow* row : AllKinds()) CheckLinear(unit, small, large, row->kind);
  }
}

}  // namespace pith
