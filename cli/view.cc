// `pith view`: another view of a stored original, made from its bytes and from what its last sighting knows of it.
// Nothing is stored: the original is there already, and its token is the one that the view names.
#include "base/units.h"
#include "cli/command.h"
#include "cli/jsonl.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/side_by_side.h"
#include "compact/kinds.h"
#include "tools/own_rules.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"TOKEN", "", "a token, its first digits (4 or more), a footer, or `last`", Complete::kToken, {}, true},
    {"--kind", "KIND", "what to take it for", Complete::kChoices,
     "text|log|test_run|build|search|diff|listing|table|json|json_lines|yaml|xml|code|html|markdown|package|binary"},
    {"--query", "TEXT", "what the reader looks for"},
    {"--max-tokens", "N", "budget of the view, footer included"},
    {"--explain", "", "say on stderr what it was taken for and why"},
    {"--diff", "", "print original and view side by side"},
    {"--json", "", "print the view and what is known of it as JSON, as `pith compact --json` does"},
};

constexpr std::string_view kFilePrefix = "file:";  // of a sighting's tool: the original is a file, and which

int Run(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Hints hints;
  if (auto name = arguments.Text("--kind")) hints.kind = KindNamed(*name);
  const std::string query = arguments.TextOr("--query", "");
  hints.query = query;
  if (auto text = arguments.Text("--max-tokens")) {
    hints.max_tokens = ParseWhole(*text);
    if (!hints.max_tokens || *hints.max_tokens == 0) {
      Complain("view: --max-tokens must be a whole number from 1, not \"" + std::string(*text) + "\"");
      return kWrongUse;
    }
  }
  std::unique_ptr<Service> service = OpenService();
  if (!service) return kFailed;
  Result<std::string> token = service->TokenMeant(arguments.TextOr("TOKEN", ""));
  if (!token.ok()) return Fail(token.error());
  Result<Entry> entry = service->store().Find(*token);
  if (!entry.ok()) return Fail(entry.error());
  Result<std::string> original = service->store().Get(entry->token);
  if (!original.ok()) return Fail(original.error());
  SayNotices(service->store().TakeNotices());
  SayRuleFaults();

  const Sighting& seen = entry->last;
  if (seen.tool.starts_with(kFilePrefix)) {
    hints.path = std::string_view(seen.tool).substr(kFilePrefix.size());
  } else {
    hints.tool_name = seen.tool;
  }
  hints.command = seen.command;
  hints.exit_code = seen.exit_code;
  hints.signal = seen.signal;
  hints.host_cut = seen.host_cut;
  CompactOptions options = service->options().view;
  options.explain = arguments.Has("--explain");
  hints.rules = TheOwnRules().table();
  CompactOutcome outcome;
  outcome.view = Compact(*original, hints, options);
  outcome.token = entry->token;
  const View& view = outcome.view;
  if (!view.explanation.empty()) Warn(view.explanation);
  if (hints.kind && view.kind != *hints.kind) {
    Complain("it cannot be read as " + std::string(KindName(*hints.kind)) + ": shown as " +
             std::string(KindName(view.kind)));
  }
  if (arguments.Has("--diff")) return Print(SideBySide(*original, view, OptionsOfTerminal()));
  if (arguments.Has("--json")) return Print(AnswerOf("", outcome) + "\n");
  const bool line_end = view.view_class == ViewClass::kExact || view.text.ends_with('\n');
  return Print(line_end ? view.text : view.text + "\n");
}

}  // namespace

extern const CommandRow kView;
const CommandRow kView = {
    "view",
    "TOKEN [--kind KIND] [OPTIONS]",
    "make another view of a stored original",
    "Prints a view of an original that is stored: as another kind than it was taken for, within another budget, or for "
    "another query. With --diff the original stands beside it. The original itself is printed by `pith retrieve`.",
    kOptions,
    &Run};

}  // namespace pith::cli
