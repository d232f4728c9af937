// The one file that knows CLI11. It costs templates at build time and a few hundred allocations at run time, so a
// parser is built for the named subcommand alone, and its version flag (which throws) is not used.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/command.h"
#include "cli/output.h"

namespace pith::cli {
namespace {

bool IsPositional(const OptionRow& row) { return !row.names.starts_with('-'); }
bool IsFlag(const OptionRow& row) { return row.value.empty() && !IsPositional(row); }

// The long name, under which its values are asked for: the last of "-n,--limit".
std::string_view KeyOf(const OptionRow& row) {
  size_t comma = row.names.rfind(',');
  return comma == std::string_view::npos ? row.names : row.names.substr(comma + 1);
}

std::vector<std::string> ChoicesOf(std::string_view choices) {
  std::vector<std::string> list;
  while (!choices.empty()) {
    size_t cut = choices.find('|');
    list.emplace_back(choices.substr(0, cut));
    choices = cut == std::string_view::npos ? std::string_view() : choices.substr(cut + 1);
  }
  return list;
}

void CheckChoices(const OptionRow& row, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    if (std::string fault = NoChoice(row, value); !fault.empty()) throw CLI::ValidationError(fault);
  }
}

// An occurrence of an option takes exactly one word, whatever stands in it: CLI11 would read "[a, b]" and "{}" into a
// list where a list is bound, and a footer that somebody pasted begins with a bracket. Only a positional of many words
// takes all that follow.
CLI::Option* AddOption(CLI::App& app, const OptionRow& option) {
  std::string names(option.names);
  if (IsFlag(option)) return app.add_flag(names);
  const bool rest = option.many && IsPositional(option);
  CLI::Option* added = app.add_option(names);
  if (rest) added->expected(0, 1 << 20);
  added->allow_extra_args(rest);
  if (option.many) added->take_all();
  if (!option.many && !IsPositional(option)) added->take_last();
  if (option.required) added->required();
  return added;
}

// Throws CLI::ParseError.
Arguments Parse(const CommandRow& row, std::span<char*> words) {
  CLI::App app;
  app.set_help_flag();
  std::vector<CLI::Option*> options;
  for (const OptionRow& option : row.options) options.push_back(AddOption(app, option));
  std::vector<std::string> reversed;
  for (size_t at = words.size(); at > 0; --at) reversed.emplace_back(words[at - 1]);
  app.parse(reversed);
  Arguments arguments;
  for (size_t at = 0; at < row.options.size(); ++at) {
    if (options[at]->count() == 0) continue;
    std::vector<std::string> given = IsFlag(row.options[at]) ? std::vector<std::string>() : options[at]->results();
    CheckChoices(row.options[at], given);
    arguments.Add(KeyOf(row.options[at]), std::move(given));
  }
  return arguments;
}

bool AsksForHelp(const CommandRow& row, std::span<char*> words) {
  if (row.raw && words.size() != 1) return false;
  for (std::string_view word : words) {
    if (word == "--") return false;
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

std::string FirstLine(std::string text) {
  size_t newline = text.find('\n');
  if (newline != std::string::npos) text.resize(newline);
  return text;
}

}  // namespace

std::string NoChoice(const OptionRow& row, std::string_view value) {
  if (row.choices.empty()) return {};
  std::string sentence = std::string(KeyOf(row)) + " must be one of";
  for (const std::string& choice : ChoicesOf(row.choices)) {
    if (choice == value) return {};
    sentence += " " + choice;
  }
  return sentence + ", not \"" + std::string(value) + "\"";
}

int RunCommand(const CommandRow& row, std::span<char*> words) {
  if (AsksForHelp(row, words)) return Print(HelpOf(row));
  Invocation invocation{words, {}};
  if (!row.raw) {
    try {
      invocation.arguments = Parse(row, words);
    } catch (const std::exception& error) {
      std::string name(row.name);
      Complain(name + ": " + FirstLine(error.what()) + " (see `pith " + name + " --help`)");
      return kWrongUse;
    }
  }
  return row.run(invocation);
}

const Arguments::Given* Arguments::Find(std::string_view name) const {
  for (const Given& given : given_) {
    if (given.name == name) return &given;
  }
  return nullptr;
}

std::optional<std::string_view> Arguments::Text(std::string_view name) const {
  const Given* given = Find(name);
  if (!given || given->values.empty()) return std::nullopt;
  return given->values.back();
}

std::string Arguments::TextOr(std::string_view name, std::string_view otherwise) const {
  return std::string(Text(name).value_or(otherwise));
}

std::vector<std::string> Arguments::Many(std::string_view name) const {
  const Given* given = Find(name);
  return given ? given->values : std::vector<std::string>();
}

void Arguments::Add(std::string_view name, std::vector<std::string> values) {
  given_.push_back({std::string(name), std::move(values)});
}

}  // namespace pith::cli
