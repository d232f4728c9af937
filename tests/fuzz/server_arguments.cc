// Arguments against a schema with every keyword; and any text as a schema of its own.
#include "tests/fuzz/server_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const pith::mcp::Schema schema = pith::mcp::Schema::Compile(pith::fuzz::kSchema).Take();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  pith::Result<pith::mcp::Json> parsed = pith::mcp::ParseMessage(text);
  if (!parsed.ok()) return 0;
  for (const std::string& refusal : schema.Check(&*parsed)) {
    if (refusal.empty() || refusal.size() > 2000 || refusal.find('\n') != std::string::npos) std::abort();
  }
  const pith::Result<pith::mcp::Schema> own = pith::mcp::Schema::Compile(text);
  if (own.ok()) own->Check(&*parsed);
  return 0;
}
