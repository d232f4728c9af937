// Each migration runs once, in one transaction with the raising of user_version, so that a process killed in the middle
// leaves the old schema whole. Versions are never edited once released: a change is a new row.
#include "store/schema.h"

#include <string>

namespace pith {
namespace {

// Ids of frames and filters are entry << 20 | number: one integer key, neighbours on disk.
constexpr char kOriginals[] = R"sql(
CREATE TABLE counters (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  entries INTEGER NOT NULL DEFAULT 0, raw_bytes INTEGER NOT NULL DEFAULT 0, stored_bytes INTEGER NOT NULL DEFAULT 0,
  evicted INTEGER NOT NULL DEFAULT 0, expired INTEGER NOT NULL DEFAULT 0, purged INTEGER NOT NULL DEFAULT 0,
  use_order INTEGER NOT NULL DEFAULT 0,
  clock_ms INTEGER NOT NULL DEFAULT 0, clock_boot_ms INTEGER NOT NULL DEFAULT 0, clock_boot_id TEXT NOT NULL DEFAULT '');
INSERT INTO counters (id) VALUES (1);
CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  body_id INTEGER NOT NULL, raw_bytes INTEGER NOT NULL, stored_bytes INTEGER NOT NULL, lines INTEGER NOT NULL,
  frames INTEGER NOT NULL, file TEXT NOT NULL, key_id BLOB NOT NULL,
  first_seen_ms INTEGER NOT NULL, last_seen_ms INTEGER NOT NULL,
  used_ms INTEGER NOT NULL, use_order INTEGER NOT NULL, lifetime_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL,
  sightings INTEGER NOT NULL, retrievals INTEGER NOT NULL, held INTEGER NOT NULL);
CREATE INDEX entries_by_use ON entries (held, use_order);
CREATE INDEX entries_by_expiry ON entries (held, expires_ms);
CREATE TABLE frames (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE filters (
  id INTEGER PRIMARY KEY, raw_offset INTEGER NOT NULL, newlines_before INTEGER NOT NULL, filter BLOB NOT NULL);
CREATE TABLE name_spaces (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name NOT NULL,
  sightings INTEGER NOT NULL DEFAULT 0, retrievals INTEGER NOT NULL DEFAULT 0,
  original_bytes INTEGER NOT NULL DEFAULT 0, original_tokens INTEGER NOT NULL DEFAULT 0,
  shown_bytes INTEGER NOT NULL DEFAULT 0, shown_tokens INTEGER NOT NULL DEFAULT 0,
  retrieved_bytes INTEGER NOT NULL DEFAULT 0, retrieved_tokens INTEGER NOT NULL DEFAULT 0);
CREATE TABLE sightings (
  id INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL, name_space INTEGER NOT NULL,
  tool TEXT NOT NULL, command NOT NULL, folder NOT NULL, road TEXT NOT NULL, policy TEXT NOT NULL,
  kind TEXT NOT NULL, exit_code INTEGER, signal INTEGER,
  original_bytes INTEGER NOT NULL, original_lines INTEGER NOT NULL, original_tokens INTEGER NOT NULL,
  shown_bytes INTEGER NOT NULL, shown_lines INTEGER NOT NULL, shown_tokens INTEGER NOT NULL,
  host_cut INTEGER NOT NULL, lifetime_ms INTEGER);
CREATE INDEX sightings_by_entry ON sightings (entry, name_space);
CREATE INDEX sightings_by_name_space ON sightings (name_space);
CREATE TABLE tombstones (
  id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, at_ms INTEGER NOT NULL, cause INTEGER NOT NULL,
  raw_bytes INTEGER NOT NULL, tool TEXT NOT NULL, command NOT NULL);
)sql";

// The names folded in last, so that a process killed between its commit and its unlinks does not count them twice.
constexpr char kFolded[] = "CREATE TABLE folded (name TEXT PRIMARY KEY) WITHOUT ROWID;";

constexpr Migration kMigrations[] = {
    {1, kOriginals},
    {2, kFolded},
};

}  // namespace

std::span<const Migration> Migrations() { return kMigrations; }

int SchemaVersion() { return std::end(kMigrations)[-1].version; }

Result<void> CheckVersion(Database& database) {
  Result<int64_t> version = database.Number("PRAGMA user_version");
  if (!version) return version.error();
  if (*version > SchemaVersion()) {
    return Error{Cause::kUnsupported, "the store was written by a newer pith (schema " + std::to_string(*version) +
                                          ", this one knows " + std::to_string(SchemaVersion()) +
                                          "): update pith, or give another folder"};
  }
  return {};
}

Result<void> Migrate(Database& database, int64_t wall_ms) {
  Result<int64_t> version = database.Number("PRAGMA user_version");
  if (!version) return version.error();
  Result<int64_t> application = database.Number("PRAGMA application_id");
  if (!application) return application.error();
  if ((*version != 0 || *application != 0) && *application != kApplicationId) {
    return Error{Cause::kUnsupported, "the database in the store's folder is not pith's: give another folder"};
  }
  if (*version == SchemaVersion()) return {};
  if (Result<void> known = CheckVersion(database); !known) return known;
  Transaction transaction(database);
  if (!transaction.begun()) return transaction.begun();
  version = database.Number("PRAGMA user_version");  // another process may have been quicker
  if (!version) return version.error();
  for (const Migration& migration : kMigrations) {
    if (migration.version <= *version) continue;
    std::string number = std::to_string(migration.version);
    std::string sql = std::string(migration.sql) + "PRAGMA user_version=" + number + ";";
    if (migration.version == 1) {
      sql += "PRAGMA application_id=" + std::to_string(kApplicationId) + ";";
      sql += "CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_ms INTEGER NOT NULL);";
    }
    sql += "INSERT INTO migrations VALUES (" + number + "," + std::to_string(wall_ms) + ");";
    if (Result<void> done = database.Execute(sql); !done) return done;
  }
  return transaction.Commit();
}

}  // namespace pith
