// The blocks that a search output falls into, in order, each line in one.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compact/search/lines.h"

namespace pith {

struct SearchBlock {
  enum class Type : uint8_t {
    kGroup,       // matches of one file, with their context; or of one heading, the heading its first line
    kList,        // paths
    kComplaints,  // what the tool could not read
    kOther,       // its own words, one line or more
  };
  Type type = Type::kOther;
  uint32_t first = 0, last = 0;  // lines, inclusive
  bool heading = false;          // kGroup: line `first` is the heading, lines carry no path
  Span path;                     // kGroup without heading: the path, as its first line has it; empty if none is printed
};

std::vector<SearchBlock> BlocksOf(const Document& document, const SearchText& text);

}  // namespace pith
