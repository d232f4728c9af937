// Serving MCP over Streamable HTTP. Links cpp-httplib; all that decides anything is in server/http.h.
#pragma once
#include "server/http.h"

namespace pith::mcp {

// Serves until SIGINT or SIGTERM, then drains: no new requests, running ones get options.drain to end. Gives the exit
// code: 0, 1 (cannot listen, bad certificate), 2 (an address other than loopback without a token). Says on stderr where
// it listens, or why it does not. For a program whose business this is: takes over SIGINT, SIGTERM and SIGPIPE.
int ServeHttp(const Registry& registry, const HttpOptions& options);

}  // namespace pith::mcp
