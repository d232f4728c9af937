// The plainest tier: for people who want to see their originals as files, or to share a folder. The end stands in the
// name, so that a sweep reads no file and a longer life is one rename.
#include "store/files_tier.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/clock.h"
#include "base/token.h"
#include "store/body_file.h"

namespace pith {
namespace {

constexpr std::string_view kSuffix = ".body";
constexpr int kRaces = 5;  // another process may rename a file between our look and our open

// TOKEN.EXPIRES_MS.body
bool ParseName(std::string_view name, int64_t* expires_ms) {
  if (name.size() < kTokenLength + 2 + kSuffix.size() || name[kTokenLength] != '.') return false;
  if (name.substr(name.size() - kSuffix.size()) != kSuffix || !IsTokenShaped(name.substr(0, kTokenLength)))
    return false;
  const char* end = name.data() + name.size() - kSuffix.size();
  auto parsed = std::from_chars(name.data() + kTokenLength + 1, end, *expires_ms);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

std::string NameOf(std::string_view token, int64_t expires_ms) {
  return std::string(token.substr(0, kTokenLength)) + "." + std::to_string(expires_ms) + std::string(kSuffix);
}

}  // namespace

FilesTier::FilesTier(std::string root, uint64_t max_bytes, Durability durability, const Cipher* cipher)
    : root_(std::move(root)), max_bytes_(max_bytes), durability_(durability), cipher_(cipher) {}

std::string FilesTier::ShardOf(std::string_view token) const { return root_ + "/" + std::string(token.substr(0, 2)); }

Result<FilesTier::Found> FilesTier::Find(std::string_view token) const {
  Found found;
  Result<void> listed = Files().List(ShardOf(token), [&](std::string_view name) {
    int64_t expires_ms = 0;
    if (!ParseName(name, &expires_ms) || name.substr(0, kTokenLength) != token.substr(0, kTokenLength)) return true;
    if (found.path.empty() || expires_ms > found.expires_ms) {
      found = {ShardOf(token) + "/" + std::string(name), expires_ms};
    }
    return true;
  });
  if (!listed && listed.error().cause != Cause::kNotFound) return listed.error();
  if (found.path.empty()) return Error{Cause::kNotFound, "original " + std::string(token) + " is not among the files"};
  return found;
}

Result<void> FilesTier::Write(const std::string& path, std::string_view content) {
  return WriteFileAtomically(path, content, 0600, durability_ == Durability::kPower);
}

Result<void> FilesTier::Put(std::string_view bytes, const Digest& digest, int64_t expires_ms) {
  std::string token = TokenOf(digest);
  Result<Found> there = Find(token);
  if (there && Get(token, {}).ok()) {
    if (there->expires_ms >= expires_ms) return {};
    Result<void> renamed = Files().Rename(there->path, ShardOf(token) + "/" + NameOf(token, expires_ms));
    if (renamed) return renamed;
  }
  Result<std::string> content = EncodeBody(bytes, digest, true, true, cipher_);
  if (!content) return content.error();
  if (content->size() > max_bytes_ / 2) return Error{Cause::kTooLarge, "too large for the files tier"};
  if (Result<void> made = MakeFolders(ShardOf(token), durability_ == Durability::kPower); !made) return made;
  std::string path = ShardOf(token) + "/" + NameOf(token, expires_ms);
  if (Result<void> done = Write(path, *content); !done) return done;
  if (there && there->path != path) (void)Files().Unlink(there->path).ok();
  bool due = false;
  {
    std::lock_guard lock(mutex_);
    written_bytes_ += content->size();
    due = written_bytes_ > max_bytes_ / 64;
  }
  if (due) (void)Sweep().ok();
  return {};
}

Result<std::string> FilesTier::Get(std::string_view token, Range range) {
  for (int race = 0;; ++race) {
    Result<Found> found = Find(token);
    if (!found) return found.error();
    if (found->expires_ms <= TheClock().WallMs()) {
      return Error{Cause::kExpired, "original " + std::string(token) + " expired at " + UtcTime(found->expires_ms)};
    }
    Result<std::unique_ptr<FrameSource>> body = OpenBodyFile(found->path, cipher_);
    if (!body && body.error().cause == Cause::kNotFound && race < kRaces) continue;
    if (!body) return body.error();
    std::string digest = HexOf((*body)->facts().digest);
    if (digest.substr(0, kTokenLength) != token.substr(0, kTokenLength)) {
      return Error{Cause::kDamaged, "original " + std::string(token) + " is damaged: its file holds another"};
    }
    if (digest.substr(0, token.size()) != token) {
      return Error{Cause::kNotFound, "original " + std::string(token) + " is not among the files"};
    }
    return ReadRange(**body, range);
  }
}

Result<void> FilesTier::Remove(std::string_view token) {
  for (Result<Found> found = Find(token); found; found = Find(token)) {
    Result<void> gone = Files().Unlink(found->path);
    if (!gone && gone.error().cause != Cause::kNotFound) return gone;
  }
  return {};
}

Result<TierStats> FilesTier::Stats() {
  TierStats stats{"files", 0, 0, 0};
  for (int shard = 0; shard < 256; ++shard) {
    const char digits[] = "0123456789abcdef";
    std::string folder = root_ + "/" + digits[shard >> 4] + digits[shard & 15];
    (void)Files()
        .List(folder,
              [&](std::string_view name) {
                int64_t expires_ms = 0;
                Result<FileInfo> info = Files().LinkStat(folder + "/" + std::string(name));
                if (ParseName(name, &expires_ms) && info) {
                  stats.entries += 1;
                  stats.bytes += info->size;
                }
                return true;
              })
        .ok();
  }
  return stats;
}

Result<uint64_t> FilesTier::Sweep() {
  struct One {
    int64_t expires_ms;
    uint64_t bytes;
    std::string path;
  };
  std::vector<One> all;
  uint64_t total = 0, swept = 0;
  for (int shard = 0; shard < 256; ++shard) {
    const char digits[] = "0123456789abcdef";
    std::string folder = root_ + "/" + digits[shard >> 4] + digits[shard & 15];
    (void)Files()
        .List(folder,
              [&](std::string_view name) {
                int64_t expires_ms = 0;
                std::string path = folder + "/" + std::string(name);
                Result<FileInfo> info = Files().LinkStat(path);
                if (!ParseName(name, &expires_ms) || !info) return true;
                all.push_back({expires_ms, info->size, path});
                total += info->size;
                return true;
              })
        .ok();
  }
  std::sort(all.begin(), all.end(), [](const One& a, const One& b) { return a.expires_ms < b.expires_ms; });
  int64_t now = TheClock().WallMs();
  for (const One& one : all) {
    if (one.expires_ms > now && total <= max_bytes_) break;
    if (Result<void> gone = Files().Unlink(one.path); !gone && gone.error().cause != Cause::kNotFound)
      return gone.error();
    total -= one.bytes;
    ++swept;
  }
  std::lock_guard lock(mutex_);
  written_bytes_ = 0;
  return swept;
}

}  // namespace pith
