// Lines are below 4 KiB and written by one write() each, so that any number of processes may append.
#include "agents/measure.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/files.h"
#include "compact/command/command.h"

namespace pith {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMaxFile = 64u << 20;  // then it is full: enough to decide on

std::string FileIn(const std::string& folder) {
  if (!folder.empty()) return folder + "/measured.jsonl";
  const char* state = getenv("XDG_STATE_HOME");
  const char* home = getenv("HOME");
  const std::string base =
      state != nullptr && *state == '/' ? state : std::string(home == nullptr ? "" : home) + "/.local/state";
  return base + "/pith/measured.jsonl";
}

}  // namespace

void NoteMeasured(const std::string& folder, std::string_view road, std::string_view command, const View& view) {
  const Command parsed = ParseCommand(command);
  const Json line = {{"at", UtcTime(TheClock().WallMs())},      {"road", road},
                     {"program", parsed.program.substr(0, 64)}, {"kind", KindName(view.kind)},
                     {"original_tokens", view.original.tokens}, {"shown_tokens", view.shown.tokens}};
  const std::string path = FileIn(folder);
  if (!MakeFolders(path.substr(0, path.rfind('/'))).ok()) return;
  Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kAppend);
  if (!file.ok()) return;
  Result<FileInfo> info = (*file)->Info();
  if (!info.ok() || info->size > kMaxFile) return;
  (void)(*file)->Write(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n").ok();
}

Measured SumOfMeasured(const std::string& folder) {
  Measured sum;
  Result<std::string> text = ReadFile(FileIn(folder), kMaxFile + 4096);
  if (!text.ok()) return sum;
  for (size_t at = 0; at < text->size();) {
    const size_t end = std::min(text->find('\n', at), text->size());
    const Json line = Json::parse(text->substr(at, end - at), nullptr, false);
    at = end + 1;
    if (!line.is_object() || !line.contains("original_tokens") || !line["original_tokens"].is_number_unsigned() ||
        !line.contains("shown_tokens") || !line["shown_tokens"].is_number_unsigned()) {
      continue;
    }
    ++sum.views;
    sum.original_tokens += line["original_tokens"].get<uint64_t>();
    sum.shown_tokens += line["shown_tokens"].get<uint64_t>();
  }
  return sum;
}

}  // namespace pith
