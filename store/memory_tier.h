// Originals as they are, in memory, least recently used first out. An original over a quarter of the tier is not taken:
// one large file would otherwise push out all that a session works with.
#pragma once
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

#include "store/tier.h"

namespace pith {

class MemoryTier : public Tier {
 public:
  explicit MemoryTier(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  std::string_view name() const override { return "memory"; }
  bool durable() const override { return false; }
  Result<void> Put(std::string_view bytes, const Digest& digest, int64_t expires_ms) override;
  Result<std::string> Get(std::string_view token, Range range) override;
  Result<void> Remove(std::string_view token) override;
  Result<TierStats> Stats() override;
  Result<uint64_t> Sweep() override;
  void Clear();

 private:
  struct Item {
    std::string token, digest, bytes;
    int64_t ends_ms = 0;  // time since boot: a jump of the wall clock moves nothing here
  };
  using Order = std::list<Item>;
  void Drop(Order::iterator item);

  const uint64_t max_bytes_;
  std::mutex mutex_;                                             // guards what follows
  Order order_;                                                  // newest use first
  std::unordered_map<std::string_view, Order::iterator> index_;  // keys lie in the items
  uint64_t bytes_ = 0;
};

}  // namespace pith
