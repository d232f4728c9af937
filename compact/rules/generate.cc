// Build-time program: reads rule files, refuses what is not of their form, writes one C++ file of constant tables.
//   pith_rules_generator OUT.cc OUTPUTS.json FAMILY.json ...
// A mistake in a rule stops the build with the file, the rule and the reason. OUTPUTS.json names the recorded outputs
// of real tools that tests hold the rules against (tests/data); a row of it whose rule there is none stops the build
// too.
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "compact/rules/rule_file.h"

namespace {

using pith::RuleFile;
using pith::RuleSpec;

std::string Quoted(const std::string& text) { return pith::JsonText(nlohmann::json(text)); }

std::string Boolean(bool value) { return value ? "true" : "false"; }

std::string KindConstant(const std::string& name) {
  std::string constant = "Kind::k";
  bool upper = true;
  for (char c : name) {
    if (c != '_') constant += upper ? static_cast<char>(c - 'a' + 'A') : c;
    upper = c == '_';
  }
  return constant;
}

class Writer {
 public:
  // Each row's tool, by rule: {"outputs": [{"rule": "make", "tool": "GNU Make 4.3", ...}, ...]}. "" or what is wrong.
  std::string Outputs(const std::string& text) {
    const nlohmann::json manifest = nlohmann::json::parse(text, nullptr, false);
    if (!manifest.is_object() || !manifest.contains("outputs")) return "is no list of outputs";
    for (const nlohmann::json& row : manifest["outputs"]) {
      if (!row.contains("rule") || !row["rule"].is_string() || !row.contains("tool") || !row["tool"].is_string()) {
        return "a row names no rule or no tool";
      }
      std::string& tools = tested_[row["rule"]];
      const std::string tool = row["tool"];
      if ((tools + "; ").find(tool + "; ") == std::string::npos) tools += (tools.empty() ? "" : "; ") + tool;
    }
    return "";
  }

  // After all families: "" or the rule of an output that none of them has.
  std::string Unknown() const {
    for (const auto& [rule, tools] : tested_) {
      if (!tools.empty() && !ids_.contains(rule)) return "there is no rule " + rule;
    }
    return "";
  }

  // "" or what is wrong.
  std::string Family(const RuleFile& file) {
    for (const RuleSpec& rule : file.rules) {
      if (!ids_.insert(rule.id).second) return rule.id + ": the id is taken by another family";
      Emit(file.family, rule);
    }
    return "";
  }

  std::string Finish() {
    std::string programs, lists;
    size_t n = 0;
    for (const auto& [program, indices] : programs_) {
      lists += "constexpr uint16_t kOf" + std::to_string(n) + "[] = {";
      for (size_t index : indices) lists += std::to_string(index) + ",";
      lists += "};\n";
      programs += "    {" + Quoted(program) + ", kOf" + std::to_string(n) + "},\n";
      ++n;
    }
    return "// Written by pith_rules_generator from compact/rules/*.json.\n#include \"compact/command/rule_table.h\"\n"
           "namespace pith {\nnamespace {\n" +
           arrays_ + "constexpr RuleRow kRows[] = {\n" + rows_ + "};\n" + lists +
           "constexpr ProgramRow kPrograms[] = {\n" + programs + "};\nconstexpr RuleExample kExamples[] = {\n" +
           examples_ +
           "};\n}  // namespace\n"
           "const RuleTable& BuiltInRules() {\n  static constexpr RuleTable kTable = {kRows, kPrograms, kExamples};\n"
           "  return kTable;\n}\n}  // namespace pith\n";
  }

 private:
  std::string List(const std::vector<std::string>& texts) {
    if (texts.empty()) return "{}";
    const std::string name = "kList" + std::to_string(lists_++);
    arrays_ += "constexpr std::string_view " + name + "[] = {";
    for (const std::string& text : texts) arrays_ += Quoted(text) + ",";
    arrays_ += "};\n";
    return name;
  }

  std::string Exits(const RuleSpec& rule) {
    if (rule.exits.empty()) return "{}";
    const std::string name = "kExits" + std::to_string(lists_++);
    arrays_ += "constexpr ExitMeaning " + name + "[] = {";
    for (const pith::ExitSpec& exit : rule.exits) {
      arrays_ += "{" + std::to_string(exit.code) + "," + Boolean(exit.failure) + "," + Quoted(exit.words) + "},";
    }
    arrays_ += "};\n";
    return name;
  }

  void Example(bool holds, const std::string& line) {
    examples_ += "    {" + std::to_string(count_) + "," + Boolean(holds) + "," + Quoted(line) + "},\n";
  }

  void Emit(const std::string& family, const RuleSpec& rule) {
    const std::string facts = "{" + Quoted(rule.id) + "," +
                              (rule.kind.empty() ? "std::nullopt" : KindConstant(rule.kind)) + "," +
                              Boolean(rule.exact) + "," + Boolean(rule.sensitive) + "," + Boolean(rule.stream) + "," +
                              Quoted(family) + "," + Quoted(rule.reason) + "," + Boolean(rule.brief) + "," +
                              Exits(rule) + "," + List(rule.signals) + "," + Quoted(tested_[rule.id]) + "}";
    rows_ += "    {" + facts + ",RuleRow::Place::" + (rule.filter ? "kFilter" : "kSource") + "," +
             Boolean(rule.passes) + "," + Boolean(rule.bare) + "," + List(rule.subcommands) + "," +
             List(rule.operands) + "," + List(rule.flags) + "," + List(rule.no_flags) + "," +
             Quoted(rule.operand_holds) + "},\n";
    for (const std::string& program : rule.programs) programs_[program].push_back(count_);
    for (const std::string& line : rule.examples) Example(true, line);
    for (const std::string& line : rule.counter_examples) Example(false, line);
    ++count_;
  }

  std::string arrays_, rows_, examples_;
  std::set<std::string> ids_;
  std::map<std::string, std::vector<size_t>> programs_;
  std::map<std::string, std::string> tested_;  // rule -> tools
  size_t count_ = 0, lists_ = 0;
};

std::string TextOf(const char* path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  Writer writer;
  const auto refused = [](const char* path, const std::string& fault) {
    if (!fault.empty()) std::cerr << path << ": " << fault << '\n';
    return !fault.empty();
  };
  if (refused(argv[2], writer.Outputs(TextOf(argv[2])))) return 1;
  for (int i = 3; i < argc; ++i) {
    const pith::Result<RuleFile> file = pith::ReadRuleFile(TextOf(argv[i]));
    if (refused(argv[i], file.ok() ? writer.Family(*file) : file.error().sentence)) return 1;
  }
  if (refused(argv[2], writer.Unknown())) return 1;
  std::ofstream out(argv[1]);
  out << writer.Finish();
  return out.good() ? 0 : 1;
}
