// The journal. Payloads stay in the file; in memory is one line's place each. A line is appended with one write, so
// that processes do not mix theirs; a line cut short by a kill has no newline, and the next writer begins with one of
// his own.
#include "store/journal_tier.h"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/clock.h"
#include "base/encoding.h"
#include "base/json_text.h"
#include "base/token.h"

namespace pith {
namespace {

constexpr uint64_t kJournalChunk = 1 << 20;
constexpr int kJournalLockTries = 500;

std::string LineOf(std::string_view token, std::string_view bytes, int64_t expires_ms) {
  std::string line = "{\"hash\":\"";
  line.append(token).append("\",\"type\":\"default\",\"size\":").append(std::to_string(bytes.size()));
  line.append(",\"ttlAt\":").append(std::to_string(expires_ms)).append(",\"payload\":\"");
  line.append(EncodeBase64(bytes)).append("\"}\n");
  return line;
}

struct Parsed {
  std::string hash, payload;
  int64_t expires_ms = 0;
  uint64_t size = 0;
};

// Nothing unless all five fields have their types and the payload its size and hash.
std::optional<Parsed> Parse(std::string_view line) {
  nlohmann::json json = ParseJson(line);
  if (!json.is_object()) return std::nullopt;
  for (const char* text : {"hash", "type", "payload"}) {
    if (!json.contains(text) || !json[text].is_string()) return std::nullopt;
  }
  for (const char* number : {"size", "ttlAt"}) {
    if (!json.contains(number) || !json[number].is_number_integer()) return std::nullopt;
  }
  Parsed parsed;
  parsed.hash = json["hash"].get<std::string>();
  parsed.expires_ms = json["ttlAt"].get<int64_t>();
  std::optional<std::string> payload = DecodeBase64(json["payload"].get_ref<const std::string&>());
  if (!payload || json["size"].get<int64_t>() != static_cast<int64_t>(payload->size())) return std::nullopt;
  if (parsed.hash.size() != kTokenLength || TokenOf(*payload) != parsed.hash) return std::nullopt;
  parsed.payload = std::move(*payload);
  parsed.size = parsed.payload.size();
  return parsed;
}

}  // namespace

JournalTier::JournalTier(std::string path, uint64_t max_bytes, Durability durability)
    : path_(std::move(path)), max_bytes_(max_bytes), durability_(durability) {}

void JournalTier::Index(std::string_view line, uint64_t offset) {
  if (line.empty()) return;
  std::optional<Parsed> parsed = Parse(line);
  if (!parsed) {
    spoilt_bytes_ += line.size();
    return;
  }
  Line& place = lines_[parsed->hash];
  if (place.length > 0) spoilt_bytes_ += place.length;
  place = {offset, line.size(), parsed->size, parsed->expires_ms};
}

Result<void> JournalTier::CatchUp() {
  Result<FileInfo> info = Files().Stat(path_);
  if (!info && info.error().cause == Cause::kNotFound) {
    lines_.clear();
    read_ = inode_ = spoilt_bytes_ = 0;
    return {};
  }
  if (!info) return info.error();
  if (info->inode != inode_ || info->size < read_) {
    lines_.clear();
    read_ = spoilt_bytes_ = 0;
    inode_ = info->inode;
  }
  if (info->size == read_) return {};
  Result<std::unique_ptr<File>> file = Files().Open(path_, OpenMode::kRead);
  if (!file) return file.error();
  std::string waiting;
  uint64_t at = read_;
  while (true) {
    Result<std::string> some = (*file)->ReadAt(at + waiting.size(), kJournalChunk);
    if (!some) return some.error();
    if (some->empty()) break;
    size_t searched = waiting.size();
    waiting += *some;
    size_t begin = 0;
    for (size_t end; (end = waiting.find('\n', std::max(begin, searched))) != std::string::npos; begin = end + 1) {
      Index(std::string_view(waiting).substr(begin, end - begin), at + begin);
    }
    waiting.erase(0, begin);
    at += begin;
  }
  read_ = at;  // a line without its newline is looked at again
  return {};
}

Result<void> JournalTier::Put(std::string_view bytes, const Digest& digest, int64_t expires_ms) {
  std::string token = TokenOf(digest);
  std::string line = LineOf(token, bytes, expires_ms);
  if (line.size() > max_bytes_ / 2) return Error{Cause::kTooLarge, "too large for the journal"};
  std::lock_guard lock(mutex_);
  if (Result<void> read = CatchUp(); !read) return read;
  auto found = lines_.find(token);
  if (found != lines_.end() && found->second.expires_ms >= expires_ms && PayloadAt(found->second, token).ok())
    return {};
  Result<std::unique_ptr<File>> writing = Lock();
  if (!writing) return writing.error();
  if (Result<void> read = CatchUp(); !read) return read;
  Result<std::unique_ptr<File>> file = Files().Open(path_, OpenMode::kAppend);
  if (!file) return file.error();
  Result<FileInfo> info = (*file)->Info();
  if (info && info->size > read_) line.insert(0, "\n");  // somebody's line was cut short
  if (Result<void> done = (*file)->Write(line); !done) return done;
  if (durability_ == Durability::kPower) {
    Result<void> synced = (*file)->Sync();
    if (synced && read_ == 0) synced = Files().SyncFolder(ParentOf(path_));  // it may be new
    if (!synced) return synced;
  }
  if (Result<void> read = CatchUp(); !read) return read;
  bool spoilt = spoilt_bytes_ > kJournalChunk && spoilt_bytes_ > read_ / 3;
  if (spoilt || read_ > max_bytes_) (void)Rewrite({}).ok();
  return {};
}

Result<std::string> JournalTier::PayloadAt(const Line& line, std::string_view token) {
  Result<std::unique_ptr<File>> file = Files().Open(path_, OpenMode::kRead);
  if (!file) return file.error();
  Result<std::string> text = (*file)->ReadAt(line.offset, line.length);
  if (!text) return text.error();
  std::optional<Parsed> parsed = Parse(*text);
  if (!parsed || parsed->hash != token.substr(0, kTokenLength)) {
    return Error{Cause::kDamaged, "original " + std::string(token) + " is damaged in the journal"};
  }
  return std::move(parsed->payload);
}

Result<std::string> JournalTier::Get(std::string_view token, Range range) {
  std::lock_guard lock(mutex_);
  const Error missing{Cause::kNotFound, "original " + std::string(token) + " is not in the journal"};
  if (Result<void> read = CatchUp(); !read) return read.error();
  auto found = lines_.find(token.substr(0, kTokenLength));
  if (found == lines_.end()) return missing;
  if (found->second.expires_ms <= TheClock().WallMs()) {
    return Error{Cause::kExpired,
                 "original " + std::string(token) + " expired at " + UtcTime(found->second.expires_ms)};
  }
  Result<std::string> payload = PayloadAt(found->second, token);
  if (!payload) return payload;
  if (token.size() > kTokenLength && HexOf(Sha256Of(*payload)).substr(0, token.size()) != token) return missing;
  return std::string(Clamp(*payload, range));
}

Result<void> JournalTier::Remove(std::string_view token) {
  std::lock_guard lock(mutex_);
  if (Result<void> read = CatchUp(); !read) return read;
  std::string name(token.substr(0, kTokenLength));
  if (!lines_.contains(name)) return {};
  Result<std::unique_ptr<File>> writing = Lock();
  if (!writing) return writing.error();
  Result<uint64_t> done = Rewrite(name);
  if (!done) return done.error();
  return {};
}

// Whoever appends or rewrites holds it, so that no line goes into a file that is being replaced.
Result<std::unique_ptr<File>> JournalTier::Lock() {
  if (Result<void> made = MakeFolders(ParentOf(path_), durability_ == Durability::kPower); !made) return made.error();
  Result<std::unique_ptr<File>> lock = Files().Open(path_ + ".lock", OpenMode::kReadWrite);
  if (!lock) return lock;
  for (int tries = 0;; ++tries) {
    Result<bool> locked = (*lock)->TryLock();
    if (!locked) return locked.error();
    if (*locked) return lock;
    if (tries == kJournalLockTries) return Error{Cause::kBusy, "another process writes the journal"};
    usleep(tries < 20 ? 500 : 10000);
  }
}

// Everything that has not ended, newest end first while the bound allows, in the order of the file. The lock is held.
Result<uint64_t> JournalTier::Rewrite(const std::string& without) {
  if (Result<void> read = CatchUp(); !read) return read.error();
  std::vector<std::pair<std::string, Line>> kept(lines_.begin(), lines_.end());
  size_t before = kept.size();
  int64_t now = TheClock().WallMs();
  std::erase_if(kept, [&](const auto& one) { return one.first == without || one.second.expires_ms <= now; });
  std::sort(kept.begin(), kept.end(),
            [](const auto& a, const auto& b) { return a.second.expires_ms > b.second.expires_ms; });
  uint64_t bytes = 0;
  size_t fits = 0;
  while (fits < kept.size() && bytes + kept[fits].second.length < max_bytes_ * 9 / 10)
    bytes += kept[fits++].second.length;
  kept.resize(fits);
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.second.offset < b.second.offset; });
  Result<std::unique_ptr<File>> old = Files().Open(path_, OpenMode::kRead);
  if (!old) return old.error();
  std::string fresh_path = path_ + "." + RandomName();
  Result<std::unique_ptr<File>> fresh = Files().Open(fresh_path, OpenMode::kCreateNew);
  if (!fresh) return fresh.error();
  Result<void> done;
  for (size_t i = 0; done && i < kept.size(); ++i) {
    Result<std::string> line = (*old)->ReadAt(kept[i].second.offset, kept[i].second.length);
    done = line ? (*fresh)->Write(*line + "\n") : Result<void>(line.error());
  }
  if (done && durability_ == Durability::kPower) done = (*fresh)->Sync();
  if (done) done = Files().Rename(fresh_path, path_);
  if (done && durability_ == Durability::kPower) done = Files().SyncFolder(ParentOf(path_));
  if (!done) {
    (void)Files().Unlink(fresh_path).ok();
    return done.error();
  }
  if (Result<void> read = CatchUp(); !read) return read.error();
  return before - std::min(before, kept.size());
}

Result<TierStats> JournalTier::Stats() {
  std::lock_guard lock(mutex_);
  if (Result<void> read = CatchUp(); !read) return read.error();
  TierStats stats{"journal", lines_.size(), read_, 0};
  for (const auto& [token, line] : lines_) stats.raw_bytes += line.raw_bytes;
  return stats;
}

Result<uint64_t> JournalTier::Sweep() {
  std::lock_guard lock(mutex_);
  if (Result<void> read = CatchUp(); !read) return read.error();
  int64_t now = TheClock().WallMs();
  bool ended = std::any_of(lines_.begin(), lines_.end(), [&](const auto& one) { return one.second.expires_ms <= now; });
  if (!ended && spoilt_bytes_ == 0 && read_ <= max_bytes_) return uint64_t{0};
  Result<std::unique_ptr<File>> writing = Lock();
  if (!writing) return writing.error();
  return Rewrite({});
}

}  // namespace pith
