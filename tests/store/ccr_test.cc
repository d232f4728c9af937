// The library face, as an embedding program sees it.
#include "pith/ccr.h"

#include <thread>

#include "tests/store/scratch.h"

using namespace pith::ccr;
using pith::testing::LogLines;
using pith::testing::ScratchFolder;

namespace {

Ccr OpenAt(const std::string& folder) {
  Options options;
  options.folder = folder;
  Expected<Ccr> store = Ccr::Open(options);
  REQUIRE(store.ok());
  return std::move(store.value());
}

}  // namespace

TEST_CASE("the library offloads, says with what outcome, and retrieves by token or by marker") {
  ScratchFolder folder;
  Ccr store = OpenAt(folder.path());
  Origin origin;
  origin.command = "make";
  Expected<Outcome> outcome = store.OffloadChecked("kept\n", origin);
  REQUIRE(outcome.ok());
  CHECK(outcome.value().retained);
  CHECK_FALSE(outcome.value().existed);
  CHECK(store.OffloadChecked("kept\n").value().existed);
  const std::string& token = outcome.value().token;
  CHECK(store.Offload("kept\n").value() == token);
  CHECK(store.Retrieve(token).value() == "kept\n");
  CHECK(OpenAt(folder.path()).Retrieve("[see <<ccr:" + token + ">>]").value() == "kept\n");
  CHECK(store.Retrieve("nonsense").failure().status == Status::kInvalid);
  CHECK(store.Retrieve("0123456789abcdef01234567").failure().status == Status::kNotFound);
  CHECK(store.Stats().value().entries == 1);
  CHECK(ParseMarkers("hash=" + token) == std::vector<std::string>{token});
  CHECK(IsRecoveryTool("mcp__pith__ccr_retrieve"));
  for (const char* name : {"mcp__plugin_pith_pith__tokenjuice_retrieve", "mcp_pith_tokenjuice_retrieve",
                           "pith_tokenjuice_retrieve", "pith.ccr_retrieve", "pith/retrieve_tool_output"}) {
    CAPTURE(name);
    CHECK(IsRecoveryTool(name));
  }
  CHECK_FALSE(IsRecoveryTool("Bash"));
  CHECK_FALSE(IsRecoveryTool("xccr_retrieve"));
  CHECK_FALSE(IsRecoveryTool("ccr_retrieve_all"));
  CHECK(Version() == PITH_CCR_VERSION);
}

TEST_CASE("byte ranges never split a character, and ranges from next to next join to the original") {
  ScratchFolder folder;
  Ccr store = OpenAt(folder.path());
  std::string original = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82 z\xff\xe2\x82 \xf0\x9f\x99\x82";
  std::string token = store.Offload(original).value();
  for (uint64_t length = 1; length <= original.size() + 1; ++length) {
    std::string joined;
    for (uint64_t at = 0; at < original.size();) {
      Bytes range = store.RetrieveBytes(token, at, length).value();
      REQUIRE(range.offset == at);
      REQUIRE(range.next > at);
      REQUIRE(range.total == original.size());
      joined += range.bytes;
      at = range.next;
    }
    CHECK(joined == original);
  }
  CHECK(store.RetrieveBytes(token, 2, 2).value().offset == 1);
  CHECK(store.RetrieveBytes(token, 1000, 5).value().bytes.empty());
}

TEST_CASE("line ranges are 1-based and inclusive, clamped, and past the end give nothing and the count") {
  ScratchFolder folder;
  Ccr store = OpenAt(folder.path());
  std::string token = store.Offload("one\ntwo\nthree").value();
  CHECK(store.RetrieveLines(token, 2, 2).value().text == "two\n");
  CHECK(store.RetrieveLines(token, 2, 99).value().text == "two\nthree");
  CHECK(store.RetrieveLines(token, 2, 99).value().last == 3);
  CHECK(store.RetrieveLines(token, 4, 9).value().text.empty());
  CHECK(store.RetrieveLines(token, 4, 9).value().total == 3);
  CHECK(store.RetrieveLines(token, 0, 9).failure().status == Status::kInvalid);
}

TEST_CASE("caps, lifetime and the disk tier can be changed while the library is in use") {
  ScratchFolder folder;
  Ccr store = OpenAt(folder.path());
  std::string on_disk = store.Offload("on disk").value();
  REQUIRE(store.SetDisk(false).ok());
  CHECK_FALSE(store.disk());
  Outcome in_memory = store.OffloadChecked("in memory").value();
  CHECK_FALSE(in_memory.retained);
  CHECK(store.Retrieve(on_disk).value() == "on disk");
  CHECK(OpenAt(folder.path()).Retrieve(in_memory.token).failure().status == Status::kNotFound);
  REQUIRE(store.SetDisk(true).ok());
  CHECK(OpenAt(folder.path()).Retrieve(in_memory.token).value() == "in memory");
  Limits limits;
  limits.max_entries = 1;
  REQUIRE(store.Configure(limits).ok());
  CHECK(store.limits().max_entries == 1);
  store.Offload("pushes the others out").value();
  CHECK(store.Stats().value().entries == 1);
  Ccr fresh = OpenAt(folder.path());
  CHECK(fresh.Retrieve(on_disk).failure().status == Status::kEvicted);
}

TEST_CASE("many threads use one library object") {
  ScratchFolder folder;
  Ccr store = OpenAt(folder.path());
  std::vector<std::thread> threads;
  std::vector<int> faults(4, 0);
  for (uint32_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint32_t i = 0; i < 60; ++i) {
        std::string original = LogLines(20, thread * 1000 + i);
        Expected<std::string> token = store.Offload(original);
        if (!token || store.Retrieve(token.value()).value() != original) ++faults[thread];
        if (thread == 0 && i % 20 == 19 && !store.Configure({})) ++faults[thread];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(faults == std::vector<int>(4, 0));
}
