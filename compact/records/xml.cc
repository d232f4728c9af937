// XML: feeds, reports, configuration, SVG. Where one kind of element makes up most of it, its elements are shown as
// records. Else it is shown by lines, shallow ones first, so that the structure stays and the depths give way.
#include <algorithm>
#include <unordered_map>

#include "compact/kinds.h"
#include "compact/records/xml_reader.h"

namespace pith {
namespace {

constexpr size_t kProbe = 32 << 10;
constexpr uint64_t kLeastShare = 40;  // percent of the bytes that records must cover

bool StartsWithTag(std::string_view text, std::string_view name) {
  if (!text.starts_with('<') || text.size() <= name.size()) return false;
  return KeyIs(text.substr(1, name.size()), std::span(&name, 1));
}

// Keeps the tape beside the records that point into it.
class XmlShaper : public Shaper {
 public:
  XmlShaper(std::unique_ptr<XmlTape> tape, std::unique_ptr<Shaper> shaper)
      : tape_(std::move(tape)), shaper_(std::move(shaper)) {}
  std::vector<Piece> Make(const Limit& limit) const override { return shaper_->Make(limit); }

 private:
  std::unique_ptr<XmlTape> tape_;
  std::unique_ptr<Shaper> shaper_;
};

// A line with a tag ranks by the depth of the element that starts in it; what names a thing stands out.
LinePlan Skeleton(const Document& document, const XmlTape& tape) {
  LinePlan plan(document);
  std::unordered_map<uint64_t, uint32_t> seen;  // names at their depth, never iterated
  for (const XmlElement& element : tape.elements()) {
    uint32_t line = document.lines.LineAt(element.begin);
    uint32_t again = ++seen[MixHashes(element.depth, HashText(tape.Name(element)))];
    std::string_view name = tape.Name(element);
    bool names = NameRank(name) != kNoName || name.ends_with("Id") || name.ends_with("Name");
    int rank = Rank::kUseful + 36 - 8 * static_cast<int>(std::min<uint32_t>(element.depth, 12)) - (again > 3 ? 24 : 0) +
               (names ? 30 : 0);
    plan.Raise(line, static_cast<uint8_t>(std::clamp(rank, 1, Rank::kSignal - 1)));
  }
  return plan;
}

}  // namespace

Evidence DetectXml(const Document& document) {
  std::string_view text = document.bytes.substr(0, kProbe);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  size_t at = text.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos || text[at] != '<') return {};
  text.remove_prefix(at);
  bool declared = text.starts_with("<?xml");
  bool whole = text.size() + at + 3 >= document.bytes.size();
  XmlTape tape(text);
  if (tape.elements().empty() || tape.elements().size() < 3) return {};
  std::string_view root = text.substr(tape.elements()[0].begin);
  if (StartsWithTag(root, "html") || StartsWithTag(text, "!doctype html")) return {};
  uint32_t open = whole ? 0 : 64;  // a cut sample leaves elements open
  if (tape.strays() > open + tape.elements().size() / 20) return {};
  if (declared) return {80, "an XML declaration"};
  bool root_covers = tape.elements()[0].next == tape.elements().size();
  return root_covers ? Evidence{60, "elements nested in one root"} : Evidence{};
}

std::unique_ptr<Shaper> ShapeXml(const Document& document) {
  auto tape = std::make_unique<XmlTape>(document.bytes);
  if (tape->elements().empty()) return nullptr;
  std::unique_ptr<Records> records = ReadXmlRecords(document, *tape, kLeastShare);
  if (!records) return ShapeLines(document, Skeleton(document, *tape));
  std::unique_ptr<Shaper> shaper = ShapeRecords(document, std::move(records));
  return std::make_unique<XmlShaper>(std::move(tape), std::move(shaper));
}

}  // namespace pith
