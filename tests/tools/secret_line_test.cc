#include "tools/secret_line.h"

#include <doctest/doctest.h>

#include <string>

namespace pith {

TEST_CASE("a shell line is secret if any of its commands is") {
  for (const char* line : {"env",
                           "env | sort",
                           "cd x && env",
                           "sudo printenv",
                           "sudo env",
                           "bash -c 'env'",
                           "bash -lc \"cd a; printenv\"",
                           "cat .env",
                           "cat < .env",
                           "A=1 cat config/.env | grep KEY",
                           "make; gh auth token",
                           "timeout 5 kubectl get secret x",
                           "(cat ~/.ssh/id_rsa)",
                           "git show HEAD:.env",
                           "kubectl get cm,secret -o yaml",
                           "git diff .env",
                           "git log -p -- .env",
                           "find . -name .env -exec cat {} +",
                           "dd if=.env",
                           "cp .env /dev/stdout",
                           "tar xOf x.tar .env",
                           "unzip -p x.zip .env",
                           "ps eww",
                           "systemctl show-environment",
                           "direnv export json",
                           "python3 -m json.tool service-account.json"}) {
    CAPTURE(line);
    CHECK(SecretLine(line) != nullptr);
  }
}

TEST_CASE("a line is not secret for a word that looks like one") {
  for (const char* line : {"", "make env", "env A=1 make", "env -i make", "grep -rn environ src", "cat README.md",
                           "set -e; make", "ls .env", "npm run env:check", "python -m venv env", "git log --oneline",
                           "cat < input.txt", "a < b && c << EOF"}) {
    CAPTURE(line);
    CHECK(SecretLine(line) == nullptr);
  }
}

TEST_CASE("a hostile line ends, and soon") {
  std::string deep;
  for (int at = 0; at < 2000; ++at) deep += "bash -c \"";
  SecretLine(deep);
  SecretLine(std::string(1 << 20, '<'));
  SecretLine(std::string(1 << 16, '('));
  CHECK(true);
}

}  // namespace pith
