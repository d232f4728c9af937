#include "tools/config_schema.h"

#include <nlohmann/json.hpp>

#include "base/config.h"
#include "base/json_text.h"

namespace pith {
namespace {

OrderedJson OneOf(const char* pattern) {
  return OrderedJson::array(
      {OrderedJson{{"type", "integer"}, {"minimum", 0}}, OrderedJson{{"type", "string"}, {"pattern", pattern}}});
}

OrderedJson PropertyOf(const Setting& setting, const Config& defaults) {
  OrderedJson property = OrderedJson::object();
  switch (setting.type) {
    case SettingType::kFlag:
      property["type"] = "boolean";
      break;
    case SettingType::kNumber:
      property["type"] = "integer";
      property["minimum"] = 0;
      break;
    case SettingType::kBytes:
      property["oneOf"] = OneOf("^[0-9]+ *([KkMmGgTt]?[Ii]?[Bb]?)$");
      break;
    case SettingType::kTime:
      property["oneOf"] = OneOf("^[0-9]+ *[smhdw]?$");
      break;
    case SettingType::kText:
      property["type"] = "string";
      break;
    case SettingType::kChoice: {
      property["type"] = "string";
      std::string_view rest = setting.choices;
      if (setting.otherwise.empty()) property["enum"].push_back("");
      while (!rest.empty()) {
        size_t cut = rest.find('|');
        property["enum"].push_back(std::string(rest.substr(0, cut)));
        rest = cut == std::string_view::npos ? std::string_view() : rest.substr(cut + 1);
      }
      break;
    }
    case SettingType::kList:
      property["type"] = "array";
      property["items"] = {{"type", "string"}};
      break;
    case SettingType::kObject:
      property["type"] = "object";
      break;
  }
  property["default"] = ParseOrderedJson(defaults.JsonOf(setting.key));
  property["description"] = std::string(setting.help) + " Environment: " + std::string(setting.environment) + ".";
  return property;
}

}  // namespace

std::string ConfigSchema() {
  Config defaults = Config::Defaults();
  OrderedJson schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Pith's config.json"}, {"type", "object"}};
  schema["properties"]["$schema"] = {{"type", "string"}};
  for (const Setting& setting : Settings()) {
    if (!setting.secret) schema["properties"][std::string(setting.name)] = PropertyOf(setting, defaults);
  }
  schema["additionalProperties"] = false;
  return JsonText(schema, 2) + "\n";
}

}  // namespace pith
