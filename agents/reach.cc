// Lines are below 4 KiB and written by one write() each, so that any number of processes may append. A full file is set
// aside under a second name, of which one is kept: the sums then go back one file's length, a few hundred thousand
// calls.
#include "agents/reach.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/clock.h"
#include "base/files.h"
#include "base/json_text.h"
#include "base/sha256.h"
#include "base/units.h"
#include "compact/command/command.h"
#include "store/tiers.h"
#include "tools/own_rules.h"

namespace pith {
namespace {

constexpr uint64_t kMaxReachFile = 32u << 20;
constexpr uint64_t kEnoughMeasured = 50;  // views, to decide on
constexpr size_t kLongestName = 64;
constexpr std::string_view kRetrieved = "retrieved";  // in the place of an outcome: a view was not enough

// "" where there is no place for it.
std::string FileIn(const Config& config) {
  const Result<std::string> folder = StoreFolder(config.Text(Key::kStateFolder));
  return folder.ok() ? *folder + "/reach.jsonl" : std::string();
}

std::string_view OutcomeName(ReachOutcome outcome) {
  switch (outcome) {
    case ReachOutcome::kView:
      return "view";
    case ReachOutcome::kMeasured:
      return "measured";
    case ReachOutcome::kLeft:
      break;
  }
  return "left";
}

std::string TextOf(const OrderedJson& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

uint64_t NumberOf(const OrderedJson& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

void Add(ReachSum& sum, const OrderedJson& line) {
  const std::string outcome = TextOf(line, "outcome");
  const uint64_t original = NumberOf(line, "tokens"), shown = NumberOf(line, "shown_tokens");
  if (outcome == kRetrieved) {  // no call of its own
    sum.retrieved_tokens += original;
    return;
  }
  ++sum.calls;
  sum.original_tokens += original;
  if (outcome == "view") {
    ++sum.views;
    sum.touchable_tokens += original;
    sum.viewed_tokens += original;
    sum.host_tokens += NumberOf(line, "host_tokens");
    sum.shown_tokens += shown;
  } else if (outcome == "measured") {
    ++sum.measured;
    sum.touchable_tokens += original;
    sum.measured_tokens += original;
    sum.measured_shown_tokens += shown;
  } else if (line.contains("touchable")) {
    sum.touchable_tokens += original;
  }
}

std::string Named(std::string name, const char* otherwise) { return name.empty() ? otherwise : name; }

void AddLines(const std::string& text, Reach& reach, std::set<std::string>& sessions) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const OrderedJson line = ParseOrderedJson(std::string_view(text).substr(at, end - at));
    at = end + 1;
    if (!line.is_object() || !line.contains("outcome")) continue;
    Add(reach.all, line);
    Add(reach.by_host[Named(TextOf(line, "host"), "by hand")], line);
    Add(reach.by_tool[Named(TextOf(line, "tool"), "(none)")], line);
    Add(reach.by_family[Named(TextOf(line, "family"), "other")], line);
    Add(reach.by_day[TextOf(line, "at").substr(0, 10)], line);
    if (const std::string reason = TextOf(line, "reason"); !reason.empty()) Add(reach.by_reason[reason], line);
    if (line.contains("mcp_tools") && line.contains("session")) sessions.insert(TextOf(line, "session"));
  }
}

std::string Percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? "-" : std::to_string((part * 100 + whole / 2) / whole) + " %";
}

std::string Padded(std::string text, size_t width, bool left) {
  if (text.size() >= width) return text;
  const std::string blanks(width - text.size(), ' ');
  return left ? text + blanks : blanks + text;
}

std::string Table(const std::string& title, const std::map<std::string, ReachSum>& rows, bool by_name) {
  std::vector<std::pair<std::string, ReachSum>> sorted(rows.begin(), rows.end());
  if (!by_name) {
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.original_tokens > b.second.original_tokens; });
  }
  constexpr size_t kRows = 12;
  if (sorted.size() > kRows)
    sorted.erase(by_name ? sorted.begin() : sorted.begin() + kRows, by_name ? sorted.end() - kRows : sorted.end());
  std::string text = "  " + Padded(title, 28, true) + "   calls   views      tokens      became       saved\n";
  for (const auto& [name, sum] : sorted) {
    text += "  " + Padded(name.substr(0, 28), 28, true) + Padded(std::to_string(sum.calls), 8, false) +
            Padded(std::to_string(sum.views), 8, false) + Padded(std::to_string(sum.original_tokens), 12, false) +
            Padded(std::to_string(sum.original_tokens - sum.viewed_tokens + sum.shown_tokens), 12, false) +
            Padded(std::to_string(sum.net()), 12, false) + "\n";
  }
  return text;
}

int64_t NetOf(const Reach& reach, uint64_t standing_tokens) {
  return reach.all.net() - static_cast<int64_t>(reach.sessions * standing_tokens);
}

OrderedJson JsonOf(const ReachSum& sum) {
  return {{"calls", sum.calls},
          {"views", sum.views},
          {"original_tokens", sum.original_tokens},
          {"touchable_tokens", sum.touchable_tokens},
          {"viewed_tokens", sum.viewed_tokens},
          {"host_tokens", sum.host_tokens},
          {"shown_tokens", sum.shown_tokens},
          {"retrieved_tokens", sum.retrieved_tokens},
          {"gross_saved_tokens", sum.gross()},
          {"net_saved_tokens", sum.net()},
          {"measured", sum.measured},
          {"measured_tokens", sum.measured_tokens},
          {"measured_shown_tokens", sum.measured_shown_tokens}};
}

OrderedJson JsonOf(const std::map<std::string, ReachSum>& sums) {
  OrderedJson object = OrderedJson::object();
  for (const auto& [name, sum] : sums) object[name] = JsonOf(sum);
  return object;
}

// What a line of either kind begins with.
OrderedJson LineOf(const ReachCall& call, std::string_view outcome) {
  const Command command = ParseCommand(std::string_view(call.command).substr(0, 4096), TheOwnRules().table());
  OrderedJson line = {{"at", UtcTime(TheClock().WallMs())}, {"road", call.road}, {"outcome", outcome}};
  const std::pair<const char*, std::string> names[] = {
      {"host", call.host},
      {"tool", call.tool.substr(0, kLongestName)},
      {"program", command.program.substr(0, kLongestName)},
      {"family", command.rule == nullptr ? std::string() : std::string(command.rule->family)},
      {"reason", call.reason.substr(0, 2 * kLongestName)},
      {"session", call.session.empty() ? std::string() : HexOf(Sha256Of(call.session)).substr(0, 8)}};
  for (const auto& [key, value] : names) {
    if (!value.empty()) line[key] = value;
  }
  return line;
}

void Append(const Config& config, const OrderedJson& line) {
  const std::string path = FileIn(config);
  if (path.empty()) return;
  Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kAppend);
  if (!file.ok()) {
    if (!MakeFolders(path.substr(0, path.rfind('/'))).ok()) return;
    file = Files().Open(path, OpenMode::kAppend);
    if (!file.ok()) return;
  }
  const Result<FileInfo> info = (*file)->Info();
  if (!info.ok()) return;
  (void)(*file)->Write(JsonText(line) + "\n").ok();
  if (info->size > kMaxReachFile) (void)Files().Rename(path, path + ".1").ok();
}

}  // namespace

void NoteReach(const Config& config, const ReachCall& call) {
  if (config.Flag(Key::kMemoryOnly)) return;
  OrderedJson line = LineOf(call, OutcomeName(call.outcome));
  line["bytes"] = call.original_bytes;
  line["tokens"] = call.original_tokens;
  if (call.outcome != ReachOutcome::kLeft) {
    line["shown_bytes"] = call.shown_bytes;
    line["shown_tokens"] = call.shown_tokens;
    line["host_tokens"] = call.host_tokens == 0 ? call.original_tokens : call.host_tokens;
  }
  if (call.touchable) line["touchable"] = true;
  if (call.mcp_tools) line["mcp_tools"] = true;
  Append(config, line);
}

void NoteRetrieval(const Config& config, const Entry& entry, uint64_t tokens) {
  const std::string& road = entry.last.road;
  const std::string kind = road.substr(0, road.find(':'));
  if (config.Flag(Key::kMemoryOnly) || (kind != "hook" && kind != "run")) return;
  ReachCall call;
  call.road = kind;
  if (kind.size() < road.size()) call.host = road.substr(kind.size() + 1);
  call.tool = kind == "run" ? "shell" : entry.last.tool;
  call.command = entry.last.command;
  OrderedJson line = LineOf(call, kRetrieved);
  line["tokens"] = tokens;
  Append(config, line);
}

Reach SumOfReach(const Config& config) {
  Reach reach;
  std::set<std::string> sessions;
  const std::string path = FileIn(config);
  if (path.empty()) return reach;
  for (const std::string& name : {path + ".1", path}) {
    Result<std::string> text = ReadRegularFile(name, kMaxReachFile + 65536);
    if (text.ok()) AddLines(*text, reach, sessions);
  }
  reach.sessions = sessions.size();
  return reach;
}

std::string ReachText(const Reach& reach, uint64_t standing_tokens) {
  const ReachSum& all = reach.all;
  if (all.calls == 0) return "reach: no call has come by hooks or `pith run` yet (pith install HOST)\n";
  std::string text = "reach, of " + CountText(all.calls, "call") +
                     " on hooks and `pith run`: " + CountText(all.original_tokens, "token") + " came by, " +
                     Percent(all.touchable_tokens, all.original_tokens) + " of them could be touched, " +
                     Percent(all.viewed_tokens, all.original_tokens) + " were\n";
  text += "saved on this reach: " + std::to_string(all.gross()) +
          " tokens gross (against what the hosts would have shown), " + std::to_string(NetOf(reach, standing_tokens)) +
          " net (less " + std::to_string(all.retrieved_tokens) + " fetched again, and " +
          std::to_string(standing_tokens) + " for the list of tools in each of " +
          CountText(reach.sessions, "session") + ")\n";
  if (all.measured > 0) {
    text += "measured only: " + CountText(all.measured, "view") + " would have had " +
            CountText(all.measured_shown_tokens, "token") + " in place of " + std::to_string(all.measured_tokens);
    text += all.measured >= kEnoughMeasured
                ? "; enough to decide on: `pith install HOST` turns views on\n"
                : "; " + std::to_string(kEnoughMeasured - all.measured) + " more are enough to decide on\n";
  }
  text += Table("host", reach.by_host, false) + Table("tool", reach.by_tool, false) +
          Table("family of commands", reach.by_family, false) + Table("day", reach.by_day, true);
  if (!reach.by_reason.empty()) text += Table("left alone because", reach.by_reason, false);
  return text;
}

std::string ReachJson(const Reach& reach, uint64_t standing_tokens) {
  OrderedJson object = JsonOf(reach.all);
  object["net_saved_tokens"] = NetOf(reach, standing_tokens);
  object["standing_tokens"] = standing_tokens;
  object["sessions"] = reach.sessions;
  object["enough_measured"] = reach.all.measured >= kEnoughMeasured;
  object["by_host"] = JsonOf(reach.by_host);
  object["by_tool"] = JsonOf(reach.by_tool);
  object["by_family"] = JsonOf(reach.by_family);
  object["by_day"] = JsonOf(reach.by_day);
  object["by_reason"] = JsonOf(reach.by_reason);
  return JsonText(object);
}

}  // namespace pith
