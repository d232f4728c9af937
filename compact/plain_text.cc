// One pass copies what stands between escape sequences and leaves marks; an offset is found from the mark before it by
// the same steps.
#include "compact/plain_text.h"

#include <algorithm>

namespace pith {
namespace {

constexpr uint64_t kMarked = 4096;

// Length in bytes of the escape sequence at text[at] (ESC), at least 1: CSI, OSC and other strings, other ESC forms
// (ECMA-48). One that is cut off ends with the line.
size_t EscapeLength(std::string_view text, size_t at) {
  if (at + 1 >= text.size()) return 1;
  char kind = text[at + 1];
  if (kind == '[') {  // CSI: parameters, intermediates, final byte
    size_t end = at + 2;
    while (end < text.size() && static_cast<uint8_t>(text[end]) >= 0x20 && static_cast<uint8_t>(text[end]) < 0x40)
      ++end;
    return end < text.size() && static_cast<uint8_t>(text[end]) >= 0x40 && static_cast<uint8_t>(text[end]) < 0x7f
               ? end + 1 - at
               : end - at;
  }
  if (kind == ']' || kind == 'P' || kind == '_' || kind == '^') {  // OSC and strings: up to BEL or ST, on this line
    for (size_t end = at + 2; end < text.size() && end < at + 4096; ++end) {
      if (text[end] == '\x07') return end + 1 - at;
      if (text[end] == '\x1b') return text.substr(end, 2) == "\x1b\\" ? end + 2 - at : end - at;
      if (text[end] == '\n') return 2;
    }
    return 2;
  }
  if (kind == '(' || kind == ')' || kind == '#' || kind == '%')
    return at + 2 < text.size() && text[at + 2] != '\n' ? 3 : 2;
  uint8_t byte = static_cast<uint8_t>(kind);
  return byte >= 0x30 && byte < 0x7f ? 2 : 1;
}

// "ESC [ G": the cursor goes back to the first column, as it does for a carriage return.
bool Returns(std::string_view sequence) {
  return sequence == "\x1b[G" || sequence == "\x1b[1G" || sequence == "\x1b[0G";
}

// Calls part(begin, text) for each part of `original` from `at` on that is not left out, in order, until it gives
// false: where it begins and what is read there.
template <typename Part>
void ForEachPlainPart(std::string_view original, size_t at, const Part& part) {
  while (at < original.size()) {
    const size_t escape = std::min(original.find('\x1b', at), original.size());
    if (escape > at && !part(at, original.substr(at, escape - at))) return;
    at = escape;
    if (at == original.size()) return;
    const size_t length = EscapeLength(original, at);
    if (Returns(original.substr(at, length)) && !part(at, "\r")) return;
    at += length;
  }
}

}  // namespace

PlainText::PlainText(std::string_view original, bool strip) : original_(original) {
  differs_ = strip && original.find('\x1b') != std::string_view::npos;
  if (!differs_) return;
  stripped_.reserve(original.size());
  marks_.reserve(original.size() / kMarked + 1);
  ForEachPlainPart(original, 0, [&](size_t begin, std::string_view text) {
    const uint64_t from = stripped_.size();
    stripped_ += text;
    while (marks_.size() * kMarked < stripped_.size()) {
      marks_.push_back(static_cast<uint32_t>(begin + (marks_.size() * kMarked - from)));
    }
    return true;
  });
}

uint64_t PlainText::InOriginal(uint64_t offset) const {
  if (!differs_) return offset;
  if (offset >= stripped_.size()) return original_.size();
  uint64_t left = offset % kMarked, found = 0;
  ForEachPlainPart(original_, marks_[offset / kMarked], [&](size_t begin, std::string_view text) {
    found = begin + left;
    if (left < text.size()) return false;
    left -= text.size();
    return true;
  });
  return found;
}

Span PlainText::InOriginal(Span span) const {
  const uint64_t begin = InOriginal(span.begin);
  return {begin, span.size() == 0 ? begin : InOriginal(span.end - 1) + 1};
}

}  // namespace pith
