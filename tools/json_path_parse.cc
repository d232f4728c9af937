// The grammar of RFC 9535 as a recursive descent. It recurses on parentheses and nested filters of the path, which is
// bounded in length and depth, never on the document.
#include <re2/re2.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "base/utf8.h"
#include "tools/json_path.h"

namespace pith {
namespace {

using Expression = JsonPathExpression;

constexpr int kDeepest = 64;
constexpr int64_t kLargestIndex = (int64_t{1} << 53) - 1;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool StartsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

struct FunctionRow {
  std::string_view name;
  Expression::Function function;
  size_t arguments;
  bool gives_value;  // may be compared; else it is a test
};
constexpr std::array<FunctionRow, 5> kFunctions = {{{"length", Expression::Function::kLength, 1, true},
                                                    {"count", Expression::Function::kCount, 1, true},
                                                    {"match", Expression::Function::kMatch, 2, false},
                                                    {"search", Expression::Function::kSearch, 2, false},
                                                    {"value", Expression::Function::kValue, 1, true}}};

void AppendUtf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

std::optional<uint32_t> FourHex(std::string_view text, size_t at) {
  if (at + 4 > text.size()) return std::nullopt;
  uint32_t value = 0;
  for (char c : text.substr(at, 4)) {
    uint32_t digit = IsDigit(c)             ? static_cast<uint32_t>(c - '0')
                     : c >= 'a' && c <= 'f' ? static_cast<uint32_t>(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? static_cast<uint32_t>(c - 'A' + 10)
                                            : 16;
    if (digit == 16) return std::nullopt;
    value = value << 4 | digit;
  }
  return value;
}

// One escape after its backslash at text[at]; moves `at` behind it. False for an escape that JSON does not have.
bool TakeEscape(std::string_view text, size_t& at, std::string& out) {
  constexpr std::string_view kFrom = "bfnrt/\\\"'";
  constexpr std::string_view kTo = "\b\f\n\r\t/\\\"'";
  if (at >= text.size()) return false;
  char c = text[at++];
  if (size_t known = kFrom.find(c); known != std::string_view::npos) {
    out += kTo[known];
    return true;
  }
  if (c != 'u') return false;
  std::optional<uint32_t> code = FourHex(text, at);
  if (!code) return false;
  at += 4;
  if (*code >= 0xD800 && *code < 0xDC00 && text.substr(at, 2) == "\\u") {
    std::optional<uint32_t> low = FourHex(text, at + 2);
    if (low && *low >= 0xDC00 && *low < 0xE000) {
      at += 6;
      AppendUtf8(out, 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00));
      return true;
    }
  }
  AppendUtf8(out, *code >= 0xD800 && *code < 0xE000 ? 0xFFFD : *code);
  return true;
}

}  // namespace

std::string DecodeJsonString(std::string_view inner) {
  std::string out;
  for (size_t at = 0; at < inner.size();) {
    if (inner[at] != '\\') {
      out += inner[at++];
    } else {
      ++at;
      if (!TakeEscape(inner, at, out)) out += "\xEF\xBF\xBD";
    }
  }
  return out;
}

bool JsonPathQuery::singular() const {
  for (const JsonPathSegment& segment : segments) {
    if (segment.descendant || segment.selectors.size() != 1) return false;
    JsonPathSelector::Type type = segment.selectors.front().type;
    if (type != JsonPathSelector::Type::kName && type != JsonPathSelector::Type::kIndex) return false;
  }
  return true;
}

class JsonPathParser {
 public:
  explicit JsonPathParser(std::string_view text) : text_(text) {}

  Result<JsonPath> Parse() {
    if (text_.size() > JsonPath::kLongest) return Error{Cause::kTooLarge, "json_path is longer than 4,096 bytes"};
    JsonPathQuery query;
    if (!Take("$")) Expect("\"$\"");
    ParseSegments(query);
    if (failure_.empty() && at_ < text_.size()) Expect("the end");
    if (!failure_.empty()) return Error{Cause::kInvalid, failure_};
    path_.queries_.push_back(std::move(query));
    return std::move(path_);
  }

 private:
  bool failed() const { return !failure_.empty(); }
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Take(std::string_view wanted) {
    if (text_.substr(at_, wanted.size()) != wanted) return false;
    at_ += wanted.size();
    return true;
  }
  void SkipBlanks() { at_ = SkipJsonBlanks(text_, at_); }
  void Expect(std::string_view wanted) {
    if (failed()) return;
    std::string found = at_ < text_.size() ? "\"" + ReplaceInvalidUtf8(text_.substr(at_, 12)) + "\"" : "the end";
    failure_ = "json_path is not valid: at byte " + std::to_string(at_) + " there should be " + std::string(wanted) +
               ", not " + found;
  }

  void ParseSegments(JsonPathQuery& query) {
    while (!failed()) {
      size_t before = at_;
      SkipBlanks();
      JsonPathSegment segment;
      if (Take("..")) {
        segment.descendant = true;
        if (Peek() == '[')
          ParseBracket(segment);
        else
          ParseShorthand(segment);
      } else if (Take(".")) {
        ParseShorthand(segment);
      } else if (Peek() == '[') {
        ParseBracket(segment);
      } else {
        at_ = before;
        return;
      }
      query.segments.push_back(std::move(segment));
    }
  }

  void ParseShorthand(JsonPathSegment& segment) {
    JsonPathSelector selector;
    if (Take("*")) {
      selector.type = JsonPathSelector::Type::kWildcard;
    } else if (StartsName(Peek())) {
      size_t begin = at_;
      while (at_ < text_.size() && (StartsName(text_[at_]) || IsDigit(text_[at_]))) ++at_;
      selector.name = text_.substr(begin, at_ - begin);
    } else {
      return Expect("a name, \"*\" or \"[\"");
    }
    segment.selectors.push_back(std::move(selector));
  }

  void ParseBracket(JsonPathSegment& segment) {
    Take("[");
    do {
      SkipBlanks();
      segment.selectors.push_back(ParseSelector());
      SkipBlanks();
    } while (!failed() && Take(","));
    if (!failed() && !Take("]")) Expect("\"]\" or \",\"");
  }

  JsonPathSelector ParseSelector() {
    JsonPathSelector selector;
    char c = Peek();
    if (c == '\'' || c == '"') {
      selector.name = ParseString();
    } else if (Take("*")) {
      selector.type = JsonPathSelector::Type::kWildcard;
    } else if (Take("?")) {
      selector.type = JsonPathSelector::Type::kFilter;
      SkipBlanks();
      selector.filter = ParseOr(0);
    } else if (c == ':' || c == '-' || IsDigit(c)) {
      ParseIndexOrSlice(selector);
    } else {
      Expect("a quoted name, an index, a slice, \"*\" or \"?\"");
    }
    return selector;
  }

  void ParseIndexOrSlice(JsonPathSelector& selector) {
    std::optional<int64_t> first;
    if (Peek() != ':') first = ParseInteger();
    size_t before = at_;
    SkipBlanks();
    if (failed()) return;
    if (!Take(":")) {
      at_ = before;
      selector.type = JsonPathSelector::Type::kIndex;
      selector.index = first.value_or(0);
      return;
    }
    selector.type = JsonPathSelector::Type::kSlice;
    selector.start = first;
    SkipBlanks();
    if (Peek() == '-' || IsDigit(Peek())) selector.end = ParseInteger();
    SkipBlanks();
    if (Take(":")) {
      SkipBlanks();
      if (Peek() == '-' || IsDigit(Peek())) selector.step = ParseInteger();
    }
  }

  int64_t ParseInteger() {
    size_t begin = at_;
    Take("-");
    while (IsDigit(Peek())) ++at_;
    std::string digits(text_.substr(begin, at_ - begin));
    std::string_view bare = std::string_view(digits).substr(digits.starts_with('-') ? 1 : 0);
    bool padded = bare.size() > 1 && bare.front() == '0';
    if (bare.empty() || padded || digits == "-0" || bare.size() > 16) {
      at_ = begin;
      Expect("a whole number");
      return 0;
    }
    int64_t value = std::strtoll(digits.c_str(), nullptr, 10);
    if (value > kLargestIndex || value < -kLargestIndex) {
      at_ = begin;
      Expect("a whole number of at most 2^53-1");
    }
    return value;
  }

  std::string ParseString() {
    char quote = text_[at_++];
    std::string out;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] != '\\') {
        out += text_[at_++];
        continue;
      }
      ++at_;
      if (!TakeEscape(text_, at_, out)) {
        Expect("an escape that JSON has");
        return out;
      }
    }
    if (!Take(std::string_view(&quote, 1))) Expect("a closing quote");
    return out;
  }

  uint32_t Add(Expression expression) {
    path_.expressions_.push_back(std::move(expression));
    return static_cast<uint32_t>(path_.expressions_.size() - 1);
  }

  uint32_t ParseOr(int depth) {
    Expression either{Expression::Type::kOr};
    do {
      either.operands.push_back(ParseAnd(depth));
      SkipBlanks();
    } while (!failed() && Take("||"));
    return either.operands.size() == 1 ? either.operands.front() : Add(std::move(either));
  }

  uint32_t ParseAnd(int depth) {
    Expression both{Expression::Type::kAnd};
    do {
      SkipBlanks();
      both.operands.push_back(ParseBasic(depth));
      SkipBlanks();
    } while (!failed() && Take("&&"));
    return both.operands.size() == 1 ? both.operands.front() : Add(std::move(both));
  }

  uint32_t ParseBasic(int depth) {
    if (depth > kDeepest) {
      Expect("fewer nested parentheses");
      return 0;
    }
    if (Peek() == '!' && text_.substr(at_, 2) != "!=") {
      Take("!");
      SkipBlanks();
      Expression negation{Expression::Type::kNot};
      negation.operands.push_back(Peek() == '(' ? ParseParentheses(depth) : ParseTest(depth));
      return Add(std::move(negation));
    }
    if (Peek() == '(') return ParseParentheses(depth);
    return ParseComparisonOrTest(depth);
  }

  uint32_t ParseParentheses(int depth) {
    Take("(");
    SkipBlanks();
    uint32_t inner = ParseOr(depth + 1);
    SkipBlanks();
    if (!failed() && !Take(")")) Expect("\")\"");
    return inner;
  }

  // A query or a function that is true or false by itself.
  uint32_t ParseTest(int depth) {
    uint32_t operand = ParseOperand(depth);
    CheckIsTest(operand);
    return operand;
  }

  uint32_t ParseComparisonOrTest(int depth) {
    using C = Expression::Comparison;
    constexpr std::array<std::pair<std::string_view, C>, 6> kComparisons = {{{"==", C::kEqual},
                                                                             {"!=", C::kNotEqual},
                                                                             {"<=", C::kLessOrEqual},
                                                                             {">=", C::kGreaterOrEqual},
                                                                             {"<", C::kLess},
                                                                             {">", C::kGreater}}};
    uint32_t left = ParseOperand(depth);
    if (failed()) return left;
    size_t before = at_;
    SkipBlanks();
    for (const auto& [sign, comparison] : kComparisons) {
      if (!Take(sign)) continue;
      SkipBlanks();
      uint32_t right = ParseOperand(depth);
      CheckIsComparable(left);
      CheckIsComparable(right);
      Expression compare{Expression::Type::kCompare};
      compare.comparison = comparison;
      compare.operands = {left, right};
      return Add(std::move(compare));
    }
    at_ = before;
    CheckIsTest(left);
    return left;
  }

  void CheckIsTest(uint32_t operand) {
    if (failed()) return;
    const Expression& expression = path_.expressions_[operand];
    bool test = expression.type == Expression::Type::kQuery ||
                (expression.type == Expression::Type::kFunction && !kFunctions[RowOf(expression)].gives_value);
    if (!test) Expect("a comparison (==, !=, <, <=, >, >=)");
  }
  void CheckIsComparable(uint32_t operand) {
    if (failed()) return;
    const Expression& expression = path_.expressions_[operand];
    if (expression.type == Expression::Type::kQuery && !path_.queries_[expression.query].singular()) {
      failure_ = "json_path is not valid: a comparison takes a path of names and indexes only, which names one value";
    } else if (expression.type == Expression::Type::kFunction && !kFunctions[RowOf(expression)].gives_value) {
      failure_ = "json_path is not valid: match() and search() are tests and cannot be compared";
    }
  }
  static size_t RowOf(const Expression& expression) { return static_cast<size_t>(expression.function); }

  uint32_t ParseOperand(int depth) {
    Expression literal;
    char c = Peek();
    if (c == '@' || c == '$') {
      ++at_;
      JsonPathQuery query;
      query.relative = c == '@';
      if (depth > kDeepest)
        Expect("fewer nested filters");
      else
        ParseSegments(query);
      literal.type = Expression::Type::kQuery;
      path_.queries_.push_back(std::move(query));
      literal.query = static_cast<uint32_t>(path_.queries_.size() - 1);
    } else if (c == '\'' || c == '"') {
      literal.type = Expression::Type::kString;
      literal.text = ParseString();
    } else if (c == '-' || IsDigit(c)) {
      literal.type = Expression::Type::kNumber;
      literal.number = ParseNumber();
    } else if (TakeWord("true")) {
      literal.type = Expression::Type::kTrue;
    } else if (TakeWord("false")) {
      literal.type = Expression::Type::kFalse;
    } else if (TakeWord("null")) {
      literal.type = Expression::Type::kNull;
    } else {
      return ParseFunction(depth);
    }
    return Add(std::move(literal));
  }

  bool TakeWord(std::string_view word) {
    size_t after = at_ + word.size();
    if (after < text_.size() && (StartsName(text_[after]) || IsDigit(text_[after]) || text_[after] == '('))
      return false;
    return Take(word);
  }

  double ParseNumber() {
    size_t length = JsonTokenLength(text_, at_);
    if (length == 0) {
      Expect("a number");
      return 0;
    }
    std::string digits(text_.substr(at_, length));
    at_ += length;
    return std::strtod(digits.c_str(), nullptr);
  }

  uint32_t ParseFunction(int depth) {
    for (const FunctionRow& row : kFunctions) {
      std::string opening = std::string(row.name) + "(";
      if (!Take(opening)) continue;
      Expression call{Expression::Type::kFunction};
      call.function = row.function;
      do {
        SkipBlanks();
        if (Peek() == ')') break;
        call.operands.push_back(ParseOperand(depth + 1));
        SkipBlanks();
      } while (!failed() && Take(","));
      if (!failed() && !Take(")")) Expect("\")\"");
      if (!failed()) CheckCall(row, call);
      return Add(std::move(call));
    }
    Expect("a path (@ or $), a literal or one of length(), count(), match(), search(), value()");
    return 0;
  }

  void CheckCall(const FunctionRow& row, Expression& call) {
    std::string name(row.name);
    if (call.operands.size() != row.arguments) {
      failure_ = "json_path is not valid: " + name + "() takes " + std::to_string(row.arguments) + " argument" +
                 (row.arguments == 1 ? "" : "s");
      return;
    }
    bool takes_nodes = row.function == Expression::Function::kCount || row.function == Expression::Function::kValue;
    for (uint32_t operand : call.operands) {
      if (!takes_nodes) {
        CheckIsComparable(operand);
      } else if (path_.expressions_[operand].type != Expression::Type::kQuery) {
        failure_ = "json_path is not valid: " + name + "() takes a path";
      }
      if (failed()) return;
    }
    if (row.arguments == 2 && path_.expressions_[call.operands[1]].type == Expression::Type::kString) {
      CompilePattern(call, path_.expressions_[call.operands[1]].text);
    }
  }

  void CompilePattern(Expression& call, const std::string& pattern) {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(8 << 20);
    auto regex = std::make_shared<const RE2>(pattern, options);
    if (!regex->ok()) failure_ = "json_path is not valid: bad pattern: " + regex->error();
    call.regex = std::move(regex);
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string failure_;
  JsonPath path_;
};

Result<JsonPath> JsonPath::Parse(std::string_view text) { return JsonPathParser(text).Parse(); }

}  // namespace pith
