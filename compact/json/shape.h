// What the values at one place of a JSON document have in common, over all of them: which keys, which types, which
// values, how large. "One place" is a path without its indices: $.items[*].name is one shape, however many items.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compact/begins.h"
#include "compact/json/tape.h"
#include "compact/records/columns.h"

namespace pith {

inline constexpr uint32_t kNoShape = UINT32_MAX;

struct JsonMember {
  uint32_t key = 0;    // node of the key where first seen
  uint32_t count = 0;  // objects that have it
  uint32_t shape = kNoShape;
  std::string_view text;  // of the key, with its quotes
};

struct JsonShape {
  uint32_t values = 0;
  uint32_t types[7] = {};
  std::vector<JsonMember> members;  // of objects, in the order of the text
  uint32_t others = kNoShape;       // shape of the values of objects with too many keys to tell apart
  uint32_t items = kNoShape;        // shape of the items of arrays
  ValueCounts distinct;             // of scalars
  NumberStats numbers;
  uint64_t string_bytes = 0;

  uint32_t Count(JsonType type) const { return types[static_cast<size_t>(type)]; }
  uint32_t scalars() const { return values - Count(JsonType::kObject) - Count(JsonType::kArray); }
  // All values are one scalar, written one way.
  bool constant() const { return scalars() == values && !distinct.many && distinct.entries.size() == 1; }
};

// Shapes of everything under the given roots. Linear in the tape; at most kMostShapes shapes and kDepth levels, what is
// beyond has none.
class JsonShapes {
 public:
  static constexpr uint32_t kMostShapes = 8192;
  static constexpr uint32_t kMostMembers = 256;  // of one shape
  static constexpr uint32_t kMapMembers = 64;    // an object with more is a map
  static constexpr int kDepth = 40;

  explicit JsonShapes(const JsonTape& tape);

  uint32_t root() const { return 0; }  // shape of the roots, taken as the items of one array
  const JsonShape& shape(uint32_t index) const { return shapes_[index]; }
  uint32_t size() const { return static_cast<uint32_t>(shapes_.size()); }

  // Index in shape.members of the member with this key, -1 if none. `hint` is where to look first.
  int MemberOf(const JsonShape& shape, std::string_view key, size_t hint) const {
    const bool hit = hint < shape.members.size() && SameText(shape.members[hint].text, key);
    return hit ? static_cast<int>(hint) : SearchMember(shape, key, hint);
  }

 private:
  static int SearchMember(const JsonShape& shape, std::string_view key, size_t hint);
  void Visit(uint32_t node, uint32_t shape, int depth);
  void VisitObject(uint32_t node, uint32_t shape, int depth);
  void VisitScalar(uint32_t node, uint32_t shape);
  uint32_t Add();

  const JsonTape& tape_;
  std::vector<JsonShape> shapes_;
};

}  // namespace pith
