// Completion scripts for bash, zsh and fish, written from the rows. Tokens are asked of `pith ls` when they are needed.
#include "cli/command.h"
#include "cli/output.h"

namespace pith::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"SHELL", "", "the shell to complete in", Complete::kChoices, "bash|zsh|fish", true},
};

constexpr std::string_view kTokens = "pith ls --json 2>/dev/null | sed -n 's/.*\"token\":\"\\([0-9a-f]*\\)\".*/\\1/p'";

std::vector<std::string> NamesOf(const OptionRow& row) {
  std::vector<std::string> names;
  std::string_view rest = row.names;
  while (!rest.empty()) {
    size_t comma = rest.find(',');
    names.emplace_back(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return names;
}

bool IsOption(const OptionRow& row) { return row.names.starts_with('-'); }

std::string Spaced(std::string_view choices) {
  std::string text(choices);
  for (char& c : text) {
    if (c == '|') c = ' ';
  }
  return text;
}

// Text inside single quotes of any of the three shells.
std::string Quoted(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return "'" + out + "'";
}

// The bash command that fills COMPREPLY for a value.
std::string BashValue(const OptionRow& row) {
  switch (row.complete) {
    case Complete::kFile:
      return "COMPREPLY=($(compgen -f -- \"$word\"))";
    case Complete::kFolder:
      return "COMPREPLY=($(compgen -d -- \"$word\"))";
    case Complete::kToken:
      return "COMPREPLY=($(compgen -W \"last $(" + std::string(kTokens) + ")\" -- \"$word\"))";
    case Complete::kChoices:
      return "COMPREPLY=($(compgen -W " + Quoted(Spaced(row.choices)) + " -- \"$word\"))";
    case Complete::kNothing:
      break;
  }
  return "COMPREPLY=()";
}

std::string BashCase(const CommandRow& row) {
  std::string words, text = "    " + std::string(row.name) + ")\n      case \"$before\" in\n", positional;
  for (const OptionRow& option : row.options) {
    if (!IsOption(option)) {
      // A row of two positionals: the first word after the subcommand is the one, what follows the other.
      positional = positional.empty()
                       ? BashValue(option)
                       : "if ((COMP_CWORD == 2)); then " + positional + "; else " + BashValue(option) + "; fi";
      continue;
    }
    std::string pattern;
    for (const std::string& name : NamesOf(option)) {
      words += (words.empty() ? "" : " ") + name;
      pattern += (pattern.empty() ? "" : "|") + name;
    }
    if (!option.value.empty()) text += "        " + pattern + ") " + BashValue(option) + "; return ;;\n";
  }
  if (positional.empty()) positional = "COMPREPLY=()";
  return text + "      esac\n      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W " + Quoted(words + " --help") +
         " -- \"$word\")); else " + positional + "; fi ;;\n";
}

std::string Bash() {
  std::string names, cases;
  for (const CommandRow* row : Commands()) {
    if (row->hidden) continue;
    names += (names.empty() ? "" : " ") + std::string(row->name);
    cases += BashCase(*row);
  }
  return "_pith() {\n  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W " +
         Quoted(names + " --version --help") + " -- \"$word\")); return; fi\n  case \"${COMP_WORDS[1]}\" in\n" + cases +
         "  esac\n}\ncomplete -o filenames -F _pith pith\n";
}

// The value part of a zsh _arguments specification.
std::string ZshValue(const OptionRow& row) {
  switch (row.complete) {
    case Complete::kFile:
      return "_files";
    case Complete::kFolder:
      return "_files -/";
    case Complete::kToken:
      return "{compadd last $(" + std::string(kTokens) + ")}";
    case Complete::kChoices:
      return "(" + Spaced(row.choices) + ")";
    case Complete::kNothing:
      break;
  }
  return " ";
}

// Text inside the brackets of a specification.
std::string ZshText(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string Zsh() {
  std::string names, cases;
  for (const CommandRow* row : Commands()) {
    if (row->hidden) continue;
    names += "    " + Quoted(std::string(row->name) + ":" + ZshText(row->summary)) + "\n";
    cases += "    " + std::string(row->name) + ") _arguments";
    for (const OptionRow& option : row->options) {
      std::string value =
          option.value.empty() && IsOption(option) ? "" : ":" + ZshText(option.value) + ":" + ZshValue(option);
      if (!IsOption(option)) {
        cases +=
            " " + Quoted(std::string(option.many ? "*" : "") + ":" + ZshText(option.names) + ":" + ZshValue(option));
        continue;
      }
      for (const std::string& name : NamesOf(option))
        cases += " " + Quoted(name + "[" + ZshText(option.help) + "]" + value);
    }
    cases += " ;;\n";
  }
  return "#compdef pith\n_pith() {\n  local -a commands=(\n" + names +
         "  )\n  if ((CURRENT == 2)); then _describe command commands; return; fi\n  local command=$words[2]\n"
         "  shift words\n  ((CURRENT--))\n  case $command in\n" +
         cases + "  esac\n}\nif [ \"$funcstack[1]\" = _pith ]; then _pith \"$@\"; else compdef _pith pith; fi\n";
}

std::string FishValue(const OptionRow& row) {
  switch (row.complete) {
    case Complete::kFile:
      return " -rF";
    case Complete::kFolder:
      return " -x -a " + Quoted("(__fish_complete_directories)");
    case Complete::kToken:
      return " -x -a " + Quoted("last (" + std::string(kTokens) + ")");
    case Complete::kChoices:
      return " -x -a " + Quoted(Spaced(row.choices));
    case Complete::kNothing:
      break;
  }
  return " -x";
}

std::string Fish() {
  std::string text = "complete -c pith -f\n";
  for (const CommandRow* row : Commands()) {
    if (row->hidden) continue;
    std::string name(row->name);
    text += "complete -c pith -n __fish_use_subcommand -a " + name + " -d " + Quoted(row->summary) + "\n";
    for (const OptionRow& option : row->options) {
      std::string line = "complete -c pith -n " + Quoted("__fish_seen_subcommand_from " + name);
      if (IsOption(option)) {
        for (const std::string& flag : NamesOf(option)) {
          line += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
        }
        line += " -d " + Quoted(option.help);
        if (!option.value.empty()) line += FishValue(option);
      } else {
        if (option.complete == Complete::kNothing) continue;
        line += option.complete == Complete::kFile ? " -F" : FishValue(option);
      }
      text += line + "\n";
    }
  }
  return text;
}

int Run(const Invocation& invocation) {
  std::string shell = invocation.arguments.TextOr("SHELL", "");
  if (shell == "bash") return Print(Bash());
  return Print(shell == "zsh" ? Zsh() : Fish());
}

}  // namespace

extern const CommandRow kCompletion;
const CommandRow kCompletion = {"completion",
                                "bash|zsh|fish",
                                "print a completion script",
                                "Put it where your shell looks:\n"
                                "pith completion bash > ~/.local/share/bash-completion/completions/pith\n"
                                "pith completion zsh > ~/.zfunc/_pith (a folder in fpath)\n"
                                "pith completion fish > ~/.config/fish/completions/pith.fish",
                                kOptions,
                                &Run};

}  // namespace pith::cli
