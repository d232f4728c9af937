// Rows of listings: how they are recognised, where their cells are, how deep they stand in a tree.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "compact/document.h"

namespace pith {

enum class RowShape : uint8_t {
  kOther,
  kBlame,       // a1b2c3d4 (Ann 2026-01-31 23:36:44 +0100   1) text
  kCommit,      // a1b2c3d subject: git log --oneline, reflog, stash
  kLongCommit,  // commit 0123...: the head of an entry of git log
  kMode,        // -rw-r--r-- 1 ann ann 12 Nov 30 12:57 a.c
  kStat,        //  src/a.c | 12 +++---
  kSize,        // 12K<tab>./a: du
  kTree,        // +-- a, │   └── b
  kStatus,      // M  a.c, ?? b.c, <tab>modified:   a.c
  kCells,       // two or more columns that stand two blanks or a tab apart
};

RowShape ShapeOfRow(std::string_view text);

// Bytes of tree drawing before the name of a row; 0 for a row that is none.
size_t TreePrefix(std::string_view text);

// Cells as FoldColumns takes them. SplitBlame: what is said of the commit, the line's number, its text. SplitWords:
// words, the last cell the rest of the line.
bool SplitBlame(std::string_view line, std::vector<std::string_view>& cells);
bool SplitWords(std::string_view line, std::vector<std::string_view>& cells);
// The same with at most kFewWords cells: enough to compare rows by.
inline constexpr size_t kFewWords = 9;
bool SplitFewWords(std::string_view line, std::vector<std::string_view>& cells);

// Names of columns: words in capitals, or a heading whose words stand two blanks apart.
bool IsColumnHeading(std::string_view text);

// "total 48", "3 files changed, ...", "(12 rows)", "12 directories, 40 files"
bool IsTotal(std::string_view text);

}  // namespace pith
