// Rows of a delimited file with what repeats in them said once. A fold of form kTable. Its text, line by line:
//
//   [rows by commas: *,*=Rome,=shipped,*]   one entry a column, divided as the rows are
//   17,=,20.50                              the cells of a row, as they are written, quotes and all
//   18,Oslo,"                               of columns that are not the same in all rows
//
// An entry is `*`: each row has its cell; `*=VALUE`: likewise, and a cell `=` stands for VALUE; `=VALUE`: all rows have
// VALUE there, and none writes it. A cell that is a single quote mark (") is the one above it. Divided by commas, tabs,
// semicolons or bars; a cell holds no line end.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compact/piece.h"

namespace pith {

inline constexpr std::string_view kDitto = "\"";  // the cell above

// The fold's text for rows of equally many raw cells, at least one of each, none of them kDitto. Linear in their
// bytes.
std::string WriteTable(const std::vector<std::vector<std::string_view>>& rows, char delimiter);

// The rows that the text stands for, each with its newline; nothing if it is not of this form.
std::optional<std::string> ReadTable(std::string_view text);

// Whether a fold of form kTable gives the bytes of its span.
bool TableFoldMatches(const Document& document, const Piece& fold);

}  // namespace pith
