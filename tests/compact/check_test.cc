// The accounting refuses each way in which a list of pieces can lie about its original.
#include <doctest/doctest.h>

#include "compact/folds.h"
#include "compact/piece.h"

namespace pith {
namespace {

const char kText[] = "one\nsame\nsame\nsame\nsame\nlast\n";

std::string FaultOf(const std::vector<Piece>& pieces, const Document& document) {
  return CheckPieces(document, pieces);
}

}  // namespace

TEST_CASE("a view whose pieces partition the original is accepted") {
  Hints hints;
  Document document(kText, hints);
  CHECK(FaultOf({QuoteLines(document, 0, 5)}, document) == "");
  CHECK(FaultOf({QuoteLines(document, 0, 1), GapOfLines(document, 2, 4), QuoteLines(document, 5, 5)}, document) == "");
  CHECK(FaultOf({QuoteLines(document, 0, 1), Fold(FoldForm::kRepeat, document.lines.Lines(2, 4), RepeatText(3, 3, 5)),
                 QuoteLines(document, 5, 5)},
                document) == "");
}

TEST_CASE("a view with a hole, an overlap or a missing end is refused") {
  Hints hints;
  Document document(kText, hints);
  CHECK(FaultOf({QuoteLines(document, 0, 1), QuoteLines(document, 3, 5)}, document) != "");
  CHECK(FaultOf({QuoteLines(document, 0, 3), QuoteLines(document, 3, 5)}, document) != "");
  CHECK(FaultOf({QuoteLines(document, 0, 4)}, document) != "");
  CHECK(FaultOf({}, document) != "");
}

TEST_CASE("a view with a gap whose address is not its span is refused") {
  Hints hints;
  Document document(kText, hints);
  Piece gap = GapOfLines(document, 2, 4);
  gap.address.last = 6;
  CHECK(FaultOf({QuoteLines(document, 0, 1), gap, QuoteLines(document, 5, 5)}, document) != "");
}

TEST_CASE("a view with a fold that counts wrong or folds unequal lines is refused") {
  Hints hints;
  Document document(kText, hints);
  CHECK(FaultOf({QuoteLines(document, 0, 1), Fold(FoldForm::kRepeat, document.lines.Lines(2, 4), RepeatText(4, 3, 5)),
                 QuoteLines(document, 5, 5)},
                document) != "");
  CHECK(FaultOf({QuoteLines(document, 0, 0), Fold(FoldForm::kRepeat, document.lines.Lines(1, 4), RepeatText(4, 2, 5)),
                 QuoteLines(document, 5, 5)},
                document) != "");
}

TEST_CASE("a view with a note that is not of our own form is refused") {
  Hints hints;
  Document document(kText, hints);
  CHECK(FaultOf({Note("[two\nlines]"), QuoteLines(document, 0, 5)}, document) != "");
  CHECK(FaultOf({Note("words without brackets"), QuoteLines(document, 0, 5)}, document) != "");
}

}  // namespace pith
