// Package managers and deployment: what was changed, what is wrong, how it ended; not the waiting.
#include <doctest/doctest.h>

#include <string>

#include "compact/kinds.h"
#include "compact/package/lines.h"
#include "tests/compact/golden.h"

namespace pith {
namespace {

View ViewOf(const std::string& bytes, std::string_view command) {
  Hints hints;
  hints.command = command;
  return Compact(bytes, hints, {});
}

bool Holds(const View& view, std::string_view text) { return view.text.find(text) != std::string::npos; }

TEST_CASE("lines are known for what they are for, behind builders' prefixes too") {
  CHECK(RoleOfPackageLine("Get:1 http://deb.example.org bookworm InRelease") == PackageRole::kProgress);
  CHECK(RoleOfPackageLine("#12 3.456 Unpacking curl (7.88) ...") == PackageRole::kProgress);
  CHECK(RoleOfPackageLine("     \xe2\x94\x81\xe2\x94\x81\xe2\x94\x81 8.0/8.0 MB 285.9 MB/s") == PackageRole::kProgress);
  CHECK(RoleOfPackageLine(" 45% [Working]") == PackageRole::kProgress);
  CHECK(RoleOfPackageLine("####### 45%") == PackageRole::kProgress);
  CHECK(RoleOfPackageLine("aws_instance.web: Still creating... [10s elapsed]") == PackageRole::kProgress);
  CHECK(RoleOfPackageLine("aws_instance.web: Creation complete after 12s") == PackageRole::kChange);
  CHECK(RoleOfPackageLine("Plan: 1 to add, 0 to change, 2 to destroy.") == PackageRole::kVerdict);
  CHECK(RoleOfPackageLine("added 12 packages in 3s") == PackageRole::kVerdict);
  CHECK(RoleOfPackageLine("changed: [web1]") == PackageRole::kChange);
  CHECK(RoleOfPackageLine("ok: [web1]") == PackageRole::kProgress);
  CHECK(RoleOfPackageLine("int main() {") == PackageRole::kNone);
  CHECK(RoleOfPackageLine("") == PackageRole::kNone);
}

TEST_CASE("an installation shows its warnings, its conflict with what explains it, and its end") {
  std::string bytes = "Reading package lists...\nBuilding dependency tree...\n";
  for (int i = 0; i < 200; ++i) {
    const std::string name = "libthing" + std::to_string(i);
    bytes += "Get:" + std::to_string(i) + " http://deb.example.org/debian bookworm/main amd64 " + name +
             " amd64 1.0-1 [12 kB]\n";
    bytes += "Selecting previously unselected package " + name + ".\nPreparing to unpack .../" + name +
             "_1.0-1_amd64.deb ...\n";
    bytes += "Unpacking " + name + " (1.0-1) ...\n";
    if (i == 90) bytes += "dpkg: warning: unable to delete old directory '/etc/thing': Directory not empty\n";
  }
  bytes +=
      "dpkg: error processing package libthing7 (--configure):\n installed libthing7 package post-installation script "
      "subprocess returned error exit status 1\nErrors were encountered while processing:\n libthing7\n"
      "E: Sub-process /usr/bin/dpkg returned an error code (1)\n";
  const View view = ViewOf(bytes, "apt-get install -y things");
  CHECK(view.kind == Kind::kPackage);
  CHECK(view.text.size() * 10 < bytes.size());
  CHECK(Holds(view, "unable to delete old directory '/etc/thing'"));
  CHECK(Holds(view, "dpkg: error processing package libthing7 (--configure):"));
  CHECK(Holds(view, "subprocess returned error exit status 1"));
  CHECK(Holds(view, "\n libthing7\n"));
  CHECK(Holds(view, "E: Sub-process /usr/bin/dpkg returned an error code (1)"));
  CHECK(Holds(view, "progress lines omitted"));
}

TEST_CASE("ansible shows what changed, what failed and its recap") {
  std::string bytes = "PLAY [web] ****\n";
  for (int task = 0; task < 60; ++task) {
    bytes += "\nTASK [step " + std::to_string(task) + "] ****\n";
    for (int host = 0; host < 8; ++host) {
      const std::string name = "web" + std::to_string(host);
      bytes += task == 31 && host == 5   ? "changed: [web5]\n"
               : task == 44 && host == 2 ? "fatal: [web2]: FAILED! => {\"msg\": \"no space left on device\"}\n"
                                         : "ok: [" + name + "]\n";
    }
  }
  bytes += "\nPLAY RECAP ****\n";
  for (int host = 0; host < 8; ++host) {
    bytes += "web" + std::to_string(host) + " : ok=60 changed=" + (host == 5 ? "1" : "0") +
             " unreachable=0 failed=" + (host == 2 ? "1" : "0") + "\n";
  }
  const View view = ViewOf(bytes, "ansible-playbook site.yml");
  CHECK(view.kind == Kind::kPackage);
  CHECK(Holds(view, "changed: [web5]"));
  CHECK(Holds(view, "fatal: [web2]: FAILED!"));
  CHECK(Holds(view, "web2 : ok=60 changed=0 unreachable=0 failed=1"));
  CHECK(Holds(view, "web7"));
  CHECK(Holds(view, "TASK [step 31]"));
  CHECK_FALSE(Holds(view, "TASK [step 30]"));
  CHECK(view.text.size() * 15 < bytes.size() * 2);
}

TEST_CASE("views of real packages are the ones written down") {
  constexpr test::Golden kGoldens[] = {
      {"packages/apt-install.txt", "apt-get install -y cowsay"},
      {"packages/pip-conflict.txt", "pip install flask==2.0.0 werkzeug==1.0.0 jinja2"},
  };
  for (const test::Golden& golden : kGoldens) test::CheckGolden(golden, Kind::kPackage);
}

}  // namespace
}  // namespace pith
