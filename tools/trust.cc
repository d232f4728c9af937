#include "tools/trust.h"

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/json_text.h"
#include "base/sha256.h"
#include "compact/rules/rule_file.h"
#include "tools/name_space.h"

namespace pith {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMaxTrustFile = 1u << 20;

// "" without a home.
std::string TrustList() {
  const std::string folder = ConfigFolder();
  return folder.empty() ? folder : folder + "/trusted.json";
}

std::map<std::string, std::string> ReadList() {
  std::map<std::string, std::string> list;
  Result<std::string> text = ReadRegularFile(TrustList(), kMaxTrustFile);
  if (!text.ok()) return list;
  const Json document = ParseJson(*text);
  if (!document.is_object()) return list;
  for (const auto& [folder, hash] : document.items()) {
    if (hash.is_string()) list[PathFromText(folder)] = hash;
  }
  return list;
}

Result<void> WriteList(const std::map<std::string, std::string>& list) {
  std::map<std::string, std::string> written;
  for (const auto& [folder, hash] : list) written[PathAsText(folder)] = hash;
  const std::string path = TrustList();
  if (path.empty()) return Error{Cause::kIo, "HOME is not set to a folder: there is no place for what is trusted"};
  if (Result<void> made = MakeFolders(path.substr(0, path.rfind('/'))); !made.ok()) return made;
  return WriteFileAtomically(path, JsonText(Json(written), 2) + "\n");
}

Result<void> TakeList(const Json& value, const std::string& key, std::vector<std::string>& into) {
  if (!value.is_array()) return Error{Cause::kInvalid, key + " must be a list of commands"};
  for (const Json& item : value) {
    if (!item.is_string()) return Error{Cause::kInvalid, key + " must be a list of commands"};
    into.push_back(item);
  }
  return {};
}

Result<ProjectRules> ParseRules(const std::string& text) {
  ProjectRules rules;
  const Json document = ParseJson(text);
  if (!document.is_object()) return Error{Cause::kInvalid, "it is not a JSON object"};
  for (const auto& [key, value] : document.items()) {
    if (key == "rules") {
      rules.rule_file = JsonText(Json{{"family", "project"}, {"rules", value}});
      if (Result<RuleFile> read = ReadRuleFile(rules.rule_file); !read.ok()) return read.error();
      continue;
    }
    if (key != "include" && key != "exclude")
      return Error{Cause::kInvalid, "unknown key " + key + "; include, exclude and rules are known"};
    if (Result<void> taken = TakeList(value, key, key == "include" ? rules.include : rules.exclude); !taken.ok()) {
      return taken.error();
    }
  }
  return rules;
}

std::string FileOf(const std::string& root) { return root + "/" + std::string(kProjectFile); }

}  // namespace

ProjectRules ReadProjectRules(const std::string& folder, std::string* notice) {
  const std::string root = NamespaceOf(folder);
  if (root.empty()) return {};  // the working folder is gone
  Result<std::string> text = ReadRegularFile(FileOf(root), kMaxTrustFile);
  if (!text.ok()) return {};
  const std::map<std::string, std::string> list = ReadList();
  const auto found = list.find(root);
  if (found == list.end() || found->second != HexOf(Sha256Of(*text))) {
    *notice = FileOf(root) + (found == list.end() ? " is not trusted" : " has changed since it was trusted") +
              "; see `pith trust`";
    return {};
  }
  Result<ProjectRules> rules = ParseRules(*text);
  if (rules.ok()) return rules.Take();
  *notice = FileOf(root) + ": " + rules.error().sentence;
  return {};
}

const ThisProject& TheProject() {
  static const ThisProject& project = *[] {
    auto read = std::make_unique<ThisProject>();
    read->rules = ReadProjectRules(WorkingFolder(), &read->notice);
    return read.release();
  }();
  return project;
}

std::vector<Trusted> TrustedFolders() {
  std::vector<Trusted> trusted;
  for (const auto& [folder, hash] : ReadList()) trusted.push_back({folder, hash});
  return trusted;
}

Result<void> TrustProject(const std::string& folder) {
  const std::string root = NamespaceOf(folder);
  if (root.empty()) return Error{Cause::kIo, "the working folder is gone: there is nothing to trust"};
  Result<std::string> text = ReadRegularFile(FileOf(root), kMaxTrustFile);
  if (!text.ok()) return text.error();
  if (Result<ProjectRules> rules = ParseRules(*text); !rules.ok()) {
    return Error{rules.error().cause, FileOf(root) + ": " + rules.error().sentence};
  }
  std::map<std::string, std::string> list = ReadList();
  list[root] = HexOf(Sha256Of(*text));
  return WriteList(list);
}

Result<void> RevokeTrust(const std::string& folder) {
  std::map<std::string, std::string> list = ReadList();
  if (list.erase(NamespaceOf(folder)) == 0) return Error{Cause::kNotFound, folder + " was not trusted"};
  return WriteList(list);
}

}  // namespace pith
