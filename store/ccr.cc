// The library face: a Store behind a mutex that is held for a moment only, since a Store may be used by any thread.
// Configure and SetDisk put another Store in its place; calls under way keep the one they began with.
#include "pith/ccr.h"

#include <algorithm>
#include <mutex>

#include "base/markers.h"
#include "base/token.h"
#include "base/utf8.h"
#include "store/store.h"

namespace pith::ccr {
namespace {

constexpr uint64_t kLongestCharacter = 4;

Status StatusOf(Cause cause) {
  switch (cause) {
    case Cause::kInvalid:
      return Status::kInvalid;
    case Cause::kNotFound:
      return Status::kNotFound;
    case Cause::kExpired:
      return Status::kExpired;
    case Cause::kEvicted:
      return Status::kEvicted;
    case Cause::kPurged:
      return Status::kPurged;
    case Cause::kDamaged:
      return Status::kDamaged;
    case Cause::kDenied:
    case Cause::kReadOnly:
      return Status::kRefused;
    case Cause::kFull:
    case Cause::kTooLarge:
      return Status::kFull;
    default:
      return Status::kUnavailable;
  }
}

Failure FailureOf(const Error& error) { return {StatusOf(error.cause), error.sentence}; }

StoreOptions StoreOptionsOf(const Options& options) {
  StoreOptions store;
  store.folder = options.folder;
  store.memory_only = !options.disk;
  store.durability = options.power_safe ? Durability::kPower : Durability::kProcess;
  store.memory_bytes = options.limits.memory_bytes;
  store.max_entries = options.limits.max_entries;
  store.max_bytes = options.limits.max_bytes;
  store.lifetime_seconds = options.limits.lifetime_seconds;
  store.key = options.key;
  return store;
}

using SharedStore = std::shared_ptr<Store>;

Expected<SharedStore> OpenStore(const Options& options) {
  Result<std::unique_ptr<Store>> store = Store::Open(StoreOptionsOf(options));
  if (!store) return FailureOf(store.error());
  return SharedStore(store.Take());
}

// A token, or the first one that a marker in the text names.
std::string TokenIn(std::string_view text) {
  if (IsTokenShaped(text)) return std::string(text);
  return TokenFromArgument(text).value_or(std::string(text));
}

}  // namespace

struct Ccr::State {
  mutable std::mutex mutex;  // guards what follows
  Options options;
  SharedStore store;
  SharedStore resting;  // the disk's, for reading, while the disk is off

  SharedStore Current() const {
    std::lock_guard lock(mutex);
    return store;
  }
  SharedStore Resting() const {
    std::lock_guard lock(mutex);
    return resting;
  }

  // Asks the store in use, and where it never had the original, the one at rest.
  template <typename Ask>
  auto Read(Ask ask) const {
    auto result = ask(*Current());
    if (result || result.error().cause != Cause::kNotFound) return result;
    if (SharedStore other = Resting()) {
      if (auto elsewhere = ask(*other)) return elsewhere;
    }
    return result;
  }
};

std::string_view Version() { return PITH_CCR_VERSION; }

Ccr::Ccr(std::unique_ptr<State> state) : state_(std::move(state)) {}
Ccr::Ccr(Ccr&&) noexcept = default;
Ccr& Ccr::operator=(Ccr&&) noexcept = default;
Ccr::~Ccr() = default;

Expected<Ccr> Ccr::Open(Options options) {
  Expected<SharedStore> store = OpenStore(options);
  if (!store) return store.failure();
  auto state = std::make_unique<State>();
  state->options = std::move(options);
  state->store = std::move(store.value());
  return Ccr(std::move(state));
}

Expected<std::string> Ccr::Offload(std::string_view bytes, const Origin& origin) {
  Expected<Outcome> outcome = OffloadChecked(bytes, origin);
  if (!outcome) return outcome.failure();
  return std::move(outcome.value().token);
}

Expected<Outcome> Ccr::OffloadChecked(std::string_view bytes, const Origin& origin) {
  Sighting sighting;
  sighting.tool = origin.tool;
  sighting.command = origin.command;
  sighting.folder = origin.folder;
  sighting.exit_code = origin.exit_code;
  sighting.road = "library";
  {
    std::lock_guard lock(state_->mutex);
    sighting.name_space = state_->options.name_space;
  }
  Result<PutOutcome> put = state_->Current()->Put(bytes, sighting);
  if (!put) return FailureOf(put.error());
  Outcome outcome;
  outcome.token = put->token;
  outcome.existed = put->existed;
  outcome.tier = put->tier;
  outcome.retained = put->tier != "memory";
  return outcome;
}

Expected<std::string> Ccr::Retrieve(std::string_view token) {
  std::string name = TokenIn(token);
  Result<std::string> bytes = state_->Read([&](Store& store) {
    Result<std::string> got = store.Get(name);
    if (got) store.CountRetrieval(name, got->size(), 0);
    return got;
  });
  if (!bytes) return FailureOf(bytes.error());
  return bytes.Take();
}

Expected<Bytes> Ccr::RetrieveBytes(std::string_view token, uint64_t offset, uint64_t length) {
  std::string name = TokenIn(token);
  Result<Entry> entry = state_->Read([&](Store& store) { return store.Find(name); });
  if (!entry) return FailureOf(entry.error());
  uint64_t total = entry->bytes;
  uint64_t start = std::min(offset, total);
  uint64_t end = start + std::min(length, total - start);
  // Enough on both sides to see the characters that the ends stand in.
  uint64_t from = start - std::min(start, kLongestCharacter);
  uint64_t until = std::min(total, end + kLongestCharacter);
  Result<std::string> read = state_->Read([&](Store& store) { return store.Get(name, {from, until - from}); });
  if (!read) return FailureOf(read.error());
  const std::string& context = *read;
  size_t first = Utf8FloorBoundary(context, start - from);
  size_t last = end == total ? context.size() : Utf8FloorBoundary(context, end - from);
  if (last <= first && end > start) last = first + std::max<size_t>(1, Utf8SequenceLength(context, first));
  last = std::max(last, first);
  Bytes range;
  range.bytes = context.substr(first, last - first);
  range.offset = from + first;
  range.next = from + last;
  range.total = total;
  return range;
}

Expected<Lines> Ccr::RetrieveLines(std::string_view token, uint64_t first, uint64_t last) {
  std::string name = TokenIn(token);
  Result<LineSlice> slice = state_->Read([&](Store& store) { return store.GetLines(name, first, last); });
  if (!slice) return FailureOf(slice.error());
  return Lines{std::move(slice->bytes), slice->first, slice->last, slice->total};
}

Expected<Statistics> Ccr::Stats(bool own_name_space) {
  std::optional<std::string> name_space;
  if (own_name_space) {
    std::lock_guard lock(state_->mutex);
    name_space = state_->options.name_space;
  }
  Result<StoreStats> stats = state_->Current()->Stats(name_space);
  if (!stats) return FailureOf(stats.error());
  Statistics numbers;
  numbers.entries = stats->entries;
  numbers.raw_bytes = stats->raw_bytes;
  numbers.stored_bytes = stats->stored_bytes;
  numbers.offloads = stats->sightings;
  numbers.retrievals = stats->retrievals;
  numbers.expired = stats->expired;
  numbers.evicted = stats->evicted;
  numbers.purged = stats->purged;
  return numbers;
}

namespace {

// Everything that a store in memory holds, put into another.
Result<void> Move(Store& from, Store& to) {
  ListQuery query;
  query.limit = UINT64_MAX;
  Result<std::vector<Entry>> entries = from.List(query);
  if (!entries) return entries.error();
  for (const Entry& entry : *entries) {
    Result<std::string> bytes = from.Get(entry.token);
    if (!bytes) return bytes.error();
    if (Result<PutOutcome> put = to.Put(*bytes, entry.last); !put) return put.error();
  }
  return {};
}

}  // namespace

Expected<bool> Ccr::Configure(const Limits& limits) {
  std::lock_guard lock(state_->mutex);
  Options options = state_->options;
  options.limits = limits;
  Expected<SharedStore> store = OpenStore(options);
  if (!store) return store.failure();
  if (!options.disk) {
    if (Result<void> moved = Move(*state_->store, *store.value()); !moved) return FailureOf(moved.error());
  }
  state_->options = std::move(options);
  state_->store = std::move(store.value());
  return true;
}

Limits Ccr::limits() const {
  std::lock_guard lock(state_->mutex);
  return state_->options.limits;
}

Expected<bool> Ccr::SetDisk(bool on) {
  std::lock_guard lock(state_->mutex);
  if (state_->options.disk == on) return true;
  Options options = state_->options;
  options.disk = on;
  Expected<SharedStore> store = OpenStore(options);
  if (!store) return store.failure();
  if (on) {
    if (Result<void> moved = Move(*state_->store, *store.value()); !moved) return FailureOf(moved.error());
    state_->resting = nullptr;
  } else {
    state_->resting = state_->store;
  }
  state_->options = std::move(options);
  state_->store = std::move(store.value());
  return true;
}

bool Ccr::disk() const {
  std::lock_guard lock(state_->mutex);
  return state_->options.disk;
}

std::vector<std::string> ParseMarkers(std::string_view text) { return FindTokens(text); }

bool IsRecoveryTool(std::string_view tool_name) { return pith::IsRecoveryTool(tool_name); }

}  // namespace pith::ccr
