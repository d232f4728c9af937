// `pith hook HOST EVENT`: ends in 0 whatever its words or input are; hosts read other codes as "block".
#include "agents/hook.h"

#include "cli/command.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"HOST", "", "claude-code, codex, gemini, qwen, copilot, vscode, cursor, cline, droid, opencode, pi"},
    {"EVENT", "", "as the host names it: PostToolUse"},
    {"--marker", "STYLE", "how the footer names the way back", Complete::kChoices, kMarkerStyles},
};

int RunHook(const Invocation& invocation) { return Hook(invocation.words); }

}  // namespace

extern const CommandRow kHook;
constexpr CommandRow kHook = {
    "hook",
    "HOST EVENT",
    "answer a host's hook (payload on stdin)",
    "Reads the result of a tool as the host hands it over and answers with a view in the tool's own shape, or with "
    "nothing. Written into a host's configuration by `pith install`. The exit code is 0 whatever happens.",
    kOptions,
    RunHook,
    true,
};

}  // namespace pith::cli
