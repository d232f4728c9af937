// The engine phase outside the harness: a host hands over the messages that are about to go to its model. The turn that
// goes on begins at the last message that a person wrote; results before it are those of earlier turns. Each passes the
// same gate as in the harness, with nothing shown whole, and is put into Pith's own store before it is replaced, so
// that `ccr_retrieve` and `pith retrieve` find it from any process.
#include <nlohmann/json.hpp>

#include "agents/dsh_serve.h"
#include "agents/json_fields.h"
#include "base/clock.h"
#include "base/config.h"
#include "base/json_text.h"
#include "tools/service.h"

namespace pith {
namespace {

struct CallerOfTool {
  std::string name;
  HookJson arguments;
};

bool IsResult(const HookJson& block) { return TextAt(block, "type") == "tool_result"; }

bool IsFromPerson(const HookJson& message) {
  if (TextAt(message, "role") != "user") return false;
  const HookJson& content = FieldAt(message, "content");
  if (!content.is_array()) return true;
  for (const HookJson& block : content) {
    if (!IsResult(block)) return true;
  }
  return content.empty();
}

// Which tool each call id is of, in either wire form.
std::map<std::string, CallerOfTool> CallersIn(const HookJson& messages) {
  std::map<std::string, CallerOfTool> callers;
  for (const HookJson& message : messages) {
    for (const HookJson& call : FieldAt(message, "tool_calls")) {
      const HookJson& function = FieldAt(call, "function");
      const HookJson& written = FieldAt(function, "arguments");
      callers[TextAt(call, "id")] = {TextAt(function, "name"),
                                     written.is_string() ? ParseOrderedJson(written.get<std::string>()) : written};
    }
    if (!FieldAt(message, "content").is_array()) continue;
    for (const HookJson& block : FieldAt(message, "content")) {
      if (TextAt(block, "type") == "tool_use") {
        callers[TextAt(block, "id")] = {TextAt(block, "name"), FieldAt(block, "input")};
      }
    }
  }
  return callers;
}

class Archiver {
 public:
  Archiver(DshFields fields, Service& service)
      : fields_(Always(std::move(fields))),
        service_(service),
        gate_(fields_, {[] { return TheClock().WallMs(); }, [](const std::string&) {}, [](const std::string&) {}}) {}

  // Replaces the content of the result, a message of a tool or a block, where it may be.
  void Take(HookJson& result, const CallerOfTool& caller, bool is_error) {
    HookJson& content = result["content"];
    DshCall call;
    call.tool = caller.name;
    call.path = FirstTextAt(caller.arguments, {"path", "file_path"});
    call.url = TextAt(caller.arguments, "url");
    call.queries = TextAt(caller.arguments, "query");
    call.is_error = is_error;
    if (content.is_string()) {
      call.payload = content.get<std::string>();
    } else if (std::optional<std::string> text = TextOfBlocks(content)) {
      call.payload = std::move(*text);
    } else {
      return;
    }
    const std::optional<std::string> replacement = gate_.PostExecute(call);
    if (!replacement) return;
    Sighting sighting;
    sighting.name_space = service_.options().name_space;
    sighting.folder = service_.options().folder;
    sighting.tool = call.tool;
    sighting.road = "hook:dsh";
    sighting.policy = "dsh";
    sighting.original_bytes = call.payload.size();
    sighting.shown_bytes = replacement->size();
    sighting.lifetime_seconds = static_cast<int64_t>(fields_.ttl_seconds);
    if (!service_.store().Put(call.payload, sighting).ok()) return;
    content = content.is_string() ? HookJson(*replacement) : BlocksOf(*replacement);
    ++archived_;
  }

  size_t archived() const { return archived_; }

 private:
  static DshFields Always(DshFields fields) {
    fields.auto_expand = false;
    fields.journal_path.clear();
    return fields;
  }

  DshFields fields_;
  Service& service_;
  DshGate gate_;
  size_t archived_ = 0;
};

void ArchiveEarlierTurns(HookJson& messages, Archiver& archiver) {
  const std::map<std::string, CallerOfTool> callers = CallersIn(messages);
  size_t turn = 0;  // where the one that goes on begins
  for (size_t i = 0; i < messages.size(); ++i) {
    if (IsFromPerson(messages[i])) turn = i;
  }
  const auto take = [&](HookJson& result, const std::string& id) {
    const auto caller = callers.find(id);
    const HookJson& failed = FieldAt(result, "is_error");
    if (caller != callers.end()) archiver.Take(result, caller->second, failed.is_boolean() && failed.get<bool>());
  };
  for (size_t i = 0; i < turn; ++i) {
    HookJson& message = messages[i];
    if (TextAt(message, "role") == "tool") take(message, TextAt(message, "tool_call_id"));
    if (!FieldAt(message, "content").is_array()) continue;
    for (HookJson& block : message["content"]) {
      if (IsResult(block)) take(block, TextAt(block, "tool_use_id"));
    }
  }
}

Result<std::string> Archive(HookJson& payload, std::vector<std::string>* notices) {
  Result<Config> config = Config::Read();
  if (!config.ok()) return config.error();
  if (config->Flag(Key::kDisable) || config->Flag(Key::kNoHooks)) return std::string();
  Result<DshFields> fields = DshFieldsFrom(config->Text(Key::kDsh));
  if (!fields.ok()) return fields.error();
  if (!fields->context_engine) return std::string();
  Result<ServiceOptions> options = ServiceOptionsFrom(*config, "hook:dsh", MarkerStyle::kDsh);
  if (!options.ok()) return options.error();
  options->store.one_shot = true;
  Result<std::unique_ptr<Service>> service = Service::Open(options.Take());
  if (!service.ok()) return service.error();
  Archiver archiver(fields.Take(), **service);
  ArchiveEarlierTurns(payload["messages"], archiver);
  if (archiver.archived() == 0) return std::string();
  notices->push_back("ccr: engine archived " + std::to_string(archiver.archived()) + " results");
  return JsonLine(payload);
}

}  // namespace

std::string AnswerDshPreStep(std::string_view text, std::vector<std::string>* notices) {
  try {
    HookJson payload = ParseOrderedJson(text);
    if (!payload.is_object() || !FieldAt(payload, "messages").is_array()) return {};
    for (const HookJson& message : payload["messages"]) {
      if (!message.is_object()) return {};
    }
    Result<std::string> answer = Archive(payload, notices);
    if (answer.ok()) return answer.Take();
    notices->push_back("ccr: gate failed, kept inline: " + answer.error().sentence);
  } catch (const std::exception& error) {
    notices->push_back(std::string("ccr: gate failed, kept inline: ") + error.what());
  }
  return {};
}

}  // namespace pith
