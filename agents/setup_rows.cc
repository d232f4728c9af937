// The rows of setup.h. A host that lets nothing be replaced or wrapped has its MCP row alone; docs/hosts.md says why.
#include "agents/setup.h"

namespace pith {
namespace {

constexpr std::string_view kServer = R"({
  "command": "@PITH@",
  "args": ["serve", "--host", "@HOST@"]
})";
constexpr std::string_view kTypedServer = R"({
  "type": "stdio",
  "command": "@PITH@",
  "args": ["serve", "--host", "@HOST@"]
})";
constexpr std::string_view kClaudeHook = R"({
  "matcher": "^(Grep|Glob|WebFetch|Task|Agent|Read|mcp__(?!pith__).*)$",
  "hooks": [
    {
      "type": "command",
      "command": "@HOOK@ PostToolUse",
      "timeout": 30
    }
  ]
})";
// Codex reads matchers as Rust does, without look-ahead: with one it drops the hook and says nothing. Commands are not
// in it, since an answer would take the exit code away from the model.
constexpr std::string_view kCodexHook = R"({
  "matcher": "^mcp__([^p]|p[^i]|pi[^t]|pit[^h]|pith[^_]|pith_[^_]).*$",
  "hooks": [
    {
      "type": "command",
      "command": "@HOOK@ PostToolUse",
      "timeout": 30
    }
  ]
})";
constexpr std::string_view kGeminiHook = R"({
  "matcher": "^(run_shell_command|search_file_content|grep_search|glob|web_fetch)$",
  "hooks": [
    {
      "type": "command",
      "command": "@HOOK@ AfterTool",
      "timeout": 30000
    }
  ]
})";
constexpr std::string_view kCopilotHooks = R"({
  "version": 1,
  "hooks": {
    "postToolUse": [
      {
        "type": "command",
        "bash": "@HOOK@ postToolUse",
        "timeoutSec": 30
      }
    ]
  }
}
)";
constexpr std::string_view kCopilotServer = R"({
  "type": "local",
  "command": "@PITH@",
  "args": ["serve", "--host", "@HOST@"],
  "tools": ["*"]
})";
constexpr std::string_view kOpenCodeServer = R"({
  "type": "local",
  "command": ["@PITH@", "serve", "--host", "@HOST@"],
  "enabled": true
})";
constexpr std::string_view kCodexServer = R"([mcp_servers.pith]
command = "@PITH@"
args = ["serve", "--host", "@HOST@"]
)";

// The fallback matters more than the rest: without it a removed binary would make every command fail.
constexpr std::string_view kClaudePrefix = R"(#!/bin/sh
# Written by `pith install claude-code`; `pith uninstall claude-code` removes it.
# Claude Code runs every command as: THIS 'script'. MCP servers and hooks of the host come the same way.
pith='@PITH@'
case "$AI_AGENT" in *_harness) exec "${SHELL:-/bin/sh}" -c "$@" ;; esac
if [ -x "$pith" ]; then
  PITH_AGENT=1 exec "$pith" run --host claude-code @MARKER@-c "$@"
fi
exec "${SHELL:-/bin/sh}" -c "$@"
)";

constexpr std::string_view kOpenCodePlugin =
    R"(// Written by `pith install opencode`; `pith uninstall opencode` removes it.
import { spawnSync } from "node:child_process";

export const Pith = async () => ({
  "tool.execute.after": async (input, output) => {
    if (typeof output?.output !== "string" || output.output.length < 800) return;
    const payload = JSON.stringify({ tool: input.tool, args: input.args ?? {}, output: output.output,
                                     exit: output.metadata?.exit });
    const done = spawnSync("@PITH@", ["hook", "opencode", "tool.execute.after", "--marker", "mcp"],
                           { input: payload, encoding: "utf8", timeout: 30000, maxBuffer: 1 << 26 });
    try {
      const answer = done.stdout ? JSON.parse(done.stdout) : {};
      if (typeof answer.output === "string") output.output = answer.output;
    } catch {
      // an answer that is none leaves the result as it is
    }
  },
});
)";

constexpr std::string_view kPiExtension = R"(// Written by `pith install pi`; `pith uninstall pi` removes it.
import { spawnSync } from "node:child_process";

export default function (pi) {
  pi.on("tool_result", async (event) => {
    const blocks = event.content ?? [];
    if (event.isError || blocks.length !== 1 || blocks[0].type !== "text" || blocks[0].text.length < 800) return;
    const payload = JSON.stringify({ tool: event.toolName, args: event.input ?? {}, output: blocks[0].text });
    const done = spawnSync("@PITH@", ["hook", "pi", "tool_result"],
                           { input: payload, encoding: "utf8", timeout: 30000, maxBuffer: 1 << 26 });
    try {
      const answer = done.stdout ? JSON.parse(done.stdout) : {};
      if (typeof answer.output === "string") return { content: [{ type: "text", text: answer.output }] };
    } catch {
      // an answer that is none leaves the result as it is
    }
  });
}
)";

using enum SetupPart;
using enum SetupForm;

constexpr SetupRow kRows[] = {
    {"claude-code", kMcp, kMember, "MCP server", "@CLAUDE_JSON@", ".mcp.json", "mcpServers/pith", kTypedServer},
    {"claude-code", kHooks, kFile, "shell prefix script", "@PREFIX@", "@PREFIX@", "", kClaudePrefix, 0755},
    {"claude-code", kHooks, kMember, "shell prefix", "@CLAUDE@/settings.json", ".claude/settings.local.json",
     "env/CLAUDE_CODE_SHELL_PREFIX", "\"@PREFIX@\""},
    {"claude-code", kHooks, kElement, "hook on tool results", "@CLAUDE@/settings.json", ".claude/settings.local.json",
     "hooks/PostToolUse", kClaudeHook},
    {"codex", kMcp, kBlock, "MCP server", "~/.codex/config.toml", ".codex/config.toml", "", kCodexServer},
    {"codex", kHooks, kElement, "hook on tool results", "~/.codex/hooks.json", ".codex/hooks.json", "hooks/PostToolUse",
     kCodexHook},
    {"gemini", kMcp, kMember, "MCP server", "~/.gemini/settings.json", ".gemini/settings.json", "mcpServers/pith",
     kServer},
    {"gemini", kHooks, kElement, "hook on tool results", "~/.gemini/settings.json", ".gemini/settings.json",
     "hooks/AfterTool", kGeminiHook},
    {"qwen", kMcp, kMember, "MCP server", "~/.qwen/settings.json", ".qwen/settings.json", "mcpServers/pith", kServer},
    {"copilot", kMcp, kMember, "MCP server", "~/.copilot/mcp-config.json", "", "mcpServers/pith", kCopilotServer},
    {"copilot", kHooks, kFile, "hook on tool results", "~/.copilot/hooks/pith.json", ".github/hooks/pith.json", "",
     kCopilotHooks},
    {"vscode", kMcp, kMember, "MCP server", "~/.config/Code/User/mcp.json", ".vscode/mcp.json", "servers/pith",
     kTypedServer},
    {"cursor", kMcp, kMember, "MCP server", "~/.cursor/mcp.json", ".cursor/mcp.json", "mcpServers/pith", kServer},
    {"cline", kMcp, kMember, "MCP server",
     "~/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", "", "mcpServers/pith",
     kServer},
    {"droid", kMcp, kMember, "MCP server", "~/.factory/mcp.json", ".factory/mcp.json", "mcpServers/pith", kTypedServer},
    {"opencode", kMcp, kMember, "MCP server", "~/.config/opencode/opencode.json", "opencode.json", "mcp/pith",
     kOpenCodeServer},
    {"opencode", kHooks, kFile, "plugin", "~/.config/opencode/plugin/pith.js", ".opencode/plugin/pith.js", "",
     kOpenCodePlugin},
    {"pi", kHooks, kFile, "extension", "~/.pi/agent/extensions/pith.ts", ".pi/extensions/pith.ts", "", kPiExtension},
};

constexpr HostSign kSigns[] = {
    {"claude-code", "claude", "@CLAUDE@"},
    {"codex", "codex", "~/.codex"},
    {"gemini", "gemini", "~/.gemini"},
    {"qwen", "qwen", "~/.qwen"},
    {"copilot", "copilot", "~/.copilot"},
    {"vscode", "code", "~/.config/Code"},
    {"cursor", "cursor", "~/.cursor"},
    {"cline", "", "~/.config/Code/User/globalStorage/saoudrizwan.claude-dev"},
    {"droid", "droid", "~/.factory"},
    {"opencode", "opencode", "~/.config/opencode"},
    {"pi", "pi", "~/.pi"},
};

}  // namespace

std::span<const SetupRow> SetupRows() { return kRows; }
std::span<const HostSign> HostSigns() { return kSigns; }

}  // namespace pith
