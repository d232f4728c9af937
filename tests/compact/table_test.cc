// Delimited files and blocks of "key = value" lines.
#include <doctest/doctest.h>

#include <random>

#include "compact/kinds.h"
#include "compact/records/folds_table.h"
#include "tests/compact/golden.h"

using namespace pith;

namespace {

Evidence Detected(std::string_view bytes) {
  Hints hints;
  return DetectTable(Document(bytes, hints));
}

std::string Checked(std::string_view bytes, const Limit& limit) {
  Hints hints;
  hints.kind = Kind::kTable;
  Document document(bytes, hints);
  std::unique_ptr<Shaper> shaper = ShapeTable(document);
  INFO(bytes.substr(0, 1000));
  REQUIRE(shaper);
  std::vector<Piece> pieces = shaper->Make(limit);
  REQUIRE(CheckPieces(document, pieces) == "");
  return Render(document, pieces);
}

bool Has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string Orders(int count, char delimiter, int odd, const std::string& odd_row) {
  std::string out = "id,customer,city,amount,state\n";
  for (int i = 0; i < count; ++i) {
    std::string row = std::to_string(i) + ",customer " + std::to_string(i * 7919 % 10007) + "," +
                      (i % 3 ? "Rome" : "Oslo") + "," + std::to_string(20 + i % 50) + ".50,shipped";
    out += (i == odd ? odd_row : row) + "\n";
  }
  for (char& c : out)
    if (c == ',') c = delimiter;
  return out;
}

std::string Blocks(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    out += "   id = " + std::to_string(i + 1) + "\n name = item" + std::to_string(i * i) +
           "\nstate = " + (i == 33 ? "lost" : "sold") + "\n\n";
  }
  return out;
}

TEST_CASE("no sum is told of postcodes and of a scale that counts up in even steps") {
  std::string rows = "t,zip,amount,grows\n";
  for (int i = 0; i < 400; ++i) {
    const std::string n = std::to_string(i);
    rows += std::to_string(i / 2) + (i % 2 == 0 ? ".0," : ".5,") + std::to_string(10000 + i * 7919 % 89999) + "," + n +
            std::to_string(i % 7) + "," + std::to_string(i * i) + "\n";
  }
  const View view = Compact(rows, {}, {});
  CHECK(view.text.find("t 0.0..199.5; zip 10000..") != std::string::npos);
  CHECK(view.text.find("grows 0..159201 sum 21253400") != std::string::npos);
}

}  // namespace

TEST_CASE("a delimited file shows its header, odd rows wherever they stand, and figures over all rows") {
  for (char delimiter : {',', '\t', ';', '|'}) {
    for (int at : {1, 500, 998, 999}) {
      for (std::string odd :
           {"7,customer 7,Reykjavik,20.50,shipped", "7,customer 7,Rome,999999,shipped",
            "7,customer 7,Rome,none,shipped", "7,customer 7,Rome,20.50,ERROR: payment failed", "7,customer 7"}) {
        std::string bytes = Orders(1000, delimiter, at, odd);
        for (char& c : odd)
          if (c == ',') c = delimiter;
        CHECK(Detected(bytes).score >= 50);
        std::string view = Checked(bytes, {10000, 40000, false});
        INFO(view);
        CHECK(view.starts_with(bytes.substr(0, bytes.find('\n'))));
        CHECK(Has(view, "\n" + odd + "\n"));
        CHECK(Has(view, "[all 1000 rows: "));
        CHECK(view.size() < 1500);
      }
    }
  }
}

TEST_CASE("a file of measurements with times is a table, not a log") {
  std::string bytes = "time,host,load\n";
  for (int i = 0; i < 60; ++i)
    bytes += "2026-01-01T10:" + std::to_string(10 + i % 50) + ":00Z,web" + std::to_string(i % 3) + ",0." +
             std::to_string(i) + "\n";
  Hints hints;
  CHECK(DetectKind(Document(bytes, hints)) == Kind::kTable);
}

TEST_CASE("quoted fields hold delimiters, quotes and line ends") {
  std::string bytes = "name,text,n\n";
  for (int i = 0; i < 300; ++i)
    bytes += "row" + std::to_string(i) + ",\"a, \"\"b\"\"\r\nsecond, line\"," + std::to_string(i % 4) + "\n";
  CHECK(Detected(bytes).score >= 50);
  std::string view = Checked(bytes, {10000, 40000, false});
  CHECK(Has(view, "[all 300 rows: "));
  CHECK(Has(view, "rows omitted: "));
  CHECK(view.size() < bytes.size() / 3);
}

TEST_CASE("a quote that never closes does not swallow the rows after it") {
  std::string bytes = Orders(600, ',', 100, "5,\"open,Rome,20.50,shipped");
  std::string view = Checked(bytes, {10000, 40000, false});
  CHECK(Has(view, "[all 600 rows: "));
}

TEST_CASE("blocks of key = value lines are records") {
  std::string bytes = Blocks(200);
  CHECK(Detected(bytes).score >= 50);
  std::string view = Checked(bytes, {10000, 40000, false});
  CHECK(Has(view, "state = lost"));
  CHECK(Has(view, "[all 200 records: "));
  CHECK(Has(view, "item1600, item1681"));
  CHECK(view.size() < bytes.size() / 3);
}

TEST_CASE("what only has commas, colons or pipes in it is no table") {
  std::string prose, log, config, aligned = " id | name\n----+------\n";
  for (int i = 0; i < 50; ++i) {
    prose += "Once upon a time, in a land far away, there lived a king, and so on and so forth.\n";
    log += "2026-01-01 10:00:00,123 INFO [main] server started in " + std::to_string(i) + " ms\n";
    config += "key" + std::to_string(i) + " = value\n";
    aligned += "  " + std::to_string(i % 10) + " | ann\n";
  }
  CHECK(Detected(prose).score == 0);
  CHECK(Detected(log).score == 0);
  CHECK(Detected(config).score == 0);
  CHECK(Detected(aligned).score == 0);
  CHECK(Detected("").score == 0);
}

TEST_CASE("every byte of random tables is accounted for") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 150; ++round) {
    char delimiter = ",;\t|"[random() % 4];
    std::string bytes;
    size_t fields = 2 + random() % 5;
    for (size_t row = 0; row < 4 + random() % 200; ++row) {
      for (size_t field = 0; field < fields; ++field) {
        if (field > 0) bytes += delimiter;
        switch (random() % 9) {
          case 0:
            bytes += "\"q" + std::string(1, delimiter) + "\n\"\"x\"";
            break;
          case 1:
            break;
          case 2:
            bytes += std::string(random() % 400, 'x') + "é";
            break;
          case 3:
            bytes += "\"\"";
            break;
          default:
            bytes += std::to_string(random() % 30);
            break;
        }
      }
      if (random() % 30 == 0) bytes += std::string(1, delimiter) + "extra" + delimiter + "\"";
      bytes += random() % 20 == 0 ? "\r\n" : "\n";
      if (random() % 40 == 0) bytes += "\n";
    }
    if (random() % 3 == 0) bytes.pop_back();
    Hints hints;
    Document document(bytes, hints);
    std::unique_ptr<Shaper> shaper = ShapeTable(document);
    if (!shaper) continue;
    for (uint64_t soft : {0, 400, 3000, 1000000}) {
      INFO("round " << round << " limit " << soft);
      REQUIRE(CheckPieces(document, shaper->Make({soft, soft, soft == 400})) == "");
    }
  }
}

TEST_CASE("hostile tables: one endless line, only quotes, only delimiters") {
  for (std::string bytes : {std::string(1 << 20, ','), std::string(1 << 20, '"'),
                            std::string("a,b,c\n") + std::string(3 << 20, 'x'), std::string(300000, '\n')}) {
    for (int i = 0; i < 5; ++i) bytes += "\n1,2,3";
    Hints hints;
    Document document(bytes, hints);
    std::unique_ptr<Shaper> shaper = ShapeTable(document);
    if (shaper) CHECK(CheckPieces(document, shaper->Make({})) == "");
  }
}

TEST_CASE("the view of a real delimited original is as written down") {
  pith::test::CheckGolden({.name = "structured/packages.csv"}, Kind::kTable);
}

TEST_CASE("two columns are a table where each record has them and they hold figures, or the file's name says so") {
  std::string scores = "name,score\n", words = "from,to\n", prose, pairs;
  for (int i = 0; i < 60; ++i) {
    scores += "user" + std::to_string(i) + "," + std::to_string(i * 37 % 91) + "\n";
    words += "alpha" + std::to_string(i) + "x,beta" + std::to_string(i % 7) + "y\n";
    prose += "Then, it was said that number " + std::to_string(i) + " came\n";
    pairs += "key" + std::to_string(i) + "|" + std::to_string(i) + "\n";
  }
  CHECK(Detected(scores).score >= 60);
  CHECK(Detected(pairs).score >= 45);
  CHECK(Detected(words).score == 0);
  std::string calls;
  for (int i = 0; i < 60; ++i) calls += "call(a" + std::to_string(i) + ", b, c)\n";
  CHECK(Detected(calls).score == 0);
  CHECK(Detected(prose).score == 0);
  Hints hints;
  hints.path = "links.csv";
  CHECK(DetectTable(Document(words, hints)).score > 0);
  std::string more = scores;
  for (int i = 60; i < 600; ++i) more += "user" + std::to_string(i) + "," + std::to_string(i * 37 % 91) + "\n";
  std::string view = Checked(more, {10000, 40000, false});
  CHECK(Has(view, "name,score\nuser0,0\n"));
  CHECK(Has(view, "score 0..90"));
}

TEST_CASE("a semicolon between fields and a comma in numbers are told apart") {
  std::string bytes = "name;price\n";
  for (int i = 0; i < 60; ++i) bytes += "item" + std::to_string(i) + ";" + std::to_string(i) + ",50\n";
  CHECK(Detected(bytes).score > 0);
  CHECK(Checked(bytes, {10000, 40000, false}).starts_with("name;price\n"));
}

TEST_CASE("names in a gap can be told apart though they hold commas") {
  std::string quoted = "name,dept,hash,amount\n", tabbed = "name\tdept\thash\tamount\n";
  for (int i = 0; i < 60; ++i) {
    const std::string name = "Last" + std::to_string(i) + ", First" + std::to_string(i);
    const std::string hash =
        std::to_string(i * 7919 % 10007) + "af" + std::to_string(i * 104729 % 1000003) + "c0ffee0badcafe";
    quoted += "\"" + name + "\",sales," + hash + hash + "," + std::to_string(20 + i % 9) + "\n";
    tabbed += name + "\tsales\t" + hash + hash + "\t" + std::to_string(20 + i % 9) + "\n";
  }
  std::string view = Checked(quoted, {3000, 40000, false});
  INFO(view);
  CHECK(Has(view, "\"Last20, First20\", \"Last21, First21\""));
  view = Checked(tabbed, {3000, 40000, false});
  INFO(view);
  CHECK(Has(view, "Last20, First20; Last21, First21"));
}

TEST_CASE("a small table is shown whole with what repeats said once, and decodes to its bytes") {
  std::string bytes = "id,city,state,note\n";
  for (int i = 0; i < 40; ++i) {
    bytes += std::to_string(i) + "," + (i % 9 == 4 ? "Reykjavik" : "Amsterdam") + ",shipped and paid,\"lot, " +
             std::to_string(i / 8) + "\"\n";
  }
  Hints hints;
  hints.path = "orders.csv";
  const View view = Compact(bytes, hints, {});
  CAPTURE(view.text);
  CHECK(view.view_class == ViewClass::kLossless);
  CHECK(Has(view.text,
            "id,city,state,note\n[rows by commas: *,*=Amsterdam,=shipped and paid,*]\n0,=,\"lot, 0\"\n1,=,\"\n"));
  CHECK(Has(view.text, "\n4,Reykjavik,\"\n"));
}

TEST_CASE("a cell that looks like a mark of the fold stands outside of it") {
  std::string bytes = "id,city,note\n";
  for (int i = 0; i < 40; ++i)
    bytes += std::to_string(i) + (i == 20 ? ",\",none\n" : i == 9 ? ",=,none\n" : ",Amsterdam,none\n");
  Hints hints;
  hints.kind = Kind::kTable;
  const Document document(bytes, hints);
  const std::unique_ptr<Shaper> shaper = RowOf(Kind::kTable).shape(document);
  REQUIRE(shaper);
  for (const Limit& limit : {Limit{0, 0, false}, Limit{1 << 20, 1 << 20, true}}) {
    const std::vector<Piece> pieces = shaper->Make(limit);
    CHECK(CheckPieces(document, pieces) == "");
    if (limit.soft > 0) CHECK(Render(document, pieces).find("20,\",none") != std::string::npos);
  }
}

TEST_CASE("folds of tables decode to their rows, whatever the cells hold") {
  const std::vector<std::string> cells = {"",          "a",    "\"\"", "=", "*",     "\"x, y\"", "\"say \"\"so\"\"\"",
                                          "value one", "=x",   "*=y",  "]", "a;b|c", "\"=\"",    "same",
                                          "a]",        "\"z\""};
  std::mt19937 random(11);
  for (char delimiter : {',', '\t', ';', '|'}) {
    for (int round = 0; round < 400; ++round) {
      const size_t columns = 1 + random() % 5, kinds = 1 + random() % cells.size();
      std::vector<std::vector<std::string_view>> rows(3 + random() % 6);
      std::string expected;
      bool clean = true;
      for (auto& row : rows) {
        for (size_t i = 0; i < columns; ++i) {
          row.push_back(cells[random() % kinds]);
          clean = clean && (row.back().find(delimiter) == std::string_view::npos || row.back()[0] == '"');
          expected += (i > 0 ? std::string(1, delimiter) : "") + std::string(row.back());
        }
        expected += '\n';
      }
      const std::string text = WriteTable(rows, delimiter);
      CAPTURE(text);
      const std::optional<std::string> decoded = ReadTable(text);
      if (clean) CHECK((decoded && *decoded == expected));
    }
  }
  CHECK_FALSE(ReadTable("[rows by commas: *"));
  CHECK_FALSE(ReadTable("[rows by stars: *]\na"));
  CHECK_FALSE(ReadTable("[rows by commas: *,*]\na"));
  CHECK_FALSE(ReadTable(""));
}
