// A SQLite VFS that fails on command, laid over the system's own and made the default while it lives.
#pragma once
#include <cstdint>

namespace pith::testing {

class FaultyVfs {
 public:
  FaultyVfs();
  FaultyVfs(const FaultyVfs&) = delete;
  FaultyVfs& operator=(const FaultyVfs&) = delete;
  ~FaultyVfs();

  // The `nth` write, truncate or sync from now (1 is the next) fails: with SQLITE_FULL where `full`, else as an I/O
  // error of its kind; and all after it where `onwards`. A failing write has written half of its bytes.
  void Fail(int64_t nth, bool full, bool onwards);
  void Kill(int64_t nth);       // the `nth` of these from now kills this process (SIGKILL), half of a write done
  void CountReads(bool count);  // opens and reads too
  void Heal();
  int64_t count() const;
};

}  // namespace pith::testing
