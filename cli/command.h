// A subcommand of `pith`: one row that says what it is called, what it takes and what runs it. Dispatch, --help, the
// man page and shell completion all come from these rows. Adding a subcommand: one file with its row, one line in
// commands.cc.
//
// Rows are constant data and cost nothing at start-up: CLI11 is asked to build a parser only for the one subcommand
// that was named (options.cc).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pith::cli {

// Exit codes of every subcommand, but for `run` (ends as its child did) and `hook` (always 0).
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUse = 2;
inline constexpr int kNoSuchOriginal = 3;

// What a shell may offer for an option's value.
enum class Complete : uint8_t { kNothing, kFile, kFolder, kToken, kChoices };

struct OptionRow {
  std::string_view names;  // "--lines", "-n,--limit"; a positional has no dash: "FILE"
  std::string_view value;  // what stands for its value in help: "N"; empty: a flag
  std::string_view help;
  Complete complete = Complete::kNothing;
  std::string_view choices = {};  // "bash|zsh|fish": the only values allowed
  bool required = false;
  bool many = false;  // may be given more than once; a positional takes all that follow
};

// How a footer may name the way back.
inline constexpr std::string_view kMarkerStyles = "mcp|cli|ccr|tokenjuice|dsh";

// The sentence for a value that is none of the option's choices, naming them; "" if it is one.
std::string NoChoice(const OptionRow& row, std::string_view value);

// The arguments of one call, parsed. Names are the long ones of the rows ("--lines", "FILE").
class Arguments {
 public:
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  // The last value given, nullopt if none.
  std::optional<std::string_view> Text(std::string_view name) const;
  std::string TextOr(std::string_view name, std::string_view otherwise) const;
  std::vector<std::string> Many(std::string_view name) const;
  void Add(std::string_view name, std::vector<std::string> values);

 private:
  struct Given {
    std::string name;
    std::vector<std::string> values;
  };
  const Given* Find(std::string_view name) const;
  std::vector<Given> given_;
};

// One call of a subcommand. `words` are argv after the subcommand's name, as given.
struct Invocation {
  std::span<char*> words;
  Arguments arguments;  // empty for rows with `raw`
};

struct CommandRow {
  std::string_view name;
  std::string_view usage;    // what follows the name in help: "[FILE]"
  std::string_view summary;  // one line
  std::string_view about;    // paragraphs for --help and the man page
  std::span<const OptionRow> options;
  int (*run)(const Invocation& invocation);
  bool raw = false;     // gets its words unparsed; only a lone --help or -h is looked at before
  bool hidden = false;  // left out of lists
};

// All subcommands, in the order of help.
std::span<const CommandRow* const> Commands();
const CommandRow* FindCommand(std::string_view name);

// Parses the words by the row's options and runs it. Help goes to stdout; a wrong use is said in one sentence on stderr
// and ends in kWrongUse.
int RunCommand(const CommandRow& row, std::span<char*> words);

// Help of one subcommand, and of the whole program.
std::string HelpOf(const CommandRow& row);
std::string HelpOfAll();

}  // namespace pith::cli
