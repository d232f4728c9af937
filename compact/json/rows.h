// Which items of a long array say more than their neighbours: errors, rare values, odd types, missing and extra keys,
// extremes, what the reader asked for, the first and the last.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compact/json/shape.h"

namespace pith {

// A document read as JSON, as the parts of the JSON view share it. Borrowed.
struct JsonSource {
  const Document& document;
  const JsonTape& tape;
  const JsonShapes& shapes;
};

struct RankedRow {
  uint32_t ordinal = 0;
  int priority = 0;
};

// The rows with a reason to be shown, most worth first, then in order. `items` are the value nodes, all of `shape`.
std::vector<RankedRow> RankRows(const JsonSource& source, const std::vector<uint32_t>& items, uint32_t shape);

// A scalar somewhere inside an item, reached through object members only.
struct JsonLeaf {
  uint32_t key = 0;  // node of its key, 0 for the item itself
  uint32_t value = 0;
  uint32_t shape = kNoShape;
};
// The scalars of an item down to `depth` objects, in order.
void LeavesOf(const JsonSource& source, uint32_t item, uint32_t shape, int depth, std::vector<JsonLeaf>& out);

// The columns that tell omitted rows apart, best first: a name, then an id, then short columns that vary. Shapes.
struct JsonColumn {
  uint32_t shape = kNoShape;
  std::string label;       // "function.name"
  uint64_t mean_size = 0;  // bytes of a value
  bool number = false;
};
std::vector<JsonColumn> IdentityColumns(const JsonSource& source, uint32_t shape);

// "[all 500 rows: level "info" 480, "warn" 20; ms 1..30011, sum 71234]", at most about `room` bytes; empty if there is
// nothing to say.
std::string ColumnStatistics(const JsonSource& source, uint32_t shape, uint64_t rows, uint64_t room);

}  // namespace pith
