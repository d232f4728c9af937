// JSONPath (RFC 9535) over a JsonTape: names, wildcards, indexes, slices, descendants, filters with comparisons, logic
// and the five standard functions. What it finds are nodes of the tape, so every result has its place in the original.
//
// A path's length and the work of evaluating it are bounded; no recursion follows the document's depth. Numbers compare
// as doubles.
//
// A name that an object repeats (RFC 8259 leaves open what that means) names all of its members, in the order of the
// text, each a value of its own: nothing of the original can be hidden by a twin. In a comparison it stands for the
// last, as most readers of JSON have it.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compact/json/tape.h"

namespace re2 {
class RE2;
}

namespace pith {

struct JsonPathSelector {
  enum class Type : uint8_t { kName, kWildcard, kIndex, kSlice, kFilter };
  Type type = Type::kName;
  std::string name;                   // kName, decoded
  int64_t index = 0;                  // kIndex
  std::optional<int64_t> start, end;  // kSlice
  int64_t step = 1;                   // kSlice
  uint32_t filter = 0;                // kFilter: its expression in JsonPath::expressions
};

struct JsonPathSegment {
  bool descendant = false;
  std::vector<JsonPathSelector> selectors;
};

struct JsonPathQuery {
  bool relative = false;  // starts at @
  std::vector<JsonPathSegment> segments;
  // At most one node, whatever the document: names and indexes only.
  bool singular() const;
};

// Part of a filter. Operands are indexes into JsonPath::expressions.
struct JsonPathExpression {
  enum class Type : uint8_t { kOr, kAnd, kNot, kCompare, kQuery, kFunction, kString, kNumber, kTrue, kFalse, kNull };
  enum class Comparison : uint8_t { kEqual, kNotEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };
  enum class Function : uint8_t { kLength, kCount, kMatch, kSearch, kValue };
  Type type = Type::kNull;
  Comparison comparison = Comparison::kEqual;
  Function function = Function::kLength;
  std::vector<uint32_t> operands = {};
  uint32_t query = 0;                          // kQuery: index into JsonPath::queries
  std::string text = {};                       // kString, decoded
  double number = 0;                           // kNumber
  std::shared_ptr<const re2::RE2> regex = {};  // kMatch, kSearch with a literal pattern, compiled once
};

class JsonPath {
 public:
  static constexpr size_t kLongest = 4096;  // bytes of a path

  // Errors: kInvalid, with the place and what was expected there.
  static Result<JsonPath> Parse(std::string_view text);

  // The nodes that the path names, from the root `tape.roots()[0]`. Errors: kTooLarge when it would take more than
  // kMostSteps steps.
  static constexpr uint64_t kMostSteps = 50'000'000;
  Result<std::vector<uint32_t>> Find(const JsonTape& tape) const;

  // The places that the path names in the original. Where it names neighbours in one container (by names, indexes,
  // slices or a wildcard, under one parent) that is one span, from the first byte of the first to the last byte of the
  // last, with what stands between them: so that the address of a gap gives just the bytes of the gap. Else one span a
  // node: also where a name of the path is repeated in an object, of which each member counts (`repeated` gets true).
  Result<std::vector<Span>> Spans(const JsonTape& tape, bool* repeated = nullptr) const;

  const std::vector<JsonPathQuery>& queries() const { return queries_; }
  const std::vector<JsonPathExpression>& expressions() const { return expressions_; }

 private:
  friend class JsonPathParser;
  std::vector<JsonPathQuery> queries_;  // the last one is the path itself
  std::vector<JsonPathExpression> expressions_;
};

// The value of a JSON string from the bytes between its quotes. Lone surrogates become U+FFFD.
std::string DecodeJsonString(std::string_view inner);

}  // namespace pith
