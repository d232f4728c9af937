// Memory for the large tables that a long input needs: while a pipe is worked on, they lie in a file without a name, as
// what came through the pipe does. What the kernel can write away and read again is not held in memory, however many
// lines there are.
#pragma once
#include <cstddef>

namespace pith::cli {

// From now on each block of at least a MiB that `new` gives lies in `file` (opened for reading and writing, nameless,
// taken over), as long as the disk has room for it; else in memory as before. Once in a process, before threads start.
// Where the address space is limited, nothing happens.
void StartLargeMemory(int file);

// Drops the pages of those blocks: the next access brings them back with what was in them. For signal handlers too.
void DropLargeMemory();

}  // namespace pith::cli
