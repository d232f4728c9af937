// The fixtures as a server: over stdio, or with a port as its only argument over HTTP on loopback.
#include <cstdlib>

#include "server/httplib/serve_http.h"
#include "server/serve.h"
#include "tests/clients/conformance/fixtures.h"

int main(int argc, char** argv) {
  const pith::mcp::Registry registry = pith::mcp::fixtures::MakeRegistry();
  if (argc < 2) return pith::mcp::ServeStdio(registry);
  pith::mcp::HttpOptions options;
  options.port = static_cast<uint16_t>(std::atoi(argv[1]));
  return pith::mcp::ServeHttp(registry, options);
}
