// Serving MCP over standard input and output: one JSON message a line, nothing else on stdout.
#pragma once
#include <cstddef>

#include "server/registry.h"

namespace pith::mcp {

struct StdioOptions {
  int input = 0;  // descriptors; not closed
  int output = 1;
  size_t longest_line = 64 * 1024 * 1024;  // bytes; a longer line is refused and skipped
  size_t workers = 4;                      // requests that are served at the same time
  // True for a program whose business this is: stdout is made safe from stray prints (they go to stderr), SIGINT,
  // SIGTERM and SIGHUP end serving, a parent that died ends it too, and a handler that does not return in time is left
  // behind by ending the process with code 0. False for embedding: none of that, and the end waits for running
  // handlers.
  bool own_process = true;
};

// Serves until the input ends, the output is closed, or a signal says so; then gives the exit code, 0. At the end of
// the input requests that were read are still answered, for at most 80 ms unless the input is a regular file.
int ServeStdio(const Registry& registry, const StdioOptions& options = {});

}  // namespace pith::mcp
