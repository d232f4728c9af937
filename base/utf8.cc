#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace pith {
namespace {

bool IsContinuation(std::string_view text, size_t at) {
  return at < text.size() && (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80;
}

// Offset of the next byte >= 0x80 at or after `at`: 32 bytes a step where most text has none, then eight.
size_t SkipAscii(std::string_view text, size_t at) {
  const auto eight = [&](size_t from) {
    uint64_t bytes;
    std::memcpy(&bytes, text.data() + from, sizeof bytes);
    return bytes;
  };
  constexpr uint64_t kHighBits = 0x8080808080808080ull;
  while (at + 32 <= text.size() && ((eight(at) | eight(at + 8) | eight(at + 16) | eight(at + 24)) & kHighBits) == 0) {
    at += 32;
  }
  while (at + 8 <= text.size() && (eight(at) & kHighBits) == 0) at += 8;
  while (at < text.size() && static_cast<uint8_t>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

size_t Utf8SequenceLength(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  uint8_t lead = static_cast<uint8_t>(text[at]);
  if (lead < 0x80) return 1;
  uint8_t second = at + 1 < text.size() ? static_cast<uint8_t>(text[at + 1]) : 0;
  if (lead >= 0xC2 && lead <= 0xDF) return IsContinuation(text, at + 1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!IsContinuation(text, at + 1) || !IsContinuation(text, at + 2)) return 0;
    if (lead == 0xE0 && second < 0xA0) return 0;
    if (lead == 0xED && second > 0x9F) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!IsContinuation(text, at + 1) || !IsContinuation(text, at + 2) || !IsContinuation(text, at + 3)) return 0;
    if (lead == 0xF0 && second < 0x90) return 0;
    if (lead == 0xF4 && second > 0x8F) return 0;
    return 4;
  }
  return 0;
}

size_t FirstInvalidUtf8(std::string_view text) {
  size_t at = SkipAscii(text, 0);
  while (at < text.size()) {
    size_t length = Utf8SequenceLength(text, at);
    if (length == 0) return at;
    at = SkipAscii(text, at + length);
  }
  return text.size();
}

bool IsUtf8(std::string_view text) { return FirstInvalidUtf8(text) == text.size(); }

size_t Utf8FloorBoundary(std::string_view text, size_t at) {
  if (at >= text.size()) return text.size();
  for (size_t back = 1; back <= 3 && back <= at; ++back) {
    size_t length = Utf8SequenceLength(text, at - back);
    if (length > back) return at - back;
    if (length) break;
  }
  return at;
}

std::string ReplaceInvalidUtf8(std::string_view text, std::vector<size_t>* offsets) {
  std::string out;
  out.reserve(text.size());
  size_t at = 0;
  while (at < text.size()) {
    size_t bad = at + FirstInvalidUtf8(text.substr(at));
    out.append(text, at, bad - at);
    if (bad == text.size()) break;
    out += "\xEF\xBF\xBD";
    if (offsets) offsets->push_back(bad);
    at = bad + 1;
  }
  return out;
}

size_t CountCodePoints(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); ++count) {
    size_t length = Utf8SequenceLength(text, at);
    at += length ? length : 1;
  }
  return count;
}

}  // namespace pith
