// From a row and a place to bytes: placeholders filled, files found, and the change made in the text or undone in it.
#include "agents/setup.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "agents/quoting.h"

namespace pith {
namespace {

constexpr std::string_view kBlockBegin = "# pith: begin (written by pith install; pith uninstall removes it)\n";
constexpr std::string_view kBlockEnd = "# pith: end\n";

void Fill(std::string& text, std::string_view name, std::string_view with) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + with.size())) {
    text.replace(at, name.size(), with);
  }
}

// The inside of a JSON string (a TOML basic string and a JavaScript one read it as well).
std::string Escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string PrefixScript(const SetupPlace& place) { return place.state + "/bin/claude-shell"; }

std::string ClaudeJson(const SetupPlace& place) {
  return place.claude_folder == place.home + "/.claude" ? place.home + "/.claude.json"
                                                        : place.claude_folder + "/.claude.json";
}

std::string FileOf(const SetupRow& row, const SetupPlace& place) {
  const bool project = !place.project.empty();
  std::string file(project ? row.project_file : row.user_file);
  if (file.empty()) return file;
  Fill(file, "@PREFIX@", PrefixScript(place));
  Fill(file, "@CLAUDE_JSON@", ClaudeJson(place));
  Fill(file, "@CLAUDE@", place.claude_folder);
  if (file.starts_with("~")) file.replace(0, 1, place.home);
  return file.starts_with("/") ? file : place.project + "/" + file;
}

std::string HookCommand(std::string_view host, const SetupPlace& place) {
  std::string command = place.measure ? "PITH_MEASURE_ONLY=1 " : "";
  command += ShellQuoted(place.binary) + " hook " + std::string(host);
  return command + (place.with_mcp ? " --marker mcp" : "");
}

std::string ValueOf(const SetupRow& row, const SetupPlace& place) {
  std::string value(row.value);
  const bool shell = row.value.starts_with("#!");
  Fill(value, "@PITH@", shell ? place.binary : Escaped(place.binary));
  Fill(value, "@HOOK@", Escaped(HookCommand(row.host, place)));
  Fill(value, "@PREFIX@", Escaped(PrefixScript(place)));
  Fill(value, "@MARKER@", place.with_mcp ? "--marker mcp " : "");
  Fill(value, "@HOST@", row.host);
  if (shell && place.measure) Fill(value, "PITH_AGENT=1 exec", "PITH_MEASURE_ONLY=1 PITH_AGENT=1 exec");
  return value;
}

JsonPath PathOf(std::string_view written) {
  JsonPath path;
  while (!written.empty()) {
    const size_t cut = written.find('/');
    path.emplace_back(written.substr(0, cut));
    written = cut == std::string_view::npos ? std::string_view() : written.substr(cut + 1);
  }
  return path;
}

bool IsOurHook(std::string_view element, std::string_view host) {
  return element.find("pith") != std::string_view::npos &&
         element.find(" hook " + std::string(host)) != std::string_view::npos;
}

bool InPath(std::string_view program) {
  const char* path = getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const size_t cut = rest.find(':');
    const std::string candidate = std::string(rest.substr(0, cut)) + "/" + std::string(program);
    if (candidate[0] == '/' && access(candidate.c_str(), X_OK) == 0) return true;
    rest = cut == std::string_view::npos ? std::string_view() : rest.substr(cut + 1);
  }
  return false;
}

// The host's prefix must be one path without blanks, and the script holds the binary in single quotes.
bool PrefixPossible(const SetupPlace& place) {
  return PrefixScript(place).find_first_of(" \t'\"") == std::string::npos &&
         place.binary.find('\'') == std::string::npos;
}

}  // namespace

std::vector<SetupChange> ChangesFor(std::string_view host, const SetupPlace& place) {
  std::vector<SetupChange> changes;
  for (const SetupRow& row : SetupRows()) {
    if (row.host != host) continue;
    if (row.part == SetupPart::kMcp ? !place.with_mcp : !place.with_hooks) continue;
    const bool prefix = row.what.starts_with("shell prefix");
    if (prefix && !PrefixPossible(place)) continue;
    SetupChange change = {&row, FileOf(row, place), PathOf(row.path), ValueOf(row, place)};
    if (host == "claude-code" && row.form == SetupForm::kElement && !PrefixPossible(place)) {
      Fill(change.value, "^(Grep", "^(Bash|Grep");
    }
    if (!change.file.empty()) changes.push_back(std::move(change));
  }
  return changes;
}

Result<std::string> ApplyChange(std::string_view text, const SetupChange& change) {
  switch (change.row->form) {
    case SetupForm::kMember:
      return SetJson(text, change.path, change.value);
    case SetupForm::kElement:
      return AppendJson(text, change.path, change.value);
    case SetupForm::kFile:
      return change.value;
    case SetupForm::kBlock:
      break;
  }
  if (text.find("[mcp_servers.pith]") != std::string_view::npos) {
    return Error{Cause::kInvalid, "[mcp_servers.pith] is there already, not written by pith install"};
  }
  std::string out(text);
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  return out + std::string(kBlockBegin) + change.value + std::string(kBlockEnd);
}

Result<std::string> UndoChange(std::string_view text, const SetupChange& change, std::string_view before) {
  if (change.row->form == SetupForm::kFile) return std::string();
  if (change.row->form == SetupForm::kBlock) {
    const size_t begin = text.find(kBlockBegin);
    const size_t end = begin == std::string_view::npos ? begin : text.find(kBlockEnd, begin);
    if (end == std::string_view::npos) return Error{Cause::kNotFound, "no block of ours"};
    return std::string(text.substr(0, begin)) + std::string(text.substr(end + kBlockEnd.size()));
  }
  Result<std::string> out = Error{Cause::kInternal, ""};
  if (change.row->form == SetupForm::kElement) {
    out = RemoveJsonElements(text, change.path,
                             [&](std::string_view element) { return IsOurHook(element, change.row->host); });
  } else {
    Result<std::optional<std::string>> value = FindJson(text, change.path);
    if (!value.ok()) return value.error();
    const bool ours = *value && ((*value)->find("\"serve\"") != std::string::npos ||
                                 (*value)->find("pith/bin/") != std::string::npos);
    if (!ours) return Error{Cause::kNotFound, "not there, or not ours"};
    out = RemoveJson(text, change.path);
  }
  JsonPath container = change.path;
  if (change.row->form == SetupForm::kMember) container.pop_back();
  const auto was_there = [&] {
    Result<std::optional<std::string>> value = FindJson(before, container);
    return value.ok() && value->has_value();
  };
  while (out.ok() && !container.empty() && IsEmptyJson(*out, container) && !was_there()) {
    out = RemoveJson(*out, container);
    container.pop_back();
  }
  return out;
}

bool HoldsChange(std::string_view text, const SetupChange& change) {
  switch (change.row->form) {
    case SetupForm::kFile:
      return text == change.value;
    case SetupForm::kBlock:
      return text.find(change.value) != std::string_view::npos;
    case SetupForm::kMember:
    case SetupForm::kElement:
      break;
  }
  Result<std::optional<std::string>> value = FindJson(text, change.path);
  if (!value.ok() || !*value) return false;
  if (change.row->form == SetupForm::kElement) return IsOurHook(**value, change.row->host);
  return (*value)->find("pith") != std::string::npos;
}

std::string OtherRewriter(std::string_view text) {
  static constexpr std::array<std::string_view, 7> kNames = {"rtk",      "tokenjuice",   "tinyjuice", "lean-ctx",
                                                             "headroom", "context-mode", "omni"};
  for (std::string_view name : kNames) {
    for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const char before = at == 0 ? ' ' : text[at - 1];
      const char after = at + name.size() < text.size() ? text[at + name.size()] : ' ';
      const bool word = std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_' && before != '-' &&
                        before != '.' && std::isalnum(static_cast<unsigned char>(after)) == 0 && after != '_';
      if (word) return std::string(name);
    }
  }
  return {};
}

bool HostPresent(std::string_view host, const SetupPlace& place) {
  for (const HostSign& sign : HostSigns()) {
    if (sign.host != host) continue;
    std::string folder(sign.folder);
    Fill(folder, "@CLAUDE@", place.claude_folder);
    if (folder.starts_with("~")) folder.replace(0, 1, place.home);
    return access(folder.c_str(), F_OK) == 0 || (!sign.program.empty() && InPath(sign.program));
  }
  return false;
}

std::vector<std::string_view> SetupHosts() {
  std::vector<std::string_view> hosts;
  for (const SetupRow& row : SetupRows()) {
    if (hosts.empty() || hosts.back() != row.host) hosts.push_back(row.host);
  }
  return hosts;
}

}  // namespace pith
