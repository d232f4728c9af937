// How much of each value to show is decided top down. A value that fits its room is shown whole. An object divides its
// room among its members so that small ones are whole and large ones get equal shares of the rest; an array, and an
// object that is really a map, shows the items that say something (json_rows.h), names the others as far as there is
// room, and says of all of them how many, which values, how large. Strings lose their middle.
//
// Everything costs at most the room that it was given: what is inside a left-out value is never visited.
#include "compact/json/view.h"

#include <algorithm>

#include "compact/json/pieces.h"

namespace pith {
namespace {

constexpr int kDeepest = JsonShapes::kDepth - 2;
constexpr uint64_t kGapCost = 44;          // bytes that a gap's own text takes, about
constexpr uint64_t kLeastString = 60;      // of a string that is cut
constexpr uint64_t kSmallestTarget = 700;  // below this a view is short enough
constexpr uint64_t kShrink = 8;            // a partial view aims at this part of the original without blanks
constexpr uint32_t kMapMembers = 48;       // an object with more is sampled like an array
constexpr uint64_t kShortName = 24;        // mean bytes of a second column that is cited
constexpr uint64_t kMostNumbers = 40;      // left-out rows that are named by a number
constexpr uint64_t kMapKeysRoom = 1200;    // bytes for the keys of a map's members that are left out
constexpr uint64_t kKeysRoom = 2400;       // bytes for keys that stand only in what is left out

struct Item {
  uint32_t key = 0;  // node of a member's key, 0 for an item of an array
  uint32_t value = 0;
  uint32_t shape = kNoShape;  // of the value
};

class Viewer {
 public:
  Viewer(const JsonSource& source, const JsonParts& parts, const Limit& limit)
      : source_(source), tape_(source.tape), parts_(parts), limit_(limit), out_(source.document, 0) {
    one_document_ = tape_.roots().size() == 1 && parts.foreign.empty();
  }

  std::vector<Piece> Make() {
    uint64_t whole = MinifiedSize(0, tape_.size(), limit_.soft * kShrink * 2);
    uint64_t target = limit_.soft;
    if (!limit_.fill) target = std::clamp(whole / kShrink, std::min(kSmallestTarget, target), target);
    std::vector<Piece> lossless;
    uint64_t lossless_size = UINT64_MAX;
    if (whole <= target * 12) lossless = Lossless(lossless_size);
    if (lossless_size <= target) return lossless;
    Roots(target);
    UnseenKeys(std::min(kKeysRoom, target));
    std::vector<Piece> partial = out_.Finish(end_);
    bool worth = out_.size() * 5 <= lossless_size * 4;  // what is left out must pay for being left out
    return worth || lossless_size > limit_.hard ? std::move(partial) : std::move(lossless);
  }

 private:
  // -- sizes

  // Bytes that nodes first..last take without blanks, or something above `enough`.
  uint64_t MinifiedSize(uint32_t first, uint32_t last, uint64_t enough) const {
    uint64_t size = 0;
    for (uint32_t i = first; i < last && size <= enough; ++i) {
      size += tape_.node(i).container() ? 3 : tape_.node(i).size() + 1;
    }
    return size;
  }
  uint64_t SizeOf(uint32_t node, uint64_t enough) const { return MinifiedSize(node, tape_.node(node).next, enough); }

  // -- whole values

  // The whole original, tables included, and how many bytes that takes.
  std::vector<Piece> Lossless(uint64_t& size) {
    JsonPieces kept(source_.document, 0);
    std::swap(kept, out_);
    RootsWhole();
    std::vector<Piece> pieces = out_.Finish(end_);
    size = out_.size();
    std::swap(kept, out_);
    shown_in_tables_.clear();
    next_foreign_ = 0;
    return pieces;
  }

  void RootsWhole() {
    std::vector<Item> items = RootItems();
    if (parts_.foreign.empty() && items.size() >= 3 && PutTable(items, source_.shapes.root(), {0, end_})) return;
    for (const Item& item : items) {
      QuoteForeign(tape_.node(item.value).begin);
      ShowWhole(item.value, item.shape, 0);
      out_.BreakLine();
    }
    QuoteForeign(end_);
  }

  // The lines up to `end` that are no JSON, as they are.
  void QuoteForeign(uint64_t end) {
    for (; next_foreign_ < parts_.foreign.size() && parts_.foreign[next_foreign_].begin < end; ++next_foreign_) {
      out_.Put(Quote(parts_.foreign[next_foreign_]), true);
      out_.BreakLine();
    }
  }

  // A value with nothing left out, arrays of records in it as tables.
  void ShowWhole(uint32_t node, uint32_t shape, int depth) {
    const JsonNode& value = tape_.node(node);
    if (value.container() && shape != kNoShape && depth < kDeepest && value.size() > 160) {
      if (value.Type() == JsonType::kArray)
        ArrayWhole(node, shape, depth);
      else
        for (const Item& item : MembersOf(node, shape)) ShowWhole(item.value, item.shape, depth + 1);
    }
    out_.ShowUpTo(value.end);
  }

  void ArrayWhole(uint32_t node, uint32_t shape, int depth) {
    uint32_t below = source_.shapes.shape(shape).items;
    std::vector<Item> items = ItemsOf(node, below);
    const JsonNode& value = tape_.node(node);
    if (items.size() >= 3 && PutTable(items, below, {value.begin + 1ull, value.end - 1ull})) return;
    for (const Item& item : items) ShowWhole(item.value, below, depth + 1);
  }

  // All items as a table, when that is worth it. `span` is what the rows own.
  bool PutTable(const std::vector<Item>& items, uint32_t shape, Span span) {
    if (shape == kNoShape) return false;
    JsonSchema schema = SchemaOf(tape_, source_.shapes, shape);
    if (schema.form != JsonSchema::Form::kTuple) return false;
    std::string schema_text = SchemaText(schema);
    std::string text = TableHeader(items.size(), schema_text);
    uint64_t plain = MinifiedSize(items.front().value, tape_.node(items.back().value).next, UINT64_MAX);
    for (const Item& item : items) {
      text += '\n';
      AppendRow(tape_, item.value, schema, text);
      if (text.size() + 40 > plain) return false;
    }
    KeysShown(schema);
    out_.PutRows(span, std::move(text), "");
    return true;
  }

  void KeysShown(const JsonSchema& schema) {
    // Keys are borrowed from the document, where the shapes first saw them; the schema's own text does not last.
    for (const JsonField& field : schema.fields) {
      shown_in_tables_.push_back(field.key);
      for (const JsonSchema& below : field.value) KeysShown(below);
    }
    for (const JsonSchema& below : schema.items) KeysShown(below);
  }

  // -- partial values

  void Roots(uint64_t room) {
    std::vector<Item> items = RootItems();
    if (items.size() == 1) {
      QuoteForeign(tape_.node(items[0].value).begin);
      Value(items[0], room, 0);
      out_.BreakLine();
    } else {
      Sequence(items, source_.shapes.root(), room, 0);
    }
    QuoteForeign(end_);
  }

  void Value(const Item& item, uint64_t room, int depth) {
    const JsonNode& value = tape_.node(item.value);
    if (SizeOf(item.value, room) <= room || value.count == 0) {
      if (value.container() || value.size() <= room) return ShowWhole(item.value, item.shape, depth);
      return CutScalar(item.value, room);
    }
    if (depth >= kDeepest || item.shape == kNoShape || room < kGapCost) return LeaveOut(item.value);
    const JsonShape& at = source_.shapes.shape(item.shape);
    if (value.Type() == JsonType::kArray) {
      out_.ShowUpTo(value.begin + 1ull);
      Sequence(ItemsOf(item.value, at.items), at.items, room, depth);
    } else {
      std::vector<Item> members = MembersOf(item.value, item.shape);
      bool ambiguous = HasTwins(members);  // a path through a key that stands twice would not name one place
      ambiguous_ += ambiguous;
      if (value.count > kMapMembers || value.count * kGapCost > room * 2) {
        out_.ShowUpTo(value.begin + 1ull);
        Sequence(members, value.count > JsonShapes::kMapMembers ? at.others : kNoShape, room, depth);
      } else {
        Object(members, room, depth);
      }
      ambiguous_ -= ambiguous;
    }
    out_.ShowUpTo(value.end);
  }

  bool HasTwins(const std::vector<Item>& members) const {
    std::unordered_set<std::string_view> keys;
    for (const Item& member : members)
      if (!keys.insert(tape_.Text(member.key)).second) return true;
    return false;
  }

  bool PathsNameOnePlace() const { return one_document_ && ambiguous_ == 0; }

  void LeaveOut(uint32_t node) {
    const JsonNode& value = tape_.node(node);
    std::string_view noun = value.Type() == JsonType::kArray ? "items" : "members";
    if (PathsNameOnePlace()) return out_.Put(GapOfJson(value.span(), path_, value.count, noun), false);
    out_.Put(GapOfBytes(value.span()), false);
    out_.Say(Note(" (" + Counted(value.count, noun) + ")"), false);
  }

  // A string without its end; a number of absurd length not at all.
  void CutScalar(uint32_t node, uint64_t room) {
    const JsonNode& value = tape_.node(node);
    uint64_t keep = std::max(room, kLeastString);
    if (value.size() <= keep + kGapCost) return out_.ShowUpTo(value.end);
    if (value.Type() != JsonType::kString) return out_.Put(GapOfBytes(value.span()), false);
    Span head = {value.begin, CutBefore(value.begin, value.begin + keep)};
    out_.Put(Quote(head), false);
    out_.Put(GapOfBytes({head.end, value.end - 1ull}), false);
    out_.Put(Quote({value.end - 1ull, value.end}), false);
  }

  // The last place up to `at` that splits neither a character nor an escape of the string that begins at `begin`.
  uint64_t CutBefore(uint64_t begin, uint64_t at) const {
    std::string_view bytes = tape_.bytes();
    while (at > begin + 1 && (static_cast<unsigned char>(bytes[at]) & 0xC0) == 0x80) --at;
    for (uint64_t back = at; back > begin && at - back < 6; --back) {
      if (bytes[back - 1] != '\\') continue;
      uint64_t slashes = 1;
      while (back - 1 - slashes > begin && bytes[back - 1 - slashes] == '\\') ++slashes;
      bool opens = slashes % 2 == 1;
      uint64_t length = bytes[back] == 'u' ? 6 : 2;
      if (opens && back - 1 + length > at) return back - 1;
      break;
    }
    return at;
  }

  void Object(const std::vector<Item>& members, uint64_t room, int depth) {
    uint64_t level = Level(members, room);
    for (const Item& member : members) {
      size_t before = path_.size();
      path_ += JsonPathStep(tape_.Inner(member.key));
      Value(member, level, depth + 1);
      path_.resize(before);
    }
  }

  // The share of each member such that small ones are whole and all together fit.
  uint64_t Level(const std::vector<Item>& members, uint64_t room) const {
    std::vector<uint64_t> sizes;
    uint64_t left = room;
    for (const Item& member : members) {
      sizes.push_back(SizeOf(member.value, room));
      left -= std::min<uint64_t>(left, tape_.node(member.key).size() + 2);
    }
    std::sort(sizes.begin(), sizes.end());
    for (size_t i = 0; i < sizes.size(); ++i) {
      uint64_t share = left / (sizes.size() - i);
      if (sizes[i] > share) return share;
      left -= sizes[i];
    }
    return room;
  }

  // -- sequences: items of an array, members of a map, roots

  void Sequence(const std::vector<Item>& items, uint32_t shape, uint64_t room, int depth) {
    std::vector<uint32_t> values;
    values.reserve(items.size());
    for (const Item& item : items) values.push_back(item.value);
    std::vector<RankedRow> ranked = RankRows(source_, values, shape);
    bool scalars = !tape_.node(values[0]).container();
    uint64_t row_room = RowRoom(ranked, room);
    std::vector<bool> shown = Choose(values, ranked, room, row_room, scalars);
    std::vector<JsonColumn> names = NamesFor(items, shape, room, shown);
    bool roots = IsRoot(items[0]);
    for (size_t i = 0; i < items.size();) {
      if (roots) QuoteForeign(tape_.node(items[i].value).begin);
      if (shown[i]) {
        out_.ShowUpTo(BeginOf(items[i]));
        if (!scalars) out_.BreakLine();
        ShowItem(items[i], i, row_room, depth);
        ++i;
        continue;
      }
      size_t end = i;
      while (end < items.size() && !shown[end] && (end == i || !roots || !ForeignBefore(items[end]))) ++end;
      Omit(items, i, end, !scalars);
      Names(items, i, end, shape, room, names);
      i = end;
    }
    uint64_t for_statistics = room / 5;
    if (items.size() >= 8 && for_statistics >= 60) {
      std::string statistics = ColumnStatistics(source_, shape, items.size(), std::min<uint64_t>(for_statistics, 1200));
      if (!statistics.empty()) out_.Say(Note(std::move(statistics)), true);
      if (!statistics.empty() || !scalars) out_.BreakLine();
    }
  }

  uint64_t BeginOf(const Item& item) const { return tape_.node(item.key != 0 ? item.key : item.value).begin; }

  bool IsRoot(const Item& item) const { return item.value == tape_.roots().front() && tape_.roots().size() > 1; }

  bool ForeignBefore(const Item& item) const {
    return next_foreign_ < parts_.foreign.size() && parts_.foreign[next_foreign_].begin < tape_.node(item.value).begin;
  }

  void ShowItem(const Item& item, size_t ordinal, uint64_t room, int depth) {
    size_t before = path_.size();
    path_ += item.key != 0 ? JsonPathStep(tape_.Inner(item.key)) : "[" + std::to_string(ordinal) + "]";
    Value(item, room, depth + 1);
    path_.resize(before);
  }

  // Room for each shown item: whole where they are small, else shares for those that must be shown.
  uint64_t RowRoom(const std::vector<RankedRow>& ranked, uint64_t room) const {
    uint64_t must = 0;
    for (const RankedRow& row : ranked) must += row.priority >= RowPriority::kMust;
    uint64_t rows = std::clamp<uint64_t>(must, 2, 8);
    return std::max<uint64_t>(room * 11 / 20 / rows, 120);
  }

  std::vector<bool> Choose(const std::vector<uint32_t>& values, const std::vector<RankedRow>& ranked, uint64_t room,
                           uint64_t row_room, bool scalars) const {
    std::vector<bool> shown(values.size());
    uint64_t spent = 0;
    uint64_t useful = room * 11 / 20, most = std::min(limit_.hard / 2, room * 3);
    for (const RankedRow& row : ranked) {
      uint64_t cost = std::min(SizeOf(values[row.ordinal], row_room), row_room) + kGapCost;
      uint64_t allowed = row.priority >= RowPriority::kError  ? most
                         : row.priority >= RowPriority::kMust ? room
                                                              : useful;
      if (spent + cost > allowed && spent > 0) continue;
      spent += cost;
      shown[row.ordinal] = true;
    }
    for (size_t i = 0; scalars && i < values.size() && spent < useful; ++i) {
      if (shown[i]) continue;
      uint64_t cost = std::min(SizeOf(values[i], row_room), row_room);
      if (spent + cost > useful) break;
      spent += cost;
      shown[i] = true;
    }
    return shown;
  }

  void Omit(const std::vector<Item>& items, size_t first, size_t end, bool own_line) {
    Span span = {BeginOf(items[first]), tape_.node(items[end - 1].value).end};
    uint64_t count = end - first;
    bool roots = IsRoot(items[0]);
    if (roots && parts_.by_lines) {
      const LineIndex& lines = source_.document.lines;
      Piece gap = GapOfLines(source_.document, lines.LineAt(span.begin), lines.LineAt(span.end - 1), "records");
      gap.count = count;
      return out_.Put(std::move(gap), true);
    }
    if (roots || items[first].key != 0 || !PathsNameOnePlace()) {
      out_.Put(GapOfBytes(span), own_line);
      return out_.Say(Note(" (" + Counted(count, items[first].key != 0 ? "members" : "items") + ")"), false);
    }
    std::string path = path_ + "[" + std::to_string(first) + (count == 1 ? "" : ":" + std::to_string(end)) + "]";
    out_.Put(GapOfJson(span, std::move(path), count), own_line);
  }

  // -- names of what is left out

  // The columns whose values are cited for each left-out item; none when there are too many for the room.
  std::vector<JsonColumn> NamesFor(const std::vector<Item>& items, uint32_t shape, uint64_t room,
                                   const std::vector<bool>& shown) const {
    uint64_t hidden = static_cast<uint64_t>(std::count(shown.begin(), shown.end(), false));
    uint64_t most = std::min(room * 2, std::max(room, limit_.soft * 3 / 4));
    std::vector<JsonColumn> chosen;
    if (items[0].key != 0) return chosen;
    for (JsonColumn& column : IdentityColumns(source_, shape)) {
      uint64_t cost = hidden * (column.mean_size + 2);
      if (cost > most) break;
      if (chosen.empty() && column.number && hidden > kMostNumbers) break;  // a run of ids tells nobody anything
      if (!chosen.empty() && column.mean_size > kShortName) continue;
      chosen.push_back(std::move(column));
      if (chosen.size() == 2) break;
      most = std::min(most - cost, room / 2);
    }
    return chosen;
  }

  void Names(const std::vector<Item>& items, size_t first, size_t end, uint32_t shape, uint64_t room,
             const std::vector<JsonColumn>& columns) {
    if (items[first].key != 0) return KeyNames(items, first, end, room);
    if (columns.empty()) return;
    std::string label = " ";
    for (size_t i = 0; i < columns.size(); ++i) label += (i > 0 ? " " : "") + columns[i].label;
    out_.Say(Note(columns[0].label.empty() ? " " : label + ": "), false);
    std::vector<JsonLeaf> leaves;
    for (size_t i = first; i < end; ++i) {
      leaves.clear();
      LeavesOf(source_, items[i].value, shape, 3, leaves);
      bool any = false;
      for (const JsonColumn& column : columns) {
        for (const JsonLeaf& leaf : leaves) {
          if (leaf.shape != column.shape) continue;
          out_.Say(Note(any ? " " : i > first ? ", " : ""), false);
          CiteValue(leaf.value);
          any = true;
        }
      }
    }
  }

  // Keys of left-out members that the view has not shown yet.
  void KeyNames(const std::vector<Item>& items, size_t first, size_t end, uint64_t room) {
    room = std::max(room, kMapKeysRoom);
    uint64_t unsaid = 0;
    bool any = false;
    for (size_t i = first; i < end; ++i) {
      std::string_view key = tape_.Text(items[i].key);
      if (out_.keys().contains(key)) continue;
      if (key.size() + 2 > room) {
        ++unsaid;
        continue;
      }
      room -= key.size() + 2;
      out_.Say(Note(any ? ", " : ": "), false);
      any = true;
      CiteValue(items[i].key);
      out_.KeyShown(key);
    }
    if (unsaid > 0) out_.Say(Note((any ? ", and " : ": ") + std::to_string(unsaid) + " more"), false);
  }

  // A string without its quotes where it is one word.
  void CiteValue(uint32_t node) {
    Span span = tape_.node(node).span();
    bool string = tape_.node(node).Type() == JsonType::kString;
    if (string && span.size() > 2 && tape_.Text(node).find_first_of(" ,\\") == std::string_view::npos)
      span = {span.begin + 1, span.end - 1};
    out_.Say(Cite(span), false);
  }

  // Keys that no shown part has, so that every key is in the view.
  void UnseenKeys(uint64_t room) {
    std::unordered_set<std::string_view> seen = out_.keys();
    for (const std::string& key : shown_in_tables_) seen.insert(key);
    bool any = false;
    uint64_t unsaid = 0;
    for (uint32_t i = 0; i < source_.shapes.size(); ++i) {
      for (const JsonMember& member : source_.shapes.shape(i).members) {
        std::string_view key = tape_.Text(member.key);
        if (!seen.insert(key).second) continue;
        if (key.size() + 2 > room) {
          ++unsaid;
          continue;
        }
        room -= key.size() + 2;
        if (!any) out_.ShowUpTo(end_);
        out_.Say(Note(any ? ", " : "[keys only in what is omitted: "), !any);
        CiteValue(member.key);
        any = true;
      }
    }
    if (any) out_.Say(Note(unsaid > 0 ? ", and " + std::to_string(unsaid) + " more]" : "]"), false);
  }

  // -- walking

  std::vector<Item> MembersOf(uint32_t node, uint32_t shape) const {
    const JsonShape& at = source_.shapes.shape(shape);
    bool map = tape_.node(node).count > JsonShapes::kMapMembers;
    std::vector<Item> items;
    size_t hint = 0;
    for (uint32_t key = node + 1; key < tape_.node(node).next; key = tape_.node(key + 1).next) {
      int member = map ? -1 : source_.shapes.MemberOf(at, tape_.Text(key), hint);
      if (member >= 0) hint = static_cast<size_t>(member) + 1;
      items.push_back({key, key + 1, member >= 0 ? at.members[static_cast<size_t>(member)].shape : at.others});
    }
    return items;
  }
  std::vector<Item> ItemsOf(uint32_t node, uint32_t shape) const {
    std::vector<Item> items;
    items.reserve(tape_.node(node).count);
    for (uint32_t item = node + 1; item < tape_.node(node).next; item = tape_.node(item).next)
      items.push_back({0, item, shape});
    return items;
  }
  std::vector<Item> RootItems() const {
    std::vector<Item> items;
    for (uint32_t root : tape_.roots()) items.push_back({0, root, source_.shapes.root()});
    return items;
  }

  const JsonSource& source_;
  const JsonTape& tape_;
  const JsonParts& parts_;
  const Limit& limit_;
  JsonPieces out_;
  uint64_t end_ = source_.document.bytes.size();
  bool one_document_ = true;
  int ambiguous_ = 0;  // objects around here in which a key stands twice
  size_t next_foreign_ = 0;
  std::string path_ = "$";
  std::vector<std::string> shown_in_tables_;
};

}  // namespace

std::vector<Piece> JsonView(const JsonSource& source, const JsonParts& parts, const Limit& limit) {
  return Viewer(source, parts, limit).Make();
}

}  // namespace pith
