#include "compact/licence.h"

#include <algorithm>

#include "compact/begins.h"

namespace pith {
namespace {

constexpr uint32_t kLooked = 100;  // lines
constexpr uint32_t kFewest = 4;

bool SpeaksOfLicence(std::string_view text) {
  for (std::string_view word : {"icense", "icence", "LICENSE", "opyright", "COPYRIGHT", "SPDX-"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

std::string_view Trimmed(std::string_view text) { return text.substr(BlanksEnd(text)); }

// The last line of the comment that begins in `line`; `line` itself if there begins none.
uint32_t CommentEnd(const Document& document, uint32_t line, uint32_t last) {
  const std::string_view text = Trimmed(document.Text(line));
  uint32_t end = line;
  for (const auto& [opening, closing] : {std::pair("<!--", "-->"), std::pair("/*", "*/")}) {
    if (!text.starts_with(opening)) continue;
    while (end < last && document.Text(end).find(closing) == std::string_view::npos) ++end;
    return document.Text(end).find(closing) == std::string_view::npos ? line : end;
  }
  for (std::string_view mark : {"#", "//", "--", ";", "%", "'", ".. "}) {
    if (!text.starts_with(mark) || text.starts_with("#include") || text.starts_with("---")) continue;
    while (end < last && Trimmed(document.Text(end + 1)).starts_with(mark)) ++end;
    return end;
  }
  return line;
}

}  // namespace

LineRange LicenceLines(const Document& document, uint32_t last) {
  if (document.line_count() == 0) return {};
  last = std::min({last, document.line_count() - 1, kLooked - 1});
  for (uint32_t line = 0; line <= last; ++line) {
    const uint32_t end = CommentEnd(document, line, last);
    if (end - line + 1 >= kFewest && SpeaksOfLicence(document.Bytes(document.lines.Lines(line, end)))) {
      return {line, end + 1};
    }
    line = end;
  }
  return {};
}

}  // namespace pith
