// Arguments of Pith's own tools, as a request brings them: the first byte chooses the tool, the rest is the text of
// `arguments`. Nothing on disk, no folder that may be read. Whatever comes, the reply is one line of JSON, with content
// or an error in it.
#include "tests/fuzz/server_fuzz.h"
#include "tools/mcp_tools.h"

namespace {

using pith::mcp::Json;

struct House {
  House() {
    pith::ServiceOptions options;
    options.store.memory_only = true;
    options.store.memory_bytes = 1 << 20;
    options.name_space = options.folder = "/project";
    options.road = "mcp";
    service = pith::Service::Open(std::move(options)).Take();
    pith::RegistryOptions what;
    what.over_http = true;
    registry = pith::mcp::BuildRegistry(*service, what);
    for (int line = 0; line < 400; ++line) original += "{\"id\": " + std::to_string(line) + ", \"ok\": true}\n";
    token = service->store().Put(original, {}).Take().token;
  }
  std::unique_ptr<pith::Service> service;
  pith::mcp::Registry registry;
  std::string original, token;
};

// The fuzzer cannot guess a hash: TOKEN stands for that of an original that is there.
std::string WithToken(std::string text, const std::string& token) {
  for (size_t at = text.find("TOKEN"); at != std::string::npos; at = text.find("TOKEN", at + token.size())) {
    text.replace(at, 5, token);
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static House house;
  static pith::mcp::Dispatcher dispatcher(house.registry);
  if (size == 0) return 0;
  const auto& tools = house.registry.tools;
  const std::string arguments = WithToken(std::string(reinterpret_cast<const char*>(data) + 1, size - 1), house.token);
  const auto session = std::make_shared<pith::mcp::Session>(pith::mcp::LatestLegacy());
  pith::fuzz::ServeText(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
                            tools[data[0] % tools.size()].name + R"(","arguments":)" + arguments + "}}",
                        dispatcher, session);
  return 0;
}
