// AES-256-GCM through EVP. A nonce is 96 random bits for each piece; with one key that stays safe for 2^32 pieces,
// which is 4 PiB of frames.
#include "store/cipher.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <cstring>
#include <limits>

#include "base/encoding.h"
#include "base/sha256.h"

namespace pith {
namespace {

constexpr size_t kNonceBytes = 12;
constexpr size_t kTagBytes = 16;

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

const unsigned char* Unsigned(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }
unsigned char* Unsigned(char* bytes) { return reinterpret_cast<unsigned char*>(bytes); }

}  // namespace

Result<std::unique_ptr<Cipher>> Cipher::FromSecret(std::string_view secret) {
  while (!secret.empty() && (secret.back() == '\n' || secret.back() == '\r')) secret.remove_suffix(1);
  std::unique_ptr<Cipher> cipher(new Cipher);  // the constructor is private
  if (std::optional<std::string> key = secret.size() == 64 ? DecodeHex(secret) : std::nullopt) {
    memcpy(cipher->key_.data(), key->data(), cipher->key_.size());
  } else if (secret.size() >= 16) {
    cipher->key_ = Sha256Of("pith store key\n" + std::string(secret));
  } else {
    return Error{Cause::kInvalid, "the store's key is too short: 64 hex digits, or at least 16 bytes, are needed"};
  }
  std::string named = "pith key id\n" + std::string(reinterpret_cast<const char*>(cipher->key_.data()), 32);
  Digest id = Sha256Of(named);
  memcpy(cipher->key_id_.data(), id.data(), cipher->key_id_.size());
  OPENSSL_cleanse(named.data(), named.size());
  return cipher;
}

Cipher::~Cipher() { OPENSSL_cleanse(key_.data(), key_.size()); }

Digest Cipher::Fingerprint(std::string_view text) const {
  // A hash within a hash, each keyed: HMAC's construction without its padding, since the key has a fixed length.
  std::string_view key(reinterpret_cast<const char*>(key_.data()), key_.size());
  Sha256 inner;
  inner.Update("pith fingerprint\n");
  inner.Update(key);
  inner.Update(text);
  Digest digest = inner.Finish();
  Sha256 outer;
  outer.Update(key);
  outer.Update({reinterpret_cast<const char*>(digest.data()), digest.size()});
  return outer.Finish();
}

Result<std::string> Cipher::Seal(std::string_view plain, std::string_view context) const {
  if (plain.size() > std::numeric_limits<int>::max() || context.size() > std::numeric_limits<int>::max()) {
    return Error{Cause::kTooLarge, "a piece of 2 GiB cannot be sealed at once"};
  }
  std::string sealed(kNonceBytes + plain.size() + kTagBytes, '\0');
  Context evp(EVP_CIPHER_CTX_new());
  unsigned char* nonce = Unsigned(sealed.data());
  int length = 0;
  bool done =
      evp != nullptr && RAND_bytes(nonce, kNonceBytes) == 1 &&
      EVP_EncryptInit_ex(evp.get(), EVP_aes_256_gcm(), nullptr, key_.data(), nonce) == 1 &&
      EVP_EncryptUpdate(evp.get(), nullptr, &length, Unsigned(context), static_cast<int>(context.size())) == 1 &&
      EVP_EncryptUpdate(evp.get(), nonce + kNonceBytes, &length, Unsigned(plain), static_cast<int>(plain.size())) ==
          1 &&
      EVP_EncryptFinal_ex(evp.get(), nonce + kNonceBytes + length, &length) == 1 &&
      EVP_CIPHER_CTX_ctrl(evp.get(), EVP_CTRL_GCM_GET_TAG, kTagBytes, nonce + kNonceBytes + plain.size()) == 1;
  if (!done) return Error{Cause::kInternal, "the system's cryptography refused to seal"};
  return sealed;
}

Result<std::string> Cipher::Open(std::string_view sealed, std::string_view context) const {
  const Error damaged{Cause::kDamaged, "a sealed piece does not open: it is damaged, or sealed with another key"};
  if (sealed.size() < kNonceBytes + kTagBytes || sealed.size() > std::numeric_limits<int>::max()) return damaged;
  size_t size = sealed.size() - kNonceBytes - kTagBytes;
  std::string plain(size, '\0');
  std::string tag(sealed.substr(kNonceBytes + size));
  Context evp(EVP_CIPHER_CTX_new());
  int length = 0;
  unsigned char spare[16];
  bool done =
      evp != nullptr && EVP_DecryptInit_ex(evp.get(), EVP_aes_256_gcm(), nullptr, key_.data(), Unsigned(sealed)) == 1 &&
      EVP_DecryptUpdate(evp.get(), nullptr, &length, Unsigned(context), static_cast<int>(context.size())) == 1 &&
      EVP_DecryptUpdate(evp.get(), Unsigned(plain.data()), &length, Unsigned(sealed) + kNonceBytes,
                        static_cast<int>(size)) == 1 &&
      EVP_CIPHER_CTX_ctrl(evp.get(), EVP_CTRL_GCM_SET_TAG, kTagBytes, tag.data()) == 1 &&
      EVP_DecryptFinal_ex(evp.get(), spare, &length) == 1;
  if (!done) return damaged;
  return plain;
}

}  // namespace pith
