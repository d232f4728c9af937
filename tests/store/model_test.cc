// Random operations against a simple model of the contract. A failing run is made shorter by leaving operations out.
#include <map>
#include <set>

#include "base/clock.h"
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

class ModelClock : public Clock {
 public:
  ModelClock() { ReplaceClock(this); }
  ModelClock(const ModelClock&) = delete;
  ModelClock& operator=(const ModelClock&) = delete;
  ~ModelClock() override { ReplaceClock(nullptr); }
  int64_t WallMs() override { return now_ms + jump_ms; }
  int64_t BootMs() override { return now_ms - 1700000000000; }
  std::string BootId() override { return "model"; }
  int64_t now_ms = 1800000000000;
  int64_t jump_ms = 0;  // of the wall clock alone
};

enum class Kind : uint8_t {
  kPut,
  kPutOneShot,
  kGet,
  kLines,
  kHold,
  kRelease,
  kPurgeToken,
  kPass,
  kJump,
  kReopen,
  kGc,
  kList
};
struct Operation {
  Kind kind;
  uint32_t a, b;
};

constexpr int64_t kLifetimeMs = 8 * 3600 * 1000;
constexpr uint32_t kOriginals = 24;
const std::string kMemoryOnly = "memory";  // lives as long as its process

std::string OriginalOf(uint32_t which) {
  if (which % 5 == 4) return RandomBytes(3000, which);
  return "original " + std::to_string(which) + "\n" + LogLines(which % 7, which);
}

// What the contract says of one original.
struct Known {
  int64_t used_ms = 0;
  bool held = false, purged = false, seen = false;
};

// An empty text when all answers were right.
std::string Run(const std::vector<Operation>& operations, const std::string& chain) {
  ModelClock clock;
  ScratchFolder folder(true);
  StoreOptions options = In(folder.path());
  options.chain = chain;
  options.memory_only = chain == kMemoryOnly;
  options.lifetime_seconds = kLifetimeMs / 1000;
  StoreOptions one_shot = options;
  one_shot.one_shot = true;
  std::unique_ptr<Store> store = Opened(options);
  std::map<uint32_t, Known> model;
  for (size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    uint32_t which = operation.a % kOriginals;
    std::string original = OriginalOf(which), token = TokenOf(original);
    Known& known = model[which];
    std::string at = "operation " + std::to_string(i) + ": ";
    switch (operation.kind) {
      case Kind::kPut:
      case Kind::kPutOneShot: {
        Result<PutOutcome> put =
            (operation.kind == Kind::kPut || options.memory_only ? *store : *Opened(one_shot)).Put(original, Seen());
        if (!put) return at + "a put failed: " + put.error().sentence;
        if (put->token != token) return at + "a wrong token";
        bool held = known.held;
        known = {clock.now_ms, held, false, true};
        break;
      }
      case Kind::kGet:
      case Kind::kLines: {
        Result<std::string> bytes = Error{};
        if (operation.kind == Kind::kGet) {
          bytes = store->Get(token);
        } else if (Result<LineSlice> slice = store->GetLines(token, 1, 1)) {
          bytes = slice->bytes;
          original = original.substr(
              0, original.find('\n') == std::string::npos ? std::string::npos : original.find('\n') + 1);
        } else {
          bytes = slice.error();
        }
        // Between the promised time and that plus a use that was not written down, both answers are right.
        int64_t age = clock.now_ms - known.used_ms;
        bool must = known.seen && !known.purged && (known.held || age < kLifetimeMs);
        bool may = known.seen && !known.purged && (known.held || age < kLifetimeMs + kLifetimeMs / 4 + 1000);
        if (bytes && *bytes != original) return at + "wrong bytes";
        if (bytes && !may) return at + "an original came back that should be gone";
        if (!bytes && must) return at + "an original was lost: " + bytes.error().sentence;
        if (!bytes && known.purged && bytes.error().cause != Cause::kPurged) return at + "a purge was not said";
        if (!bytes && !known.seen && bytes.error().cause != Cause::kNotFound) return at + "never stored was not said";
        if (!bytes && known.seen && !known.purged && bytes.error().cause != Cause::kExpired)
          return at + "an expiry was not said";
        if (bytes) known.used_ms = clock.now_ms;
        if (!bytes && known.seen && !known.purged) known.held = false;
        break;
      }
      case Kind::kHold:
      case Kind::kRelease: {
        bool hold = operation.kind == Kind::kHold;
        if (store->Hold(token, hold)) {
          if (!known.seen || known.purged) return at + "what is not there was held";
          known.held = hold;
          known.used_ms = clock.now_ms;
        } else if (known.seen && !known.purged && (known.held || clock.now_ms - known.used_ms < kLifetimeMs)) {
          return at + "what is there could not be held";
        }
        break;
      }
      case Kind::kPurgeToken: {
        PurgeQuery query;
        query.token = token;
        if (store->Purge(query)) known = {0, false, true, true};
        break;
      }
      case Kind::kPass:
        clock.now_ms += operation.b % (kLifetimeMs / 3);
        break;
      case Kind::kJump:
        clock.jump_ms = (static_cast<int64_t>(operation.b % 2000) - 1000) * 24 * 3600 * 1000;
        break;
      case Kind::kReopen:
        if (options.memory_only) break;
        store.reset();
        store = Opened(options);
        break;
      case Kind::kGc:
        if (!store->Gc()) return at + "gc failed";
        break;
      case Kind::kList: {
        ListQuery query;
        query.limit = 1000;
        Result<std::vector<Entry>> entries = store->List(query);
        if (!entries) return at + "a list failed";
        std::set<std::string> listed;
        for (const Entry& entry : *entries) listed.insert(entry.token);
        for (const auto& [number, one] : model) {
          bool must = one.seen && !one.purged && (one.held || clock.now_ms - one.used_ms < kLifetimeMs);
          if (must && !listed.contains(TokenOf(OriginalOf(number)))) return at + "a list lacks an original";
        }
        break;
      }
    }
  }
  return {};
}

std::vector<Operation> RandomOperations(uint32_t seed, size_t count, bool jumps) {
  // The wall clock's jumps and one-shot puts do not mix in the model: a sighting in the inbox knows wall time only.
  const std::vector<Kind> kinds =
      jumps ? std::vector<Kind>{Kind::kPut,    Kind::kPut,  Kind::kGet,     Kind::kGet,  Kind::kGet,
                                Kind::kLines,  Kind::kHold, Kind::kRelease, Kind::kPass, Kind::kJump,
                                Kind::kReopen, Kind::kGc,   Kind::kList}
            : std::vector<Kind>{Kind::kPut,  Kind::kPutOneShot, Kind::kPutOneShot, Kind::kGet,     Kind::kGet,
                                Kind::kGet,  Kind::kLines,      Kind::kHold,       Kind::kRelease, Kind::kPurgeToken,
                                Kind::kPass, Kind::kReopen,     Kind::kGc,         Kind::kList};
  std::mt19937 random(seed);
  std::vector<Operation> operations(count);
  for (Operation& operation : operations) {
    operation = {kinds[random() % kinds.size()], static_cast<uint32_t>(random()), static_cast<uint32_t>(random())};
  }
  return operations;
}

// The shortest failing run that leaving out halves, quarters, ... of the operations finds.
std::vector<Operation> Shrunk(std::vector<Operation> operations, const std::string& chain) {
  for (size_t step = operations.size() / 2; step > 0; step /= 2) {
    for (size_t at = 0; at + step <= operations.size();) {
      std::vector<Operation> fewer = operations;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(at), fewer.begin() + static_cast<ptrdiff_t>(at + step));
      if (!Run(fewer, chain).empty())
        operations = std::move(fewer);
      else
        at += step;
    }
  }
  return operations;
}

}  // namespace

TEST_CASE("random operations against a model of the contract, over each chain") {
  const char* given = getenv("PITH_MODEL_OPERATIONS");
  const char* seed_given = getenv("PITH_MODEL_SEED");
  const std::vector<std::string> chains = {"memory,sqlite", "sqlite", kMemoryOnly, "memory,sqlite,files",
                                           "sqlite,journal"};
  constexpr size_t kEach = 200;
  size_t wanted = given != nullptr ? static_cast<size_t>(atoll(given)) : 60000 / kSlowness;
  size_t runs = wanted / (kEach * chains.size());
  uint32_t first_seed = seed_given != nullptr ? static_cast<uint32_t>(atoll(seed_given)) : 1;
  for (uint32_t seed = first_seed; seed < first_seed + runs; ++seed) {
    for (const std::string& chain : chains) {
      // A shared tier ends by the wall clock.
      bool jumps =
          seed % 2 == 0 && chain.find("files") == std::string::npos && chain.find("journal") == std::string::npos;
      std::vector<Operation> operations = RandomOperations(seed, kEach, jumps);
      std::string fault = Run(operations, chain);
      if (fault.empty()) continue;
      operations = Shrunk(operations, chain);
      std::string shown;
      for (const Operation& operation : operations) {
        shown += std::to_string(static_cast<int>(operation.kind)) + ":" + std::to_string(operation.a % kOriginals) +
                 ":" + std::to_string(operation.b) + " ";
      }
      FAIL("seed " << seed << ", chain " << chain << ": " << Run(operations, chain) << "\n" << shown);
    }
  }
  MESSAGE((runs * kEach * chains.size()), " operations, seeds ", first_seed, " to ", first_seed + runs - 1);
}
