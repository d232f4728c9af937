// The power goes at any operation: unsynced writes and names are lost and reordered. At `power` every original that was
// put is there afterwards; at `process` the store is consistent, and may lack the last ones.
#include <algorithm>

#include "store/maintenance.h"
#include "tests/faults/power_loss.h"
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

// PITH_POWER_LOSSES: how many operations to lose power at, of each road.
int Losses(int usual) {
  const char* given = getenv("PITH_POWER_LOSSES");
  return given != nullptr ? atoi(given) : usual;
}

std::string OriginalOf(int number) {
  if (number % 4 == 3) return RandomBytes(30000, static_cast<uint32_t>(number));
  return LogLines(30, static_cast<uint32_t>(number));
}

using Promised = std::vector<std::string>;
using Road = std::function<void(const StoreOptions& options, Promised& promised)>;

void Server(const StoreOptions& options, Promised& promised) {
  auto store = Opened(options);
  for (int i = 0; i < 12; ++i) {
    if (store->Put(OriginalOf(i), Seen())) promised.push_back(OriginalOf(i));
  }
}

void OneShot(const StoreOptions& given, Promised& promised) {
  StoreOptions options = given;
  options.one_shot = true;
  for (int i = 0; i < 8; ++i) {
    if (Opened(options)->Put(OriginalOf(i), Seen())) promised.push_back(OriginalOf(i));
  }
  (void)Opened(given)->Gc().ok();  // folds in
  if (Opened(given)->Put(OriginalOf(9), Seen())) promised.push_back(OriginalOf(9));
}

void Large(const StoreOptions& options, Promised& promised) {
  auto store = Opened(options);
  std::string large(17 << 20, 'l');
  if (store->Put(large, Seen())) promised.push_back(large);
}

void Streamed(const StoreOptions& options, Promised& promised) {
  auto store = Opened(options);
  for (size_t size : {size_t{2000}, size_t{17} << 20}) {
    Result<std::unique_ptr<Spool>> spool = store->OpenSpool();
    if (!spool) continue;
    std::string bytes(size, 's');
    if ((*spool)->Append(bytes) && (*spool)->Finish(Seen())) promised.push_back(bytes);
  }
}

void StreamedOnce(const StoreOptions& given, Promised& promised) {
  StoreOptions options = given;
  options.one_shot = true;
  Streamed(options, promised);
}

// Runs the road, loses power at its `nth` change, and gives what had been promised by then; `ended`: it has fewer.
Promised LosePower(const Road& road, Durability durability, const std::string& chain, int64_t nth,
                   const std::string& image, bool* ended) {
  ScratchFolder machine;
  Promised promised, at_loss;
  {
    PowerLoss disk(machine.path());
    disk.LoseAt(nth, image, static_cast<uint32_t>(nth), [&] { at_loss = promised; });
    StoreOptions options = In(machine / "state/pith");
    options.durability = durability;
    options.chain = chain;
    road(options, promised);
    *ended = disk.changes() < nth;
    if (*ended) disk.LoseNow();
  }
  return at_loss;
}

int64_t ChangesOf(const Road& road, Durability durability, const std::string& chain) {
  ScratchFolder machine;
  Promised promised;
  PowerLoss disk(machine.path());
  StoreOptions options = In(machine / "state/pith");
  options.durability = durability;
  options.chain = chain;
  road(options, promised);
  REQUIRE(promised.size() > 0);
  return disk.changes();
}

struct Case {
  std::string name;
  Road road;
  std::string chain;
};
const Case kCases[] = {
    {"server", Server, "memory,sqlite"}, {"one-shot", OneShot, "memory,sqlite"},      {"large", Large, "sqlite"},
    {"spool", Streamed, "sqlite"},       {"spool, one-shot", StreamedOnce, "sqlite"}, {"files", Server, "files"},
    {"journal", Server, "journal"}};

void ForEachLoss(const Case& one, Durability durability,
                 const std::function<void(const StoreOptions& image, const Promised& promised)>& check) {
  int64_t changes = ChangesOf(one.road, durability, one.chain);
  int64_t step = std::max<int64_t>(1, changes / Losses(25));
  for (int64_t nth = 1; nth <= changes + step; nth += step) {
    ScratchFolder image;
    bool ended = false;
    Promised promised = LosePower(one.road, durability, one.chain, nth, image / "medium", &ended);
    CAPTURE(one.name);
    CAPTURE(nth);
    StoreOptions options = In(image / "medium/state/pith");
    options.chain = one.chain;
    check(options, promised);
  }
}

}  // namespace

TEST_CASE("power is lost at any operation at the level power: nothing that was put is missing") {
  for (const Case& one : kCases) {
    size_t kept = 0;
    ForEachLoss(one, Durability::kPower, [&](const StoreOptions& image, const Promised& promised) {
      auto store = Opened(image);
      for (const std::string& original : promised) {
        Result<std::string> bytes = store->Get(TokenOf(original));
        INFO((bytes ? "" : bytes.error().sentence));
        REQUIRE(bytes.ok());
        REQUIRE((*bytes == original));
        ++kept;
      }
    });
    MESSAGE(one.name, ": ", kept, " originals that were promised, all there");
  }
}

TEST_CASE("power is lost at any operation at the level process: the store is consistent, and goes on") {
  for (const Case& one : kCases) {
    size_t promises = 0, there = 0;
    ForEachLoss(one, Durability::kProcess, [&](const StoreOptions& image, const Promised& promised) {
      {
        auto store = Opened(image);
        for (const std::string& original : promised) {
          Result<std::string> bytes = store->Get(TokenOf(original));
          if (bytes) REQUIRE((*bytes == original));
          ++promises;
          there += bytes.ok() ? 1 : 0;
        }
        REQUIRE(store->Gc().ok());
        CHECK(GetOrFail(*store, PutOrFail(*store, "life goes on")) == "life goes on");
      }
      Result<CheckOutcome> checked = CheckStore(image, false);
      REQUIRE(checked.ok());
      CHECK(checked->damaged.size() <= 1);  // a large body whose blocks were lost is said to be
    });
    MESSAGE(one.name, ": ", there, " of ", promises, " were there");
  }
}
