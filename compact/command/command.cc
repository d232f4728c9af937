// A line is a list of pipelines; the output that the reader sees is what the visible ends of those pipelines print.
// Each pipeline is brought to the one command whose output it shows: from its last stage leftwards over filters that
// only pass on (tail, tee, cat). What is left is looked up in the rules. Over the list, commands that print next to
// nothing (cd, echo, mkdir) are left out; when more than one remains, the line is compound and the last one names it.
#include "compact/command/command.h"

#include <algorithm>
#include <array>

#include "compact/command/rule_table.h"
#include "compact/command/shell_line.h"
#include "compact/command/unwrap.h"

namespace pith {
namespace {

constexpr int kMaxNesting = 6;       // bash -c "ssh host 'bash -c ...'": deeper is left unknown
constexpr size_t kMaxOperands = 64;  // looked at by conditions on any operand

// By which rules a line is read, and how deep in scripts within scripts it stands.
struct Reading {
  const RuleTable* own = nullptr;
  int depth = 0;
};

Command ParseNested(std::string_view line, Reading reading);

// "-c" is in "-rnc" too; a longer flag stands alone or before "=".
bool FlagIs(std::string_view word, std::string_view flag) {
  if (!word.starts_with("-")) return false;
  if (word == flag) return true;
  if (flag.size() > 2) return word.starts_with(flag) && word.size() > flag.size() && word[flag.size()] == '=';
  if (word.size() < 2 || word[1] == '-') return false;
  for (char c : word.substr(1)) {
    if (c == flag[1]) return true;
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
  }
  return false;
}

bool AnyFlag(const std::vector<std::string>& argv, std::span<const std::string_view> flags) {
  for (size_t i = 1; i < argv.size() && argv[i] != "--"; ++i) {
    for (std::string_view flag : flags) {
      if (FlagIs(argv[i], flag)) return true;
    }
  }
  return false;
}

// `sequence` is one or more words; they must be the leading operands.
bool LeadsWith(const std::vector<std::string_view>& operands, std::string_view sequence) {
  size_t at = 0;
  while (!sequence.empty()) {
    const size_t blank = sequence.find(' ');
    if (at >= operands.size() || operands[at] != sequence.substr(0, blank)) return false;
    sequence = blank == std::string_view::npos ? std::string_view() : sequence.substr(blank + 1);
    ++at;
  }
  return true;
}

bool Holds(const RuleRow& row, const Command& command, const std::vector<std::string_view>& operands) {
  if (row.bare && command.argv.size() > 1) return false;
  if (!row.subcommands.empty() &&
      std::none_of(row.subcommands.begin(), row.subcommands.end(), [&](std::string_view sequence) {
        return LeadsWith(operands, sequence) || sequence == command.subcommand;
      })) {
    return false;
  }
  if (!row.any_operand.empty() && std::none_of(operands.begin(), operands.end(), [&](std::string_view operand) {
        return std::find(row.any_operand.begin(), row.any_operand.end(), operand) != row.any_operand.end();
      })) {
    return false;
  }
  if (!row.operand_holds.empty() && std::none_of(operands.begin(), operands.end(), [&](std::string_view operand) {
        return operand.find(row.operand_holds) != std::string_view::npos;
      })) {
    return false;
  }
  if (!row.any_flag.empty() && !AnyFlag(command.argv, row.any_flag)) return false;
  return row.no_flag.empty() || !AnyFlag(command.argv, row.no_flag);
}

std::span<const uint16_t> RulesOf(const RuleTable& table, std::string_view program) {
  const std::span<const ProgramRow> programs = table.programs;
  const auto found = std::lower_bound(programs.begin(), programs.end(), program,
                                      [](const ProgramRow& row, std::string_view name) { return row.program < name; });
  return found == programs.end() || found->program != program ? std::span<const uint16_t>() : found->rows;
}

const RuleRow* FindIn(const RuleTable& table, const Command& command, RuleRow::Place place,
                      const std::vector<std::string_view>& operands) {
  for (uint16_t index : RulesOf(table, command.program)) {
    const RuleRow& row = table.rows[index];
    if (row.place == place && Holds(row, command, operands)) return &row;
  }
  return nullptr;
}

const RuleRow* FindRule(const RuleTable* own, const Command& command, RuleRow::Place place,
                        const std::vector<std::string_view>& operands) {
  const RuleRow* built_in = FindIn(BuiltInRules(), command, place, operands);
  if (own == nullptr || (built_in != nullptr && built_in->rule.sensitive)) return built_in;
  const RuleRow* row = FindIn(*own, command, place, operands);
  return row != nullptr ? row : built_in;
}

// A program has subcommands when a rule of its tells them apart.
bool HasSubcommands(const RuleTable* own, std::string_view program) {
  for (const RuleTable* table : {own, &BuiltInRules()}) {
    if (table == nullptr) continue;
    for (uint16_t index : RulesOf(*table, program)) {
      if (!table->rows[index].subcommands.empty() || !table->rows[index].any_operand.empty()) return true;
    }
  }
  return false;
}

// `npm run build` and `yarn build` are the script: what it is called says what it prints.
std::string Subcommand(const RuleTable* own, const Command& command, const std::vector<std::string_view>& operands) {
  static constexpr std::array<std::string_view, 4> kScriptRunners = {"npm", "pnpm", "yarn", "bun"};
  if (operands.empty() || !HasSubcommands(own, command.program)) return {};
  const bool runner = std::find(kScriptRunners.begin(), kScriptRunners.end(), command.program) != kScriptRunners.end();
  if (runner && operands.size() > 1 && (operands[0] == "run" || operands[0] == "run-script"))
    return std::string(operands[1]);
  return std::string(operands[0]);
}

struct Stage {
  Command command;
  bool passes = false;
};

void TakeFlags(Command& into, const CommandRule& rule) {
  into.exact = rule.exact;
  into.sensitive = rule.sensitive;
  into.stream = rule.stream;
  into.reason = rule.reason;
}

Stage Analyse(std::vector<std::string> words, bool behind_pipe, Reading reading) {
  Stage stage;
  const bool fed_as_arguments = !words.empty() && ProgramName(words[0]) == "xargs";
  Unwrapped unwrapped = Unwrap(std::move(words));
  if (unwrapped.script) {
    if (reading.depth < kMaxNesting) {
      stage.command = ParseNested(*unwrapped.script, {reading.own, reading.depth + 1});
    }
    return stage;
  }
  Command& command = stage.command;
  if (unwrapped.argv.empty()) return stage;
  command.argv = std::move(unwrapped.argv);
  command.program = command.argv[0];
  const std::vector<std::string_view> operands = Operands(command.argv, kMaxOperands);
  command.subcommand = Subcommand(reading.own, command, operands);
  const bool filter = behind_pipe && !fed_as_arguments;
  const RuleRow* row =
      FindRule(reading.own, command, filter ? RuleRow::Place::kFilter : RuleRow::Place::kSource, operands);
  command.filtered = filter;
  if (row != nullptr) {
    command.rule = &row->rule;
    stage.passes = row->passes;
    TakeFlags(command, row->rule);
  }
  return stage;
}

// The command whose output a pipeline shows.
Command OfPipeline(const Pipeline& pipeline, Reading reading) {
  std::vector<Stage> stages;
  for (size_t i = 0; i < pipeline.stages.size(); ++i)
    stages.push_back(Analyse(pipeline.stages[i].words, i > 0, reading));
  size_t shown = stages.size() - 1;
  while (shown > 0 && stages[shown].passes) --shown;
  bool sensitive = false, stream = false, background = pipeline.background;
  std::string_view reason;
  for (const Stage& stage : stages) {
    sensitive = sensitive || stage.command.sensitive;
    stream = stream || stage.command.stream;
    background = background || stage.command.background;
    if (stage.command.sensitive || stage.command.stream) reason = stage.command.reason;
  }
  Command command = std::move(stages[shown].command);
  command.sensitive = sensitive;
  command.stream = stream;
  command.background = background;
  if (!reason.empty()) command.reason = reason;
  command.redirected = command.redirected || pipeline.stages.back().stdout_to_file;
  command.compound = command.compound || pipeline.repeated;
  return command;
}

bool Passes(const Pipeline& tail, Reading reading) {
  for (size_t i = tail.own_stages; i < tail.stages.size(); ++i) {
    if (!Analyse(tail.stages[i].words, true, reading).passes) return false;
  }
  return true;
}

// Folds what every pipeline printed into one answer for the line.
Command Combine(std::vector<Command> commands) {
  std::vector<size_t> printing;
  for (size_t i = 0; i < commands.size(); ++i) {
    const bool brief = commands[i].rule != nullptr && commands[i].rule->brief && !commands[i].compound;  // no loop
    if (!commands[i].redirected && !brief) printing.push_back(i);
  }
  const size_t named = printing.empty() ? commands.size() - 1 : printing.back();
  Command result = commands[named];
  result.compound = result.compound || printing.size() > 1;
  for (size_t i = 0; i < commands.size(); ++i) {
    const bool prints = std::binary_search(printing.begin(), printing.end(), i);
    const bool adds = (prints && commands[i].exact && !result.exact) || (commands[i].sensitive && !result.sensitive) ||
                      (commands[i].stream && !result.stream);
    if (adds) result.reason = commands[i].reason;
    result.exact = result.exact || (prints && commands[i].exact);
    result.sensitive = result.sensitive || commands[i].sensitive;
    result.stream = result.stream || commands[i].stream;
    result.background = result.background || commands[i].background;
  }
  return result;
}

Command ParseNested(std::string_view line, Reading reading) {
  const std::vector<Pipeline> pipelines = ParseShellLine(line);
  std::vector<Command> commands;
  std::vector<int8_t> passes(pipelines.size(), -1);  // of the stages behind a group, looked at once
  for (const Pipeline& pipeline : pipelines) {
    if (pipeline.joined_to != Pipeline::kNone) {
      int8_t& known = passes[pipeline.joined_to];
      if (known < 0) known = Passes(pipelines[pipeline.joined_to], reading) ? 1 : 0;
      if (known == 0) continue;
    }
    commands.push_back(OfPipeline(pipeline, reading));
  }
  return commands.empty() ? Command{} : Combine(std::move(commands));
}

}  // namespace

const ExitMeaning* MeaningOf(const CommandRule& rule, int code) {
  for (const ExitMeaning& meaning : rule.exits) {
    if (meaning.code == code) return &meaning;
  }
  return nullptr;
}

Command ParseCommand(std::string_view line, const RuleTable* own) { return ParseNested(line, {own, 0}); }

Command CommandOf(std::span<const std::string> argv, const RuleTable* own) {
  return Analyse(std::vector<std::string>(argv.begin(), argv.end()), false, {own, 0}).command;
}

}  // namespace pith
