// JSON views: what a reader must find in them, and that they account for every byte of whatever is thrown at them.
#include <doctest/doctest.h>

#include <functional>

#include "tests/compact/golden.h"
#include "tests/compact/json_helpers.h"
#include "tests/sanitized.h"

using namespace pith;
using namespace pith::testing;

namespace {

constexpr uint64_t kLimits[] = {0, 300, 2000, 10000, 1000000};

std::string Checked(std::string_view bytes, const Limit& limit, Kind kind = Kind::kJson, std::string_view query = {}) {
  Hints hints;
  hints.kind = kind;
  hints.query = query;
  Document document(bytes, hints);
  std::unique_ptr<Shaper> shaper = RowOf(kind).shape(document);
  REQUIRE(shaper);
  std::vector<Piece> pieces = shaper->Make(limit);
  std::string fault = CheckPieces(document, pieces);
  INFO("limit " << limit.soft << " of " << bytes.substr(0, 2000));
  REQUIRE(fault == "");
  for (const Piece& piece : pieces) {
    if (piece.type != Piece::Type::kGap || piece.address.form != Address::Form::kJsonPath) continue;
    Span span = SpanOfPath(bytes, piece.address.json_path);
    INFO(piece.address.json_path);
    REQUIRE(span == piece.span);
  }
  return Render(document, pieces);
}

void CheckAll(std::string_view bytes, Kind kind = Kind::kJson) {
  for (uint64_t soft : kLimits) Checked(bytes, {soft, std::max<uint64_t>(soft, 40000), soft == 300}, kind);
}

std::string ViewOf(std::string_view bytes, uint64_t soft = 10000) { return Checked(bytes, {soft, 40000, false}); }

bool Has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string Rows(int count, const std::function<std::string(int)>& row) {
  std::string out = "[";
  for (int i = 0; i < count; ++i) out += (i > 0 ? ",\n" : "\n") + row(i);
  return out + "\n]\n";
}

std::string Plain(int i) {
  uint64_t digest = (static_cast<uint64_t>(i) + 1) * 0x9E3779B97F4A7C15ull;
  return "{\"id\":" + std::to_string(1000 + i) +
         ",\"level\":\"info\",\"message\":\"request served\",\"ms\":" + std::to_string(10 + i % 7) + ",\"digest\":\"" +
         std::to_string(digest) + std::to_string(digest * 31) + "\"}";
}

bool IsJson(std::string_view bytes) {
  Hints hints;
  return DetectKind(Document(bytes, hints)) == Kind::kJson;
}

}  // namespace

TEST_CASE("every byte of random JSON is accounted for and every fold decodes") {
  for (uint64_t seed = 0; seed < (kSanitized ? 150 : 400); ++seed) {
    RandomJson random(seed);
    std::string bytes = random.Blank() + (seed % 2 == 0 ? random.Records(4) : random.Object(4)) + random.Blank();
    CheckAll(bytes);
  }
}

TEST_CASE("null, a missing key, an empty string and numbers of any spelling stay distinct in the table form") {
  std::string bytes = Rows(40, [](int i) {
    static const char* kCells[] = {"\"v\":null",  "",          "\"v\":\"\"",  "\"v\":1",
                                   "\"v\":\"1\"", "\"v\":1.0", "\"v\":1e400", "\"v\":-0"};
    std::string cell = kCells[i % 8];
    return "{\"a_rather_long_key\":" + std::to_string(i) + (cell.empty() ? "" : ", " + cell) + ", \"w\": true}";
  });
  std::string view = Checked(bytes, {100000, 100000, true});
  CHECK(Has(view, "[40 rows of {a_rather_long_key,v,w=true}]"));
  CHECK(Has(view, "\n0,null\n1,\n2,\"\"\n3,1\n4,\"1\"\n5,1.0\n6,1e400\n7,-0\n"));
  CHECK(view.size() < bytes.size() / 2);
}

TEST_CASE("nested records become nested tables with their keys said once") {
  std::string bytes = Rows(30, [](int i) {
    return "{\"title\": \"t" + std::to_string(i) + "\", \"user\": {\"login\": \"u\", \"id\": " + std::to_string(i) +
           "}, \"labels\": [{\"name\": \"x\", \"color\": \"y" + std::to_string(i) + "\"}]}";
  });
  std::string view = Checked(bytes, {100000, 100000, true});
  CHECK(Has(view, "{title,user:{login=\"u\",id},labels:[{name=\"x\",color}]}"));
  CHECK(Has(view, "\n\"t3\",(3),[(\"y3\")]\n"));
}

TEST_CASE("an odd value, type or key in an array within a row raises that row") {
  for (const char* odd :
       {"{\"step\":\"push\",\"state\":\"error\"}", "{\"step\":\"push\",\"state\":7}",
        "{\"step\":\"push\",\"state\":\"ok\",\"left\":true}", "{\"step\":\"push\",\"state\":\"stuck\"}"}) {
    std::string bytes = Rows(400, [&](int i) {
      return "{\"id\":" + std::to_string(i) + ",\"steps\":[{\"step\":\"pull\",\"state\":\"ok\"}," +
             (i == 257 ? odd : "{\"step\":\"push\",\"state\":\"ok\"}") + "]}";
    });
    CAPTURE(odd);
    CHECK(Has(Checked(bytes, {1500, 3000, false}), "257"));
  }
}

TEST_CASE("a row that does not fit the table stands in it as it is") {
  std::string bytes = Rows(30, [](int i) {
    if (i == 7) return std::string("[1, 2]");
    if (i == 8) return std::string("{\"value\":1,\"identifier\":2,\"value\":3}");
    return "{\"identifier\": " + std::to_string(i) + ", \"value\": \"x\"}";
  });
  std::string view = Checked(bytes, {100000, 100000, true});
  CHECK(Has(view, "\n=[1,2]\n"));
  CHECK(Has(view, "\n={\"value\":1,\"identifier\":2,\"value\":3}\n"));
}

TEST_CASE("errors, rare values, extra keys and extremes are shown wherever they stand") {
  for (int at : {0, 1, 77, 250, 498, 499}) {
    for (const char* odd : {"{\"id\":1,\"level\":\"error\",\"message\":\"connection refused\",\"ms\":12}",
                            "{\"id\":1,\"level\":\"info\",\"message\":\"request "
                            "served\",\"ms\":12,\"note\":null,\"error\":\"disk full\"}",
                            "{\"id\":1,\"level\":\"info\",\"message\":\"Segmentation fault\",\"ms\":12}",
                            "{\"id\":1,\"level\":\"notice\",\"message\":\"request served\",\"ms\":12}",
                            "{\"id\":1,\"level\":\"info\",\"message\":\"request served\",\"ms\":99999}",
                            "{\"id\":1,\"level\":\"info\",\"message\":\"request served\",\"ms\":\"12\"}",
                            "{\"id\":1,\"level\":\"info\",\"message\":\"request served\"}"}) {
      std::string view = ViewOf(Rows(500, [&](int i) { return i == at ? std::string(odd) : Plain(i); }));
      INFO(odd << " at " << at << "\n" << view);
      CHECK(Has(view, odd));
      CHECK(view.size() < 3000);
    }
  }
}

TEST_CASE("statistics speak of all rows, and every key is named") {
  std::string view = ViewOf(Rows(500, [](int i) {
    std::string row = Plain(i);
    if (i % 5 == 0) row.insert(row.size() - 1, ",\"seldom_seen\":{\"deep_key\":[1]}");
    return row;
  }));
  CHECK(Has(view, "[all 500 rows: "));
  CHECK(Has(view, "level=\"info\""));
  CHECK(Has(view, "ms 10..16 sum "));
  CHECK(Has(view, "seldom_seen"));
  CHECK(Has(view, "deep_key"));
}

TEST_CASE("rows that are left out are named") {
  std::string view = ViewOf(Rows(60, [](int i) {
    return "{\"name\":\"package-" + std::to_string(i) + "\",\"text\":\"" + std::string(500, 'x') + std::to_string(i) +
           "\"}";
  }));
  CHECK(Has(view, "package-31, package-32"));
  CHECK(Has(view, "omitted: json_path $["));
}

TEST_CASE("what the reader asks for is shown") {
  std::string bytes = Rows(800, [](int i) {
    return "{\"id\":" + std::to_string(i) + ",\"city\":\"" + (i == 613 ? "Reykjavik" : "Town") + std::to_string(i) +
           "\"}";
  });
  CHECK(!Has(Checked(bytes, {1500, 1500, false}), "Reykjavik613\"}"));
  CHECK(
      Has(Checked(bytes, {1500, 1500, false}, Kind::kJson, "Reykjavik613"), "{\"id\":613,\"city\":\"Reykjavik613\"}"));
}

TEST_CASE("a long string loses its end at a place that splits no character and no escape") {
  for (const char* part : {"é", "😀", "\\u00e9", "\\\\", "\\\"", "ab\\n"}) {
    for (int pad = 0; pad < 8; ++pad) {
      std::string text(static_cast<size_t>(pad), 'x');
      for (int i = 0; i < 3000; ++i) text += part;
      CheckAll("{\"key\": \"" + text + "\", \"other\": [1, 2, 3]}");
    }
  }
}

TEST_CASE("several documents and a few lines around them are JSON, text that only begins like JSON is not") {
  std::string rows = Rows(100, Plain);
  CHECK(IsJson(rows));
  CHECK(IsJson("\xEF\xBB\xBF" + rows));
  CHECK(IsJson("WARNING: old client\n" + rows + "done\n"));
  CHECK(IsJson(rows + rows));
  CHECK(!IsJson("[INFO] starting\n[INFO] reading {\"a\":1}\n[ERROR] {broken\n"));
  CHECK(!IsJson("[12:30:01] hello\n[12:30:02] hello\n[12:30:03] hello\n"));
  CHECK(!IsJson("{% block content %}\n<p>hello</p>\n{% endblock %}\n"));
  CHECK(!IsJson("[1] 4711\n[2] 4712\nsome words of a shell session that go on and on and on\n"));
  CHECK(!IsJson("{'python': 'repr', 'is': 'no json'}\n"));
  CHECK(!IsJson(""));
  CHECK(!IsJson("{"));
  for (std::string text : {"WARNING: old client\n" + rows + "done\n", rows + rows, "\xEF\xBB\xBF" + rows,
                           "note\n" + rows + rows + "bye"}) {
    CheckAll(text);
  }
  CHECK(Has(ViewOf("WARNING: old client\n" + rows + "done\n"), "WARNING: old client\n["));
}

TEST_CASE("records of a stream become a table as items of an array do") {
  std::string lines;
  for (int i = 0; i < 30; ++i) {
    lines += "{\"identifier\": " + std::to_string(i) + ", \"description\": \"x\", \"state\": " + std::to_string(i % 2) +
             "}\n";
  }
  std::string view = Checked(lines, {100000, 100000, true}, Kind::kJsonLines);
  CHECK(Has(view, "[30 rows of {identifier,description=\"x\",state}]\n0,0\n1,1\n"));
  CheckAll(lines, Kind::kJsonLines);
  CheckAll(lines + "no JSON here\n" + lines, Kind::kJsonLines);
}

TEST_CASE("every byte of random JSON lines is accounted for") {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    RandomJson random(seed);
    std::string bytes;
    for (uint32_t i = 0; i < 3 + random.Below(80); ++i) {
      std::string record = random.Below(20) == 0 ? "plain words" : random.Object(3);
      for (char& c : record)
        if (c == '\n' || c == '\r') c = ' ';
      bytes += record + (random.Below(9) == 0 ? "\r\n" : "\n");
    }
    Hints hints;
    if (!ShapeJsonLines(Document(bytes, hints))) continue;
    CheckAll(bytes, Kind::kJsonLines);
  }
}

TEST_CASE("paths with a key that stands twice are not used as addresses") {
  std::string items = Rows(300, Plain);
  CheckAll("{\"a\":" + items + ",\"a\":" + items + ",\"b\":" + items + "}");
}

TEST_CASE("hostile originals: deep, long, invalid, empty") {
  CheckAll(std::string(100000, '[') + std::string(100000, ']'));
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "{\"k\":";
  CheckAll(deep + "1" + std::string(100000, '}'));
  CheckAll("[" + std::string(10 << 20, ' ') + "1]");
  CheckAll("[\"" + std::string(10 << 20, 'a') + "\"]");
  CheckAll("[" + std::string(1 << 20, '7') + "]");
  std::string empties = "[";
  for (int i = 0; i < 1000000; ++i) empties += i > 0 ? ",[]" : "[]";
  CheckAll(empties + "]");
  std::string keys = "{";
  for (int i = 0; i < 100000; ++i) keys += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  CheckAll(keys + "}");
  std::string unlike = "[";
  for (int i = 0; i < 20000; ++i)
    unlike += std::string(i > 0 ? "," : "") + "{\"k" + std::to_string(i) + "\":{\"x\":1}}";
  CheckAll(unlike + "]");
  Hints hints;
  for (std::string bytes : {std::string("[\"\xff\"]"), std::string("[\"a\0b\"]", 7), std::string("[1,]"),
                            std::string("{\"a\":}"), std::string("[\"\x01\"]")}) {
    Document document(bytes, hints);
    CHECK(RowOf(Kind::kJson).shape(document) == nullptr);
  }
}

TEST_CASE("the work for a view grows with the original, not faster") {
  auto nodes = [](int count) {
    std::string rows = Rows(count, Plain);
    JsonTape tape(rows);
    REQUIRE(tape.Read(0));
    return tape.size();
  };
  CHECK(nodes(8000) <= nodes(1000) * 8.5);
  CHECK(ViewOf(Rows(40000, Plain)).size() < 12000);
}

TEST_CASE("a view is the same every time and is not compacted again") {
  std::string bytes = Rows(500, Plain);
  Hints hints;
  CompactOptions options;
  pith::View first = Compact(bytes, hints, options);
  CHECK(first.view_class == ViewClass::kPartial);
  CHECK(first.fault == "");
  CHECK(Compact(bytes, hints, options).text == first.text);
  CHECK(Compact(first.text, hints, options).text == first.text);
}

TEST_CASE("the smallest view of a small original is the original") {
  std::string bytes = "[{\"id\":1},{\"id\":2}]";
  Hints hints;
  CHECK(Compact(bytes, hints, {}).text == bytes);
}

TEST_CASE("rows with the same error are shown each, so that a reader knows which they are") {
  std::string original = "[";
  for (int i = 0; i < 600; ++i) {
    original += (i == 0 ? "" : ",") + std::string("{\"name\":\"pod-") + std::to_string(i) + "\",\"phase\":\"" +
                (i % 100 == 42 ? "CrashLoopBackOff" : "Running") + "\",\"node\":\"n" + std::to_string(i % 7) + "\"}";
  }
  const std::string view = Compact(original + "]", {}, {}).text;
  for (int i = 42; i < 600; i += 100) {
    CHECK(view.find("{\"name\":\"pod-" + std::to_string(i) + "\",\"phase\":\"CrashLoopBackOff\"") != std::string::npos);
  }
}

TEST_CASE("a gap between JSON lines counts the errors in it") {
  std::string original;
  for (int i = 0; i < 2000; ++i) {
    const std::string n = std::to_string(i);
    original += R"({"ts":)" + n +
                (i % 50 == 7 ? R"(,"level":"error","msg":"m","err":"boom )" + n + "\"}\n"
                             : R"(,"level":"info","msg":"m"})" + std::string("\n"));
  }
  Hints hints;
  const std::string view = Compact(original, hints, {}).text;
  CHECK(view.find("omitted: 359-1999, 32 errors]") != std::string::npos);
}

TEST_CASE("the view of a real JSON original is as written down") {
  pith::test::CheckGolden({.name = "structured/compile_commands.json"}, Kind::kJson);
}
