#include "base/clock.h"
#include "base/units.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"
#include "tools/view_json.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"WORDS", "", "what to look for; found inside paths and identifiers too", Complete::kNothing, {}, true, true},
    {"-n,--limit", "N", "at most N hits (20)"},
    {"--tool", "NAME", "of outputs of this tool"},
    {"--command", "TEXT", "of outputs whose command line holds TEXT"},
    kSinceRow,
    kAllProjectsRow,
    kProjectRow,
    kJsonRow,
};

std::string HitJson(const SearchHit& hit) {
  std::string object = "{\"token\":\"" + hit.token + "\",\"line\":" + std::to_string(hit.line) + ",\"text\":";
  AppendJsonString(object, hit.text);
  object += ",\"seen\":\"" + UtcTime(hit.seen_ms) + "\",\"tool\":";
  AppendJsonString(object, hit.tool);
  object += ",\"command\":";
  AppendJsonString(object, hit.command);
  return object + "}";
}

std::string HitLine(const SearchHit& hit) {
  std::string text = hit.text;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return hit.token + ":" + std::to_string(hit.line) + ":" + text + "\n";
}

int Run(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  std::optional<Narrowing> narrowing = NarrowingOf(arguments, 20);
  if (!narrowing) return kWrongUse;
  std::unique_ptr<Service> service = OpenService();
  if (!service) return kFailed;
  SearchQuery query;
  for (const std::string& word : arguments.Many("WORDS")) query.text += (query.text.empty() ? "" : " ") + word;
  Narrow(query, *narrowing, arguments, *service);
  Result<SearchOutcome> outcome = service->Search(query);
  SayNotices(service->store().TakeNotices());
  if (!outcome.ok()) return Fail(outcome.error());
  bool json = arguments.Has("--json");
  std::string out = json ? "{\"hits\":[" : "";
  for (const SearchHit& hit : outcome->hits) {
    if (json)
      out += (out.back() == '[' ? "" : ",") + HitJson(hit);
    else
      out += HitLine(hit);
  }
  std::string far = std::to_string(outcome->searched) + " of " + CountText(outcome->total, "original") + " searched";
  if (json) {
    out += "],\"searched\":" + std::to_string(outcome->searched) + ",\"total\":" + std::to_string(outcome->total) +
           ",\"complete\":" + (outcome->complete ? "true" : "false") + "}\n";
  } else {
    Complain((outcome->hits.empty() ? "no line holds all the words; " : "") + far +
             (outcome->complete ? "" : ", newest first; there may be more (--limit)"));
  }
  const int code = Print(out);
  return code == kDone && outcome->hits.empty() ? kFailed : code;
}

}  // namespace

extern const CommandRow kSearch;
const CommandRow kSearch = {"search",
                            "WORDS... [OPTIONS]",
                            "find words in all stored originals",
                            "Prints TOKEN:LINE:TEXT for each line that holds all the words, newest original first; any "
                            "case, also inside paths and "
                            "identifiers. Looks at the originals of this project unless told otherwise, for at most "
                            "two seconds, and says how far "
                            "it got. Ends with 1 where nothing was found.",
                            kOptions,
                            &Run};

}  // namespace pith::cli
