// YAML and TOML, by lines and indentation: no parser is needed to see keys, and none would tell where they stand.
//
// Where the original is many of one make (documents of a manifest, items of a list, [[tables]]), it is shown as
// records. Else each line is ranked by how deep it is nested and how often its like was there before: the skeleton of
// keys stays, long lists and repeated inner blocks give way first.
#include <algorithm>

#include "compact/kinds.h"
#include "compact/records/yaml_reader.h"

namespace pith {
namespace {

constexpr uint32_t kSampledLines = 300;
constexpr uint64_t kLeastShare = 50;  // percent of the bytes that records must cover

// A key as programs write them: one word, not a line number.
bool IsPlainKey(const YamlLine& line) {
  return !line.key.empty() && line.key.find(' ') == std::string_view::npos &&
         line.key.find_first_not_of("0123456789") != std::string_view::npos;
}

std::unique_ptr<Shaper> ShapeSkeleton(const Document& document) {
  LinePlan plan(document);
  std::unordered_map<uint64_t, uint32_t> seen;  // keys at their depth, never iterated
  uint32_t items = 0;                           // in a row, of one list
  for (uint32_t line = 0; line < document.line_count(); ++line) {
    YamlLine parsed = ReadYamlLine(document.Text(line));
    if (parsed.form == YamlLine::Form::kBlank || parsed.form == YamlLine::Form::kComment) {
      plan.rank[line] = parsed.form == YamlLine::Form::kBlank ? Rank::kNoise : Rank::kFiller;
      continue;
    }
    items = parsed.item && parsed.key.empty() ? items + 1 : 0;
    uint32_t again = parsed.key.empty() ? items : ++seen[MixHashes(parsed.indent, HashText(parsed.key))];
    bool scalar_again = again > 3;
    int rank = Rank::kUseful + 40 - static_cast<int>(std::min<uint32_t>(parsed.indent, 24)) - (scalar_again ? 60 : 0);
    if (parsed.form == YamlLine::Form::kText) rank = Rank::kUseful - 40;
    plan.rank[line] = static_cast<uint8_t>(std::clamp(rank, 1, Rank::kSignal - 1));
  }
  return ShapeLines(document, std::move(plan));
}

}  // namespace

Evidence DetectYaml(const Document& document) {
  uint32_t keys = 0, items = 0, nested = 0, others = 0, sections = 0, assignments = 0, colons_in_values = 0;
  uint32_t indent = 0;
  for (uint32_t line = 0; line < std::min(document.line_count(), kSampledLines); ++line) {
    std::string_view text = document.Text(line);
    YamlLine parsed = ReadYamlLine(text);
    switch (parsed.form) {
      case YamlLine::Form::kBlank:
      case YamlLine::Form::kComment:
        continue;
      case YamlLine::Form::kBreak:
      case YamlLine::Form::kSection:
        ++sections;
        break;
      case YamlLine::Form::kAssignment:
        ++assignments;
        break;
      case YamlLine::Form::kKey:
        (IsPlainKey(parsed) ? keys : parsed.key.empty() ? items : others) += 1;
        break;
      case YamlLine::Form::kText:
        ++others;
        break;
    }
    bool opens = parsed.form == YamlLine::Form::kKey && parsed.value.size() == 0;
    nested += opens || parsed.item || parsed.indent > indent;
    colons_in_values +=
        parsed.form == YamlLine::Form::kKey && text.find(": ", parsed.value.begin) != std::string_view::npos;
    indent = parsed.indent;
  }
  uint32_t lines = keys + items + others + sections + assignments;
  if (lines < 4) return {};
  if (sections >= 1 && assignments >= 3 && (sections + assignments) * 10 >= lines * 7 && keys * 10 <= lines) {
    return {64, "sections of key = value lines"};
  }
  bool yaml =
      keys * 10 >= lines * 6 && nested * 5 >= lines && colons_in_values * 4 <= keys && assignments * 10 <= lines;
  if (!yaml) return {};
  return {sections > 0 && document.bytes.starts_with("---") ? 76 : 58, "nested keys and lists by indentation"};
}

std::unique_ptr<Shaper> ShapeYaml(const Document& document) {
  std::unique_ptr<Records> records = ReadYamlRecords(document, kLeastShare);
  if (records) return ShapeRecords(document, std::move(records));
  return ShapeSkeleton(document);
}

}  // namespace pith
