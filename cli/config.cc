#include "base/config.h"

#include <cstdio>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"
#include "tools/config_schema.h"
#include "tools/view_json.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"NAME", "", "print the value of this setting alone"},
    {"--list", "", "print every setting with its type, default, environment name and meaning"},
    {"--schema", "", "print the JSON Schema of config.json"},
    kJsonRow,
};

std::string_view TypeName(SettingType type) {
  switch (type) {
    case SettingType::kFlag:
      return "true|false";
    case SettingType::kNumber:
      return "number";
    case SettingType::kBytes:
      return "bytes";
    case SettingType::kTime:
      return "time";
    case SettingType::kText:
      return "text";
    case SettingType::kChoice:
      return "";
    case SettingType::kList:
      return "list";
    case SettingType::kObject:
      return "object";
  }
  return "";
}

std::string_view TypeOf(const Setting& setting) {
  return setting.type == SettingType::kChoice ? setting.choices : TypeName(setting.type);
}

std::string ListJson() {
  std::string array = "[";
  for (const Setting& setting : Settings()) {
    array += array.back() == '[' ? "{" : ",{";
    for (const auto& [key, value] :
         {std::pair{"name", setting.name}, std::pair{"type", TypeOf(setting)}, std::pair{"default", setting.otherwise},
          std::pair{"environment", setting.environment}, std::pair{"help", setting.help}}) {
      array += (array.back() == '{' ? "\"" : ",\"") + std::string(key) + "\":";
      AppendJsonString(array, value);
    }
    array += '}';
  }
  return array + "]\n";
}

std::string ListText() {
  std::string text;
  for (const Setting& setting : Settings()) {
    text += std::string(setting.name) + "  (" + std::string(TypeOf(setting)) + ", default " +
            (setting.otherwise.empty() ? "none" : std::string(setting.otherwise)) + ", " +
            std::string(setting.environment) + ")\n    " + std::string(setting.help) + "\n";
  }
  return text;
}

std::string ValueText(const Config& config, const Setting& setting) {
  if (setting.secret) return config.OriginOf(setting.key) == Origin::kDefault ? "" : "(set, not shown)";
  std::string text;
  if (setting.type != SettingType::kList) return config.Text(setting.key);
  for (const std::string& item : config.List(setting.key)) text += (text.empty() ? "" : ",") + item;
  return text;
}

std::string AllText(const Config& config) {
  std::string text;
  for (const Setting& setting : Settings()) {
    char line[96];
    snprintf(line, sizeof line, "%-16s %-11s ", std::string(setting.name).c_str(),
             std::string(OriginName(config.OriginOf(setting.key))).c_str());
    text += line + ValueText(config, setting) + "\n";
  }
  return text;
}

std::string AllJson(const Config& config) {
  std::string object = "{\"file\":";
  AppendJsonString(object, config.file());
  object += ",\"settings\":{";
  for (const Setting& setting : Settings()) {
    if (object.back() != '{') object += ',';
    object += "\"" + std::string(setting.name) + "\":{\"value\":" + config.JsonOf(setting.key) + ",\"from\":\"" +
              std::string(OriginName(config.OriginOf(setting.key))) + "\"}";
  }
  return object + "}}\n";
}

int PrintOne(const Config& config, std::string_view name, bool json) {
  std::vector<std::string_view> known;
  for (const Setting& setting : Settings()) {
    known.push_back(setting.name);
    if (setting.name != name) continue;
    return Print((json ? config.JsonOf(setting.key) : ValueText(config, setting)) + "\n");
  }
  std::string nearest = NearestName(name, known);
  Complain("unknown setting \"" + std::string(name) + "\"" +
           (nearest.empty() ? "; `pith config --list` names all" : "; did you mean \"" + nearest + "\"?"));
  return kWrongUse;
}

int Run(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.Has("--list")) return Print(arguments.Has("--json") ? ListJson() : ListText());
  if (arguments.Has("--schema")) return Print(ConfigSchema());
  Result<Config> config = Config::Read();
  if (!config.ok()) {
    Complain(config.error().sentence);
    return kWrongUse;
  }
  bool json = arguments.Has("--json");
  if (auto name = arguments.Text("NAME")) return PrintOne(*config, *name, json);
  return Print(json ? AllJson(*config) : "file: " + config->file() + "\n" + AllText(*config));
}

}  // namespace

extern const CommandRow kConfig;
const CommandRow kConfig = {"config",
                            "[NAME] [OPTIONS]",
                            "print the configuration and where each value comes from",
                            "Flags win over PITH_* variables, those over ~/.config/pith/config.json, that over "
                            "defaults. The file is a JSON object; "
                            "an unknown key is refused. PITH_CONFIG names another file.",
                            kOptions,
                            &Run};

}  // namespace pith::cli
