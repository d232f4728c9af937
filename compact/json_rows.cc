// A sample that only takes the first and the last rows tells a reader that all is well. So each row is asked what it
// has that others lack: every scalar is held against what the shape of its place says of all rows. What it finds is a
// template (this column has this value; an error of this wording), and the first row of each template is worth more
// than the hundredth. One pass over the rows, a bounded table of templates.
#include "compact/json_rows.h"

#include <algorithm>

#include "compact/query.h"

namespace pith {
namespace {

constexpr int kLeafDepth = 4;

class RowRanker {
 public:
  RowRanker(const JsonSource& source, const std::vector<uint32_t>& items, uint32_t shape)
      : source_(source), items_(items), shape_(shape), signals_(source.shapes.size()) {
    const Document& document = source.document;
    rows_have_lines_ = document.line_count() >= items.size();
    signals_anywhere_ = std::any_of(document.signals.begin(), document.signals.end(),
                                    [](Signal signal) { return signal >= Signal::kError; });
  }

  std::vector<RankedRow> Rank() {
    std::vector<RankedRow> ranked;
    std::vector<double> query = Query();
    for (uint32_t i = 0; i < items_.size(); ++i) {
      priority_ = i == 0                   ? RowPriority::kFirst
                  : i + 1 == items_.size() ? RowPriority::kLast
                  : i == 1                 ? RowPriority::kSecond
                                           : 0;
      if (shape_ != kNoShape) Look(items_[i]);
      LookAtLines(items_[i]);
      if (!query.empty() && query[i] > 0) Raise(RowPriority::kQuery);
      if (priority_ > 0) ranked.push_back({i, priority_});
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const RankedRow& a, const RankedRow& b) { return a.priority > b.priority; });
    return ranked;
  }

 private:
  void Raise(int priority) { priority_ = std::max(priority_, priority); }

  void Seen(uint64_t hash, int first, int again) { Raise(templates_.See(hash, first, again)); }

  std::vector<double> Query() const {
    if (source_.document.hints.query.empty()) return {};
    std::vector<std::string_view> texts;
    for (uint32_t item : items_) texts.push_back(source_.tape.Text(item));
    return QueryScores(source_.document.hints.query, texts);
  }

  void Look(uint32_t item) {
    leaves_.clear();
    LeavesOf(source_, item, shape_, kLeafDepth, leaves_);
    for (const JsonLeaf& leaf : leaves_) LookAtLeaf(leaf);
    LookAtKeys(item);
  }

  void LookAtLeaf(const JsonLeaf& leaf) {
    const JsonShape& shape = source_.shapes.shape(leaf.shape);
    const JsonNode& node = source_.tape.node(leaf.value);
    std::string_view text = source_.tape.Text(leaf.value);
    if (shape.constant()) return;
    if (IsError(leaf, shape, text))
      Seen(MixHashes(leaf.shape, MaskedHash(text)), RowPriority::kError, RowPriority::kAgain);
    if (shape.values < kEnoughValues) return;
    if (shape.types[node.type] * kRareShare <= shape.values)
      Seen(MixHashes(leaf.shape, node.type + 1), RowPriority::kOdd, RowPriority::kAgain);
    if (!shape.distinct.many) {
      uint64_t hash = HashText(text);
      const ValueCounts::Entry* entry = shape.distinct.Find(hash);
      if (entry != nullptr && IsRareValue(entry->count, shape.values, shape.distinct, shape.numbers)) {
        Seen(MixHashes(leaf.shape, hash), RowPriority::kOdd, RowPriority::kAgain);
      } else if (shape.distinct.entries.size() <= kExemplars) {
        Seen(MixHashes(leaf.shape, hash), RowPriority::kValue, 0);
      }
    } else if (node.Type() == JsonType::kNumber) {
      LookAtNumber(leaf, shape.numbers);
    }
  }

  void LookAtNumber(const JsonLeaf& leaf, const NumberStats& numbers) {
    bool end = leaf.value == numbers.least || leaf.value == numbers.greatest;
    double away = numbers.Away(NumberValue(source_.tape.Text(leaf.value)));
    if (away >= 4) Seen(MixHashes(leaf.shape, 0xE0), RowPriority::kOdd, RowPriority::kAgain);
    if (end && away >= 3) Raise(RowPriority::kExtreme);
  }

  // Rare keys that the item has, and keys of nearly all others that it lacks.
  void LookAtKeys(uint32_t item) {
    const JsonShape& shape = source_.shapes.shape(shape_);
    const JsonNode& node = source_.tape.node(item);
    uint32_t objects = shape.Count(JsonType::kObject);
    if (shape.values >= kEnoughValues && shape.types[node.type] * kRareShare <= shape.values) {
      Seen(MixHashes(shape_, node.type + 1), RowPriority::kOdd, RowPriority::kAgain);
    }
    if (node.Type() != JsonType::kObject || objects < kEnoughValues || shape.others != kNoShape) return;
    size_t hint = 0;
    uint32_t common = 0;
    uint64_t keys = 1;
    for (uint32_t key = item + 1; key < node.next; key = source_.tape.node(key + 1).next) {
      int member = source_.shapes.MemberOf(shape, source_.tape.Text(key), hint);
      if (member < 0) continue;
      hint = static_cast<size_t>(member) + 1;
      keys = MixHashes(keys, hint);
      uint32_t count = shape.members[static_cast<size_t>(member)].count;
      if (uint64_t{count} * kRareShare <= objects)
        Seen(MixHashes(shape_, 0x100 + hint), RowPriority::kOdd, RowPriority::kAgain);
      common += uint64_t{objects - count} * kRareShare <= objects;
    }
    Seen(keys, RowPriority::kShape, 0);
    if (common < CommonKeys(shape, objects))
      Seen(MixHashes(shape_, 0x1000 + common), RowPriority::kOdd, RowPriority::kAgain);
  }

  uint32_t CommonKeys(const JsonShape& shape, uint32_t objects) {
    if (common_keys_ == UINT32_MAX) {
      common_keys_ = 0;
      for (const JsonMember& member : shape.members)
        common_keys_ += uint64_t{objects - member.count} * kRareShare <= objects;
    }
    return common_keys_;
  }

  bool IsError(const JsonLeaf& leaf, const JsonShape& shape, std::string_view text) {
    std::string_view key = leaf.key == 0 ? std::string_view() : source_.tape.Inner(leaf.key);
    JsonType type = source_.tape.node(leaf.value).Type();
    bool quoted = type == JsonType::kString;
    if (SaysError(key, quoted ? text.substr(1, text.size() - 2) : text, quoted)) return true;
    return type == JsonType::kString && StringSignals(leaf, shape, text);
  }

  // A value of a column with few values is looked at once.
  bool StringSignals(const JsonLeaf& leaf, const JsonShape& shape, std::string_view text) {
    std::string_view inner = text.substr(1, text.size() - 2);
    if (!signals_anywhere_) return false;
    if (shape.distinct.many) return !rows_have_lines_ && SignalOf(inner.substr(0, 4096)) >= Signal::kError;
    std::vector<int8_t>& known = signals_[leaf.shape];
    known.resize(shape.distinct.entries.size(), -1);
    const ValueCounts::Entry* entry = shape.distinct.Find(HashText(text));
    if (entry == nullptr) return false;
    int8_t& signal = known[static_cast<size_t>(entry - shape.distinct.entries.data())];
    if (signal < 0) signal = SignalOf(inner.substr(0, 4096)) >= Signal::kError;
    return signal != 0;
  }

  // What the shared rules saw in the lines of the row; of use where a row has lines of its own.
  void LookAtLines(uint32_t item) {
    const Document& document = source_.document;
    const JsonNode& node = source_.tape.node(item);
    if (!signals_anywhere_ || !rows_have_lines_) return;
    uint32_t last = document.lines.LineAt(node.end - 1);
    for (uint32_t line = document.lines.LineAt(node.begin); line <= last; ++line) {
      if (document.signals[line] >= Signal::kError) {
        Seen(MaskedHash(document.Text(line)), RowPriority::kError, RowPriority::kAgain);
      }
    }
  }

  const JsonSource& source_;
  const std::vector<uint32_t>& items_;
  uint32_t shape_;
  int priority_ = 0;
  uint32_t common_keys_ = UINT32_MAX;
  bool rows_have_lines_ = false;              // then the shared rules have looked at each row
  bool signals_anywhere_ = false;             // the shared rules saw an error in some line
  std::vector<std::vector<int8_t>> signals_;  // by shape and distinct value: -1 not looked at yet
  SeenTemplates templates_;
  std::vector<JsonLeaf> leaves_;
};

}  // namespace

void LeavesOf(const JsonSource& source, uint32_t item, uint32_t shape, int depth, std::vector<JsonLeaf>& out) {
  const JsonNode& node = source.tape.node(item);
  if (!node.container()) {
    out.push_back({0, item, shape});
    return;
  }
  if (node.Type() != JsonType::kObject || depth == 0) return;
  const JsonShape& at = source.shapes.shape(shape);
  size_t hint = 0;
  for (uint32_t key = item + 1; key < node.next; key = source.tape.node(key + 1).next) {
    int member = source.shapes.MemberOf(at, source.tape.Text(key), hint);
    if (member < 0) continue;
    hint = static_cast<size_t>(member) + 1;
    uint32_t below = at.members[static_cast<size_t>(member)].shape;
    if (below == kNoShape) continue;
    if (source.tape.node(key + 1).container())
      LeavesOf(source, key + 1, below, depth - 1, out);
    else
      out.push_back({key, key + 1, below});
  }
}

std::vector<RankedRow> RankRows(const JsonSource& source, const std::vector<uint32_t>& items, uint32_t shape) {
  return RowRanker(source, items, shape).Rank();
}

}  // namespace pith
