// The system's files. Plain system calls, because the one-shot road must write its original in tens of microseconds and
// std::filesystem and iostreams bring start-up work with them. Every call is retried on EINTR; short writes are
// continued, so that a caller sees either all of its bytes written or an error.
#include "base/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/encoding.h"

namespace pith {
namespace {

// POSIX guarantees at most SSIZE_MAX; Linux transfers at most 0x7ffff000 bytes a call.
constexpr uint64_t kLargestTransfer = 1u << 30;

FileInfo InfoOf(const struct stat& status) {
  FileInfo info;
  if (S_ISREG(status.st_mode)) info.type = FileInfo::Type::kRegular;
  if (S_ISDIR(status.st_mode)) info.type = FileInfo::Type::kFolder;
  if (S_ISLNK(status.st_mode)) info.type = FileInfo::Type::kLink;
  info.size = static_cast<uint64_t>(status.st_size);
  info.disk_bytes = static_cast<uint64_t>(status.st_blocks) * 512;
  info.modified_ns = static_cast<int64_t>(status.st_mtim.tv_sec) * 1000000000 + status.st_mtim.tv_nsec;
  info.device = status.st_dev;
  info.inode = status.st_ino;
  info.mode = status.st_mode & 07777;
  return info;
}

template <typename Call>
auto Retried(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

class RealFile : public File {
 public:
  RealFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  RealFile(const RealFile&) = delete;
  RealFile& operator=(const RealFile&) = delete;
  ~RealFile() override { close(descriptor_); }

  Result<std::string> ReadAt(uint64_t offset, uint64_t length) override {
    return Gather(length, [&](char* to, size_t size, uint64_t done) {
      return pread(descriptor_, to, size, static_cast<off_t>(offset + done));
    });
  }

  Result<std::string> Read(uint64_t length) override {
    return Gather(length, [&](char* to, size_t size, uint64_t) { return read(descriptor_, to, size); });
  }

  Result<void> Write(std::string_view bytes) override {
    return Scatter(bytes,
                   [&](std::string_view rest, uint64_t) { return write(descriptor_, rest.data(), rest.size()); });
  }

  Result<void> WriteAt(uint64_t offset, std::string_view bytes) override {
    return Scatter(bytes, [&](std::string_view rest, uint64_t done) {
      return pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(offset + done));
    });
  }

  Result<void> Truncate(uint64_t size) override {
    if (Retried([&] { return ftruncate(descriptor_, static_cast<off_t>(size)); }) != 0) return Failed("truncate");
    return {};
  }

  Result<void> Sync() override {
    if (Retried([&] { return fdatasync(descriptor_); }) != 0) return Failed("sync");
    return {};
  }

  Result<FileInfo> Info() override {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) return Failed("look at");
    return InfoOf(status);
  }

  Result<bool> TryLock() override {
    if (Retried([&] { return flock(descriptor_, LOCK_EX | LOCK_NB); }) == 0) return true;
    if (errno == EWOULDBLOCK) return false;
    return Failed("lock");
  }

 private:
  Error Failed(std::string_view verb) const { return SystemError(errno, std::string(verb) + " " + path_); }

  // Grows by what arrives rather than by what was asked for: a hostile `length` must not reserve memory.
  template <typename ReadSome>
  Result<std::string> Gather(uint64_t length, ReadSome read_some) {
    std::string bytes;
    uint64_t chunk = length < (1u << 16) ? length : (1u << 16);
    while (bytes.size() < length) {
      size_t done = bytes.size();
      size_t size = static_cast<size_t>(std::min({length - done, chunk, kLargestTransfer}));
      bytes.resize(done + size);
      ssize_t got = Retried([&] { return read_some(bytes.data() + done, size, done); });
      if (got < 0) return Failed("read");
      bytes.resize(done + static_cast<size_t>(got));
      if (got == 0) break;
      chunk = std::min<uint64_t>(chunk * 2, 64u << 20);
    }
    return bytes;
  }

  template <typename WriteSome>
  Result<void> Scatter(std::string_view bytes, WriteSome write_some) {
    uint64_t done = 0;
    while (done < bytes.size()) {
      std::string_view rest = bytes.substr(done, kLargestTransfer);
      ssize_t put = Retried([&] { return write_some(rest, done); });
      if (put < 0) return Failed("write");
      if (put == 0) return SystemError(ENOSPC, "write " + path_);
      done += static_cast<uint64_t>(put);
    }
    return {};
  }

  int descriptor_;
  std::string path_;
};

int FlagsOf(OpenMode mode) {
  switch (mode) {
    case OpenMode::kRead:
      return O_RDONLY;
    case OpenMode::kCreateNew:
      return O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    case OpenMode::kReadWrite:
      return O_RDWR | O_CREAT | O_NOFOLLOW;
    case OpenMode::kAppend:
      return O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW;
  }
  return O_RDONLY;
}

class RealFiles : public FileSystem {
 public:
  Result<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode) override {
    int descriptor = Retried([&] { return open(path.c_str(), FlagsOf(mode) | O_CLOEXEC, 0600); });
    if (descriptor < 0) return SystemError(errno, "open " + path);
    return std::unique_ptr<File>(std::make_unique<RealFile>(descriptor, path));
  }

  Result<std::unique_ptr<File>> OpenBeneath(const std::string& root, const std::string& path) override {
    std::string relative = path;
    if (!path.empty() && path[0] == '/') {
      std::string prefix = root.empty() || root.back() != '/' ? root + "/" : root;
      if (path.compare(0, prefix.size(), prefix) != 0) return Error{Cause::kDenied, path + " is not beneath " + root};
      relative = path.substr(prefix.size());
    }
    int folder = Retried([&] { return open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); });
    if (folder < 0) return SystemError(errno, "open " + root);
    open_how how{};
    how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;  // a FIFO without a writer must not hold us
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    int descriptor =
        static_cast<int>(Retried([&] { return syscall(SYS_openat2, folder, relative.c_str(), &how, sizeof how); }));
    int number = errno;
    close(folder);
    if (descriptor < 0) return SystemError(number, "open " + path + " beneath " + root);
    auto file = std::make_unique<RealFile>(descriptor, path);
    Result<FileInfo> info = file->Info();
    if (!info) return info.error();
    if (info->type == FileInfo::Type::kFolder) return Error{Cause::kInvalid, path + " is a folder, not a file"};
    if (info->type != FileInfo::Type::kRegular) return Error{Cause::kDenied, path + " is not a regular file"};
    return std::unique_ptr<File>(std::move(file));
  }

  Result<void> Rename(const std::string& from, const std::string& to) override {
    return Done(rename(from.c_str(), to.c_str()), "rename " + from + " to " + to);
  }
  Result<void> Link(const std::string& from, const std::string& to) override {
    return Done(link(from.c_str(), to.c_str()), "link " + from + " to " + to);
  }
  Result<void> Unlink(const std::string& path) override { return Done(unlink(path.c_str()), "remove " + path); }
  Result<void> RemoveFolder(const std::string& path) override { return Done(rmdir(path.c_str()), "remove " + path); }
  Result<void> MakeFolder(const std::string& path) override {
    return Done(mkdir(path.c_str(), 0700), "make folder " + path);
  }
  Result<void> ChangeMode(const std::string& path, uint32_t mode) override {
    return Done(chmod(path.c_str(), mode), "change mode of " + path);
  }

  Result<void> SyncFolder(const std::string& path) override {
    int folder = Retried([&] { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (folder < 0) return SystemError(errno, "open " + path);
    int failed = Retried([&] { return fsync(folder); });
    int number = errno;
    close(folder);
    if (failed != 0) return SystemError(number, "sync " + path);
    return {};
  }

  Result<FileInfo> Stat(const std::string& path) override {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return SystemError(errno, "look at " + path);
    return InfoOf(status);
  }
  Result<FileInfo> LinkStat(const std::string& path) override {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) return SystemError(errno, "look at " + path);
    return InfoOf(status);
  }

  Result<void> List(const std::string& path, const std::function<bool(std::string_view)>& visit) override {
    DIR* folder = opendir(path.c_str());
    if (folder == nullptr) return SystemError(errno, "list " + path);
    errno = 0;
    while (dirent* entry = readdir(folder)) {
      std::string_view name = entry->d_name;
      if (name != "." && name != ".." && !visit(name)) break;
      errno = 0;
    }
    int number = errno;
    closedir(folder);
    if (number != 0) return SystemError(number, "list " + path);
    return {};
  }

 private:
  static Result<void> Done(int result, const std::string& what) {
    if (result != 0) return SystemError(errno, what);
    return {};
  }
};

Cause CauseOf(int number) {
  switch (number) {
    case ENOENT:
    case ENOTDIR:
      return Cause::kNotFound;
    case EEXIST:
    case EBUSY:
    case EAGAIN:
    case ETXTBSY:
      return Cause::kBusy;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return Cause::kFull;
    case EROFS:
      return Cause::kReadOnly;
    case EACCES:
    case EPERM:
    case ELOOP:
    case EXDEV:
      return Cause::kDenied;
    case EISDIR:
    case EINVAL:
    case ENAMETOOLONG:
      return Cause::kInvalid;
    default:
      return Cause::kIo;
  }
}

FileSystem* replaced_files = nullptr;

}  // namespace

FileSystem& SystemFiles() {
  static RealFiles files;
  return files;
}

FileSystem& Files() { return replaced_files != nullptr ? *replaced_files : SystemFiles(); }

void ReplaceFiles(FileSystem* files) { replaced_files = files; }

Error SystemError(int number, std::string_view what) {
  return Error{CauseOf(number), "cannot " + std::string(what) + ": " + strerror(number)};
}

std::string ParentOf(const std::string& path) {
  size_t last = path.find_last_not_of('/');
  size_t slash = last == std::string::npos ? last : path.rfind('/', last);
  if (slash == std::string::npos) return path.empty() || path[0] != '/' ? "." : "/";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Result<void> MakeFolders(const std::string& path, bool synced) {
  Result<void> made = Files().MakeFolder(path);
  if (!made && made.error().cause == Cause::kBusy) {
    Result<FileInfo> info = Files().Stat(path);
    if (info && info->type != FileInfo::Type::kFolder) return Error{Cause::kInvalid, path + " is not a folder"};
    return {};
  }
  if (!made && made.error().cause == Cause::kNotFound) {
    std::string parent = ParentOf(path);
    if (parent == "." || parent == "/") return made;
    if (Result<void> above = MakeFolders(parent, synced); !above) return above;
    made = Files().MakeFolder(path);
    if (!made && made.error().cause == Cause::kBusy) return {};  // another process was quicker
  }
  return made && synced ? Files().SyncFolder(ParentOf(path)) : made;
}

Result<void> SyncFile(const std::string& path) {
  Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kRead);
  if (!file) return file.error();
  return (*file)->Sync();
}

Result<std::string> ReadFile(const std::string& path, uint64_t limit) {
  Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kRead);
  if (!file) return file.error();
  Result<std::string> bytes = (*file)->Read(limit == UINT64_MAX ? limit : limit + 1);
  if (bytes && bytes->size() > limit) {
    return Error{Cause::kTooLarge, path + " is larger than " + std::to_string(limit) + " bytes"};
  }
  return bytes;
}

Result<std::string> ReadRegularFile(const std::string& path, uint64_t limit) {
  Result<FileInfo> info = Files().Stat(path);
  if (!info) return info.error();
  if (info->type != FileInfo::Type::kRegular) return Error{Cause::kInvalid, path + " is not a regular file"};
  return ReadFile(path, limit);
}

Result<void> WriteFileAtomically(const std::string& path, std::string_view content, uint32_t mode, bool synced) {
  if (Result<FileInfo> old = Files().Stat(path)) mode = old->mode;
  std::string temporary = path + "." + RandomName();
  Result<std::unique_ptr<File>> file = Files().Open(temporary, OpenMode::kCreateNew);
  if (!file) return file.error();
  Result<void> done = (*file)->Write(content);
  if (done && mode != 0600) done = Files().ChangeMode(temporary, mode);
  if (done && synced) done = (*file)->Sync();
  file->reset();
  if (done) done = Files().Rename(temporary, path);
  if (!done) {
    (void)Files().Unlink(temporary).ok();
    return done;
  }
  if (!synced) return {};
  return Files().SyncFolder(ParentOf(path));
}

std::string RandomName() {
  char bytes[8];
  size_t got = 0;
  while (got < sizeof bytes) {
    ssize_t some = getrandom(bytes + got, sizeof bytes - got, 0);
    if (some > 0) got += static_cast<size_t>(some);
  }
  return EncodeHex({bytes, sizeof bytes});
}

}  // namespace pith
