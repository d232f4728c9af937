// SQLite keeps rows of a few kilobytes faster than a file system keeps files, and loses that advantage above some 100
// KB; a body of a gigabyte as rows would also pass through the write-ahead log twice. So bodies from 16 MiB on are
// files. A file's name ends in a random part: one that is to be removed after a commit can then never be one that was
// just put there.
#include "store/sqlite_bodies.h"

#include <utility>

namespace pith {
namespace {

int64_t FrameId(int64_t entry, uint64_t number) { return entry << kFrameNumberBits | static_cast<int64_t>(number); }

class RowBody : public FrameSource {
 public:
  RowBody(Database& database, const EntryRow& row, const Cipher* cipher)
      : database_(database), row_(row), cipher_(cipher) {}

  const BodyFacts& facts() const override { return row_.facts; }

  Result<FramePlace> Place(uint64_t number) override {
    Statement statement = database_.Prepare("SELECT raw_offset, newlines_before FROM filters WHERE id = ?");
    Result<bool> found = statement.Int(FrameId(row_.id, number)).Step();
    if (!found) return found.error();
    if (!*found) return Missing();
    return FramePlace{static_cast<uint64_t>(statement.IntAt(0)), static_cast<uint64_t>(statement.IntAt(1))};
  }

  Result<std::string> Load(uint64_t number) override {
    Statement statement = database_.Prepare("SELECT data FROM frames WHERE id = ?");
    Result<bool> found = statement.Int(FrameId(row_.id, number)).Step();
    if (!found) return found.error();
    if (!*found) return Missing();
    return DecodeFrame(statement.BlobAt(0), row_.facts.body_id, static_cast<uint32_t>(number), cipher_);
  }

 private:
  Error Missing() const {
    return Error{Cause::kDamaged, "original " + row_.token() + " is damaged: a part of it is missing"};
  }

  Database& database_;
  EntryRow row_;
  const Cipher* cipher_;
};

}  // namespace

SqliteBodies::SqliteBodies(std::string folder, const Cipher* cipher, Durability durability)
    : folder_(std::move(folder)), cipher_(cipher), durability_(durability) {}

Result<NewBody> SqliteBodies::Prepare(std::string_view bytes, const Digest& digest) const {
  NewBody body;
  const bool synced = durability_ == Durability::kPower;
  if (!folder_.empty() && bytes.size() >= kOwnFileFrom) {
    std::string name = HexOf(digest) + "-" + RandomName();
    std::string path = PathOf(name);
    if (Result<void> made = MakeFolders(folder_ + "/bodies", synced); !made) return made.error();
    Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kCreateNew);
    if (!file) return file.error();
    BodyFileWriter writer(**file, {true, true, cipher_});
    writer.body().DoNotHash();
    Result<void> done = writer.Append(bytes);
    if (done) {
      Result<BodyFacts> facts = writer.Finish(&digest);
      if (!facts) done = facts.error();
    }
    if (done && synced) done = (*file)->Sync();
    if (done && synced) done = Files().SyncFolder(folder_ + "/bodies");
    if (!done) {
      (void)Files().Unlink(path).ok();
      return done.error();
    }
    return FromFile(path, name);
  }
  BodyWriter writer({true, true, cipher_}, [&](Frame frame, const FramePlace& place) -> Result<void> {
    body.frames.push_back({std::move(frame.data), std::move(frame.filter), place});
    return {};
  });
  writer.DoNotHash();
  if (Result<void> done = writer.Append(bytes); !done) return done.error();
  Result<BodyFacts> facts = writer.Finish(&digest);
  if (!facts) return facts.error();
  body.facts = *facts;
  return body;
}

// The frames stay in the file, and Insert reads the filters out of it: of 10 GB they would fill 300 MB of memory.
Result<NewBody> SqliteBodies::FromFile(const std::string& path, std::string file) const {
  Result<std::unique_ptr<FrameSource>> source = OpenBodyFile(path, cipher_);
  if (!source) return source.error();
  NewBody body;
  body.facts = (*source)->facts();
  body.file = std::move(file);
  return body;
}

Result<NewBody> SqliteBodies::PrepareFrom(const std::string& path) const {
  Result<std::unique_ptr<FrameSource>> source = OpenBodyFile(path, cipher_);
  if (!source) return source.error();
  const BodyFacts& facts = (*source)->facts();
  if (facts.raw_bytes < kOwnFileFrom) {
    Result<std::string> bytes = ReadRange(**source, {});
    if (!bytes) return bytes.error();
    if (bytes->empty() && facts.digest != Sha256Of({})) {
      return Error{Cause::kDamaged, "a body file is damaged: its hash does not fit"};
    }
    return Prepare(*bytes, facts.digest);
  }
  if (Result<void> whole = VerifyBody(**source); !whole) return whole.error();
  const bool synced = durability_ == Durability::kPower;
  if (Result<void> made = MakeFolders(folder_ + "/bodies", synced); !made) return made.error();
  std::string name = HexOf(facts.digest) + "-" + RandomName();
  Result<void> linked = synced ? SyncFile(path) : Result<void>();
  if (linked) linked = Files().Link(path, PathOf(name));
  if (linked && synced) linked = Files().SyncFolder(folder_ + "/bodies");
  if (!linked) return linked.error();
  return FromFile(PathOf(name), name);
}

void SqliteBodies::Discard(const NewBody& body) const {
  if (!body.file.empty()) (void)Files().Unlink(PathOf(body.file)).ok();
}

Result<void> SqliteBodies::Insert(Database& database, int64_t entry, const NewBody& body) const {
  std::unique_ptr<FrameSource> source;
  if (!body.file.empty()) {
    Result<std::unique_ptr<FrameSource>> opened = OpenBodyFile(PathOf(body.file), cipher_);
    if (!opened) return opened.error();
    source = opened.Take();
  }
  for (uint64_t number = 0; number < body.facts.frames; ++number) {
    int64_t id = FrameId(entry, number);
    StoredFrame from_file;
    if (source != nullptr) {
      Result<StoredFrame> read = ReadStoredFilter(*source, number);
      if (!read) return read.error();
      from_file = read.Take();
    }
    const StoredFrame& frame = source != nullptr ? from_file : body.frames[number];
    if (source == nullptr) {
      Result<void> done =
          database.Prepare("INSERT INTO frames (id, data) VALUES (?, ?)").Int(id).Blob(frame.data).Run();
      if (!done) return done;
    }
    Result<void> done =
        database.Prepare("INSERT INTO filters (id, raw_offset, newlines_before, filter) VALUES (?, ?, ?, ?)")
            .Int(id)
            .Int(static_cast<int64_t>(frame.place.raw_offset))
            .Int(static_cast<int64_t>(frame.place.newlines_before))
            .Blob(frame.filter)
            .Run();
    if (!done) return done;
  }
  return {};
}

Result<void> SqliteBodies::Remove(Database& database, const EntryRow& row) const {
  int64_t low = FrameId(row.id, 0), high = FrameId(row.id + 1, 0);
  Result<void> done = database.Prepare("DELETE FROM frames WHERE id >= ? AND id < ?").Int(low).Int(high).Run();
  if (!done) return done;
  return database.Prepare("DELETE FROM filters WHERE id >= ? AND id < ?").Int(low).Int(high).Run();
}

void SqliteBodies::RemoveFile(const EntryRow& row) const {
  if (!row.file.empty()) (void)Files().Unlink(PathOf(row.file)).ok();
}

Result<std::unique_ptr<FrameSource>> SqliteBodies::Open(Database& database, const EntryRow& row) const {
  if (row.facts.key_id != KeyId{}) {
    if (cipher_ == nullptr)
      return Error{Cause::kDenied, "original " + row.token() + " is encrypted and no key was given"};
    if (cipher_->key_id() != row.facts.key_id) {
      return Error{Cause::kDenied, "original " + row.token() + " is encrypted with another key than the one given"};
    }
  }
  if (row.file.empty()) return std::unique_ptr<FrameSource>(std::make_unique<RowBody>(database, row, cipher_));
  Result<std::unique_ptr<FrameSource>> source = OpenBodyFile(PathOf(row.file), cipher_);
  if (!source && source.error().cause == Cause::kNotFound) {
    return Error{Cause::kDamaged, "original " + row.token() + " is damaged: its file is missing"};
  }
  if (source && (*source)->facts().digest != row.facts.digest) {
    return Error{Cause::kDamaged, "original " + row.token() + " is damaged: its file holds another"};
  }
  return source;
}

}  // namespace pith
