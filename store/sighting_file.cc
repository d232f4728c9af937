// One table of fields says both how a sighting is written and how it is read.
#include "store/sighting_file.h"

#include <array>

#include "base/sha256.h"
#include "store/check.h"
#include "store/little_endian.h"

namespace pith {
namespace {

constexpr std::string_view kSightingMagic = "PITHSEEN";
constexpr uint32_t kSightingVersion = 1;

struct TextField {
  char tag;
  std::string Sighting::*field;
};
constexpr std::array<TextField, 7> kTexts = {{{'n', &Sighting::name_space},
                                              {'t', &Sighting::tool},
                                              {'c', &Sighting::command},
                                              {'f', &Sighting::folder},
                                              {'r', &Sighting::road},
                                              {'p', &Sighting::policy},
                                              {'k', &Sighting::kind}}};
struct CountField {
  char tag;
  uint64_t Sighting::*field;
};
constexpr std::array<CountField, 6> kCounts = {{{'1', &Sighting::original_bytes},
                                                {'2', &Sighting::original_lines},
                                                {'3', &Sighting::original_tokens},
                                                {'4', &Sighting::shown_bytes},
                                                {'5', &Sighting::shown_lines},
                                                {'6', &Sighting::shown_tokens}}};

void AppendField(std::string& to, char tag, std::string_view bytes) {
  to.push_back(tag);
  AppendNumber(to, static_cast<uint32_t>(bytes.size()));
  to.append(bytes);
}

void AppendNumberField(std::string& to, char tag, int64_t number) {
  std::string bytes;
  AppendNumber(bytes, number);
  AppendField(to, tag, bytes);
}

void SetField(Sighting& sighting, char tag, std::string_view bytes) {
  for (const TextField& text : kTexts) {
    if (text.tag == tag) sighting.*text.field = bytes;
  }
  if (bytes.size() != 8) return;
  auto number = NumberAt<int64_t>(bytes, 0);
  for (const CountField& count : kCounts) {
    if (count.tag == tag) sighting.*count.field = static_cast<uint64_t>(number);
  }
  switch (tag) {
    case 'a':
      sighting.at_ms = number;
      break;
    case 'e':
      sighting.exit_code = static_cast<int>(number);
      break;
    case 's':
      sighting.signal = static_cast<int>(number);
      break;
    case 'h':
      sighting.host_cut = number != 0;
      break;
    case 'l':
      sighting.lifetime_seconds = number;
      break;
    default:
      break;
  }
}

}  // namespace

bool IsPlainSighting(std::string_view bytes) { return bytes.substr(0, kSightingMagic.size()) == kSightingMagic; }

std::string EncodeSighting(const Sighting& sighting) {
  std::string bytes(kSightingMagic);
  AppendNumber(bytes, kSightingVersion);
  AppendNumberField(bytes, 'a', sighting.at_ms);
  for (const TextField& text : kTexts) {
    if (!(sighting.*text.field).empty()) AppendField(bytes, text.tag, sighting.*text.field);
  }
  for (const CountField& count : kCounts) {
    if (sighting.*count.field != 0) AppendNumberField(bytes, count.tag, static_cast<int64_t>(sighting.*count.field));
  }
  if (sighting.exit_code) AppendNumberField(bytes, 'e', *sighting.exit_code);
  if (sighting.signal) AppendNumberField(bytes, 's', *sighting.signal);
  if (sighting.host_cut) AppendNumberField(bytes, 'h', 1);
  if (sighting.lifetime_seconds) AppendNumberField(bytes, 'l', *sighting.lifetime_seconds);
  return bytes + CheckBytesOf({bytes});
}

Result<Sighting> DecodeSighting(std::string_view bytes) {
  const Error damaged{Cause::kDamaged, "a sighting is damaged"};
  size_t start = kSightingMagic.size() + 4;
  if (bytes.size() < start + kCheckBytes || bytes.substr(0, kSightingMagic.size()) != kSightingMagic) return damaged;
  std::string_view body = bytes.substr(0, bytes.size() - kCheckBytes);
  if (CheckBytesOf({body}) != bytes.substr(body.size())) return damaged;
  if (NumberAt<uint32_t>(bytes, kSightingMagic.size()) > kSightingVersion) {
    return Error{Cause::kUnsupported, "a sighting was written by a newer pith: update pith"};
  }
  Sighting sighting;
  for (size_t at = start; at < body.size();) {
    if (body.size() - at < 5) return damaged;
    char tag = body[at];
    size_t size = NumberAt<uint32_t>(body, at + 1);
    at += 5;
    if (size > body.size() - at) return damaged;
    SetField(sighting, tag, body.substr(at, size));
    at += size;
  }
  return sighting;
}

}  // namespace pith
