// One walk over the tape. Records of one kind come with their keys in one order nearly always, so the member after the
// one that was just found is tried first; only a miss searches. Everything kept is bounded: shapes, members of a shape,
// distinct values of a column. An object with very many keys is a map whose keys are data: its values share one shape.
#include "compact/json/shape.h"

#include <algorithm>

namespace pith {
JsonShapes::JsonShapes(const JsonTape& tape) : tape_(tape) {
  Add();
  for (uint32_t root : tape.roots()) Visit(root, 0, 0);
}

uint32_t JsonShapes::Add() {
  if (shapes_.size() >= kMostShapes) return kNoShape;
  shapes_.emplace_back();
  return size() - 1;
}

// A key that is not where it was looked for is mostly a little further on: others before it were left out.
int JsonShapes::SearchMember(const JsonShape& shape, std::string_view key, size_t hint) {
  const size_t count = shape.members.size(), from = std::min(hint, count);
  for (size_t step = 0; step < count; ++step) {
    const size_t i = from + step < count ? from + step : from + step - count;
    if (SameText(shape.members[i].text, key)) return static_cast<int>(i);
  }
  return -1;
}

void JsonShapes::Visit(uint32_t node, uint32_t shape, int depth) {
  const JsonNode& value = tape_.node(node);
  ++shapes_[shape].values;
  ++shapes_[shape].types[value.type];
  if (!value.container()) return VisitScalar(node, shape);
  if (depth >= kDepth) return;
  if (value.Type() == JsonType::kObject) return VisitObject(node, shape, depth);
  if (value.count == 0) return;
  if (shapes_[shape].items == kNoShape) {
    uint32_t added = Add();
    shapes_[shape].items = added;
  }
  uint32_t items = shapes_[shape].items;
  if (items == kNoShape) return;
  for (uint32_t item = node + 1; item < value.next; item = tape_.node(item).next) Visit(item, items, depth + 1);
}

void JsonShapes::VisitObject(uint32_t node, uint32_t shape, int depth) {
  const JsonNode& value = tape_.node(node);
  bool map = value.count > kMapMembers;
  size_t hint = 0;
  for (uint32_t key = node + 1; key < value.next; key = tape_.node(key + 1).next) {
    int found = map ? -1 : MemberOf(shapes_[shape], tape_.Text(key), hint);
    uint32_t below = kNoShape;
    if (found < 0 && (map || shapes_[shape].members.size() >= kMostMembers)) {
      if (shapes_[shape].others == kNoShape) {
        uint32_t added = Add();
        shapes_[shape].others = added;
      }
      below = shapes_[shape].others;
    } else {
      if (found < 0) {
        uint32_t added = Add();
        std::vector<JsonMember>& members = shapes_[shape].members;
        hint = std::min(hint, members.size());  // after the key before it, so that the order of all rows is kept
        members.insert(members.begin() + static_cast<std::ptrdiff_t>(hint), {key, 0, added, tape_.Text(key)});
        found = static_cast<int>(hint);
      }
      JsonMember& member = shapes_[shape].members[static_cast<size_t>(found)];
      ++member.count;
      below = member.shape;
      hint = static_cast<size_t>(found) + 1;
    }
    if (below != kNoShape) Visit(key + 1, below, depth + 1);
  }
}

void JsonShapes::VisitScalar(uint32_t node, uint32_t shape) {
  JsonShape& at = shapes_[shape];
  std::string_view text = tape_.Text(node);
  if (tape_.node(node).Type() == JsonType::kNumber) at.numbers.Count(text, node);
  if (tape_.node(node).Type() == JsonType::kString) at.string_bytes += text.size() - 2;
  at.distinct.Count(text, node);
}

}  // namespace pith
