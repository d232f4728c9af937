// A table in commas spends most of its tokens on what the row above or most other rows say too. What is left of it here
// is still a table in commas, which a model reads without being told how; measured on lists of orders and of packages
// it takes half to two thirds of the tokens. The reader shares no code with the writer but the syntax.
#include "compact/records/folds_table.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "compact/records/table_reader.h"

namespace pith {
namespace {

constexpr std::string_view kOpening = "[rows by ", kDefault = "=";
constexpr size_t kWorthMark = 3;     // bytes of a cell that a mark may stand for
constexpr size_t kWorthDefault = 4;  // likewise, of a value that is named in the pattern
constexpr size_t kMostValues = 32;   // of a column, told apart when its most frequent one is looked for

struct DelimiterRow {
  char delimiter;
  std::string_view name;
};
constexpr auto kDelimiterNames = std::to_array<DelimiterRow>({
    {',', "commas"},
    {'\t', "tabs"},
    {';', "semicolons"},
    {'|', "bars"},
});

struct TableColumn {
  bool constant = true;
  std::string_view usual;  // the value of most rows; of all where it is constant
};

// The value that stands in at least half of the rows, if it is worth naming and no cell looks like the mark for it.
std::string_view UsualValue(const std::vector<std::vector<std::string_view>>& rows, size_t column) {
  std::unordered_map<std::string_view, size_t> counts;
  std::string_view most;
  size_t most_count = 0;
  for (const auto& row : rows) {
    if (row[column] == kDefault) return {};
    if (counts.size() >= kMostValues && !counts.contains(row[column])) continue;
    const size_t count = ++counts[row[column]];
    if (count > most_count) most = row[column], most_count = count;
  }
  return most.size() >= kWorthDefault && most_count * 2 >= rows.size() ? most : std::string_view();
}

std::vector<TableColumn> ColumnsOf(const std::vector<std::vector<std::string_view>>& rows) {
  std::vector<TableColumn> columns(rows.front().size());
  for (size_t i = 0; i < columns.size(); ++i) {
    columns[i].constant = std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return row[i] == rows[0][i]; });
    columns[i].usual = columns[i].constant ? rows[0][i] : UsualValue(rows, i);
  }
  return columns;
}

// Cells of `text` up to its end, at most `most` of them; false if there are more.
bool SplitCells(std::string_view text, char delimiter, size_t most, std::vector<std::string_view>& cells) {
  cells.clear();
  for (size_t at = 0; at <= text.size();) {
    if (cells.size() == most) return false;
    // A lone quote mark is a cell, not the beginning of one.
    const bool ditto = text.substr(at, 1) == kDitto && (at + 1 == text.size() || text[at + 1] == delimiter);
    const size_t end = ditto ? at + 1 : FieldEnd(text, at, delimiter);
    cells.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return true;
}

}  // namespace

std::string WriteTable(const std::vector<std::vector<std::string_view>>& rows, char delimiter) {
  const std::vector<TableColumn> columns = ColumnsOf(rows);
  std::string out(kOpening);
  for (const DelimiterRow& row : kDelimiterNames) {
    if (row.delimiter == delimiter) out += row.name;
  }
  out += ": ";
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out += delimiter;
    if (!columns[i].constant) out += '*';
    if (columns[i].constant || !columns[i].usual.empty()) out.append(kDefault).append(columns[i].usual);
  }
  out += ']';
  std::vector<std::string_view> above(columns.size());
  for (const auto& row : rows) {
    out += '\n';
    bool first = true;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].constant) continue;
      if (!first) out += delimiter;
      first = false;
      const bool usual = !columns[i].usual.empty() && row[i] == columns[i].usual;
      const bool again = row[i].size() >= kWorthMark && row[i] == above[i];
      out += usual ? kDefault : again ? kDitto : row[i];
      above[i] = row[i];
    }
  }
  return out;
}

std::optional<std::string> ReadTable(std::string_view text) {
  constexpr size_t kMostCells = 4096;
  if (!text.starts_with(kOpening)) return std::nullopt;
  size_t end = std::min(text.find('\n'), text.size());
  std::string_view head = text.substr(kOpening.size(), end - kOpening.size());
  const size_t colon = head.find(": ");
  if (colon == std::string_view::npos || !head.ends_with(']')) return std::nullopt;
  const auto known = std::find_if(kDelimiterNames.begin(), kDelimiterNames.end(),
                                  [&](const DelimiterRow& row) { return row.name == head.substr(0, colon); });
  if (known == kDelimiterNames.end()) return std::nullopt;
  const char delimiter = known->delimiter;
  // An entry's value may be quoted, behind its marks; so the marks are read first, then the field.
  struct Entry {
    bool constant = false, has_default = false;
    std::string_view value;
  };
  std::vector<Entry> entries;
  head = head.substr(colon + 2, head.size() - colon - 3);
  for (size_t at = 0; at <= head.size();) {
    Entry entry;
    entry.constant = !(at < head.size() && head[at] == '*');
    at += !entry.constant;
    entry.has_default = at < head.size() && head[at] == '=';
    at += entry.has_default;
    if (entry.constant && !entry.has_default) return std::nullopt;
    const size_t field_end = FieldEnd(head, at, delimiter);
    entry.value = head.substr(at, field_end - at);
    if (!entry.has_default && !entry.value.empty()) return std::nullopt;
    entries.push_back(entry);
    at = field_end + 1;
  }
  const size_t written = static_cast<size_t>(
      std::count_if(entries.begin(), entries.end(), [](const Entry& entry) { return !entry.constant; }));
  std::string out;
  std::vector<std::string_view> cells, above(entries.size());
  while (end < text.size()) {
    const size_t start = end + 1;
    end = std::min(text.find('\n', start), text.size());
    if (!SplitCells(text.substr(start, end - start), delimiter, kMostCells, cells)) return std::nullopt;
    if (written == 0 && end == start) cells.clear();  // an empty line is a row of no cells, or of one that is empty
    if (cells.size() != written) return std::nullopt;
    size_t next = 0;
    for (size_t i = 0; i < entries.size(); ++i) {
      std::string_view value = entries[i].value;
      if (!entries[i].constant) {
        const std::string_view cell = cells[next++];
        const bool usual = entries[i].has_default && cell == kDefault;
        value = usual ? value : cell == kDitto ? above[i] : cell;
      }
      if (i > 0) out += delimiter;
      out += value;
      above[i] = value;
    }
    out += '\n';
  }
  return out;
}

bool TableFoldMatches(const Document& document, const Piece& fold) {
  std::string expected(document.Bytes(fold.span));
  if (expected.empty()) return false;
  if (expected.back() != '\n') expected += '\n';
  const std::optional<std::string> decoded = ReadTable(fold.text);
  return decoded && *decoded == expected;
}

}  // namespace pith
