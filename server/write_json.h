// JSON values as text, as the library's dump() writes them with its error handler `replace`, several times as fast
// where strings are long: what a tool gives back is one long string. Pure, any thread.
#pragma once
#include <string>

#include "server/jsonrpc.h"

namespace pith::mcp {

// Appends the compact text; invalid UTF-8 is replaced by U+FFFD.
void WriteJson(const Json& value, std::string* out);
void WriteJson(const OrderedJson& value, std::string* out);

}  // namespace pith::mcp
