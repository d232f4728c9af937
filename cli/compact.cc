// `pith compact`: one input to one view, or with --jsonl a process that answers line by line. A one-shot reads its
// input, makes the view, puts the original into the inbox and prints: it opens no database.
#include <climits>
#include <cstdlib>

#include "base/units.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/jsonl.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/side_by_side.h"
#include "store/tiers.h"
#include "tools/mcp_tools.h"
#include "tools/view_json.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"FILE", "", "what to compact; - or nothing: standard input", Complete::kFile},
    {"--command", "LINE", "the shell line that printed it"},
    {"--exit-code", "N", "how that command ended"},
    {"--tool", "NAME", "the tool that gave it, as the host names it"},
    {"--path", "PATH", "the file that it is or came from, where FILE is not that", Complete::kFile},
    {"--mime", "TYPE", "its media type"},
    {"--query", "TEXT", "what the reader looks for"},
    {"--max-tokens", "N", "budget of the view, footer included"},
    {"--marker-style", "STYLE", "how the footer names the way back", Complete::kChoices, kMarkerStyles},
    {"--explain", "", "say on stderr what it was taken for, what was kept and why"},
    {"--diff", "", "print original and view side by side"},
    {"--json", "", "print the view and what is known of it as JSON"},
    {"--jsonl", "", "answer one JSON request a line on standard input"},
    {"--jsonl-schema", "", "print the JSON Schemas of those requests and answers"},
    {"--memory-only", "", "keep nothing on disk"},
    {"--allow-secrets", "NAMES", "rows of the secrets table that may be stored, or *"},
};

std::optional<int> SignedNumber(std::string_view text) {
  bool negative = text.starts_with('-');
  std::optional<uint64_t> number = ParseWhole(text.substr(negative ? 1 : 0));
  if (!number || *number > INT_MAX) return std::nullopt;
  return negative ? -static_cast<int>(*number) : static_cast<int>(*number);
}

int WrongNumber(std::string_view name, std::string_view text) {
  Complain("compact: " + std::string(name) + " must be a whole number, not \"" + std::string(text) + "\"");
  return kWrongUse;
}

std::vector<std::pair<Key, std::string>> FlagsOf(const Arguments& arguments) {
  std::vector<std::pair<Key, std::string>> flags;
  if (arguments.Has("--memory-only")) flags.emplace_back(Key::kMemoryOnly, "true");
  for (auto [name, key] : {std::pair{"--marker-style", Key::kMarkerStyle}, {"--allow-secrets", Key::kAllowSecrets}}) {
    if (auto text = arguments.Text(name)) flags.emplace_back(key, std::string(*text));
  }
  return flags;
}

void SayMeasured(const CompactOutcome& outcome) {
  if (!outcome.measured) return;
  Complain("measure only: the view would have " + CountText(outcome.measured->shown.tokens, "token") + " in place of " +
           std::to_string(outcome.measured->original.tokens));
}

// Where a long pipe may wait; empty where nothing may stand on disk as it is.
std::string SpoolFolder(const Result<ServiceOptions>& options) {
  if (!options.ok() || options->store.memory_only || !options->store.key.empty()) return "";
  Result<std::string> folder = StoreFolder(options->store.folder);
  return folder.ok() ? folder.Take() : "";
}

int CompactOne(const Arguments& arguments, Result<ServiceOptions> options) {
  Hints hints;
  if (auto text = arguments.Text("--exit-code")) {
    hints.exit_code = SignedNumber(*text);
    if (!hints.exit_code) return WrongNumber("--exit-code", *text);
  }
  if (auto text = arguments.Text("--max-tokens")) {
    hints.max_tokens = ParseWhole(*text);
    if (!hints.max_tokens) return WrongNumber("--max-tokens", *text);
    if (*hints.max_tokens == 0) {
      Complain("compact: --max-tokens is out of range: it is a number from 1");
      return kWrongUse;
    }
  }
  std::string file = arguments.TextOr("FILE", "");
  std::string path = arguments.TextOr("--path", file == "-" ? "" : file);
  std::string command = arguments.TextOr("--command", ""), tool = arguments.TextOr("--tool", "");
  std::string mime = arguments.TextOr("--mime", ""), query = arguments.TextOr("--query", "");
  hints.path = path;
  hints.command = command;
  hints.tool_name = tool;
  hints.mime = mime;
  hints.query = query;
  Result<Input> input = Input::Read(file, SpoolFolder(options));
  if (!input.ok()) {
    Complain(input.error().sentence);
    return kFailed;
  }
  if (options.ok()) {
    options->store.one_shot = true;
    options->keep = !options->store.memory_only;
    options->view.explain = arguments.Has("--explain");
  }
  std::unique_ptr<Service> service = OpenOrPassThrough(std::move(options));
  CompactOutcome outcome;
  if (service)
    outcome = service->Compact(input->bytes(), hints);
  else
    outcome.view = ExactView(input->bytes(), Kind::kText);  // fail open: what cannot be kept goes out unchanged
  SayNotices(outcome.notices);
  SayMeasured(outcome);
  if (!outcome.view.explanation.empty()) Warn(outcome.view.explanation + "\n");
  if (arguments.Has("--diff")) return Print(SideBySide(input->bytes(), outcome.view, OptionsOfTerminal()));
  if (arguments.Has("--json")) return Print(AnswerOf("", outcome) + "\n");
  bool line_end = outcome.view.view_class == ViewClass::kExact || outcome.view.text.ends_with('\n');
  return Print(line_end ? outcome.view.text : outcome.view.text + "\n");
}

int PrintSchemas() {
  return Print("{\"request\":\n" + mcp::SchemaNamed("jsonl_request") + ",\n\"answer\":\n" +
               mcp::SchemaNamed("jsonl_answer") + "}\n");
}

int Run(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.Has("--jsonl-schema")) return PrintSchemas();
  std::optional<Config> config = ReadConfig(FlagsOf(arguments));
  if (!config) return kWrongUse;
  SayRuleFaults();
  bool jsonl = arguments.Has("--jsonl");
  Result<ServiceOptions> options = ServiceOptionsFrom(*config, jsonl ? "jsonl" : "cli", MarkerStyle::kCli);
  if (!jsonl) return CompactOne(arguments, std::move(options));
  if (arguments.Has("FILE") || arguments.Has("--json") || arguments.Has("--diff")) {
    Complain("compact: --jsonl reads requests from standard input; leave FILE, --json and --diff out");
    return kWrongUse;
  }
  std::unique_ptr<Service> service = OpenOrPassThrough(std::move(options));
  return service ? AnswerLines(*service) : kFailed;
}

}  // namespace

extern const CommandRow kCompact;
const CommandRow kCompact = {
    "compact",
    "[FILE] [OPTIONS]",
    "print a short view of an output; keep the original",
    "Reads an output from FILE or standard input and prints a view of it: errors, failures, matches and changed lines "
    "stay, "
    "what is left out is marked where it was, and the last line names the token under which the original is kept. "
    "Small "
    "inputs are printed as they are.\n\n"
    "With --jsonl one request a line is read and one answer a line is given, in order, until the input ends. A "
    "request: id, content (or content_base64), and if known tool_name, command, exit_code, path, mime, query, "
    "max_tokens, policy. An answer: id, view, token, class, kind, original, shown, lines, signals, gaps; or id, error "
    "and the original as view. `pith compact --jsonl-schema` prints the schemas.\n\n"
    "With --diff the original and its view stand side by side, for a person: `<` marks what only the original has, `|` "
    "what the view shows otherwise, `>` what the view says itself.\n\n"
    "Marker styles, by how the last line names the way back:\n"
    "cli: the command `pith retrieve TOKEN`.\n"
    "mcp: the MCP tool, as in tokenjuice_retrieve token \"TOKEN\".\n"
    "tokenjuice: the same tool as a call, tokenjuice_retrieve(\"TOKEN\").\n"
    "ccr: the MCP tool ccr_retrieve with <<ccr:TOKEN>>.\n"
    "dsh: ccr_retrieve hash=TOKEN, for the harness of that name.\n\n"
    "Where the original cannot be stored, it is printed unchanged and standard error says why.",
    kOptions,
    &Run};

}  // namespace pith::cli
