// The invariants of views, over every kind: each original is shaped as what it is detected as and, forced, as every
// other kind, since a compactor must stay truthful when detection was wrong.
#include <doctest/doctest.h>

#include <array>

#include <cstdlib>
#include <map>

#include "base/markers.h"
#include "base/token.h"
#include "compact/estimate.h"
#include "compact/kinds.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

using test::Original;

std::vector<std::optional<Kind>> EveryKind() {
  std::vector<std::optional<Kind>> kinds = {std::nullopt};
  for (const KindRow* row : AllKinds()) kinds.push_back(row->kind);
  return kinds;
}

std::vector<Original> Originals() {
  std::vector<Original> all = test::HardOriginals();
  for (Original& original : test::TypicalOriginals(1, 150)) all.push_back(std::move(original));
  for (Original& original : test::ShippedOriginals(96 << 10)) all.push_back(std::move(original));
  test::Random random(11);
  for (const Original& original : test::TypicalOriginals(2, 90)) {
    all.push_back({original.name + ", mutated", test::Mutate(original.bytes, random)});
  }
  return all;
}

View ViewOf(const Original& original, std::optional<Kind> kind, std::optional<uint64_t> max_tokens = std::nullopt) {
  Hints hints;
  hints.kind = kind;
  hints.max_tokens = max_tokens;
  return Compact(original.bytes, hints, {});
}

template <typename Check>
void ForEvery(const std::vector<Original>& originals, Check check) {
  for (const Original& original : originals) {
    for (std::optional<Kind> kind : EveryKind()) {
      CAPTURE(original.name);
      CAPTURE(kind ? KindName(*kind) : "as detected");
      check(original, kind);
    }
  }
}

}  // namespace

TEST_CASE("I3 never worse: view and footer are no larger than the original in bytes and tokens, or are the original") {
  ForEvery(Originals(), [](const Original& original, std::optional<Kind> kind) {
    View view = ViewOf(original, kind);
    if (view.view_class == ViewClass::kExact) {
      CHECK(view.text == original.bytes);
    } else {
      CHECK(view.text.size() <= original.bytes.size());
      CHECK(EstimateTokens(view.text) <= EstimateTokens(original.bytes));
    }
  });
}

TEST_CASE("I4 accounted: no compactor proposes a view whose accounting fails, and each line has one state") {
  ForEvery(Originals(), [](const Original& original, std::optional<Kind> kind) {
    View view = ViewOf(original, kind);
    CHECK(view.fault == "");
    uint64_t lines = view.lines.exact + view.lines.shortened + view.lines.folded + view.lines.omitted;
    CHECK(lines == view.original.lines);
    if (view.view_class == ViewClass::kPartial && view.kind != Kind::kBinary) {
      CHECK((!view.gaps.empty() || view.text.find('\x1b') == std::string::npos));
    }
  });
}

TEST_CASE("I4 and I5 for every shaper under every limit: spans partition the original and folds decode") {
  const Limit limits[] = {
      {0, 0, false}, {300, 300, true}, {2000, 4000, false}, {10000, 40000, false}, {1 << 20, 1 << 20, true}};
  std::vector<Original> originals = test::HardOriginals();
  for (Original& original : test::TypicalOriginals(3, 120)) originals.push_back(std::move(original));
  for (const Original& original : originals) {
    Hints hints;
    Document document(original.bytes, hints);
    if (document.binary || original.bytes.empty()) continue;
    for (const KindRow* row : AllKinds()) {
      if (!row->shape) continue;
      std::unique_ptr<Shaper> shaper = row->shape(document);
      if (!shaper) continue;
      for (const Limit& limit : limits) {
        CAPTURE(original.name);
        CAPTURE(row->name);
        CAPTURE(limit.hard);
        CHECK(CheckPieces(document, shaper->Make(limit)) == "");
      }
    }
  }
}

TEST_CASE("I8 idempotent: a view is its own view") {
  ForEvery(Originals(), [](const Original& original, std::optional<Kind> kind) {
    View view = ViewOf(original, kind);
    if (view.view_class == ViewClass::kExact) return;
    CHECK(ViewOf({original.name, view.text}, std::nullopt).text == view.text);
  });
}

TEST_CASE("I9 deterministic: the same view twice, and under another locale and time zone") {
  ForEvery(Originals(), [](const Original& original, std::optional<Kind> kind) {
    std::string once = ViewOf(original, kind).text;
    setenv("TZ", "Asia/Kolkata", 1);
    setlocale(LC_ALL, "C.UTF-8");
    CHECK(ViewOf(original, kind).text == once);
    setlocale(LC_ALL, "C");
    unsetenv("TZ");
  });
}

TEST_CASE("I12 budget: a footer costs at most 60 tokens in every style") {
  constexpr uint64_t kTokenCost = 20;  // o200k tokens of 24 hex digits: the most of 2,000 random ones
  for (MarkerStyle style :
       {MarkerStyle::kMcp, MarkerStyle::kCli, MarkerStyle::kCcr, MarkerStyle::kTokenjuice, MarkerStyle::kDsh}) {
    FooterFacts facts;
    facts.bytes = 987654321, facts.lines = 9876543, facts.token = "x", facts.host_cut = true;
    CHECK(EstimateTokens(Footer(style, facts)) + kTokenCost <= 60);
    facts.view_class = ViewClass::kLossless;
    CHECK(EstimateTokens(Footer(style, facts)) + kTokenCost <= 60);
  }
}

TEST_CASE("a view that is not exact ends in a footer that names the original's token") {
  ForEvery(Originals(), [](const Original& original, std::optional<Kind> kind) {
    View view = ViewOf(original, kind);
    if (view.view_class == ViewClass::kExact) return;
    CHECK(EndsInFooter(view.text));
    std::vector<std::string> tokens = FindTokens(view.text.substr(view.text.rfind('[')));
    REQUIRE(tokens.size() == 1);
    CHECK(tokens[0] == TokenOf(original.bytes));
  });
}

TEST_CASE("a larger token budget keeps no fewer of the faults") {
  std::string warnings;
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i);
    warnings += "src/f" + n + ".c:10:5: warning: unused variable x" + n + " [-Wunused]\n";
  }
  const std::string build = warnings + "src/z.c:1:1: error: bad type\nmake: *** [all] Error 1\n";
  std::string tests = "============ test session starts ============\n";
  for (int i = 0; i < 300; ++i) tests += "tests/test_a.py::test_" + std::to_string(i) + " PASSED\n";
  tests += "tests/test_a.py::test_z FAILED\nE   assert 1 == 2\n========= 1 failed, 300 passed in 2.1s =========\n";
  for (const std::string& original : {build, build + tests, tests}) {
    uint64_t kept = 0;
    for (uint64_t budget = 60; budget < 9000; budget += budget / 3) {
      Hints hints;
      hints.max_tokens = budget;
      const View view = Compact(original, hints, {});
      CAPTURE(budget);
      CAPTURE(view.text.substr(0, 400));
      CHECK(view.signals.kept >= kept);
      kept = std::max(kept, view.signals.kept);
    }
    CHECK(kept >= 1);
  }
}

// What the least view costs: everything in one gap, and the footer.
uint64_t LeastTokens(const View& view, const Original& original) {
  const std::string token = TokenOf(Sha256Of(original.bytes));
  FooterFacts facts;
  facts.view_class = ViewClass::kPartial;
  facts.bytes = view.original.bytes;
  facts.lines = view.original.lines;
  facts.token = token;
  const std::string lines = std::to_string(view.original.lines);
  return EstimateTokens("[" + lines + " lines omitted: 1-" + lines + "]\n" + Footer(MarkerStyle::kMcp, facts));
}

TEST_CASE("I12 a token budget is met, by every kind, down to what one gap and the footer cost") {
  for (const Original& original : Originals()) {
    for (uint64_t budget : {40, 60, 80, 100, 140, 200, 400, 1000}) {
      CAPTURE(original.name);
      CAPTURE(budget);
      const View view = ViewOf(original, std::nullopt, budget);
      const uint64_t least = LeastTokens(view, original);
      if (view.original.bytes < 400 || view.original.tokens <= least) continue;  // stays whole,
      if (original.name.ends_with(".view")) continue;                            // as a view does
      CHECK(view.shown.tokens <= std::max(budget, least));
    }
  }
}

// Words that stand in one line alone, a short one, and nowhere in the view that nobody asked anything of.
std::vector<std::string> RareWords(const Original& original, const std::string& view, size_t most) {
  std::map<std::string, std::pair<size_t, size_t>> lines_of;  // word: how many lines, the length of the last
  size_t number = 0;
  for (size_t at = 0; at < original.bytes.size(); ++number) {
    const size_t end = std::min(original.bytes.find('\n', at), original.bytes.size());
    std::map<std::string, bool> here;
    for (size_t i = at; i < end;) {
      size_t word = i;
      while (word < end && original.bytes[word] >= 'a' && original.bytes[word] <= 'z') ++word;
      const auto part_of_more = [&](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '"' || c == '=' || (c & 0x80) != 0;
      };
      const bool alone =
          (i == at || !part_of_more(original.bytes[i - 1])) && (word == end || !part_of_more(original.bytes[word]));
      if (alone && word - i >= 5 && word - i <= 12) here[original.bytes.substr(i, word - i)] = true;
      i = word + 1;
    }
    for (const auto& [word, seen] : here) {
      ++lines_of[word].first;
      lines_of[word].second = end - at;
    }
    at = end + 1;
  }
  std::vector<std::string> rare;
  for (const auto& [word, where] : lines_of) {
    if (rare.size() < most && where.first == 1 && where.second < 160 && view.find(word) == std::string::npos)
      rare.push_back(word);
  }
  return rare;
}

TEST_CASE(
    "what a query matches in one line alone is in the view, of every kind, within a budget that has room for it") {
  size_t asked = 0;
  for (const Original& original : test::ShippedOriginals(96 << 10)) {
    if (original.bytes.find('\x1b') != std::string::npos || original.bytes.find('\r') != std::string::npos) continue;
    const View plain = ViewOf(original, std::nullopt, 360);
    if (plain.view_class == ViewClass::kExact || plain.kind == Kind::kBinary) continue;
    if (plain.kind == Kind::kHtml) continue;  // words of comments and attributes are no content
    for (const std::string& word : RareWords(original, plain.text, 3)) {
      Hints hints;
      hints.max_tokens = 360;
      hints.query = word;
      const View view = Compact(original.bytes, hints, {});
      CAPTURE(original.name);
      CAPTURE(KindName(plain.kind));
      CAPTURE(word);
      CHECK(view.text.find(word) != std::string::npos);
      ++asked;
    }
  }
  CHECK(asked > 100);
}

TEST_CASE("errors survive at head, middle and tail and inside noise, in every kind of lines") {
  const std::vector<std::string> errors = {
      "ERROR: disk quota exceeded on volume seven", "fatal: could not read from repository",
      "E   ZeroDivisionError: division by zero", "Segmentation fault (core dumped)",
      "panic: runtime error: index out of range"};
  for (const Original& typical : test::TypicalOriginals(5, 300)) {
    bool structured =
        typical.name == "json" || typical.name == "csv" || typical.name == "xml" || typical.name == "html";
    if (structured) continue;  // a line of text inside these makes another kind of them
    for (const std::string& error : errors) {
      for (int place = 0; place < 3; ++place) {
        std::string bytes = typical.bytes;
        size_t at = place == 0 ? 0 : place == 1 ? bytes.find('\n', bytes.size() / 2) + 1 : bytes.size();
        bytes.insert(at, error + "\n");
        CAPTURE(typical.name);
        CAPTURE(error);
        CAPTURE(place);
        View view = ViewOf({typical.name, bytes}, std::nullopt);
        CHECK(view.text.find(error) != std::string::npos);
      }
    }
  }
}

TEST_CASE("no kind claims more than its row says, and a kind that was not asked would not have been chosen") {
  constexpr auto kCommands =
      std::to_array<std::string_view>({"", "git diff", "make", "pytest", "rg -n x", "ls -l", "kubectl get pods"});
  constexpr auto kPaths = std::to_array<std::string_view>({"", "a.json", "a.log", "a.md", "a.cc", "a.html", "a.csv"});
  test::Random random(41);
  for (const Original& original : Originals()) {
    Hints hints;
    hints.command = random.Of(kCommands);
    hints.path = random.Of(kPaths);
    const Document document(original.bytes, hints);
    CAPTURE(original.name);
    if (document.binary) continue;
    for (const KindRow* row : AllKinds()) {
      CAPTURE(row->name);
      if (row->detect) CHECK(row->detect(document).score <= row->most);
    }
    std::string all;  // who wants to know why has all of them asked
    int evidence = 0, evidence_of_all = 0;
    CHECK(DetectKind(document, nullptr, &evidence) == DetectKind(document, &all, &evidence_of_all));
    CHECK(evidence == evidence_of_all);
  }
}

TEST_CASE("large originals are compacted by every kind without fault") {
  for (const Original& original : test::LargeOriginals(2)) {
    for (const KindRow* row : AllKinds()) {
      CAPTURE(original.name);
      CAPTURE(row->name);
      View view = ViewOf(original, row->kind);
      CHECK(view.fault == "");
      CHECK(view.text.size() <= original.bytes.size());
    }
  }
}

}  // namespace pith
