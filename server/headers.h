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

// Without the blanks and tabs around it.
std::string_view Trimmed(std::string_view value);

// Whether MCP-Protocol-Version says what the message's metadata says, as one sentence; "" if so. Comes before the
// question whether that version is served. The metadata must have been checked for its form.
std::string FindVersionMismatch(const HeaderLookup& header, const Message& message);

// The same for Mcp-Method and Mcp-Name. `method` is null for a method that is not known.
std::string FindHeaderMismatch(const HeaderLookup& header, const Message& message, const MethodTraits* method);

// The same for Mcp-Param-*: what the schema marks with x-mcp-header, against the arguments.
std::string FindParameterMismatch(const HeaderLookup& header, const Schema& schema, const Json& arguments);

}  // namespace pith::mcp
