// The inbox. A put is two files, each written under a name of its own and renamed: what has a final name is whole,
// whoever dies when. The body first, so that a sighting never stands for nothing. A body that is there already is
// written again rather than trusted: it costs 20 us, and mends one that was damaged.
//
// Small bodies go in as they are, without compression or filter: the process is waited for, and whoever folds them in
// does both. Larger ones are compressed here, because then the disk costs more than zstd.
#include "store/inbox.h"

#include <algorithm>
#include <charconv>

#include "base/clock.h"
#include "base/token.h"
#include "store/body_file.h"
#include "store/sighting_file.h"

namespace pith {
namespace {

constexpr size_t kPackedFrom = 256 * 1024;
constexpr std::string_view kBodySuffix = ".body";
constexpr std::string_view kSightingSuffix = ".seen";
constexpr std::string_view kNewSuffix = ".new";
constexpr std::string_view kSightingContext = "sighting";
constexpr uint64_t kLargestSighting = 16 << 20;

bool EndsWith(std::string_view name, std::string_view suffix) {
  return name.size() >= suffix.size() && name.substr(name.size() - suffix.size()) == suffix;
}

// TOKEN.AT_MS.BYTES.RANDOM.seen
bool ParseSightingName(std::string_view name, InboxSighting* sighting) {
  if (!EndsWith(name, kSightingSuffix) || name.size() < kTokenLength + 1 || name[kTokenLength] != '.') return false;
  sighting->file_name = name;
  sighting->token = name.substr(0, kTokenLength);
  if (!IsTokenShaped(sighting->token)) return false;
  const char* end = name.data() + name.size();
  auto at = std::from_chars(name.data() + kTokenLength + 1, end, sighting->at_ms);
  if (at.ec != std::errc() || at.ptr == end || *at.ptr != '.') return false;
  auto bytes = std::from_chars(at.ptr + 1, end, sighting->body_bytes);
  return bytes.ec == std::errc() && bytes.ptr != end && *bytes.ptr == '.';
}

}  // namespace

Inbox::Inbox(const std::string& folder, const Cipher* cipher, Durability durability)
    : parent_(folder), folder_(folder + "/inbox"), cipher_(cipher), durability_(durability) {}

std::string Inbox::BodyPath(std::string_view token) const {
  return Path(std::string(token.substr(0, kTokenLength)) + std::string(kBodySuffix));
}

Result<void> Inbox::Publish(const std::string& from, const std::string& to) {
  Result<void> done = Files().Rename(from, to);
  if (!done) (void)Files().Unlink(from).ok();
  return done;
}

Result<void> Inbox::WriteNew(const std::string& name, const std::function<Result<void>(File&)>& write) {
  std::string temporary = Path(RandomName()) + std::string(kNewSuffix);
  Result<std::unique_ptr<File>> file = Files().Open(temporary, OpenMode::kCreateNew);
  if (!file && file.error().cause == Cause::kNotFound) {
    if (Result<void> made = MakeFolders(folder_, durability_ == Durability::kPower); !made) return made;
    file = Files().Open(temporary, OpenMode::kCreateNew);
  }
  if (!file) return file.error();
  Result<void> done = write(**file);
  if (done && durability_ == Durability::kPower) done = (*file)->Sync();
  file->reset();
  if (!done) {
    (void)Files().Unlink(temporary).ok();
    return done;
  }
  return Publish(temporary, Path(name));
}

Result<void> Inbox::Put(std::string_view bytes, const Digest& digest, const Sighting& sighting, uint64_t max_stored) {
  std::string token = TokenOf(digest);
  bool packed = bytes.size() >= kPackedFrom;
  uint64_t stored = 0;
  // Frame by frame: of what is large, nothing but a frame is held.
  const auto write = [&](File& file) -> Result<void> {
    BodyFileWriter writer(file, {packed, packed, cipher_});
    writer.body().DoNotHash();
    writer.AtMost(max_stored);
    if (Result<void> done = writer.Append(bytes); !done) return done;
    Result<BodyFacts> facts = writer.Finish(&digest);
    if (!facts) return facts.error();
    stored = facts->stored_bytes;
    return {};
  };
  if (Result<void> done = WriteNew(token + std::string(kBodySuffix), write); !done) return done;
  return AddSighting(token, stored, sighting);
}

Result<void> Inbox::Adopt(const std::string& path, const BodyFacts& facts, const Sighting& sighting) {
  if (Result<void> made = MakeFolders(folder_, durability_ == Durability::kPower); !made) return made;
  std::string token = TokenOf(facts.digest);
  if (durability_ == Durability::kPower) {
    if (Result<void> synced = SyncFile(path); !synced) return synced;
  }
  if (Result<void> done = Files().Rename(path, BodyPath(token)); !done) return done;
  return AddSighting(token, facts.stored_bytes, sighting);
}

Result<void> Inbox::AddSighting(std::string_view token, uint64_t body_bytes, const Sighting& sighting) {
  std::string content = EncodeSighting(sighting);
  if (cipher_ != nullptr) {
    Result<std::string> sealed = cipher_->Seal(content, kSightingContext);
    if (!sealed) return sealed.error();
    content = sealed.Take();
  }
  std::string name = std::string(token) + "." + std::to_string(sighting.at_ms) + "." + std::to_string(body_bytes) +
                     "." + RandomName() + std::string(kSightingSuffix);
  if (Result<void> done = WriteNew(name, [&](File& file) { return file.Write(content); }); !done) return done;
  if (durability_ != Durability::kPower) return {};
  if (Result<void> done = Files().SyncFolder(folder_); !done) return done;
  return Files().SyncFolder(parent_);
}

Result<std::unique_ptr<FrameSource>> Inbox::Open(std::string_view token) const {
  Result<std::unique_ptr<FrameSource>> body = OpenBodyFile(BodyPath(token), cipher_);
  if (!body) return body;
  std::string digest = HexOf((*body)->facts().digest);
  if (std::string_view(digest).substr(0, token.size()) != token) {
    if (digest.substr(0, kTokenLength) == token.substr(0, kTokenLength)) {
      return Error{Cause::kNotFound, "no original of that longer token"};
    }
    return Error{Cause::kDamaged, "original " + std::string(token) + " is damaged: its file holds another"};
  }
  return body;
}

Result<std::vector<InboxSighting>> Inbox::Waiting(std::string_view token) const {
  std::vector<InboxSighting> waiting;
  std::string_view short_token = token.substr(0, kTokenLength);
  Result<void> listed = Files().List(folder_, [&](std::string_view name) {
    InboxSighting sighting;
    if (ParseSightingName(name, &sighting) && (token.empty() || sighting.token == short_token)) {
      waiting.push_back(std::move(sighting));
    }
    return true;
  });
  if (!listed && listed.error().cause != Cause::kNotFound) return listed.error();
  std::sort(waiting.begin(), waiting.end(), [](const InboxSighting& a, const InboxSighting& b) {
    return a.at_ms != b.at_ms ? a.at_ms < b.at_ms : a.file_name < b.file_name;
  });
  return waiting;
}

Result<Sighting> Inbox::ReadSighting(const InboxSighting& waiting) const {
  Result<std::string> content = ReadFile(Path(waiting.file_name), kLargestSighting);
  if (!content) return content.error();
  // One that was left before there was a key is plain, and says so by its first bytes.
  if (cipher_ != nullptr && !IsPlainSighting(*content)) {
    Result<std::string> plain = cipher_->Open(*content, kSightingContext);
    if (!plain) return plain.error();
    content = plain;
  }
  return DecodeSighting(*content);
}

Inbox::Load Inbox::Size() const {
  Load load;
  Result<void> listed = Files().List(folder_, [&](std::string_view name) {
    load.files += 1;
    InboxSighting sighting;
    if (ParseSightingName(name, &sighting)) load.bytes += sighting.body_bytes;
    return true;
  });
  return listed ? load : Load{};
}

bool Inbox::Empty() const {
  bool empty = true;
  Result<void> listed = Files().List(folder_, [&](std::string_view name) {
    empty = !EndsWith(name, kSightingSuffix);
    return empty;
  });
  return !listed || empty;
}

void Inbox::RemoveLeftovers(int64_t now_ms) const {
  std::vector<std::string> names;
  std::vector<std::string> seen;
  (void)Files()
      .List(folder_,
            [&](std::string_view name) {
              InboxSighting sighting;
              if (ParseSightingName(name, &sighting))
                seen.push_back(sighting.token);
              else
                names.emplace_back(name);
              return true;
            })
      .ok();
  std::sort(seen.begin(), seen.end());
  for (const std::string& name : names) {
    bool body = EndsWith(name, kBodySuffix);
    if (!body && !EndsWith(name, kNewSuffix)) continue;
    if (body && std::binary_search(seen.begin(), seen.end(), name.substr(0, kTokenLength))) continue;
    Result<FileInfo> info = Files().LinkStat(Path(name));
    if (info && now_ms - info->modified_ns / 1000000 > kDayMs) (void)Files().Unlink(Path(name)).ok();
  }
}

}  // namespace pith
