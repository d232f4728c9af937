#include "tests/faults/power_loss.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>

namespace pith::testing {
namespace {

constexpr size_t kSector = 512;

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }
std::string NameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

class WatchedFile : public File {
 public:
  WatchedFile(PowerLoss* disk, uint64_t node, bool append, std::unique_ptr<File> file)
      : disk_(disk), node_(node), append_(append), file_(std::move(file)) {}
  Result<std::string> ReadAt(uint64_t offset, uint64_t length) override { return file_->ReadAt(offset, length); }
  Result<std::string> Read(uint64_t length) override { return file_->Read(length); }
  Result<void> Write(std::string_view bytes) override {
    uint64_t at = append_ ? file_->Info()->size : at_;
    Result<void> done = file_->Write(bytes);
    if (done) disk_->Wrote(node_, at, bytes);
    at_ = at + bytes.size();
    return done;
  }
  Result<void> WriteAt(uint64_t offset, std::string_view bytes) override {
    Result<void> done = file_->WriteAt(offset, bytes);
    if (done) disk_->Wrote(node_, offset, bytes);
    return done;
  }
  Result<void> Truncate(uint64_t size) override {
    Result<void> done = file_->Truncate(size);
    if (done) disk_->CutTo(node_, size);
    return done;
  }
  Result<void> Sync() override {
    disk_->Synced(node_);
    return {};
  }
  Result<FileInfo> Info() override { return file_->Info(); }
  Result<bool> TryLock() override { return file_->TryLock(); }

 private:
  PowerLoss* disk_;
  uint64_t node_;
  bool append_;
  std::unique_ptr<File> file_;
  uint64_t at_ = 0;
};

// --- SQLite's side: a VFS over the system's own ---

PowerLoss* disk = nullptr;
sqlite3_vfs* real = nullptr;
sqlite3_vfs watching;
sqlite3_io_methods methods;

struct Handle {
  sqlite3_file base;
  sqlite3_file* file;  // follows in memory
  uint64_t node;
  char folder[512];  // to be synced with the file's first sync; empty once it was
};

Handle* Of(sqlite3_file* file) { return reinterpret_cast<Handle*>(file); }
sqlite3_file* Under(sqlite3_file* file) { return Of(file)->file; }

int Close(sqlite3_file* file) { return Under(file)->pMethods->xClose(Under(file)); }
int ReadSome(sqlite3_file* file, void* to, int size, sqlite3_int64 at) {
  return Under(file)->pMethods->xRead(Under(file), to, size, at);
}
int WriteSome(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
  int code = Under(file)->pMethods->xWrite(Under(file), from, size, at);
  if (code == SQLITE_OK && Of(file)->node != 0) {
    disk->Wrote(Of(file)->node, static_cast<uint64_t>(at), {static_cast<const char*>(from), static_cast<size_t>(size)});
  }
  return code;
}
int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  int code = Under(file)->pMethods->xTruncate(Under(file), size);
  if (code == SQLITE_OK && Of(file)->node != 0) disk->CutTo(Of(file)->node, static_cast<uint64_t>(size));
  return code;
}
int Sync(sqlite3_file* file, int) {
  if (Of(file)->node == 0) return SQLITE_OK;
  disk->Synced(Of(file)->node);
  // SQLite syncs the folder with a log's first sync, as the system's VFS does.
  if (Of(file)->folder[0] != '\0') disk->FolderSynced(Of(file)->folder);
  Of(file)->folder[0] = '\0';
  return SQLITE_OK;
}
int FileSize(sqlite3_file* file, sqlite3_int64* size) { return Under(file)->pMethods->xFileSize(Under(file), size); }
int Lock(sqlite3_file* file, int kind) { return Under(file)->pMethods->xLock(Under(file), kind); }
int Unlock(sqlite3_file* file, int kind) { return Under(file)->pMethods->xUnlock(Under(file), kind); }
int CheckLock(sqlite3_file* file, int* held) { return Under(file)->pMethods->xCheckReservedLock(Under(file), held); }
int Control(sqlite3_file* file, int code, void* argument) {
  return Under(file)->pMethods->xFileControl(Under(file), code, argument);
}
int SectorSize(sqlite3_file*) { return kSector; }
int Traits(sqlite3_file*) { return 0; }
int ShmMap(sqlite3_file* file, int page, int size, int extend, void volatile** at) {
  return Under(file)->pMethods->xShmMap(Under(file), page, size, extend, at);
}
int ShmLock(sqlite3_file* file, int offset, int count, int flags) {
  return Under(file)->pMethods->xShmLock(Under(file), offset, count, flags);
}
void ShmBarrier(sqlite3_file* file) { Under(file)->pMethods->xShmBarrier(Under(file)); }
int ShmUnmap(sqlite3_file* file, int remove) { return Under(file)->pMethods->xShmUnmap(Under(file), remove); }

int Open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  Handle* handle = Of(file);
  handle->file = reinterpret_cast<sqlite3_file*>(handle + 1);
  int code = real->xOpen(real, name, handle->file, flags, out_flags);
  handle->base.pMethods = handle->file->pMethods != nullptr ? &methods : nullptr;
  handle->node = 0;
  handle->folder[0] = '\0';
  if (code != SQLITE_OK || name == nullptr) return code;
  handle->node = disk->NodeOf(name, true);
  std::string folder = FolderOf(name);
  bool log = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
  if (log && folder.size() < sizeof handle->folder) memcpy(handle->folder, folder.c_str(), folder.size() + 1);
  return code;
}

int Delete(sqlite3_vfs*, const char* name, int sync_folder) {
  int code = real->xDelete(real, name, 0);
  if (code == SQLITE_OK) disk->Removed(name);
  if (code == SQLITE_OK && sync_folder != 0) disk->FolderSynced(FolderOf(name));
  return code;
}

}  // namespace

PowerLoss::PowerLoss(std::string root) : root_(std::move(root)) {
  last_node_ = 1;
  nodes_[1].folder = true;
  paths_[root_] = 1;
  disk = this;
  real = sqlite3_vfs_find(nullptr);
  methods = {2,       Close,      ReadSome, WriteSome, Truncate, Sync,       FileSize, Lock,    Unlock, CheckLock,
             Control, SectorSize, Traits,   ShmMap,    ShmLock,  ShmBarrier, ShmUnmap, nullptr, nullptr};
  watching = *real;
  watching.zName = "watching";
  watching.szOsFile = static_cast<int>(sizeof(Handle)) + real->szOsFile;
  watching.pNext = nullptr;
  watching.xOpen = pith::testing::Open;
  watching.xDelete = Delete;
  sqlite3_vfs_register(&watching, 1);
  ReplaceFiles(this);
}

PowerLoss::~PowerLoss() {
  ReplaceFiles(nullptr);
  sqlite3_vfs_unregister(&watching);
  sqlite3_vfs_register(real, 1);
}

void PowerLoss::LoseAt(int64_t nth, std::string image, uint32_t seed, std::function<void()> lost) {
  std::lock_guard lock(mutex_);
  changes_ = 0;
  lose_at_ = nth;
  image_ = std::move(image);
  random_.seed(seed);
  lost_ = std::move(lost);
}

void PowerLoss::LoseNow() {
  std::lock_guard lock(mutex_);
  if (lost_) lost_();
  lost_ = nullptr;
  lose_at_ = 0;
  LayOut(1, image_);
}

void PowerLoss::Changed() {
  if (++changes_ == lose_at_) LoseNow();
}

void PowerLoss::NameChanged(const std::string& folder, Change change) {
  nodes_[paths_[folder]].changes.push_back(std::move(change));
  Changed();
}

uint64_t PowerLoss::NodeOf(const std::string& path, bool create) {
  std::lock_guard lock(mutex_);
  auto found = paths_.find(path);
  if (found != paths_.end()) return found->second;
  if (!create || !paths_.contains(FolderOf(path))) return 0;
  uint64_t node = ++last_node_;
  nodes_[node] = {};
  paths_[path] = node;
  NameChanged(FolderOf(path), {"", NameOf(path), node});
  return node;
}

void PowerLoss::Wrote(uint64_t node, uint64_t offset, std::string_view bytes) {
  std::lock_guard lock(mutex_);
  nodes_[node].writes.push_back({offset, std::string(bytes), false});
  Changed();
}

void PowerLoss::CutTo(uint64_t node, uint64_t size) {
  std::lock_guard lock(mutex_);
  nodes_[node].writes.push_back({size, "", true});
  Changed();
}

namespace {
void Apply(std::string& content, uint64_t offset, std::string_view bytes) {
  if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size(), '\0');
  content.replace(offset, bytes.size(), bytes);
}
}  // namespace

void PowerLoss::Synced(uint64_t node) {
  std::lock_guard lock(mutex_);
  Node& one = nodes_[node];
  for (const Write& write : one.writes) {
    write.cut ? one.content.resize(write.offset) : Apply(one.content, write.offset, write.bytes);
  }
  one.writes.clear();
}

void PowerLoss::Removed(const std::string& path) {
  std::lock_guard lock(mutex_);
  paths_.erase(path);
  NameChanged(FolderOf(path), {NameOf(path), "", 0});
}

void PowerLoss::FolderSynced(const std::string& path) {
  std::lock_guard lock(mutex_);
  auto found = paths_.find(path.back() == '/' ? path.substr(0, path.size() - 1) : path);
  if (found == paths_.end()) return;
  Node& folder = nodes_[found->second];
  for (const Change& change : folder.changes) {
    if (!change.removed.empty()) folder.names.erase(change.removed);
    if (!change.added.empty()) folder.names[change.added] = change.node;
  }
  folder.changes.clear();
}

// What the medium holds of a node when the power goes now.
void PowerLoss::LayOut(uint64_t number, const std::string& path) {
  const Node& node = nodes_[number];
  if (node.folder) {
    (void)SystemFiles().MakeFolder(path).ok();
    std::map<std::string, uint64_t> names = node.names;
    for (const Change& change : node.changes) {
      if (random_() % 2 == 0) continue;
      if (!change.removed.empty()) names.erase(change.removed);
      if (!change.added.empty()) names[change.added] = change.node;
    }
    for (const auto& [name, child] : names) LayOut(child, path + "/" + name);
    return;
  }
  std::string content = node.content;
  for (const Write& write : node.writes) {
    uint32_t chance = random_() % 4;
    if (chance == 0 && !write.cut && write.bytes.size() > kSector) {
      size_t sectors = 1 + random_() % (write.bytes.size() / kSector);
      Apply(content, write.offset, std::string_view(write.bytes).substr(0, sectors * kSector));
    } else if (chance >= 2) {
      write.cut ? content.resize(write.offset) : Apply(content, write.offset, write.bytes);
    }
  }
  Result<std::unique_ptr<File>> file = SystemFiles().Open(path, OpenMode::kCreateNew);
  if (file) (void)(*file)->Write(content).ok();
}

Result<std::unique_ptr<File>> PowerLoss::Open(const std::string& path, OpenMode mode) {
  bool there = SystemFiles().LinkStat(path).ok();
  Result<std::unique_ptr<File>> file = SystemFiles().Open(path, mode);
  if (!file) return file;
  uint64_t node = NodeOf(path, !there);
  return std::unique_ptr<File>(std::make_unique<WatchedFile>(this, node, mode == OpenMode::kAppend, file.Take()));
}

Result<std::unique_ptr<File>> PowerLoss::OpenBeneath(const std::string& root, const std::string& path) {
  return SystemFiles().OpenBeneath(root, path);
}

Result<void> PowerLoss::Rename(const std::string& from, const std::string& to) {
  Result<void> done = SystemFiles().Rename(from, to);
  if (!done) return done;
  std::lock_guard lock(mutex_);
  uint64_t node = paths_[from];
  paths_.erase(from);
  paths_[to] = node;
  if (FolderOf(from) == FolderOf(to)) {
    NameChanged(FolderOf(from), {NameOf(from), NameOf(to), node});
  } else {
    NameChanged(FolderOf(to), {"", NameOf(to), node});
    NameChanged(FolderOf(from), {NameOf(from), "", 0});
  }
  return done;
}

Result<void> PowerLoss::Link(const std::string& from, const std::string& to) {
  Result<void> done = SystemFiles().Link(from, to);
  if (!done) return done;
  std::lock_guard lock(mutex_);
  paths_[to] = paths_[from];
  NameChanged(FolderOf(to), {"", NameOf(to), paths_[from]});
  return done;
}

Result<void> PowerLoss::Unlink(const std::string& path) {
  Result<void> done = SystemFiles().Unlink(path);
  if (done) Removed(path);
  return done;
}

Result<void> PowerLoss::RemoveFolder(const std::string& path) {
  Result<void> done = SystemFiles().RemoveFolder(path);
  if (done) Removed(path);
  return done;
}

Result<void> PowerLoss::MakeFolder(const std::string& path) {
  Result<void> done = SystemFiles().MakeFolder(path);
  if (!done) return done;
  std::lock_guard lock(mutex_);
  uint64_t node = ++last_node_;
  nodes_[node].folder = true;
  paths_[path] = node;
  NameChanged(FolderOf(path), {"", NameOf(path), node});
  return done;
}

Result<void> PowerLoss::SyncFolder(const std::string& path) {
  FolderSynced(path);
  return {};
}

Result<void> PowerLoss::ChangeMode(const std::string& path, uint32_t mode) {
  return SystemFiles().ChangeMode(path, mode);
}
Result<FileInfo> PowerLoss::Stat(const std::string& path) { return SystemFiles().Stat(path); }
Result<FileInfo> PowerLoss::LinkStat(const std::string& path) { return SystemFiles().LinkStat(path); }
Result<void> PowerLoss::List(const std::string& path, const std::function<bool(std::string_view)>& visit) {
  return SystemFiles().List(path, visit);
}

}  // namespace pith::testing
