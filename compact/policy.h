// When an original stays exactly as it is, whatever a kind could make of it.
//
// Under either policy: what gives originals back (recovery tools, `pith retrieve`), what is a view of ours already,
// what is small. Under Policy::kHook besides: file viewers and edits of agents, and commands whose output is a file, a
// selection that was asked for, or food for a program (the `exact` rules of compact/rules).
#pragma once
#include <string>
#include <string_view>

#include "compact/document.h"

namespace pith {

// True if the document must be shown as it is under its hints' policy; `reason`, if given, gets why (for --explain).
bool StaysExact(const Document& document, std::string* reason = nullptr);

// The same before any document is made: what can be told from the hints, the size and the last lines alone. Empty if
// nothing of it holds, else the reason; static storage. `command` is of hints.command.
std::string_view ExactReason(std::string_view bytes, const Hints& hints, const Command& command);

// Tools of agents that show a file or change one ("Read", "edit_file", "mcp__fs__read_text_file").
bool IsFileTool(std::string_view tool_name);

// "mcp__server__tool" is tool; any other name is itself.
std::string_view BareToolName(std::string_view tool_name);

}  // namespace pith
