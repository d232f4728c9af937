#include "tools/selector.h"

#include <doctest/doctest.h>

#include "base/config.h"
#include "tools/page.h"

namespace pith {

TEST_CASE("line ranges are written as gaps have them") {
  Result<std::vector<LineRange>> ranges = ParseLineRanges("31-114, 200-210,7,500-");
  REQUIRE(ranges.ok());
  REQUIRE(ranges->size() == 4);
  CHECK((*ranges)[0].first == 31);
  CHECK((*ranges)[0].last == 114);
  CHECK((*ranges)[2].last == 7);
  CHECK((*ranges)[3].last == UINT64_MAX);
  CHECK(ParseLineRanges("lines 31-114").ok());
  for (const char* text : {"", "0-3", "5-2", "a", "1-2,", "-5", "1--2", "1.5", "99999999999999999999"}) {
    CAPTURE(text);
    REQUIRE_FALSE(ParseLineRanges(text).ok());
    CHECK(ParseLineRanges(text).error().sentence.find("31-114") != std::string::npos);
  }
}

TEST_CASE("byte ranges are offset plus length") {
  CHECK(ParseByteRange("900+4096")->offset == 900);
  CHECK(ParseByteRange("900+4096")->length == 4096);
  CHECK(ParseByteRange("bytes 900+4096")->length == 4096);
  CHECK(ParseByteRange("900+")->length == UINT64_MAX);
  for (const char* text : {"", "900", "+5", "900-1000", "a+b"}) CHECK_FALSE(ParseByteRange(text).ok());
}

TEST_CASE("pages fit the host, and an unknown host is refused with the nearest known one") {
  CHECK(HostPageOf("")->page_bytes == 40000);
  CHECK(HostPageOf("codex")->page_bytes == 10000);
  CHECK(HostPageOf("claude-code")->page_bytes == 100000);
  Result<HostPage> unknown = HostPageOf("claude-cod");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().sentence.find("did you mean \"claude-code\"?") != std::string::npos);
  CHECK(HostPageOf("zzzz").error().sentence.find("known are") != std::string::npos);
}

TEST_CASE("every host whose pages are known may be named in the configuration and to serve") {
  std::string names;
  for (const HostPage& row : HostPages()) {
    if (!row.host.empty()) names += (names.empty() ? "" : "|") + std::string(row.host);
  }
  CHECK(names == kHostChoices);
}

}  // namespace pith
