// A model can do nothing with raw bytes and pays dearly for them. The view names the type by its magic number and
// leaves all bytes in one gap; the footer names the token, whose digits are those of the SHA-256.
#include "compact/binary.h"

namespace pith {
namespace {

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
    {"\xff\xfe", 0, "UTF-16 text, little-endian"},
    {"\xfe\xff", 0, "UTF-16 text, big-endian"},
};

class BinaryShaper : public Shaper {
 public:
  explicit BinaryShaper(const Document& document) : document_(document) {}

  std::vector<Piece> Make(const Limit&) const override {
    std::string_view name = "unknown type";
    for (const MagicRow& row : kMagic) {
      if (document_.bytes.size() > row.offset && document_.bytes.substr(row.offset).starts_with(row.magic)) {
        name = row.name;
        break;
      }
    }
    Piece gap = GapOfBytes({0, document_.bytes.size()});
    gap.glued = false;
    return {Note("[binary, " + std::string(name) + ", " + std::to_string(document_.bytes.size()) + " bytes]"), gap};
  }

 private:
  const Document& document_;
};

}  // namespace

std::unique_ptr<Shaper> ShapeBinary(const Document& document) { return std::make_unique<BinaryShaper>(document); }

}  // namespace pith
