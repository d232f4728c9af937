// Header and body must agree over HTTP in revision 2026-07-28. Pure functions, any thread.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "server/jsonrpc.h"
#include "server/revisions.h"
#include "server/schema.h"

namespace pith::mcp {

// Looks up one request header by its lower-case name; the value as it was sent.
using HeaderLookup = std::function<std::optional<std::string>(std::string_view name)>;

// The first disagreement of MCP-Protocol-Version, Mcp-Method and Mcp-Name with the message, as one sentence; "" if
// none. `method` is null for a method that is not known; `request` tells a request from a notification.
std::string FindHeaderMismatch(const HeaderLookup& header, const Message& message, const MethodTraits* method);

// The same for Mcp-Param-*: what the schema marks with x-mcp-header, against the arguments.
std::string FindParameterMismatch(const HeaderLookup& header, const Schema& schema, const Json& arguments);

}  // namespace pith::mcp
