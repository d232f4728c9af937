#pragma once
#include <cstdint>

namespace pith {

struct Span {
  uint64_t begin = 0, end = 0;  // bytes, end exclusive
  uint64_t size() const { return end - begin; }
  bool operator==(const Span&) const = default;
};

}  // namespace pith
