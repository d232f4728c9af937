#include "base/clock.h"

#include <ctime>

#include "base/files.h"

namespace pith {
namespace {

int64_t Milliseconds(clockid_t id) {
  timespec time{};
  clock_gettime(id, &time);
  return static_cast<int64_t>(time.tv_sec) * 1000 + time.tv_nsec / 1000000;
}

class RealClock : public Clock {
 public:
  int64_t WallMs() override { return Milliseconds(CLOCK_REALTIME); }
  int64_t BootMs() override { return Milliseconds(CLOCK_BOOTTIME); }
  std::string BootId() override {
    static const std::string kept = [] {
      Result<std::string> id = ReadFile("/proc/sys/kernel/random/boot_id", 64);
      return id ? id.Take() : std::string();
    }();
    return kept;
  }
};

Clock* replaced_clock = nullptr;

}  // namespace

Clock& SystemClock() {
  static RealClock clock;
  return clock;
}

Clock& TheClock() { return replaced_clock != nullptr ? *replaced_clock : SystemClock(); }

void ReplaceClock(Clock* clock) { replaced_clock = clock; }

std::string UtcTime(int64_t wall_ms) {
  time_t seconds = static_cast<time_t>(wall_ms / 1000);
  tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  size_t length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, length};
}

}  // namespace pith
