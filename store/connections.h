// The connections of one process to the store's database: one that reads, one that writes, each with its mutex. Opens
// at the first need, notices when the file has been replaced under it, sets a damaged one aside.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/files.h"
#include "store/catalog.h"
#include "store/database.h"

namespace pith {

// The right to use a connection, held for one operation.
struct Lease {
  std::unique_lock<std::mutex> lock;
  Database* database = nullptr;
  Catalog* catalog = nullptr;
  std::shared_ptr<void> closing = nullptr;  // closes a connection that may not outlive the operation
};

class Connections {
 public:
  // `folder` "": a database in memory, with one connection for both. `cipher` is borrowed, may be null.
  Connections(std::string folder, const Cipher* cipher, Durability durability, int busy_ms);

  // kNotFound: there is no database yet. kUnsupported: it is newer than this program. Needs no room on the disk.
  Result<Lease> Read();
  // Makes what is missing.
  Result<Lease> Write();

  // After a failure in which SQLite found the file corrupt: sets it aside under a dated name, so that the next lease
  // opens a fresh one; `path` of what was set aside, "" if another process has done it already. A database that is gone
  // leaves an empty file of that name, so that later misses can say so. Call without a lease.
  Result<std::string> SetAside();

  // Removes the database with its log, where there is no room for doing it row by row. Call without a lease.
  Result<void> Remove();

  // Databases that were set aside, the newest last, as full paths; without logs and their indexes.
  std::vector<std::string> Damaged() const;

  // True if the file behind the write connection is still the store's: asked after a commit that must not be lost.
  bool WriterIsCurrent();

  std::string path() const { return folder_ + "/ccr.db"; }
  const std::string& folder() const { return folder_; }
  bool on_disk() const { return !folder_.empty(); }

 private:
  struct Connection {
    std::mutex mutex;
    std::unique_ptr<Database> database;
    std::unique_ptr<Catalog> catalog;
    uint64_t inode = 0;
    bool makeshift = false;  // opened for a full disk: must be closed after each lease
    void Close() {
      catalog.reset();
      database.reset();
      makeshift = false;
    }
  };
  Result<std::unique_ptr<Database>> OpenToRead(Database::Options options, bool* makeshift);
  bool Emptied();
  bool Deleted();  // it was made once, and is not there
  Result<std::unique_ptr<File>> LockFolder();
  Result<void> OpenInto(Connection& connection, bool write);
  Result<uint64_t> Inode();
  Result<Lease> LeaseOf(Connection& connection, bool write);

  std::string folder_;
  const Cipher* cipher_;
  Durability durability_;
  int busy_ms_;
  Connection reader_, writer_;
};

}  // namespace pith
