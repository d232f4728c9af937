// Reading blocks of "key = value" lines. What makes them records and not a configuration file is that the same keys
// come again and again; the first key that recurs begins each record.
#include <algorithm>
#include <unordered_map>

#include "compact/records/table_reader.h"

namespace pith {
namespace {

constexpr uint32_t kSampledLines = 400;
constexpr uint32_t kLeastRecords = 4;
constexpr size_t kLongestKey = 48;

struct KeyValue {
  std::string_view key;
  size_t value = 0;  // offset in the line
};

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<KeyValue> Split(std::string_view line, char separator) {
  size_t at = line.substr(0, kLongestKey + 20).find(separator);
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  bool spaced = at + 1 == line.size() || line[at + 1] == ' ' || line[at + 1] == '\t';
  std::string_view key = Trimmed(line.substr(0, at));
  if (!spaced || key.empty() || key.size() > kLongestKey ||
      key.find_first_of("=|:{}[]<>\"") != std::string_view::npos) {
    return std::nullopt;
  }
  size_t value = at + 1;
  while (value < line.size() && (line[value] == ' ' || line[value] == '\t')) ++value;
  return KeyValue{key, value};
}

// "-[ RECORD 12 ]---", "*** 12. row ***", "---", blank.
bool IsBreak(std::string_view line) {
  std::string_view text = Trimmed(line);
  return text.empty() || text.starts_with("-[ RECORD ") || text.starts_with("***") ||
         text.find_first_not_of("-=*") == std::string_view::npos;
}

class BlockRecords : public Records {
 public:
  BlockRecords(const Document& document, char separator) : document_(document), separator_(separator) {}

  void Cells(uint32_t record, std::vector<RecordCell>& out) const override {
    uint32_t last = document_.lines.LineAt(spans[record].end - 1ull);
    for (uint32_t line = document_.lines.LineAt(spans[record].begin); line <= last; ++line) {
      std::string_view text = document_.Text(line);
      std::optional<KeyValue> pair = IsBreak(text) ? std::nullopt : Split(text, separator_);
      auto column = pair ? index_.find(pair->key) : index_.end();
      if (column == index_.end()) continue;
      uint64_t begin = document_.lines.Line(line).begin;
      out.push_back({column->second, {begin + pair->value, begin + text.size()}, false});
    }
  }

  // A record begins with its breaking lines (blank ones end the record before).
  void Read() {
    std::string_view first_key;
    uint32_t start = 0;
    bool open = false;
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      std::string_view text = document_.Text(line);
      std::optional<KeyValue> pair = IsBreak(text) ? std::nullopt : Split(text, separator_);
      if (pair && first_key.empty()) first_key = pair->key, start = LeadOf(line);
      if (pair && pair->key == first_key) {
        if (open) Close(start, LeadOf(line)), start = LeadOf(line);
        open = true;
      }
      if (pair && columns.size() < kMostColumns &&
          index_.emplace(pair->key, static_cast<uint32_t>(columns.size())).second) {
        columns.emplace_back(pair->key);
      }
    }
    if (open) Close(start, document_.line_count());
  }

 private:
  // The first of the breaking lines before `line` that is not blank.
  uint32_t LeadOf(uint32_t line) const {
    uint32_t lead = line;
    while (lead > 0 && IsBreak(document_.Text(lead - 1)) && !Trimmed(document_.Text(lead - 1)).empty()) --lead;
    return lead;
  }

  void Close(uint32_t start, uint32_t end) {
    Span span = document_.lines.Lines(start, end - 1);
    spans.push_back({static_cast<uint32_t>(span.begin), static_cast<uint32_t>(span.end)});
  }

  const Document& document_;
  char separator_;
  std::unordered_map<std::string_view, uint32_t> index_;
};

}  // namespace

std::optional<char> BlockForm(const Document& document) {
  for (char separator : {'=', '|', ':'}) {
    std::unordered_map<std::string_view, uint32_t> keys;
    std::string_view first_key;
    uint32_t pairs = 0, others = 0, breaks = 0;
    for (uint32_t line = 0; line < std::min(document.line_count(), kSampledLines); ++line) {
      std::string_view text = document.Text(line);
      if (IsBreak(text)) {
        ++breaks;
        continue;
      }
      std::optional<KeyValue> pair = Split(text, separator);
      if (!pair) {
        ++others;
        continue;
      }
      if (first_key.empty()) first_key = pair->key;
      ++pairs;
      ++keys[pair->key];
    }
    if (first_key.empty() || keys[first_key] < kLeastRecords || breaks + 1 < keys[first_key] || keys.size() < 2)
      continue;
    bool recur = uint64_t{keys.size()} * kLeastRecords <= uint64_t{pairs};
    if (others * 10 <= pairs && recur && pairs >= keys[first_key] * 2) return separator;
  }
  return std::nullopt;
}

std::unique_ptr<Records> ReadBlocks(const Document& document, char separator) {
  auto records = std::make_unique<BlockRecords>(document, separator);
  records->Read();
  return records;
}

}  // namespace pith
