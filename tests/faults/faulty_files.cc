#include "tests/faults/faulty_files.h"

#include <signal.h>
#include <unistd.h>

namespace pith::testing {

class FaultyFile : public File {
 public:
  FaultyFile(FaultyFiles* owner, std::unique_ptr<File> file) : owner_(owner), file_(std::move(file)) {}
  Result<std::string> ReadAt(uint64_t offset, uint64_t length) override {
    if (int number = owner_->Next(false)) return owner_->Fault(number, "read");
    return file_->ReadAt(offset, length);
  }
  Result<std::string> Read(uint64_t length) override {
    if (int number = owner_->Next(false)) return owner_->Fault(number, "read");
    return file_->Read(length);
  }
  Result<void> Write(std::string_view bytes) override {
    int number = owner_->Next(true);
    if (number == 0) return file_->Write(bytes);
    (void)file_->Write(bytes.substr(0, owner_->partial_)).ok();
    return owner_->Fault(number, "write");
  }
  Result<void> WriteAt(uint64_t offset, std::string_view bytes) override {
    int number = owner_->Next(true);
    if (number == 0) return file_->WriteAt(offset, bytes);
    (void)file_->WriteAt(offset, bytes.substr(0, owner_->partial_)).ok();
    return owner_->Fault(number, "write");
  }
  Result<void> Truncate(uint64_t size) override {
    if (int number = owner_->Next(true)) return owner_->Fault(number, "truncate");
    return file_->Truncate(size);
  }
  Result<void> Sync() override {
    if (int number = owner_->Next(true)) return owner_->Fault(number, "sync");
    return {};  // counted, and left out: no power is lost here
  }
  Result<FileInfo> Info() override {
    if (int number = owner_->Next(false)) return owner_->Fault(number, "look at");
    return file_->Info();
  }
  Result<bool> TryLock() override {
    if (int number = owner_->Next(false)) return owner_->Fault(number, "lock");
    return file_->TryLock();
  }

 private:
  FaultyFiles* owner_;
  std::unique_ptr<File> file_;
};

FaultyFiles::FaultyFiles() { ReplaceFiles(this); }
FaultyFiles::~FaultyFiles() { ReplaceFiles(nullptr); }

void FaultyFiles::Fail(int64_t nth, int number, bool onwards, size_t partial) {
  count_ = 0;
  nth_ = nth;
  number_ = number;
  onwards_ = onwards;
  partial_ = partial;
}

Error FaultyFiles::Fault(int number, std::string_view what) {
  if (number == kKill) kill(getpid(), SIGKILL);
  return SystemError(number, what);
}

int FaultyFiles::Next(bool changes) {
  if (!changes && !count_reads_) return 0;
  int64_t now = ++count_;
  if (nth_ == 0) return 0;
  return now == nth_ || (onwards_ && now > nth_) ? number_ : 0;
}

Result<std::unique_ptr<File>> FaultyFiles::Open(const std::string& path, OpenMode mode) {
  if (int number = Next(mode != OpenMode::kRead)) return Fault(number, "open " + path);
  Result<std::unique_ptr<File>> file = SystemFiles().Open(path, mode);
  if (!file) return file;
  return std::unique_ptr<File>(std::make_unique<FaultyFile>(this, file.Take()));
}
Result<std::unique_ptr<File>> FaultyFiles::OpenBeneath(const std::string& root, const std::string& path) {
  return SystemFiles().OpenBeneath(root, path);
}
Result<void> FaultyFiles::Rename(const std::string& from, const std::string& to) {
  if (int number = Next(true)) return Fault(number, "rename " + from);
  return SystemFiles().Rename(from, to);
}
Result<void> FaultyFiles::Link(const std::string& from, const std::string& to) {
  if (int number = Next(true)) return Fault(number, "link " + from);
  return SystemFiles().Link(from, to);
}
Result<void> FaultyFiles::Unlink(const std::string& path) {
  if (int number = Next(true)) return Fault(number, "remove " + path);
  return SystemFiles().Unlink(path);
}
Result<void> FaultyFiles::RemoveFolder(const std::string& path) { return SystemFiles().RemoveFolder(path); }
Result<void> FaultyFiles::MakeFolder(const std::string& path) {
  if (int number = Next(true)) return Fault(number, "make folder " + path);
  return SystemFiles().MakeFolder(path);
}
Result<void> FaultyFiles::SyncFolder(const std::string& path) {
  if (int number = Next(true)) return Fault(number, "sync " + path);
  return {};
}
Result<void> FaultyFiles::ChangeMode(const std::string& path, uint32_t mode) {
  return SystemFiles().ChangeMode(path, mode);
}
Result<FileInfo> FaultyFiles::Stat(const std::string& path) {
  if (int number = Next(false)) return Fault(number, "look at " + path);
  return SystemFiles().Stat(path);
}
Result<FileInfo> FaultyFiles::LinkStat(const std::string& path) {
  if (int number = Next(false)) return Fault(number, "look at " + path);
  return SystemFiles().LinkStat(path);
}
Result<void> FaultyFiles::List(const std::string& path, const std::function<bool(std::string_view)>& visit) {
  if (int number = Next(false)) return Fault(number, "list " + path);
  return SystemFiles().List(path, visit);
}

}  // namespace pith::testing
