// A JSON original as an index over its own bytes: nothing is decoded, nothing copied, so that numbers keep their text,
// keys their order, duplicates their places, and every value its address.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compact/document.h"

namespace pith {

enum class JsonType : uint8_t { kObject, kArray, kString, kNumber, kTrue, kFalse, kNull };

// A value, or the key of a member (a string that stands before its value). 16 bytes.
struct JsonNode {
  uint32_t begin = 0, end = 0;  // bytes of the original, from the first to past the last of the value, blanks outside
  uint32_t next = 0;            // index of the node after this one and all that it holds
  uint32_t count : 29 = 0;      // items of an array, members of an object
  uint32_t type : 3 = 0;

  JsonType Type() const { return static_cast<JsonType>(type); }
  bool container() const { return Type() <= JsonType::kArray; }
  Span span() const { return {begin, end}; }
  uint32_t size() const { return end - begin; }
};

// Nodes in the order of the text. The children of an object are key, value, key, value. `bytes` is borrowed.
class JsonTape {
 public:
  explicit JsonTape(std::string_view bytes) : bytes_(bytes) {}

  // Reads one value that starts at or after `at` (blanks are skipped) and adds it as a root. Returns the offset after
  // it, or nothing, then the tape is as before. RFC 8259 but for NaN, Infinity and -Infinity, which many writers emit
  // and which are kept as text. Any depth; linear; does not look at whether strings are UTF-8.
  std::optional<uint32_t> Read(uint32_t at);

  // Reads values one after the other from the beginning, for a look at what a long text is.
  struct Probe {
    uint32_t values = 0;   // objects and arrays read whole
    uint64_t bytes = 0;    // that they took
    bool ran_out = false;  // the text ended inside a value that was well-formed so far
  };
  Probe ReadProbe();

  std::string_view bytes() const { return bytes_; }
  const JsonNode& node(uint32_t index) const { return nodes_[index]; }
  const std::vector<uint32_t>& roots() const { return roots_; }
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  std::string_view Text(uint32_t index) const {
    return bytes_.substr(nodes_[index].begin, nodes_[index].end - nodes_[index].begin);
  }
  // Text of a string between its quotes, escapes as written.
  std::string_view Inner(uint32_t index) const {
    return bytes_.substr(nodes_[index].begin + 1, nodes_[index].end - nodes_[index].begin - 2);
  }
  void DropRoots(size_t keep);  // forgets the roots after the first `keep`

 private:
  friend class JsonReader;
  std::string_view bytes_;
  std::vector<JsonNode> nodes_;
  std::vector<uint32_t> roots_;
};

// What a member's key adds to a path: ".name", or "['na\'me']" where a name is not plain. RFC 9535.
std::string JsonPathStep(std::string_view key_inner);

// Length of the JSON token that starts at text[at] (a string with its quotes, a number, a literal, a punctuation mark);
// 0 if there is none. `text[at]` is not blank.
size_t JsonTokenLength(std::string_view text, size_t at);

// Offset of the first byte from `at` on that is not a JSON blank.
inline size_t SkipJsonBlanks(std::string_view text, size_t at) {
  const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  while (at < text.size() && static_cast<unsigned char>(text[at]) <= ' ' && blank(text[at])) ++at;
  return at;
}

}  // namespace pith
