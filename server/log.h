// The server's own log: stderr only, never a byte of what a request holds that did not go through Quotable.
// Thread-safe.
#pragma once
#include <string_view>

namespace pith::mcp {

enum class LogWeight { kDebug, kInfo, kWarning, kError };
void SetLogThreshold(LogWeight least);  // default kWarning
void LogLine(LogWeight weight, std::string_view sentence);

}  // namespace pith::mcp
