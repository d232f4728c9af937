// Build-time program: reads rule files, refuses what is not of their form, writes one C++ file of constant tables.
//   pith_rules_generator OUT.cc FAMILY.json ...
// A mistake in a rule stops the build with the file, the rule and the reason.
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::ordered_json;

struct Fault {
  std::string sentence;
};

const std::set<std::string> kKeys = {
    "id",   "program", "subcommand", "operand", "flag",  "no_flag", "operand_holds", "place",   "passes",   "bare",
    "kind", "exact",   "sensitive",  "stream",  "brief", "reason",  "exits",         "signals", "examples", "not"};
const std::set<std::string> kKinds = {"text",    "log",   "test_run", "build",      "search", "diff",
                                      "listing", "table", "json",     "json_lines", "yaml",   "xml",
                                      "code",    "html",  "markdown", "package",    "binary"};

std::string Quoted(const std::string& text) { return Json(text).dump(-1, ' ', true); }

std::vector<std::string> Strings(const Json& rule, const char* key) {
  std::vector<std::string> list;
  const auto found = rule.find(key);
  if (found == rule.end()) return list;
  if (found->is_string()) {
    list.push_back(*found);
  } else if (found->is_array()) {
    for (const Json& item : *found) list.push_back(item.get<std::string>());
  } else {
    throw Fault{std::string(key) + " must be a string or a list of strings"};
  }
  for (const std::string& item : list) {
    if (item.empty()) throw Fault{std::string(key) + " holds an empty string"};
  }
  return list;
}

bool Flag(const Json& rule, const char* key) { return rule.contains(key) && rule.at(key).get<bool>(); }

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
  void Family(const Json& document) {
    family_ = document.at("family");
    for (const auto& [key, value] : document.items()) {
      if (key != "family" && key != "about" && key != "rules") throw Fault{"unknown key " + key};
    }
    for (const Json& rule : document.at("rules")) Rule(rule);
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
           "std::span<const RuleRow> RuleRows() { return kRows; }\n"
           "std::span<const RuleExample> RuleExamples() { return kExamples; }\n"
           "std::span<const ProgramRow> ProgramRows() { return kPrograms; }\n}  // namespace pith\n";
  }

 private:
  void Rule(const Json& rule) {
    const std::string id = rule.at("id");
    try {
      Check(rule, id);
      Emit(rule, id);
    } catch (const Fault& fault) {
      throw Fault{id + ": " + fault.sentence};
    }
  }

  void Check(const Json& rule, const std::string& id) {
    if (!ids_.insert(id).second) throw Fault{"the id is taken"};
    for (const auto& [key, value] : rule.items()) {
      if (!kKeys.contains(key)) throw Fault{"unknown key " + key};
    }
    if (Strings(rule, "program").empty()) throw Fault{"no program"};
    if (Strings(rule, "examples").empty()) throw Fault{"no example"};
    if (rule.contains("kind") && !kKinds.contains(rule.at("kind"))) throw Fault{"no such kind"};
    const bool needs_reason = Flag(rule, "exact") || Flag(rule, "sensitive") || Flag(rule, "stream");
    if (needs_reason != rule.contains("reason"))
      throw Fault{"a reason belongs to exact, sensitive and stream, and to nothing else"};
    const std::string place = rule.value("place", "source");
    if (place != "source" && place != "filter") throw Fault{"place is source or filter"};
    if (Flag(rule, "passes") && place != "filter") throw Fault{"only a filter passes on"};
  }

  std::string List(const Json& rule, const char* key) {
    const std::vector<std::string> strings = Strings(rule, key);
    if (strings.empty()) return "{}";
    const std::string name = "kList" + std::to_string(lists_++);
    arrays_ += "constexpr std::string_view " + name + "[] = {";
    for (const std::string& item : strings) arrays_ += Quoted(item) + ",";
    arrays_ += "};\n";
    return name;
  }

  std::string Exits(const Json& rule) {
    if (!rule.contains("exits")) return "{}";
    const std::string name = "kExits" + std::to_string(lists_++);
    std::string items;
    for (const auto& [code, meaning] : rule.at("exits").items()) {
      items += "{" + std::to_string(std::stoi(code)) + "," + (meaning.value("failure", true) ? "true," : "false,") +
               Quoted(meaning.at("means")) + "},";
    }
    arrays_ += "constexpr ExitMeaning " + name + "[] = {" + items + "};\n";
    return name;
  }

  void Emit(const Json& rule, const std::string& id) {
    const auto boolean = [&](const char* key) { return std::string(Flag(rule, key) ? "true" : "false"); };
    const std::string kind = rule.contains("kind") ? KindConstant(rule.at("kind")) : "std::nullopt";
    const std::string filter = rule.value("place", "source") == "filter" ? "kFilter" : "kSource";
    const std::string holds = rule.contains("operand_holds") ? rule.at("operand_holds").get<std::string>() : "";
    const std::string facts = "{" + Quoted(id) + "," + kind + "," + boolean("exact") + "," + boolean("sensitive") +
                              "," + boolean("stream") + "," + Quoted(family_) + "," + Quoted(rule.value("reason", "")) +
                              "," + boolean("brief") + "," + Exits(rule) + "," + List(rule, "signals") + "}";
    rows_ += "    {" + facts + ",RuleRow::Place::" + filter + "," + boolean("passes") + "," + boolean("bare") + "," +
             List(rule, "subcommand") + "," + List(rule, "operand") + "," + List(rule, "flag") + "," +
             List(rule, "no_flag") + "," + Quoted(holds) + "},\n";
    for (const std::string& program : Strings(rule, "program")) programs_[program].push_back(count_);
    for (const char* key : {"examples", "not"}) {
      for (const std::string& line : Strings(rule, key)) {
        examples_ +=
            "    {" + std::to_string(count_) + "," + (key[0] == 'e' ? "true," : "false,") + Quoted(line) + "},\n";
      }
    }
    ++count_;
  }

  std::string family_, arrays_, rows_, examples_;
  std::set<std::string> ids_;
  std::map<std::string, std::vector<size_t>> programs_;
  size_t count_ = 0, lists_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Writer writer;
  for (int i = 2; i < argc; ++i) {
    try {
      std::ifstream in(argv[i]);
      writer.Family(Json::parse(in, nullptr, true, true));
    } catch (const Fault& fault) {
      std::cerr << argv[i] << ": " << fault.sentence << '\n';
      return 1;
    } catch (const std::exception& error) {
      std::cerr << argv[i] << ": " << error.what() << '\n';
      return 1;
    }
  }
  if (argc < 3) return 2;
  std::ofstream out(argv[1]);
  out << writer.Finish();
  return out.good() ? 0 : 1;
}
