// Encryption at rest: AES-256-GCM with a fresh random nonce for each sealed piece. Any thread.
//
// A sealed piece is: 12 bytes nonce, the ciphertext, 16 bytes tag. `context` is authenticated with it and not stored,
// so that a piece moved to another place does not open there. Libcrypto's EVP interface is first touched when a key is
// set.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/sha256.h"

namespace pith {

using KeyId = std::array<char, 8>;  // names a key without telling it; all zero: no key

class Cipher {
 public:
  // `secret` is the content of a key file or PITH_STORE_KEY: 64 hex digits are the key itself, anything else of at
  // least 16 bytes is hashed to one. kInvalid when shorter.
  static Result<std::unique_ptr<Cipher>> FromSecret(std::string_view secret);
  ~Cipher();

  const KeyId& key_id() const { return key_id_; }
  Result<std::string> Seal(std::string_view plain, std::string_view context) const;
  Digest Fingerprint(std::string_view text) const;  // the same for the same text and key, tells nothing without the key
  // kDamaged when the piece, the context or the key is not the one it was sealed with.
  Result<std::string> Open(std::string_view sealed, std::string_view context) const;

 private:
  Cipher() = default;
  std::array<unsigned char, 32> key_{};
  KeyId key_id_{};
};

}  // namespace pith
