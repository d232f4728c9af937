// What an HTML page says, in order: its title, headings, paragraphs, list items, table rows and code, each as spans of
// the page's own text. Made by gumbo, behind a guard that turns away what would take it more than linear time or its
// stack.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compact/piece.h"

namespace pith {

struct HtmlSegment {
  Span span;          // of one text, no blanks at its ends unless in code
  bool cell = false;  // begins another cell of its row
};

struct HtmlBlock {
  enum class Type : uint8_t { kTitle, kHeading, kParagraph, kItem, kRow, kCode };
  Type type = Type::kParagraph;
  uint8_t level = 0;                  // kHeading: 1-6
  bool main = true;                   // part of the page's content; else navigation, forms, footers
  bool continues = false;             // the rest of the block before it: a further sentence
  uint32_t row = 0;                   // kRow: number within its table, from 0
  std::vector<HtmlSegment> segments;  // ascending, not empty
  uint64_t bytes = 0;                 // of the segments
};

// Nothing when the guard turned the page away.
std::optional<std::vector<HtmlBlock>> ReadHtml(const Document& document);

// Whether bytes are nothing but tags, comments and blanks.
bool IsMarkup(std::string_view bytes);

// The character that an entity stands for, as UTF-8; empty for one that is not known ("&unknown;") or not shown.
std::string DecodeEntity(std::string_view entity);

// A fold of form kMarkup: owns markup and shows what stands for it (nothing, a blank, " | ", "## ", "- "), or owns an
// entity and shows its character.
bool MarkupFoldMatches(const Document& document, const Piece& piece);

}  // namespace pith
