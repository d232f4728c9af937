// What is known of a view, as the JSON object that --json, --jsonl and MCP metadata share.
#pragma once
#include <string>
#include <string_view>

#include "tools/service.h"

namespace pith {

// Appends `text` as a JSON string; bytes that are not UTF-8 become U+FFFD. Fast on long texts.
void AppendJsonString(std::string& out, std::string_view text);

// Appends the members "token", "class", "kind", "original", "shown", "lines", "signals", "gaps" and, where there are
// any, "notices"; no braces.
void AppendViewFacts(std::string& out, const CompactOutcome& outcome);

}  // namespace pith
