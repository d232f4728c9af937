// A small validator, because the sentences matter more than the keywords: what a refusal says is read by a model that
// will try again, so it must name the field, show what was given and say what would have been right:
//   `limit` must be an integer from 1 to 500; got "all"
//   unknown argument `lines_from`; allowed: bytes, lines, token
// The schema is compiled into nodes once. Depth is bounded by the schema's own, never by the arguments.
#include "server/schema.h"

#include <cmath>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/json_text.h"
#include "base/utf8.h"

namespace pith::mcp {

struct Schema::Node {
  std::vector<std::string> types;  // empty: any
  std::vector<Json> allowed;       // enum or const
  std::optional<double> minimum, maximum, above, below;
  std::optional<uint64_t> min_length, max_length, min_items, max_items;
  std::vector<std::string> required;
  std::vector<std::pair<std::string, std::shared_ptr<const Node>>> properties;  // in the schema's order
  bool closed = false;                                                          // additionalProperties: false
  std::shared_ptr<const Node> additional, items;

  const Node* Property(std::string_view name) const {
    for (const auto& [property, node] : properties) {
      if (property == name) return node.get();
    }
    return nullptr;
  }
};

namespace {

constexpr size_t kMostRefusals = 5;
constexpr int kDeepestSchema = 32;

// --- compiling ---------------------------------------------------------------------------------------------------

template <typename Number>
bool ReadNumber(const OrderedJson& schema, const char* keyword, std::optional<Number>* into) {
  const auto found = schema.find(keyword);
  if (found == schema.end()) return true;
  if (std::is_integral_v<Number> ? !found->is_number_unsigned() : !found->is_number()) return false;
  *into = found->get<Number>();
  return true;
}

bool ReadStrings(const OrderedJson& value, std::vector<std::string>* into) {
  if (value.is_string()) {
    into->push_back(value.get<std::string>());
    return true;
  }
  if (!value.is_array()) return false;
  for (const OrderedJson& item : value) {
    if (!item.is_string()) return false;
    into->push_back(item.get<std::string>());
  }
  return true;
}

std::shared_ptr<const Schema::Node> CompileNode(const OrderedJson& schema, int depth);

bool ReadSubschemas(const OrderedJson& schema, int depth, Schema::Node* node) {
  if (const auto properties = schema.find("properties"); properties != schema.end()) {
    if (!properties->is_object()) return false;
    for (const auto& [name, property] : properties->items()) {
      auto compiled = CompileNode(property, depth + 1);
      if (!compiled) return false;
      node->properties.emplace_back(name, std::move(compiled));
    }
  }
  if (const auto items = schema.find("items"); items != schema.end()) {
    node->items = CompileNode(*items, depth + 1);
    if (!node->items) return false;
  }
  if (const auto additional = schema.find("additionalProperties"); additional != schema.end()) {
    if (additional->is_boolean()) {
      node->closed = !additional->get<bool>();
    } else {
      node->additional = CompileNode(*additional, depth + 1);
      if (!node->additional) return false;
    }
  }
  return true;
}

std::shared_ptr<const Schema::Node> CompileNode(const OrderedJson& schema, int depth) {
  auto node = std::make_shared<Schema::Node>();
  if (schema.is_boolean()) return node;
  if (!schema.is_object() || depth > kDeepestSchema) return nullptr;
  if (const auto type = schema.find("type"); type != schema.end() && !ReadStrings(*type, &node->types)) return nullptr;
  if (const auto required = schema.find("required");
      required != schema.end() && !ReadStrings(*required, &node->required)) {
    return nullptr;
  }
  if (const auto allowed = schema.find("enum"); allowed != schema.end()) {
    if (!allowed->is_array()) return nullptr;
    for (const OrderedJson& value : *allowed) node->allowed.push_back(pith::ParseJson(Dump(value)));
  }
  if (const auto fixed = schema.find("const"); fixed != schema.end()) {
    node->allowed.assign(1, pith::ParseJson(Dump(*fixed)));
  }
  const bool read =
      ReadNumber(schema, "minimum", &node->minimum) && ReadNumber(schema, "maximum", &node->maximum) &&
      ReadNumber(schema, "exclusiveMinimum", &node->above) && ReadNumber(schema, "exclusiveMaximum", &node->below) &&
      ReadNumber(schema, "minLength", &node->min_length) && ReadNumber(schema, "maxLength", &node->max_length) &&
      ReadNumber(schema, "minItems", &node->min_items) && ReadNumber(schema, "maxItems", &node->max_items) &&
      ReadSubschemas(schema, depth, node.get());
  return read ? node : nullptr;
}

void CollectHeaders(const OrderedJson& schema, std::vector<std::string>* path,
                    std::vector<Schema::HeaderParameter>* into) {
  const auto properties = schema.find("properties");
  if (properties == schema.end() || !properties->is_object() || path->size() > kDeepestSchema) return;
  for (const auto& [name, property] : properties->items()) {
    if (!property.is_object()) continue;
    path->push_back(name);
    const auto header = property.find("x-mcp-header");
    if (header != property.end() && header->is_string()) into->push_back({*path, header->get<std::string>()});
    CollectHeaders(property, path, into);
    path->pop_back();
  }
}

// --- saying what is wrong ------------------------------------------------------------------------------------------

std::string Given(const Json& value) {
  if (value.is_object()) return value.empty() ? "an empty object" : "an object";
  if (value.is_array()) return "an array of " + std::to_string(value.size());
  if (value.is_string() && value.get_ref<const std::string&>().size() > 60) {
    return '"' + Quotable(value.get_ref<const std::string&>(), 40) + "\" (" +
           std::to_string(value.get_ref<const std::string&>().size()) + " bytes)";
  }
  return Dump(value);
}

std::string NumberText(double number) {
  return std::abs(number) < 9e15 && number == std::floor(number) ? std::to_string(static_cast<int64_t>(number))
                                                                 : Dump(Json(number));
}

std::string Joined(const std::vector<std::string>& items, std::string_view last) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? last : ", ";
    text += items[i];
  }
  return text;
}

std::string RangeText(const Schema::Node& node) {
  if (node.minimum && node.maximum) {
    return " from " + NumberText(*node.minimum) + " to " + NumberText(*node.maximum);
  }
  std::vector<std::string> bounds;
  if (node.minimum) bounds.push_back("at least " + NumberText(*node.minimum));
  if (node.above) bounds.push_back("above " + NumberText(*node.above));
  if (node.maximum) bounds.push_back("at most " + NumberText(*node.maximum));
  if (node.below) bounds.push_back("below " + NumberText(*node.below));
  return bounds.empty() ? "" : " " + Joined(bounds, " and ");
}

std::string CountText(std::optional<uint64_t> least, std::optional<uint64_t> most, std::string_view unit) {
  if (!least && !most) return "";
  const std::string units = " " + std::string(unit);
  if (least && most) return " of " + std::to_string(*least) + " to " + std::to_string(*most) + units;
  return (least ? " of at least " + std::to_string(*least) : " of at most " + std::to_string(*most)) + units;
}

// "an integer from 1 to 500", `one of "text", "base64"`.
std::string Expectation(const Schema::Node& node) {
  if (!node.allowed.empty()) {
    std::vector<std::string> values;
    for (const Json& value : node.allowed) values.push_back(Dump(value));
    return values.size() == 1 ? values[0] : "one of " + Joined(values, ", ");
  }
  std::vector<std::string> types;
  for (const std::string& type : node.types) {
    if (type == "integer" || type == "number") {
      types.push_back((type == "integer" ? "an integer" : "a number") + RangeText(node));
    } else if (type == "string") {
      types.push_back("a string" + CountText(node.min_length, node.max_length, "characters"));
    } else if (type == "array") {
      types.push_back("an array" + CountText(node.min_items, node.max_items, "items"));
    } else {
      types.push_back(type == "object" ? "an object" : type == "boolean" ? "true or false" : type);
    }
  }
  return types.empty() ? "of another value" : Joined(types, " or ");
}

// --- checking ------------------------------------------------------------------------------------------------------

bool HasType(const Json& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  return type == "null" && value.is_null();
}

bool WithinBounds(const Json& value, const Schema::Node& node) {
  if (value.is_number()) {
    const double number = value.get<double>();
    return !(node.minimum && number < *node.minimum) && !(node.maximum && number > *node.maximum) &&
           !(node.above && number <= *node.above) && !(node.below && number >= *node.below);
  }
  if (value.is_string() && (node.min_length || node.max_length)) {
    const uint64_t length = CountCodePoints(value.get_ref<const std::string&>());
    return !(node.min_length && length < *node.min_length) && !(node.max_length && length > *node.max_length);
  }
  if (value.is_array()) {
    return !(node.min_items && value.size() < *node.min_items) && !(node.max_items && value.size() > *node.max_items);
  }
  return true;
}

void MakeIntegerWhereDue(const Schema::Node& node, Json* value) {
  if (!value->is_number_float() || node.types.size() != 1 || node.types[0] != "integer") return;
  const double number = value->get<double>();
  if (number == std::floor(number) && std::abs(number) <= 9007199254740992.0) *value = static_cast<int64_t>(number);
}

class Checker {
 public:
  void Visit(const Schema::Node& node, const std::string& path, Json* value) {
    if (refusals.size() >= kMostRefusals) return;
    MakeIntegerWhereDue(node, value);
    bool fits = node.types.empty();
    for (const std::string& type : node.types) fits = fits || HasType(*value, type);
    if (!node.allowed.empty()) {
      bool listed = false;
      for (const Json& allowed : node.allowed) listed = listed || allowed == *value;
      fits = fits && listed;
    }
    if (!fits || !WithinBounds(*value, node)) {
      Say((path.empty() ? "the arguments" : "`" + path + "`") + " must be " + Expectation(node) + "; got " +
          Given(*value));
      return;
    }
    if (value->is_object()) VisitObject(node, path, value);
    if (value->is_array() && node.items) {
      for (size_t i = 0; i < value->size() && refusals.size() < kMostRefusals; ++i) {
        Visit(*node.items, path + '[' + std::to_string(i) + ']', &(*value)[i]);
      }
    }
  }

  std::vector<std::string> refusals;

 private:
  void Say(std::string refusal) {
    if (refusals.size() < kMostRefusals) refusals.push_back(std::move(refusal));
  }

  static std::string Below(const std::string& path, std::string_view name) {
    return (path.empty() ? "" : path + ".") + std::string(name);
  }

  void VisitObject(const Schema::Node& node, const std::string& path, Json* value) {
    for (const std::string& name : node.required) {
      if (value->contains(name)) continue;
      const Schema::Node* property = node.Property(name);
      Say("`" + Below(path, name) + "` is missing" +
          (property != nullptr && !property->types.empty() ? "; it must be " + Expectation(*property) : ""));
    }
    for (const auto& [name, property] : node.properties) {
      const auto member = value->find(name);
      if (member != value->end()) Visit(*property, Below(path, name), &*member);
    }
    if (!node.closed && !node.additional) return;
    for (auto member = value->begin(); member != value->end() && refusals.size() < kMostRefusals; ++member) {
      if (node.Property(member.key()) != nullptr) continue;
      if (node.additional) {
        Visit(*node.additional, Below(path, Quotable(member.key())), &*member);
      } else {
        Say("unknown argument `" + Below(path, Quotable(member.key(), 40)) + "`; " + Allowed(node));
      }
    }
  }

  static std::string Allowed(const Schema::Node& node) {
    if (node.properties.empty()) return "none is allowed";
    std::vector<std::string> names;
    for (const auto& property : node.properties) names.push_back(property.first);
    return "allowed: " + Joined(names, ", ");
  }
};

}  // namespace

Result<Schema> Schema::Compile(std::string_view text) {
  const OrderedJson parsed = ParseOrderedJson(text);
  if (!parsed.is_object()) return Error{Cause::kInvalid, "the schema is not a JSON object"};
  Schema schema;
  schema.root_ = CompileNode(parsed, 0);
  if (!schema.root_) return Error{Cause::kInvalid, "the schema has a keyword of the wrong type"};
  std::vector<std::string> path;
  CollectHeaders(parsed, &path, &schema.header_parameters_);
  return schema;
}

std::vector<std::string> Schema::Check(Json* arguments) const {
  Checker checker;
  checker.Visit(*root_, "", arguments);
  return std::move(checker.refusals);
}

}  // namespace pith::mcp
