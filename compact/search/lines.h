// What each line of a search tool's output is: grep, rg, git grep, ag and the search tools of coding agents.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compact/document.h"

namespace pith {

// One line of a search output, 16 bytes. Offsets count from the start of the line.
struct SearchLine {
  enum class Type : uint8_t {
    kOther,      // the tool's own words: "121 matches", "Found 4 files", anything not understood
    kMatch,      // path, number and body, or a part of these
    kContext,    // likewise, of a line around a match (grep -C)
    kHeading,    // a path on a line of its own, its matches below it
    kSeparator,  // "--" or nothing
    kPath,       // an entry of a list of paths, perhaps with its count
    kComplaint,  // "grep: /proc/kmsg: Operation not permitted"
  };
  Type type = Type::kOther;
  bool has_number = false;
  uint32_t path = 0;    // length of the path that the line begins with, 0: none
  uint32_t number = 0;  // line number in the file; kPath: the count
  uint32_t body = 0;    // where the matched line's own text begins; kPath: where the path ends
};

struct SearchText {
  std::vector<SearchLine> lines;  // of document lines first..first + size - 1
  uint32_t matches = 0, contexts = 0, headings = 0, paths = 0, complaints = 0, others = 0;
  uint32_t repeated_paths = 0;  // matches whose path is that of the line before: a sign of grouping by file
};

// Reads lines first..last (inclusive; nothing if the document is empty). Linear in their bytes.
SearchText ReadSearch(const Document& document, uint32_t first, uint32_t last);

// A literal that every match of the search contains, lower case, from the command, the tool's own header or the
// reader's query; empty when unknown.
std::string SearchedLiteral(const Document& document);

// Where `literal` (lower case) stands in `text`, ASCII case ignored; npos if nowhere.
size_t FindIgnoringCase(std::string_view text, std::string_view literal);

// Whether `text` reads as the path of a file: no control bytes, no blanks at its ends, a folder or an extension in it.
bool LooksLikePath(std::string_view text);

}  // namespace pith
