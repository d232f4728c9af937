// One file a token under a root: ROOT/ab/TOKEN.EXPIRES_MS.body, a body file (body_file.h) whose name says when it ends;
// ab are the token's first two digits. Any number of processes. Over its bound the ones that end first go first.
#pragma once
#include <mutex>
#include <string>

#include "store/cipher.h"
#include "store/tier.h"

namespace pith {

class FilesTier : public Tier {
 public:
  // `cipher` is borrowed, may be null.
  FilesTier(std::string root, uint64_t max_bytes, Durability durability, const Cipher* cipher);

  std::string_view name() const override { return "files"; }
  bool durable() const override { return true; }
  Result<void> Put(std::string_view bytes, const Digest& digest, int64_t expires_ms) override;
  Result<std::string> Get(std::string_view token, Range range) override;
  Result<void> Remove(std::string_view token) override;
  Result<TierStats> Stats() override;
  Result<uint64_t> Sweep() override;

 private:
  struct Found {
    std::string path;
    int64_t expires_ms = 0;
  };
  Result<Found> Find(std::string_view token) const;
  std::string ShardOf(std::string_view token) const;
  Result<void> Write(const std::string& path, std::string_view content);

  const std::string root_;
  const uint64_t max_bytes_;
  const Durability durability_;
  const Cipher* cipher_;
  std::mutex mutex_;            // guards what follows
  uint64_t written_bytes_ = 0;  // since the last sweep
};

}  // namespace pith
