// Random operations against a model of what a tier promises: bodies until their end, and nothing else. A failing run is
// made shorter by leaving operations out.
#include <map>

#include "base/clock.h"
#include "store/files_tier.h"
#include "store/journal_tier.h"
#include "store/memory_tier.h"
#include "store/redis_tier.h"
#include "tests/store/redis_server.h"
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

class TierClock : public Clock {
 public:
  TierClock() { ReplaceClock(this); }
  TierClock(const TierClock&) = delete;
  TierClock& operator=(const TierClock&) = delete;
  ~TierClock() override { ReplaceClock(nullptr); }
  int64_t WallMs() override { return now_ms; }
  int64_t BootMs() override { return now_ms; }
  std::string BootId() override { return "model"; }
  int64_t now_ms = 1800000000000;
};

enum class Kind : uint8_t { kPut, kGet, kRange, kRemove, kPass, kSweep, kReopen };
struct Operation {
  Kind kind;
  uint32_t a, b;
};

constexpr uint32_t kOriginals = 16;
constexpr int64_t kHourMs = 3600 * 1000;

std::string OriginalOf(uint32_t which) {
  return which % 4 == 3 ? RandomBytes(2000 + which, which) : LogLines(which, which);
}

using Make = std::function<std::unique_ptr<Tier>(const std::string& folder)>;

// An empty text when all answers were right. `passing`: the tier ends its bodies by the model's clock.
std::string Run(const std::vector<Operation>& operations, const Make& make, bool passing, bool lasting) {
  TierClock clock;
  ScratchFolder folder(true);
  std::unique_ptr<Tier> tier = make(folder.path());
  std::map<uint32_t, int64_t> ends;
  for (uint32_t i = 0; i < kOriginals; ++i) (void)tier->Remove(TokenOf(OriginalOf(i))).ok();
  for (size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    uint32_t which = operation.a % kOriginals;
    std::string original = OriginalOf(which), token = TokenOf(original);
    std::string at = "operation " + std::to_string(i) + ": ";
    bool there = ends.contains(which) && ends[which] > clock.now_ms;
    switch (operation.kind) {
      case Kind::kPut: {
        int64_t end = clock.now_ms + kHourMs * (1 + operation.b % 8);
        Result<void> put = tier->Put(original, Sha256Of(original), end);
        if (!put) return at + "a put failed: " + put.error().sentence;
        ends[which] = there ? std::max(ends[which], end) : end;
        break;
      }
      case Kind::kGet:
      case Kind::kRange: {
        Range range;
        if (operation.kind == Kind::kRange) range = {operation.b % 3000, operation.b % 97};
        Result<std::string> bytes = tier->Get(token, range);
        if (bytes && *bytes != Clamp(original, range)) return at + "wrong bytes";
        if (bytes && !there) return at + "what should be gone came back";
        if (!bytes && there) return at + "an original was lost: " + bytes.error().sentence;
        if (!bytes && bytes.error().cause != Cause::kNotFound && bytes.error().cause != Cause::kExpired)
          return at + "neither missing nor expired: " + bytes.error().sentence;
        break;
      }
      case Kind::kRemove:
        if (!tier->Remove(token)) return at + "a removal failed";
        ends.erase(which);
        break;
      case Kind::kPass:
        if (passing) clock.now_ms += operation.b % (2 * kHourMs);
        break;
      case Kind::kSweep:
        if (!tier->Sweep()) return at + "a sweep failed";
        break;
      case Kind::kReopen:
        if (!lasting) break;
        tier.reset();
        tier = make(folder.path());
        break;
    }
  }
  return {};
}

std::vector<Operation> RandomOperations(uint32_t seed, size_t count) {
  const Kind kinds[] = {Kind::kPut,   Kind::kPut,    Kind::kGet,  Kind::kGet,   Kind::kGet,
                        Kind::kRange, Kind::kRemove, Kind::kPass, Kind::kSweep, Kind::kReopen};
  std::mt19937 random(seed);
  std::vector<Operation> operations(count);
  for (Operation& operation : operations) {
    operation = {kinds[random() % std::size(kinds)], static_cast<uint32_t>(random()), static_cast<uint32_t>(random())};
  }
  return operations;
}

void HoldsFor(const std::string& name, const Make& make, size_t wanted, bool passing, bool lasting) {
  constexpr size_t kEach = 250;
  for (uint32_t seed = 1; seed <= wanted / kEach; ++seed) {
    std::vector<Operation> operations = RandomOperations(seed, kEach);
    if (Run(operations, make, passing, lasting).empty()) continue;
    for (size_t step = operations.size() / 2; step > 0; step /= 2) {
      for (size_t at = 0; at + step <= operations.size();) {
        std::vector<Operation> fewer = operations;
        fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(at), fewer.begin() + static_cast<ptrdiff_t>(at + step));
        if (Run(fewer, make, passing, lasting).empty())
          at += step;
        else
          operations = std::move(fewer);
      }
    }
    std::string shown;
    for (const Operation& operation : operations) {
      shown += std::to_string(static_cast<int>(operation.kind)) + ":" + std::to_string(operation.a % kOriginals) + ":" +
               std::to_string(operation.b) + " ";
    }
    FAIL(name << ", seed " << seed << ": " << Run(operations, make, passing, lasting) << "\n" << shown);
  }
}

}  // namespace

TEST_CASE("random operations against a model of the contract, over each tier") {
  const char* given = getenv("PITH_MODEL_OPERATIONS");
  size_t wanted = (given != nullptr ? static_cast<size_t>(atoll(given)) : 40000 / kSlowness) / 4;
  HoldsFor(
      "memory", [](const std::string&) { return std::make_unique<MemoryTier>(32 << 20); }, wanted, true, false);
  HoldsFor(
      "files",
      [](const std::string& folder) {
        return std::make_unique<FilesTier>(folder + "/files", 1 << 30, Durability::kProcess, nullptr);
      },
      wanted, true, true);
  HoldsFor(
      "journal",
      [](const std::string& folder) {
        return std::make_unique<JournalTier>(folder + "/j.jsonl", 1 << 30, Durability::kProcess);
      },
      wanted, true, true);
  if (!RedisServer::Installed()) {
    MESSAGE("redis-server is not installed: the Redis tier is not tested");
    return;
  }
  RedisServer server;
  HoldsFor(
      "redis",
      [&](const std::string&) {
        RedisTier::Options options;
        options.address = *ParseRedisAddress(server.url());
        return std::make_unique<RedisTier>(options, nullptr);
      },
      wanted, false, true);
}
