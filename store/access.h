// Whether a store's folder can be used at all, and under which key: what must be known before an empty answer may be
// given, and before anything is written.
//
// `key` in the folder holds the id of the key (16 hex digits, or `none` once it was moved to no key), a blank, and 16
// digits of the id's SHA-256. It comes with the first original that is stored under a key and follows `pith store
// rekey`. Where it is not there or damaged, what the database holds decides (LocalStore::HoldsOther). Any thread; costs
// one open().
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/result.h"
#include "store/cipher.h"

namespace pith {

// Nothing in the way of reading. A folder that is not there is a store that was never made, and that is fine; a file or
// a dangling link in its place or above it is kIo, a folder that may not be looked into kDenied.
Result<void> CheckFolder(const std::string& folder);

enum class KeyMark : uint8_t { kFits, kNone, kDamaged };
// kDenied where the store is under another key than `cipher`'s (null: none), or was moved to none.
Result<KeyMark> CheckKey(const std::string& folder, const Cipher* cipher);

// Asked before each list and each write of a store. Any thread.
class Access {
 public:
  // `folder` "": a store in memory, to which everything is allowed. `cipher` is borrowed, may be null. `holds_other`:
  // whether the database has an original that is not under its key, asked where the folder does not say.
  Access(std::string folder, const Cipher* cipher, bool synced, std::function<Result<bool>()> holds_other)
      : folder_(std::move(folder)), cipher_(cipher), synced_(synced), holds_other_(std::move(holds_other)) {}

  Result<void> FolderFits() const;
  Result<void> MayRead() const;
  // A store that does not say its key yet says it from here on.
  Result<void> MayWrite() const;

 private:
  Result<void> KeyFits() const;

  std::string folder_;
  const Cipher* cipher_;
  bool synced_;
  std::function<Result<bool>()> holds_other_;
};

// The store is under this key from now on, whatever it was.
Result<void> SetKey(const std::string& folder, const Cipher* cipher, bool synced);
// It says no key, as a fresh one.
void ForgetKey(const std::string& folder);

}  // namespace pith
