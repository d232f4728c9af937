// A child's output, gathered while it runs.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pith {

struct CaptureOptions {
  std::vector<std::string> argv;
  uint64_t memory_limit = 128ull << 20;  // beyond it the output is passed on as it comes
  int64_t heartbeat_ms = 0;              // 0: none
  int64_t waiting_ms = 10;               // after the first byte: the command is not one that is over at once
};

// What came, in the order of arrival. With one stream there is one segment at most.
struct Captured {
  struct Segment {
    uint64_t end;  // offset in `bytes`
    bool error;    // came on stderr
  };
  std::string bytes;
  std::vector<Segment> segments;
  bool both = false;  // something came on each of two separate streams
};

struct CaptureCalls {
  // All that has come so far, on the way: called with each new piece, before anything is shown.
  std::function<void(std::string_view piece)> gathered;
  // Once, when the first byte has been held for `waiting_ms` and nothing has been shown.
  std::function<void()> waiting;
  // The time to show what came so far: the command has ended (`status` of waitpid), a signal asks for the end
  // (`signal` set, the command still runs), or the memory limit is reached (`too_much`). Called once; what comes
  // afterwards is passed on as it comes.
  struct Moment {
    bool ended = false;
    int status = 0;
    int signal = 0;
    bool too_much = false;
  };
  std::function<void(const Captured&, const Moment&)> show;
  std::function<void()> heartbeat;
};

// Starts the child, relays signals both ways, reads to the end. Gives the wait status, or -1 with `code` when the child
// could not be started (said on stderr).
int CaptureOutput(const CaptureOptions& options, const CaptureCalls& calls, int* code);

}  // namespace pith
