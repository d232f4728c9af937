// Bodies beside the catalogue: small ones as rows of the database, large ones as body files under bodies/. Either way
// their filters are rows, so that search asks them all alike.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "store/body_file.h"
#include "store/catalog.h"

namespace pith {

inline constexpr uint64_t kOwnFileFrom = 16 << 20;  // raw bytes
inline constexpr int kFrameNumberBits = 20;         // a frame's row: its entry above, its number in these bits

// A body made ready outside the transaction that will take it in.
struct NewBody {
  BodyFacts facts;
  std::string file;                 // under bodies/, already there; "" for rows
  std::vector<StoredFrame> frames;  // empty where the body is a file
};

class SqliteBodies {
 public:
  // `folder` is the store's; "" when there is no disk, then all bodies are rows. `cipher` is borrowed, may be null.
  SqliteBodies(std::string folder, const Cipher* cipher, Durability durability);

  Result<NewBody> Prepare(std::string_view bytes, const Digest& digest) const;
  // From a body file, which stays where it is; kDamaged when it is not what it says.
  Result<NewBody> PrepareFrom(const std::string& path) const;
  void Discard(const NewBody& body) const;  // it was not taken in after all

  Result<void> Insert(Database& database, int64_t entry, const NewBody& body) const;
  Result<void> Remove(Database& database, const EntryRow& row) const;  // rows only
  void RemoveFile(const EntryRow& row) const;                          // after the commit
  Result<std::unique_ptr<FrameSource>> Open(Database& database, const EntryRow& row) const;

  std::string PathOf(const std::string& file) const { return folder_ + "/bodies/" + file; }
  const std::string& folder() const { return folder_; }

 private:
  Result<NewBody> FromFile(const std::string& path, std::string file) const;

  std::string folder_;
  const Cipher* cipher_;
  Durability durability_;
};

}  // namespace pith
