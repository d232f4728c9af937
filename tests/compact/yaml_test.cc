// YAML and TOML: many of one make as records, anything else as a skeleton of keys.
#include <doctest/doctest.h>

#include <random>

#include "compact/kinds.h"

using namespace pith;

namespace {

Evidence Detected(std::string_view bytes) {
  Hints hints;
  return DetectYaml(Document(bytes, hints));
}

std::string Checked(std::string_view bytes, const Limit& limit) {
  Hints hints;
  hints.kind = Kind::kYaml;
  Document document(bytes, hints);
  std::unique_ptr<Shaper> shaper = ShapeYaml(document);
  REQUIRE(shaper);
  std::vector<Piece> pieces = shaper->Make(limit);
  INFO(bytes.substr(0, 1500));
  REQUIRE(CheckPieces(document, pieces) == "");
  return Render(document, pieces);
}

bool Has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string Item(const std::string& lead, int i, int odd) {
  std::string rest(lead.size(), ' ');
  return lead + "name: thing-" + std::to_string(i) + "\n" + rest + "image: registry/app:1.4." +
         (i == odd ? "0-rc" : "2") + "\n" + rest + "resources:\n" + rest +
         "  memory: " + (i == odd ? "64Gi" : "512Mi") + "\n" + rest + "  cpu: 250m\n";
}

std::string Documents(int count, int odd) {
  std::string out;
  for (int i = 0; i < count; ++i) out += "---\nkind: Service\n" + Item("", i, odd);
  return out;
}

std::string List(int count, int odd) {
  std::string out = "version: 3\nitems:\n";
  for (int i = 0; i < count; ++i) out += Item("  - ", i, odd);
  return out + "footer: end\n";
}

std::string Lock(int count, int odd) {
  std::string out = "version = 3\n\n";
  for (int i = 0; i < count; ++i) {
    out += "[[package]]\nname = \"crate-" + std::to_string(i) + "\"\nversion = \"1.0." + std::to_string(i) +
           "\"\nsource = \"" + (i == odd ? "git+https://example.org/fork" : "registry+https://example.org/index") +
           "\"\n\n";
  }
  return out;
}

}  // namespace

TEST_CASE("documents, list items and tables are records: the odd one is shown, the others are named") {
  for (int odd : {1, 40, 98, 99}) {
    for (const std::string& bytes : {Documents(100, odd), List(100, odd)}) {
      CHECK(Detected(bytes).score >= 50);
      std::string view = Checked(bytes, {10000, 40000, false});
      INFO(view);
      CHECK(Has(view, "registry/app:1.4.0-rc"));
      CHECK(Has(view, "memory: 64Gi"));
      CHECK(Has(view, "thing-20, thing-21"));
      CHECK(Has(view, "[all 100 records: "));
      CHECK(view.size() < bytes.size() / 3);
    }
    std::string lock = Lock(100, odd);
    CHECK(Detected(lock).score >= 50);
    std::string view = Checked(lock, {10000, 40000, false});
    CHECK(Has(view, "git+https://example.org/fork"));
    CHECK(Has(view, "crate-20, crate-21"));
  }
}

TEST_CASE("a key that only one record has is shown, whatever its value") {
  std::string bytes = Documents(60, -1);
  size_t at = bytes.find("name: thing-33");
  bytes.insert(at, "paused: true\n");
  CHECK(Has(Checked(bytes, {10000, 40000, false}), "paused: true"));
}

TEST_CASE("what stands before and after the records is shown") {
  std::string view = Checked(List(100, 7), {10000, 40000, false});
  CHECK(Has(view, "version: 3\nitems:\n"));
  CHECK(Has(view, "footer: end"));
}

TEST_CASE("a map whose entries have the same keys is records, named by their keys") {
  std::string bytes = "version: 3\nservices:\n";
  for (int i = 0; i < 120; ++i) {
    bytes += "  service" + std::to_string(i) + ":\n    image: repo/app:" + std::to_string(i) +
             "\n    replicas: " + (i == 17 ? "0" : "3") + "\n    env:\n      - A=1\n";
  }
  std::string view = Checked(bytes, {2500, 40000, false});
  CHECK(Has(view, "  service17:\n    image: repo/app:17\n    replicas: 0\n"));
  CHECK(Has(view, "replicas 3 119, 0 1"));
  CHECK(Has(view, "service60"));
  CHECK(view.size() < bytes.size() / 3);
}

TEST_CASE("an error in the text around the records is shown") {
  std::string bytes = "items:\n";
  for (int i = 0; i < 900; ++i) bytes += "- name: n" + std::to_string(i) + "\n  size: 4\n";
  for (int i = 0; i < 600; ++i) bytes += (i == 300 ? "KeyError: 'lost'\n" : "key" + std::to_string(i) + ": value\n");
  CHECK(Has(Checked(bytes, {10000, 40000, false}), "KeyError: 'lost'"));
}

TEST_CASE("the text of a block is a value like any other") {
  std::string bytes;
  for (int i = 0; i < 400; ++i) {
    bytes += "- name: j" + std::to_string(i) + "\n  run: |\n    echo " + (i == 200 ? "evil" : "hello") + "\n";
  }
  std::string view = Checked(bytes, {2500, 40000, false});
  CHECK(Has(view, "echo evil"));
  CHECK_FALSE(Has(view, "run=|"));
}

TEST_CASE("a file that is not records keeps its keys") {
  std::string bytes;
  for (int i = 0; i < 30; ++i) {
    bytes += "section" + std::to_string(i) + ":\n  enabled: true\n  files:\n";
    for (int j = 0; j < 20; ++j) bytes += "    - path/to/file" + std::to_string(i * 20 + j) + ".txt\n";
  }
  std::string view = Checked(bytes, {2500, 40000, false});
  for (int i = 0; i < 30; ++i) {
    const std::string name = "section" + std::to_string(i);
    CHECK((Has(view, name + ":") || Has(view, name + ",") || Has(view, name + "\n")));
  }
}

TEST_CASE("logs, prose and code are no YAML") {
  std::string log, prose, code;
  for (int i = 0; i < 40; ++i) {
    log += "INFO: request " + std::to_string(i) + " served\nWARN: slow: 12 ms\n";
    prose += "Note: this is a sentence.\nAnd this is another one, which goes on.\n";
    code += "def f(x):\n    return x\n";
  }
  CHECK(Detected(log).score == 0);
  CHECK(Detected(prose).score == 0);
  CHECK(Detected(code).score == 0);
  CHECK(Detected("").score == 0);
}

TEST_CASE("every byte of random YAML is accounted for") {
  std::mt19937_64 random(11);
  static const char* kLines[] = {
      "---", "- a",           "- name: x", "  key: value",    "  - - deep",  "[[package]]", "name = \"x\"",
      "",    "# comment",     "text: |",   "    inside: not", "\"q: k\": 1", "key:",        "...",
      "\tt", "  - name: 'y'", "é: ü",      "- {a: b}",        "key: \xff",   "[section]"};
  for (int round = 0; round < 300; ++round) {
    std::string bytes;
    size_t unit = 1 + random() % 6;
    std::vector<std::string> block;
    for (size_t i = 0; i < unit; ++i) block.push_back(kLines[random() % 20]);
    for (size_t i = 0; i < 5 + random() % 60; ++i) {
      for (const std::string& line : block)
        bytes += (random() % 12 == 0 ? kLines[random() % 20] : line) + (random() % 30 == 0 ? "\r\n" : "\n");
    }
    if (random() % 3 == 0) bytes.pop_back();
    for (uint64_t soft : {0, 400, 3000, 1000000}) Checked(bytes, {soft, soft, soft == 400});
  }
}

TEST_CASE("hostile YAML: deep, wide, endless") {
  std::string deep, list;
  for (int i = 0; i < 3000; ++i) deep += std::string(static_cast<size_t>(i), ' ') + "k:\n";
  for (int i = 0; i < 200000; ++i) list += "- x: 1\n  y: 2\n  z: 3\n";
  for (const std::string& bytes :
       {deep, list, std::string(1 << 20, '-'), "- " + std::string(4 << 20, 'x'), std::string(200000, '\n')}) {
    Checked(bytes, {});
  }
}
