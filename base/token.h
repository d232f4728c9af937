// The name of an original: the first 24 lower-case hex digits of the SHA-256 of its bytes. The store also answers to
// the first 32 and to all 64 digits. A string of any other shape is refused before any tier is asked.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.h"

namespace pith {

inline constexpr size_t kTokenLength = 24;

// Exactly 24, 32 or 64 of [0-9a-f].
bool IsTokenShaped(std::string_view text);

// First 24 digits of the digest.
std::string TokenOf(const Digest& digest);
std::string TokenOf(std::string_view bytes);

}  // namespace pith
