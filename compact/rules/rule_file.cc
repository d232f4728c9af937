#include "compact/rules/rule_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_text.h"
#include "base/utf8.h"

namespace pith {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 17> kKinds = {"text",    "log",   "test_run", "build",      "search", "diff",
                                                     "listing", "table", "json",     "json_lines", "yaml",   "xml",
                                                     "code",    "html",  "markdown", "package",    "binary"};
constexpr size_t kMostRules = 5000;

Error Wrong(std::string sentence) { return {Cause::kInvalid, std::move(sentence)}; }

// Fields of one rule, each taken once; what is left over at the end is unknown.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {}

  void Take(const char* key, std::string* into) {
    if (const Json* value = Find(key);
        value != nullptr && value->is_string() && !value->get_ref<const Text&>().empty()) {
      *into = value->get_ref<const Text&>();
    } else if (value != nullptr) {
      Fault(std::string(key) + " must be a text");
    }
  }
  void Take(const char* key, bool* into) {
    if (const Json* value = Find(key); value != nullptr && value->is_boolean()) {
      *into = value->get<bool>();
    } else if (value != nullptr) {
      Fault(std::string(key) + " must be true or false");
    }
  }
  void Take(const char* key, std::vector<std::string>* into) {
    const Json* value = Find(key);
    if (value == nullptr) return;
    const Json list = value->is_array() ? *value : Json::array({*value});
    for (const Json& item : list) {
      if (!item.is_string() || item.get_ref<const Text&>().empty()) {
        return Fault(std::string(key) + " must be a text or a list of texts");
      }
      into->push_back(item.get_ref<const Text&>());
    }
  }
  // {"1": {"means": "no match", "failure": false}}
  void Take(const char* key, std::vector<ExitSpec>* into) {
    const Json* value = Find(key);
    if (value == nullptr) return;
    if (!value->is_object()) return Fault("exits must be an object of exit codes");
    for (const auto& [code, meaning] : value->items()) {
      ExitSpec exit;
      const auto [end, fault] = std::from_chars(code.data(), code.data() + code.size(), exit.code);
      if (fault != std::errc() || end != code.data() + code.size()) return Fault("exit code " + code + " is no number");
      if (!meaning.is_object()) return Fault("exit code " + code + " needs an object with means");
      Fields fields(meaning);
      fields.Take("means", &exit.words);
      fields.Take("failure", &exit.failure);
      if (exit.words.empty()) fields.Fault("means is missing");
      if (std::string wrong = fields.Finish(); !wrong.empty()) return Fault("exit code " + code + ": " + wrong);
      into->push_back(std::move(exit));
    }
  }
  // Null: it is not given.
  const Json* Find(const char* key) {
    known_.push_back(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  void Fault(std::string sentence) {
    if (fault_.empty()) fault_ = std::move(sentence);
  }
  // What is wrong, the first of it; "" if nothing.
  std::string Finish() {
    for (const auto& [key, value] : object_.items()) {
      if (std::find(known_.begin(), known_.end(), key) == known_.end()) Fault("unknown key " + key);
    }
    return fault_;
  }

 private:
  using Text = std::string;

  const Json& object_;
  std::vector<std::string_view> known_;
  std::string fault_;
};

std::string WrongWith(const RuleSpec& rule, std::string_view place) {
  if (rule.id.empty()) return "no id";
  if (rule.programs.empty()) return "no program";
  if (rule.examples.empty()) return "no example";
  if (!rule.kind.empty() && std::find(kKinds.begin(), kKinds.end(), rule.kind) == kKinds.end()) {
    return "no such kind: " + rule.kind;
  }
  if ((rule.exact || rule.sensitive || rule.stream) != !rule.reason.empty()) {
    return "a reason belongs to exact, sensitive and stream, and to nothing else";
  }
  if (!place.empty() && place != "source" && place != "filter") return "place is source or filter";
  if (rule.passes && !rule.filter) return "only a filter passes on";
  return "";
}

Result<RuleSpec> ReadRule(const Json& object) {
  if (!object.is_object()) return Wrong("a rule must be an object");
  RuleSpec rule;
  std::string place;
  Fields fields(object);
  fields.Take("id", &rule.id);
  fields.Take("program", &rule.programs);
  fields.Take("subcommand", &rule.subcommands);
  fields.Take("operand", &rule.operands);
  fields.Take("flag", &rule.flags);
  fields.Take("no_flag", &rule.no_flags);
  fields.Take("operand_holds", &rule.operand_holds);
  fields.Take("place", &place);
  fields.Take("passes", &rule.passes);
  fields.Take("bare", &rule.bare);
  fields.Take("kind", &rule.kind);
  fields.Take("exact", &rule.exact);
  fields.Take("sensitive", &rule.sensitive);
  fields.Take("stream", &rule.stream);
  fields.Take("brief", &rule.brief);
  fields.Take("reason", &rule.reason);
  fields.Take("exits", &rule.exits);
  fields.Take("signals", &rule.signals);
  fields.Take("examples", &rule.examples);
  fields.Take("not", &rule.counter_examples);
  rule.filter = place == "filter";
  std::string wrong = fields.Finish();
  if (wrong.empty()) wrong = WrongWith(rule, place);
  if (!wrong.empty()) return Wrong(ReplaceInvalidUtf8((rule.id.empty() ? "a rule" : rule.id) + ": " + wrong));
  return rule;
}

}  // namespace

Result<RuleFile> ReadRuleFile(std::string_view text) {
  const Json document = ParseJsonWithComments(text);
  if (!document.is_object()) return Wrong("it is not a JSON object");
  RuleFile file;
  std::string about;
  Fields fields(document);
  fields.Take("family", &file.family);
  fields.Take("about", &about);
  fields.Take("$schema", &about);
  const Json* rules = fields.Find("rules");
  if (rules == nullptr || !rules->is_array()) fields.Fault("rules must be a list of rules");
  if (file.family.empty()) fields.Fault("family is missing");
  if (std::string wrong = fields.Finish(); !wrong.empty()) return Wrong(ReplaceInvalidUtf8(wrong));
  if (rules->size() > kMostRules) return Wrong("more than " + std::to_string(kMostRules) + " rules");
  std::set<std::string> ids;
  for (const Json& object : *rules) {
    Result<RuleSpec> rule = ReadRule(object);
    if (!rule.ok()) return rule.error();
    if (!ids.insert(rule->id).second) return Wrong(ReplaceInvalidUtf8(rule->id) + ": the id is taken");
    file.rules.push_back(rule.Take());
  }
  return file;
}

}  // namespace pith
