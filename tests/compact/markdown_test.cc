#include <doctest/doctest.h>

#include "compact/kinds.h"
#include "compact/markup/prose.h"
#include "tests/compact/golden.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

View ViewOf(std::string_view bytes, std::string_view path = "", std::string_view query = "") {
  Hints hints;
  hints.path = path;
  hints.query = query;
  return Compact(bytes, hints, {});
}

bool Has(const View& view, std::string_view text) { return view.text.find(text) != std::string::npos; }

std::vector<std::string> SentencesOf(std::string_view text) {
  Hints hints;
  Document document(text, hints);
  std::vector<std::string> out;
  uint64_t begin = 0;
  for (uint64_t end : SentenceEnds(document, {0, text.size()}, 100)) {
    out.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return out;
}

}  // namespace

TEST_CASE("sentences end at stops that are followed by a blank, not at numbers, initials or abbreviations") {
  std::vector<std::string> sentences = SentencesOf(
      "Version 1.5 of the tool, e.g. as shipped by J. Smith, is fine. Is the `a. b` in code no end of a sentence? \"It "
      "is not one at all.\" The last.");
  REQUIRE(sentences.size() == 3);
  CHECK(sentences[0] == "Version 1.5 of the tool, e.g. as shipped by J. Smith, is fine. ");
  CHECK(sentences[1] == "Is the `a. b` in code no end of a sentence? ");
  std::vector<std::string> wide = SentencesOf("最初の文はここで終わります。次の文もここで終わります。終わり");
  CHECK(wide.size() >= 2);
}

TEST_CASE("every heading is shown, and each section speaks before any speaks at length") {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    std::string id = std::to_string(i);
    text += "## Section " + id + "\n\nSection " + id +
            " begins in this very place. It goes on, as sections do, for some more words than anybody reads. And on, "
            "since the writer was paid by the word, until it comes to its end.\n\n- an item of " +
            id + "\n- another item that says more of the same thing\n\n";
  }
  View view = ViewOf(text, "notes.md");
  CHECK(view.fault == "");
  for (int i = 0; i < 60; ++i) {
    CHECK(Has(view, "## Section " + std::to_string(i) + "\n"));
    CHECK(Has(view, "Section " + std::to_string(i) + " begins in this very place."));
  }
  CHECK(view.text.size() * 2 < text.size());
}

TEST_CASE("hundreds of small sections alike: the first are shown with their text, the rest are counted") {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    const std::string id = std::to_string(i);
    text += "# H" + id + "\n\ntext " + id + " lorem ipsum dolor sit amet\n\n```py\nx=" + id + "\n```\n\n- [ ] todo " +
            id + "\n";
  }
  View view = ViewOf(text, "m.md");
  CHECK(view.fault == "");
  for (int i = 0; i < 40; ++i) {
    CHECK(Has(view, "# H" + std::to_string(i) + "\n"));
    CHECK(Has(view, "text " + std::to_string(i) + " lorem ipsum dolor sit amet"));
  }
  CHECK(Has(view, " headings]"));  // in the gap that hides the others
  CHECK(Has(view, "# H299\n"));
  CHECK(view.text.size() * 2 < text.size());
}

TEST_CASE("a text with more headings than its share shows what stands beneath some of them") {
  std::string text;
  for (int i = 0; i < 400; ++i) {
    std::string name;
    for (int n = i; n > 0; n /= 26) name += static_cast<char>('a' + n % 26);
    text += "### On the matter of " + name + "\n\nThe matter of " + name + " is short.\n\n";
  }
  View view = ViewOf(text, "m.md");
  size_t sentences = 0;
  for (size_t at = 0; (at = view.text.find(" is short.", at)) != std::string::npos; ++at) ++sentences;
  CHECK(sentences > 20);
}

TEST_CASE("what the reader asks for is shown wherever it stands") {
  std::string text = "# Title\n\n";
  for (int i = 0; i < 200; ++i)
    text += "A sentence that says nothing in particular about anything, number " + std::to_string(i) + ". ";
  text += "The frobnicator is turned on by the second switch. And so it goes on, for a while at least. ";
  text += "\n\n## End\n\nDone.\n";
  CHECK(Has(ViewOf(text, "notes.md", "frobnicator switch"), "The frobnicator is turned on by the second switch."));
}

TEST_CASE("comments of scripts are not taken for headings") {
  std::string script = "#!/bin/sh\n";
  for (int i = 0; i < 30; ++i) script += "# step " + std::to_string(i) + "\nrun --all " + std::to_string(i) + "\n";
  Hints hints;
  Document document(script, hints);
  CHECK(DetectMarkdown(document).score == 0);
}

TEST_CASE("text units account for random markup under every limit") {
  test::Random random(6);
  const std::vector<std::string> parts = {"# H\n",
                                          "## H\n",
                                          "text. More text here, and then some. ",
                                          "\n",
                                          "\n\n",
                                          "- item one\n",
                                          "1. item\n",
                                          "```\n",
                                          "~~~\n",
                                          "    code\n",
                                          "| a | b |\n",
                                          "|---|---|\n",
                                          "Title\n=====\n",
                                          "---\n",
                                          "word ",
                                          "\xe3\x80\x82",
                                          "\xff",
                                          "\r\n",
                                          "`",
                                          "NAME\n",
                                          "LS(1)   x   LS(1)\n",
                                          ".. note::\n",
                                          "a long sentence that ends here. And another one that ends there! ",
                                          "\t"};
  for (int round = 0; round < 600; ++round) {
    std::string bytes;
    for (uint64_t count = 1 + random.Below(90); count > 0; --count) bytes += random.Of(parts);
    Hints hints;
    hints.policy = random.OneIn(2) ? Policy::kHook : Policy::kExplicit;
    Document document(bytes, hints);
    std::unique_ptr<Shaper> shaper = ShapeMarkdown(document);
    for (const Limit& limit :
         {Limit{0, 0, false}, Limit{100, 300, true}, Limit{700, 900, false}, Limit{10000, 40000, false}}) {
      CAPTURE(bytes);
      CAPTURE(limit.hard);
      CHECK(CheckPieces(document, shaper->Make(limit)) == "");
    }
  }
}

TEST_CASE("markdown views are as written down") {
  const test::Golden goldens[] = {
      {"markdown/guide.md", "", "guide.md"}, {"markdown/notes.rst", "", "notes.rst"}, {"markdown/rg.1.txt", "man rg"}};
  for (const test::Golden& golden : goldens) test::CheckGolden(golden, Kind::kMarkdown);
}

}  // namespace pith
