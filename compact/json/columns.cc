// What is said of all rows when only some are shown. Statistics keep a sample honest: fifteen rows of "warn" among a
// hundred of "info" must not look like a file of warnings. And the names of rows that are left out let a reader see
// whether what he looks for is there, at a few tokens a row.
#include <algorithm>

#include "compact/json/rows.h"
#include "compact/piece.h"

namespace pith {
namespace {

constexpr int kColumnDepth = 3;
constexpr uint64_t kLongIdentity = 96;
constexpr uint64_t kShortColumn = 20;

struct Column {
  uint32_t shape = kNoShape;
  uint32_t present = 0;  // rows that have it
  std::string label;
  std::string_view key;
};

void ColumnsOf(const JsonSource& source, uint32_t shape, const std::string& prefix, int depth,
               std::vector<Column>& out) {
  const JsonShape& at = source.shapes.shape(shape);
  for (const JsonMember& member : at.members) {
    if (member.shape == kNoShape) continue;
    if (member.count > at.Count(JsonType::kObject)) continue;  // rows that repeat the name: no one value a row
    std::string_view key = source.tape.Inner(member.key);
    std::string label = prefix + std::string(key.substr(0, 60));
    const JsonShape& below = source.shapes.shape(member.shape);
    if (below.scalars() * 2 > below.values)
      out.push_back({member.shape, member.count, label, key});
    else if (depth > 1 && below.Count(JsonType::kObject) * 2 > below.values) {
      ColumnsOf(source, member.shape, label + ".", depth - 1, out);
    }
  }
}

uint64_t MeanSize(const JsonShape& shape) {
  uint64_t strings = shape.Count(JsonType::kString);
  return strings > 0 ? shape.string_bytes / strings + 1 : 8;
}

bool Tells(const JsonShape& shape) { return shape.distinct.many || shape.distinct.entries.size() * 2 > shape.values; }

}  // namespace

std::vector<JsonColumn> IdentityColumns(const JsonSource& source, uint32_t shape) {
  if (shape == kNoShape) return {};
  const JsonShape& at = source.shapes.shape(shape);
  if (at.Count(JsonType::kString) * 2 > at.values) return {{shape, "", MeanSize(at), false}};
  std::vector<Column> columns;
  ColumnsOf(source, shape, "", kColumnDepth, columns);
  std::vector<std::pair<size_t, size_t>> ranked;  // rank, index
  for (size_t i = 0; i < columns.size(); ++i) {
    const JsonShape& column = source.shapes.shape(columns[i].shape);
    uint64_t size = MeanSize(column);
    if (column.values * 2 < at.values || column.constant() || size > kLongIdentity) continue;
    size_t rank = NamePathRank(columns[i].label);
    if (!Tells(column))
      rank = size <= kShortColumn ? kNoName + 6 : SIZE_MAX;
    else if (rank >= kNoName && size > kShortColumn * 2)
      rank += 3;
    if (rank != SIZE_MAX) ranked.push_back({rank, i});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<JsonColumn> out;
  for (const auto& [rank, i] : ranked) {
    const JsonShape& column = source.shapes.shape(columns[i].shape);
    bool number = column.numbers.count * 2 > column.values;
    out.push_back({columns[i].shape, columns[i].label, MeanSize(column), number});
  }
  return out;
}

std::string ColumnStatistics(const JsonSource& source, uint32_t shape, uint64_t rows, uint64_t room) {
  if (shape == kNoShape) return "";
  const JsonShape& at = source.shapes.shape(shape);
  std::vector<Column> columns;
  if (at.scalars() * 2 > at.values)
    columns.push_back({shape, at.values, "", {}});
  else
    ColumnsOf(source, shape, "", kColumnDepth, columns);
  auto text_at = [&source](uint32_t node) { return source.tape.Text(node); };
  std::string out;
  for (const Column& column : columns) {
    const JsonShape& values = source.shapes.shape(column.shape);
    std::string text =
        ColumnText(column.label, column.present, rows, values.values, values.distinct, values.numbers, text_at);
    if (text.empty()) continue;
    if (out.size() + text.size() > room) continue;
    if (!out.empty()) out += "; ";
    out += text.starts_with(' ') ? text.substr(1) : text;
  }
  if (out.empty()) return "";
  return "[all " + Counted(rows, at.scalars() * 2 > at.values ? "values" : "rows") + ": " + out + "]";
}

}  // namespace pith
