// Build-time program: reads rule files, refuses what is not of their form, writes one C++ file of constant tables.
//   pith_rules_generator OUT.cc FAMILY.json ...
// A mistake in a rule stops the build with the file, the rule and the reason.
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
    const std::string facts =
        "{" + Quoted(rule.id) + "," + (rule.kind.empty() ? "std::nullopt" : KindConstant(rule.kind)) + "," +
        Boolean(rule.exact) + "," + Boolean(rule.sensitive) + "," + Boolean(rule.stream) + "," + Quoted(family) + "," +
        Quoted(rule.reason) + "," + Boolean(rule.brief) + "," + Exits(rule) + "," + List(rule.signals) + "}";
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
  size_t count_ = 0, lists_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  Writer writer;
  for (int i = 2; i < argc; ++i) {
    std::ifstream in(argv[i]);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const pith::Result<RuleFile> file = pith::ReadRuleFile(text);
    const std::string fault = file.ok() ? writer.Family(*file) : file.error().sentence;
    if (fault.empty()) continue;
    std::cerr << argv[i] << ": " << fault << '\n';
    return 1;
  }
  std::ofstream out(argv[1]);
  out << writer.Finish();
  return out.good() ? 0 : 1;
}
