#include "compact/search/blocks.h"

namespace pith {
namespace {

using Type = SearchLine::Type;

bool IsHit(const SearchLine& line) { return line.type == Type::kMatch || line.type == Type::kContext; }

std::string_view PathOf(const Document& document, const SearchText& text, uint32_t line) {
  return document.Text(line).substr(0, text.lines[line].path);
}

// The end (exclusive) of the group of hits that begins at `first`: hits of the same path, and dividers between them.
uint32_t GroupEnd(const Document& document, const SearchText& text, uint32_t first, uint32_t hit) {
  std::string_view path = PathOf(document, text, hit);
  uint32_t end = first + 1;
  uint32_t count = static_cast<uint32_t>(text.lines.size());
  for (uint32_t line = end; line < count; ++line) {
    if (IsHit(text.lines[line])) {
      if (PathOf(document, text, line) != path) break;
      end = line + 1;
    } else if (text.lines[line].type != Type::kSeparator || line > end) {
      break;  // one divider may stand between two hits
    }
  }
  return end;
}

}  // namespace

std::vector<SearchBlock> BlocksOf(const Document& document, const SearchText& text) {
  std::vector<SearchBlock> blocks;
  uint32_t count = static_cast<uint32_t>(text.lines.size());
  for (uint32_t line = 0; line < count;) {
    SearchBlock block;
    block.first = line;
    Type type = text.lines[line].type;
    uint32_t end = line + 1;
    if (IsHit(text.lines[line]) || type == Type::kHeading) {
      block.type = SearchBlock::Type::kGroup;
      block.heading = type == Type::kHeading;
      uint32_t hit = block.heading && line + 1 < count ? line + 1 : line;
      end = GroupEnd(document, text, line, hit);
      uint64_t begin = document.lines.Line(line).begin;
      if (!block.heading) block.path = {begin, begin + text.lines[line].path};
    } else if (type == Type::kPath || type == Type::kComplaint) {
      block.type = type == Type::kPath ? SearchBlock::Type::kList : SearchBlock::Type::kComplaints;
      while (end < count && text.lines[end].type == type) ++end;
    } else {
      while (end < count && (text.lines[end].type == Type::kOther || text.lines[end].type == Type::kSeparator)) ++end;
    }
    block.last = end - 1;
    blocks.push_back(block);
    line = end;
  }
  return blocks;
}

}  // namespace pith
