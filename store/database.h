// SQLite behind Result: a connection, its statements, a transaction. One thread at a time a Database; whoever shares
// one holds a mutex beside it.
#pragma once
#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"

namespace pith {

// A prepared statement, borrowed from its Database's cache, reset when it goes. Parameters are bound in order. A fault
// in preparing or binding is told by the next Step.
class Statement {
 public:
  Statement(sqlite3* connection, sqlite3_stmt* statement, int fault, bool* corrupt);
  Statement(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  Statement& Int(int64_t value);
  Statement& Text(std::string_view value);
  Statement& Blob(std::string_view value);
  Statement& Null();

  Result<bool> Step();  // true: a row stands ready
  Result<void> Run();   // to the end, rows ignored

  int64_t IntAt(int column) const;
  std::string TextAt(int column) const;
  std::string_view BlobAt(int column) const;  // until the next Step
  bool IsNull(int column) const;
  bool IsBlob(int column) const;

 private:
  sqlite3* connection_;
  sqlite3_stmt* statement_;
  int parameter_ = 0;
  int fault_;
  bool* corrupt_;
};

class Database {
 public:
  struct Options {
    bool read_only = false;
    bool immutable = false;  // read-only medium: no locks, no -wal
    // Keeps the log's index in memory instead of -shm, for a disk that has no room for it; nobody else may have the
    // database open meanwhile. Writes nothing unless asked to.
    bool alone = false;
    bool full_sync = false;  // synchronous=FULL
    int busy_ms = 10000;
  };
  // `path` ":memory:" keeps it in memory. The file is made with mode 0600 beforehand; WAL; secure_delete on.
  // kDamaged: not a database, or one that SQLite finds corrupt.
  static Result<std::unique_ptr<Database>> Open(const std::string& path, const Options& options);
  ~Database();

  // `sql` must be a literal: statements are kept by its address.
  Statement Prepare(const char* sql);
  Result<void> Execute(const std::string& sql);  // any number of statements, no parameters
  Result<int64_t> Number(const char* sql);       // first column of the first row; 0 without a row

  Result<void> Begin();  // a write transaction, waited for up to busy_ms
  Result<void> Commit();
  void Rollback();  // no-op outside a transaction

  void SetBusy(int busy_ms);  // how long a lock is waited for from now on

  int64_t LastRowId() const { return sqlite3_last_insert_rowid(connection_); }
  int64_t Changes() const { return sqlite3_changes64(connection_); }
  bool corrupt() const { return corrupt_; }  // SQLite has found the file damaged in any call so far

 private:
  Database() = default;
  sqlite3* connection_ = nullptr;
  std::unordered_map<const char*, sqlite3_stmt*> statements_;
  int busy_ms_ = 0;
  bool corrupt_ = false;
};

// Rolls back when it goes without Commit.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database), begun_(database.Begin()) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (open_ && begun_) database_.Rollback();
  }
  const Result<void>& begun() const { return begun_; }
  Result<void> Commit() {
    Result<void> done = database_.Commit();
    if (done) open_ = false;
    return done;
  }

 private:
  Database& database_;
  Result<void> begun_;
  bool open_ = true;
};

Error DatabaseError(sqlite3* connection, int code);

}  // namespace pith
