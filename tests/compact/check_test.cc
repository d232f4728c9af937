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

TEST_CASE("a long line that was written over shows whole states, not the end of one run into another") {
  std::string original = "start\n";
  for (int i = 0; i < 99; ++i) original += "\rprogress " + std::to_string(i) + "% of all that is to be done here";
  original += "\rdone\nend\n";
  for (int i = 0; i < 40; ++i)
    original += "more words to make it long, line " + std::string(static_cast<size_t>(i), 'x') + "\n";
  const View view = Compact(original, {}, {});
  CHECK(view.text.find("progress") == std::string::npos);
  CHECK(view.text.find("start\ndone\nend\n") != std::string::npos);
}

TEST_CASE("lines that begin with ok are no tests without a plan") {
  std::string original;
  for (int i = 0; i < 500; ++i) original += "ok " + std::to_string(i) + " step\n";
  CHECK(Compact(original, {}, {}).kind != Kind::kTestRun);
  CHECK(Compact("1..500\n" + original, {}, {}).kind == Kind::kTestRun);
}

TEST_CASE("text with a stray NUL is text, wherever it stands") {
  for (const size_t at : {size_t{0}, size_t{3}, size_t{40}, size_t{700}}) {
    std::string original;
    for (int i = 0; i < 500; ++i)
      original += "a line of words " + std::to_string(i) + (i == 300 ? " ERROR: on fire\n" : "\n");
    original[at] = '\0';
    const View view = Compact(original, {}, {});
    CAPTURE(at);
    CHECK(view.kind != Kind::kBinary);
    CHECK(view.text.find("ERROR: on fire") != std::string::npos);
    CHECK((at == 700 || view.text.find("\xE2\x90\x80") != std::string::npos));
  }
}

TEST_CASE("lines that only count up are shown a few times") {
  std::string original;
  for (int i = 0; i < 3000; ++i) original += "step " + std::to_string(i) + " ok\n";
  CHECK(Compact(original, {}, {}).shown.lines < 30);
}

}  // namespace pith
