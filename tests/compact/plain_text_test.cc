#include "compact/plain_text.h"

#include <doctest/doctest.h>

#include <array>

#include "compact/compact.h"
#include "compact/display.h"
#include "compact/document.h"
#include "tests/compact/originals.h"
#include "tests/sanitized.h"

namespace pith {
namespace {

// `bytes` as a program writes it to a terminal: sequences at random places, never within a character.
std::string Coloured(std::string_view bytes, test::Random& random) {
  constexpr auto kSequences =
      std::to_array<std::string_view>({"\x1b[35m", "\x1b[0m", "\x1b[m", "\x1b[K", "\x1b[1;38;5;208m", "\x1b(B",
                                       "\x1b]8;;file:///tmp/a.c\x1b\\", "\x1b]0;title\x07", "\x1b[38;2;1;2;3m"});
  std::string coloured;
  for (char c : bytes) {
    const bool within = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
    if (!within && random.OneIn(9)) coloured += random.Of(kSequences);
    coloured += c;
  }
  return coloured;
}

std::string WithoutFooter(const std::string& view) { return view.substr(0, view.rfind("\n[") + 1); }

TEST_CASE("plain text is the original where it has no escape sequence, and leaves out nothing else where it has") {
  const std::string plain = "a\nb\r\n\xff\0c";
  CHECK(PlainText(plain).text().data() == plain.data());
  CHECK_FALSE(PlainText(plain).differs());
  const std::string coloured = "\x1b[31mred\x1b[0m\x1b]0;t\x07 \x1b(Bx\x1b";
  CHECK(PlainText(coloured).text() == "red x");
  CHECK(PlainText(coloured).original() == coloured);
  CHECK(PlainText(coloured, false).text() == coloured);
  CHECK(PlainText("\x1b[31").text() == "");
  CHECK(PlainText("\x1b]no end\nnext\x07").text() == "no end\nnext\x07");  // the string it opens would hold the newline
  CHECK(PlainText("\x1b[3\nnext").text() == "\nnext");
  CHECK(PlainText("50%\x1b[1G\x1b[2K100%\x1b[75G.").text() == "50%\r100%.");
  CHECK(PlainText("50%\x1b[1G\x1b[2K100%").InOriginal(4) == 11);
}

TEST_CASE("each byte of plain text is found in the original, and newlines stay") {
  test::Random random(31);
  for (const test::Original& original : test::TypicalOriginals(5, 400)) {
    CAPTURE(original.name);
    const std::string coloured = Coloured(original.bytes, random);
    const PlainText plain(coloured);
    REQUIRE(plain.text() == original.bytes);
    uint64_t wrong = 0, before = 0;
    for (uint64_t at = 0; at < original.bytes.size(); at += kSanitized ? 7 : 1) {
      const uint64_t found = plain.InOriginal(at);
      wrong += found >= coloured.size() || coloured[found] != original.bytes[at] || (at > 0 && found <= before);
      before = found;
    }
    CHECK(wrong == 0);
    CHECK(plain.InOriginal(original.bytes.size()) == coloured.size());
    for (int i = 0; i < 50; ++i) {
      const uint64_t begin = random.Below(original.bytes.size()),
                     end = begin + random.Below(original.bytes.size() - begin);
      const Span span = plain.InOriginal(Span{begin, end});
      CHECK(PlainText(coloured.substr(span.begin, span.size())).text() == original.bytes.substr(begin, end - begin));
    }
  }
}

TEST_CASE("escape sequences of any bytes are left out as display rules leave them out") {
  test::Random random(32);
  for (int i = 0; i < 2000; ++i) {
    std::string line;
    for (uint64_t n = random.Below(40); n > 0; --n) {
      line += random.OneIn(4)
                  ? '\x1b'
                  : static_cast<char>(random.OneIn(3) ? ' ' + random.Below(95) : "[]()P;m\x07\\"[random.Below(9)]);
    }
    std::string shown;
    AppendDisplayed(line, shown);
    if (line.find('G') != std::string::npos) continue;  // may take the cursor back
    CAPTURE(line);
    CHECK(shown == PlainText(line).text());
    CHECK(shown.find('\x1b') == std::string::npos);
  }
}

// Colour says nothing that a reader of a view misses: what tools print to a terminal reads as what they print to a
// file.
TEST_CASE("coloured output of every kind has the kind and the view of plain output, and its gaps are of the original") {
  test::Random random(33);
  std::vector<test::Original> originals = test::TypicalOriginals(6, 300);
  for (test::Original& original : test::ShippedOriginals(60000)) originals.push_back(std::move(original));
  size_t compared = 0;
  for (const test::Original& original : originals) {
    if (original.bytes.find('\x1b') != std::string::npos || original.bytes.find('\0') != std::string::npos) continue;
    CAPTURE(original.name);
    const std::string coloured = Coloured(original.bytes, random);
    const View plain = Compact(original.bytes, {}, {}), view = Compact(coloured, {}, {});
    CHECK(view.kind == plain.kind);
    CHECK(view.original.bytes == coloured.size());
    if (plain.view_class == ViewClass::kExact) continue;
    CHECK(view.view_class == ViewClass::kPartial);
    REQUIRE(view.gaps.size() == plain.gaps.size());
    bool bytes = false;
    for (size_t i = 0; i < view.gaps.size(); ++i) {
      if (view.gaps[i].form != Address::Form::kBytes) continue;
      bytes = true;
      const std::string hidden = coloured.substr(view.gaps[i].first, view.gaps[i].last);
      CHECK(PlainText(hidden).text() == original.bytes.substr(plain.gaps[i].first, plain.gaps[i].last));
    }
    if (bytes) continue;  // addresses differ
    ++compared;
    CHECK(WithoutFooter(view.text) == WithoutFooter(plain.text));
  }
  CHECK(compared > 50);
}

TEST_CASE("names that NULs part, and a text with a NUL and bytes of another character set, are text") {
  std::string names, latin = "caf\xe9 au lait\n", image;
  for (int i = 0; i < 400; ++i) names += "src/file_" + std::to_string(i) + ".cc" + '\0';
  for (int i = 0; i < 200; ++i)
    latin += "line " + std::to_string(i) + (i == 120 ? std::string("error: a\0b\n", 11) : "fine\n");
  for (int i = 0; i < 4000; ++i) image += static_cast<char>(i * 7919 >> 3);
  const Hints hints;
  CHECK_FALSE(Document(names, hints).binary);
  CHECK_FALSE(Document(latin, hints).binary);
  CHECK(Compact(latin, {}, {})
            .text.find("error: a\xE2\x90\x80"
                       "b") != std::string::npos);
  CHECK(Document(image, hints).binary);
  CHECK(Document("name" + std::string(96, '\0') + names.substr(0, 400), hints).binary);  // a tar's header is padded
  std::string wide;
  for (char c : std::string_view("two bytes a character\n")) wide += {c, '\0'};
  CHECK(Document(wide, hints).binary);
}

}  // namespace
}  // namespace pith
