#include "compact/folds.h"

#include "compact/display.h"
#include "compact/json/folds_json.h"
#include "compact/listing/folds_prefix.h"
#include "compact/markup/html_blocks.h"
#include "compact/records/folds_table.h"
#include "compact/search/folds_search.h"
#include "compact/search/json.h"

namespace pith {
namespace {

// What the reader sees as the last line before piece `at`: the end of a quote.
std::string LineBefore(const Document& document, const std::vector<Piece>& pieces, size_t at) {
  std::string shown;
  if (at == 0 || pieces[at - 1].type != Piece::Type::kQuote) return shown;
  std::string_view bytes = document.Bytes(pieces[at - 1].span);
  if (bytes.ends_with('\n')) bytes.remove_suffix(1);
  size_t start = bytes.rfind('\n');
  AppendDisplayed(start == std::string_view::npos ? bytes : bytes.substr(start + 1), shown);
  return shown;
}

bool RepeatMatches(const Document& document, const std::vector<Piece>& pieces, size_t at) {
  const Piece& fold = pieces[at];
  std::string above = LineBefore(document, pieces, at);
  uint32_t first = document.lines.LineAt(fold.span.begin);
  uint32_t last = document.lines.LineAt(fold.span.end - 1);
  if (document.lines.Lines(first, last) != fold.span) return false;
  std::string shown;
  for (uint32_t line = first; line <= last; ++line) {
    shown.clear();
    AppendDisplayed(document.Text(line), shown);
    if (shown != above) return false;
  }
  return fold.text == RepeatText(last - first + 1ull, first + 1, last + 1);
}

}  // namespace

std::string RepeatText(uint64_t count, uint32_t first, uint32_t last) {
  return "[the line above " + std::to_string(count) + " more time" + (count == 1 ? "" : "s") + ": " +
         std::to_string(first) + (first == last ? "" : "-" + std::to_string(last)) + "]";
}

bool FoldMatches(const Document& document, const std::vector<Piece>& pieces, size_t at) {
  switch (pieces[at].form) {
    case FoldForm::kRepeat:
      return RepeatMatches(document, pieces, at);
    case FoldForm::kSearchGroup:
      return SearchFoldMatches(document, pieces[at]);
    case FoldForm::kJson:
      return JsonFoldMatches(document, pieces, at);
    case FoldForm::kMarkup:
      if (OwnsRipgrepRecord(document, pieces[at])) return RipgrepFoldMatches(document, pieces, at);
      return MarkupFoldMatches(document, pieces[at]);
    case FoldForm::kTable:
      return TableFoldMatches(document, pieces[at]);
    case FoldForm::kPrefix:
      return PrefixFoldMatches(document, pieces[at]);
    default:
      return false;
  }
}

}  // namespace pith
