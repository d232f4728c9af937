// Two passes over the records: one counts, one compares each cell with the counts of its column. The notation is read
// again in the second pass instead of kept, so that a file of ten million cells needs no memory for them.
#include "compact/records/record_ranks.h"

#include <algorithm>

#include "compact/query.h"

namespace pith {
namespace {

constexpr uint64_t kLongIdentity = 96;  // mean bytes; longer values do not name a record
constexpr uint64_t kShortColumn = 24;
constexpr double kFarAway = 4;  // standard deviations

// Whether one of the names that lead to a value says that it tells of a fault: "failure.message", "error".
bool LeadsToFault(std::string_view path) {
  for (size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    if (SaysError(path.substr(0, dot), "?", true)) return true;
    path.remove_prefix(dot + 1);
  }
  return false;
}

bool IsRare(uint64_t count, uint64_t of) { return of >= kEnoughValues && count * kRareShare <= of; }

}  // namespace

RecordRanks::RecordRanks(const Document& document, const Records& records)
    : document_(document), records_(records), columns_(records.columns.size()) {
  signals_anywhere_ = std::any_of(document.signals.begin(), document.signals.end(),
                                  [](Signal signal) { return signal >= Signal::kError; });
  for (size_t i = 0; i < columns_.size(); ++i) columns_[i].fault = LeadsToFault(records_.columns[i]);
  CountAll();
  MarkEven();
  RankAll();
}

void RecordRanks::CountAll() {
  std::vector<uint32_t> last_record(columns_.size(), UINT32_MAX);
  for (uint32_t record = 0; record < records_.spans.size(); ++record) {
    cells_.clear();
    records_.Cells(record, cells_);
    for (const RecordCell& cell : cells_) {
      RecordColumn& column = columns_[cell.column];
      std::string_view text = document_.Bytes(cell.value);
      uint32_t where = static_cast<uint32_t>(cell.value.begin);
      ++column.values;
      column.records += last_record[cell.column] != record;
      last_record[cell.column] = record;
      column.bytes += text.size();
      column.counts.Count(text, where);
      if (!cell.quoted) column.numbers.CountNumber(text, where);
    }
  }
}

// Marks the columns in which no value can stand out: the second pass does not look at them.
void RecordRanks::MarkEven() {
  uint64_t count = records_.spans.size();
  for (size_t i = 0; i < columns_.size(); ++i) {
    RecordColumn& column = columns_[i];
    const NumberStats& numbers = column.numbers;
    double spread = kFarAway * numbers.Deviation();
    bool outliers =
        numbers.count > 0 && (numbers.minimum < numbers.Mean() - spread || numbers.maximum > numbers.Mean() + spread);
    bool mixed = numbers.count > 0 && numbers.count < column.values;
    bool constant = !column.counts.many && column.counts.entries.size() == 1;
    bool even = column.counts.many && !outliers && !mixed && !column.fault && !MaySayError(records_.columns[i]);
    column.even = (constant || even) && !IsRare(column.records, count);
  }
}

void RecordRanks::OddCells(uint32_t record, std::vector<Odd>& out) const {
  exemplars_.clear();
  cells_.clear();
  records_.Cells(record, cells_);
  for (const RecordCell& cell : cells_) {
    const RecordColumn& column = columns_[cell.column];
    if (column.even) continue;
    std::string_view text = document_.Bytes(cell.value);
    const std::string_view key = column.fault ? std::string_view("fault") : records_.columns[cell.column];
    if (SaysError(key, text, cell.quoted)) {
      out.push_back({cell.value, MixHashes(cell.column, MaskedHash(text)), true, false});
    }
    bool numeric = column.numbers.count > 0 && !cell.quoted && IsNumber(text);
    if (IsRare(column.records, records_.spans.size())) {
      out.push_back({cell.value, MixHashes(cell.column, 1), false, false});
    } else if (column.numbers.count > 0 && !numeric && IsRare(column.values - column.numbers.count, column.values)) {
      out.push_back({cell.value, MixHashes(cell.column, 2), false, false});
    } else if (!column.counts.many) {
      const ValueCounts::Entry* entry = column.counts.Find(HashText(text));
      if (entry != nullptr && IsRareValue(entry->count, column.values, column.counts, column.numbers)) {
        out.push_back({cell.value, MixHashes(cell.column, entry->hash), false, false});
      } else if (entry != nullptr && column.counts.entries.size() <= kExemplars) {
        exemplars_.push_back(MixHashes(cell.column, entry->hash));
      }
    } else if (numeric && column.values >= kEnoughValues && column.numbers.Away(NumberValue(text)) >= kFarAway) {
      out.push_back({cell.value, MixHashes(cell.column, 3), false, true});
    }
  }
}

void RecordRanks::OddLines(uint32_t record, std::vector<Odd>& out) const {
  if (!signals_anywhere_) return;
  RecordSpan span = records_.spans[record];
  line_ = document_.lines.LineNear(span.begin, line_);
  const uint32_t first = line_, last = document_.lines.LineNear(span.end - 1, first);
  for (uint32_t line = first; line <= last; ++line) {
    Span whole = document_.lines.Line(line);
    bool of_its_own = whole.begin >= span.begin && whole.end <= span.end + 1;  // else its neighbours' text would count
    if (!of_its_own || document_.signals[line] < Signal::kError) continue;
    out.push_back({whole, MaskedHash(document_.Text(line)), true, false});
  }
}

std::vector<Span> RecordRanks::OddSpans(uint32_t record) const {
  std::vector<Odd> odd;
  OddCells(record, odd);
  OddLines(record, odd);
  std::vector<Span> spans;
  for (const Odd& one : odd) spans.push_back(one.span);
  return spans;
}

void RecordRanks::RankAll() {
  uint32_t count = static_cast<uint32_t>(records_.spans.size());
  uint32_t common = 0;
  for (const RecordColumn& column : columns_) common += IsRare(count - column.records, count);
  std::vector<double> query;
  if (!document_.hints.query.empty()) {
    std::vector<std::string_view> texts;
    for (RecordSpan span : records_.spans) texts.push_back(document_.Bytes({span.begin, span.end}));
    query = QueryScores(document_.hints.query, texts);
  }
  SeenTemplates templates;
  std::vector<Odd> odd;
  for (uint32_t record = 0; record < count; ++record) {
    int priority = record == 0 ? RowPriority::kFirst : record + 1 == count ? RowPriority::kLast : 0;
    odd.clear();
    OddCells(record, odd);
    uint32_t has = 0;
    for (const RecordCell& cell : cells_) has += IsRare(count - columns_[cell.column].records, count);
    for (uint64_t hash : exemplars_) priority = std::max(priority, templates.See(hash, RowPriority::kValue, 0));
    if (has < common) odd.push_back({{}, MixHashes(4, common - has), false, false});
    OddLines(record, odd);
    if (std::any_of(odd.begin(), odd.end(), [](const Odd& one) { return one.error; })) failing_.push_back(record);
    for (const Odd& one : odd) {
      priority = std::max(
          priority, templates.See(one.hash, one.error ? RowPriority::kError : RowPriority::kOdd, RowPriority::kAgain));
    }
    if (!query.empty() && query[record] > 0) priority = RowPriority::kQuery;
    if (priority > 0) ranked_.push_back({record, priority});
  }
  std::stable_sort(ranked_.begin(), ranked_.end(),
                   [](const RecordRank& a, const RecordRank& b) { return a.priority > b.priority; });
}

uint64_t RecordRanks::Failing(size_t first, size_t end) const {
  return static_cast<uint64_t>(std::lower_bound(failing_.begin(), failing_.end(), end) -
                               std::lower_bound(failing_.begin(), failing_.end(), first));
}

std::vector<uint32_t> RecordRanks::Identity() const {
  uint64_t count = records_.spans.size();
  std::vector<std::pair<size_t, uint32_t>> ranked;
  for (uint32_t i = 0; i < columns_.size(); ++i) {
    const RecordColumn& column = columns_[i];
    if (column.records * 2 < count || column.values > column.records * 2 || column.values == 0) continue;
    uint64_t mean = column.bytes / column.values;
    bool tells = column.counts.many || column.counts.entries.size() * 2 > column.values;
    if (mean > kLongIdentity || mean == 0 || (!column.counts.many && column.counts.entries.size() == 1)) continue;
    std::string_view label = records_.columns[i];
    size_t rank = NamePathRank(label);
    if (!tells) continue;
    if (rank >= kNoName && mean > kShortColumn) rank += 3;
    ranked.push_back({rank, i});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<uint32_t> out;
  for (const auto& [rank, i] : ranked) out.push_back(i);
  return out;
}

std::string_view RecordRanks::ValueAt(uint32_t offset) const {
  auto after = std::upper_bound(records_.spans.begin(), records_.spans.end(), offset,
                                [](uint32_t at, RecordSpan span) { return at < span.begin; });
  cells_.clear();
  if (after != records_.spans.begin())
    records_.Cells(static_cast<uint32_t>(after - records_.spans.begin()) - 1, cells_);
  for (const RecordCell& cell : cells_)
    if (cell.value.begin == offset) return document_.Bytes(cell.value);
  return {};
}

std::string RecordRanks::Statistics(uint64_t room) const {
  std::string out;
  auto text_at = [this](uint32_t offset) { return ValueAt(offset); };
  for (size_t i = 0; i < columns_.size(); ++i) {
    const RecordColumn& column = columns_[i];
    if (column.values == 0) continue;
    std::string text = ColumnText(records_.columns[i], column.records, records_.spans.size(), column.values,
                                  column.counts, column.numbers, text_at);
    if (text.empty() || text.find('\n') != std::string::npos || out.size() + text.size() > room) continue;
    out += (out.empty() ? "" : "; ") + text;
  }
  return out.empty() ? "" : "[all " + Counted(records_.spans.size(), records_.noun) + ": " + out + "]";
}

}  // namespace pith
