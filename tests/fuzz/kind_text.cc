#include "tests/fuzz/kind_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pith::fuzz::FuzzKind(pith::Kind::kText, data, size);
  return 0;
}
