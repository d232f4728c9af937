// A body: the frames of one original and what is known of the whole. FrameSource is how every tier that keeps frames
// offers one for reading, so that a range costs its frames and not the whole.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/sha256.h"
#include "store/frame.h"
#include "store/store.h"

namespace pith {

struct BodyFacts {
  uint64_t body_id = 0;
  uint64_t raw_bytes = 0, stored_bytes = 0;
  uint64_t lines = 0;  // a final line without newline counts
  uint64_t frames = 0;
  Digest digest{};
  KeyId key_id{};  // all zero: not sealed
};

struct FramePlace {
  uint64_t raw_offset = 0;       // of its first byte in the original
  uint64_t newlines_before = 0;  // in the frames before it
};

// A body that lies somewhere. One thread at a time.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual const BodyFacts& facts() const = 0;
  virtual Result<FramePlace> Place(uint64_t number) = 0;
  virtual Result<std::string> Load(uint64_t number) = 0;  // raw bytes, checked
};

// Clamped at the end. A range that is the whole original is checked against its hash too; any mismatch is kDamaged.
Result<std::string> ReadRange(FrameSource& source, Range range);

// Bytes of lines first..last (1-based, inclusive; last is clamped). A start past the end gives no bytes; total says
// why.
Result<LineSlice> ReadLines(FrameSource& source, uint64_t first, uint64_t last);

// Whether every frame and the whole hash fit; bounded memory.
Result<void> VerifyBody(FrameSource& source);

// Cuts what arrives into frames and hands each to `sink` in order. Holds one frame at most.
class BodyWriter {
 public:
  using Sink = std::function<Result<void>(Frame frame, const FramePlace& place)>;
  BodyWriter(const FrameForm& form, Sink sink);

  Result<void> Append(std::string_view bytes);
  // `digest` if it is known already: then nothing is hashed here.
  Result<BodyFacts> Finish(const Digest* digest = nullptr);

  uint64_t body_id() const { return facts_.body_id; }
  uint64_t size() const { return place_.raw_offset + pending_.size(); }
  uint64_t stored_bytes() const { return facts_.stored_bytes; }
  // What has come and is in no frame yet, and where it begins.
  std::string_view pending() const { return pending_; }
  uint64_t pending_offset() const { return place_.raw_offset; }
  void DoNotHash() { hashing_ = false; }

 private:
  Result<void> Emit(std::string_view raw);

  FrameForm form_;
  Sink sink_;
  BodyFacts facts_;
  FramePlace place_;  // of the next frame
  Sha256 hash_;
  bool hashing_ = true;
  bool ends_open_ = false;  // the last byte so far is not a newline
  std::string pending_;
};

}  // namespace pith
