// YAML and TOML lines, and the records that a file of them may consist of.
#pragma once
#include <memory>
#include <string_view>
#include <unordered_map>

#include "compact/records/records.h"

namespace pith {

// One line, read by itself.
struct YamlLine {
  enum class Form : uint8_t {
    kBlank,
    kComment,
    kBreak,       // "---", "..."
    kSection,     // "[name]", "[[name]]"
    kKey,         // "key: value", "- key: value", "key:", "- value"
    kAssignment,  // "key = value"
    kText,        // anything else: the inside of a block, a continued line
  };
  Form form = Form::kText;
  uint32_t indent = 0;   // of the key, list dashes included
  bool item = false;     // begins with a dash
  uint32_t dash = 0;     // indent of the (first) dash
  std::string_view key;  // without quotes; empty for a bare item
  Span value;            // offsets in the line, quotes outside
  bool quoted = false;
};
YamlLine ReadYamlLine(std::string_view line);

// Documents, [[tables]] or items of the largest list, when there are at least four of them and they cover at least
// `share` percent of the bytes; null otherwise.
std::unique_ptr<Records> ReadYamlRecords(const Document& document, uint64_t share);

}  // namespace pith
