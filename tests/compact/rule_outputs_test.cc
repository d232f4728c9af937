// Rules held against outputs of the real tools (compact/rules/outputs.json, tests/data): what each says of its command,
// and what the view of the output keeps.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "compact/command/command.h"
#include "compact/command/rule_table.h"
#include "compact/compact.h"

namespace pith {
namespace {

std::string TextOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

nlohmann::json Outputs() {
  return nlohmann::json::parse(TextOf(std::string(PITH_TEST_DATA) + "/../../compact/rules/outputs.json"))["outputs"];
}

// One of the texts of "a|b" stands in `text`.
bool HasOne(const std::string& text, const std::string& keeps) {
  for (size_t begin = 0; begin <= keeps.size();) {
    const size_t end = std::min(keeps.find('|', begin), keeps.size());
    if (text.find(keeps.substr(begin, end - begin)) != std::string::npos) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

TEST_CASE("each recorded output's command falls under its rule, and the rule names the tool") {
  const nlohmann::json outputs = Outputs();
  CHECK(outputs.size() >= 100);
  for (const nlohmann::json& row : outputs) {
    const std::string command_line = row["command"], rule = row["rule"], tool = row["tool"];
    CAPTURE(command_line);
    const Command command = ParseCommand(command_line);
    REQUIRE(command.rule != nullptr);
    CHECK(command.rule->id == rule);
    CHECK(command.rule->tested.find(tool) != std::string_view::npos);
    CHECK(tool.find_first_of("0123456789") != std::string::npos);
  }
}

TEST_CASE("the view of each recorded output keeps what its reader needs and says how the command ended") {
  for (const nlohmann::json& row : Outputs()) {
    const std::string output = row["output"], command = row["command"];
    CAPTURE(output);
    const std::string text = TextOf(std::string(PITH_TEST_DATA) + "/" + output);
    REQUIRE(!text.empty());
    Hints hints;
    hints.command = command;
    hints.exit_code = row["exit_code"].get<int>();
    const View view = Compact(text, hints, {});
    CHECK(view.fault.empty());
    CHECK(view.shown.bytes <= view.original.bytes);
    CHECK(view.shown.tokens <= view.original.tokens);
    CHECK(view.lines.exact + view.lines.shortened + view.lines.folded + view.lines.omitted == view.original.lines);
    if (view.view_class == ViewClass::kExact) {
      CHECK(view.text == text);
    } else {
      const std::string ended = "[exit code " + std::to_string(*hints.exit_code);
      CHECK((*hints.exit_code == 0 || view.text.find(ended) != std::string::npos));
      CHECK(Compact(view.text, hints, {}).text == view.text);
    }
    for (const std::string keeps : row["keeps"]) {
      CAPTURE(keeps);
      CHECK(HasOne(text, keeps));
      if (view.view_class == ViewClass::kPartial) CHECK(HasOne(view.text, keeps));
    }
  }
}

TEST_CASE("a rule without an output of its tool is called untested") {
  std::set<std::string> tested;
  for (const nlohmann::json& row : Outputs()) tested.insert(row["rule"].get<std::string>());
  for (const RuleRow& row : BuiltInRules().rows) {
    CAPTURE(row.rule.id);
    CHECK(row.rule.tested.empty() == !tested.contains(std::string(row.rule.id)));
  }
}

}  // namespace pith
