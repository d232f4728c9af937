// The table of hosts. `shown_bytes`: what a host was seen to show of a result before it cuts or stores it away.
#include "agents/host_readers.h"

namespace pith {
namespace {

// Events of a host that lets nothing be replaced are named all the same: its configuration may hold them, and they must
// end quietly.
constexpr HookEvent kClaudeCode[] = {{"PostToolUse", &ReadClaudeCode},
                                     {"PostToolUseFailure", nullptr},
                                     {"PreToolUse", nullptr},
                                     {"SessionStart", nullptr}};
constexpr HookEvent kCodex[] = {{"PostToolUse", &ReadCodex}, {"PreToolUse", nullptr}, {"SessionStart", nullptr}};
constexpr HookEvent kGemini[] = {{"AfterTool", &ReadGemini}, {"BeforeTool", nullptr}};
constexpr HookEvent kQwen[] = {{"PostToolUse", nullptr}, {"PostToolUseFailure", nullptr}, {"PreToolUse", nullptr}};
constexpr HookEvent kCopilot[] = {{"postToolUse", &ReadCopilot}, {"preToolUse", nullptr}};
constexpr HookEvent kVsCode[] = {{"PostToolUse", nullptr}, {"PreToolUse", nullptr}};
constexpr HookEvent kCursor[] = {{"postToolUse", nullptr}, {"afterShellExecution", nullptr}, {"preToolUse", nullptr}};
constexpr HookEvent kCline[] = {{"PostToolUse", nullptr}, {"PreToolUse", nullptr}};
constexpr HookEvent kDroid[] = {{"PostToolUse", nullptr}, {"PreToolUse", nullptr}};
constexpr HookEvent kPlugin[] = {{"tool.execute.after", &ReadPlugin}, {"tool_result", &ReadPlugin}};

constexpr HookHost kHosts[] = {
    {"claude-code", "tool_name", "", 48000, 2200, kClaudeCode},
    {"codex", "tool_name", "", 10000, 10000, kCodex},
    {"gemini", "tool_name", "", 40000, 40000, kGemini},
    {"qwen", "tool_name", "", 25000, 25000, kQwen},
    {"copilot", "toolName", "", 30000, 30000, kCopilot},
    {"vscode", "tool_name", "", 40000, 40000, kVsCode},
    {"cursor", "tool_name", "{}", 40000, 40000, kCursor},
    {"cline", "tool_name", "{\"cancel\":false}", 40000, 40000, kCline},
    {"droid", "tool_name", "", 40000, 40000, kDroid},
    {"opencode", "tool", "", 50000, 50000, kPlugin},
    {"pi", "tool", "", 50000, 50000, kPlugin},
};

}  // namespace

std::span<const HookHost> HookHosts() { return kHosts; }

const HookHost* FindHookHost(std::string_view name) {
  for (const HookHost& host : kHosts) {
    if (host.name == name) return &host;
  }
  return nullptr;
}

}  // namespace pith
