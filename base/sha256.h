// SHA-256 (FIPS 180-4) through libcrypto's direct interface: its EVP interface costs more at start than the rest of the
// program. A Sha256 is used by one thread at a time.
#pragma once
#include <openssl/sha.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace pith {

using Digest = std::array<uint8_t, 32>;

class Sha256 {
 public:
  Sha256();
  void Update(std::string_view bytes);
  // Ends the hash; the object is then spent.
  Digest Finish();

 private:
  SHA256_CTX context_;
};

Digest Sha256Of(std::string_view bytes);

// 64 lower-case hex digits.
std::string HexOf(const Digest& digest);

}  // namespace pith
