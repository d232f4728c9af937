// Views that are taken back while they are made: at whichever step, nothing half made comes out.
#include <doctest/doctest.h>

#include "compact/compact.h"
#include "tests/compact/originals.h"

namespace pith::test {
namespace {

// Says stop at the `last`-th question; counts them.
struct Patience {
  explicit Patience(int last) : stop([this, last] { return ++asked >= last; }) {}
  int asked = 0;
  StopAsked stop;
};

View MadeWith(const Original& original, const StopAsked* stop) {
  CompactOptions options;
  options.stop = stop;
  return Compact(original.bytes, {}, options);
}

}  // namespace

TEST_CASE("a view that is taken back at any step is none, and one that is not is the same as ever") {
  for (const Original& original : TypicalOriginals(20261130, 400)) {
    CAPTURE(original.name);
    Patience whole(1 << 20);
    const View view = MadeWith(original, &whole.stop);
    CHECK_FALSE(view.stopped);
    CHECK(view.text == MadeWith(original, nullptr).text);
    CHECK(whole.asked >= 2);
    for (int step = 1; step <= whole.asked; ++step) {
      Patience patience(step);
      const View stopped = MadeWith(original, &patience.stop);
      CHECK(stopped.stopped);
      CHECK(stopped.text.empty());
      CHECK(patience.asked <= step + 1);
    }
  }
}

}  // namespace pith::test
