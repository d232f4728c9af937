// Numbers in files are little-endian, whatever the machine is.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace pith {

template <typename Number>
void AppendNumber(std::string& to, Number number) {
  for (size_t i = 0; i < sizeof(Number); ++i) to.push_back(static_cast<char>(static_cast<uint64_t>(number) >> (8 * i)));
}

// The number at bytes[at]; the caller has checked that it is there.
template <typename Number>
Number NumberAt(std::string_view bytes, size_t at) {
  uint64_t number = 0;
  for (size_t i = 0; i < sizeof(Number); ++i) {
    number |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return static_cast<Number>(number);
}

}  // namespace pith
