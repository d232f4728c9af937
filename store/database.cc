// SQLite: WAL, so that readers never wait for a writer and a killed writer leaves nothing half done; secure_delete, so
// that what is evicted or purged is overwritten with zeros in the file (a page of a small body costs one page of log
// more). No memory mapping: a file cut short under a map kills the process, where a failed read is an error that can be
// answered.
#include "store/database.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/files.h"

namespace pith {
namespace {

// SQLite's own busy handler sleeps up to 100 ms between tries, which starves a writer among many quick ones. Short
// sleeps, growing to 4 ms, keep the wait near that of a queue.
int WaitForLock(void* budget, int tries) {
  int64_t allowed_us = static_cast<int64_t>(*static_cast<int*>(budget)) * 1000;
  int sleep_us = tries < 8 ? 200 << (tries / 2) : 4000;
  int64_t slept_us = tries < 8 ? static_cast<int64_t>(tries) * 1000 : static_cast<int64_t>(tries - 6) * 4000;
  if (slept_us >= allowed_us) return 0;
  usleep(static_cast<useconds_t>(sleep_us));
  return 1;
}

bool IsCorrupt(int code) { return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB; }

}  // namespace

Error DatabaseError(sqlite3* connection, int code) {
  std::string text = connection != nullptr ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  int number = connection != nullptr ? sqlite3_system_errno(connection) : 0;
  switch (code & 0xff) {
    case SQLITE_FULL:
      return {Cause::kFull, "the store's disk is full"};
    case SQLITE_READONLY:
      return {Cause::kReadOnly, "the store cannot be written: " + text};
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return {Cause::kDenied, "the store may not be opened: " + text};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {Cause::kBusy, "the store is locked by another process"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {Cause::kDamaged, "the store's database is damaged: " + text};
    case SQLITE_CANTOPEN:
      if (number == EACCES || number == EPERM) return {Cause::kDenied, "the store may not be opened: " + text};
      if (number == EROFS) return {Cause::kReadOnly, "the store cannot be written: " + text};
      if (number == ENOSPC) return {Cause::kFull, "the store's disk is full"};
      return {Cause::kIo, "the store cannot be opened: " + text};
    case SQLITE_IOERR:
      if (number == ENOSPC || number == EDQUOT) return {Cause::kFull, "the store's disk is full"};
      return {Cause::kIo, "the store's disk failed: " + text};
    case SQLITE_TOOBIG:
      return {Cause::kTooLarge, "too large for the store's database"};
    default:
      return {Cause::kInternal, "the store's database refused: " + text};
  }
}

Statement::Statement(sqlite3* connection, sqlite3_stmt* statement, int fault, bool* corrupt)
    : connection_(connection), statement_(statement), fault_(fault), corrupt_(corrupt) {}

Statement::Statement(Statement&& other) noexcept
    : connection_(other.connection_),
      statement_(std::exchange(other.statement_, nullptr)),
      parameter_(other.parameter_),
      fault_(other.fault_),
      corrupt_(other.corrupt_) {}

Statement::~Statement() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

Statement& Statement::Int(int64_t value) {
  if (fault_ == SQLITE_OK) fault_ = sqlite3_bind_int64(statement_, ++parameter_, value);
  return *this;
}

Statement& Statement::Text(std::string_view value) {
  // An empty view may have no address, which SQLite would bind as NULL.
  const char* data = value.data() != nullptr ? value.data() : "";
  if (fault_ == SQLITE_OK) {
    fault_ = sqlite3_bind_text64(statement_, ++parameter_, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  return *this;
}

Statement& Statement::Blob(std::string_view value) {
  const char* data = value.data() != nullptr ? value.data() : "";
  if (fault_ == SQLITE_OK) {
    fault_ = sqlite3_bind_blob64(statement_, ++parameter_, data, value.size(), SQLITE_TRANSIENT);
  }
  return *this;
}

Statement& Statement::Null() {
  if (fault_ == SQLITE_OK) fault_ = sqlite3_bind_null(statement_, ++parameter_);
  return *this;
}

Result<bool> Statement::Step() {
  int code = fault_ != SQLITE_OK ? fault_ : sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  *corrupt_ = *corrupt_ || IsCorrupt(code);
  return DatabaseError(connection_, code);
}

Result<void> Statement::Run() {
  while (true) {
    Result<bool> row = Step();
    if (!row) return row.error();
    if (!*row) return {};
  }
}

int64_t Statement::IntAt(int column) const { return sqlite3_column_int64(statement_, column); }

std::string Statement::TextAt(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  int size = sqlite3_column_bytes(statement_, column);
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text), static_cast<size_t>(size));
}

std::string_view Statement::BlobAt(int column) const {
  const void* blob = sqlite3_column_blob(statement_, column);
  int size = sqlite3_column_bytes(statement_, column);
  return blob == nullptr ? std::string_view()
                         : std::string_view(static_cast<const char*>(blob), static_cast<size_t>(size));
}

bool Statement::IsNull(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

bool Statement::IsBlob(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_BLOB; }

Result<std::unique_ptr<Database>> Database::Open(const std::string& path, const Options& options) {
  bool in_memory = path == ":memory:";
  if (!in_memory && !options.read_only) {
    // Made here and not by SQLite, for the mode: readable by its owner alone from the first instant. Only where there
    // is none: closing a descriptor of a file drops every POSIX lock that this process's connections hold on it.
    Result<FileInfo> there = Files().Stat(path);
    if (!there) {
      Result<std::unique_ptr<File>> made = Files().Open(path, OpenMode::kCreateNew);
      if (!made && made.error().cause != Cause::kBusy) return made.error();
    }
  }
  std::unique_ptr<Database> database(new Database);  // the constructor is private
  database->busy_ms_ = options.busy_ms;
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
  flags |= options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  std::string name = path;
  if (options.immutable) {
    name = "file:";
    for (char c : path) {
      if (c == '%' || c == '?' || c == '#') {
        char escaped[4];
        snprintf(escaped, sizeof escaped, "%%%02x", static_cast<unsigned char>(c));
        name += escaped;
      } else {
        name.push_back(c);
      }
    }
    name += "?immutable=1";
  }
  int code = sqlite3_open_v2(name.c_str(), &database->connection_, flags, nullptr);
  if (code != SQLITE_OK) return DatabaseError(database->connection_, code);
  sqlite3_busy_handler(database->connection_, WaitForLock, &database->busy_ms_);
  std::string setup =
      "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-4096; PRAGMA secure_delete=ON; PRAGMA trusted_schema=OFF;"
      "PRAGMA cell_size_check=ON;";
  if (options.alone) {
    sqlite3_db_config(database->connection_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    setup += "PRAGMA locking_mode=EXCLUSIVE; PRAGMA query_only=ON;";
  } else if (!options.read_only) {
    setup += "PRAGMA journal_mode=WAL; PRAGMA journal_size_limit=4194304;";
    setup += options.full_sync ? "PRAGMA synchronous=FULL;" : "PRAGMA synchronous=NORMAL;";
  }
  // Of several that turn a fresh database to the log at once, SQLite refuses all but one without asking the handler.
  for (int tries = 0;; ++tries) {
    Result<void> done = database->Execute(setup);
    if (done) return database;
    if (done.error().cause != Cause::kBusy || WaitForLock(&database->busy_ms_, tries) == 0) return done.error();
  }
}

Database::~Database() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close_v2(connection_);
}

Statement Database::Prepare(const char* sql) {
  sqlite3_stmt*& statement = statements_[sql];
  int fault = SQLITE_OK;
  if (statement == nullptr) {
    fault = sqlite3_prepare_v3(connection_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  }
  return Statement(connection_, statement, fault, &corrupt_);
}

Result<void> Database::Execute(const std::string& sql) {
  int code = sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr);
  corrupt_ = corrupt_ || IsCorrupt(code);
  if (code != SQLITE_OK) return DatabaseError(connection_, code);
  return {};
}

Result<int64_t> Database::Number(const char* sql) {
  Statement statement = Prepare(sql);
  Result<bool> row = statement.Step();
  if (!row) return row.error();
  return *row ? statement.IntAt(0) : 0;
}

Result<void> Database::Begin() { return Prepare("BEGIN IMMEDIATE").Run(); }

Result<void> Database::Commit() { return Prepare("COMMIT").Run(); }

void Database::SetBusy(int busy_ms) { busy_ms_ = busy_ms; }

void Database::Rollback() {
  if (sqlite3_get_autocommit(connection_) == 0) (void)Prepare("ROLLBACK").Run().ok();
}

}  // namespace pith
