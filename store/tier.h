// One level of the store: bodies under their hashes, each with one time at which it ends. Sightings, namespaces, holds
// and tombstones are the catalogue's business, and the chain answers for them. Any thread.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "store/store.h"

namespace pith {

class Tier {
 public:
  virtual ~Tier() = default;
  virtual std::string_view name() const = 0;
  // Whether what Put has taken survives the end of this process.
  virtual bool durable() const = 0;
  // Idempotent; a later end replaces an earlier one, never the other way round. expires_ms is wall time. kFull,
  // kTooLarge, kUnavailable and what the medium gives.
  virtual Result<void> Put(std::string_view bytes, const Digest& digest, int64_t expires_ms) = 0;
  // By 24, 32 or 64 digits. The range is clamped. kNotFound, kExpired where it is known, kDamaged, kUnavailable.
  virtual Result<std::string> Get(std::string_view token, Range range) = 0;
  virtual Result<void> Remove(std::string_view token) = 0;  // nothing there is success
  virtual Result<TierStats> Stats() = 0;
  // What a miss of this tier leaves open, for its sentence; "" where a miss is a miss.
  virtual std::string MissNote() const { return {}; }
  virtual Result<uint64_t> Sweep() = 0;  // removes what has ended and what is over the caps; how many went
};

// The clamped part of `bytes`.
std::string_view Clamp(std::string_view bytes, Range range);

}  // namespace pith
