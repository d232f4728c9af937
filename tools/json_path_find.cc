// Evaluation goes segment by segment over lists of node indexes. The tape holds a container's descendants in one run,
// so
// ".." is a scan of that run: keys are strings and strings have no children, so they fall out by themselves.
//
// A path such as $..*..* names more nodes than the document has, again and again: steps are counted and bounded.
#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>
#include <variant>

#include "base/utf8.h"
#include "tools/json_path.h"

namespace pith {
namespace {

using Expression = JsonPathExpression;
using Nodes = std::vector<uint32_t>;

constexpr int kDeepestComparison = 256;  // objects and arrays that are nested deeper are never equal

// Nothing, or a value of the document, or one of a literal or a function.
using Value = std::variant<std::monostate, uint32_t, std::string, double, bool, std::nullptr_t>;

class Finder {
 public:
  Finder(const JsonPath& path, const JsonTape& tape) : path_(path), tape_(tape) {}

  Nodes Run(const JsonPathQuery& query, uint32_t start) { return Run(query, start, query.segments.size()); }
  Nodes Run(const JsonPathQuery& query, uint32_t start, size_t segments) {
    Nodes nodes = {start};
    for (size_t at = 0; at < segments && !exhausted(); ++at) nodes = Apply(query.segments[at], nodes);
    return nodes;
  }
  Nodes Apply(const JsonPathSegment& segment, const Nodes& nodes) {
    Nodes found;
    for (uint32_t node : nodes) {
      uint32_t end = segment.descendant ? tape_.node(node).next : node + 1;
      for (uint32_t at = node; at < end && Step(); ++at) {
        if (!tape_.node(at).container()) continue;
        for (const JsonPathSelector& selector : segment.selectors) Select(selector, at, found);
      }
    }
    return found;
  }
  bool exhausted() const { return steps_ >= JsonPath::kMostSteps; }
  bool repeated() const { return repeated_; }  // a name was found more than once in one object

 private:
  bool Step() { return ++steps_ < JsonPath::kMostSteps; }
  bool IsObject(uint32_t node) const { return tape_.node(node).Type() == JsonType::kObject; }

  // Calls visit(value, key or kNoKey, position) for each child until it gives false.
  static constexpr uint32_t kNoKey = UINT32_MAX;
  template <typename Visit>
  void EachChild(uint32_t container, Visit visit) {
    const JsonNode& parent = tape_.node(container);
    bool object = IsObject(container);
    int64_t position = 0;
    for (uint32_t at = container + 1; at < parent.next && Step(); ++position) {
      uint32_t value = object ? at + 1 : at;
      if (!visit(value, object ? at : kNoKey, position)) return;
      at = tape_.node(value).next;
    }
  }

  void Select(const JsonPathSelector& selector, uint32_t container, Nodes& found) {
    switch (selector.type) {
      case JsonPathSelector::Type::kWildcard:
        EachChild(container, [&](uint32_t value, uint32_t, int64_t) { return found.push_back(value), true; });
        return;
      case JsonPathSelector::Type::kFilter:
        EachChild(container, [&](uint32_t value, uint32_t, int64_t) {
          if (IsTrue(selector.filter, value)) found.push_back(value);
          return true;
        });
        return;
      case JsonPathSelector::Type::kName:
        if (IsObject(container)) SelectByName(selector.name, container, found);
        return;
      case JsonPathSelector::Type::kIndex:
      case JsonPathSelector::Type::kSlice:
        if (!IsObject(container)) SelectByPosition(selector, container, found);
        return;
    }
  }

  void SelectByName(const std::string& name, uint32_t object, Nodes& found) {
    const size_t before = found.size();
    EachChild(object, [&](uint32_t value, uint32_t key, int64_t) {
      if (KeyIs(key, name)) found.push_back(value);
      return true;
    });
    repeated_ = repeated_ || found.size() > before + 1;
  }

  void SelectByPosition(const JsonPathSelector& selector, uint32_t array, Nodes& found) {
    int64_t count = tape_.node(array).count;
    auto clamp = [&](int64_t place, int64_t low, int64_t high) {
      return std::clamp(place < 0 ? place + count : place, low, high);
    };
    int64_t first = 0, last = 0, step = 1;  // first <= position < last, every `step`
    if (selector.type == JsonPathSelector::Type::kIndex) {
      first = selector.index < 0 ? selector.index + count : selector.index;
      if (first < 0 || first >= count) return;
      last = first + 1;
    } else if (selector.step > 0) {
      first = clamp(selector.start.value_or(0), 0, count);
      last = clamp(selector.end.value_or(count), 0, count);
      step = selector.step;
    } else if (selector.step < 0) {
      int64_t upper = clamp(selector.start.value_or(count - 1), -1, count - 1);
      int64_t lower = selector.end ? clamp(*selector.end, -1, count - 1) : -1;
      if (upper <= lower) return;
      step = -selector.step;
      first = upper - (upper - lower - 1) / step * step;  // the same positions, upwards
      last = upper + 1;
    } else {
      return;
    }
    size_t before = found.size();
    EachChild(array, [&](uint32_t value, uint32_t, int64_t position) {
      if (position >= last) return false;
      if (position >= first && (position - first) % step == 0) found.push_back(value);
      return true;
    });
    if (selector.step < 0) std::reverse(found.begin() + static_cast<ptrdiff_t>(before), found.end());
  }

  bool KeyIs(uint32_t key, std::string_view name) const {
    std::string_view inner = tape_.Inner(key);
    return inner.find('\\') == std::string_view::npos ? inner == name : DecodeJsonString(inner) == name;
  }

  Nodes NodesOf(const Expression& expression, uint32_t current) {
    const JsonPathQuery& query = path_.queries()[expression.query];
    return Run(query, query.relative ? current : tape_.roots().front());
  }

  bool IsTrue(uint32_t index, uint32_t current) {
    const Expression& expression = path_.expressions()[index];
    auto holds = [&](uint32_t operand) { return IsTrue(operand, current); };
    switch (expression.type) {
      case Expression::Type::kOr:
        return std::any_of(expression.operands.begin(), expression.operands.end(), holds);
      case Expression::Type::kAnd:
        return std::all_of(expression.operands.begin(), expression.operands.end(), holds);
      case Expression::Type::kNot:
        return !IsTrue(expression.operands.front(), current);
      case Expression::Type::kQuery:
        return !NodesOf(expression, current).empty();
      case Expression::Type::kFunction:
        return Matches(expression, current);
      case Expression::Type::kCompare:
        return Compares(expression.comparison, ValueOf(expression.operands[0], current),
                        ValueOf(expression.operands[1], current));
      default:
        return false;
    }
  }

  Value ValueOf(uint32_t index, uint32_t current) {
    const Expression& expression = path_.expressions()[index];
    switch (expression.type) {
      case Expression::Type::kString:
        return expression.text;
      case Expression::Type::kNumber:
        return expression.number;
      case Expression::Type::kTrue:
        return true;
      case Expression::Type::kFalse:
        return false;
      case Expression::Type::kNull:
        return nullptr;
      case Expression::Type::kQuery:
        return Last(NodesOf(expression, current));
      case Expression::Type::kFunction:
        return Call(expression, current);
      default:
        return std::monostate();
    }
  }

  Value Single(const Nodes& nodes) const { return nodes.size() == 1 ? Plain(nodes.front()) : Value(); }

  // Of a query that names one place: more than one node comes of a repeated name alone.
  Value Last(const Nodes& nodes) const { return nodes.empty() ? Value() : Plain(nodes.back()); }

  // Scalars of the document as values of their own; objects and arrays stay nodes.
  Value Plain(uint32_t node) const {
    switch (tape_.node(node).Type()) {
      case JsonType::kString:
        return DecodeJsonString(tape_.Inner(node));
      case JsonType::kNumber:
        return std::strtod(std::string(tape_.Text(node)).c_str(), nullptr);
      case JsonType::kTrue:
        return true;
      case JsonType::kFalse:
        return false;
      case JsonType::kNull:
        return nullptr;
      default:
        return node;
    }
  }

  Value Call(const Expression& call, uint32_t current) {
    using F = Expression::Function;
    uint32_t argument = call.operands.front();
    if (call.function == F::kCount || call.function == F::kValue) {
      Nodes nodes = NodesOf(path_.expressions()[argument], current);
      return call.function == F::kCount ? Value(static_cast<double>(nodes.size())) : Single(nodes);
    }
    if (call.function != F::kLength) return std::monostate();
    Value value = ValueOf(argument, current);
    if (const std::string* text = std::get_if<std::string>(&value)) return static_cast<double>(CountCodePoints(*text));
    if (const uint32_t* node = std::get_if<uint32_t>(&value)) return static_cast<double>(tape_.node(*node).count);
    return std::monostate();
  }

  bool Matches(const Expression& call, uint32_t current) {
    using F = Expression::Function;
    if (call.function != F::kMatch && call.function != F::kSearch) return false;
    Value value = ValueOf(call.operands[0], current);
    const std::string* text = std::get_if<std::string>(&value);
    if (!text) return false;
    bool whole = call.function == F::kMatch;
    if (call.regex) return whole ? RE2::FullMatch(*text, *call.regex) : RE2::PartialMatch(*text, *call.regex);
    Value pattern = ValueOf(call.operands[1], current);
    const std::string* source = std::get_if<std::string>(&pattern);
    if (!source) return false;
    RE2::Options options;
    options.set_log_errors(false);
    RE2 regex(*source, options);
    return regex.ok() && (whole ? RE2::FullMatch(*text, regex) : RE2::PartialMatch(*text, regex));
  }

  bool Compares(Expression::Comparison comparison, const Value& left, const Value& right) {
    using C = Expression::Comparison;
    switch (comparison) {
      case C::kEqual:
        return Equal(left, right);
      case C::kNotEqual:
        return !Equal(left, right);
      case C::kLess:
        return Less(left, right);
      case C::kLessOrEqual:
        return Less(left, right) || Equal(left, right);
      case C::kGreater:
        return Less(right, left);
      case C::kGreaterOrEqual:
        return Less(right, left) || Equal(left, right);
    }
    return false;
  }

  static bool Less(const Value& left, const Value& right) {
    if (const double* number = std::get_if<double>(&left)) {
      const double* other = std::get_if<double>(&right);
      return other && *number < *other;
    }
    const std::string* text = std::get_if<std::string>(&left);
    const std::string* other = std::get_if<std::string>(&right);
    return text && other && *text < *other;  // UTF-8 sorts as its code points do
  }

  bool Equal(const Value& left, const Value& right) {
    const uint32_t* node = std::get_if<uint32_t>(&left);
    const uint32_t* other = std::get_if<uint32_t>(&right);
    return node && other ? EqualNodes(*node, *other, 0) : left == right;
  }

  bool EqualNodes(uint32_t left, uint32_t right, int depth) {
    if (depth > kDeepestComparison || !Step()) return false;
    Value a = Plain(left), b = Plain(right);
    if (!std::holds_alternative<uint32_t>(a) || !std::holds_alternative<uint32_t>(b)) return a == b;
    const JsonNode &first = tape_.node(left), &second = tape_.node(right);
    if (first.type != second.type || first.count != second.count) return false;
    std::vector<std::pair<std::string, uint32_t>> members[2];
    for (int side = 0; side < 2; ++side) {
      EachChild(side ? right : left, [&](uint32_t value, uint32_t key, int64_t) {
        members[side].emplace_back(key == kNoKey ? std::string() : DecodeJsonString(tape_.Inner(key)), value);
        return true;
      });
      if (first.Type() == JsonType::kObject) std::sort(members[side].begin(), members[side].end());
    }
    for (size_t at = 0; at < members[0].size() && at < members[1].size(); ++at) {
      if (members[0][at].first != members[1][at].first) return false;
      if (!EqualNodes(members[0][at].second, members[1][at].second, depth + 1)) return false;
    }
    return members[0].size() == members[1].size();
  }

  const JsonPath& path_;
  const JsonTape& tape_;
  uint64_t steps_ = 0;
  bool repeated_ = false;
};

Error TooMuchWork() {
  return Error{Cause::kTooLarge,
               "json_path would take too many steps on this original; name more of the way to the values"};
}

// Whether ascending nodes stand side by side in one container.
bool AreNeighbours(const JsonTape& tape, const Nodes& nodes, bool object) {
  for (size_t at = 1; at < nodes.size(); ++at) {
    if (tape.node(nodes[at - 1]).next + (object ? 1 : 0) != nodes[at]) return false;
  }
  return true;
}

bool NamesByPlace(const JsonPathSegment& segment) {
  return !segment.descendant &&
         std::none_of(segment.selectors.begin(), segment.selectors.end(),
                      [](const JsonPathSelector& s) { return s.type == JsonPathSelector::Type::kFilter; });
}

}  // namespace

Result<std::vector<uint32_t>> JsonPath::Find(const JsonTape& tape) const {
  Finder finder(*this, tape);
  Nodes nodes = finder.Run(queries_.back(), tape.roots().front());
  if (finder.exhausted()) return TooMuchWork();
  return nodes;
}

Result<std::vector<Span>> JsonPath::Spans(const JsonTape& tape, bool* repeated) const {
  const JsonPathQuery& query = queries_.back();
  Finder finder(*this, tape);
  std::vector<Span> spans;
  size_t last = query.segments.size();
  Nodes parents = finder.Run(query, tape.roots().front(), last == 0 ? 0 : last - 1);
  Nodes nodes = last == 0 ? parents : finder.Apply(query.segments.back(), parents);
  if (finder.exhausted()) return TooMuchWork();
  if (repeated != nullptr) *repeated = finder.repeated();
  if (last > 0 && parents.size() == 1 && nodes.size() > 1 && !finder.repeated() &&
      NamesByPlace(query.segments.back()) &&
      AreNeighbours(tape, nodes, tape.node(parents.front()).Type() == JsonType::kObject)) {
    spans.push_back({tape.node(nodes.front()).begin, tape.node(nodes.back()).end});
    return spans;
  }
  for (uint32_t node : nodes) spans.push_back(tape.node(node).span());
  return spans;
}

}  // namespace pith
