#include "base/token.h"

#include <algorithm>

namespace pith {

bool IsTokenShaped(std::string_view text) {
  if (text.size() != 24 && text.size() != 32 && text.size() != 64) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string TokenOf(const Digest& digest) { return HexOf(digest).substr(0, kTokenLength); }

std::string TokenOf(std::string_view bytes) { return TokenOf(Sha256Of(bytes)); }

}  // namespace pith
