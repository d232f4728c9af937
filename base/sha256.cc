// The direct SHA256_* calls are marked deprecated since OpenSSL 3.0 in favour of EVP, whose first use fetches providers
// and costs about a millisecond. They run the same assembly (SHA-NI where the processor has it).
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/sha256.h"

#include "base/encoding.h"

namespace pith {

Sha256::Sha256() { SHA256_Init(&context_); }

void Sha256::Update(std::string_view bytes) { SHA256_Update(&context_, bytes.data(), bytes.size()); }

Digest Sha256::Finish() {
  Digest digest;
  SHA256_Final(digest.data(), &context_);
  return digest;
}

Digest Sha256Of(std::string_view bytes) {
  Sha256 hash;
  hash.Update(bytes);
  return hash.Finish();
}

std::string HexOf(const Digest& digest) {
  return EncodeHex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace pith
