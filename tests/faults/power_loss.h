// A disk that loses power: what is written through the file operations and through SQLite is also kept as a medium
// would have it, where only what was synced is sure. At a chosen operation the power goes: each write, and each change
// of a name, since the last sync of its file or folder is kept or lost by chance, whatever came first; a write may be
// torn at a sector. The program runs on; what the medium then held is laid out in another folder.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "base/files.h"

struct sqlite3_vfs;

namespace pith::testing {

class PowerLoss : public FileSystem {
 public:
  // Everything beneath `root`, which is there already, and empty. Takes the place of Files() and of SQLite's VFS.
  explicit PowerLoss(std::string root);
  PowerLoss(const PowerLoss&) = delete;
  PowerLoss& operator=(const PowerLoss&) = delete;
  ~PowerLoss() override;

  // At the `nth` change from now, `lost` is called and the medium is laid out in `image` (an empty folder).
  void LoseAt(int64_t nth, std::string image, uint32_t seed, std::function<void()> lost);
  void LoseNow();
  int64_t changes() const { return changes_; }

  Result<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode) override;
  Result<std::unique_ptr<File>> OpenBeneath(const std::string& root, const std::string& path) override;
  Result<void> Rename(const std::string& from, const std::string& to) override;
  Result<void> Link(const std::string& from, const std::string& to) override;
  Result<void> Unlink(const std::string& path) override;
  Result<void> RemoveFolder(const std::string& path) override;
  Result<void> MakeFolder(const std::string& path) override;
  Result<void> SyncFolder(const std::string& path) override;
  Result<void> ChangeMode(const std::string& path, uint32_t mode) override;
  Result<FileInfo> Stat(const std::string& path) override;
  Result<FileInfo> LinkStat(const std::string& path) override;
  Result<void> List(const std::string& path, const std::function<bool(std::string_view)>& visit) override;

  // What happened to a file or a name, from either side.
  uint64_t NodeOf(const std::string& path, bool create);
  void Wrote(uint64_t node, uint64_t offset, std::string_view bytes);
  void CutTo(uint64_t node, uint64_t size);
  void Synced(uint64_t node);
  void Removed(const std::string& path);
  void FolderSynced(const std::string& path);

 private:
  struct Write {
    uint64_t offset = 0;
    std::string bytes;
    bool cut = false;  // to `offset`
  };
  // A file's content as synced and what came since, or a folder's names likewise.
  struct Change {
    std::string removed, added;  // names; either may be empty, a rename has both
    uint64_t node = 0;
  };
  struct Node {
    bool folder = false;
    std::string content;
    std::vector<Write> writes;
    std::map<std::string, uint64_t> names;
    std::vector<Change> changes;
  };
  void Changed();
  void NameChanged(const std::string& folder, Change change);
  void LayOut(uint64_t node, const std::string& path);

  std::recursive_mutex mutex_;  // guards what follows
  std::string root_;
  std::map<uint64_t, Node> nodes_;
  std::map<std::string, uint64_t> paths_;  // as the running program sees them
  uint64_t last_node_ = 0;
  int64_t changes_ = 0, lose_at_ = 0;
  std::string image_;
  std::mt19937 random_;
  std::function<void()> lost_;
};

}  // namespace pith::testing
