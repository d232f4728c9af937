// Rows that have most of their bytes in common, said once: constant columns, padding, folders, and what a key stands
// for. A fold of form kPrefix. Its text, line by line:
//
//   [columns: PATTERN]     literal text with holes; in it \ stands before a literal \ *, and before / < > = after holes
//   KEY and more           not indented: what a key stands for (hole *=), or a folder (hole */), or "[no folder]"
//    cell cell cell...     indented by one blank: the cells of one line, one for each hole, blanks between; the last
//                          cell is the rest of the line; a cell " is the one above it
//
// A hole is * and then, in this order: = (the cell is a key: the first word of a line above that stands for it) or /
// (the cell stands in the folder named last), <N or >N (the cell is filled with blanks to N bytes, text left or right).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compact/document.h"
#include "compact/piece.h"

namespace pith {

// The cells of a line, in order; what lies between them is the columns' own. False when the line is no such row.
using CellSplitter = bool (*)(std::string_view line, std::vector<std::string_view>& cells);

struct FoldOptions {
  CellSplitter split = nullptr;
  bool key = false;            // the first cell begins with a key that says all of it
  bool keeps_signals = false;  // also lines of error signal may stand in a fold
};

// Lines first..end-1 as pieces: folds of three lines or more where that saves a fifth, quotes where not. Nothing is
// folded in a document that display rules change. Linear.
void FoldRows(const Document& document, uint32_t first, uint32_t end, const FoldOptions& options,
              std::vector<Piece>& pieces);

// The same for each quote of whole lines among `pieces`.
std::vector<Piece> FoldQuotes(const Document& document, std::vector<Piece> pieces, const FoldOptions& options);

// The lines that the text of a fold stands for, each with its newline; nothing if it is not of this form.
std::optional<std::string> DecodeColumns(std::string_view text);

// Whether a fold of form kPrefix gives the bytes of its span.
bool PrefixFoldMatches(const Document& document, const Piece& fold);

}  // namespace pith
