// Opening, sharing and losing the database.
//
// Two connections a process: a reader never waits for this process's own writer, and WAL sees to the others. A file
// that was set aside or deleted by somebody keeps living for whoever has it open, so each lease compares the name's
// inode with the one that was opened (a microsecond), and opens anew when they differ.
#include "store/connections.h"

#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/files.h"
#include "store/erase.h"
#include "store/schema.h"

namespace pith {
namespace {

constexpr int kAsideTries = 500;
constexpr int kAsideWaitUs = 20000;
constexpr int kMakingTries = 15;
constexpr std::string_view kMadeMark = "/ccr.made";  // an empty file: the database held a schema once
constexpr std::string_view kAside = "ccr.db.damaged-";

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
      connection.Close();
    }
  }
  if (connection.database == nullptr) {
    Result<void> opened = OpenInto(connection, write);
    if (!opened) {
      connection.Close();
      return opened.error();
    }
  } else if (Result<void> known = CheckVersion(*connection.database); !known) {
    return known.error();
  }
  lease.database = connection.database.get();
  lease.catalog = connection.catalog.get();
  if (connection.makeshift) {
    lease.closing = std::shared_ptr<void>(&connection, [](void* one) { static_cast<Connection*>(one)->Close(); });
  }
  return lease;
}

// A reader makes do with what there is: no right to write, or no room for the 32 KiB of the log's index. In the second
// case a log without content is not needed, and one with content is read alone, each time anew, so that nobody else is
// kept out for longer than an operation.
Result<std::unique_ptr<Database>> Connections::OpenToRead(Database::Options options, bool* makeshift) {
  Result<std::unique_ptr<Database>> opened = Database::Open(path(), options);
  if (opened) return opened;
  Cause cause = opened.error().cause;
  Result<FileInfo> log = Files().Stat(path() + "-wal");
  bool log_empty = !log || log->size == 0;
  if (cause == Cause::kDenied || cause == Cause::kReadOnly) {
    options.read_only = true;
    opened = Database::Open(path(), options);
    // A reader that may not write the folder cannot make the index of the log either; without a log it needs none.
    if (opened && !(*opened)->Number("SELECT count(*) FROM sqlite_master") && log_empty) {
      options.immutable = true;
      opened = Database::Open(path(), options);
    }
  } else if (cause == Cause::kFull || cause == Cause::kIo) {
    *makeshift = true;
    Error why = opened.error();
    options.read_only = options.immutable = log_empty;
    options.alone = !log_empty;
    opened = Database::Open(path(), options);
    if (!opened || !(*opened)->Number("SELECT count(*) FROM sqlite_master")) return why;
  }
  return opened;
}

// A database of no bytes is what a process leaves for a moment while it makes one, or what is left of one that held
// something. The second is told by the mark that follows the making, or by bodies; the moment is waited for.
bool Connections::Emptied() {
  for (int tries = 0;; ++tries) {
    Result<FileInfo> info = Files().Stat(path());
    if (!info || info->size != 0) return false;
    bool bodies = false;
    (void)Files().List(folder_ + "/bodies", [&](std::string_view) { return !(bodies = true); }).ok();
    if (!bodies && !Files().Stat(folder_ + std::string(kMadeMark)).ok()) return false;
    if (tries == kMakingTries) return true;
    usleep(kAsideWaitUs);
  }
}

// Whoever takes it away on purpose takes the mark away first.
bool Connections::Deleted() {
  Result<FileInfo> info = Files().Stat(path());
  if (info || info.error().cause != Cause::kNotFound) return false;
  return Files().Stat(folder_ + std::string(kMadeMark)).ok() && !Files().Stat(path()).ok();
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
    if (Deleted()) return Error{Cause::kDamaged, "the store's database has been deleted"};
    if (write) {
      if (Result<void> made = MakeFolders(folder_, durability_ == Durability::kPower); !made) return made;
    } else if (Result<uint64_t> there = Inode(); !there) {
      return there.error();
    }
    if (Emptied()) return Error{Cause::kDamaged, "the store's database is damaged: it has been emptied"};
    Result<std::unique_ptr<Database>> opened =
        write ? Database::Open(path(), options) : OpenToRead(options, &connection.makeshift);
    if (!opened) return opened.error();
    connection.database = opened.Take();
    Result<uint64_t> inode = Inode();
    if (!inode) return inode.error();
    connection.inode = *inode;
  }
  connection.catalog = std::make_unique<Catalog>(*connection.database, cipher_);
  Result<int64_t> version = connection.database->Number("PRAGMA user_version");
  if (!version) return version.error();
  // Nothing to migrate needs no right and no room to write.
  if (*version == SchemaVersion() && !write) return Migrate(*connection.database, 0);
  if (connection.makeshift) {  // without a schema it was never made: there is none yet
    if (*version == 0) return Error{Cause::kNotFound, "the store's disk is full, and it has no database yet"};
    return Error{Cause::kFull, "the store's disk is full, and its database is of an older pith"};
  }
  if (Result<void> done = Migrate(*connection.database, TheClock().WallMs()); !done) return done;
  if (on_disk() && !Files().Stat(folder_ + std::string(kMadeMark)).ok()) {
    (void)Files().Open(folder_ + std::string(kMadeMark), OpenMode::kReadWrite).ok();
  }
  if (durability_ == Durability::kPower && on_disk()) return Files().SyncFolder(folder_);
  return {};
}

bool Connections::WriterIsCurrent() {
  if (!on_disk()) return true;
  Result<uint64_t> inode = Inode();
  return inode && *inode == writer_.inode;
}

Result<std::unique_ptr<File>> Connections::LockFolder() {
  Result<std::unique_ptr<File>> lock = Files().Open(folder_ + "/lock", OpenMode::kReadWrite);
  if (!lock) return lock;
  for (int tries = 0;; ++tries) {
    Result<bool> locked = (*lock)->TryLock();
    if (!locked) return locked.error();
    if (*locked) return lock;
    if (tries == kAsideTries) return Error{Cause::kBusy, "another process is setting the damaged database aside"};
    usleep(kAsideWaitUs);
  }
}

Result<std::string> Connections::SetAside() {
  std::scoped_lock both(reader_.mutex, writer_.mutex);
  uint64_t opened = writer_.inode != 0 ? writer_.inode : reader_.inode;
  for (Connection* connection : {&reader_, &writer_}) {
    connection->Close();
    connection->inode = 0;
  }
  Result<std::unique_ptr<File>> lock = LockFolder();
  if (!lock) return lock.error();
  Result<uint64_t> inode = Inode();
  bool deleted = Deleted();
  if (!inode && !deleted) {
    return inode.error().cause == Cause::kNotFound ? Result<std::string>(std::string()) : inode.error();
  }
  if (inode && opened != 0 && *inode != opened) return std::string();
  if (inode && opened == 0 && !Emptied()) {
    // It never opened here: another process may have put a fresh one in its place since.
    Result<std::unique_ptr<Database>> probe = Database::Open(path(), {});
    if (probe && (*probe)->Number("SELECT count(*) FROM sqlite_master").ok()) return std::string();
  }
  std::string stamp = UtcTime(TheClock().WallMs());
  std::erase(stamp, ':');
  std::string aside = folder_ + "/" + std::string(kAside) + stamp;
  if (Result<FileInfo> taken = Files().LinkStat(aside); taken) aside.append("-").append(RandomName());
  (void)Files().Unlink(folder_ + std::string(kMadeMark)).ok();
  // The log and its index go first: a fresh database must never meet the log of another.
  for (const char* suffix : {"-wal", "-shm", ""}) {
    Result<void> moved = Files().Rename(path() + suffix, aside + suffix);
    if (!moved && moved.error().cause != Cause::kNotFound) return moved.error();
  }
  if (deleted) {
    if (Result<std::unique_ptr<File>> made = Files().Open(aside, OpenMode::kCreateNew); !made) return made.error();
  }
  return aside;
}

Result<void> Connections::Remove() {
  std::scoped_lock both(reader_.mutex, writer_.mutex);
  for (Connection* connection : {&reader_, &writer_}) {
    connection->Close();
    connection->inode = 0;
  }
  Result<std::unique_ptr<File>> lock = LockFolder();
  if (!lock && lock.error().cause != Cause::kFull) return lock.error();
  (void)Files().Unlink(folder_ + std::string(kMadeMark)).ok();
  bool gone = true;
  for (const char* suffix : {"-wal", "-shm", ""}) {
    gone = EraseFile(path() + suffix) || !Files().LinkStat(path() + suffix).ok();
  }
  if (gone) return {};
  return Error{Cause::kIo, "the store's database could not be removed"};
}

std::vector<std::string> Connections::Damaged() const {
  std::vector<std::string> paths;
  (void)Files()
      .List(folder_,
            [&](std::string_view name) {
              bool log = name.ends_with("-wal") || name.ends_with("-shm");
              if (name.starts_with(kAside) && !log) paths.push_back(folder_ + "/" + std::string(name));
              return true;
            })
      .ok();
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace pith
