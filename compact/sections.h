// An output of several tools, one after another (`make && ctest`, `cmd1; cmd2`), taken apart into sections, each of a
// kind of its own.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "compact/shaper.h"

namespace pith {

struct Section {
  uint32_t first = 0, end = 0;  // lines, 0-based, end exclusive
  Kind kind = Kind::kText;
};

// The sections of an original that is, as one, of the kind `whole`: in order, joining, together all of its lines. Empty
// where it is of one kind. Linear; looks into the lines only where the whole leaves room for doubt.
std::vector<Section> FindSections(const Document& document, Kind whole, int whole_score);

// A shaper that gives each section a share of the limit, the small ones whole, and its own kind's view.
std::unique_ptr<Shaper> ShapeSections(const Document& document, const std::vector<Section>& sections);

// "  lines 1-40: build\n" each, for --explain.
std::string SectionsText(const std::vector<Section>& sections);

}  // namespace pith
