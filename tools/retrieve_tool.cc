// tokenjuice_retrieve and its legacy name. The first block is what was asked for and nothing else; a second block, only
// where there is something to say, tells which page it was and how to go on.
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/markers.h"
#include "base/utf8.h"
#include "tools/mcp_tools.h"

namespace pith::mcp {
namespace {

using Json = nlohmann::json;

std::optional<std::string> GivenText(const Json& arguments, const char* name) {
  auto found = arguments.find(name);
  if (found == arguments.end()) return std::nullopt;
  return found->get<std::string>();
}

Result<Selector> SelectorFrom(const Json& arguments) {
  Selector selector;
  selector.json_path = GivenText(arguments, "json_path");
  selector.pattern = GivenText(arguments, "pattern");
  if (std::optional<std::string> lines = GivenText(arguments, "lines")) {
    Result<std::vector<LineRange>> ranges = ParseLineRanges(*lines);
    if (!ranges.ok()) return ranges.error();
    selector.lines = ranges.Take();
  }
  if (std::optional<std::string> bytes = GivenText(arguments, "bytes")) {
    Result<ByteRange> range = ParseByteRange(*bytes);
    if (!range.ok()) return range.error();
    selector.bytes = *range;
  }
  if (arguments.contains("context")) selector.context = arguments["context"].get<uint64_t>();
  if (arguments.contains("offset")) selector.offset = arguments["offset"].get<uint64_t>();
  if (arguments.contains("limit")) selector.limit = arguments["limit"].get<uint64_t>();
  return selector;
}

std::string PageNote(const RetrieveOutcome& outcome) {
  std::string note;
  bool all = outcome.offset == 0 && !outcome.next_offset;
  if (!all && !outcome.bytes.empty()) {
    note = "bytes " + std::to_string(outcome.offset) + "-" + std::to_string(outcome.offset + outcome.bytes.size() - 1) +
           " of " + std::to_string(outcome.selected);
    if (!outcome.whole) note += " selected";
    if (outcome.next_offset) note += "; next offset " + std::to_string(*outcome.next_offset);
  }
  if (outcome.note.empty()) return note;
  return note.empty() ? outcome.note : note + "; " + outcome.note;
}

std::string FactsOf(const RetrieveOutcome& outcome) {
  Json facts = {{"token", outcome.token},
                {"original", {{"bytes", outcome.entry.bytes}, {"lines", outcome.entry.lines}}},
                {"selected_bytes", outcome.selected},
                {"offset", outcome.offset},
                {"bytes", outcome.bytes.size()}};
  if (outcome.next_offset) facts["next_offset"] = *outcome.next_offset;
  return JsonText(facts);
}

ToolResult RunRetrieve(Service& service, const Json& arguments, const CallContext& context) {
  std::string written = arguments["token"].get<std::string>();
  std::optional<std::string> token = TokenFromArgument(written);
  if (!token) {
    return Refusal("not a token: " + written.substr(0, Utf8FloorBoundary(written, 80)) +
                   " (a token is 24 digits of 0-9 and a-f, as the footer of a view names it)");
  }
  Result<Selector> selector = SelectorFrom(arguments);
  if (!selector.ok()) return Refusal(selector.error().sentence);
  bool base64 = GivenText(arguments, "encoding") == "base64";
  if (base64 && !selector->limit) selector->limit = service.options().page.page_bytes / 4 * 3;
  const StopAsked stop = StopOf(context);
  Result<RetrieveOutcome> outcome = service.Retrieve(*token, *selector, base64, &stop);
  if (!outcome.ok()) return Refusal(outcome.error().sentence);
  ToolResult result;
  bool binary = outcome->entry.last.kind == "binary" && outcome->verbatim;
  if (base64 || binary) {
    AddBytesAsBlob(result, outcome->bytes, outcome->token,
                   binary ? MimeTypeOf("binary") : MimeTypeOf(outcome->entry.last.kind));
  } else if (!outcome->bytes.empty() || outcome->note.empty()) {
    AddBytesAsText(result, outcome->bytes, outcome->token, outcome->origin.value_or(outcome->offset));
  }
  if (std::string note = PageNote(*outcome); !note.empty()) AddNote(result, std::move(note));
  result.meta_json = ResultMeta(FactsOf(*outcome));
  return result;
}

Tool Make(Service& service, std::string name, std::string description) {
  Tool tool;
  tool.input_schema = SchemaNamed(name);
  tool.name = std::move(name);
  tool.description = std::move(description);
  tool.annotations = kReadOnly;
  tool.meta = RetrieveMeta(service);
  tool.call = [&service](const Json& arguments, CallContext& context) {
    return RunRetrieve(service, arguments, context);
  };
  return tool;
}

}  // namespace

Tool RetrieveTool(Service& service) {
  return Make(
      service, "tokenjuice_retrieve",
      "Exact bytes of the original behind a view, whole or a part: lines, bytes or json_path as a gap is written, "
      "or lines that match pattern, with their numbers. Comes in pages.");
}

Tool LegacyRetrieveTool(Service& service) {
  return Make(service, "retrieve_tool_output", "Same as tokenjuice_retrieve.");
}

}  // namespace pith::mcp
