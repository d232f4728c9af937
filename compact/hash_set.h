// A set of hashes that is asked of millions: one array, a look at one or two places of it, nothing allocated an entry.
// For hashes that are spread evenly; 0 counts as 1. Never iterated.
#pragma once
#include <cstdint>
#include <vector>

namespace pith {

class HashSet {
 public:
  size_t size() const { return size_; }

  bool contains(uint64_t hash) const { return !slots_.empty() && slots_[SlotOf(hash | (hash == 0))] != 0; }

  // True if it is new.
  bool insert(uint64_t hash) {
    hash |= hash == 0;
    if (size_ * 2 >= slots_.size()) Grow();
    uint64_t& slot = slots_[SlotOf(hash)];
    if (slot != 0) return false;
    slot = hash;
    ++size_;
    return true;
  }

 private:
  // Where the hash stands, or the free place where it would.
  size_t SlotOf(uint64_t hash) const {
    const size_t mask = slots_.size() - 1;
    size_t at = static_cast<size_t>(hash * 0x9e3779b97f4a7c15u >> 20) & mask;
    while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) & mask;
    return at;
  }

  void Grow() {
    std::vector<uint64_t> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (uint64_t hash : old) {
      if (hash != 0) slots_[SlotOf(hash)] = hash;
    }
  }

  std::vector<uint64_t> slots_;  // a power of two of them, at most half full; 0 is free
  size_t size_ = 0;
};

}  // namespace pith
