// Frames and where they lie: nothing in them or beside them can change unnoticed.
#include "store/frame.h"

#include "store/database.h"
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

TEST_CASE("a frame with any bit flipped, or cut anywhere, is damaged, never other bytes") {
  Result<std::unique_ptr<Cipher>> cipher = Cipher::FromSecret("a secret of more than sixteen bytes");
  std::string raw = LogLines(12);
  for (bool compressed : {false, true}) {
    for (const Cipher* key : {static_cast<const Cipher*>(nullptr), static_cast<const Cipher*>(cipher->get())}) {
      Result<Frame> frame = EncodeFrame(raw, 77, 3, {compressed, true, key});
      REQUIRE(frame.ok());
      REQUIRE((*DecodeFrame(frame->data, 77, 3, key) == raw));
      CHECK_FALSE(DecodeFrame(frame->data, 78, 3, key).ok());
      CHECK_FALSE(DecodeFrame(frame->data, 77, 4, key).ok());
      for (size_t at = 0; at < frame->data.size() * 8; ++at) {
        std::string flipped = frame->data;
        flipped[at / 8] = static_cast<char>(flipped[at / 8] ^ (1 << (at % 8)));
        Result<std::string> decoded = DecodeFrame(flipped, 77, 3, key);
        if (decoded) REQUIRE((*decoded == raw));
        if (at % 8 == 0) REQUIRE_FALSE(DecodeFrame(flipped.substr(0, at / 8), 77, 3, key).ok());
      }
    }
  }
}

TEST_CASE("places of frames that were changed give damage, never bytes or lines of another place") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.chain = "sqlite";
  std::string original = LogLines(40000), token = TokenOf(original);
  PutOrFail(*Opened(options), original);
  auto change = [&](const std::string& sql) {
    Result<std::unique_ptr<Database>> database = Database::Open(folder / "ccr.db", {});
    REQUIRE((*database)->Execute(sql).ok());
  };
  auto ask = [&] {
    auto store = Opened(options);
    int refused = 0;
    for (uint64_t at = 0; at < original.size(); at += 300000) {
      Result<std::string> bytes = store->Get(token, {at, 1000});
      if (bytes) REQUIRE((*bytes == original.substr(at, 1000)));
      refused += bytes.ok() ? 0 : 1;
    }
    return refused;
  };
  CHECK(ask() == 0);
  change("UPDATE filters SET raw_offset = raw_offset + 7 WHERE id & 1048575 = 1");
  CHECK(ask() > 0);
  change("UPDATE filters SET raw_offset = raw_offset - 7 WHERE id & 1048575 = 1");
  Result<LineSlice> before = Opened(options)->GetLines(token, 20000, 20001);
  change("UPDATE filters SET newlines_before = newlines_before + 2 WHERE id & 1048575 = 1");
  Result<LineSlice> slice = Opened(options)->GetLines(token, 20000, 20001);
  if (slice) CHECK((slice->bytes == before->bytes));
  change("UPDATE filters SET newlines_before = newlines_before - 2 WHERE id & 1048575 = 1");
  change("UPDATE entries SET raw_bytes = raw_bytes - 1");
  CHECK_FALSE(Opened(options)->Get(token, {original.size() - 50, 50}).ok());
}

TEST_CASE("an index that leads to another original's row gives damage, never the other's bytes") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.chain = "sqlite";
  std::string one = LogLines(30, 1), other = LogLines(30, 2);
  {
    auto store = Opened(options);
    PutOrFail(*store, one);
    PutOrFail(*store, other);
  }
  std::string path = folder / "ccr.db", content = *ReadFile(path, UINT64_MAX);
  auto bytes_of = [](const std::string& original) {
    Digest digest = Sha256Of(original);
    return std::string(reinterpret_cast<const char*>(digest.data()), digest.size());
  };
  int led_astray = 0;
  for (size_t at = content.find(bytes_of(one)); at != std::string::npos; at = content.find(bytes_of(one), at + 1)) {
    std::string changed = content;
    changed.replace(at, 32, bytes_of(other));
    (void)Files().Unlink(path).ok();
    REQUIRE(WriteFileAtomically(path, changed).ok());
    Result<std::string> part = Opened(options)->Get(TokenOf(one), {10, 20});
    if (part) CHECK((*part == one.substr(10, 20)));
    if (!part && part.error().sentence.find("leads to another") != std::string::npos) ++led_astray;
  }
  CHECK(led_astray > 0);
}
