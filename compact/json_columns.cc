// What is said of all rows when only some are shown. Statistics keep a sample honest: fifteen rows of "warn" among a
// hundred of "info" must not look like a file of warnings. And the names of rows that are left out let a reader see
// whether what he looks for is there, at a few tokens a row.
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>

#include "compact/json_rows.h"

namespace pith {
namespace {

constexpr int kColumnDepth = 3;
constexpr size_t kFewValues = 6;
constexpr uint64_t kLongIdentity = 96;
constexpr uint64_t kShortColumn = 20;
constexpr size_t kValueShown = 40;

constexpr std::array<std::string_view, 12> kNames = {"name",  "path", "title", "key", "method", "identifier",
                                                     "label", "slug", "file",  "url", "id",     "_id"};

size_t NameRank(std::string_view key) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (key.size() == kNames[i].size() && std::equal(key.begin(), key.end(), kNames[i].begin(),
                                                     [](char a, char b) { return (a | 0x20) == b || a == b; })) {
      return i;
    }
  }
  return kNames.size();
}

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

std::string Shown(std::string_view text) {
  if (text.size() <= kValueShown) return std::string(text);
  size_t cut = kValueShown - 4;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return std::string(text.substr(0, cut)) + "...\"";
}

std::string Figure(double value) {
  std::array<char, 40> buffer;
  std::snprintf(buffer.data(), buffer.size(), "%.6g", value);
  return buffer.data();
}

std::string NumbersText(const JsonSource& source, const JsonNumbers& numbers) {
  std::string out(source.tape.Text(numbers.least));
  out += "..";
  out += source.tape.Text(numbers.greatest);
  out += " sum ";
  out += numbers.whole ? std::to_string(numbers.whole_sum) : "about " + Figure(numbers.sum);
  return out;
}

std::string ValuesText(const JsonSource& source, const JsonDistinct& distinct) {
  std::vector<JsonDistinct::Entry> entries = distinct.entries;
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  std::string out;
  for (size_t i = 0; i < entries.size() && i < kFewValues; ++i) {
    if (i > 0) out += ", ";
    out += Shown(source.tape.Text(entries[i].node)) + " " + std::to_string(entries[i].count);
  }
  if (entries.size() > kFewValues) out += ", " + std::to_string(entries.size() - kFewValues) + " other values";
  return out;
}

std::string ColumnText(const JsonSource& source, const Column& column, uint64_t rows) {
  const JsonShape& shape = source.shapes.shape(column.shape);
  std::string out = column.label;
  if (column.present < rows) out += " (in " + std::to_string(column.present) + ")";
  bool numbers = shape.numbers.count * 2 > shape.values;
  if (shape.constant() && column.present == rows)
    return out + "=" + Shown(source.tape.Text(shape.distinct.entries[0].node));
  bool few = !shape.distinct.many && shape.distinct.entries.size() * 2 <= shape.values;
  if (few && (!numbers || shape.distinct.entries.size() <= kFewValues))
    return out + " " + ValuesText(source, shape.distinct);
  if (numbers) return out + " " + NumbersText(source, shape.numbers);
  return "";
}

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
    size_t rank = NameRank(columns[i].key);
    if (!Tells(column))
      rank = size <= kShortColumn ? kNames.size() + 2 : SIZE_MAX;
    else if (rank == kNames.size() && size > kShortColumn * 2)
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
  std::string out;
  for (const Column& column : columns) {
    std::string text = ColumnText(source, column, rows);
    if (text.empty()) continue;
    if (out.size() + text.size() > room) continue;
    if (!out.empty()) out += "; ";
    out += text.starts_with(' ') ? text.substr(1) : text;
  }
  if (out.empty()) return "";
  return "[all " + std::to_string(rows) + (at.scalars() * 2 > at.values ? " values: " : " rows: ") + out + "]";
}

}  // namespace pith
