// What each line of a patch is: git diff, show, log -p and format-patch, diff (-u, -c and its normal form), svn diff,
// quilt; combined diffs too.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "compact/document.h"

namespace pith {

enum class DiffLine : uint8_t {
  kMessage,  // around patches: a commit's headers and message, a stat, anything else
  kFile,     // begins the patch of a file: "diff --git", "Index:", or "---" where nothing came before it
  kMode,     // says something of the file: renames, modes, "Binary files differ", submodule logs
  kPaths,    // repeats what kFile says: "index", "---", "+++", "====="
  kHunk,     // "@@ -1,3 +1,4 @@ context"
  kContext,
  kAdded,
  kRemoved,
};

struct DiffFile {
  uint32_t first = 0;     // its kFile line
  std::string_view path;  // the new one, or the old one of a deleted file; without a/ and b/
  uint32_t added = 0, removed = 0, hunks = 0;
};

struct DiffText {
  std::vector<DiffLine> lines;  // one a line of those read
  std::vector<DiffFile> files;  // one for each kFile, in order
  uint32_t hunks = 0;
  bool by_colour = false;  // changed words are told by their colour alone, in lines without a mark (--color-words)
};

// Reads the first `count` lines. Hunks are followed by their own counts, so that a removed line "-- x" is no header.
DiffText ReadDiff(const Document& document, uint32_t count);

// The signals of a patch are those of what stands around its files: its own lines are somebody's text, that may well
// speak of errors, and are all to be seen anyway.
void ReadPatchSignals(Document& document);

// What nobody writes by hand, by its path: "lock file", "generated file", "minified file"; empty for all else.
std::string_view GeneratedFile(std::string_view path);

}  // namespace pith
