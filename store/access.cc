// A list that comes out empty because nobody could look is the worst kind of lie a store can tell: the reader believes
// that there is nothing. And plain text beside encrypted text undoes the encryption. Both are decided here, by what the
// folder itself says, because a configuration that lost its key cannot know.
#include "store/access.h"

#include "base/encoding.h"
#include "base/files.h"
#include "base/sha256.h"

namespace pith {
namespace {

constexpr std::string_view kMark = "/key";
constexpr std::string_view kNoKey = "none";
constexpr uint64_t kLongestMark = 64;
constexpr size_t kCheckDigits = 16;

std::string NameOf(const Cipher* cipher) {
  if (cipher == nullptr) return std::string(kNoKey);
  return EncodeHex({cipher->key_id().data(), cipher->key_id().size()});
}

Error WrongKey(const std::string& folder, const std::string& mark, const Cipher* cipher) {
  const std::string store = "the store in " + folder;
  if (mark == kNoKey) {
    return {Cause::kDenied, store + " was moved to no key: take the key out of the configuration, or move it to that " +
                                "key (pith store rekey --new-key-file FILE)"};
  }
  if (cipher == nullptr) {
    return {Cause::kDenied, store + " is encrypted, and no key is configured (key_file, PITH_STORE_KEY)"};
  }
  return {Cause::kDenied, store + " is encrypted with another key than the one configured (key_file, PITH_STORE_KEY)"};
}

std::string Signed(const std::string& name) { return name + " " + HexOf(Sha256Of(name)).substr(0, kCheckDigits); }

}  // namespace

Result<void> CheckFolder(const std::string& folder) {
  Result<FileInfo> info = Files().Stat(folder);
  if (info && info->type == FileInfo::Type::kFolder) return {};
  if (!info && info.error().cause != Cause::kNotFound) return info.error();
  for (std::string path = folder;; path = ParentOf(path)) {
    Result<FileInfo> named = Files().LinkStat(path);
    Result<FileInfo> target = Files().Stat(path);
    if (target && target->type == FileInfo::Type::kFolder) return {};
    if (target) return Error{Cause::kIo, path + " is a file, not a folder: nothing can be stored or read there"};
    if (named) return Error{Cause::kIo, path + " is a link to nothing: nothing can be stored or read there"};
    if (named.error().cause != Cause::kNotFound) return named.error();
    if (path == "/" || path == ".") return {};
  }
}

Result<KeyMark> CheckKey(const std::string& folder, const Cipher* cipher) {
  Result<std::string> mark = ReadFile(folder + std::string(kMark), kLongestMark);
  if (!mark && mark.error().cause == Cause::kNotFound) return KeyMark::kNone;
  if (!mark && mark.error().cause == Cause::kTooLarge) return KeyMark::kDamaged;
  if (!mark) return mark.error();
  const std::string name = mark->substr(0, mark->find(' '));
  if (*mark != Signed(name)) return KeyMark::kDamaged;
  if (name != NameOf(cipher)) return WrongKey(folder, name, cipher);
  return KeyMark::kFits;
}

Result<void> SetKey(const std::string& folder, const Cipher* cipher, bool synced) {
  if (Result<void> made = MakeFolders(folder, synced); !made) return made;
  return WriteFileAtomically(folder + std::string(kMark), Signed(NameOf(cipher)), 0600, synced);
}

void ForgetKey(const std::string& folder) { (void)Files().Unlink(folder + std::string(kMark)).ok(); }

Result<void> Access::FolderFits() const { return folder_.empty() ? Result<void>() : CheckFolder(folder_); }

Result<void> Access::MayRead() const {
  if (folder_.empty()) return {};
  if (Result<void> fits = CheckFolder(folder_); !fits) return fits;
  // What waits in an inbox that may not be listed would be missing without a word.
  Result<void> listed = Files().List(folder_ + "/inbox", [](std::string_view) { return false; });
  if (!listed && listed.error().cause != Cause::kNotFound) return listed;
  return KeyFits();
}

// At each write, since another process may have moved the store to another key meanwhile.
Result<void> Access::MayWrite() const {
  if (folder_.empty()) return {};
  Result<KeyMark> mark = CheckKey(folder_, cipher_);
  if (!mark) return mark.error();
  if (*mark == KeyMark::kFits || (*mark == KeyMark::kNone && cipher_ == nullptr)) return {};
  if (Result<void> fits = KeyFits(); !fits) return fits;
  if (cipher_ != nullptr) return SetKey(folder_, cipher_, synced_);
  ForgetKey(folder_);
  return {};
}

// One store, one key: beside plain originals encrypted ones would have lists of their own, and hide the others.
Result<void> Access::KeyFits() const {
  Result<KeyMark> mark = CheckKey(folder_, cipher_);
  if (!mark) return mark.error();
  if (*mark == KeyMark::kFits || (*mark == KeyMark::kNone && cipher_ == nullptr)) return {};
  Result<bool> other = holds_other_();
  if (!other) return other.error();
  if (!*other) return {};
  if (cipher_ == nullptr) return WrongKey(folder_, "", cipher_);
  return Error{Cause::kDenied, "the store in " + folder_ +
                                   " holds originals that are not encrypted with the configured key: pith store "
                                   "rekey --new-key-file FILE moves them to it"};
}

}  // namespace pith
