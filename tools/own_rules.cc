#include "tools/own_rules.h"

#include <dirent.h>

#include <algorithm>
#include <memory>

#include "base/config.h"
#include "base/files.h"
#include "tools/name_space.h"
#include "tools/trust.h"

namespace pith {
namespace {

constexpr uint64_t kMaxRuleFile = 1u << 20;

std::vector<std::string> RuleFilesIn(const std::string& folder) {
  std::vector<std::string> files;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  if (!open) return files;
  while (const dirent* entry = readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name.ends_with(".json") && !name.starts_with(".")) files.push_back(folder + "/" + std::string(name));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

void OwnRules::Add(std::string path, std::string_view text) {
  Result<RuleFile> read = ReadRuleFile(text);
  if (!read.ok()) {
    files.push_back({std::move(path), 0, read.error().sentence});
    return;
  }
  files.push_back({std::move(path), read->rules.size(), ""});
  book.Add(read.Take());
  rows_ = book.table();
}

const OwnRules& TheOwnRules() {
  static const OwnRules& rules = *[] {
    auto made = std::make_unique<OwnRules>();
    const std::string folder = ConfigFolder();  // "" without a home
    for (const std::string& path : folder.empty() ? std::vector<std::string>() : RuleFilesIn(folder + "/rules")) {
      Result<std::string> text = ReadRegularFile(path, kMaxRuleFile);
      if (text.ok()) {
        made->Add(path, *text);
      } else {
        made->files.push_back({path, 0, text.error().sentence});
      }
    }
    if (const std::string& of_project = TheProject().rules.rule_file; !of_project.empty()) {
      made->Add(NamespaceOf(WorkingFolder()) + "/" + std::string(kProjectFile), of_project);
    }
    return made.release();  // commands point into it until the process ends
  }();
  return rules;
}

}  // namespace pith
