// The wire between the plugin and the gate. The fields are the configuration's `dsh` object, read anew for each
// request; only its five volatile members are taken over, the rest is frozen with the first reading.
#include "agents/dsh_serve.h"

#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "agents/json_fields.h"
#include "agents/process.h"
#include "base/clock.h"
#include "base/config.h"
#include "base/files.h"
#include "base/json_text.h"

namespace pith {
namespace {

constexpr size_t kMaxLine = 512u << 20;

std::string Joined(const HookJson& list) {
  std::string text;
  if (!list.is_array()) return text;
  for (const HookJson& item : list) {
    if (item.is_string()) text += (text.empty() ? "" : ", ") + item.get<std::string>();
  }
  return text;
}

DshCall CallOf(const HookJson& exec, const HookJson& result) {
  DshCall call;
  call.tool = TextAt(exec, "name");
  call.session = TextAt(exec, "session");
  call.call_id = TextAt(exec, "callId");
  const HookJson& arguments = FieldAt(exec, "arguments");
  call.path = FirstTextAt(arguments, {"path", "file_path"});
  call.url = TextAt(arguments, "url");
  call.queries = TextAt(arguments, "query");
  if (call.queries.empty()) call.queries = Joined(FieldAt(arguments, "queries"));
  call.nested = !FieldAt(exec, "parent").is_null();
  const HookJson& failed = FieldAt(result, "isError");
  call.is_error = failed.is_boolean() && failed.get<bool>();
  const HookJson& content = FieldAt(result, "content");
  if (content.is_string()) {
    call.payload = content.get<std::string>();
  } else if (std::optional<std::string> text = TextOfBlocks(content)) {
    call.payload = std::move(*text);
  } else {
    call.all_text = false;
  }
  return call;
}

std::string ExpandHome(const std::string& path) {
  const char* home = getenv("HOME");
  return path.starts_with("~/") && home != nullptr ? home + path.substr(1) : path;
}

}  // namespace

DshServer::DshServer(std::function<Result<DshFields>()> read_fields, std::function<int64_t()> now_ms,
                     std::function<void(const std::string&)> to_stderr)
    : read_fields_(std::move(read_fields)), now_ms_(std::move(now_ms)), to_stderr_(std::move(to_stderr)) {}

DshServer::~DshServer() = default;

void DshServer::Refresh() {
  Result<DshFields> fields = read_fields_();
  if (!fields.ok()) {
    to_stderr_("ccr: gate failed, kept inline: " + fields.error().sentence);
    return;
  }
  if (gate_ == nullptr) {
    fields_ = fields.Take();
    fields_.journal_path = ExpandHome(fields_.journal_path);
    gate_ = std::make_unique<DshGate>(
        fields_, DshGate::Surroundings{now_ms_, [this](const std::string& line) { WriteLedger(line); }, to_stderr_});
    return;
  }
  TakeVolatile(*fields);
  fields_.switched_off = fields->switched_off;
  gate_->SetFields(fields_);
}

void DshServer::TakeVolatile(const DshFields& from) {
  fields_.threshold_bytes = from.threshold_bytes;
  fields_.multipliers = from.multipliers;
  fields_.preview_max_chars = from.preview_max_chars;
  fields_.log = from.log;
  fields_.log_file = from.log_file;
}

// Fields of the request count for it and all that follow, until the next that has some.
void DshServer::TakeFieldsOf(const HookJson& request) {
  const HookJson& given = FieldAt(request, "fields");
  if (gate_ == nullptr || (given.is_null() && sent_.empty())) return;
  if (!given.is_null()) sent_ = JsonLine(given);
  Result<DshFields> fields = DshFieldsFrom(sent_);
  if (!fields.ok()) {
    to_stderr_("ccr: gate failed, kept inline: " + fields.error().sentence);
    sent_.clear();
    return;
  }
  TakeVolatile(*fields);
  gate_->SetFields(fields_);
}

void DshServer::WriteLedger(const std::string& line) {
  to_stderr_(line);
  if (!fields_.log || fields_.log_file.empty()) return;
  const std::string path = ExpandHome(fields_.log_file);
  const size_t slash = path.rfind('/');
  if (slash != std::string::npos && slash > 0) (void)MakeFolders(path.substr(0, slash)).ok();
  Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kAppend);
  if (file.ok()) (void)(*file)->Write("[" + UtcTime(now_ms_()) + "] " + line + "\n").ok();
}

std::string DshServer::Answer(std::string_view line) {
  const HookJson request = ParseOrderedJson(line);
  HookJson answer = {{"id", FieldAt(request, "id")}};
  Refresh();
  TakeFieldsOf(request);
  const std::string op = TextAt(request, "op");
  if (op == "hello") {
    answer["version"] = PITH_VERSION;
    return JsonLine(answer);
  }
  if (op == "pre-step" || op == "archived") {
    AnswerEngine(op, request, answer);
    return JsonLine(answer);
  }
  if (gate_ != nullptr && op == "retrieve") {
    std::optional<std::pair<int64_t, int64_t>> range;
    if (const HookJson& asked = FieldAt(request, "range"); !asked.is_null()) {
      const HookJson &start = FieldAt(asked, "start"), &count = FieldAt(asked, "count");
      const bool whole = start.is_number_integer() && count.is_number_integer();
      range = {whole ? start.get<int64_t>() : 0, whole ? count.get<int64_t>() : 0};
    }
    DshGate::Retrieved got = gate_->Retrieve(TextAt(request, "hash"), range);
    answer["isError"] = got.is_error;
    answer["text"] = std::move(got.text);
    return JsonLine(answer);
  }
  std::optional<std::string> replacement;
  if (gate_ != nullptr && op == "post-execute") {
    replacement = gate_->PostExecute(CallOf(FieldAt(request, "exec"), FieldAt(request, "result")));
  }
  answer["content"] = replacement ? BlocksOf(*replacement) : HookJson(nullptr);
  return JsonLine(answer);
}

void DshServer::AnswerEngine(const std::string& op, const HookJson& request, HookJson& answer) {
  const std::string session = TextAt(request, "session");
  if (op == "archived") {
    std::vector<std::string> call_ids;
    for (const HookJson& id : FieldAt(request, "callIds")) {
      if (id.is_string()) call_ids.push_back(id.get<std::string>());
    }
    if (gate_ != nullptr) gate_->Archived(session, call_ids);
    return;
  }
  HookJson archive = HookJson::array();
  const HookJson& turn = FieldAt(request, "turn");
  if (gate_ != nullptr && turn.is_number_integer()) {
    for (const DshGate::Archivable& found : gate_->PreStep(session, turn.get<int64_t>())) {
      archive.push_back({{"callId", found.call_id}, {"hash", found.hash}, {"content", BlocksOf(found.replacement)}});
    }
  }
  answer["archive"] = std::move(archive);
}

int ServeDsh() {
  const auto read_fields = []() -> Result<DshFields> {
    Result<Config> config = Config::Read();
    if (!config.ok()) return config.error();
    Result<DshFields> fields = DshFieldsFrom(config->Text(Key::kDsh));
    if (fields.ok()) fields->switched_off = config->Flag(Key::kDisable) || config->Flag(Key::kNoHooks);
    return fields;
  };
  DshServer server(
      read_fields, [] { return TheClock().WallMs(); },
      [](const std::string& line) { WriteAll(STDERR_FILENO, line + "\n"); });
  std::string pending;
  char buffer[65536];
  for (ssize_t got = 0; (got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0 && pending.size() < kMaxLine;) {
    pending.append(buffer, static_cast<size_t>(got));
    size_t begin = 0;
    for (size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n', begin)) {
      if (!WriteAll(STDOUT_FILENO, server.Answer(std::string_view(pending).substr(begin, end - begin)) + "\n"))
        return 0;
      begin = end + 1;
    }
    pending.erase(0, begin);
  }
  return 0;
}

}  // namespace pith
