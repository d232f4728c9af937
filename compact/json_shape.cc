// One walk over the tape. Records of one kind come with their keys in one order nearly always, so the member after the
// one that was just found is tried first; only a miss searches. Everything kept is bounded: shapes, members of a shape,
// distinct values of a column. An object with very many keys is a map whose keys are data: its values share one shape.
#include "compact/json_shape.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace pith {
namespace {

bool IsWhole(std::string_view text) {
  return text.size() <= 17 &&
         text.find_first_not_of("0123456789", text.starts_with('-') ? 1 : 0) == std::string_view::npos;
}

int64_t WholeValue(std::string_view text) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void Count(JsonNumbers& numbers, uint32_t node, std::string_view text) {
  double value;
  if (IsWhole(text)) {
    int64_t whole = WholeValue(text);
    value = static_cast<double>(whole);
    if (numbers.whole && __builtin_add_overflow(numbers.whole_sum, whole, &numbers.whole_sum)) numbers.whole = false;
  } else {
    value = NumberValue(text);
    numbers.whole = false;
    if (!std::isfinite(value)) return;
  }
  if (numbers.count == 0 || value < numbers.minimum) numbers.minimum = value, numbers.least = node;
  if (numbers.count == 0 || value > numbers.maximum) numbers.maximum = value, numbers.greatest = node;
  ++numbers.count;
  numbers.sum += value;
  numbers.squares += value * value;
}

void Count(JsonDistinct& distinct, uint32_t node, std::string_view text) {
  if (distinct.many) return;
  uint64_t hash = HashText(text);
  for (JsonDistinct::Entry& entry : distinct.entries) {
    if (entry.hash == hash) {
      ++entry.count;
      return;
    }
  }
  if (distinct.entries.size() == JsonDistinct::kMost)
    distinct.many = true;
  else
    distinct.entries.push_back({hash, node, 1});
}

}  // namespace

uint64_t HashText(std::string_view text) {
  uint64_t hash = 0x9E3779B97F4A7C15ull ^ text.size();
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    hash = (hash ^ word) * 0xFF51AFD7ED558CCDull;
    hash ^= hash >> 32;
  }
  uint64_t rest = 0;
  for (size_t i = at; i < text.size(); ++i) rest = (rest << 8) | static_cast<unsigned char>(text[i]);
  hash = (hash ^ rest) * 0xC4CEB9FE1A85EC53ull;
  return hash ^ (hash >> 29);
}

double NumberValue(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc::result_out_of_range) return value;
  bool small = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
  double far = small ? 0 : std::numeric_limits<double>::infinity();
  return text.starts_with('-') ? -far : far;
}

const JsonDistinct::Entry* JsonDistinct::Find(uint64_t hash) const {
  for (const Entry& entry : entries)
    if (entry.hash == hash) return &entry;
  return nullptr;
}

JsonShapes::JsonShapes(const JsonTape& tape) : tape_(tape) {
  Add();
  for (uint32_t root : tape.roots()) Visit(root, 0, 0);
}

uint32_t JsonShapes::Add() {
  if (shapes_.size() >= kMostShapes) return kNoShape;
  shapes_.emplace_back();
  return size() - 1;
}

int JsonShapes::MemberOf(const JsonShape& shape, std::string_view key, size_t hint) const {
  size_t count = shape.members.size();
  if (hint < count && tape_.Text(shape.members[hint].key) == key) return static_cast<int>(hint);
  for (size_t i = 0; i < count; ++i)
    if (tape_.Text(shape.members[i].key) == key) return static_cast<int>(i);
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
        members.insert(members.begin() + static_cast<std::ptrdiff_t>(hint), {key, 0, added});
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
  if (tape_.node(node).Type() == JsonType::kNumber) Count(at.numbers, node, text);
  if (tape_.node(node).Type() == JsonType::kString) at.string_bytes += text.size() - 2;
  Count(at.distinct, node, text);
}

}  // namespace pith
