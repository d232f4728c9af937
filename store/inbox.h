// Where one-shot processes leave originals: a folder beside the database, so that they need not open it.
//
//   TOKEN.body                      the body (body_file.h)
//   TOKEN.AT_MS.BYTES.RANDOM.seen   a sighting of it (sighting_file.h); BYTES is the size of the body file
//   *.new                           being written; removed when a day old
//
// A name is there only when its file is whole. Any thread, any process.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "store/body.h"
#include "store/cipher.h"

namespace pith {

struct InboxSighting {
  std::string file_name, token;
  int64_t at_ms = 0;
  uint64_t body_bytes = 0;
};

class Inbox {
 public:
  // `folder` is the store's. `cipher` is borrowed, may be null.
  Inbox(const std::string& folder, const Cipher* cipher, Durability durability);

  // kTooLarge over `max_stored` bytes of body file.
  Result<void> Put(std::string_view bytes, const Digest& digest, const Sighting& sighting, uint64_t max_stored);
  // Takes in a finished body file at `path` (same file system) by renaming it.
  Result<void> Adopt(const std::string& path, const BodyFacts& facts, const Sighting& sighting);

  Result<std::unique_ptr<FrameSource>> Open(std::string_view token) const;  // kNotFound, kDamaged, kDenied
  // Sightings that wait, oldest first; of one token, or of all ("").
  Result<std::vector<InboxSighting>> Waiting(std::string_view token) const;
  Result<Sighting> ReadSighting(const InboxSighting& waiting) const;

  struct Load {
    uint64_t files = 0, bytes = 0;
  };
  Load Size() const;   // from the names alone
  bool Empty() const;  // no sighting waits
  std::string BodyPath(std::string_view token) const;
  std::string Path(std::string_view file_name) const { return folder_ + "/" + std::string(file_name); }
  const std::string& folder() const { return folder_; }
  void RemoveLeftovers(int64_t now_ms) const;  // *.new and bodies without sighting, older than a day

 private:
  // `write` fills the file, which nobody sees before it is whole.
  Result<void> WriteNew(const std::string& name, const std::function<Result<void>(File&)>& write);
  Result<void> AddSighting(std::string_view token, uint64_t body_bytes, const Sighting& sighting);
  Result<void> Publish(const std::string& from, const std::string& to);

  std::string parent_, folder_;
  const Cipher* cipher_;
  Durability durability_;
};

}  // namespace pith
