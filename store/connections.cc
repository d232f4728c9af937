// Opening, sharing and losing the database.
//
// Two connections a process: a reader never waits for this process's own writer, and WAL sees to the others. A file
// that was set aside or deleted by somebody keeps living for whoever has it open, so each lease compares the name's
// inode with the one that was opened (a microsecond), and opens anew when they differ.
#include "store/connections.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/files.h"
#include "store/schema.h"

namespace pith {
namespace {

constexpr int kLockTries = 500;
constexpr int kLockWaitUs = 20000;

}  // namespace

Connections::Connections(std::string folder, const Cipher* cipher, Durability durability, int busy_ms)
    : folder_(std::move(folder)), cipher_(cipher), durability_(durability), busy_ms_(busy_ms) {}

Result<uint64_t> Connections::Inode() {
  Result<FileInfo> info = Files().Stat(path());
  if (!info) return info.error();
  return info->inode;
}

Result<Lease> Connections::Read() { return LeaseOf(on_disk() ? reader_ : writer_, !on_disk()); }

Result<Lease> Connections::Write() { return LeaseOf(writer_, true); }

Result<Lease> Connections::LeaseOf(Connection& connection, bool write) {
  Lease lease{std::unique_lock(connection.mutex), nullptr, nullptr};
  if (on_disk() && connection.database != nullptr) {
    Result<uint64_t> inode = Inode();
    if (!inode || *inode != connection.inode) {
      connection.catalog.reset();
      connection.database.reset();
    }
  }
  if (connection.database == nullptr) {
    Result<void> opened = OpenInto(connection, write);
    if (!opened) {
      connection.catalog.reset();
      connection.database.reset();
      return opened.error();
    }
  } else if (Result<void> known = CheckVersion(*connection.database); !known) {
    return known.error();
  }
  lease.database = connection.database.get();
  lease.catalog = connection.catalog.get();
  return lease;
}

Result<void> Connections::OpenInto(Connection& connection, bool write) {
  Database::Options options;
  options.busy_ms = busy_ms_;
  options.full_sync = durability_ == Durability::kPower;
  if (!on_disk()) {
    Result<std::unique_ptr<Database>> opened = Database::Open(":memory:", options);
    if (!opened) return opened.error();
    connection.database = opened.Take();
  } else {
    if (write) {
      if (Result<void> made = MakeFolders(folder_); !made) return made;
    } else if (Result<uint64_t> there = Inode(); !there) {
      return there.error();
    }
    Result<std::unique_ptr<Database>> opened = Database::Open(path(), options);
    bool unwritable = !opened && (opened.error().cause == Cause::kDenied || opened.error().cause == Cause::kReadOnly);
    if (unwritable && !write) {
      options.read_only = true;
      opened = Database::Open(path(), options);
      if (opened) {
        // A reader that may not write the folder cannot make the index of the log either; without a log it needs none.
        Result<int64_t> readable = (*opened)->Number("SELECT count(*) FROM sqlite_master");
        Result<FileInfo> log = Files().Stat(path() + "-wal");
        if (!readable && (!log || log->size == 0)) {
          options.immutable = true;
          opened = Database::Open(path(), options);
        }
      }
    }
    if (!opened) return opened.error();
    connection.database = opened.Take();
    Result<uint64_t> inode = Inode();
    if (!inode) return inode.error();
    connection.inode = *inode;
  }
  connection.catalog = std::make_unique<Catalog>(*connection.database, cipher_);
  if (options.read_only) return CheckVersion(*connection.database);
  if (Result<void> done = Migrate(*connection.database, TheClock().WallMs()); !done) return done;
  if (durability_ == Durability::kPower && on_disk()) return Files().SyncFolder(folder_);
  return {};
}

bool Connections::WriterIsCurrent() {
  if (!on_disk()) return true;
  Result<uint64_t> inode = Inode();
  return inode && *inode == writer_.inode;
}

Result<std::string> Connections::SetAside() {
  std::scoped_lock both(reader_.mutex, writer_.mutex);
  uint64_t opened = writer_.inode != 0 ? writer_.inode : reader_.inode;
  for (Connection* connection : {&reader_, &writer_}) {
    connection->catalog.reset();
    connection->database.reset();
    connection->inode = 0;
  }
  Result<std::unique_ptr<File>> lock = Files().Open(folder_ + "/lock", OpenMode::kReadWrite);
  if (!lock) return lock.error();
  for (int tries = 0;; ++tries) {
    Result<bool> locked = (*lock)->TryLock();
    if (!locked) return locked.error();
    if (*locked) break;
    if (tries == kLockTries) return Error{Cause::kBusy, "another process is setting the damaged database aside"};
    usleep(kLockWaitUs);
  }
  Result<uint64_t> inode = Inode();
  if (!inode) return inode.error().cause == Cause::kNotFound ? Result<std::string>(std::string()) : inode.error();
  if (opened != 0 && *inode != opened) return std::string();
  if (opened == 0) {
    // It never opened here: another process may have put a fresh one in its place since.
    Result<std::unique_ptr<Database>> probe = Database::Open(path(), {});
    if (probe && (*probe)->Number("SELECT count(*) FROM sqlite_master").ok()) return std::string();
  }
  std::string stamp = UtcTime(TheClock().WallMs());
  std::erase(stamp, ':');
  std::string aside = path() + ".damaged-" + stamp;
  if (Result<FileInfo> taken = Files().LinkStat(aside); taken) aside.append("-").append(RandomName());
  // The log and its index go first: a fresh database must never meet the log of another.
  for (const char* suffix : {"-wal", "-shm", ""}) {
    Result<void> moved = Files().Rename(path() + suffix, aside + suffix);
    if (!moved && moved.error().cause != Cause::kNotFound) return moved.error();
  }
  return aside;
}

}  // namespace pith
