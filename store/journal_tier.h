// An append-only JSONL file that other programs read too: {"hash","type","size","ttlAt","payload"} a line, payload in
// base64, ttlAt Unix milliseconds. For a repeated hash the later line wins. Rewritten without what has ended or is
// doubled when it is opened and when a third of it is such. Any number of processes may append; a rewrite is under a
// lock.
#pragma once
#include <map>
#include <mutex>
#include <string>

#include "base/files.h"
#include "store/tier.h"

namespace pith {

class JournalTier : public Tier {
 public:
  JournalTier(std::string path, uint64_t max_bytes, Durability durability);

  std::string_view name() const override { return "journal"; }
  bool durable() const override { return true; }
  Result<void> Put(std::string_view bytes, const Digest& digest, int64_t expires_ms) override;
  Result<std::string> Get(std::string_view token, Range range) override;
  Result<void> Remove(std::string_view token) override;
  Result<TierStats> Stats() override;
  Result<uint64_t> Sweep() override;

 private:
  struct Line {
    uint64_t offset = 0, length = 0;  // in the file, newline excluded
    uint64_t raw_bytes = 0;
    int64_t expires_ms = 0;
  };
  Result<void> CatchUp();  // reads what has been appended since, or all anew after a rewrite
  void Index(std::string_view line, uint64_t offset);
  Result<std::string> PayloadAt(const Line& line, std::string_view token);
  Result<std::unique_ptr<File>> Lock();
  Result<uint64_t> Rewrite(const std::string& without);

  const std::string path_;
  const uint64_t max_bytes_;
  const Durability durability_;
  std::mutex mutex_;  // guards what follows
  std::map<std::string, Line, std::less<>> lines_;
  uint64_t read_ = 0, inode_ = 0, spoilt_bytes_ = 0;
};

}  // namespace pith
