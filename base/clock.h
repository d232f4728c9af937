// Time, as an interface so that tests can set it. Any thread.
#pragma once
#include <cstdint>
#include <string>

namespace pith {

inline constexpr int64_t kDayMs = 24 * 3600 * 1000;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t WallMs() = 0;      // Unix time in milliseconds; may jump either way
  virtual int64_t BootMs() = 0;      // milliseconds since boot, sleep included; never goes back
  virtual std::string BootId() = 0;  // differs after a reboot; "" where the system does not tell
};

Clock& SystemClock();
Clock& TheClock();                // SystemClock(), or what a test has put in its place
void ReplaceClock(Clock* clock);  // borrowed; null: SystemClock(). For tests, before threads start.

// 2026-11-30T12:57:31Z
std::string UtcTime(int64_t wall_ms);

}  // namespace pith
