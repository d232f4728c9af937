// Hex and base64 (RFC 4648, with padding). Decoders refuse anything that is not exactly the encoding.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace pith {

std::string EncodeHex(std::string_view bytes);                // lower case
std::optional<std::string> DecodeHex(std::string_view text);  // even length, either case
std::string EncodeBase64(std::string_view bytes);
std::optional<std::string> DecodeBase64(std::string_view text);  // standard alphabet, padding required

}  // namespace pith
