// `pith retrieve`: the exact bytes on stdout, nothing added. What is to be said besides goes to stderr.
#include <algorithm>

#include "base/encoding.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"
#include "tools/selection.h"
#include "tools/view_json.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"TOKEN",
     "",
     "a token, its first digits (4 or more), a footer, `last`, or a spool's name run-XXXXXXXX",
     Complete::kToken,
     {},
     true},
    {"-l,--lines", "A-B,...", "these lines, counted from 1"},
    {"-b,--bytes", "O+N", "N bytes from offset O"},
    {"--head", "N", "the first N lines"},
    {"--tail", "N", "the last N lines"},
    {"-e,--pattern", "RE", "lines that match RE (RE2), with their numbers"},
    {"-C,--context", "N", "with N lines before and after each match"},
    {"--json-path", "PATH", "the values that an RFC 9535 path names"},
    {"--offset", "N", "skip N bytes of what was selected"},
    {"--limit", "N", "at most N bytes"},
    {"--json", "", "print JSON: the bytes as text or base64, and where they stand"},
};

bool Narrows(const Selector& selector) { return !selector.whole() || selector.offset > 0 || selector.limit; }

Result<Selector> SelectorFrom(const Arguments& arguments, bool& numbers_right) {
  Selector selector;
  std::optional<uint64_t> context = NumberOr(arguments, "--context", 0), offset = NumberOr(arguments, "--offset", 0);
  std::optional<uint64_t> limit = NumberOr(arguments, "--limit", UINT64_MAX);
  std::optional<uint64_t> head = NumberOr(arguments, "--head", 0), tail = NumberOr(arguments, "--tail", 0);
  numbers_right = context && offset && limit && head && tail;
  if (!numbers_right) return selector;
  selector.context = *context;
  selector.offset = *offset;
  if (arguments.Has("--limit")) selector.limit = *limit;
  if (auto text = arguments.Text("--lines")) {
    Result<std::vector<LineRange>> ranges = ParseLineRanges(*text);
    if (!ranges.ok()) return ranges.error();
    selector.lines = ranges.Take();
  }
  if (arguments.Has("--head")) selector.head = *head;
  if (arguments.Has("--tail")) selector.tail = *tail;
  if (auto text = arguments.Text("--bytes")) {
    Result<ByteRange> range = ParseByteRange(*text);
    if (!range.ok()) return range.error();
    selector.bytes = *range;
  }
  if (auto text = arguments.Text("--pattern")) selector.pattern = std::string(*text);
  if (auto text = arguments.Text("--json-path")) selector.json_path = std::string(*text);
  return selector;
}

int PrintWhole(Service& service, const std::string& token) {
  int code = kDone;
  Result<void> streamed = service.Stream(token, [&](std::string_view piece) {
    code = Print(piece);
    return code == kDone && !ReaderGone();
  });
  return streamed.ok() ? code : Fail(streamed.error());
}

int PrintJson(const RetrieveOutcome& outcome) {
  std::string object = "{\"token\":\"" + outcome.token + "\",";
  bool text = IsUtf8(outcome.bytes);
  object += text ? "\"text\":" : "\"base64\":";
  AppendJsonString(object, text ? outcome.bytes : EncodeBase64(outcome.bytes));
  object += ",\"offset\":" + std::to_string(outcome.offset) + ",\"selected\":" + std::to_string(outcome.selected);
  if (outcome.next_offset) object += ",\"next_offset\":" + std::to_string(*outcome.next_offset);
  object += ",\"original\":{\"bytes\":" + std::to_string(outcome.entry.bytes) +
            ",\"lines\":" + std::to_string(outcome.entry.lines) + "}";
  if (!outcome.note.empty()) {
    object += ",\"note\":";
    AppendJsonString(object, outcome.note);
  }
  return Print(object + "}\n");
}

// As grep does: 1 where a pattern or a path was given and nothing is there to match it. Lines and bytes that lie past
// the end are a mistake of whoever asked: the note says what there is.
int EndOf(const Selector& selector, const RetrieveOutcome& outcome) {
  if (selector.pattern || selector.json_path) return outcome.selected == 0 ? kFailed : kDone;
  return outcome.bytes.empty() && !outcome.note.empty() ? kWrongUse : kDone;
}

// Why an unfinished spool is all there is.
std::string Unfinished(Service& service, std::string_view name) {
  if (service.store().SpoolIsLive(name)) return std::string(name) + " is still running: this is what has come so far";
  return std::string(name) + " was never finished (its writer was killed, or it passed a bound): this is all that came";
}

Result<RetrieveOutcome> SelectRunning(Service& service, std::string_view name, const Selector& selector) {
  Result<std::string> bytes = service.store().ReadSpool(name, {});
  if (!bytes.ok()) return bytes.error();
  Result<Selection> selection = Selection::Make(*bytes, selector);
  if (!selection.ok()) return selection.error();
  RetrieveOutcome outcome;
  outcome.token = name;
  outcome.selected = selection->size();
  outcome.offset = std::min(selector.offset, outcome.selected);
  outcome.bytes = selection->Page(selector.offset, selector.limit.value_or(UINT64_MAX));
  if (uint64_t end = outcome.offset + outcome.bytes.size(); end < outcome.selected) outcome.next_offset = end;
  outcome.note = selection->note();
  outcome.entry.bytes = bytes->size();
  outcome.entry.lines = selection->original_lines();
  return outcome;
}

int StreamRunning(Service& service, std::string_view name) {
  constexpr uint64_t kPiece = 64u << 20;  // each is read from the spool's beginning on
  int code = kDone;
  for (uint64_t at = 0;; at += kPiece) {
    Result<std::string> piece = service.store().ReadSpool(name, {at, kPiece});
    if (!piece.ok()) return Fail(piece.error());
    if (!piece->empty()) code = Print(*piece);
    if (piece->size() < kPiece || code != kDone || ReaderGone()) return code;
  }
}

// What has come so far of an output that is not finished; nothing if the spool is finished or unknown.
std::optional<int> PrintRunning(Service& service, std::string_view name, const Selector& selector, bool json) {
  if (!name.starts_with("run-") || service.store().SpoolToken(name).ok()) return std::nullopt;
  if (!service.store().ReadSpool(name, {0, 1}).ok()) return std::nullopt;
  std::string unfinished = Unfinished(service, name);
  if (!json && !Narrows(selector)) {
    int code = StreamRunning(service, name);
    Complain(unfinished);
    return code;
  }
  Result<RetrieveOutcome> outcome = SelectRunning(service, name, selector);
  if (!outcome.ok()) return Fail(outcome.error());
  if (json) {
    const int end = EndOf(selector, *outcome);
    outcome->note += (outcome->note.empty() ? "" : "; ") + unfinished;
    const int code = PrintJson(*outcome);
    return code == kDone ? end : code;
  }
  if (!outcome->note.empty()) Complain(outcome->note);
  int code = Print(outcome->bytes);
  Complain(unfinished);
  return code == kDone ? EndOf(selector, *outcome) : code;
}

int Run(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  std::string written = arguments.TextOr("TOKEN", "");
  bool numbers_right = false;
  Result<Selector> selector = SelectorFrom(arguments, numbers_right);
  if (!numbers_right) return kWrongUse;
  if (!selector.ok()) return Fail(selector.error());
  std::unique_ptr<Service> service = OpenService();
  if (!service) return kFailed;
  bool json = arguments.Has("--json");
  if (std::optional<int> printed = PrintRunning(*service, written, *selector, json)) return *printed;
  Result<std::string> token = service->TokenMeant(written);
  if (!token.ok()) return Fail(token.error());
  if (!json && !Narrows(*selector)) {
    int code = PrintWhole(*service, *token);
    SayNotices(service->store().TakeNotices());
    return code;
  }
  if (!selector->limit) selector->limit = UINT64_MAX;
  Result<RetrieveOutcome> outcome = service->Retrieve(*token, *selector, /*raw=*/true);
  SayNotices(service->store().TakeNotices());
  if (!outcome.ok()) return Fail(outcome.error());
  if (!json && !outcome->note.empty()) Complain(outcome->note);
  const int code = json ? PrintJson(*outcome) : Print(outcome->bytes);
  return code == kDone ? EndOf(*selector, *outcome) : code;
}

}  // namespace

extern const CommandRow kRetrieve;
const CommandRow kRetrieve = {
    "retrieve",
    "TOKEN [OPTIONS]",
    "print an original, or a part of it, byte for byte",
    "Prints the exact bytes that a view stands for. A gap's address is taken as it is written in the view: lines "
    "31-114 as "
    "--lines 31-114, bytes 900+4096 as --bytes 900+4096, json_path as --json-path.\n\n"
    "Selectors combine: first --json-path, then --lines or --bytes, then --pattern with --context, then --offset and "
    "--limit over what is left. Line numbers are always the original's.\n\n"
    "A name that an object repeats names each of its values, a newline between them; lines, bytes and JSON paths that "
    "lie "
    "apart come one after the other.\n\n"
    "Ends with 1 where nothing matches the pattern or the path, with 2 where all that was asked for lies past the end, "
    "and with 3 where no such original is kept; the message "
    "says whether it never was, has expired or was evicted.",
    kOptions,
    &Run};

}  // namespace pith::cli
