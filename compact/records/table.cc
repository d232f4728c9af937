// Tables in text: delimited files and blocks of "key = value" lines. Aligned columns are listings, not tables.
#include "compact/kinds.h"
#include "compact/records/table_reader.h"
#include "compact/templates.h"

namespace pith {

namespace {

// A first line like those below it names no columns: text with the same marks in each line, of which it is one.
bool BeginsLikeItsRows(const Document& document, const Delimited& form) {
  const std::string_view path = document.hints.path;
  const bool named = path.ends_with(".csv") || path.ends_with(".tsv");
  const bool spoken = form.delimiter == ',' && document.Text(0).find(", ") != std::string_view::npos;
  return spoken && !named && !form.header && TemplateHash(document.Text(0)) == TemplateHash(document.Text(1));
}

}  // namespace

Evidence DetectTable(const Document& document) {
  if (document.line_count() < 4) return {};
  if (std::optional<Delimited> form = DelimitedForm(document)) {
    if (BeginsLikeItsRows(document, *form)) return {};
    if (form->header && form->sampled >= 8) return {84, "a line of names over records with the same number of fields"};
    if (form->delimiter == '\t') return {form->fields > 2 ? 72 : 50, "the same number of tabs in record after record"};
    return {form->sampled >= 8 ? 66 : 45, "the same number of fields in record after record"};
  }
  if (BlockForm(document)) return {62, "blocks of lines with the same keys"};
  return {};
}

std::unique_ptr<Shaper> ShapeTable(const Document& document) {
  std::unique_ptr<Records> records;
  if (std::optional<Delimited> form = DelimitedForm(document))
    records = ReadDelimited(document, *form);
  else if (std::optional<char> separator = BlockForm(document))
    records = ReadBlocks(document, *separator);
  if (!records || records->spans.size() < 2) return nullptr;
  return ShapeRecords(document, std::move(records));
}

}  // namespace pith
