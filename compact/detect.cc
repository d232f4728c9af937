// Which kind an original is. Hints first where they are sure (the caller named the kind, a mime type), else structure:
// each kind looks for its own evidence, and what the command or the path suggests is a bonus, never a verdict, since
// `pytest` may die before it prints a test and a .json file may hold an error page.
#include <algorithm>
#include <array>

#include "compact/kinds.h"

namespace pith {
namespace {

constexpr int kCommandBonus = 35;  // the command's rule names the kind
constexpr int kPathBonus = 25;     // the path's ending or the mime type does
constexpr int kEnough = 30;        // below this nothing is shown: plain text

// The order in which kinds are asked, those first that know themselves at a glance: once one of them is found that no
// other can beat, the others need not look.
constexpr auto kAsked = std::to_array<Kind>({Kind::kJson, Kind::kHtml, Kind::kXml, Kind::kJsonLines, Kind::kDiff,
                                             Kind::kListing, Kind::kSearch, Kind::kLog, Kind::kYaml, Kind::kPackage,
                                             Kind::kMarkdown, Kind::kCode, Kind::kTable, Kind::kBuild, Kind::kTestRun});
static_assert(kAsked.size() == kKindCount - 2, "all but text and binary");

struct EndingRow {
  std::string_view ending;
  Kind kind;
};
constexpr EndingRow kEndings[] = {
    {".json", Kind::kJson},         {".geojson", Kind::kJson}, {".ipynb", Kind::kJson}, {".jsonl", Kind::kJsonLines},
    {".ndjson", Kind::kJsonLines},  {".csv", Kind::kTable},    {".tsv", Kind::kTable},  {".yaml", Kind::kYaml},
    {".yml", Kind::kYaml},          {".toml", Kind::kYaml},    {".xml", Kind::kXml},    {".svg", Kind::kXml},
    {".html", Kind::kHtml},         {".htm", Kind::kHtml},     {".xhtml", Kind::kHtml}, {".md", Kind::kMarkdown},
    {".markdown", Kind::kMarkdown}, {".rst", Kind::kMarkdown}, {".log", Kind::kLog},    {".diff", Kind::kDiff},
    {".patch", Kind::kDiff},        {".c", Kind::kCode},       {".h", Kind::kCode},     {".cc", Kind::kCode},
    {".cpp", Kind::kCode},          {".cxx", Kind::kCode},     {".hpp", Kind::kCode},   {".rs", Kind::kCode},
    {".go", Kind::kCode},           {".java", Kind::kCode},    {".cs", Kind::kCode},    {".kt", Kind::kCode},
    {".swift", Kind::kCode},        {".js", Kind::kCode},      {".mjs", Kind::kCode},   {".cjs", Kind::kCode},
    {".jsx", Kind::kCode},          {".ts", Kind::kCode},      {".tsx", Kind::kCode},   {".py", Kind::kCode},
    {".rb", Kind::kCode},           {".php", Kind::kCode},     {".sh", Kind::kCode},    {".bash", Kind::kCode},
    {".sql", Kind::kCode},          {".scala", Kind::kCode},   {".lua", Kind::kCode},   {".pl", Kind::kCode},
};
constexpr EndingRow kMimes[] = {
    {"application/json", Kind::kJson},
    {"application/x-ndjson", Kind::kJsonLines},
    {"text/csv", Kind::kTable},
    {"text/tab-separated-values", Kind::kTable},
    {"application/yaml", Kind::kYaml},
    {"application/xml", Kind::kXml},
    {"text/xml", Kind::kXml},
    {"text/html", Kind::kHtml},
    {"application/xhtml+xml", Kind::kHtml},
    {"text/markdown", Kind::kMarkdown},
    {"text/x-diff", Kind::kDiff},
    {"text/x-patch", Kind::kDiff},
};

}  // namespace

std::optional<Kind> KindByName(const Hints& hints) {
  std::string_view mime = hints.mime.substr(0, hints.mime.find(';'));
  for (const EndingRow& row : kMimes)
    if (row.ending == mime) return row.kind;
  for (const EndingRow& row : kEndings)
    if (hints.path.ends_with(row.ending)) return row.kind;
  return std::nullopt;
}

Kind DetectKind(const Document& document, std::string* why, int* evidence_found) {
  if (evidence_found) *evidence_found = 100;
  if (document.hints.kind) {
    if (why) *why += "  " + std::string(KindName(*document.hints.kind)) + ": the caller said so\n";
    return *document.hints.kind;
  }
  if (document.binary) return Kind::kBinary;
  std::optional<Kind> by_command;
  if (document.command.rule) by_command = document.command.rule->kind;
  std::optional<Kind> by_name = KindByName(document.hints);
  const auto bonus = [&](Kind kind) {
    return (by_command && *by_command == kind ? kCommandBonus : 0) + (by_name && *by_name == kind ? kPathBonus : 0);
  };
  const KindRow* best = nullptr;
  int best_score = kEnough - 1, evidence_of_best = 0;
  // On a tie the row that stands earlier in the table wins.
  const auto beats = [&](const KindRow* row, int score) {
    return score > best_score || (best && score == best_score && row < best);
  };
  for (Kind kind : kAsked) {
    const KindRow* row = &RowOf(kind);
    if (!why && !beats(row, row->most + bonus(kind))) continue;
    const Evidence evidence = row->detect(document);
    const int score = evidence.score + (evidence.score > 0 ? bonus(kind) : 0);
    if (why && score > 0) {
      *why += "  " + std::string(row->name) + " " + std::to_string(score) + ": " + std::string(evidence.reason) + "\n";
    }
    if (!beats(row, score)) continue;
    best = row;
    best_score = score;
    evidence_of_best = evidence.score;
  }
  if (evidence_found) *evidence_found = evidence_of_best;
  return best ? best->kind : Kind::kText;
}

}  // namespace pith
