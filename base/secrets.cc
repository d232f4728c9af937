// The table is data. A row that matches too much costs one view; a row that matches too little puts a secret on disk:
// so words may stand apart, and a viewer is taken to show every file that it names.
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
    SecretRow{"env", "systemctl", "show-environment", ""},
    SecretRow{"env", "direnv", "export", ""},
    SecretRow{"env", "ps", "e", ""},  // BSD options: processes with their environment
    SecretRow{"env", "ps", "eww", ""},
    SecretRow{"env", "ps", "axe", ""},
    SecretRow{"env", "ps", "auxe", ""},
    SecretRow{"env", "ps", "auxeww", ""},
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

// Programs that print what files hold, or can be told to.
constexpr std::array<std::string_view, 38> kViewers = {
    "dd",   "cp",   "tar",  "bsdtar",  "unzip", "7z",    "find",    "cat",    "head",   "tail",
    "less", "more", "bat",  "batcat",  "nl",    "sed",   "awk",     "grep",   "egrep",  "fgrep",
    "rg",   "ag",   "ack",  "strings", "xxd",   "od",    "hexdump", "base64", "base32", "jq",
    "yq",   "tac",  "sort", "cut",     "diff",  "paste", "fold",    "openssl"};

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

// "secret" in "secret", "secret/name", "cm,secret".
bool IsWanted(std::string_view argument, std::string_view wanted) {
  for (size_t at = 0; at <= argument.size();) {
    const size_t comma = std::min(argument.find(',', at), argument.size());
    const std::string_view part = argument.substr(at, comma - at);
    if (part == wanted || (part.starts_with(wanted) && part.substr(wanted.size()).starts_with('/'))) return true;
    at = comma + 1;
  }
  return false;
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
    while (at < arguments.size() && !IsWanted(arguments[at], wanted)) ++at;
    if (at == arguments.size()) return false;
    ++at;
  }
  return true;
}

const SecretRow* SecretFileShown(std::span<const std::string> words) {
  const std::string_view program = LastPart(words.front());
  const bool shows_json = program.starts_with("python") && Contains(words, "json.tool");
  // git prints a file's text in diffs, logs and as `git show rev:path`.
  if (!Contains(kViewers, program) && program != "git" && !shows_json) return nullptr;
  for (const std::string& word : words.subspan(1)) {
    if (word.starts_with('-')) continue;
    if (const SecretRow* row = SecretPath(word)) return row;
    const size_t mark = word.find_first_of(program == "git" ? ":" : "=");  // rev:path, if=path
    if (mark == std::string::npos) continue;
    if (const SecretRow* row = SecretPath(std::string_view(word).substr(mark + 1))) return row;
  }
  return nullptr;
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

bool SecretAllowed(const SecretRow& row, const std::vector<std::string>& allowed) {
  return std::any_of(allowed.begin(), allowed.end(),
                     [&](const std::string& name) { return name == "*" || name == row.name; });
}

}  // namespace pith
