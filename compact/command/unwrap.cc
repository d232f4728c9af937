// Two tables do the work. A wrapper row says which options take a value, how many operands come before the wrapped
// command, and which words of its own must stand first (`uv run`, `docker compose exec`). A row of leading options says
// which global options a program takes before its subcommand (`git -C dir diff`). Everything else is stepping over
// words.
#include "compact/command/unwrap.h"

#include <algorithm>
#include <cctype>

namespace pith {
namespace {

struct Wrapper {
  std::string_view program;
  std::string_view verb;    // words that must follow the program, by one blank; "" if none
  std::string_view valued;  // options that take the next word, by blanks, one at each end
  int operands = 0;         // words between the options and the wrapped command
  bool joined = false;      // the wrapped words are one shell line (ssh)
};

constexpr std::string_view kComposeOptions = " -u -w -e --user --workdir --env --index --entrypoint -v -p --name ";

constexpr Wrapper kWrappers[] = {
    {"sudo", "", " -u -g -h -p -C -r -t -U -D -R -T --user --group --host --prompt --chdir "},
    {"doas", "", " -u -C "},
    {"timeout", "", " -k -s --kill-after --signal ", 1},
    {"gtimeout", "", " -k -s --kill-after --signal ", 1},
    {"env", "", " -u --unset -C --chdir "},
    {"nice", "", " -n --adjustment "},
    {"ionice", "", " -c -n -p --class --classdata "},
    {"chrt", "", " -p ", 1},
    {"taskset", "", "", 1},
    {"nohup", "", ""},
    {"time", "", " -f -o --format --output "},
    {"command", "", ""},
    {"builtin", "", ""},
    {"exec", "", " -a "},
    {"noglob", "", ""},
    {"stdbuf", "", " -i -o -e --input --output --error "},
    {"setsid", "", ""},
    {"unbuffer", "", ""},
    {"chronic", "", ""},
    {"caffeinate", "", " -t -w "},
    {"xvfb-run", "", " -n -s -e -f -w --server-args --server-num "},
    {"flock", "", " -w -E --timeout --conflict-exit-code ", 1},
    {"faketime", "", " -f ", 1},
    {"proxychains", "", " -f "},
    {"rtk", "", ""},
    {"pith", "run", ""},
    {"npx", "", " -p --package -w --workspace "},
    {"pnpx", "", " -p --package "},
    {"bunx", "", " -p --package "},
    {"uvx", "", " --from --with --python -p "},
    {"uv", "run",
     " --with --with-requirements --with-editable --python -p --project --directory --extra --group --package "
     "--env-file --only-group "},
    {"uv", "tool run", " --from --with --python -p "},
    {"pipx", "run", " --spec --python "},
    {"poetry", "run", " -C -P --directory --project "},
    {"pipenv", "run", ""},
    {"pdm", "run", " -p --project "},
    {"rye", "run", ""},
    {"hatch", "run", ""},
    {"pixi", "run", " -e --environment --manifest-path "},
    {"conda", "run", " -n -p --name --prefix --cwd "},
    {"mamba", "run", " -n -p --name --prefix --cwd "},
    {"micromamba", "run", " -n -p --name --prefix --cwd "},
    {"coverage", "run", " --source --include --omit --rcfile --data-file --context --concurrency "},
    {"bundle", "exec", " --gemfile "},
    {"pnpm", "exec", ""},
    {"pnpm", "dlx", " --package "},
    {"yarn", "exec", ""},
    {"yarn", "dlx", " -p --package "},
    {"npm", "exec", " -p --package -w --workspace "},
    {"bun", "x", ""},
    {"lerna", "exec", " --scope --ignore --concurrency "},
    {"direnv", "exec", "", 1},
    {"nvm", "exec", "", 1},
    {"fnm", "exec", " --using "},
    {"volta", "run", " --node --npm --yarn --pnpm "},
    {"rbenv", "exec", ""},
    {"pyenv", "exec", ""},
    {"asdf", "exec", ""},
    {"dotenv", "", " -e -f -c -v --env-file "},
    {"env-cmd", "", " -f -e --file --environments "},
    {"cross-env", "", ""},
    {"op", "run", " --env-file "},
    {"doppler", "run", " -p -c --project --config "},
    {"aws-vault", "exec", " -d --duration ", 1},
    {"docker", "exec", " -u -w -e --user --workdir --env --env-file --detach-keys ", 1},
    {"podman", "exec", " -u -w -e --user --workdir --env --env-file --detach-keys ", 1},
    {"docker", "compose exec", kComposeOptions, 1},
    {"docker", "compose run", kComposeOptions, 1},
    {"docker-compose", "exec", kComposeOptions, 1},
    {"docker-compose", "run", kComposeOptions, 1},
    {"kubectl", "exec", " -n -c -f --namespace --container --context --filename ", 1},
    {"oc", "exec", " -n -c --namespace --container --context ", 1},
    {"ssh", "", " -i -p -l -o -F -J -L -R -D -b -c -E -I -m -O -Q -S -W -w -B ", 1, true},
    {"xargs", "", " -I -n -P -L -d -a -E -s --max-args --max-procs --max-lines --delimiter --arg-file --replace "},
};

// Options before the subcommand that take the next word as their value.
struct LeadingOptions {
  std::string_view program, valued;
};
constexpr LeadingOptions kLeadingOptions[] = {
    {"git", " -C -c --git-dir --work-tree --namespace --exec-path --config-env "},
    {"docker", " -H --host -c --context -l --log-level --config -f --file -p --project-name --profile --env-file "},
    {"docker-compose", " -f --file -p --project-name --profile --env-file --project-directory "},
    {"podman", " --url --connection --log-level "},
    {"kubectl", " -n --namespace --context --kubeconfig --cluster --user -s --server -l --selector "},
    {"oc", " -n --namespace --context --kubeconfig "},
    {"helm", " -n --namespace --kube-context --kubeconfig "},
    {"gh", " -R --repo "},
    {"npm", " --prefix -w --workspace --loglevel "},
    {"pnpm", " -C --dir --filter -F --reporter "},
    {"yarn", " --cwd "},
    {"bun", " --cwd --filter "},
    {"cargo", " --manifest-path --color -Z --config -C "},
    {"make", " -C -f -I -o -W -j --directory --file --jobs "},
    {"ninja", " -C -f -j -k -l -d -t "},
    {"go", " -C "},
    {"aws", " --profile --region --output --endpoint-url --query "},
    {"az", " --subscription --output -o "},
    {"gcloud", " --project --account --configuration --format "},
    {"gradle", " -p --project-dir -b --build-file -c --settings-file -x --exclude-task -I --init-script --console "},
    {"mvn", " -f --file -pl --projects -P -s --settings -T --threads -rf "},
    {"just", " -f --justfile -d --working-directory "},
    {"uv", " --directory --project --config-file --cache-dir "},
    {"poetry", " -C -P --directory --project "},
    {"systemctl", " -n -t -p -H -M --type --state "},
    {"bazel", " --output_base --bazelrc "},
    {"cmake", " -G -S -B -D "},
    {"dotnet", ""},
    {"adb", " -s -t -H -P -L "},
};

bool Holds(std::string_view list, std::string_view word) {
  if (word.empty()) return false;
  for (size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    if (at > 0 && list[at - 1] == ' ' && at + word.size() < list.size() && list[at + word.size()] == ' ') return true;
  }
  return false;
}

bool IsOption(std::string_view word) { return word.size() > 1 && word[0] == '-'; }

bool IsAssignment(std::string_view word) {
  const size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<ptrdiff_t>(equals),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::string_view BaseName(std::string_view word) {
  const size_t slash = word.find_last_of("/\\");
  return slash == std::string_view::npos ? word : word.substr(slash + 1);
}

using Words = std::vector<std::string>;

// The index behind `verb`, or 0 when the words after the program are not those.
size_t BehindVerb(const Words& words, size_t at, const Wrapper& wrapper) {
  size_t next = at + 1;
  std::string_view verb = wrapper.verb;
  std::string_view leading;
  for (const LeadingOptions& row : kLeadingOptions) {
    if (row.program == wrapper.program) leading = row.valued;
  }
  while (!verb.empty()) {
    while (next < words.size() && IsOption(words[next])) next += Holds(leading, words[next]) ? 2 : 1;
    const size_t blank = verb.find(' ');
    if (next >= words.size() || words[next] != verb.substr(0, blank)) return 0;
    verb = blank == std::string_view::npos ? std::string_view() : verb.substr(blank + 1);
    ++next;
  }
  return next;
}

// The index of the wrapped command, words.size() when there is none.
size_t Wrapped(const Words& words, size_t next, const Wrapper& wrapper) {
  int operands = wrapper.operands;
  bool ended = false;
  while (next < words.size()) {
    const std::string& word = words[next];
    if (word == "--" && !ended) {
      ended = true;
      if (wrapper.program != "docker") operands = 0;
    } else if (!ended && word == "-m") {
      break;  // `uv run -m pytest`: the module road of python, taken by the caller
    } else if (!ended && IsOption(word)) {
      if (Holds(wrapper.valued, word)) ++next;
    } else if (!IsAssignment(word) || wrapper.program == "xargs") {
      if (operands == 0) break;
      --operands;
    }
    ++next;
  }
  return std::min(next, words.size());
}

bool IsShell(std::string_view program) {
  for (std::string_view shell : {"bash", "sh", "zsh", "dash", "ksh", "ash", "fish"}) {
    if (program == shell) return true;
  }
  return false;
}

// `bash -lc 'LINE'`: the line; `bash script.sh`: argv moved on to the script.
void TakeShell(const Words& words, size_t at, Unwrapped& out) {
  size_t next = at + 1;
  bool runs_line = false;
  for (; next < words.size() && (IsOption(words[next]) || words[next][0] == '+'); ++next) {
    if (words[next] == "--") continue;
    if (words[next][1] != '-' && words[next].find('c') != std::string::npos) runs_line = true;
    if (words[next] == "-o" || words[next] == "-O" || words[next] == "--rcfile") ++next;
  }
  if (next >= words.size()) {
    out.argv.assign(words.begin() + static_cast<ptrdiff_t>(at), words.end());
  } else if (runs_line) {
    out.script = words[next];
  } else {
    out.argv.assign(words.begin() + static_cast<ptrdiff_t>(next), words.end());
  }
}

// Interpreters that run a known tool: `python -m pytest`, `python manage.py test`, `node node_modules/.bin/jest`.
size_t BehindInterpreter(const Words& words, size_t at, std::string_view program) {
  const bool python = program == "python" || program == "pypy" || program == "py";
  if (!python && program != "node" && program != "php" && program != "ruby") return at;
  size_t next = at + 1;
  while (next < words.size() && IsOption(words[next])) {
    if (python && words[next] == "-m") return next + 1 < words.size() ? next + 1 : at;
    if (words[next] == "-c" || words[next] == "-e" || words[next] == "-") return at;
    next += Holds(" -X -W -d -r --require --import ", words[next]) ? 2 : 1;
  }
  if (next >= words.size()) return at;
  const std::string_view file = words[next];
  const std::string_view base = BaseName(file);
  if (base == "manage.py" || base == "artisan" || base == "rails") return next;
  const bool installed =
      file.find("/bin/") != std::string_view::npos || file.find("node_modules/") != std::string_view::npos;
  return installed ? next : at;
}

}  // namespace

std::string ProgramName(std::string_view word) {
  std::string name(BaseName(word));
  for (std::string_view suffix : {".exe", ".cmd", ".bat", ".js", ".mjs", ".cjs"}) {
    if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  }
  const size_t digits = name.find_last_not_of("0123456789.") + 1;
  if (digits > 1 && digits < name.size()) {
    if (name[digits - 1] == '-') {
      name.resize(digits - 1);
    } else if (Holds(" python pip pypy ruby perl php lua node ", name.substr(0, digits))) {
      name.resize(digits);
    }
  }
  static constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
      {"py.test", "pytest"}, {"gradlew", "gradle"}, {"mvnw", "mvn"},   {"gmake", "make"},  {"nodejs", "node"},
      {"batcat", "bat"},     {"fdfind", "fd"},      {"egrep", "grep"}, {"fgrep", "grep"},  {"ripgrep", "rg"},
      {"gsed", "sed"},       {"gawk", "awk"},       {"mawk", "awk"},   {"pypy", "python"}, {"py", "python"},
      {"ggrep", "grep"},     {"gfind", "find"},     {"zgrep", "grep"}};
  for (const auto& [alias, real] : kAliases) {
    if (name == alias) return std::string(real);
  }
  return name;
}

Unwrapped Unwrap(std::vector<std::string> words) {
  Unwrapped out;
  size_t at = 0;
  bool moved = true;
  while (moved && at < words.size()) {
    moved = false;
    if (words[at] == "-m" && at + 1 < words.size()) ++at;
    const std::string program = ProgramName(words[at]);
    if (IsShell(program)) {
      TakeShell(words, at, out);
      break;
    }
    if (program == "eval" || program == "pith") {
      const size_t line = program == "eval" ? at + 1 : at + 3;
      const bool takes = program == "eval" || (line < words.size() && words[at + 1] == "run" && words[at + 2] == "-c");
      if (takes && line < words.size()) {
        out.script.emplace();
        for (size_t i = line; i < words.size(); ++i) *out.script += (i > line ? " " : "") + words[i];
        break;
      }
    }
    if (program == "command" && at + 1 < words.size() && (words[at + 1] == "-v" || words[at + 1] == "-V")) break;
    for (const Wrapper& wrapper : kWrappers) {
      if (wrapper.program != program) continue;
      const size_t behind = BehindVerb(words, at, wrapper);
      const size_t wrapped = behind == 0 ? words.size() : Wrapped(words, behind, wrapper);
      if (wrapped >= words.size()) continue;
      if (wrapper.joined) {
        out.script.emplace();
        for (size_t i = wrapped; i < words.size(); ++i) *out.script += (i > wrapped ? " " : "") + words[i];
        return out;
      }
      at = wrapped;
      moved = true;
      break;
    }
    if (!moved) {
      const size_t behind = BehindInterpreter(words, at, program);
      moved = behind != at;
      at = behind;
    }
  }
  if (out.script) return out;
  if (out.argv.empty() && at < words.size()) {
    out.argv.assign(std::make_move_iterator(words.begin() + static_cast<ptrdiff_t>(at)),
                    std::make_move_iterator(words.end()));
  }
  if (!out.argv.empty()) out.argv[0] = ProgramName(out.argv[0]);
  return out;
}

std::vector<std::string_view> Operands(const std::vector<std::string>& argv, size_t limit) {
  std::vector<std::string_view> operands;
  if (argv.empty()) return operands;
  std::string_view leading;
  for (const LeadingOptions& row : kLeadingOptions) {
    if (row.program == argv[0]) leading = row.valued;
  }
  for (size_t i = 1; i < argv.size() && operands.size() < limit; ++i) {
    const std::string& word = argv[i];
    if (word == "--") continue;
    if (IsOption(word)) {
      if (Holds(leading, word)) ++i;
    } else if (!(argv[0] == "cargo" && word[0] == '+') && !word.empty()) {
      operands.push_back(word);
    }
  }
  return operands;
}

}  // namespace pith
