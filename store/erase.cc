#include "store/erase.h"

#include <algorithm>

#include "base/files.h"

namespace pith {
namespace {

constexpr uint64_t kPiece = 1 << 20;

void Overwrite(const std::string& path) {
  Result<FileInfo> info = Files().LinkStat(path);
  if (!info || info->type != FileInfo::Type::kRegular || info->size == 0) return;
  Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kReadWrite);
  if (!file) return;
  const std::string zeros(std::min(info->size, kPiece), '\0');
  for (uint64_t at = 0; at < info->size; at += zeros.size()) {
    uint64_t size = std::min<uint64_t>(zeros.size(), info->size - at);
    if (!(*file)->WriteAt(at, std::string_view(zeros).substr(0, size))) return;
  }
  (void)(*file)->Sync().ok();
}

}  // namespace

bool EraseFile(const std::string& path) {
  Overwrite(path);
  return Files().Unlink(path).ok();
}

}  // namespace pith
