// The contract's configuration object, in its own camel case.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "agents/dsh.h"
#include "base/json_text.h"

namespace pith {
namespace {

using Json = nlohmann::json;

Error Bad(const std::string& key, const char* want) { return {Cause::kInvalid, "dsh: " + key + " must be " + want}; }

Result<void> TakeNames(const Json& value, const std::string& key, std::vector<std::string>& into) {
  if (!value.is_array()) return Bad(key, "a list of names");
  std::vector<std::string> names;
  for (const Json& item : value) {
    if (!item.is_string() || item.get<std::string>().empty()) return Bad(key, "a list of names");
    names.push_back(item);
  }
  into = std::move(names);
  return {};
}

Result<void> TakeNumber(const Json& value, const std::string& key, uint64_t least, uint64_t& into) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() < least) {
    return Error{Cause::kInvalid, "dsh: " + key + " must be a whole number of at least " + std::to_string(least)};
  }
  into = value;
  return {};
}

Result<void> TakeFlag(const Json& value, const std::string& key, bool& into) {
  if (!value.is_boolean()) return Bad(key, "true or false");
  into = value;
  return {};
}

Result<void> TakeText(const Json& value, const std::string& key, std::string& into) {
  if (!value.is_string()) return Bad(key, "a text");
  into = value;
  return {};
}

// Those given are merged over the defaults.
Result<void> TakeMultipliers(const Json& value, DshFields& fields) {
  if (!value.is_object()) return Bad("multipliers", "an object");
  for (const auto& [type, number] : value.items()) {
    if (!number.is_number() || !std::isfinite(number.get<double>()) || number.get<double>() <= 0) {
      return Bad("multipliers." + type, "a number above 0");
    }
    fields.multipliers[type] = number;
  }
  return {};
}

Result<void> Take(const std::string& key, const Json& value, DshFields& fields) {
  if (key == "targets") return TakeNames(value, key, fields.targets);
  if (key == "exempt") return TakeNames(value, key, fields.exempt);
  if (key == "multipliers") return TakeMultipliers(value, fields);
  const std::pair<const char*, bool*> flags[] = {{"compressFailures", &fields.compress_failures},
                                                 {"autoExpand", &fields.auto_expand},
                                                 {"contextEngine", &fields.context_engine},
                                                 {"log", &fields.log}};
  for (const auto& [name, into] : flags) {
    if (key == name) return TakeFlag(value, key, *into);
  }
  struct NumberField {
    const char* name;
    uint64_t least;
    uint64_t* into;
  };
  const NumberField numbers[] = {{"inlineThresholdBytes", 0, &fields.inline_threshold_bytes},
                                 {"thresholdBytes", 0, &fields.threshold_bytes},
                                 {"autoExpandLimitBytes", 0, &fields.auto_expand_limit_bytes},
                                 {"previewMaxChars", 16, &fields.preview_max_chars},
                                 {"ttlSeconds", 1, &fields.ttl_seconds},
                                 {"storeBudgetBytes", 1, &fields.store_budget_bytes}};
  for (const NumberField& number : numbers) {
    if (key == number.name) return TakeNumber(value, key, number.least, *number.into);
  }
  if (key == "journalPath") return TakeText(value, key, fields.journal_path);
  if (key == "logFile") return TakeText(value, key, fields.log_file);
  return Error{Cause::kInvalid, "dsh: unknown field " + key};
}

}  // namespace

Result<DshFields> DshFieldsFrom(std::string_view json) {
  DshFields fields;
  const Json document = ParseJson(json);
  if (!document.is_object()) return Error{Cause::kInvalid, "dsh: the fields are a JSON object"};
  for (const auto& [key, value] : document.items()) {
    if (Result<void> taken = Take(key, value, fields); !taken.ok()) return taken.error();
  }
  return fields;
}

}  // namespace pith
