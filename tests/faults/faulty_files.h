// A FileSystem that fails on command: the Nth operation that changes something gives an error, or writes only a part.
#pragma once
#include <atomic>
#include <memory>
#include <string>

#include "base/files.h"

namespace pith::testing {

// While it lives it stands in the place of the system's files.
class FaultyFiles : public FileSystem {
 public:
  FaultyFiles();
  FaultyFiles(const FaultyFiles&) = delete;
  FaultyFiles& operator=(const FaultyFiles&) = delete;
  ~FaultyFiles() override;

  // From now on the `nth` counted operation (1 is the next) fails with `number` (errno), and all after it where
  // `onwards`. A write that fails has written `partial` bytes first.
  void Fail(int64_t nth, int number, bool onwards, size_t partial = 0);
  // The `nth` counted operation from now kills this process (SIGKILL); a write has written `partial` bytes before.
  void Kill(int64_t nth, size_t partial = 0) { Fail(nth, kKill, false, partial); }
  void Heal() { nth_ = 0; }
  int64_t count() const { return count_; }
  // Counts reading operations too.
  void CountReads(bool count) { count_reads_ = count; }

  Result<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode) override;
  Result<std::unique_ptr<File>> OpenBeneath(const std::string& root, const std::string& path) override;
  Result<void> Rename(const std::string& from, const std::string& to) override;
  Result<void> Link(const std::string& from, const std::string& to) override;
  Result<void> Unlink(const std::string& path) override;
  Result<void> RemoveFolder(const std::string& path) override;
  Result<void> MakeFolder(const std::string& path) override;
  Result<void> SyncFolder(const std::string& path) override;
  Result<void> ChangeMode(const std::string& path, uint32_t mode) override;
  Result<FileInfo> Stat(const std::string& path) override;
  Result<FileInfo> LinkStat(const std::string& path) override;
  Result<void> List(const std::string& path, const std::function<bool(std::string_view)>& visit) override;

 private:
  friend class FaultyFile;
  static constexpr int kKill = -1;  // in place of an errno
  static Error Fault(int number, std::string_view what);
  // 0, or the errno that this operation is to fail with.
  int Next(bool changes);

  std::atomic<int64_t> count_ = 0;
  int64_t nth_ = 0;
  int number_ = 0;
  bool onwards_ = false;
  bool count_reads_ = false;
  size_t partial_ = 0;
};

}  // namespace pith::testing
