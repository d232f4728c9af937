// The table of kinds. Detection asks each row for evidence and takes the strongest; on a tie the earlier row wins, so
// kinds whose lines are easily taken for another's stand first (a log has path:line: in it, a search result no levels).
#include "compact/kinds.h"

#include <array>

namespace pith {
namespace {

constexpr KindRow kRows[] = {
    {Kind::kBinary, "binary", nullptr, nullptr},
    {Kind::kBuild, "build", &DetectBuild, &ShapeBuild},
    {Kind::kTestRun, "test_run", &DetectTestRun, &ShapeTestRun},
    {Kind::kLog, "log", &DetectLog, &ShapeLog},
    {Kind::kListing, "listing", &DetectListing, &ShapeListing},
    {Kind::kPackage, "package", &DetectPackage, &ShapePackage},
    {Kind::kText, "text", &DetectText, &ShapeText},
    {Kind::kJson, "json", &DetectJson, &ShapeJson},
    {Kind::kJsonLines, "json_lines", &DetectJsonLines, &ShapeJsonLines},
    {Kind::kXml, "xml", &DetectXml, &ShapeXml},
    {Kind::kYaml, "yaml", &DetectYaml, &ShapeYaml},
    {Kind::kTable, "table", &DetectTable, &ShapeTable},
    {Kind::kSearch, "search", &DetectSearch, &ShapeSearch},
    {Kind::kDiff, "diff", &DetectDiff, &ShapeDiff},
    {Kind::kCode, "code", &DetectCode, &ShapeCode},
    {Kind::kHtml, "html", &DetectHtml, &ShapeHtml},
    {Kind::kMarkdown, "markdown", &DetectMarkdown, &ShapeMarkdown},
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
