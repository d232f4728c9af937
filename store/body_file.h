// A body as a file of its own: in the inbox, in the spool, beside the database when large, in the files tier.
//
//   32 bytes header: "PITHBODY" · u32 version (1) · u32 zero · u64 body id · 8 bytes key id (zero: not sealed)
//   each frame: its data (frame.h), then its filter
//   index: for each frame u64 offset in the file · u64 raw offset · u64 newlines before
//   80 bytes footer: u64 index offset · u64 frames · u64 raw bytes · u64 lines · 32 bytes SHA-256 of the original
//                    · u64 check · "PITHEND1"
//
// The check is the first 8 bytes of SHA-256 over header, index and footer up to it. A file without its footer is a body
// that was not finished: its frames can be read one after the other.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "store/body.h"

namespace pith {

// Writes a body file front to back. The file is empty at first.
class BodyFileWriter {
 public:
  BodyFileWriter(File& file, const FrameForm& form);
  Result<void> Append(std::string_view bytes);
  Result<BodyFacts> Finish(const Digest* digest);  // stored_bytes is then the file's size
  // Fails with kTooLarge as soon as the file would be larger.
  void AtMost(uint64_t bytes) { most_ = bytes; }
  BodyWriter& body() { return *body_; }
  uint64_t file_bytes() const { return offset_; }
  // Called after each frame is in the file.
  void OnFrame(std::function<Result<void>()> notify) { notify_ = std::move(notify); }

 private:
  Result<void> Put(std::string_view bytes);
  Error TooLarge() const;

  File& file_;
  std::function<Result<void>()> notify_;
  std::string header_, index_;
  std::string waiting_;  // header and small frames go out in one write
  uint64_t offset_ = 0, most_ = UINT64_MAX;
  std::unique_ptr<BodyWriter> body_;
};

// Opens a finished body file: kNotFound, kDamaged, kDenied (sealed, no key or another one).
Result<std::unique_ptr<FrameSource>> OpenBodyFile(const std::string& path, const Cipher* cipher);

// The same in memory: what a tier that keeps whole values stores, and how it reads them.
Result<std::string> EncodeBody(std::string_view bytes, const Digest& digest, bool compressed, bool filtered,
                               const Cipher* cipher);
Result<std::unique_ptr<FrameSource>> OpenBody(std::string content, const Cipher* cipher);

// Reads the frames of an unfinished one from the front; `visit` gets each frame's raw bytes until it gives false.
Result<void> WalkUnfinished(File& file, const Cipher* cipher, const std::function<bool(std::string raw)>& visit);

// Frame `number` as it lies in an opened body file, for copying without unpacking. Only for sources of OpenBodyFile.
struct StoredFrame {
  std::string data, filter;
  FramePlace place;
};
Result<StoredFrame> ReadStoredFrame(FrameSource& body_file, uint64_t number);
// The same without `data`, which is not read.
Result<StoredFrame> ReadStoredFilter(FrameSource& body_file, uint64_t number);

}  // namespace pith
