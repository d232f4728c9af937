// The table is data; what is code is only how a shell line is taken apart far enough to look it up. That need not be a
// shell: quoting, escapes, operators and redirections are enough, and where in doubt a match is the safe side.
#include "base/secrets.h"

#include <algorithm>
#include <array>

namespace pith {
namespace {

constexpr std::array kTable = {
    // Commands that print what they know of secrets.
    SecretRow{"env", "env", "!none", ""},
    SecretRow{"env", "printenv", "", ""},
    SecretRow{"env", "export", "!none", ""},
    SecretRow{"env", "set", "!bare", ""},
    SecretRow{"env", "declare", "!none", ""},
    SecretRow{"aws", "aws", "get-secret-value", ""},
    SecretRow{"aws", "aws", "get-parameter", ""},
    SecretRow{"aws", "aws", "get-parameters", ""},
    SecretRow{"aws", "aws", "get-parameters-by-path", ""},
    SecretRow{"aws", "aws", "get-session-token", ""},
    SecretRow{"aws", "aws", "get-login-password", ""},
    SecretRow{"aws", "aws", "assume-role", ""},
    SecretRow{"aws", "aws", "export-credentials", ""},
    SecretRow{"gcloud", "gcloud", "secrets versions access", ""},
    SecretRow{"gcloud", "gcloud", "print-access-token", ""},
    SecretRow{"gcloud", "gcloud", "print-identity-token", ""},
    SecretRow{"azure", "az", "get-access-token", ""},
    SecretRow{"azure", "az", "keyvault secret show", ""},
    SecretRow{"azure", "az", "keys list", ""},
    SecretRow{"gh", "gh", "auth token", ""},
    SecretRow{"gh", "gh", "auth status --show-token", ""},
    SecretRow{"glab", "glab", "auth token", ""},
    SecretRow{"kubectl", "kubectl", "get secret", ""},
    SecretRow{"kubectl", "kubectl", "get secrets", ""},
    SecretRow{"kubectl", "kubectl", "create token", ""},
    SecretRow{"kubectl", "kubectl", "config view --raw", ""},
    SecretRow{"kubectl", "oc", "get secret", ""},
    SecretRow{"kubectl", "oc", "get secrets", ""},
    SecretRow{"kubectl", "oc", "whoami -t", ""},
    SecretRow{"vault", "vault", "read", ""},
    SecretRow{"vault", "vault", "kv get", ""},
    SecretRow{"vault", "vault", "print token", ""},
    SecretRow{"vault", "vault", "token lookup", ""},
    SecretRow{"1password", "op", "read", ""},
    SecretRow{"1password", "op", "item get", ""},
    SecretRow{"1password", "op", "inject", ""},
    SecretRow{"bitwarden", "bw", "get", ""},
    SecretRow{"bitwarden", "bw", "unlock", ""},
    SecretRow{"lastpass", "lpass", "show", ""},
    SecretRow{"doppler", "doppler", "secrets", ""},
    SecretRow{"heroku", "heroku", "config", ""},
    SecretRow{"heroku", "heroku", "auth:token", ""},
    SecretRow{"fly", "fly", "auth token", ""},
    SecretRow{"pass", "pass", "show", ""},
    SecretRow{"pass", "gopass", "show", ""},
    SecretRow{"sops", "sops", "-d", ""},
    SecretRow{"sops", "sops", "--decrypt", ""},
    SecretRow{"sops", "sops", "decrypt", ""},
    SecretRow{"age", "age", "-d", ""},
    SecretRow{"age", "age", "--decrypt", ""},
    SecretRow{"ansible-vault", "ansible-vault", "view", ""},
    SecretRow{"ansible-vault", "ansible-vault", "decrypt", ""},
    SecretRow{"gpg", "gpg", "--export-secret-keys", ""},
    SecretRow{"gpg", "gpg", "-d", ""},
    SecretRow{"gpg", "gpg", "--decrypt", ""},
    SecretRow{"openssl", "openssl", "genrsa", ""},
    SecretRow{"openssl", "openssl", "genpkey", ""},
    SecretRow{"keychain", "security", "find-generic-password", ""},
    SecretRow{"keychain", "security", "find-internet-password", ""},
    SecretRow{"keychain", "secret-tool", "lookup", ""},
    SecretRow{"git-credential", "git", "credential fill", ""},
    SecretRow{"npm", "npm", "token", ""},
    SecretRow{"docker", "docker", "secret inspect", ""},
    SecretRow{"wireguard", "wg", "genkey", ""},
    SecretRow{"wireguard", "wg", "showconf", ""},
    // Files, by the last part of their path, or by a folder in it.
    SecretRow{"dotenv", "", "", ".env"},
    SecretRow{"dotenv", "", "", ".env.*"},
    SecretRow{"dotenv", "", "", "*.env"},
    SecretRow{"dotenv", "", "", ".envrc"},
    SecretRow{"private-key", "", "", "id_rsa"},
    SecretRow{"private-key", "", "", "id_dsa"},
    SecretRow{"private-key", "", "", "id_ecdsa*"},
    SecretRow{"private-key", "", "", "id_ed25519*"},
    SecretRow{"private-key", "", "", "*.pem"},
    SecretRow{"private-key", "", "", "*.key"},
    SecretRow{"private-key", "", "", "*.p12"},
    SecretRow{"private-key", "", "", "*.pfx"},
    SecretRow{"private-key", "", "", "*.jks"},
    SecretRow{"private-key", "", "", "*.keystore"},
    SecretRow{"private-key", "", "", "*.kdbx"},
    SecretRow{"private-key", "", "", "*.ppk"},
    SecretRow{"private-key", "", "", "private-keys-v1.d/"},
    SecretRow{"credentials", "", "", ".netrc"},
    SecretRow{"credentials", "", "", "_netrc"},
    SecretRow{"credentials", "", "", ".pgpass"},
    SecretRow{"credentials", "", "", ".my.cnf"},
    SecretRow{"credentials", "", "", ".npmrc"},
    SecretRow{"credentials", "", "", ".pypirc"},
    SecretRow{"credentials", "", "", ".git-credentials"},
    SecretRow{"credentials", "", "", ".htpasswd"},
    SecretRow{"credentials", "", "", ".vault-token"},
    SecretRow{"credentials", "", "", ".boto"},
    SecretRow{"credentials", "", "", "kubeconfig"},
    SecretRow{"credentials", "", "", "credentials"},
    SecretRow{"credentials", "", "", "credentials.json"},
    SecretRow{"credentials", "", "", "credentials.toml"},
    SecretRow{"credentials", "", "", "client_secret*.json"},
    SecretRow{"credentials", "", "", "service-account*.json"},
    SecretRow{"credentials", "", "", "secrets.yml"},
    SecretRow{"credentials", "", "", "secrets.yaml"},
    SecretRow{"credentials", "", "", "secrets.json"},
    SecretRow{"credentials", "", "", "secrets.toml"},
    SecretRow{"credentials", "", "", "*.tfstate"},
    SecretRow{"credentials", "", "", "*.tfvars"},
    SecretRow{"credentials", "", "", ".kube/config"},
    SecretRow{"credentials", "", "", ".docker/config.json"},
    SecretRow{"credentials", "", "", "gh/hosts.yml"},
    SecretRow{"shadow", "", "", "shadow"},
    SecretRow{"shadow", "", "", "gshadow"},
    SecretRow{"environ", "", "", "environ"},
};

// Endings of file names that say "an example, not the thing".
constexpr std::array<std::string_view, 6> kExamples = {".example", ".sample", ".template", ".dist", ".md", ".pub"};

// Programs that print what files hold.
constexpr std::array<std::string_view, 31> kViewers = {
    "cat",   "head",  "tail", "less", "more", "bat",     "batcat", "nl",   "sed",     "awk",    "grep",
    "egrep", "fgrep", "rg",   "ag",   "ack",  "strings", "xxd",    "od",   "hexdump", "base64", "base32",
    "jq",    "yq",    "tac",  "sort", "cut",  "diff",    "paste",  "fold", "openssl"};

// Programs that run the words behind them.
constexpr std::array<std::string_view, 16> kWrappers = {"sudo",  "doas",   "time",    "timeout", "nice",    "ionice",
                                                        "nohup", "stdbuf", "command", "exec",    "builtin", "xargs",
                                                        "rtk",   "pith",   "chronic", "setsid"};
constexpr std::array<std::string_view, 6> kShells = {"sh", "bash", "zsh", "dash", "ksh", "fish"};

template <typename List>
bool Contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string_view LastPart(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// `*` stands for any run of bytes; at most one in a pattern.
bool MatchesPattern(std::string_view name, std::string_view pattern) {
  size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  std::string_view before = pattern.substr(0, star), after = pattern.substr(star + 1);
  return name.size() >= before.size() + after.size() && name.starts_with(before) && name.ends_with(after);
}

bool MatchesFile(std::string_view path, std::string_view pattern) {
  if (pattern.ends_with('/')) return path.find("/" + std::string(pattern)) != std::string_view::npos;
  if (pattern.find('/') != std::string_view::npos) return path == pattern || path.ends_with("/" + std::string(pattern));
  return MatchesPattern(LastPart(path), pattern);
}

bool MatchesWords(std::span<const std::string> arguments, std::string_view pattern) {
  if (pattern.empty()) return true;
  if (pattern == "!bare") return arguments.empty();
  if (pattern == "!none") {
    return std::all_of(arguments.begin(), arguments.end(),
                       [](const std::string& word) { return word.starts_with('-'); });
  }
  size_t at = 0;
  while (!pattern.empty()) {
    size_t cut = pattern.find(' ');
    std::string_view wanted = pattern.substr(0, cut);
    pattern = cut == std::string_view::npos ? std::string_view() : pattern.substr(cut + 1);
    while (at < arguments.size() && arguments[at] != wanted && !arguments[at].starts_with(std::string(wanted) + "/"))
      ++at;
    if (at == arguments.size()) return false;
    ++at;
  }
  return true;
}

bool IsAssignment(std::string_view word) {
  size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<ptrdiff_t>(equals), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Words of a line, one list a command. Quotes and backslashes are taken off; operators end a command.
std::vector<std::vector<std::string>> CommandsOf(std::string_view line) {
  std::vector<std::vector<std::string>> commands(1);
  std::string word;
  bool in_word = false;
  auto end_word = [&] {
    if (in_word) commands.back().push_back(std::move(word));
    word.clear();
    in_word = false;
  };
  char quote = 0;
  for (size_t at = 0; at < line.size(); ++at) {
    char c = line[at];
    if (quote) {
      if (c == quote)
        quote = 0;
      else if (c == '\\' && quote == '"' && at + 1 < line.size())
        word += line[++at];
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == '\\' && at + 1 < line.size()) {
      word += line[++at];
      in_word = true;
    } else if (c == ';' || c == '|' || c == '&' || c == '\n' || c == '(' || c == ')' || c == '`' || c == '{' ||
               c == '}') {
      end_word();
      if (!commands.back().empty()) commands.emplace_back();
    } else if (c == ' ' || c == '\t' || c == '<' || c == '>') {
      end_word();
      if (c == '<' && !commands.back().empty()) commands.back().emplace_back("<");
    } else {
      word += c;
      in_word = true;
    }
  }
  end_word();
  return commands;
}

const SecretRow* SecretFileShown(std::span<const std::string> words) {
  bool viewer = Contains(kViewers, LastPart(words.front()));
  for (size_t at = 1; at < words.size(); ++at) {
    bool redirected = words[at - 1] == "<";
    if (!viewer && !redirected) continue;
    if (words[at].starts_with('-')) continue;
    if (const SecretRow* row = SecretPath(words[at])) return row;
  }
  // git show rev:path prints a file too.
  if (LastPart(words.front()) == "git") {
    for (const std::string& word : words.subspan(1)) {
      size_t colon = word.find(':');
      if (colon == std::string::npos) continue;
      if (const SecretRow* row = SecretPath(std::string_view(word).substr(colon + 1))) return row;
    }
  }
  return nullptr;
}

const SecretRow* SecretIn(std::span<const std::string> words, int depth);

const SecretRow* SecretInLine(std::string_view line, int depth) {
  for (const std::vector<std::string>& words : CommandsOf(line)) {
    if (const SecretRow* row = SecretIn(words, depth)) return row;
  }
  return nullptr;
}

const SecretRow* SecretIn(std::span<const std::string> words, int depth) {
  bool of_env = false;  // `env VAR=1 prog` runs prog, bare `env` prints
  while (!words.empty()) {
    std::string_view program = LastPart(words.front());
    if (IsAssignment(words.front())) {
      words = words.subspan(1);
    } else if (Contains(kWrappers, program) && words.size() > 1) {
      words = words.subspan(1);
      while (words.size() > 1 && (words.front().starts_with('-') ||
                                  (words.front()[0] >= '0' && words.front()[0] <= '9') || words.front() == "run")) {
        words = words.subspan(1);
      }
    } else if (program == "env" && words.size() > 1 && !words[1].starts_with('-') && !of_env) {
      size_t rest = 1;
      while (rest < words.size() && IsAssignment(words[rest])) ++rest;
      if (rest == words.size()) return SecretWords(words.first(1));  // only assignments: it prints the environment
      of_env = true;
      words = words.subspan(rest);
    } else {
      break;
    }
  }
  if (words.empty()) return nullptr;
  if (depth < 4 && Contains(kShells, LastPart(words.front()))) {
    for (size_t at = 1; at + 1 < words.size(); ++at) {
      if (words[at].starts_with('-') && words[at].ends_with('c')) return SecretInLine(words[at + 1], depth + 1);
    }
  }
  return SecretWords(words);
}

}  // namespace

std::span<const SecretRow> SecretTable() { return kTable; }

const SecretRow* SecretPath(std::string_view path) {
  std::string_view name = LastPart(path);
  for (std::string_view ending : kExamples) {
    if (name.ends_with(ending)) return nullptr;
  }
  for (const SecretRow& row : kTable) {
    if (row.file.empty()) continue;
    if (row.name == "environ" && !path.starts_with("/proc/")) continue;
    if (row.name == "shadow" && !path.starts_with("/etc/")) continue;
    if (MatchesFile(path, row.file)) return &row;
  }
  return nullptr;
}

const SecretRow* SecretWords(std::span<const std::string> words) {
  if (words.empty() || words.front().empty()) return nullptr;
  std::string_view program = LastPart(words.front());
  for (const SecretRow& row : kTable) {
    if (!row.program.empty() && row.program == program && MatchesWords(words.subspan(1), row.words)) return &row;
  }
  return SecretFileShown(words);
}

const SecretRow* SecretCommand(std::string_view line) { return SecretInLine(line, 0); }

bool SecretAllowed(const SecretRow& row, const std::vector<std::string>& allowed) {
  return std::any_of(allowed.begin(), allowed.end(),
                     [&](const std::string& name) { return name == "*" || name == row.name; });
}

}  // namespace pith
