// The check that files of the store carry against damage: the first 8 bytes of the SHA-256 of what it covers. It finds
// faults, not forgers: the body's own hash does that. Any thread.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "store/little_endian.h"

namespace pith {

inline constexpr size_t kCheckBytes = 8;

// Of the parts, one after another.
inline std::string CheckBytesOf(std::initializer_list<std::string_view> parts) {
  Sha256 hash;
  for (const std::string_view part : parts) hash.Update(part);
  const Digest digest = hash.Finish();
  return {reinterpret_cast<const char*>(digest.data()), kCheckBytes};
}

// The same as a number, as little-endian fields hold it.
inline uint64_t CheckOf(std::initializer_list<std::string_view> parts) {
  return NumberAt<uint64_t>(CheckBytesOf(parts), 0);
}

}  // namespace pith
