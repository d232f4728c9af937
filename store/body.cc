// Reading and making bodies, wherever their frames lie.
#include "store/body.h"

#include <algorithm>
#include <cstring>

namespace pith {
namespace {

Error Damaged(const FrameSource& source, std::string_view what) {
  return Error{Cause::kDamaged,
               "original " + HexOf(source.facts().digest).substr(0, 24) + " is damaged: " + std::string(what)};
}

// The last frame that `before` (a monotonic property of the place) holds for; frame 0 always qualifies.
template <typename Before>
Result<uint64_t> LastFrame(FrameSource& source, Before before) {
  uint64_t low = 0, high = source.facts().frames;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    Result<FramePlace> place = source.Place(middle);
    if (!place) return place.error();
    (before(*place) ? low : high) = middle;
  }
  return low;
}

struct LoadedFrame {
  std::string raw;
  FramePlace place;
};

// A frame with its place, which lies beside it unchecked: it must join the next frame's, or end where the body does.
Result<LoadedFrame> LoadFrame(FrameSource& source, uint64_t number) {
  const BodyFacts& facts = source.facts();
  if (number >= facts.frames) return Damaged(source, "its last frames are missing");
  LoadedFrame frame;
  if (facts.frames > 1) {
    Result<FramePlace> place = source.Place(number);
    if (!place) return place.error();
    frame.place = *place;
  }
  Result<std::string> raw = source.Load(number);
  if (!raw) return raw.error();
  frame.raw = raw.Take();
  uint64_t end = frame.place.raw_offset + frame.raw.size();
  uint64_t newlines =
      frame.place.newlines_before + static_cast<uint64_t>(std::count(frame.raw.begin(), frame.raw.end(), '\n'));
  bool joins = false;
  if (number + 1 < facts.frames) {
    Result<FramePlace> next = source.Place(number + 1);
    if (!next) return next.error();
    joins = next->raw_offset == end && next->newlines_before == newlines;
  } else {
    bool ends_open = !frame.raw.empty() && frame.raw.back() != '\n';
    joins = facts.raw_bytes == end && facts.lines == newlines + (ends_open ? 1 : 0);
  }
  if (!joins) return Damaged(source, "its frames do not join");
  return frame;
}

// Offset of the first byte of `line` (1-based, 1 < line <= lines): after its (line - 1)th newline.
Result<uint64_t> LineStart(FrameSource& source, uint64_t line) {
  uint64_t newlines = line - 1;
  Result<uint64_t> number =
      LastFrame(source, [&](const FramePlace& place) { return place.newlines_before < newlines; });
  if (!number) return number.error();
  Result<LoadedFrame> frame = LoadFrame(source, *number);
  if (!frame) return frame.error();
  const std::string& raw = frame->raw;
  uint64_t left = newlines - std::min(newlines, frame->place.newlines_before);
  size_t at = 0;
  while (left > 0) {
    const void* found = at < raw.size() ? memchr(raw.data() + at, '\n', raw.size() - at) : nullptr;
    if (found == nullptr) return Damaged(source, "its line counts do not fit");
    at = static_cast<size_t>(static_cast<const char*>(found) - raw.data()) + 1;
    --left;
  }
  return frame->place.raw_offset + at;
}

}  // namespace

Result<std::string> ReadRange(FrameSource& source, Range range) {
  const BodyFacts& facts = source.facts();
  if (range.offset >= facts.raw_bytes) {
    // Nothing of it is asked for; that it ends there is what its last frame says.
    if (facts.frames == 0) return std::string();
    Result<LoadedFrame> last = LoadFrame(source, facts.frames - 1);
    if (!last) return last.error();
    return std::string();
  }
  uint64_t length = std::min(range.length, facts.raw_bytes - range.offset);
  if (length == 0) return std::string();
  Result<uint64_t> first = LastFrame(source, [&](const FramePlace& place) { return place.raw_offset <= range.offset; });
  if (!first) return first.error();
  std::string bytes;
  for (uint64_t number = *first; bytes.size() < length; ++number) {
    Result<LoadedFrame> frame = LoadFrame(source, number);
    if (!frame) return frame.error();
    std::string& raw = frame->raw;
    if (number == *first) {
      uint64_t begin = frame->place.raw_offset;
      if (begin > range.offset || range.offset - begin >= raw.size()) {
        return Damaged(source, "its frames do not join");
      }
      raw.erase(0, range.offset - begin);
    }
    if (bytes.empty() && raw.size() >= length) {
      raw.resize(length);
      bytes = std::move(raw);
    } else {
      bytes.append(raw, 0, length - bytes.size());
    }
  }
  if (length == facts.raw_bytes && Sha256Of(bytes) != facts.digest) return Damaged(source, "its hash does not fit");
  return bytes;
}

Result<LineSlice> ReadLines(FrameSource& source, uint64_t first, uint64_t last) {
  const BodyFacts& facts = source.facts();
  LineSlice slice;
  slice.total = facts.lines;
  if (first == 0) return Error{Cause::kInvalid, "lines are counted from 1"};
  if (last < first) return Error{Cause::kInvalid, "a line range ends before it begins"};
  if (first > facts.lines) return slice;
  slice.first = first;
  slice.last = std::min(last, facts.lines);
  uint64_t end = facts.raw_bytes;
  if (first > 1) {
    Result<uint64_t> start = LineStart(source, first);
    if (!start) return start.error();
    slice.offset = *start;
  }
  if (slice.last < facts.lines) {
    Result<uint64_t> start = LineStart(source, slice.last + 1);
    if (!start) return start.error();
    end = *start;
  }
  Result<std::string> bytes = ReadRange(source, {slice.offset, end - slice.offset});
  if (!bytes) return bytes.error();
  slice.bytes = bytes.Take();
  return slice;
}

Result<void> VerifyBody(FrameSource& source) {
  Sha256 hash;
  for (uint64_t number = 0; number < source.facts().frames; ++number) {
    Result<std::string> raw = source.Load(number);
    if (!raw) return raw.error();
    hash.Update(*raw);
  }
  if (hash.Finish() != source.facts().digest) return Damaged(source, "its hash does not fit");
  return {};
}

BodyWriter::BodyWriter(const FrameForm& form, Sink sink) : form_(form), sink_(std::move(sink)) {
  facts_.body_id = NewBodyId();
  if (form.cipher != nullptr) facts_.key_id = form.cipher->key_id();
}

Result<void> BodyWriter::Append(std::string_view bytes) {
  if (hashing_) hash_.Update(bytes);
  // Frames are cut out of what arrived without a copy where nothing waits from before.
  while (pending_.size() + bytes.size() > kFrameBytes) {
    if (!pending_.empty()) {
      size_t wanted = kFrameBytes + 1 > pending_.size() ? kFrameBytes + 1 - pending_.size() : 0;
      size_t take = std::min(wanted, bytes.size());
      pending_.append(bytes.substr(0, take));
      bytes.remove_prefix(take);
      size_t length = NextFrameLength(pending_);
      if (Result<void> done = Emit(std::string_view(pending_).substr(0, length)); !done) return done;
      pending_.erase(0, length);
    } else {
      size_t length = NextFrameLength(bytes);
      if (Result<void> done = Emit(bytes.substr(0, length)); !done) return done;
      bytes.remove_prefix(length);
    }
  }
  pending_.append(bytes);
  return {};
}

Result<void> BodyWriter::Emit(std::string_view raw) {
  Result<Frame> frame = EncodeFrame(raw, facts_.body_id, static_cast<uint32_t>(facts_.frames), form_);
  if (!frame) return frame.error();
  FramePlace place = place_;
  uint64_t stored = frame->data.size() + frame->filter.size();
  uint32_t newlines = frame->header.newlines;
  if (Result<void> done = sink_(frame.Take(), place); !done) return done;
  facts_.stored_bytes += stored;
  facts_.frames += 1;
  facts_.raw_bytes += raw.size();
  place_.raw_offset += raw.size();
  place_.newlines_before += newlines;
  ends_open_ = raw.back() != '\n';
  return {};
}

Result<BodyFacts> BodyWriter::Finish(const Digest* digest) {
  if (!pending_.empty()) {
    if (Result<void> done = Emit(pending_); !done) return done.error();
    pending_.clear();
  }
  facts_.lines = place_.newlines_before + (ends_open_ ? 1 : 0);
  facts_.digest = digest != nullptr ? *digest : hash_.Finish();
  return facts_;
}

}  // namespace pith
