// The normaliser of command lines against a table of real ones, and every rule against its own examples.
#include "compact/command/command.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "compact/command/rule_table.h"

namespace pith {
namespace {

std::vector<std::string> SplitTabs(const std::string& line) {
  std::vector<std::string> fields;
  std::stringstream in(line);
  for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
  return fields;
}

std::string Marks(const Command& command) {
  std::string marks;
  const auto add = [&](bool is, const char* name) {
    if (is) marks += (marks.empty() ? "" : ",") + std::string(name);
  };
  add(command.exact, "exact");
  add(command.sensitive, "sensitive");
  add(command.stream, "stream");
  add(command.redirected, "redirected");
  add(command.compound, "compound");
  add(command.background, "background");
  add(command.filtered, "filtered");
  return marks.empty() ? "-" : marks;
}

std::string Unescaped(std::string text) {
  for (size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n", at + 1)) text.replace(at, 2, "\n");
  return text;
}

TEST_CASE("command lines come out as the program, subcommand and rule that the table names") {
  std::ifstream in(PITH_TEST_DATA "/commands.tsv");
  REQUIRE(in.good());
  size_t rows = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> want = SplitTabs(line);
    REQUIRE_MESSAGE(want.size() == 5, line);
    const Command got = ParseCommand(Unescaped(want[0]));
    CHECK_MESSAGE((got.program.empty() ? "-" : got.program) == want[1], line);
    CHECK_MESSAGE((got.subcommand.empty() ? "-" : got.subcommand) == want[2], line);
    CHECK_MESSAGE((got.rule == nullptr ? "-" : std::string(got.rule->id)) == want[3], line);
    CHECK_MESSAGE(Marks(got) == want[4], line);
    ++rows;
  }
  CHECK(rows >= 200);
}

TEST_CASE("every rule matches its examples and none of its counter-examples") {
  for (const char* family : {"files", "test", "build", "lint", "search", "vcs", "json", "logs", "package", "cloud",
                             "listing", "network", "service", "shell", "quality", "native", "web", "system"}) {
    std::ifstream in(std::string(PITH_TEST_DATA "/../../compact/rules/") + family + ".json");
    REQUIRE_MESSAGE(in.good(), family);
    const nlohmann::json document = nlohmann::json::parse(in);
    for (const nlohmann::json& rule : document.at("rules")) {
      const std::string id = rule.at("id");
      for (const nlohmann::json& example : rule.at("examples")) {
        const std::string line = example;
        const Command command = ParseCommand(line);
        REQUIRE_MESSAGE((command.rule != nullptr || rule.value("passes", false)), line);
        if (rule.value("passes", false)) {
          CHECK_MESSAGE(command.rule == ParseCommand(line.substr(0, line.find('|'))).rule, line);
        } else {
          CHECK_MESSAGE(std::string(command.rule->id) == id, line);
        }
      }
      for (const nlohmann::json& other : rule.value("not", nlohmann::json::array())) {
        const Command command = ParseCommand(other.get<std::string>());
        CHECK_MESSAGE((command.rule == nullptr || command.rule->id != id), other);
      }
    }
  }
}

TEST_CASE("an argument vector that no shell saw is not read as shell text") {
  const std::vector<std::string> argv = {"grep", "-rn", "a; cat b | c > d", "src"};
  const Command command = CommandOf(argv);
  CHECK(command.program == "grep");
  CHECK(command.argv.size() == 4);
  CHECK_FALSE(command.redirected);
  CHECK(CommandOf(std::vector<std::string>{}).program.empty());
}

TEST_CASE("exit codes that are answers are told from failures") {
  const Command none = ParseCommand("grep -rn x .");
  REQUIRE(none.rule != nullptr);
  REQUIRE(MeaningOf(*none.rule, 1) != nullptr);
  CHECK_FALSE(MeaningOf(*none.rule, 1)->failure);
  CHECK(MeaningOf(*none.rule, 2)->failure);
  CHECK(MeaningOf(*none.rule, 77) == nullptr);
}

TEST_CASE("hostile command lines end, whatever they hold") {
  for (const std::string& piece : {std::string("("),           std::string("$("),        std::string("`"),
                                   std::string("'"),           std::string("\""),        std::string("\\"),
                                   std::string("|"),           std::string(" | a"),      std::string("a&&"),
                                   std::string("<<E\n"),       std::string("bash -c '"), std::string("sudo "),
                                   std::string("{ a; } | "),   std::string("(a)|"),      std::string("\0\xff\x80", 3),
                                   std::string(">"),           std::string("for x in "), std::string("\v\f"),
                                   std::string("if a; then "), std::string("a;")}) {
    std::string line;
    while (line.size() < 200000) line += piece;
    const Command command = ParseCommand(line);
    CHECK(command.program.size() <= line.size());
  }
}

}  // namespace
}  // namespace pith
