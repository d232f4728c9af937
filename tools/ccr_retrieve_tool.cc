// The retrieval tool of the hook contract: a bare hash, line ranges, its own words for misses. Pages end at line ends,
// so that a range continues them.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/token.h"
#include "base/utf8.h"
#include "tools/mcp_tools.h"

namespace pith::mcp {
namespace {

using Json = nlohmann::json;

constexpr size_t kLongestHashShown = 64;

// The hash as it may stand in a message: control characters out, cut.
std::string Cleaned(const std::string& hash) {
  std::string clean;
  for (char c : hash) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) clean += c;
  }
  clean.resize(Utf8FloorBoundary(clean, std::min(clean.size(), kLongestHashShown)));
  return clean;
}

std::string Unknown(const std::string& hash) {
  return "ccr: no stored output for hash " + Cleaned(hash) +
         " (unknown). Use the 24-character hash from a <<<CCR:hash|type|size>>> marker, or re-run the original tool.";
}

std::string Miss(const std::string& hash, const Error& error) {
  switch (error.cause) {
    case Cause::kInvalid:
    case Cause::kNotFound:
      return Unknown(hash);
    case Cause::kExpired:
      return "ccr: the stored output for hash " + Cleaned(hash) + " has expired. Re-run the original tool.";
    case Cause::kEvicted:
    case Cause::kPurged:
    case Cause::kDamaged:
      return "ccr: the stored output for hash " + Cleaned(hash) + " is gone (" + std::string(CauseName(error.cause)) +
             "). Re-run the original tool.";
    default:
      return "ccr: " + error.sentence;
  }
}

uint64_t CountLines(std::string_view text) {
  return static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n')) +
         (text.empty() || text.ends_with('\n') ? 0 : 1);
}

struct LinesAsked {
  uint64_t start = 1;
  uint64_t count = UINT64_MAX;
  bool given = false;
};

// What the page left over, in a block of its own.
std::string NextNote(const RetrieveOutcome& outcome, const LinesAsked& asked, std::string_view page) {
  if (!page.ends_with('\n')) {
    uint64_t at = outcome.origin.value_or(0) + page.size();
    uint64_t line = asked.start + CountLines(page) - 1;
    return "ccr: line " + std::to_string(line) + " goes on: tokenjuice_retrieve token \"" + outcome.token +
           "\", bytes \"" + std::to_string(at) + "+" + std::to_string(page.size()) + "\"";
  }
  uint64_t shown = CountLines(page);
  uint64_t next = asked.start + shown;
  uint64_t last = asked.start + std::min(asked.count - 1, outcome.entry.lines - asked.start);
  return "ccr: lines " + std::to_string(asked.start) + "-" + std::to_string(next - 1) + " of " +
         std::to_string(outcome.entry.lines) + "; next range {\"start\": " + std::to_string(next) +
         ", \"count\": " + std::to_string(last - next + 1) + "}";
}

ToolResult RunCcrRetrieve(Service& service, const Json& arguments, const CallContext& context) {
  std::string hash = arguments["hash"].get<std::string>();
  LinesAsked asked;
  if (arguments.contains("range")) {
    const Json& range = arguments["range"];
    asked.given = true;
    if (range["start"].get<int64_t>() < 1 || range["count"].get<int64_t>() < 1) {
      return Refusal("ccr: range needs integers start >= 1 and count >= 1");
    }
    asked.start = range["start"].get<uint64_t>();
    asked.count = range["count"].get<uint64_t>();
  }
  if (hash.size() != kTokenLength || !IsTokenShaped(hash)) return Refusal(Unknown(hash));
  Selector selector;
  uint64_t last = asked.count > UINT64_MAX - asked.start ? UINT64_MAX : asked.start + asked.count - 1;
  selector.lines = {{asked.start, last}};
  const StopAsked stop = StopOf(context);
  Result<RetrieveOutcome> outcome = service.Retrieve(hash, selector, false, &stop);
  if (!outcome.ok()) return Refusal(Miss(hash, outcome.error()));
  if (asked.given && asked.start > outcome->entry.lines) {
    return TextResult("[ccr: line " + std::to_string(asked.start) + " is past the end, " +
                      std::to_string(outcome->entry.lines) + " lines stored]");
  }
  std::string_view page = outcome->bytes;
  if (outcome->next_offset) {
    size_t newline = page.rfind('\n');
    if (newline != std::string_view::npos) page = page.substr(0, newline + 1);
  }
  ToolResult result;
  AddBytesAsText(result, page, outcome->token, outcome->origin.value_or(0));
  if (outcome->next_offset) AddNote(result, NextNote(*outcome, asked, page));
  Json facts = {{"hash", hash}, {"size", outcome->entry.bytes}, {"lines", outcome->entry.lines}};
  result.meta_json = ResultMeta(JsonText(facts));
  return result;
}

}  // namespace

Tool CcrRetrieveTool(Service& service) {
  Tool tool;
  tool.name = "ccr_retrieve";
  tool.description =
      "Restore a tool output replaced by a CCR marker. Pass the 24-character hash from <<<CCR:hash|type|size>>> "
      "exactly. "
      "range {start, count} gives only those lines; start counts from 1.";
  tool.input_schema = SchemaNamed(tool.name);
  tool.annotations = kReadOnly;
  tool.meta = RetrieveMeta(service);
  tool.call = [&service](const Json& arguments, CallContext& context) {
    return RunCcrRetrieve(service, arguments, context);
  };
  return tool;
}

}  // namespace pith::mcp
