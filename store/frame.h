// Frames: how the bytes of an original lie in every tier. At most 1 MiB raw each, compressed with zstd, checked, and
// sealed where a key is set. A frame carries the id of its body and its number, so that one in a wrong place is
// noticed.
//
//   40 bytes header: "PF" · u8 codec (0 raw, 1 zstd) · u8 flags (1: sealed) · u32 number · u32 raw size · u32 newlines
//                    · u32 filter size · u32 payload size · u64 body id · u64 check
//   payload
//
// The check is the first 8 bytes of SHA-256 over the header's first 32 bytes and the payload.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/cipher.h"

namespace pith {

inline constexpr size_t kFrameBytes = 1 << 20;
inline constexpr size_t kFrameHeaderBytes = 40;

struct FrameHeader {
  bool compressed = false, sealed = false;
  uint32_t number = 0, raw_bytes = 0, newlines = 0, filter_bytes = 0, payload_bytes = 0;
  uint64_t body_id = 0;
};

struct FrameForm {
  bool compressed = true;  // false: as it is, for what is to be written fastest
  bool filtered = true;
  const Cipher* cipher = nullptr;
};

struct Frame {
  FrameHeader header;
  std::string data;    // header and payload
  std::string filter;  // see filter.h; sealed where the frame is
};

// How many of `raw` the next frame takes: up to kFrameBytes, ending after a newline where one stands in its second
// half, else between words. The whole of `raw` when that is no more than one frame.
size_t NextFrameLength(std::string_view raw);

Result<Frame> EncodeFrame(std::string_view raw, uint64_t body_id, uint32_t number, const FrameForm& form);

// kDamaged: not a frame.
Result<FrameHeader> ReadFrameHeader(std::string_view data);

// The raw bytes, or kDamaged; kDenied when it is sealed and there is no key.
Result<std::string> DecodeFrame(std::string_view data, uint64_t body_id, uint32_t number, const Cipher* cipher);

// The filter ready to be asked.
Result<std::string> OpenFilter(std::string_view filter, uint64_t body_id, uint32_t number, const Cipher* cipher);

uint64_t NewBodyId();  // random

}  // namespace pith
