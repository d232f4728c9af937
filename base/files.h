// Every file operation of Pith, behind one interface, so that tests can make any of them fail.
//
// Paths are bytes, absolute or relative to the working folder. Errors carry the system's reason as a cause: kNotFound
// (ENOENT, ENOTDIR), kBusy (EEXIST, EAGAIN, EBUSY), kFull (ENOSPC, EDQUOT, EFBIG), kReadOnly (EROFS), kDenied (EACCES,
// EPERM, ELOOP, EXDEV beneath a root), kTooLarge, kInvalid (a folder where a file was wanted), kIo (all else). A
// FileSystem may be used by any number of threads; a File by one at a time, but for ReadAt, which any may call.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pith {

enum class OpenMode : uint8_t {
  kRead,       // an existing file
  kCreateNew,  // write; fails with kBusy if the name exists, links included; mode 0600
  kReadWrite,  // read and write; made with mode 0600 if missing; links are not followed
  kAppend,     // write at the end, made with mode 0600 if missing; links are not followed
};

struct FileInfo {
  enum class Type : uint8_t { kRegular, kFolder, kLink, kOther } type = Type::kOther;
  uint64_t size = 0;        // bytes
  uint64_t disk_bytes = 0;  // blocks in use, in bytes
  int64_t modified_ns = 0;  // Unix time
  uint64_t device = 0, inode = 0;
  uint32_t mode = 0;  // permission bits
};

// An open file; closed when it goes.
class File {
 public:
  virtual ~File() = default;
  // Up to `length` bytes from `offset`; fewer only at the end of the file.
  virtual Result<std::string> ReadAt(uint64_t offset, uint64_t length) = 0;
  // Up to `length` bytes from where the last Read ended; empty at the end. For pipes and growing files.
  virtual Result<std::string> Read(uint64_t length) = 0;
  virtual Result<void> Write(std::string_view bytes) = 0;  // all of them, after the last written
  virtual Result<void> WriteAt(uint64_t offset, std::string_view bytes) = 0;
  virtual Result<void> Truncate(uint64_t size) = 0;
  virtual Result<void> Sync() = 0;  // data and size are on the medium
  virtual Result<FileInfo> Info() = 0;
  // Exclusive advisory lock over all processes, gone with the File. false: another holds it.
  virtual Result<bool> TryLock() = 0;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual Result<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode) = 0;
  // Reads `path` (relative, or absolute with `root` as prefix) such that no link and no `..` leads out of `root`
  // (openat2, RESOLVE_BENEATH). Regular files only; a FIFO or device is kDenied and is not waited for.
  virtual Result<std::unique_ptr<File>> OpenBeneath(const std::string& root, const std::string& path) = 0;
  virtual Result<void> Rename(const std::string& from, const std::string& to) = 0;  // replaces `to`
  virtual Result<void> Link(const std::string& from, const std::string& to) = 0;    // fails with kBusy if `to` exists
  virtual Result<void> Unlink(const std::string& path) = 0;
  virtual Result<void> RemoveFolder(const std::string& path) = 0;  // an empty one
  virtual Result<void> MakeFolder(const std::string& path) = 0;    // mode 0700; one level; kBusy if there
  virtual Result<void> SyncFolder(const std::string& path) = 0;    // its names are on the medium
  virtual Result<void> ChangeMode(const std::string& path, uint32_t mode) = 0;
  virtual Result<FileInfo> Stat(const std::string& path) = 0;      // of the link's target
  virtual Result<FileInfo> LinkStat(const std::string& path) = 0;  // of the name itself
  // Names in a folder, without . and .., in no order. Stops early when `visit` gives false.
  virtual Result<void> List(const std::string& path, const std::function<bool(std::string_view)>& visit) = 0;
};

// The system's own.
FileSystem& SystemFiles();

// The one in use: SystemFiles(), or what a test has put in its place. Replacing it is for tests, before threads start.
FileSystem& Files();
void ReplaceFiles(FileSystem* files);  // borrowed; null: SystemFiles()

// The error for `number` (errno) about `what` ("open /a/b").
Error SystemError(int number, std::string_view what);

// --- What is built from these ---

// Folder and its missing parents, mode 0700. Nothing happens if it is there. `synced`: what is made survives loss of
// power.
Result<void> MakeFolders(const std::string& path, bool synced = false);

std::string ParentOf(const std::string& path);  // "." and "/" where there is no other

// Content and size of a file that was written are on the medium.
Result<void> SyncFile(const std::string& path);

// The whole file; kTooLarge over `limit` bytes. Reads to the end even where the size is not known (/proc, pipes).
Result<std::string> ReadFile(const std::string& path, uint64_t limit);

// The same of a regular file, kInvalid else: for names that others may have put there. A FIFO is not waited for.
Result<std::string> ReadRegularFile(const std::string& path, uint64_t limit);

// Readers see the old file or the new one, never a part: written under another name beside it, then renamed over it.
// `mode` for a new file, an existing one keeps its own. `synced`: survives loss of power too.
Result<void> WriteFileAtomically(const std::string& path, std::string_view content, uint32_t mode = 0600,
                                 bool synced = false);

// 8 random bytes from the system as 16 hex digits, for names that must not meet.
std::string RandomName();

}  // namespace pith
