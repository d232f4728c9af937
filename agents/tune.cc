// Only the bytes of the list change: comments, order and line ends of the file stay.
#include "agents/tune.h"

#include <nlohmann/json.hpp>

#include "agents/json_edit.h"
#include "base/config.h"
#include "base/files.h"
#include "base/json_text.h"
#include "compact/command/shell_line.h"
#include "tools/name_space.h"
#include "tools/trust.h"

namespace pith {
namespace {

constexpr uint64_t kMaxTuneFile = 1u << 20;

std::string Quoted(const std::string& text) { return JsonText(nlohmann::json(text)); }

// The list with the command in it; the text as it is when it is there already.
Result<std::string> Added(const std::string& text, const std::string& list, const std::string& quoted) {
  Result<std::optional<std::string>> there = FindJson(text.empty() ? "{}" : text, {list});
  if (!there.ok()) return there.error();
  if (*there) {
    const nlohmann::json parsed = ParseJsonWithComments(**there);
    for (const nlohmann::json& item : parsed) {
      if (JsonText(item) == quoted) return text;
    }
  }
  return AppendJson(text, {list}, quoted);
}

Result<std::string> Without(const std::string& text, const std::string& list, const std::string& quoted) {
  Result<std::string> out =
      RemoveJsonElements(text, {list}, [&](std::string_view element) { return element == quoted; });
  if (!out.ok() && out.error().cause == Cause::kNotFound) return text;
  return out;
}

Result<std::string> Changed(const std::string& before, const TuneRequest& request) {
  const std::string quoted = Quoted(request.command);
  std::string text = before;
  for (const std::string list : {"include", "exclude"}) {
    const bool wanted = !request.forget && (list == "include") == request.always;
    if (text.empty() && !wanted) continue;
    Result<std::string> changed = wanted ? Added(text, list, quoted) : Without(text, list, quoted);
    if (!changed.ok()) return changed.error();
    text = changed.Take();
  }
  return text;
}

// Whether the project's file may be written to: not there yet, or trusted as it is.
Result<void> MayChange(const std::string& root, const std::string& file) {
  if (!ReadRegularFile(file, kMaxTuneFile).ok()) return {};
  std::string notice;
  (void)ReadProjectRules(root, &notice);
  if (notice.empty()) return {};
  return Error{Cause::kDenied, notice + " first"};
}

}  // namespace

Result<std::string> Tune(const TuneRequest& request, std::string* written) {
  if (ParseShellLine(request.command).size() != 1) {
    return Error{Cause::kInvalid, "name one command by its leading words: pith tune --never 'git log'"};
  }
  const std::string root = request.project.empty() ? std::string() : NamespaceOf(request.project);
  std::string file = root + "/" + std::string(kProjectFile);
  if (root.empty()) {
    Result<Config> config = Config::Read();
    if (!config.ok()) return config.error();
    file = config->file();
    if (file.empty()) return Error{Cause::kIo, "HOME is not set to a folder: there is no configuration to write to"};
  } else {
    if (Result<void> may = MayChange(root, file); !may.ok()) return may.error();
  }
  Result<std::string> text = ReadRegularFile(file, kMaxTuneFile);
  if (!text.ok() && text.error().cause != Cause::kNotFound) return text.error();
  const std::string before = text.ok() ? *text : std::string();
  Result<std::string> after = Changed(before, request);
  if (!after.ok()) return Error{after.error().cause, file + ": " + after.error().sentence};
  if (*after == before && request.forget) {
    return Error{Cause::kNotFound, file + " says nothing of " + request.command};
  }
  if (*after != before) {
    if (Result<void> made = MakeFolders(file.substr(0, file.rfind('/'))); !made.ok()) return made.error();
    if (Result<void> wrote = WriteFileAtomically(file, *after); !wrote.ok()) return wrote.error();
  }
  if (!root.empty()) {
    if (Result<void> trusted = TrustProject(root); !trusted.ok()) return trusted.error();
  }
  if (written != nullptr) *written = file;
  const char* what = request.forget ? ": left to the rules" : request.always ? ": always a view" : ": never a view";
  return request.command + what + " (" + file + ")";
}

}  // namespace pith
