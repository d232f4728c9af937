// The general lines view, and what all kinds of lines have in common.
#include <doctest/doctest.h>

#include <string>

#include "compact/kinds.h"

namespace pith {
namespace {

View ViewOf(std::string_view bytes, std::string_view command = "") {
  Hints hints;
  hints.command = command;
  return Compact(bytes, hints, {});
}

bool Has(const View& view, std::string_view text) { return view.text.find(text) != std::string::npos; }

std::string Lines(int count, std::string_view before, std::string_view after) {
  std::string out;
  for (int i = 1; i <= count; ++i) out += std::string(before) + std::to_string(i) + std::string(after) + "\n";
  return out;
}

std::string Repeated(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("equal lines are one line and a count, however many there are") {
  const View view = ViewOf(Repeated("waiting for the server\n", 400));
  CHECK(view.view_class == ViewClass::kLossless);
  CHECK(Has(view, "waiting for the server\n[the line above 399 more times: 2-400]\n"));
}

TEST_CASE("a long run of equal lines leaves room for what stands around it") {
  const View view = ViewOf(Lines(300, "before ", "") + Repeated("waiting for the server\n", 900) +
                           "and then it came\n" + Lines(300, "after ", ""));
  CHECK(Has(view, "and then it came"));
  CHECK(Has(view, "after 300"));
}

TEST_CASE("progress alone shows how far it came") {
  const View view = ViewOf(Lines(400, "[", "/400] processed an item"));
  CHECK(view.kind != Kind::kSearch);
  CHECK(Has(view, "[1/400] processed an item"));
  CHECK(Has(view, "[400/400] processed an item"));
  CHECK(view.shown.tokens < 80);
}

TEST_CASE("what a gap counts and its blank lines are as many lines as it spans") {
  std::string listing = "/srv/a:\ntotal 4\n";
  for (int folder = 0; folder < 60; ++folder) {
    listing += Lines(12, "-rw-r--r-- 1 root root  48" + std::to_string(folder) + " May 25  2023 file", ".txt") +
               "\n/srv/f" + std::to_string(folder) + ":\ntotal 4\n";
  }
  const View view = ViewOf(listing, "ls -lR /srv");
  uint64_t gaps = 0;
  for (size_t at = view.text.find(" omitted: "); at != std::string::npos; at = view.text.find(" omitted: ", at + 1)) {
    const size_t open = view.text.rfind('[', at);
    uint64_t counted = std::stoull(view.text.substr(open + 1));
    const size_t end = view.text.find(']', at);
    const std::string inside = view.text.substr(at + 10, end - at - 10);
    const uint64_t first = std::stoull(inside);
    const size_t dash = inside.find('-');
    const uint64_t last = dash == std::string::npos ? first : std::stoull(inside.substr(dash + 1));
    const size_t blank = inside.find(" blank");
    if (blank != std::string::npos) counted += std::stoull(inside.substr(inside.rfind(' ', blank - 1)));
    CAPTURE(view.text.substr(open, end - open + 1));
    CHECK(counted == last - first + 1);
    ++gaps;
  }
  CHECK(gaps > 3);
}

TEST_CASE("text of two bytes a character is said to be text, with its characters and lines") {
  for (bool little : {true, false}) {
    for (bool marked : {true, false}) {
      std::string bytes;
      const auto add = [&](unsigned unit) {
        const char low = static_cast<char>(unit & 0xff), high = static_cast<char>(unit >> 8);
        bytes += little ? low : high;
        bytes += little ? high : low;
      };
      if (marked) add(0xfeff);
      for (char c : Lines(100, "line ", " of the report")) add(static_cast<unsigned char>(c));
      add(0xd83d), add(0xde00);  // one character of two units
      CAPTURE(marked);
      const View view = ViewOf(bytes);
      const uint64_t characters = (bytes.size() - (marked ? 2 : 0)) / 2 - 1;
      CHECK(Has(view, std::string("[UTF-16 text, ") + (little ? "little" : "big") + "-endian, " +
                          std::to_string(characters) + " characters, 100 line ends, " + std::to_string(bytes.size()) +
                          " bytes]"));
    }
  }
  std::string bytes;
  for (int i = 0; i < 3000; ++i) bytes += static_cast<char>(i * i * 7 % 251);
  CHECK(Has(ViewOf(bytes), "[binary, unknown type, 3000 bytes]"));
}

TEST_CASE("lines that stood before, word for word, are named by where they are shown") {
  std::string block = "usage: tool [options] FILE\n";
  for (int i = 0; i < 14; ++i)
    block += "  --option" + std::string(1, static_cast<char>('a' + i * 7 % 26)) + " what it is for, in words\n";
  const std::string bytes = "started the first\n" + block + "now the second\n" + block + "done with both\n";
  const View view = ViewOf(bytes);
  CAPTURE(view.text);
  CHECK(Has(view,
            "now the second\n[15 lines omitted: 18-32, shown above as 2-16] from: usage: tool [options] FILE\ndone"));
  CHECK(view.fault == "");
  CHECK(view.lines.omitted == 15);
}

TEST_CASE("of three copies both later ones are named by the first, and few lines are shown again as they are") {
  std::string block;
  for (int i = 0; i < 9; ++i)
    block += "line of a block number " + std::string(1, static_cast<char>('a' + i)) + " with some words\n";
  const View view = ViewOf("one begins\n" + block + "two begins\n" + block + "three begins\n" + block +
                           "short\nshort too\nshort\nshort too\nend\n");
  CAPTURE(view.text);
  CHECK(Has(view, "12-20, shown above as 2-10]"));
  CHECK(Has(view, "22-30, shown above as 2-10]"));
  CHECK(Has(view, "short\nshort too\nshort\nshort too\nend"));
}

}  // namespace pith
