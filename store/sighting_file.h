// A sighting as bytes, for the inbox and for archives: "PITHSEEN" · u32 version (1) · fields · 8 bytes check. A field
// is u8 tag · u32 size · bytes; numbers are 8 bytes; unknown tags are skipped. The check is the first 8 bytes of
// SHA-256 of all before it.
#pragma once
#include <string>
#include <string_view>

#include "store/store.h"

namespace pith {

bool IsPlainSighting(std::string_view bytes);  // not sealed, by its first bytes
std::string EncodeSighting(const Sighting& sighting);
Result<Sighting> DecodeSighting(std::string_view bytes);  // kDamaged, kUnsupported

}  // namespace pith
