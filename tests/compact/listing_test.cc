// Listings: folds of columns decode to what they stand for; the heading, totals and odd rows stay in view.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compact/kinds.h"
#include "compact/listing/folds_prefix.h"
#include "compact/listing/rows.h"
#include "tests/compact/golden.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

std::vector<Piece> Folded(const Document& document, const FoldOptions& options = {&SplitWords, false, true}) {
  std::vector<Piece> pieces;
  FoldRows(document, 0, document.line_count(), options, pieces);
  return pieces;
}

std::string View(const std::string& bytes, std::string_view command = {}) {
  Hints hints;
  hints.command = command;
  return Compact(bytes, hints, {}).text;
}

Kind KindOf(const std::string& bytes, std::string_view command = {}) {
  Hints hints;
  hints.command = command;
  return DetectKind(Document(bytes, hints));
}

std::string Modes(int rows) {
  std::string out = "total " + std::to_string(rows * 4) + "\n";
  for (int i = 0; i < rows; ++i) {
    const std::string size = std::to_string(i == 70 ? 9999999 : 100 + i * 37);
    out += std::string(i == 33 ? "-rwxr-xr-x" : "-rw-r--r--") + " 1 ann ann " + std::string(8 - size.size(), ' ') +
           size + " Nov 30 12:57 file_" + std::to_string(i) + ".txt\n";
  }
  return out;
}

TEST_CASE("constant columns, padding, folders and repeats are said once") {
  const std::string stat =
      " src/core/a.cc         |   12 ++\n src/core/long_name.cc |    3 +\n src/core/b.cc         | 1200 ++--\n"
      " src/core/other.cc     |    1 -\n src/core/deep/tree.cc |   44 +-\n src/core/deep/leaf.cc |    1 +\n";
  const Hints hints;
  const Document document(stat, hints);
  const std::vector<Piece> pieces = Folded(document);
  REQUIRE(pieces.size() == 1);
  REQUIRE(pieces[0].type == Piece::Type::kFold);
  CHECK(pieces[0].text ==
        "[columns:  */<21 | *>4 *]\nsrc/core/\n a.cc 12 ++\n long_name.cc 3 +\n b.cc 1200 ++--\n other.cc 1 -\n"
        "src/core/deep/\n tree.cc 44 +-\n leaf.cc 1 +");
  CHECK(DecodeColumns(pieces[0].text) == stat);
  CHECK(CheckPieces(document, pieces).empty());
  std::string other = stat;
  other[2] = 'x';
  CHECK(CheckPieces(Document(other, hints), pieces) != "");
}

TEST_CASE("a commit's date and author are said once in blame") {
  std::string blame;
  for (int i = 1; i <= 12; ++i) {
    const std::string number = std::to_string(i);
    blame += std::string(i % 3 == 0 ? "bc31da8a (Ann B. Cee 2026-01-31 23:36:44 +0100 "
                                    : "a0128e38 (Dee        2025-01-22 20:19:54 +0100 ") +
             std::string(2 - number.size(), ' ') + number + ") int x" + number + ";\n";
  }
  const Hints hints;
  const Document document(blame, hints);
  CHECK(KindOf(blame) == Kind::kListing);
  const std::vector<Piece> pieces = Folded(document, {&SplitBlame, true, true});
  REQUIRE(pieces.size() == 1);
  CHECK(CheckPieces(document, pieces).empty());
  CHECK(pieces[0].text.find("a0128e38 (Dee        2025-01-22 20:19:54 +0100\n a0128e38 1 int x1;\n \" 2 int x2;\n") !=
        std::string::npos);
}

TEST_CASE("decoding refuses what is no fold and keeps what needs escaping") {
  CHECK_FALSE(DecodeColumns("nothing"));
  CHECK_FALSE(DecodeColumns("[columns: * *]\n one"));
  CHECK_FALSE(DecodeColumns("[columns: *\\]"));
  CHECK_FALSE(DecodeColumns("[columns: *= *]\n unknown 1"));
  CHECK(DecodeColumns("[columns: \\*\\\\ *\\/ *]\n a b") == "*\\ a/ b\n");
  CHECK(DecodeColumns("[columns: *>4|*]\n 7 x\n \" y") == "   7|x\n   7|y\n");
}

TEST_CASE("any rows fold to what decodes or stay as they are") {
  test::Random random(7);
  for (int round = 0; round < 400; ++round) {
    std::string bytes;
    const std::vector<std::string> words = {"a", "\"", "*",  "src/x/y.c", "src/x/z.c", "12", "1200",
                                            "=", "",   "\\", "no",        "/",         "x y"};
    for (uint64_t line = 0; line < 2 + random.Below(30); ++line) {
      const uint64_t cells = 1 + random.Below(4);
      for (uint64_t i = 0; i < cells; ++i)
        bytes += random.Of(words) + std::string(1 + random.Below(3), random.OneIn(9) ? '\t' : ' ');
      bytes += "constant  end\n";
    }
    if (random.OneIn(3)) bytes.pop_back();
    const Hints hints;
    const Document document(bytes, hints);
    CHECK(CheckPieces(document, Folded(document)) == "");
    CHECK(CheckPieces(document, Folded(document, {&SplitWords, true, true})) == "");
  }
}

TEST_CASE("a row that ends as the one above says so with a mark") {
  std::string bytes;
  for (int i = 0; i < 30; ++i) {
    bytes += "v1." + std::to_string(i) + " 2026-03-01 0a1b2c3 number" + std::to_string(i / 3) + "\n";
  }
  const Hints hints;
  const Document document(bytes, hints);
  const std::vector<Piece> pieces = Folded(document);
  CHECK(CheckPieces(document, pieces) == "");
  REQUIRE(pieces.size() == 1);
  CAPTURE(pieces[0].text);
  CHECK(pieces[0].text.find("\n v1.6 number2\n v1.7 \"\n") != std::string::npos);
  std::string marks;
  for (int i = 0; i < 30; ++i) marks += "row" + std::to_string(i) + " same same " + (i % 2 ? "\"" : "text") + "\n";
  const Document quoted(marks, hints);
  CHECK(CheckPieces(quoted, Folded(quoted)) == "");
}

TEST_CASE("a line that a repeat refers to is not folded") {
  std::string bytes;
  for (int i = 0; i < 6; ++i) bytes += "2026-03-01 00:00:01 host app: step " + std::to_string(i) + "\n";
  for (int i = 0; i < 4; ++i) bytes += "2026-03-01 00:00:01 host app: the very same line\n";
  const Hints hints;
  const Document document(bytes, hints);
  const std::unique_ptr<Shaper> shaper = ShapeLog(document);
  Limit limit;
  limit.fill = true;
  CHECK(CheckPieces(document, shaper->Make(limit)) == "");
}

TEST_CASE("totals, headings and odd rows stay in view when not all rows fit") {
  const std::string bytes = Modes(2000);
  CHECK(KindOf(bytes) == Kind::kListing);
  const std::string view = View(bytes, "ls -l");
  CHECK(view.size() < bytes.size() / 6);
  CHECK(view.find("total 8000") != std::string::npos);
  CHECK(view.find("file_33.txt") != std::string::npos);    // the one that is executable
  CHECK(view.find("file_70.txt") != std::string::npos);    // the largest
  CHECK(view.find("file_1999.txt") != std::string::npos);  // the last
  CHECK(view.find("rows omitted") != std::string::npos);
}

TEST_CASE("all rows of a listing that fits are in its view") {
  const std::string view = View(Modes(60), "ls -l");
  for (int i = 0; i < 60; ++i) CHECK(view.find("file_" + std::to_string(i) + ".txt") != std::string::npos);
  CHECK(view.find("omitted") == std::string::npos);
}

TEST_CASE("a tree shows what stands near its root") {
  std::string tree = "app@1.0.0 /home/dev/app\n";
  for (int i = 0; i < 40; ++i) {
    tree += "\xe2\x94\x9c\xe2\x94\x80\xe2\x94\xac top" + std::to_string(i) + "@1.0." + std::to_string(i) + "\n";
    for (int j = 0; j < 40; ++j) {
      tree += "\xe2\x94\x82 \xe2\x94\x82 \xe2\x94\x82 \xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 deep" +
              std::to_string(i * 40 + j) + "@2.0.0\n";
    }
  }
  tree += "\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 UNMET DEPENDENCY last@1.0.0\n";
  const std::string view = View(tree, "npm ls --all");
  for (int i = 0; i < 40; ++i) CHECK(view.find("top" + std::to_string(i) + "@") != std::string::npos);
  CHECK(view.find("UNMET DEPENDENCY last") != std::string::npos);
  CHECK(view.size() < tree.size() / 4);
}

TEST_CASE("long rows of columns lose their middle, so that others find room") {
  std::string table = "USER       PID %CPU    RSS COMMAND\n";
  for (int i = 0; i < 80; ++i) {
    table += "root  " + std::to_string(2000 + i) + "  0." + std::to_string(i % 7) + "  " +
             std::to_string(9000 + i * 37) + "  /usr/bin/cc" + std::to_string(i) +
             (i % 2 ? std::string(900, 'x') : "") + " -o part" + std::to_string(i) + ".o\n";
  }
  const std::string view = View(table, "ps aux");
  int told = 0;
  for (int i = 0; i < 80; ++i) told += view.find("-o part" + std::to_string(i) + ".o") != std::string::npos;
  CHECK(told >= 40);
  CHECK(view.find("-o part79.o") != std::string::npos);
}

TEST_CASE("numbered rows are no progress") {
  std::string table =
      "There are 31 section headers, starting at offset 0x24770:\n\nSection Headers:\n"
      "  [Nr] Name              Type            Address          Off\n";
  for (int i = 0; i < 31; ++i) {
    table += "  [" + std::string(i < 10 ? " " : "") + std::to_string(i) + "] .section" + std::to_string(i * 7) +
             "   PROGBITS        0000000000000318 000318\n";
  }
  const std::string view = View(table, "readelf -SW /bin/ls");
  for (int i = 0; i < 31; ++i) CHECK(view.find(".section" + std::to_string(i * 7)) != std::string::npos);
}

TEST_CASE("a failing container is in view among many that run") {
  std::string table = "CONTAINER ID   IMAGE          STATUS                    NAMES\n";
  for (int i = 0; i < 900; ++i) {
    table += "a1b2c3d4e" + std::to_string(100 + i) + "   nginx:latest   " +
             (i == 431 ? "Exited (137) 2 hours ago " : "Up 3 days                ") + " web_" +
             std::to_string(100 + i) + "\n";
  }
  const std::string view = View(table, "docker ps -a");
  CHECK(view.find("Exited (137)") != std::string::npos);
  CHECK(view.find("web_531") != std::string::npos);
  CHECK(view.find("CONTAINER ID") != std::string::npos);
  CHECK(view.size() < table.size() / 4);
}

TEST_CASE("rows are told apart by their beginnings") {
  CHECK(ShapeOfRow("-rw-r--r-- 1 ann ann 12 Nov 30 12:57 a.c") == RowShape::kMode);
  CHECK(ShapeOfRow("a1b2c3d subject of it") == RowShape::kCommit);
  CHECK(ShapeOfRow("a1b2c3d4 (Ann 2026-01-31 23:36:44 +0100  1) x") == RowShape::kBlame);
  CHECK(ShapeOfRow(" src/a.c | 12 +++---") == RowShape::kStat);
  CHECK(ShapeOfRow("12K\t./a") == RowShape::kSize);
  CHECK(ShapeOfRow("?? b.c") == RowShape::kStatus);
  CHECK(ShapeOfRow("|  \\- org.x:y:jar:1.0") == RowShape::kTree);
  CHECK(ShapeOfRow("[INFO] +- org.x:y:jar:1.0") == RowShape::kTree);
  CHECK(ShapeOfRow("a sentence of prose.") == RowShape::kOther);
  CHECK(ShapeOfRow("facade of a building") == RowShape::kOther);
}

TEST_CASE("views of real listings are the ones written down") {
  constexpr test::Golden kGoldens[] = {
      {"listings/git-log-oneline.txt", "git log --oneline"},
      {"listings/git-log.txt", "git log -6"},
      {"listings/git-blame.txt", "git blame src/core/alpha.c"},
      {"listings/git-diff-stat.txt", "git diff --stat HEAD~90"},
      {"listings/git-status.txt", "git status -uall"},
      {"listings/git-status-short.txt", "git status -sb -uall"},
      {"listings/git-reflog.txt", "git reflog --date=iso"},
      {"listings/ls-long.txt", "ls -l /usr/bin"},
      {"listings/du.txt", "du -a --apparent-size X11"},
      {"listings/dpkg-list.txt", "dpkg -l 'lib*'"},
      {"listings/npm-ls.txt", "npm ls --all"},
  };
  for (const test::Golden& golden : kGoldens) test::CheckGolden(golden, Kind::kListing);
}

}  // namespace
}  // namespace pith
