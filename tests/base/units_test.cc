#include "base/units.h"

#include <doctest/doctest.h>

namespace pith {

TEST_CASE("byte counts take units of 1024 in any case, and nothing else") {
  CHECK(ParseByteCount("0") == 0);
  CHECK(ParseByteCount("1048576") == 1048576);
  for (const char* text : {"32MiB", "32 MiB", "32m", "32MB", "32 mb"}) CHECK(ParseByteCount(text) == 32ull << 20);
  CHECK(ParseByteCount("1GiB") == 1ull << 30);
  for (const char* text : {"", "MiB", "-1", "1.5M", "1 M B", "1Q", "99999999999999999999", "99999999999T"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseByteCount(text));
  }
}

TEST_CASE("times take s, m, h, d and w") {
  CHECK(ParseSeconds("90") == 90);
  CHECK(ParseSeconds("90s") == 90);
  CHECK(ParseSeconds("2m") == 120);
  CHECK(ParseSeconds("12h") == 43200);
  CHECK(ParseSeconds("7d") == 604800);
  CHECK(ParseSeconds("1w") == 604800);
  for (const char* text : {"", "d", "-1d", "1y", "1.5h", "999999999999d"}) CHECK_FALSE(ParseSeconds(text));
}

TEST_CASE("a moment is a time ago or a date in UTC") {
  const int64_t now = 1'800'000'000'000;
  CHECK(ParseMoment("2h", now) == now - 7'200'000);
  CHECK(ParseMoment("1970-01-02", now) == 86'400'000);
  CHECK(ParseMoment("2000-02-29T12:30:05Z", now) == 951'827'405'000);
  CHECK(ParseMoment("2000-02-29 12:30", now) == 951'827'400'000);
  for (const char* text : {"", "5", "2000-13-01", "2000-01-01T25:00", "yesterday", "2000-01-01x"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseMoment(text, now));
  }
}

TEST_CASE("amounts are written for people") {
  CHECK(BytesText(981) == "981 B");
  CHECK(BytesText(1536) == "1.5 KiB");
  CHECK(BytesText(32ull << 20) == "32 MiB");
  CHECK(SecondsText(45) == "45 s");
  CHECK(SecondsText(7 * 86400) == "7 days");
}

}  // namespace pith
