// The table of kinds. Detection asks each row for evidence and takes the strongest; on a tie the earlier row wins, so
// kinds whose lines are easily taken for another's stand first (a log has path:line: in it, a search result no levels).
#include "compact/kinds.h"

#include <array>

namespace pith {
namespace {

constexpr KindRow kRows[] = {
    {Kind::kBinary, "binary", 0, nullptr, nullptr},
    {Kind::kBuild, "build", 88, &DetectBuild, &ShapeBuild},
    {Kind::kTestRun, "test_run", 92, &DetectTestRun, &ShapeTestRun},
    {Kind::kLog, "log", 90, &DetectLog, &ShapeLog},
    {Kind::kListing, "listing", 95, &DetectListing, &ShapeListing},
    {Kind::kPackage, "package", 86, &DetectPackage, &ShapePackage},
    {Kind::kText, "text", 0, nullptr, &ShapeText},
    {Kind::kJson, "json", 90, &DetectJson, &ShapeJson},
    {Kind::kJsonLines, "json_lines", 88, &DetectJsonLines, &ShapeJsonLines},
    {Kind::kXml, "xml", 80, &DetectXml, &ShapeXml},
    {Kind::kYaml, "yaml", 76, &DetectYaml, &ShapeYaml},
    {Kind::kTable, "table", 84, &DetectTable, &ShapeTable},
    {Kind::kSearch, "search", 98, &DetectSearch, &ShapeSearch},
    {Kind::kDiff, "diff", 96, &DetectDiff, &ShapeDiff},
    {Kind::kCode, "code", 70, &DetectCode, &ShapeCode},
    {Kind::kHtml, "html", 97, &DetectHtml, &ShapeHtml},
    {Kind::kMarkdown, "markdown", 85, &DetectMarkdown, &ShapeMarkdown},
};

}  // namespace

const KindRow& RowOf(Kind kind) {
  for (const KindRow& row : kRows)
    if (row.kind == kind) return row;
  return RowOf(Kind::kText);
}

std::vector<const KindRow*> AllKinds() {
  std::vector<const KindRow*> rows;
  for (const KindRow& row : kRows) rows.push_back(&row);
  return rows;
}

}  // namespace pith
