// One reader a host, in the file of its name.
#pragma once
#include "agents/hook.h"

namespace pith {

std::optional<ToolResult> ReadClaudeCode(const nlohmann::ordered_json& payload);  // claude_code.cc
std::optional<ToolResult> ReadCodex(const nlohmann::ordered_json& payload);       // codex.cc
std::optional<ToolResult> ReadGemini(const nlohmann::ordered_json& payload);      // gemini.cc
std::optional<ToolResult> ReadCopilot(const nlohmann::ordered_json& payload);     // copilot.cc
std::optional<ToolResult> ReadPlugin(const nlohmann::ordered_json& payload);      // plugin.cc: opencode, pi

}  // namespace pith
