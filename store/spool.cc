// A spool takes an original of unknown length in bounded memory: one frame. What arrives is written to the tail at
// once, and moves into the body file when a frame is full. The two writes are not atomic together, so pieces of the
// tail carry their offset: a reader drops what the frames already have.
#include "store/spool.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/clock.h"
#include "base/token.h"
#include "store/check.h"
#include "store/erase.h"
#include "store/little_endian.h"

namespace pith {
namespace {

constexpr std::string_view kTail = ".tail";
constexpr std::string_view kFreshTail = ".tail.new";
constexpr std::string_view kToken = ".token";
constexpr std::string_view kProject = ".project";
constexpr size_t kPieceHeader = 20;
constexpr size_t kCheckedSpoolHeader = 12;
constexpr uint64_t kLongestProject = 1 << 16;
constexpr size_t kNameLength = 12;
constexpr size_t kRandomAt = 4;
constexpr std::string_view kSweepers =
    "00";  // names that begin so: one in 256 sweeps up, where no server and no gc does
constexpr std::string_view kProjectContext = "project";
constexpr int kSpoolLockTries = 50;
constexpr int kSpoolLockWaitUs = 1000;

std::string PathOf(const std::string& folder, std::string_view name, std::string_view suffix = {}) {
  return folder + "/spool/" + std::string(name) + std::string(suffix);
}

std::string ContextOf(uint64_t offset) {
  std::string context = "tail";
  AppendNumber(context, offset);
  return context;
}

class SpoolFile : public Spool {
 public:
  SpoolFile(std::string folder, std::string name, std::unique_ptr<File> file, std::unique_ptr<File> tail,
            const Cipher* cipher, uint64_t max_stored, AdoptBody adopt)
      : folder_(std::move(folder)),
        name_(std::move(name)),
        file_(std::move(file)),
        tail_(std::move(tail)),
        cipher_(cipher),
        max_stored_(max_stored),
        adopt_(std::move(adopt)),
        writer_(*file_, {true, true, cipher}) {
    writer_.OnFrame([this]() -> Result<void> {
      frame_written_ = true;
      return {};
    });
  }

  const std::string& name() const override { return name_; }
  uint64_t size() const override { return size_; }

  Result<void> Append(std::string_view bytes) override {
    if (spent_) return Error{Cause::kInvalid, "this spool is finished"};
    uint64_t appended = size_;
    while (!bytes.empty()) {
      std::string_view some = bytes.substr(0, kFrameBytes);
      if (Result<void> done = AppendSome(some, appended); !done) return done;
      appended += some.size();
      bytes.remove_prefix(some.size());
    }
    size_ = appended;
    return {};
  }

  Result<PutOutcome> Finish(const Sighting& sighting) override {
    if (spent_) return Error{Cause::kInvalid, "this spool is finished"};
    Result<BodyFacts> facts = writer_.Finish(nullptr);
    if (!facts) return facts.error();
    if (facts->stored_bytes > max_stored_) return TooLarge();
    Result<PutOutcome> outcome = adopt_(PathOf(folder_, name_), *facts, sighting);
    if (!outcome) return outcome;
    spent_ = true;
    (void)WriteFileAtomically(PathOf(folder_, name_, kToken), outcome->token).ok();
    (void)Files().Unlink(PathOf(folder_, name_, kTail)).ok();
    (void)Files().Unlink(PathOf(folder_, name_, kProject)).ok();
    return outcome;
  }

  Result<std::string> Read(Range range) override {
    if (range.offset >= size_) return std::string();
    range.length = std::min(range.length, size_ - range.offset);
    return ReadSpoolFile(folder_, name_, cipher_, range);
  }

  void Discard() override {
    spent_ = true;
    for (std::string_view suffix : {std::string_view(), kTail, kFreshTail, kProject}) {
      (void)Files().Unlink(PathOf(folder_, name_, suffix)).ok();
    }
  }

 private:
  Error TooLarge() const {
    return Error{Cause::kTooLarge, "the output is over the store's bound for one original (" +
                                       std::to_string(max_stored_) + " bytes as stored)"};
  }

  Result<std::string> Piece(uint64_t offset, std::string_view bytes) const {
    std::string sealed;
    if (cipher_ != nullptr) {
      Result<std::string> done = cipher_->Seal(bytes, ContextOf(offset));
      if (!done) return done.error();
      sealed = done.Take();
      bytes = sealed;
    }
    std::string piece;
    AppendNumber(piece, offset);
    AppendNumber(piece, static_cast<uint32_t>(bytes.size()));
    AppendNumber(piece, CheckOf({piece, bytes}));
    piece.append(bytes);
    return piece;
  }

  Result<void> AppendSome(std::string_view bytes, uint64_t offset) {
    if (writer_.file_bytes() > max_stored_) return TooLarge();
    Result<std::string> piece = Piece(offset, bytes);
    if (!piece) return piece.error();
    if (Result<void> done = tail_->Write(*piece); !done) return done;
    if (Result<void> done = writer_.Append(bytes); !done) return done;
    return std::exchange(frame_written_, false) ? RenewTail() : Result<void>();
  }

  // The frames have most of the tail now: a new one, with what they lack, takes its place whole.
  Result<void> RenewTail() {
    Result<std::string> piece = Piece(writer_.body().pending_offset(), writer_.body().pending());
    if (!piece) return piece.error();
    std::string fresh = PathOf(folder_, name_, kFreshTail);
    Result<std::unique_ptr<File>> tail = Files().Open(fresh, OpenMode::kCreateNew);
    if (!tail) return tail.error();
    if (Result<void> done = (*tail)->Write(*piece); !done) {
      (void)Files().Unlink(fresh).ok();
      return done;
    }
    if (Result<void> done = Files().Rename(fresh, PathOf(folder_, name_, kTail)); !done) return done;
    tail_ = tail.Take();
    return {};
  }

  std::string folder_, name_;
  std::unique_ptr<File> file_, tail_;
  const Cipher* cipher_;
  uint64_t max_stored_;
  AdoptBody adopt_;
  BodyFileWriter writer_;
  uint64_t size_ = 0;
  bool frame_written_ = false;
  bool spent_ = false;
};

class MemorySpool : public Spool {
 public:
  MemorySpool(uint64_t max_bytes, std::function<Result<PutOutcome>(std::string_view, const Sighting&)> finish)
      : name_("run-" + RandomName().substr(0, 8)), max_bytes_(max_bytes), finish_(std::move(finish)) {}
  const std::string& name() const override { return name_; }
  Result<void> Append(std::string_view bytes) override {
    if (bytes_.size() + bytes.size() > max_bytes_)
      return Error{Cause::kTooLarge, "the output is over the memory's bound"};
    bytes_.append(bytes);
    return {};
  }
  Result<PutOutcome> Finish(const Sighting& sighting) override { return finish_(bytes_, sighting); }
  uint64_t size() const override { return bytes_.size(); }
  Result<std::string> Read(Range range) override {
    if (range.offset >= bytes_.size()) return std::string();
    return bytes_.substr(range.offset, std::min<uint64_t>(range.length, bytes_.size()));
  }
  void Discard() override { bytes_.clear(); }

 private:
  std::string name_, bytes_;
  uint64_t max_bytes_;
  std::function<Result<PutOutcome>(std::string_view, const Sighting&)> finish_;
};

// Gathers the part of [offset, offset + length) that each run of bytes gives.
class RangeGatherer {
 public:
  explicit RangeGatherer(Range range) : range_(range) {}
  // `at` is where `bytes` begin; what was given before is skipped.
  void Add(uint64_t at, std::string_view bytes) {
    uint64_t end = at + bytes.size();
    uint64_t from = std::max({at, reached_, range_.offset});
    uint64_t until = range_.length > UINT64_MAX - range_.offset ? end : std::min(end, range_.offset + range_.length);
    if (at <= std::max(reached_, range_.offset) && from < until)
      gathered_.append(bytes.substr(from - at, until - from));
    reached_ = std::max(reached_, end);
  }
  bool Full() const { return gathered_.size() >= range_.length; }
  bool Empty() const { return gathered_.empty(); }
  uint64_t reached() const { return reached_; }
  std::string Take() { return std::move(gathered_); }

 private:
  Range range_;
  uint64_t reached_ = 0;
  std::string gathered_;
};

// A new file whose lock this process holds. Between the making and the locking a purge may take it for abandoned and
// remove it; then another is made.
Result<std::unique_ptr<File>> CreateLocked(const std::string& folder, std::string* name) {
  for (int tries = 0;; ++tries) {
    *name = "run-" + RandomName().substr(0, 8);
    Result<std::unique_ptr<File>> file = Files().Open(PathOf(folder, *name), OpenMode::kCreateNew);
    if (!file) return file;
    Result<bool> locked = (*file)->TryLock();
    // Whoever asks whether it lives holds the lock for a moment.
    for (int waits = 0; locked && !*locked && waits < kSpoolLockTries; ++waits) {
      usleep(kSpoolLockWaitUs);
      locked = (*file)->TryLock();
    }
    Result<FileInfo> named = Files().LinkStat(PathOf(folder, *name));
    Result<FileInfo> opened = (*file)->Info();
    if ((named && opened && named->inode == opened->inode) || tries == kSpoolLockTries) return file;
  }
}

struct SpoolFiles {
  std::vector<std::string> names;
  int64_t written_ms = 0;   // the newest of them
  uint64_t disk_bytes = 0;  // of all
  bool finished = false;
};

// What lies in the spool's folder, by the spool.
std::map<std::string, SpoolFiles> ListSpools(const std::string& folder) {
  std::map<std::string, SpoolFiles> spools;
  (void)Files()
      .List(folder + "/spool",
            [&](std::string_view name) {
              std::string_view spool = name.substr(0, kNameLength);
              if (IsSpoolName(spool)) spools[std::string(spool)].names.emplace_back(name);
              return true;
            })
      .ok();
  for (auto& [spool, files] : spools) {
    for (const std::string& name : files.names) {
      files.finished = files.finished || name.substr(kNameLength) == kToken;
      Result<FileInfo> info = Files().LinkStat(PathOf(folder, name));
      if (!info) continue;
      files.written_ms = std::max(files.written_ms, info->modified_ns / 1000000);
      files.disk_bytes += info->size;
    }
  }
  return spools;
}

}  // namespace

bool IsSpoolName(std::string_view name) {
  if (name.size() != kNameLength || name.substr(0, 4) != "run-") return false;
  return std::all_of(name.begin() + 4, name.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

Result<std::string> ProjectOfSpool(const std::string& folder, std::string_view name, const Cipher* cipher) {
  Result<std::string> project = ReadFile(PathOf(folder, name, kProject), kLongestProject);
  if (!project || cipher == nullptr) return project;
  project = cipher->Open(*project, kProjectContext);
  if (!project) return Error{Cause::kDenied, "the project of " + std::string(name) + " is under another key"};
  return project;
}

Result<std::unique_ptr<Spool>> OpenSpoolFile(const std::string& folder, std::string_view name_space,
                                             const Cipher* cipher, Durability durability, uint64_t max_stored,
                                             AdoptBody adopt) {
  Result<void> made = MakeFolders(folder + "/spool", durability == Durability::kPower);
  if (!made) return made.error();
  std::string name;
  Result<std::unique_ptr<File>> file = CreateLocked(folder, &name);
  if (!file) return file.error();
  Result<std::unique_ptr<File>> tail = Files().Open(PathOf(folder, name, kTail), OpenMode::kCreateNew);
  if (!tail) {
    (void)Files().Unlink(PathOf(folder, name)).ok();
    return tail.error();
  }
  if (name.compare(kRandomAt, kSweepers.size(), kSweepers) == 0) RemoveOldSpools(folder, TheClock().WallMs());
  // Without it a purge of the project leaves the spool and says so: no reason to fail.
  Result<std::string> project = std::string(name_space);
  if (cipher != nullptr) project = cipher->Seal(name_space, kProjectContext);
  if (project) (void)WriteFileAtomically(PathOf(folder, name, kProject), *project).ok();
  return std::unique_ptr<Spool>(
      std::make_unique<SpoolFile>(folder, name, file.Take(), tail.Take(), cipher, max_stored, std::move(adopt)));
}

Result<std::string> ReadSpoolFile(const std::string& folder, std::string_view name, const Cipher* cipher, Range range) {
  if (!IsSpoolName(name)) return Error{Cause::kInvalid, "not the name of a spool: run- and 8 hex digits"};
  Result<std::unique_ptr<File>> file = Files().Open(PathOf(folder, name), OpenMode::kRead);
  if (!file) return file.error();
  // The tail before the frames: what moves from it into a frame meanwhile is then seen in one of the two.
  std::string tail;
  if (Result<std::unique_ptr<File>> opened = Files().Open(PathOf(folder, name, kTail), OpenMode::kRead)) {
    Result<std::string> content = (*opened)->Read(4 * kFrameBytes);
    if (!content) return content.error();
    tail = content.Take();
  }
  RangeGatherer gatherer(range);
  Result<void> walked = WalkUnfinished(**file, cipher, [&](std::string raw) {
    gatherer.Add(gatherer.reached(), raw);
    return !gatherer.Full();
  });
  if (!walked) return walked.error();
  for (size_t at = 0; at + kPieceHeader <= tail.size() && !gatherer.Full();) {
    uint64_t offset = NumberAt<uint64_t>(tail, at);
    size_t size = NumberAt<uint32_t>(tail, at + 8);
    std::string_view header = std::string_view(tail).substr(at, kPieceHeader);
    at += kPieceHeader;
    if (size > tail.size() - at) break;  // half written
    std::string_view content = std::string_view(tail).substr(at, size);
    if (CheckOf({header.substr(0, kCheckedSpoolHeader), content}) != NumberAt<uint64_t>(header, kCheckedSpoolHeader)) {
      if (!gatherer.Empty()) break;
      return Error{Cause::kDamaged, "the end of " + std::string(name) + " is damaged"};
    }
    std::string opened;
    if (cipher != nullptr) {
      Result<std::string> plain = cipher->Open(content, ContextOf(offset));
      if (!plain) break;
      opened = plain.Take();
      content = opened;
    }
    if (offset <= gatherer.reached()) gatherer.Add(offset, content);
    at += size;
  }
  return gatherer.Take();
}

Result<std::string> TokenOfSpool(const std::string& folder, std::string_view name) {
  if (!IsSpoolName(name)) return Error{Cause::kInvalid, "not the name of a spool: run- and 8 hex digits"};
  Result<std::string> token = ReadFile(PathOf(folder, name, kToken), 64);
  if (!token && token.error().cause == Cause::kNotFound) {
    return Error{Cause::kNotFound, "no finished output is named " + std::string(name) +
                                       ": it is unknown, still running, or was shown whole and not kept"};
  }
  if (token && !IsTokenShaped(*token))
    return Error{Cause::kDamaged, "the record of " + std::string(name) + " is damaged"};
  return token;
}

bool SpoolIsLive(const std::string& folder, std::string_view name) {
  if (!IsSpoolName(name)) return false;
  Result<std::unique_ptr<File>> file = Files().Open(PathOf(folder, name), OpenMode::kRead);
  if (!file) return false;
  Result<bool> locked = (*file)->TryLock();
  return locked && !*locked;
}

std::vector<std::string> AbandonedSpools(const std::string& folder, int64_t before_ms) {
  std::vector<std::string> abandoned;
  for (const auto& [name, files] : ListSpools(folder)) {
    if (!files.finished && files.written_ms < before_ms && !SpoolIsLive(folder, name)) abandoned.push_back(name);
  }
  return abandoned;
}

std::vector<UnfinishedSpool> ListUnfinishedSpools(const std::string& folder) {
  std::vector<UnfinishedSpool> unfinished;
  for (const auto& [name, files] : ListSpools(folder)) {
    bool writable = std::find(files.names.begin(), files.names.end(), name) != files.names.end();
    if (files.finished || !writable) continue;
    unfinished.push_back({name, SpoolIsLive(folder, name), files.disk_bytes, files.written_ms});
  }
  std::sort(unfinished.begin(), unfinished.end(), [](const UnfinishedSpool& a, const UnfinishedSpool& b) {
    return a.written_ms != b.written_ms ? a.written_ms > b.written_ms : a.name < b.name;
  });
  return unfinished;
}

void EraseSpool(const std::string& folder, const std::string& name) {
  for (std::string_view suffix : {std::string_view(), kTail, kFreshTail, kProject}) {
    (void)EraseFile(PathOf(folder, name, suffix));
  }
}

void RemoveOldSpools(const std::string& folder, int64_t now_ms) {
  for (const auto& [spool, files] : ListSpools(folder)) {
    if (now_ms - files.written_ms <= kDayMs || SpoolIsLive(folder, spool)) continue;
    for (const std::string& name : files.names) (void)Files().Unlink(PathOf(folder, name)).ok();
  }
}

std::unique_ptr<Spool> OpenMemorySpool(uint64_t max_bytes,
                                       std::function<Result<PutOutcome>(std::string_view, const Sighting&)> finish) {
  return std::make_unique<MemorySpool>(max_bytes, std::move(finish));
}

}  // namespace pith
