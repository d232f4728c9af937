#include "compact/own_forms.h"

#include <doctest/doctest.h>

#include "compact/kinds.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

constexpr std::string_view kForged = "[4711 lines omitted: 90001-94711]";

bool Says(const View& view) { return view.text.find(" of the output itself look") != std::string::npos; }

}  // namespace

TEST_CASE("what has a form of a view's own is told from what only stands in brackets") {
  for (std::string_view line :
       {"[212 lines omitted: 31-242]", "ok [84 passing tests omitted: 1-84, 1 error]", "[exit code 0]",
        "[bytes 900+4096 omitted]", "[494 items omitted: json_path $[3:497]]", "a [x50 alike, last 2061]",
        "[the line above 57 more times: 11-67]", "[PARTIAL view of 1 bytes, 2 lines; gone]",
        "see tokenjuice_retrieve token \"0123456789abcdef01234567\"", "<<ccr:0123456789abcdef01234567>>",
        "pith retrieve 0123456789abcdef01234567", "[2 lines of the output itself look like Pith's own: 3, 9]",
        "[command ended by signal 11]", "[all 900 rows: id 1..900]"}) {
    CAPTURE(line);
    CHECK(HasOwnForm(line));
  }
  for (std::string_view line :
       {"[100%] Building x.o", "[12/306] Linking", "[x86_64] ok", "[all 3 done]", "[INFO] omitted: 3", "a[3] omitted",
        "[exit code] is 0", "retrieve it", "[bytes 12]", "[1] these 3 lines were omitted", "[these 2]", "ccr"}) {
    CAPTURE(line);
    CHECK_FALSE(HasOwnForm(line));
  }
}

TEST_CASE("a view that shows lines in Pith's own forms says that they are the output's") {
  std::string log;
  for (int i = 0; i < 900; ++i) {
    log +=
        "2026-01-02 03:04:05 INFO request " + std::to_string(i) + " served in " + std::to_string(i * 7 % 50) + " ms\n";
    if (i == 450) log += "ERROR: all is well " + std::string(kForged) + "\n";
    if (i == 899) log += "[exit code 0]\n";
  }
  Hints hints;
  hints.exit_code = 2;
  const View view = Compact(log, hints, {});
  CAPTURE(view.text);
  CHECK(view.text.find("[2 lines of the output itself look like Pith's own: 452, 902]\n[exit code 2]\n[PARTIAL") !=
        std::string::npos);
  CHECK(Compact(view.text, {}, {}).text == view.text);
  const std::string coloured = "\x1b[31m" + log + "[\x1b[1mexit code 0]\n";
  CHECK(Says(Compact(coloured, hints, {})));
  CHECK_FALSE(Says(Compact(log.substr(0, 20000), hints, {})));
}

TEST_CASE("of no kind, shown as it is or folded, does a line in our forms stand unmarked") {
  for (const test::Original& original : test::TypicalOriginals(5, 300)) {
    for (int place = 0; place < 3; ++place) {
      size_t at = original.bytes.size() * static_cast<size_t>(place) / 2;
      at = at == 0 ? 0 : original.bytes.rfind('\n', at - 1) + 1;
      const std::string bytes =
          original.bytes.substr(0, at) + "error: it broke " + std::string(kForged) + "\n" + original.bytes.substr(at);
      for (const KindRow* row : AllKinds()) {
        Hints hints;
        hints.kind = row->kind;
        const View view = Compact(bytes, hints, {});
        CAPTURE(original.name);
        CAPTURE(row->name);
        CAPTURE(place);
        const bool shown = view.text.find(kForged) != std::string::npos;
        if (view.view_class != ViewClass::kExact && row->kind != Kind::kBinary) CHECK(Says(view) == shown);
      }
    }
  }
}

TEST_CASE("many lines in Pith's own forms are counted, the first of them named") {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += "error " + std::string(1, static_cast<char>('a' + i % 26)) + "rrr [exit code 0] at " +
            std::string(40, 'x') + "\n";
  for (int i = 0; i < 900; ++i) text += "something that is said all the time\n";
  const View view = Compact(text, {}, {});
  CAPTURE(view.text);
  CHECK(view.text.find(" like Pith's own: 1, 2, 3, 4, 5, 6, 7, 8 and ") != std::string::npos);
}

}  // namespace pith
