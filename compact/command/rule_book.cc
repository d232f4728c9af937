#include "compact/command/rule_book.h"

#include <map>

namespace pith {

std::span<const std::string_view> RuleBook::Texts(const std::vector<std::string>& texts) {
  return texts_.emplace_back(texts.begin(), texts.end());
}

void RuleBook::Add(RuleFile given) {
  const RuleFile& file = files_.emplace_back(std::move(given));
  for (const RuleSpec& spec : file.rules) {
    if (rows_.size() > UINT16_MAX) break;
    const auto index = static_cast<uint16_t>(rows_.size());
    std::vector<ExitMeaning>& exits = exits_.emplace_back();
    for (const ExitSpec& exit : spec.exits) exits.push_back({exit.code, exit.failure, exit.words});
    RuleRow& row = rows_.emplace_back();
    row.rule = {spec.id,     KindNamed(spec.kind), spec.exact, spec.sensitive, spec.stream,
                file.family, spec.reason,          spec.brief, exits,          Texts(spec.signals)};
    row.place = spec.filter ? RuleRow::Place::kFilter : RuleRow::Place::kSource;
    row.passes = spec.passes;
    row.bare = spec.bare;
    row.subcommands = Texts(spec.subcommands);
    row.any_operand = Texts(spec.operands);
    row.any_flag = Texts(spec.flags);
    row.no_flag = Texts(spec.no_flags);
    row.operand_holds = spec.operand_holds;
    for (const std::string& line : spec.examples) examples_.push_back({index, true, line});
    for (const std::string& line : spec.counter_examples) examples_.push_back({index, false, line});
  }
  Index();
}

void RuleBook::Index() {
  std::map<std::string_view, std::vector<uint16_t>> rows_of;
  size_t index = 0;
  for (const RuleFile& file : files_) {
    for (const RuleSpec& spec : file.rules) {
      if (index == rows_.size()) break;
      for (const std::string& program : spec.programs) rows_of[program].push_back(static_cast<uint16_t>(index));
      ++index;
    }
  }
  programs_.clear();
  rows_of_.clear();
  rows_of_.reserve(rows_of.size());
  for (auto& [program, rows] : rows_of) programs_.push_back({program, rows_of_.emplace_back(std::move(rows))});
}

}  // namespace pith
