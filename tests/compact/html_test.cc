#include <doctest/doctest.h>

#include "compact/kinds.h"
#include "compact/markup/html_blocks.h"
#include "tests/compact/golden.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

View ViewOf(std::string_view bytes, std::optional<uint64_t> max_tokens = std::nullopt) {
  Hints hints;
  hints.mime = "text/html; charset=utf-8";
  hints.max_tokens = max_tokens;
  return Compact(bytes, hints, {});
}

bool Has(const View& view, std::string_view text) { return view.text.find(text) != std::string::npos; }

std::string Page(std::string_view body) {
  return "<!doctype html><html><head><title>T</title></head><body>" + std::string(body) + "</body></html>";
}

// What pages are full of.
std::string Noise() {
  std::string noise;
  for (int i = 0; i < 30; ++i)
    noise += "<script>call(" + std::to_string(i) + ", 'of no interest to a reader of the page');</script>";
  return noise;
}

}  // namespace

TEST_CASE("a page is shown as its text: headings, cells, code and entities, nothing of scripts") {
  test::CheckGolden({"html/guide.html", "", "guide.html"}, Kind::kHtml);
}

TEST_CASE("markup is tags, comments and blanks, and nothing else") {
  for (std::string_view markup :
       {"", " \n", "<p>", "</p>\n<div class=\"a>b\">", "<!-- a > b -->", "<!DOCTYPE html>", "<br/>"}) {
    CAPTURE(markup);
    CHECK(IsMarkup(markup));
  }
  for (std::string_view text : {"a", "<p>text", "a < b", "< p>", "<p", "<!-- open", "&amp;", "<![CDATA[ text ]]>"}) {
    CAPTURE(text);
    CHECK_FALSE(IsMarkup(text));
  }
}

TEST_CASE("entities are decoded where they are known and stand as they are where not") {
  CHECK(DecodeEntity("&amp;") == "&");
  CHECK(DecodeEntity("&#8212;") == "\xE2\x80\x94");
  CHECK(DecodeEntity("&#x1F600;") == "\xF0\x9F\x98\x80");
  for (std::string_view unknown : {"&nope;", "&#0;", "&#10;", "&#xD800;", "&#99999999;", "&;", "&#;", "amp;"}) {
    CAPTURE(unknown);
    CHECK(DecodeEntity(unknown).empty());
  }
}

TEST_CASE("a less-than sign in text swallows nothing") {
  View view = ViewOf(
      Page("<p>If a < b then stop; if b > c go on.</p><p>" + std::string(900, 'x') + "</p><p>The end.</p>" + Noise()));
  CHECK(Has(view, "If a < b then stop; if b > c go on."));
  CHECK(Has(view, "The end."));
}

TEST_CASE("every heading of a long page is shown, first sentences before later ones") {
  std::string body;
  for (int i = 0; i < 120; ++i) {
    std::string id = std::to_string(i);
    body += "<section><h3>Chapter " + id + "</h3><p>First of " + id + " says it. ";
    for (int k = 0; k < 12; ++k)
      body += "Sentence " + std::to_string(k) + " of chapter " + id + " goes on about the matter at some length. ";
    body += "</p></section>";
  }
  View view = ViewOf(Page(body));
  for (int i = 0; i < 120; ++i) CHECK(Has(view, "### Chapter " + std::to_string(i) + "\n"));
  CHECK(Has(view, "First of 0 says it."));
  CHECK(view.text.size() < 16000);
}

TEST_CASE("navigation is left out where a page says what its content is, and is a gap with an address") {
  std::string body = "<nav>" + std::string(40, 'n') + " menu entry</nav><main><p>The content.</p></main><footer>" +
                     std::string(600, 'f') + "</footer>" + Noise();
  View view = ViewOf(Page(body));
  CHECK(Has(view, "The content."));
  CHECK_FALSE(Has(view, "menu entry"));
  CHECK(Has(view, "omitted]"));
  CHECK_FALSE(view.gaps.empty());
}

TEST_CASE("depth, open formatting, attributes and broken pages neither crash nor take long") {
  std::string deep, open, wide = "<p";
  for (int i = 0; i < 100000; ++i) deep += "<div>";
  for (int i = 0; i < 5000; ++i) open += "<font size=" + std::to_string(i) + "><p>";
  for (int i = 0; i < 20000; ++i) wide += " a" + std::to_string(i) + "=1";
  for (const std::string& page :
       {deep + "text", open + "text", wide + ">text", std::string("<html><p>unclosed <b>text <!-- comment"),
        std::string("<html><body><a href='x"), std::string("<html>\xff\xfe<p>bytes\xc3</p>")}) {
    View view = ViewOf(page);
    CHECK(view.fault == "");
    CHECK(view.text.size() <= page.size());
  }
}

TEST_CASE("html pieces account for random markup under every limit") {
  test::Random random(9);
  const std::vector<std::string> parts = {"<p>",
                                          "</p>",
                                          "<h2>",
                                          "</h2>",
                                          "<table>",
                                          "<tr>",
                                          "<td>",
                                          "</table>",
                                          "<pre>",
                                          "</pre>",
                                          "<b>",
                                          "</b>",
                                          "<a href=\"x\">",
                                          "</a>",
                                          "<ul><li>",
                                          "</ul>",
                                          "<script>if (a<b) {}</script>",
                                          "<style>p{}</style>",
                                          "<!-- c -->",
                                          "<br>",
                                          "<div",
                                          ">",
                                          "<",
                                          "&amp;",
                                          "&#8212;",
                                          "&bad;",
                                          "text ",
                                          "more text. And then some. ",
                                          "\n  ",
                                          "\r\n",
                                          "\t",
                                          "<title>t</title>",
                                          "<nav>",
                                          "</nav>",
                                          "<main>",
                                          "</main>",
                                          "<select><option>o</select>",
                                          "<svg><text>s</text></svg>",
                                          "<![CDATA[x]]>",
                                          "<textarea>\n q </textarea>",
                                          "\xc3\xa9",
                                          "\xff",
                                          "<form>",
                                          "</form>",
                                          "<td><table><tr><td>in</td></tr></table>",
                                          "1\n2\n"};
  for (int round = 0; round < 500; ++round) {
    std::string bytes = random.OneIn(3) ? "" : "<html>";
    for (uint64_t count = random.Below(120); count > 0; --count) bytes += random.Of(parts);
    Hints hints;
    Document document(bytes, hints);
    if (bytes.empty() || document.binary) continue;
    std::unique_ptr<Shaper> shaper = ShapeHtml(document);
    for (const Limit& limit : {Limit{0, 0, false}, Limit{60, 200, true}, Limit{10000, 40000, false}}) {
      CAPTURE(bytes);
      CAPTURE(limit.hard);
      CHECK(CheckPieces(document, shaper->Make(limit)) == "");
    }
  }
}

}  // namespace pith
