// One conformance test for all tiers, then what is each one's own.
#include <chrono>

#include "base/clock.h"
#include "base/encoding.h"
#include "store/body_file.h"
#include "store/files_tier.h"
#include "store/journal_tier.h"
#include "store/memory_tier.h"
#include "store/redis_tier.h"
#include "tests/store/redis_server.h"
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

constexpr int64_t kDay = 24 * 3600 * 1000;

void Conforms(Tier& tier) {
  int64_t now = TheClock().WallMs();
  std::vector<std::string> originals = {
      "", "x", "a\nb\n", std::string("n\0l", 3), "\xff\xfe", LogLines(20000), RandomBytes(200000, 1)};
  for (const std::string& original : originals) {
    CAPTURE(original.size());
    Digest digest = Sha256Of(original);
    std::string hex = HexOf(digest);
    CHECK(tier.Get(hex, {}).error().cause == Cause::kNotFound);
    REQUIRE(tier.Put(original, digest, now + kDay).ok());
    REQUIRE(tier.Put(original, digest, now + kDay).ok());
    for (size_t digits : {24, 32, 64}) CHECK((*tier.Get(hex.substr(0, digits), {}) == original));
    CHECK(*tier.Get(hex, {1, 2}) == std::string(Clamp(original, {1, 2})));
    CHECK(tier.Get(hex, {original.size(), 5})->empty());
    CHECK(tier.Get(hex, {UINT64_MAX, UINT64_MAX})->empty());
    std::string other = hex.substr(0, 24) + std::string(40, hex[24] == '0' ? '1' : '0');
    CHECK(tier.Get(other, {}).error().cause == Cause::kNotFound);
  }
  Digest brief = Sha256Of("brief");
  REQUIRE(tier.Put("brief", brief, now + 60).ok());
  REQUIRE(tier.Put("long", Sha256Of("long"), now + kDay).ok());
  REQUIRE(tier.Put("long", Sha256Of("long"), now + 60).ok());
  usleep(90000);
  Cause gone = tier.Get(TokenOf(brief), {}).error().cause;
  CHECK((gone == Cause::kExpired || gone == Cause::kNotFound));
  CHECK(*tier.Get(TokenOf("long"), {}) == "long");
  REQUIRE(tier.Sweep().ok());
  CHECK(tier.Stats()->entries == originals.size() + 1);
  REQUIRE(tier.Remove(TokenOf("long")).ok());
  REQUIRE(tier.Remove(TokenOf("long")).ok());
  CHECK(tier.Get(TokenOf("long"), {}).error().cause == Cause::kNotFound);
  REQUIRE(tier.Put("brief", brief, TheClock().WallMs() + kDay).ok());
  CHECK(*tier.Get(TokenOf(brief), {}) == "brief");
}

std::unique_ptr<RedisTier> RedisAt(const RedisServer& server, const std::string& login = {}) {
  RedisTier::Options options;
  options.address = *ParseRedisAddress(server.url(login));
  return std::make_unique<RedisTier>(options, nullptr);
}

bool NoRedis() {
  if (RedisServer::Installed()) return false;
  MESSAGE("redis-server is not installed: the Redis tier is not tested");
  return true;
}

}  // namespace

TEST_CASE("every tier conforms: memory, files, journal, redis") {
  ScratchFolder folder;
  SUBCASE("memory") {
    MemoryTier tier(32 << 20);
    Conforms(tier);
  }
  SUBCASE("files") {
    FilesTier tier(folder / "files", 1 << 30, Durability::kProcess, nullptr);
    Conforms(tier);
  }
  SUBCASE("files, encrypted and synced") {
    Result<std::unique_ptr<Cipher>> cipher = Cipher::FromSecret("a secret of more than sixteen bytes");
    FilesTier tier(folder / "files", 1 << 30, Durability::kPower, cipher->get());
    Conforms(tier);
  }
  SUBCASE("journal") {
    JournalTier tier(folder / "journal.jsonl", 1 << 30, Durability::kProcess);
    Conforms(tier);
  }
  SUBCASE("redis") {
    if (NoRedis()) return;
    RedisServer server;
    Conforms(*RedisAt(server));
  }
}

TEST_CASE("tiers on disk: another process sees what this one puts, and damage is said, never wrong bytes") {
  ScratchFolder folder;
  std::string original = LogLines(500);
  Digest digest = Sha256Of(original);
  int64_t end = TheClock().WallMs() + kDay;
  bool journal = false;
  SUBCASE("files") {}
  SUBCASE("journal") { journal = true; }
  auto make = [&]() -> std::unique_ptr<Tier> {
    if (journal) return std::make_unique<JournalTier>(folder / "j.jsonl", 1 << 30, Durability::kProcess);
    return std::make_unique<FilesTier>(folder / "files", 1 << 30, Durability::kProcess, nullptr);
  };
  std::unique_ptr<Tier> here = make();
  CHECK(here->Get(TokenOf(digest), {}).error().cause == Cause::kNotFound);
  REQUIRE(InChild([&] { return make()->Put(original, digest, end).ok() ? 0 : 1; }) == 0);
  CHECK((*here->Get(TokenOf(digest), {}) == original));
  std::string path = folder / "j.jsonl";
  if (!journal) {
    std::string shard = folder / "files/" + TokenOf(digest).substr(0, 2);
    (void)Files().List(shard, [&](std::string_view name) { return path = shard + "/" + std::string(name), true; }).ok();
  }
  std::string content = *ReadFile(path, UINT64_MAX);
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    std::string damaged = content;
    size_t at = random() % damaged.size();
    if (round % 3 == 0)
      damaged.resize(at);
    else
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    (void)Files().Unlink(path).ok();
    Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kCreateNew);
    REQUIRE((*file)->Write(damaged).ok());
    Result<std::string> bytes = make()->Get(TokenOf(digest), {});
    if (bytes) CHECK((*bytes == original));
    REQUIRE(make()->Put(original, digest, end).ok());
    CHECK((*make()->Get(TokenOf(digest), {}) == original));
    for (const char* leftover : {"j.jsonl.lock"}) (void)Files().Unlink(folder / leftover).ok();
    if (!journal) {
      std::string shard = folder / "files";
      ScratchFolder::Remove(shard);
      REQUIRE(MakeFolders(path.substr(0, path.rfind('/'))).ok());
    }
  }
}

TEST_CASE("the journal is the JSONL that others read and write") {
  ScratchFolder folder;
  std::string path = folder / "journal.jsonl";
  int64_t end = TheClock().WallMs() + kDay;
  JournalTier tier(path, 1 << 30, Durability::kProcess);
  REQUIRE(tier.Put("hello\n", Sha256Of("hello\n"), end).ok());
  CHECK(*ReadFile(path, 1000) == "{\"hash\":\"5891b5b522d5df086d0ff0b1\",\"type\":\"default\",\"size\":6,\"ttlAt\":" +
                                     std::to_string(end) + ",\"payload\":\"aGVsbG8K\"}\n");
  auto line = [&](const std::string& hash, const std::string& size, int64_t ends, const std::string& payload) {
    return "{\"hash\":\"" + hash + "\",\"type\":\"terminal\",\"size\":" + size + ",\"ttlAt\":" + std::to_string(ends) +
           ",\"payload\":\"" + payload + "\"}\n";
  };
  std::string theirs = line(TokenOf("theirs"), "6", end, EncodeBase64("theirs"));
  std::string expired = line(TokenOf("old"), "3", 1000, EncodeBase64("old"));
  std::string wrong_hash = line(TokenOf("right"), "5", end, EncodeBase64("wrong"));
  std::string wrong_size = line(TokenOf("size"), "5", end, EncodeBase64("size"));
  Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kAppend);
  REQUIRE((*file)
              ->Write("not json\n" + expired + wrong_hash + wrong_size + "{\"hash\":1}\n" + theirs + theirs + "{\"ha")
              .ok());
  CHECK(*tier.Get(TokenOf("theirs"), {}) == "theirs");
  CHECK(tier.Get(TokenOf("old"), {}).error().cause == Cause::kExpired);
  CHECK(tier.Get(TokenOf("right"), {}).error().cause == Cause::kNotFound);
  CHECK(tier.Get(TokenOf("size"), {}).error().cause == Cause::kNotFound);
  REQUIRE(tier.Put("after a torn line", Sha256Of("after a torn line"), end).ok());
  CHECK(*tier.Get(TokenOf("after a torn line"), {}) == "after a torn line");
  REQUIRE(tier.Sweep().ok());
  std::string swept = *ReadFile(path, 100000);
  CHECK(std::count(swept.begin(), swept.end(), '\n') == 3);
  CHECK(*JournalTier(path, 1 << 30, Durability::kProcess).Get(TokenOf("theirs"), {}) == "theirs");
}

TEST_CASE("files and journal keep to their bound, and what ends first goes first") {
  ScratchFolder folder;
  int64_t now = TheClock().WallMs();
  FilesTier files(folder / "files", 500000, Durability::kProcess, nullptr);
  JournalTier journal(folder / "j.jsonl", 500000, Durability::kProcess);
  for (Tier* tier : std::initializer_list<Tier*>{&files, &journal}) {
    for (uint32_t i = 0; i < 60; ++i) {
      std::string original = RandomBytes(20000, i);
      REQUIRE(tier->Put(original, Sha256Of(original), now + kDay + i * 1000).ok());
    }
    REQUIRE(tier->Sweep().ok());
    CHECK(tier->Stats()->bytes <= 500000);
    CHECK(tier->Stats()->entries > 10);
    CHECK(tier->Get(TokenOf(RandomBytes(20000, 59)), {}).ok());
    CHECK_FALSE(tier->Get(TokenOf(RandomBytes(20000, 0)), {}).ok());
    std::string large = RandomBytes(400000, 99);
    CHECK(tier->Put(large, Sha256Of(large), now + kDay).error().cause == Cause::kTooLarge);
  }
}

TEST_CASE("redis: two machines resolve each other's tokens, a dead or slow server falls back within a bound") {
  if (NoRedis()) return;
  RedisServer server;
  ScratchFolder here, there;
  StoreOptions options = In(here.path());
  options.chain = "memory,sqlite,redis";
  options.redis = server.url();
  options.redis_timeout_ms = 200;
  StoreOptions other = options;
  other.folder = there.path();
  auto a = Opened(options), b = Opened(other);
  std::string of_a = PutOrFail(*a, LogLines(300, 1)), of_b = PutOrFail(*b, LogLines(300, 2));
  CHECK((GetOrFail(*b, of_a) == LogLines(300, 1)));
  CHECK((GetOrFail(*a, of_b) == LogLines(300, 2)));
  CHECK(b->GetLines(of_a, 2, 2).ok());
  CHECK(b->Find(of_a)->lines == 300);
  std::string late = PutOrFail(*a, "put by a, never asked by b");
  auto timed = [&](const std::function<void()>& work) {
    auto begun = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun).count();
  };
  SUBCASE("killed") { server.Kill(); }
  SUBCASE("stopped answering") { server.Pause(); }
  CHECK(timed([&] { CHECK(b->Put("kept without redis", Seen()).ok()); }) < 3000);
  CHECK(timed([&] { CHECK(CauseOfGet(*b, late) == Cause::kUnavailable); }) < 3000);
  CHECK(GetOrFail(*b, TokenOf("kept without redis")) == "kept without redis");
  CHECK(CauseOfGet(*b, "0123456789abcdef01234567") == Cause::kUnavailable);
  std::vector<std::string> notices = b->TakeNotices();
  REQUIRE(notices.size() >= 1);
  CHECK(notices[0].find("redis") != std::string::npos);
  server.Resume();
}

TEST_CASE("redis: passwords, eviction policies, a full server, a sentence for each") {
  if (NoRedis()) return;
  std::string original = RandomBytes(50000, 1);
  Digest digest = Sha256Of(original);
  int64_t end = TheClock().WallMs() + kDay;
  SUBCASE("a password") {
    RedisServer server({"--requirepass", "open sesame"});
    CHECK(RedisAt(server)->Put(original, digest, end).error().cause == Cause::kDenied);
    CHECK(RedisAt(server, ":wrong@")->Put(original, digest, end).error().cause == Cause::kDenied);
    CHECK(RedisAt(server, ":open sesame@")->Put(original, digest, end).ok());
  }
  SUBCASE("a server that evicts by itself") {
    RedisServer server({"--maxmemory-policy", "allkeys-lru"});
    CHECK(RedisAt(server)->Put(original, digest, end).error().cause == Cause::kDenied);
    RedisTier::Options options;
    options.address = *ParseRedisAddress(server.url());
    options.may_evict = true;
    CHECK(RedisTier(options, nullptr).Put(original, digest, end).ok());
  }
  SUBCASE("a full server") {
    RedisServer server({"--maxmemory", "3mb"});
    auto tier = RedisAt(server);
    Result<void> put;
    for (uint32_t i = 0; put && i < 200; ++i) {
      std::string some = RandomBytes(50000, i);
      put = tier->Put(some, Sha256Of(some), end);
    }
    REQUIRE_FALSE(put.ok());
    CHECK(put.error().cause == Cause::kFull);
  }
  SUBCASE("another thing under the key") {
    RedisServer server;
    auto tier = RedisAt(server);
    std::string other = *EncodeBody("another", Sha256Of("another"), true, false, nullptr);
    REQUIRE(tier->Put(original, digest, end).ok());
    ScratchFolder folder;
    std::string command =
        "redis-cli -p " + std::to_string(server.port()) + " set pith:" + TokenOf(digest) + " junk >/dev/null";
    if (system(command.c_str()) == 0) CHECK(tier->Get(TokenOf(digest), {}).error().cause == Cause::kDamaged);
  }
}

TEST_CASE("redis: a sentinel is asked for the master, and a name that it does not know is said") {
  if (NoRedis()) return;
  RedisServer master;
  RedisServer sentinel(RedisServer::Watching{master});
  RedisTier::Options options;
  std::string where = "redis+sentinel://127.0.0.1:" + std::to_string(sentinel.port()) + "/";
  options.address = *ParseRedisAddress(where + "main");
  RedisTier tier(options, nullptr);
  int64_t end = TheClock().WallMs() + kDay;
  REQUIRE(tier.Put("by way of a sentinel", Sha256Of("by way of a sentinel"), end).ok());
  CHECK(*RedisAt(master)->Get(TokenOf("by way of a sentinel"), {}) == "by way of a sentinel");
  options.address = *ParseRedisAddress(where + "nobody");
  Result<void> unknown = RedisTier(options, nullptr).Put("x", Sha256Of("x"), end);
  CHECK(unknown.error().sentence.find("knows no master named nobody") != std::string::npos);
}

TEST_CASE("redis: MOVED and ASK of a cluster, a replica, a server that loads: each is a sentence, none a miss") {
  struct Answer {
    std::string said;
    Cause cause;
    std::string sentence;
  };
  for (const Answer& answer :
       {Answer{"-MOVED 866 127.0.0.1:7001", Cause::kUnsupported, "is a cluster"},
        Answer{"-ASK 866 127.0.0.1:7001", Cause::kUnsupported, "is a cluster"},
        Answer{"-READONLY You can't write against a read only replica.", Cause::kReadOnly, "replica"},
        Answer{"-LOADING Redis is loading the dataset in memory", Cause::kUnavailable, "busy"},
        Answer{"-OOM command not allowed", Cause::kFull, "is full"}}) {
    CAPTURE(answer.said);
    StubbornRedis server(answer.said);
    RedisTier::Options options;
    options.address = *ParseRedisAddress(server.url());
    RedisTier tier(options, nullptr);
    Result<std::string> got = tier.Get(TokenOf("x"), {});
    CHECK(got.error().cause == answer.cause);
    CHECK(got.error().sentence.find(answer.sentence) != std::string::npos);
    CHECK(tier.Put("x", Sha256Of("x"), TheClock().WallMs() + kDay).error().cause == answer.cause);
  }
}

TEST_CASE("redis: power is claimed where every write is synced, and each replica must say that it has it") {
  if (NoRedis()) return;
  int64_t end = TheClock().WallMs() + kDay;
  RedisServer loose, synced({"--appendonly", "yes", "--appendfsync", "always"});
  RedisTier::Options options;
  options.durability = Durability::kPower;
  options.address = *ParseRedisAddress(loose.url());
  RedisTier of_loose(options, nullptr);
  REQUIRE(of_loose.Put("a", Sha256Of("a"), end).ok());
  CHECK_FALSE(of_loose.durable());
  options.address = *ParseRedisAddress(synced.url());
  RedisTier tier(options, nullptr);
  REQUIRE(tier.Put("b", Sha256Of("b"), end).ok());
  CHECK(tier.durable());
  RedisServer replica({"--replicaof", "127.0.0.1 " + std::to_string(synced.port())});
  auto copied = RedisAt(replica);
  for (int tries = 0; tries < 500 && !copied->Get(TokenOf("b"), {}); ++tries) usleep(10000);
  REQUIRE(tier.Put("c", Sha256Of("c"), end).ok());
  CHECK(*copied->Get(TokenOf("c"), {}) == "c");
  replica.Pause();
  Result<void> put = tier.Put("d", Sha256Of("d"), end);
  replica.Resume();
  REQUIRE_FALSE(put.ok());
  CHECK(put.error().cause == Cause::kUnavailable);
  CHECK(put.error().sentence.find("0 of the redis's 1 replicas") != std::string::npos);
}

TEST_CASE("redis: a server that does not answer is asked once, then left alone for a while") {
  if (NoRedis()) return;
  RedisServer server;
  RedisTier::Options options;
  options.address = *ParseRedisAddress(server.url());
  options.timeout_ms = 100;
  RedisTier tier(options, nullptr);
  REQUIRE(tier.Put("x", Sha256Of("x"), TheClock().WallMs() + kDay).ok());
  server.Pause();
  CHECK(tier.Get(TokenOf("x"), {}).error().cause == Cause::kUnavailable);
  Error again = tier.Get(TokenOf("x"), {}).error();
  CHECK(again.cause == Cause::kUnavailable);
  CHECK(again.sentence.find("left alone") != std::string::npos);
  server.Resume();
}

TEST_CASE("redis: misses of a server that drops keys by itself say so, killed and restarted, it is used again") {
  if (NoRedis()) return;
  RedisServer server({"--maxmemory-policy", "allkeys-lru"});
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.chain = "sqlite,redis";
  options.redis = server.url();
  options.redis_may_evict = true;
  auto store = Opened(options);
  Result<std::string> miss = store->Get("0123456789abcdef01234567");
  CHECK(miss.error().cause == Cause::kNotFound);
  CHECK(miss.error().sentence.find("allkeys-lru") != std::string::npos);
  server.Kill();
  CHECK(store->Put("while it is away", Seen()).ok());
  CHECK(store->TakeNotices().size() == 1);
  server.Start();
  ScratchFolder there;
  StoreOptions other = options;
  other.folder = there.path();
  auto fresh = Opened(options);  // a new process does not wait out the five seconds
  std::string token = PutOrFail(*fresh, "when it is back");
  CHECK(GetOrFail(*Opened(other), token) == "when it is back");
}

TEST_CASE("redis addresses are read, and wrong ones refused with a sentence") {
  Result<RedisAddress> full = ParseRedisAddress("redis://me:secret@cache.example:6380/3");
  REQUIRE(full.ok());
  CHECK(full->host == "cache.example");
  CHECK(full->port == 6380);
  CHECK(full->user == "me");
  CHECK(full->password == "secret");
  CHECK(full->database == 3);
  CHECK(ParseRedisAddress("redis://[::1]:7000")->host == "::1");
  CHECK(ParseRedisAddress("redis+sentinel://s1:26380/main")->master == "main");
  CHECK(ParseRedisAddress("unix:///run/redis.sock")->socket == "/run/redis.sock");
  CHECK(ParseRedisAddress("rediss://h").error().cause == Cause::kUnsupported);
  for (const char* wrong :
       {"", "localhost", "redis://", "redis://h:0", "redis://h:x", "redis://h/x", "redis+sentinel://h"}) {
    CAPTURE(wrong);
    CHECK(ParseRedisAddress(wrong).error().cause == Cause::kInvalid);
  }
}

TEST_CASE(
    "chains: unknown and doubled names are refused, a chain without SQLite keeps its bodies, a key and a journal do "
    "not mix") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  for (const char* wrong : {"memory,disk", "sqlite,sqlite", "memory,,sqlite"}) {
    options.chain = wrong;
    CHECK(Store::Open(options).error().cause == Cause::kInvalid);
  }
  for (const char* chain : {"memory,files", "journal", "memory,sqlite,files,journal"}) {
    options.chain = chain;
    std::string original = std::string("kept by ") + chain;
    Result<PutOutcome> put = Opened(options)->Put(original, Seen());
    REQUIRE(put.ok());
    CHECK(put->tier != "memory");
    CHECK(GetOrFail(*Opened(options), TokenOf(original)) == original);
  }
  options.key = "a secret of more than sixteen bytes";
  CHECK(Store::Open(options).error().cause == Cause::kInvalid);
}
