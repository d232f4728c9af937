// Batches, on a session of the one revision that has them.
#include "tests/fuzz/server_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static pith::mcp::Dispatcher dispatcher(pith::fuzz::SmallRegistry());
  const auto session = std::make_shared<pith::mcp::Session>(pith::mcp::AssumedOverHttp());
  const std::string batch = "[" + std::string(reinterpret_cast<const char*>(data), size) + "]";
  pith::fuzz::ServeText(batch, dispatcher, session);
  return 0;
}
