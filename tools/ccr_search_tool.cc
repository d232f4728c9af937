#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "tools/mcp_tools.h"

namespace pith::mcp {
namespace {

using Json = nlohmann::json;

constexpr size_t kLongestLine = 300;  // bytes of a hit that are shown

std::string Shortened(const std::string& line) {
  std::string clean = ReplaceInvalidUtf8(line);
  while (!clean.empty() && (clean.back() == '\n' || clean.back() == '\r')) clean.pop_back();
  if (clean.size() <= kLongestLine) return clean;
  clean.resize(Utf8FloorBoundary(clean, kLongestLine));
  return clean + " ...";
}

// Hits under the token that they belong to, said once.
std::string HitsText(const SearchOutcome& outcome) {
  std::string text;
  std::string_view token;
  for (const SearchHit& hit : outcome.hits) {
    if (hit.token != token) {
      token = hit.token;
      text += (text.empty() ? "" : "\n") + hit.token + " " + UtcTime(hit.seen_ms);
      if (!hit.command.empty())
        text += " " + Shortened(hit.command);
      else if (!hit.tool.empty())
        text += " " + Shortened(hit.tool);
      text += '\n';
    }
    text += std::to_string(hit.line) + ": " + Shortened(hit.text) + "\n";
  }
  return text;
}

std::string HowFar(const SearchOutcome& outcome) {
  std::string text = std::to_string(outcome.searched) + " of " + CountText(outcome.total, "original") + " searched";
  if (!outcome.complete) text += ", newest first; there may be more: narrow the search or raise limit";
  return text;
}

ToolResult RunSearch(Service& service, const Json& arguments, const CallContext& context) {
  SearchQuery query;
  query.text = arguments["query"].get<std::string>();
  query.tool = arguments.value("tool_name", "");
  query.command = arguments.value("command", "");
  query.limit = arguments.value("limit", uint64_t{20});
  const StopAsked stop = StopOf(context);
  query.stop = &stop;
  query.name_space = CallerOf(context).name_space.value_or(service.options().name_space);
  if (arguments.contains("since")) {
    std::string since = arguments["since"].get<std::string>();
    std::optional<int64_t> moment = ParseMoment(since, TheClock().WallMs());
    if (!moment) return Refusal("since must be a time such as \"2h\", \"7d\" or \"2026-03-01\"");
    query.since_ms = *moment;
  }
  Result<SearchOutcome> outcome = service.Search(query);
  if (!outcome.ok()) return Refusal(outcome.error().sentence);
  std::string text = outcome->hits.empty() ? "no match; " + HowFar(*outcome) : HitsText(*outcome) + HowFar(*outcome);
  ToolResult result = TextResult(std::move(text));
  Json hits = Json::array();
  for (const SearchHit& hit : outcome->hits) hits.push_back({{"token", hit.token}, {"line", hit.line}});
  Json facts = {{"hits", std::move(hits)}, {"searched", outcome->searched}, {"complete", outcome->complete}};
  result.meta_json = ResultMeta(JsonText(facts));
  return result;
}

}  // namespace

Tool SearchTool(Service& service) {
  Tool tool;
  tool.name = "ccr_search";
  tool.description = "Find words in all stored originals of this project, newest first: token, line number, line.";
  tool.input_schema = SchemaNamed(tool.name);
  tool.annotations = kReadOnly;
  tool.call = [&service](const Json& arguments, CallContext& context) {
    return RunSearch(service, arguments, context);
  };
  return tool;
}

}  // namespace pith::mcp
