// The SQLite schema and its history. docs/store.md describes each table for other readers.
#pragma once
#include <span>

#include "store/database.h"

namespace pith {

inline constexpr int kApplicationId = 0x50495448;  // "PITH", in the file's header

struct Migration {
  int version;  // the schema's version after it
  const char* sql;
};
std::span<const Migration> Migrations();  // oldest first, versions 1, 2, 3, ...
int SchemaVersion();                      // of this program

// Brings an empty or older database to SchemaVersion(). kUnsupported, nothing touched: it was written by a newer Pith
// or is some other program's. kBusy: another process migrates and did not end in time.
Result<void> Migrate(Database& database, int64_t wall_ms);

// kUnsupported once a newer Pith has migrated the file under a running older one. Cheap: asked in every transaction.
Result<void> CheckVersion(Database& database);

}  // namespace pith
