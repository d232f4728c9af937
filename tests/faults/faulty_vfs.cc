// SQLite's way of laying one VFS over another: each of our files is a header of our own followed by the real one.
#include "tests/faults/faulty_vfs.h"

#include <signal.h>
#include <sqlite3.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace pith::testing {
namespace {

std::atomic<int64_t> operations = 0;
int64_t failing = 0;
bool as_full = false, all_after = false, deadly = false, count_reads = false;
sqlite3_vfs* real = nullptr;
sqlite3_vfs faulty;
sqlite3_io_methods methods;

struct FaultyHandle {
  sqlite3_file base;
  sqlite3_file* file;  // follows in memory
};

sqlite3_file* Under(sqlite3_file* file) { return reinterpret_cast<FaultyHandle*>(file)->file; }

bool Fails(bool writing = false) {
  int64_t now = ++operations;
  bool fails = failing != 0 && (now == failing || (all_after && now > failing));
  if (fails && deadly && !writing) kill(getpid(), SIGKILL);
  return fails;
}

int Close(sqlite3_file* file) { return Under(file)->pMethods->xClose(Under(file)); }
int Read(sqlite3_file* file, void* to, int size, sqlite3_int64 at) {
  if (count_reads && Fails()) return SQLITE_IOERR_READ;
  return Under(file)->pMethods->xRead(Under(file), to, size, at);
}
int Write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
  if (!Fails(true)) return Under(file)->pMethods->xWrite(Under(file), from, size, at);
  (void)Under(file)->pMethods->xWrite(Under(file), from, size / 2, at);
  if (deadly) kill(getpid(), SIGKILL);
  return as_full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}
int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  return Fails() ? SQLITE_IOERR_TRUNCATE : Under(file)->pMethods->xTruncate(Under(file), size);
}
// Counted, and left out: no power is lost here.
int Sync(sqlite3_file*, int) { return Fails() ? SQLITE_IOERR_FSYNC : SQLITE_OK; }
int FileSize(sqlite3_file* file, sqlite3_int64* size) { return Under(file)->pMethods->xFileSize(Under(file), size); }
int Lock(sqlite3_file* file, int kind) { return Under(file)->pMethods->xLock(Under(file), kind); }
int Unlock(sqlite3_file* file, int kind) { return Under(file)->pMethods->xUnlock(Under(file), kind); }
int CheckLock(sqlite3_file* file, int* held) { return Under(file)->pMethods->xCheckReservedLock(Under(file), held); }
int Control(sqlite3_file* file, int code, void* argument) {
  return Under(file)->pMethods->xFileControl(Under(file), code, argument);
}
int SectorSize(sqlite3_file* file) { return Under(file)->pMethods->xSectorSize(Under(file)); }
int Traits(sqlite3_file* file) { return Under(file)->pMethods->xDeviceCharacteristics(Under(file)); }
int ShmMap(sqlite3_file* file, int page, int size, int extend, void volatile** at) {
  return Under(file)->pMethods->xShmMap(Under(file), page, size, extend, at);
}
int ShmLock(sqlite3_file* file, int offset, int count, int flags) {
  return Under(file)->pMethods->xShmLock(Under(file), offset, count, flags);
}
void ShmBarrier(sqlite3_file* file) { Under(file)->pMethods->xShmBarrier(Under(file)); }
int ShmUnmap(sqlite3_file* file, int remove) { return Under(file)->pMethods->xShmUnmap(Under(file), remove); }

int Open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* handle = reinterpret_cast<FaultyHandle*>(file);
  handle->file = reinterpret_cast<sqlite3_file*>(handle + 1);
  handle->base.pMethods = nullptr;
  if (count_reads && Fails()) return SQLITE_CANTOPEN;
  int code = real->xOpen(real, name, handle->file, flags, out_flags);
  handle->base.pMethods = handle->file->pMethods != nullptr ? &methods : nullptr;
  return code;
}

}  // namespace

FaultyVfs::FaultyVfs() {
  Heal();
  real = sqlite3_vfs_find(nullptr);
  methods = {2,       Close,      Read,   Write,  Truncate, Sync,       FileSize, Lock,    Unlock, CheckLock,
             Control, SectorSize, Traits, ShmMap, ShmLock,  ShmBarrier, ShmUnmap, nullptr, nullptr};
  faulty = *real;
  faulty.zName = "faulty";
  faulty.szOsFile = static_cast<int>(sizeof(FaultyHandle)) + real->szOsFile;
  faulty.pNext = nullptr;
  faulty.xOpen = Open;
  sqlite3_vfs_register(&faulty, 1);
}

FaultyVfs::~FaultyVfs() {
  sqlite3_vfs_unregister(&faulty);
  sqlite3_vfs_register(real, 1);
}

void FaultyVfs::Fail(int64_t nth, bool full, bool onwards) {
  operations = 0;
  failing = nth;
  as_full = full;
  all_after = onwards;
  deadly = false;
}

void FaultyVfs::Kill(int64_t nth) {
  Fail(nth, false, false);
  deadly = true;
}

void FaultyVfs::CountReads(bool count) { count_reads = count; }

void FaultyVfs::Heal() {
  failing = 0;
  count_reads = false;
}

int64_t FaultyVfs::count() const { return operations; }

}  // namespace pith::testing
