// A model can do nothing with raw bytes and pays dearly for them. The view names the type by its magic number and
// leaves all bytes in one gap; the footer names the token, whose digits are those of the SHA-256.
#include "compact/binary.h"

#include <algorithm>
#include <optional>
#include <string>

namespace pith {
namespace {

struct Utf16 {
  bool little = false;
  uint64_t characters = 0, lines = 0;
};

struct MagicRow {
  std::string_view magic;
  size_t offset;
  std::string_view name;
};
constexpr MagicRow kMagic[] = {
    {"\x89PNG\r\n\x1a\n", 0, "PNG image"},
    {"\xff\xd8\xff", 0, "JPEG image"},
    {"GIF8", 0, "GIF image"},
    {"RIFF", 0, "RIFF container (WebP, WAV or AVI)"},
    {"%PDF-", 0, "PDF document"},
    {"PK\x03\x04", 0, "ZIP archive (or docx, jar, wheel)"},
    {"\x1f\x8b", 0, "gzip data"},
    {"\x28\xb5\x2f\xfd", 0, "Zstandard data"},
    {"\xfd"
     "7zXZ",
     0, "xz data"},
    {"BZh", 0, "bzip2 data"},
    {"7z\xbc\xaf", 0, "7-Zip archive"},
    {"ustar", 257, "tar archive"},
    {"\x7f"
     "ELF",
     0, "ELF program or library"},
    {"MZ", 0, "Windows program"},
    {"\xca\xfe\xba\xbe", 0, "Java class or Mach-O program"},
    {"\xcf\xfa\xed\xfe", 0, "Mach-O program"},
    {"!<arch>\n", 0, "ar archive (library or deb)"},
    {"SQLite format 3", 0, "SQLite database"},
    {std::string_view("\0asm", 4), 0, "WebAssembly module"},
    {"ID3", 0, "MP3 audio"},
    {"OggS", 0, "Ogg media"},
    {"ftyp", 4, "MP4 media"},
};

// Text of two bytes a character, as Windows programs write it: by its mark, or because nearly each second byte of it is
// zero and no other one is. Nothing if it is none.
std::optional<Utf16> FindUtf16(std::string_view bytes) {
  constexpr size_t kLooked = 4096;
  if (bytes.size() < 4) return std::nullopt;
  Utf16 found{bytes.starts_with("\xff\xfe"), 0, 0};
  const bool marked = found.little || bytes.starts_with("\xfe\xff");
  size_t zeros[2] = {0, 0};
  const size_t looked = std::min(kLooked, bytes.size()) / 2 * 2;
  for (size_t i = 0; i < looked; ++i) zeros[i % 2] += bytes[i] == '\0';
  if (!marked) found.little = zeros[1] > zeros[0];
  const size_t high = zeros[found.little ? 1 : 0], low = zeros[found.little ? 0 : 1];
  if (marked ? low * 10 > looked : (low > 0 || high * 20 < looked * 9)) return std::nullopt;
  for (size_t i = marked ? 2 : 0; i + 1 < bytes.size(); i += 2) {
    const auto high_byte = static_cast<unsigned char>(bytes[found.little ? i + 1 : i]);
    const bool second_half = high_byte >= 0xdc && high_byte <= 0xdf;  // of a character of two units
    found.characters += !second_half;
    found.lines += high_byte == 0 && bytes[found.little ? i : i + 1] == '\n';
  }
  return found;
}

class BinaryShaper : public Shaper {
 public:
  explicit BinaryShaper(const Document& document) : document_(document) {}

  std::vector<Piece> Make(const Limit&) const override {
    Piece gap = GapOfBytes({0, document_.bytes.size()});
    gap.glued = false;
    return {Note("[" + What() + ", " + Counted(document_.bytes.size(), "bytes") + "]"), gap};
  }

 private:
  std::string What() const {
    for (const MagicRow& row : kMagic) {
      if (document_.bytes.size() <= row.offset || !document_.bytes.substr(row.offset).starts_with(row.magic)) continue;
      return "binary, " + std::string(row.name);
    }
    const std::optional<Utf16> text = FindUtf16(document_.bytes);
    if (!text) return "binary, unknown type";
    return std::string("UTF-16 text, ") + (text->little ? "little-endian" : "big-endian") + ", " +
           Counted(text->characters, "characters") + ", " + Counted(text->lines, "line ends");
  }

  const Document& document_;
};

}  // namespace

std::unique_ptr<Shaper> ShapeBinary(const Document& document) { return std::make_unique<BinaryShaper>(document); }

}  // namespace pith
