// Rules of a user's own: their form is held, they come before the built-in ones, and they make nothing harmless.
#include "compact/command/rule_book.h"

#include <doctest/doctest.h>

#include <utility>

#include "compact/command/rule_check.h"

namespace pith {
namespace {

constexpr std::string_view kFile = R"({
  // of a house with tools of its own
  "family": "house",
  "rules": [
    {"id": "house.check", "program": ["shipcheck", "make"], "subcommand": "ship", "kind": "test_run",
     "exits": {"3": {"means": "nothing to ship", "failure": false}}, "signals": ["HALTED"],
     "examples": ["shipcheck ship -v", "sudo make ship"], "not": ["make all"]},
    {"id": "house.env", "program": "printenv", "kind": "log", "examples": ["printenv"]},
    {"id": "house.tail", "program": "lastlines", "place": "filter", "passes": true, "examples": ["make ship | lastlines"]}
  ]
})";

RuleFile Read(std::string_view text) {
  Result<RuleFile> file = ReadRuleFile(text);
  REQUIRE(file.ok());
  return file.Take();
}

std::string Fault(std::string_view text) {
  Result<RuleFile> file = ReadRuleFile(text);
  return file.ok() ? "" : file.error().sentence;
}

std::string WithRule(const std::string& rule) { return R"({"family": "f", "rules": [)" + rule + "]}"; }

}  // namespace

TEST_CASE("own rules come before the built-in ones, of whose programs the rest stays as it was") {
  RuleBook book;
  book.Add(Read(kFile));
  const RuleTable own = book.table();
  const Command ship = ParseCommand("cd x && make ship | lastlines -n 40", &own);
  REQUIRE(ship.rule != nullptr);
  CHECK(ship.rule->id == "house.check");
  CHECK(ship.rule->family == "house");
  CHECK(ship.rule->kind == Kind::kTestRun);
  CHECK(ship.rule->signal_words.size() == 1);
  REQUIRE(MeaningOf(*ship.rule, 3) != nullptr);
  CHECK_FALSE(MeaningOf(*ship.rule, 3)->failure);
  CHECK(ParseCommand("make all", &own).rule == ParseCommand("make all").rule);
  CHECK(ParseCommand("make ship").rule != ship.rule);
}

TEST_CASE("what a built-in rule says may print secrets, an own rule does not make harmless") {
  RuleBook book;
  book.Add(Read(kFile));
  const RuleTable own = book.table();
  CHECK(ParseCommand("printenv", &own).sensitive);
  const RuleCheck check = CheckRules(own);
  REQUIRE(check.faults.size() == 1);  // and the check says so
  CHECK(check.faults[0].rule == "house.env");
}

TEST_CASE("rules of several files hold together, the first file first") {
  RuleBook book;
  book.Add(Read(WithRule(R"({"id": "a", "program": "tool", "kind": "log", "examples": "tool"})")));
  book.Add(Read(WithRule(R"({"id": "b", "program": ["tool", "other"], "kind": "diff", "examples": "other"})")));
  const RuleTable own = book.table();
  CHECK(ParseCommand("tool", &own).rule->id == "a");
  CHECK(ParseCommand("other", &own).rule->id == "b");
  CHECK(CheckRules(own).faults.empty());
  CHECK(CheckRules(BuiltInRules()).faults.empty());
}

TEST_CASE("a rule file that is not of its form is refused with the rule and the reason") {
  const std::pair<std::string, std::string_view> cases[] = {
      {"", "not a JSON object"},
      {"[]", "not a JSON object"},
      {"{\"family\": \"f\"}", "rules must be a list"},
      {"{\"rules\": []}", "family is missing"},
      {"{\"family\": 7, \"rules\": []}", "family must be a text"},
      {"{\"family\": \"f\", \"rules\": [], \"more\": 1}", "unknown key more"},
      {WithRule("7"), "must be an object"},
      {WithRule("{}"), "no id"},
      {WithRule(R"({"id": "a", "examples": "a"})"), "a: no program"},
      {WithRule(R"({"id": "a", "program": "a"})"), "a: no example"},
      {WithRule(R"({"id": "a", "program": [""], "examples": "a"})"), "program must be a text or a list"},
      {WithRule(R"({"id": "a", "program": "a", "examples": "a", "kind": "poem"})"), "no such kind: poem"},
      {WithRule(R"({"id": "a", "program": "a", "examples": "a", "exact": true})"), "a reason belongs to"},
      {WithRule(R"({"id": "a", "program": "a", "examples": "a", "exact": "yes"})"), "exact must be true or false"},
      {WithRule(R"({"id": "a", "program": "a", "examples": "a", "place": "end"})"), "place is source or filter"},
      {WithRule(R"({"id": "a", "program": "a", "examples": "a", "passes": true})"), "only a filter passes on"},
      {WithRule(R"({"id": "a", "program": "a", "examples": "a", "exits": {"x": {"means": "m"}}})"), "is no number"},
      {WithRule(R"({"id": "a", "program": "a", "examples": "a", "exits": {"1": {}}})"), "means is missing"},
      {WithRule(R"({"id": "a", "program": "a", "examples": "a", "colour": 1})"), "unknown key colour"},
      {WithRule(R"({"id": "a", "program": "a", "examples": "a"}, {"id": "a", "program": "b", "examples": "b"})"),
       "the id is taken"},
  };
  for (const auto& each : cases) {
    const std::string fault = Fault(each.first);
    CAPTURE(each.first);
    CAPTURE(fault);
    CHECK(fault.find(each.second) != std::string::npos);
  }
}

}  // namespace pith
