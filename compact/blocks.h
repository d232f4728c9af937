// Looking at 64 bytes at once: which of them are a given byte, as a mask. For scans over whole originals, where a call
// or a branch a byte would be what the scan costs.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace pith {

inline constexpr size_t kBlock = 64;

// Bit i: bytes[i] == wanted. Reads kBlock bytes.
inline uint64_t EqualInBlock(const char* bytes, char wanted) {
  uint64_t mask = 0;
#if defined(__SSE2__)
  const __m128i pattern = _mm_set1_epi8(wanted);
  for (size_t part = 0; part < kBlock; part += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + part));
    mask |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, pattern)))) << part;
  }
#else
  for (size_t i = 0; i < kBlock; ++i) mask |= static_cast<uint64_t>(bytes[i] == wanted) << i;
#endif
  return mask;
}

// Bit i: bytes[i] is an escape, a carriage return, a NUL or above 0x7f: what plain text has none of. Reads kBlock
// bytes.
inline uint64_t OddInBlock(const char* bytes) {
  uint64_t mask = 0;
#if defined(__SSE2__)
  for (size_t part = 0; part < kBlock; part += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + part));
    const __m128i controls = _mm_or_si128(
        _mm_cmpeq_epi8(block, _mm_set1_epi8('\x1b')),
        _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('\r')), _mm_cmpeq_epi8(block, _mm_setzero_si128())));
    mask |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(_mm_or_si128(controls, block)))) << part;
  }
#else
  for (size_t i = 0; i < kBlock; ++i) {
    const bool control = bytes[i] == '\x1b' || bytes[i] == '\r' || bytes[i] == '\0';
    mask |= static_cast<uint64_t>(control || static_cast<unsigned char>(bytes[i]) > 0x7f) << i;
  }
#endif
  return mask;
}

// How many of numbers[0..count) from the first on are the same as it.
inline size_t EqualRun(const uint8_t* numbers, size_t count) {
  if (count == 0) return 0;
  size_t at = 1;
  uint64_t eight = 0;
  const uint64_t same = numbers[0] * 0x0101010101010101u;
  for (; at + 8 <= count; at += 8) {
    std::memcpy(&eight, numbers + at, 8);
    if (eight != same) break;
  }
  while (at < count && numbers[at] == numbers[0]) ++at;
  return at;
}

// Bit i: numbers[i] > limit. Reads kBlock of them.
inline uint64_t MoreInBlock(const uint8_t* numbers, uint8_t limit) {
  uint64_t mask = 0;
#if defined(__SSE2__)
  const __m128i most = _mm_set1_epi8(static_cast<char>(limit));
  for (size_t part = 0; part < kBlock; part += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers + part));
    const __m128i not_more = _mm_cmpeq_epi8(_mm_subs_epu8(block, most), _mm_setzero_si128());
    mask |= static_cast<uint64_t>(~static_cast<uint32_t>(_mm_movemask_epi8(not_more)) & 0xffffu) << part;
  }
#else
  for (size_t i = 0; i < kBlock; ++i) mask |= static_cast<uint64_t>(numbers[i] > limit) << i;
#endif
  return mask;
}

// What `look` says of the block text[at..], of which fewer than kBlock bytes may be left: bits beyond the end are 0.
template <typename Look>
uint64_t LookAt(std::string_view text, size_t at, Look look) {
  if (at + kBlock <= text.size()) return look(text.data() + at);
  if (at >= text.size()) return 0;
  std::array<char, kBlock> rest{};
  const size_t left = text.size() - at;
  std::memcpy(rest.data(), text.data() + at, left);
  return look(rest.data()) & ((uint64_t{1} << left) - 1);
}
inline uint64_t EqualAt(std::string_view text, size_t at, char wanted) {
  return LookAt(text, at, [wanted](const char* bytes) { return EqualInBlock(bytes, wanted); });
}
inline uint64_t OddAt(std::string_view text, size_t at) { return LookAt(text, at, OddInBlock); }

}  // namespace pith
