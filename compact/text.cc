// The general lines view, for output of which nothing more is known. Its head says what ran, its tail how it ended;
// between them a line whose template was seen often says little, a rare one much. So the first and last lines are
// useful, a template's first lines are useful, its later ones are noise; signals and matches of the query are raised by
// the engine.
#include <algorithm>
#include <unordered_map>

#include "compact/kinds.h"
#include "compact/templates.h"

namespace pith {
namespace {

constexpr uint32_t kHeadLines = 30, kTailLines = 40;
constexpr uint32_t kShownOfTemplate = 3;    // lines of one template that are useful
constexpr uint32_t kShortText = 200;        // lines; the edges of longer ones show no more than ...
constexpr uint32_t kAlikeAtEdge = 8;        // ... so many lines of one template,
constexpr uint32_t kLastLines = 10;         // but for the very last lines
constexpr size_t kMostTemplates = 1 << 16;  // beyond, every further template counts as seen

}  // namespace

std::unique_ptr<Shaper> ShapeText(const Document& document) {
  LinePlan plan(document);
  uint32_t count = document.line_count();
  std::unordered_map<uint64_t, uint32_t> seen;
  for (uint32_t line = 0; line < count; ++line) {
    if (line > 0 &&
        document.Text(line) == document.Text(line - 1)) {  // shown or not as the line above: it costs nothing
      plan.rank[line] = plan.rank[line - 1];
      continue;
    }
    bool edge = line < kHeadLines || line + kTailLines >= count;
    uint64_t hash = TemplateHash(document.Text(line));
    uint32_t times = kShownOfTemplate;
    if (seen.size() < kMostTemplates || seen.count(hash)) times = seen[hash]++;
    bool more_of_the_same = count > kShortText && times > kAlikeAtEdge && line + kLastLines < count;
    if (edge && !more_of_the_same) {
      plan.rank[line] = Rank::kUseful + 40;
    } else if (times < kShownOfTemplate) {
      plan.rank[line] = static_cast<uint8_t>(Rank::kUseful + 2 - times);
    }
  }
  return ShapeLines(document, std::move(plan));
}

}  // namespace pith
