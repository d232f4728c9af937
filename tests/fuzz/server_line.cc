// Lines as stdio gets them, several a run on one session.
#include "tests/fuzz/server_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static pith::mcp::Dispatcher dispatcher(pith::fuzz::SmallRegistry());
  const auto session = std::make_shared<pith::mcp::Session>(pith::mcp::LatestLegacy());
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    pith::fuzz::ServeText(rest.substr(0, end), dispatcher, session);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  session->CancelAll();
  return 0;
}
