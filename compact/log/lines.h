// What makes a line a line of a log: the time that it starts with, the level that it names.
#pragma once
#include <string_view>

namespace pith {

struct LogLine {
  bool timed = false;         // a date or a time of day within its first bytes
  bool levelled = false;      // a level where loggers put it: INFO, [error], level=warn, "level":30, E0102
  bool access = false;        // an HTTP access record
  bool native_frame = false;  // a frame of a crash report: `3   libc.so   0x7f12 poll + 8`
};

// Looks at the first 160 bytes of a line. No allocation.
LogLine ReadLogLine(std::string_view text);

}  // namespace pith
