#include "base/secrets.h"

#include <doctest/doctest.h>

namespace pith {
namespace {

std::string NameOf(const SecretRow* row) { return row ? std::string(row->name) : std::string(); }
std::string OfWords(std::vector<std::string> words) { return NameOf(SecretWords(words)); }

}  // namespace

TEST_CASE("commands that print secrets are known by their words, wherever options stand between") {
  CHECK(OfWords({"env"}) == "env");
  CHECK(OfWords({"/usr/bin/printenv", "HOME"}) == "env");
  CHECK(OfWords({"aws", "--region", "eu-west-1", "secretsmanager", "get-secret-value", "--secret-id", "x"}) == "aws");
  CHECK(OfWords({"gh", "auth", "token"}) == "gh");
  CHECK(OfWords({"kubectl", "-n", "prod", "get", "secret/db", "-o", "yaml"}) == "kubectl");
  CHECK(OfWords({"vault", "kv", "get", "secret/db"}) == "vault");
  CHECK(OfWords({"op", "read", "op://a/b"}) == "1password");
  CHECK(OfWords({"git", "credential", "fill"}) == "git-credential");
}

TEST_CASE("their harmless relatives are not") {
  CHECK(OfWords({"set", "-e"}) == "");
  CHECK(OfWords({"export", "A=1"}) == "");
  CHECK(OfWords({"aws", "s3", "ls"}) == "");
  CHECK(OfWords({"gh", "pr", "list"}) == "");
  CHECK(OfWords({"kubectl", "get", "pods"}) == "");
  CHECK(OfWords({"make"}) == "");
  CHECK(OfWords({}) == "");
}

TEST_CASE("viewers of secret files are known by the file") {
  CHECK(OfWords({"cat", ".env"}) == "dotenv");
  CHECK(OfWords({"head", "-n", "5", "deploy/.env.production"}) == "dotenv");
  CHECK(OfWords({"grep", "KEY", "/home/u/.aws/credentials"}) == "credentials");
  CHECK(OfWords({"git", "show", "HEAD:config/id_rsa"}) == "private-key");
  CHECK(OfWords({"ls", "-l", ".env"}) == "");
  CHECK(OfWords({"cat", "README.md"}) == "");
}

TEST_CASE("files are known by name or folder, examples of them are not") {
  for (const char* path : {".env", "/a/.env.local", "a/server.key", "cert.pem", "/home/u/.ssh/id_ed25519", ".netrc",
                           "/home/u/.kube/config", "/proc/self/environ", "/etc/shadow", "x/terraform.tfstate"}) {
    CAPTURE(path);
    CHECK(SecretPath(path) != nullptr);
  }
  for (const char* path : {".env.example", "env", "id_rsa.pub", "src/config", "environ", "a/shadow", "key.cc", ""}) {
    CAPTURE(path);
    CHECK(SecretPath(path) == nullptr);
  }
}

TEST_CASE("the user allows a row by its name, or all") {
  const SecretRow* row = SecretPath(".env");
  REQUIRE(row);
  CHECK(SecretAllowed(*row, {"dotenv"}));
  CHECK(SecretAllowed(*row, {"*"}));
  CHECK_FALSE(SecretAllowed(*row, {"env"}));
  CHECK_FALSE(SecretAllowed(*row, {}));
}

TEST_CASE("every row has a name and looks at a command or a file") {
  for (const SecretRow& row : SecretTable()) {
    CHECK_FALSE(row.name.empty());
    CHECK(row.program.empty() != row.file.empty());
  }
}

}  // namespace pith
