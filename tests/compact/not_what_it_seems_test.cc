// Outputs that have a trait of a kind that they are not of.
#include <doctest/doctest.h>

#include "compact/compact.h"

namespace pith {

TEST_CASE("a memory checker's lines of nothing carry no count") {
  std::string text = "==12== Memcheck, a memory error detector\n==12== \n";
  for (int i = 0; i < 30; ++i) {
    const std::string n = std::to_string(i);
    text += "==12== Invalid read of size 4\n==12==    at 0x40" + n + ": f" + n + " (a.c:" + n + ")\n==12== \n";
  }
  const View view = Compact(text, {}, {});
  CHECK(view.kind == Kind::kLog);
  CHECK(view.text.find("==12==  [x") == std::string::npos);
}

TEST_CASE("what stat says of files is no log, though most of its lines hold a time") {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += "  File: a" + std::to_string(i) + "\n  Size: 3\tBlocks: 8\nAccess: 2026-11-30 12:45:29.949201637 +0000\n" +
            "Modify: 2022-09-20 15:27:27.000000000 +0000\nChange: 2022-09-20 15:27:27.000000000 +0000\n" +
            " Birth: 1970-01-01 00:00:00.000000000 +0000\n";
  }
  CHECK(Compact(text, {}, {}).kind != Kind::kLog);
}

TEST_CASE("a table whose rows begin with a word of a language is no code") {
  std::string text = "import time: self [us] | cumulative | imported package\n";
  for (int i = 0; i < 80; ++i)
    text += "import time:       " + std::to_string(100 + i) + " |        " + std::to_string(200 + i) + " |   mod" +
            std::to_string(i) + "\n";
  CHECK(Compact(text, {}, {}).kind == Kind::kListing);
}

TEST_CASE("bytes of nothing but NUL are no view of themselves: a token holds few of them") {
  const View view = Compact(std::string(30000, '\0'), {}, {});
  CHECK(view.kind == Kind::kBinary);
  CHECK(view.view_class == ViewClass::kPartial);
}

}  // namespace pith
