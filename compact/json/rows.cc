// A sample that only takes the first and the last rows tells a reader that all is well. So each row is asked what it
// has that others lack: every scalar, those in arrays within the row too, is held against what the shape of its place
// says of all rows, and so is every key. What it finds is a
// template (this column has this value; an error of this wording), and the first row of each template is worth more
// than the hundredth. One pass over the rows, a bounded table of templates.
#include "compact/json/rows.h"

#include <algorithm>

#include "compact/query.h"

namespace pith {
namespace {

constexpr int kLeafDepth = 6;       // objects and arrays within a row
constexpr double kFarAway = 4;      // standard deviations
constexpr uint8_t kLooks = 8;       // rows of one value that may be shown: of an error all of them
constexpr uint8_t kRareRows = 3;    // of a rare one
constexpr size_t kLookedAt = 4096;  // bytes of a string in which words are looked for

class RowRanker {
 public:
  RowRanker(const JsonSource& source, const std::vector<uint32_t>& items, uint32_t shape)
      : source_(source),
        items_(items),
        shape_(shape),
        columns_(source.shapes.size()),
        columns_below_(source.shapes.size()),
        parents_(source.shapes.size(), kNoShape) {
    const Document& document = source.document;
    rows_have_lines_ = document.line_count() >= items.size();
    signals_anywhere_ = std::any_of(document.signals.begin(), document.signals.end(),
                                    [](Signal signal) { return signal >= Signal::kError; });
    if (shape != kNoShape) CountColumns(shape, kLeafDepth);
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
    if (columns_below_[shape_] > 0) LookInto({0, item, shape_}, kLeafDepth);
    LookAtKeys(item);
  }

  // A column of which nothing more can stand out: no need to go where there are only such.
  void Settle(uint32_t shape) {
    for (; shape != kNoShape; shape = parents_[shape]) --columns_below_[shape];
  }

  // Each scalar of a row, down to `depth` objects and arrays.
  void LookInto(const JsonLeaf& at, int depth) {
    const JsonNode& node = source_.tape.node(at.value);
    if (!node.container()) return LookAtLeaf(at);
    if (depth == 0) return;
    const JsonShape& shape = source_.shapes.shape(at.shape);
    if (node.Type() == JsonType::kArray) {
      if (shape.items == kNoShape || columns_below_[shape.items] == 0) return;
      for (uint32_t item = at.value + 1; item < node.next; item = source_.tape.node(item).next) {
        LookInto({at.key, item, shape.items}, depth - 1);
      }
      return;
    }
    size_t hint = 0;
    for (uint32_t key = at.value + 1; key < node.next; key = source_.tape.node(key + 1).next) {
      const int index = source_.shapes.MemberOf(shape, source_.tape.Text(key), hint);
      if (index < 0) continue;
      hint = static_cast<size_t>(index) + 1;
      const JsonMember& member = shape.members[static_cast<size_t>(index)];
      if (depth < kLeafDepth && IsRareKey(shape, member)) {
        Seen(MixHashes(member.shape, 0xF0), RowPriority::kOdd, RowPriority::kAgain);
      }
      if (member.shape != kNoShape && columns_below_[member.shape] > 0)
        LookInto({key, key + 1, member.shape}, depth - 1);
    }
  }

  static bool IsRareKey(const JsonShape& shape, const JsonMember& member) {
    const uint32_t objects = shape.Count(JsonType::kObject);
    return objects >= kEnoughValues && uint64_t{member.count} * kRareShare <= objects;
  }

  // What LookInto may find below `shape`, at most: shapes that hold scalars, and keys that are rare within a row.
  uint32_t CountColumns(uint32_t shape, int depth) {
    const JsonShape& at = source_.shapes.shape(shape);
    uint32_t columns = at.scalars() > 0 ? 1 : 0;
    const auto add = [&](uint32_t below) {
      if (below == kNoShape || depth == 0) return;
      parents_[below] = shape;
      columns += CountColumns(below, depth - 1);
    };
    for (const JsonMember& member : at.members) {
      add(member.shape);
      columns += depth > 0 && depth < kLeafDepth && IsRareKey(at, member);
    }
    add(at.items);
    return columns_below_[shape] = columns;
  }

  // What there is to look for in a column, worked out at its first value.
  struct Column {
    bool ready = false;
    bool skip = false;         // nothing: no value of it can stand out
    bool key_matters = false;  // "error", "ok", "status"
    bool rare_types = false;
    double low = 0, high = 0;  // numbers beyond are outliers
    struct Value {
      bool error = false, rare = false;
      uint8_t seen = 0;
    };
    std::vector<Value> values;  // of shape.distinct, where these are few
    size_t done = 0;            // of those: seen as often as it matters
  };

  Column& ColumnOf(const JsonLeaf& leaf) {
    Column& column = columns_[leaf.shape];
    if (!column.ready) {
      MakeColumn(leaf, source_.shapes.shape(leaf.shape), column);
      if (column.skip) Settle(leaf.shape);
    }
    return column;
  }

  void MakeColumn(const JsonLeaf& leaf, const JsonShape& shape, Column& column) {
    column.ready = true;
    column.key_matters = leaf.key != 0 && MaySayError(source_.tape.Inner(leaf.key));
    for (uint32_t count : shape.types) {
      column.rare_types |= count > 0 && shape.values >= kEnoughValues && uint64_t{count} * kRareShare <= shape.values;
    }
    double spread = kFarAway * shape.numbers.Deviation();
    column.low = shape.numbers.Mean() - spread;
    column.high = shape.numbers.Mean() + spread;
    bool outliers =
        shape.numbers.count > 0 && (shape.numbers.minimum < column.low || shape.numbers.maximum > column.high);
    bool words = shape.Count(JsonType::kString) > 0 && signals_anywhere_ && !rows_have_lines_;
    if (shape.constant())
      column.skip = true;
    else if (shape.distinct.many)
      column.skip = !column.key_matters && !column.rare_types && !outliers && !words;
    else
      for (const ValueCounts::Entry& entry : shape.distinct.entries)
        column.values.push_back(ValueOf(leaf, shape, entry));
  }

  Column::Value ValueOf(const JsonLeaf& leaf, const JsonShape& shape, const ValueCounts::Entry& entry) const {
    Column::Value value;
    value.error = IsError(leaf, entry.where, signals_anywhere_);
    value.rare = IsRareValue(entry.count, shape.values, shape.distinct, shape.numbers);
    return value;
  }

  void LookAtLeaf(const JsonLeaf& leaf) {
    Column& column = ColumnOf(leaf);
    if (column.skip) return;
    const JsonShape& shape = source_.shapes.shape(leaf.shape);
    const JsonNode& node = source_.tape.node(leaf.value);
    std::string_view text = source_.tape.Text(leaf.value);
    if (column.rare_types && uint64_t{shape.types[node.type]} * kRareShare <= shape.values) {
      Seen(MixHashes(leaf.shape, node.type + 1), RowPriority::kOdd, RowPriority::kAgain);
    }
    if (!shape.distinct.many) return LookAtFew(leaf, shape, column, text);
    if (IsError(leaf, leaf.value, signals_anywhere_ && !rows_have_lines_)) {
      Seen(MixHashes(leaf.shape, MaskedHash(text)), RowPriority::kError, RowPriority::kAgain);
    }
    if (node.Type() == JsonType::kNumber && shape.values >= kEnoughValues) {
      double value = NumberValue(text);
      if (value < column.low || value > column.high)
        Seen(MixHashes(leaf.shape, 0xE0), RowPriority::kOdd, RowPriority::kAgain);
    }
  }

  // A value of a column that has few: the first with it is its exemplar.
  void LookAtFew(const JsonLeaf& leaf, const JsonShape& shape, Column& column, std::string_view text) {
    const ValueCounts::Entry* entry = shape.distinct.Find(HashText(text));
    if (entry == nullptr) return;
    Column::Value& value = column.values[static_cast<size_t>(entry - shape.distinct.entries.data())];
    if (value.seen >= kLooks) return;
    if (value.error) Seen(MixHashes(leaf.shape, MaskedHash(text)), RowPriority::kError, RowPriority::kAgain);
    column.done += ++value.seen == kLooks;
    column.skip = column.done == column.values.size();
    if (column.skip) Settle(leaf.shape);
    if (value.rare && value.seen <= kRareRows)
      Raise(value.seen == 1 ? RowPriority::kOdd : RowPriority::kAgain);
    else if (value.seen == 1 && shape.distinct.entries.size() <= kExemplars && shape.values >= kEnoughValues)
      Raise(RowPriority::kValue);
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
    if (same_keys_) return;  // as in the row before and in all others
    same_keys_ = std::all_of(shape.members.begin(), shape.members.end(),
                             [&](const JsonMember& member) { return member.count == objects; });
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

  bool IsError(const JsonLeaf& leaf, uint32_t node, bool look_at_words) const {
    std::string_view text = source_.tape.Text(node);
    bool quoted = source_.tape.node(node).Type() == JsonType::kString;
    if (quoted) text = text.substr(1, text.size() - 2);
    if (leaf.key != 0 && SaysError(source_.tape.Inner(leaf.key), text, quoted)) return true;
    if (!quoted || !look_at_words) return false;
    const auto begin = static_cast<size_t>(text.data() - source_.tape.bytes().data());
    return SignalWithinText(source_.tape.bytes(), begin, begin + std::min(text.size(), kLookedAt)) >= Signal::kError;
  }

  // What the shared rules saw in the lines of the row; of use where a row has lines of its own.
  void LookAtLines(uint32_t item) {
    const Document& document = source_.document;
    const JsonNode& node = source_.tape.node(item);
    if (!signals_anywhere_ || !rows_have_lines_) return;
    line_ = document.lines.LineNear(node.begin, line_);
    const uint32_t first = line_, last = document.lines.LineNear(node.end - 1, first);
    for (uint32_t line = first; line <= last; ++line) {
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
  bool same_keys_ = false;               // each object has each key
  bool rows_have_lines_ = false;         // then the shared rules have looked at each row
  bool signals_anywhere_ = false;        // the shared rules saw an error in some line
  std::vector<Column> columns_;          // by shape
  std::vector<uint32_t> columns_below_;  // by shape: those in which a value may still stand out
  std::vector<uint32_t> parents_;        // by shape; kNoShape of the rows' own
  SeenTemplates templates_;
  uint32_t line_ = 0;  // where the row looked at last begins
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
