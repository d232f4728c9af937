// The gate: whether a tool's result is touched at all on a hook, and by which policy.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "agents/hook.h"

namespace pith {

// The text to show instead; nullopt: the result stays as it is. What is shown is stored first. `reach` gets sizes, and
// why the result was left alone.
std::optional<std::string> PassGate(const HookHost& host, const HookCall& call, const ToolResult& result,
                                    std::vector<std::string>* notices, ReachCall* reach);

}  // namespace pith
