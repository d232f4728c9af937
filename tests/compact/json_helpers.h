// Random JSON, and an independent reading of json_path addresses, for the tests of the structured kinds.
#pragma once
#include <random>
#include <string>

#include "compact/json/tape.h"
#include "compact/kinds.h"

namespace pith::testing {

// The span that a path of names, indices and slices names, from the first byte of its first item to the last of its
// last; {0, 0} when it names nothing.
inline Span SpanOfPath(std::string_view bytes, std::string_view path) {
  JsonTape tape(bytes);
  if (!tape.Read(bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0)) return {};
  uint32_t at = tape.roots()[0];
  path.remove_prefix(1);
  while (!path.empty()) {
    const JsonNode& node = tape.node(at);
    if (path[0] == '.' || path.starts_with("[\"")) {
      std::string key;
      if (path[0] == '.') {
        size_t end = std::min(path.find_first_of(".[", 1), path.size());
        key = "\"" + std::string(path.substr(1, end - 1)) + "\"";
        path.remove_prefix(end);
      } else {
        size_t length = JsonTokenLength(path, 1);
        key = path.substr(1, length);
        path.remove_prefix(length + 2);
      }
      uint32_t found = 0;
      for (uint32_t k = at + 1; k < node.next; k = tape.node(k + 1).next) {
        if (tape.Text(k) == key) found = k + 1;
      }
      if (found == 0) return {};
      at = found;
      continue;
    }
    size_t close = path.find(']'), colon = path.substr(0, close).find(':');
    uint64_t first = std::stoull(std::string(path.substr(1)));
    uint64_t end = colon == std::string_view::npos ? first + 1 : std::stoull(std::string(path.substr(colon + 1)));
    path.remove_prefix(close + 1);
    uint64_t ordinal = 0;
    Span span;
    uint32_t item = at + 1;
    for (; item < node.next && ordinal < end; item = tape.node(item).next, ++ordinal) {
      if (ordinal == first) span.begin = tape.node(item).begin, at = item;
      if (ordinal >= first) span.end = tape.node(item).end;
    }
    if (ordinal < end) return {};
    if (colon != std::string_view::npos) return path.empty() ? span : Span{};
  }
  return tape.node(at).span();
}

class RandomJson {
 public:
  explicit RandomJson(uint64_t seed) : random_(seed) {}

  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

  std::string Value(int depth) {
    switch (Below(depth > 0 ? 10 : 5)) {
      case 0:
        return Number();
      case 1:
        return String();
      case 2:
        return Literal();
      case 3:
        return Number();
      case 4:
        return String();
      case 5:
        return Object(depth);
      case 6:
        return Object(depth);
      case 7:
        return Array(depth);
      default:
        return Records(depth);
    }
  }

  // Rows of like objects, now and then one that is not.
  std::string Records(int depth) {
    uint32_t rows = Below(60) + 1, columns = Below(6) + 1;
    std::vector<std::string> keys;
    for (uint32_t i = 0; i < columns; ++i) keys.push_back(Key());
    std::string out = "[" + Blank();
    for (uint32_t i = 0; i < rows; ++i) {
      if (i > 0) out += "," + Blank();
      if (Below(25) == 0) {
        out += Value(depth - 1);
        continue;
      }
      out += "{";
      bool first = true;
      for (uint32_t c = 0; c < columns; ++c) {
        if (Below(15) == 0) continue;
        if (!first) out += "," + Blank();
        first = false;
        out += keys[c] + ":" + Blank() +
               (c == 0   ? "\"row " + std::to_string(i) + "\""
                : c == 1 ? "true"
                         : Value(depth - 2));
      }
      out += "}";
    }
    return out + Blank() + "]";
  }

  std::string Object(int depth) {
    uint32_t count = Below(6) == 0 ? Below(90) : Below(6);
    std::string out = "{";
    for (uint32_t i = 0; i < count; ++i) out += (i > 0 ? "," : "") + Blank() + Key() + Blank() + ":" + Value(depth - 1);
    return out + Blank() + "}";
  }

  std::string Array(int depth) {
    uint32_t count = Below(6) == 0 ? Below(200) : Below(6);
    std::string out = "[";
    for (uint32_t i = 0; i < count; ++i)
      out += (i > 0 ? "," : "") + Blank() + (Below(3) > 0 ? Number() : Value(depth - 1));
    return out + Blank() + "]";
  }

  std::string Blank() {
    static constexpr const char* kBlanks[] = {"", "", "", " ", "\n  ", "\r\n\t", "  "};
    return kBlanks[Below(7)];
  }

 private:
  std::string Key() {
    static constexpr const char* kKeys[] = {"\"id\"",   "\"name\"",    "\"a b\"", "\"k,:}\"", "\"\"",    "\"it's\"",
                                            "\"n\\n\"", "\"\\u4e2d\"", "\"é\"",   "\"\\\"\"", "\"a.b\"", "\"x=1\""};
    return Below(2) > 0 ? kKeys[Below(12)] : "\"k" + std::to_string(Below(300)) + "\"";
  }
  std::string Number() {
    static constexpr const char* kNumbers[] = {"0",  "-0", "1.0", "1", "1e400", "-1E-400", "123456789012345678901234",
                                               "NaN"};
    return Below(3) == 0 ? kNumbers[Below(8)] : std::to_string(Below(100000));
  }
  std::string String() {
    static constexpr const char* kStrings[] = {"\"\"",        "\"null\"",  "\"007\"",    "\"(1,2)\"",          "\"=x\"",
                                               "\"\\ud800\"", "\"a\\\\\"", "\"中文 😀\"", "\"[3 rows of {a}]\""};
    if (Below(12) == 0) return "\"" + Long() + "\"";
    return Below(2) > 0 ? kStrings[Below(9)] : "\"word " + std::to_string(Below(50)) + "\"";
  }
  std::string Long() {
    static constexpr const char* kParts[] = {"lorem ipsum ", "é", "\\n", "\\u00e9", "\\\\", "😀", "\\\""};
    std::string out;
    for (uint32_t n = Below(400); n > 0; --n) out += kParts[Below(7)];
    return out;
  }
  std::string Literal() {
    static constexpr const char* kLiterals[] = {"true", "false", "null"};
    return kLiterals[Below(3)];
  }

  std::mt19937_64 random_;
};

}  // namespace pith::testing
