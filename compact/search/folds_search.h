// The two lossless forms of search results, written and read back (FoldForm::kSearchGroup).
//
// Heading: a path, or a folder that ends in a slash, said once on a line of its own for many lines that begin with it.
// It owns that beginning of each of them; what follows is quoted beneath it. A path below a folder's heading is
// indented by one blank. Of a match line the heading owns the separator after the path too, ':' or '-', which the quote
// repeats after the number.
//
//   src/core/
//    all.rs
//   651:    let x = 1;
//
// List: whole lines that are paths. A line without indent is a template: a folder, or one '*' for what varies and
// perhaps one '#' for a count. Indented lines give the entries, divided by blanks; when the first of them ends in a
// slash it is a folder that all entries of its line stand in, and of lines with a double indent below it.
//
//   src/core/* (# matches)
//    all.rs:3 any.rs:1
//    io/ file.rs:2 pipe.rs:7
//   tests/*/models.py
//    admin:3 sites:1
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compact/piece.h"

namespace pith {

// An entry of a list: a path with, where the tool prints one, " (N matches)" after it. "a.c:3" is simply a path.
struct PathEntry {
  std::string_view path;
  bool counted = false;  // " (N matches)" follows
  std::string_view count;
};

// Whether the entry can stand in a list: no blanks, stars, hashes or control bytes in it, no slash at its end.
bool FitsPathList(const PathEntry& entry);

// The list form of entries that all fit, all counted or none. Linear in their bytes.
std::string WritePathList(const std::vector<PathEntry>& entries);

// The lines that a list stands for, joined by newlines, none at the end. Nothing if the text is no list.
std::optional<std::string> ReadPathList(std::string_view text);

// Where in a sequence of folders (each empty or ending in a slash) a common beginning is worth saying once: stretches
// that share one, in order, covering all.
struct RootStretch {
  size_t first = 0, last = 0;  // inclusive
  size_t length = 0;           // of the common beginning, up to a slash; 0: none
};
std::vector<RootStretch> ShareRoots(const std::vector<std::string_view>& folders, size_t heading_cost);

// The folder part of a path, with its slash; empty if there is none.
std::string_view FolderOf(std::string_view path);

// Whether the byte at `separator`, between a path and what follows, is what a reader of a heading takes it for: the
// byte after the number that follows if that is '-', else ':'.
bool SeparatorIsImplied(const Document& document, uint64_t separator);

// Whether the fold says what its spans hold, by either form.
bool SearchFoldMatches(const Document& document, const Piece& piece);

}  // namespace pith
