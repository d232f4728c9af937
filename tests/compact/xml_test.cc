// XML: repeated elements as records, anything else by its structure.
#include <doctest/doctest.h>

#include <random>

#include "compact/kinds.h"

using namespace pith;

namespace {

Evidence Detected(std::string_view bytes) {
  Hints hints;
  return DetectXml(Document(bytes, hints));
}

std::string Checked(std::string_view bytes, const Limit& limit) {
  Hints hints;
  hints.kind = Kind::kXml;
  Document document(bytes, hints);
  std::unique_ptr<Shaper> shaper = ShapeXml(document);
  if (!shaper) return "";
  std::vector<Piece> pieces = shaper->Make(limit);
  INFO(bytes.substr(0, 1500));
  REQUIRE(CheckPieces(document, pieces) == "");
  return Render(document, pieces);
}

bool Has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string Feed(int count, int odd, const std::string& newline) {
  std::string out = "<?xml version=\"1.0\"?>" + newline + "<feed><title>All of it</title>" + newline;
  for (int i = 0; i < count; ++i) {
    out += "  <entry id=\"" + std::to_string(i) + "\"><title>Entry " + std::to_string(i) + "</title><status>" +
           (i == odd ? "withdrawn" : "published") + "</status><text><![CDATA[some <b>text</b>]]></text></entry>" +
           newline;
  }
  return out + "</feed>" + newline;
}

TEST_CASE("an element under a name of faults makes its record a failing one, shown or counted, whatever it says") {
  std::string run = "<?xml version=\"1.0\"?><testsuites><testsuite name=\"s\" tests=\"300\" failures=\"41\">";
  for (int i = 0; i < 300; ++i) {
    run += "<testcase classname=\"s.T\" name=\"t" + std::to_string(i) + "\" time=\"0.1\">";
    if (i % 7 == 3 && i < 285)
      run += "<failure message=\"it opened\">it opened " + std::string(300, 'x') + "</failure>";
    if (i == 290) run += "<failure message=\"Unexpected success\">so it is</failure>";
    if (i % 7 == 5) run += "<skipped message=\"no disk\"/>";
    run += "</testcase>";
  }
  run += "</testsuite></testsuites>\n";
  const View view = Compact(run, {}, {});
  CHECK(view.text.find("name=\"t290\"") != std::string::npos);
  uint64_t failing = 0;  // shown or counted
  for (size_t at = view.text.find("<failure"); at != std::string::npos; at = view.text.find("<failure", at + 1))
    ++failing;
  for (size_t at = view.text.find(" failing record"); at != std::string::npos;
       at = view.text.find(" failing record", at + 1)) {
    const size_t begin = view.text.rfind(' ', at - 1) + 1;
    failing += std::stoul(view.text.substr(begin, at - begin));
  }
  CHECK(failing == 42);
}

}  // namespace

TEST_CASE("repeated elements are records, on lines of their own or all on one line") {
  for (const char* newline : {"\n", "\r\n", ""}) {
    for (int odd : {1, 50, 99}) {
      std::string bytes = Feed(100, odd, newline);
      CHECK(Detected(bytes).score >= 60);
      std::string view = Checked(bytes, {10000, 40000, false});
      INFO(view);
      CHECK(Has(view, "<title>All of it</title>"));
      CHECK(Has(view, "<status>withdrawn</status>"));
      CHECK(Has(view, "Entry 20, Entry 21"));
      CHECK(Has(view, "[all 100 records: "));
      CHECK(view.size() < bytes.size() / 3);
    }
  }
}

TEST_CASE("a document without repetition keeps its outer structure") {
  std::string bytes = "<project>\n  <name>outer</name>\n";
  for (int i = 0; i < 3; ++i) {
    bytes += "  <part" + std::to_string(i) + ">\n";
    for (int j = 0; j < 100; ++j) bytes += "    <deep><deeper>x" + std::to_string(j) + "</deeper></deep>\n";
    bytes += "  </part" + std::to_string(i) + ">\n";
  }
  bytes += "</project>\n";
  std::string view = Checked(bytes, {3000, 40000, false});
  CHECK(Has(view, "<name>outer</name>"));
  CHECK(Has(view, "<part1>"));
}

TEST_CASE("HTML, prose and code are no XML") {
  CHECK(Detected("<!DOCTYPE html>\n<html><body><p>a</p><p>b</p></body></html>").score == 0);
  CHECK(Detected("<html><head></head><body><p>a</p></body></html>").score == 0);
  CHECK(Detected("<p>one\n<p>two\n<p>three\n<br>\n").score == 0);
  CHECK(Detected("#include <vector>\nstd::vector<int> a;\n").score == 0);
  CHECK(Detected("<user> hello\n<other> hi\n<user> bye\n").score == 0);
  CHECK(Detected("").score == 0);
}

TEST_CASE("every byte of random XML is accounted for") {
  std::mt19937_64 random(5);
  static const char* kParts[] = {"<a>",
                                 "</a>",
                                 "<b x=\"1>2\">",
                                 "</b>",
                                 "<c/>",
                                 "text ",
                                 "<!-- <a> -->",
                                 "<![CDATA[<x>]]>",
                                 "\n",
                                 "\n  ",
                                 "</z>",
                                 "<",
                                 ">",
                                 "é",
                                 "<a k='v' l=\"w\">",
                                 "<?pi ?>",
                                 "<!DOCTYPE a>",
                                 "\"",
                                 "<a",
                                 "\xff"};
  for (int round = 0; round < 400; ++round) {
    std::string bytes = round % 2 == 0 ? "<?xml version='1.0'?><r>" : "<r>\n";
    std::string unit;
    for (size_t i = 0; i < 3 + random() % 8; ++i) unit += kParts[random() % 20];
    for (size_t i = 0; i < 3 + random() % 60; ++i) bytes += random() % 8 == 0 ? kParts[random() % 20] : unit;
    if (random() % 2 == 0) bytes += "</r>\n";
    for (uint64_t soft : {0, 400, 3000, 1000000}) Checked(bytes, {soft, soft, soft == 400});
  }
}

TEST_CASE("hostile XML: deep, unclosed, endless") {
  std::string deep, open, tail;
  for (int i = 0; i < 100000; ++i) deep += "<a>", tail += "</a>", open += "<b" + std::to_string(i % 7) + ">";
  for (const std::string& bytes : {deep + tail, open, "<a>" + std::string(4 << 20, 'x'),
                                   "<a b=\"" + std::string(1 << 20, '<'), std::string(1 << 20, '<')}) {
    Checked(bytes, {});
  }
}

TEST_CASE("a licence at the head of a file is left out, and said to be one") {
  std::string licence;
  for (int i = 0; i < 12; ++i)
    licence += "  Licensed under terms, line " + std::to_string(i) + ", without warranties of any kind\n";
  std::string bytes = "<?xml version=\"1.0\"?>\n<!--\n" + licence + "-->\n<project>\n  <name>app</name>\n";
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    bytes += "  <dependency><name>lib" + n + "</name><version>1." + n + "</version></dependency>\n";
  }
  bytes += "</project>\n";
  pith::Hints hints;
  hints.path = "pom.xml";
  const pith::View view = pith::Compact(bytes, hints, {});
  CAPTURE(view.text);
  CHECK(view.text.find("line 0,") == std::string::npos);
  CHECK(view.text.find("[14 licence lines omitted: 2-15]\n<project>\n  <name>app</name>\n") != std::string::npos);
}
