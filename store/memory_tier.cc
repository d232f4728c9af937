#include "store/memory_tier.h"

#include <algorithm>

#include "base/clock.h"
#include "base/token.h"

namespace pith {
namespace {

constexpr uint64_t kOverhead = 256;  // of an entry beside its bytes

Error NotHere(std::string_view token) {
  return Error{Cause::kNotFound, "original " + std::string(token) + " is not in memory"};
}

}  // namespace

Result<void> MemoryTier::Put(std::string_view bytes, const Digest& digest, int64_t expires_ms) {
  uint64_t size = bytes.size() + kOverhead;
  if (size > max_bytes_ / 4) return Error{Cause::kTooLarge, "too large for the memory tier"};
  std::string token = TokenOf(digest);
  int64_t ends_ms = TheClock().BootMs() + (expires_ms - TheClock().WallMs());
  std::lock_guard lock(mutex_);
  if (auto found = index_.find(token); found != index_.end()) {
    found->second->ends_ms = std::max(found->second->ends_ms, ends_ms);
    order_.splice(order_.begin(), order_, found->second);
    return {};
  }
  order_.push_front({token, HexOf(digest), std::string(bytes), ends_ms});
  index_[order_.front().token] = order_.begin();
  bytes_ += size;
  while (bytes_ > max_bytes_) Drop(std::prev(order_.end()));
  return {};
}

Result<std::string> MemoryTier::Get(std::string_view token, Range range) {
  std::lock_guard lock(mutex_);
  auto found = index_.find(token.substr(0, kTokenLength));
  if (found == index_.end()) return NotHere(token);
  Item& item = *found->second;
  if (std::string_view(item.digest).substr(0, token.size()) != token) return NotHere(token);
  if (item.ends_ms <= TheClock().BootMs()) {
    Drop(found->second);
    return Error{Cause::kExpired, "original " + std::string(token) + " has expired"};
  }
  order_.splice(order_.begin(), order_, found->second);
  return std::string(Clamp(item.bytes, range));
}

Result<void> MemoryTier::Remove(std::string_view token) {
  std::lock_guard lock(mutex_);
  if (auto found = index_.find(token.substr(0, kTokenLength)); found != index_.end()) Drop(found->second);
  return {};
}

Result<TierStats> MemoryTier::Stats() {
  std::lock_guard lock(mutex_);
  uint64_t raw = bytes_ - index_.size() * kOverhead;
  return TierStats{"memory", index_.size(), raw, raw};
}

Result<uint64_t> MemoryTier::Sweep() {
  std::lock_guard lock(mutex_);
  uint64_t swept = 0;
  int64_t now = TheClock().BootMs();
  for (auto item = order_.begin(); item != order_.end();) {
    auto next = std::next(item);
    if (item->ends_ms <= now) {
      Drop(item);
      ++swept;
    }
    item = next;
  }
  return swept;
}

void MemoryTier::Clear() {
  std::lock_guard lock(mutex_);
  index_.clear();
  order_.clear();
  bytes_ = 0;
}

void MemoryTier::Drop(Order::iterator item) {
  bytes_ -= item->bytes.size() + kOverhead;
  index_.erase(item->token);
  order_.erase(item);
}

std::string_view Clamp(std::string_view bytes, Range range) {
  if (range.offset >= bytes.size()) return {};
  return bytes.substr(static_cast<size_t>(range.offset), static_cast<size_t>(range.length));
}

}  // namespace pith
