// A view is a list of pieces until the very end. Text, accounting and addresses come from that one list, so that they
// cannot disagree: quotes are rendered from the original's own bytes, every byte is owned by exactly one piece, and
// what is not shown is a gap with an address.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "compact/document.h"

namespace pith {

// Lossless forms: how the text of a fold is checked against the bytes that it stands for (folds.h).
enum class FoldForm : uint8_t { kNone, kRepeat, kSearchGroup, kJson, kPrefix, kMarkup, kTable };

struct Piece {
  enum class Type : uint8_t {
    kQuote,  // owns `span` and shows it, after display rules
    kCite,   // shows `span` and owns nothing: it is owned elsewhere (an example of what a gap hides)
    kFold,   // owns `span` and `more`; shows `text`, from which `form` rebuilds them
    kGap,    // owns `span`; shows where it was and how to get it
    kNote,   // owns nothing; shows `text`, our own words (forms.h)
  };
  Type type = Type::kQuote;
  bool glued = false;  // stands on the line of the piece before it
  FoldForm form = FoldForm::kNone;
  Span span;
  std::vector<Span> more;  // further spans that a fold owns, ascending
  std::string text;        // fold, note
  Address address;         // gap
  uint64_t count = 0;      // gap: how many of `noun`
  std::string noun;        // gap: what they are, plural ("lines", "passing tests", "items")
  std::string detail;      // gap: what else it hides ("3 warnings, 1 template")
  bool weighed = false;    // gap: its maker has counted the signals in it
};

Piece Quote(Span span);
Piece QuoteLines(const Document& document, uint32_t first, uint32_t last);
Piece Cite(Span span);
Piece Note(std::string text);
Piece Fold(FoldForm form, Span span, std::string text);
Piece GapOfLines(const Document& document, uint32_t first, uint32_t last, std::string_view noun = "lines");
Piece GapOfBytes(Span span);  // inside a line: glued
Piece GapOfJson(Span span, std::string json_path, uint64_t count, std::string_view noun = "items");

// "3 errors", "1 error": `plural` without its s for one.
std::string Counted(uint64_t count, std::string_view plural);

// Appends "3 errors" and the like to what a gap hides; nothing for a count of 0 or what its noun says already.
void AddDetail(Piece& gap, uint64_t count, std::string_view plural);

// Counts in each gap that its maker has not weighed the lines of error and warning signal that are in it whole: one of
// which a part is shown elsewhere, or that is cited, is not hidden. Matches of a search are what was asked for, no
// faults.
void CountHiddenSignals(const Document& document, std::vector<Piece>& pieces);

// What the reader sees of the pieces, footer not included. Each piece starts a line of its own unless glued.
std::string Render(const Document& document, const std::vector<Piece>& pieces);
void RenderPiece(const Document& document, const Piece& piece, std::string& out);
// "[84 passing tests omitted: 31-114]"
std::string RenderGap(const Document& document, const Piece& gap);
std::string AddressText(const Address& address);  // "lines 31-114", "bytes 900+4096", "json_path $[3:497]"

// Invariants I4 and I5 at run time. Owned spans partition the original; gaps' addresses name just their spans; folds
// decode to their spans; notes are of our own forms. Empty when all hold, else what does not, for the log.
std::string CheckPieces(const Document& document, const std::vector<Piece>& pieces);

}  // namespace pith
