#!/usr/bin/env python3
"""Records outputs of real tools on a small project made for this purpose, faults in it, as test data of the command rules.

usage: tests/data/outputs/record.py PITH [NAME ...]      all recipes, or those named; a tool that is not installed is left out

Writes NAME.txt for each (standard output and standard error as they came, folder, host and user made neutral) and its row in
compact/rules/outputs.json: rule, tool with its version, command, exit code, and the texts that a view of it must keep.
"""
import json, os, pathlib, pwd, re, shutil, socket, subprocess, sys, tempfile

import packaged

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = os.environ.get("RECORD_TOOLS")  # a folder of npm's and pip's tools, see packaged.py
MANIFEST = HERE.parents[2] / "compact/rules/outputs.json"
FILES = {
    "bad.c": "#include <stdio.h>\n#include <string.h>\n\nstatic int unused(int a) { return a; }\n\nint total(const char *text) {\n  int sum = 0;\n"
             "  for (int i = 0; i < strlen(text); i++) sum += text[i];\n  return sum\n}\n\nint main(void) {\n  char *name = 42;\n"
             "  printf(\"%s\\n\", total(name));\n  undeclared(name);\n}\n",
    "bad.cc": "#include <map>\n#include <string>\n#include <vector>\n\nstruct Point { int x, y; };\n\nint Sum(const std::vector<Point>& points) {\n"
              "  int sum = 0;\n  for (int i = 0; i < points.size(); ++i) sum += points[i].z;\n  return sum;\n}\n\nint main() {\n"
              "  std::map<Point, int> seen;\n  seen[{1, 2}] = 3;\n  std::string name = 7.5 + nullptr;\n}\n",
    "link.cc": "int missing(int);\nextern int lost;\nint main() { return missing(lost); }\n",
    "crash.c": "#include <stdlib.h>\nstatic void fill(int *at) { *at = 7; }\nint main(void) {\n  int *held = malloc(40), *small = malloc(8);\n  small[3] = 1;\n"
               "  fill(held[1] ? held : 0);\n  return 0;\n}\n",
    "Makefile": "all: ok.o bad.o link\n%.o: %.c\n\t$(CC) -Wall -Wextra -c $< -o $@\nlink: link.cc\n\tg++ link.cc -o link\n",
    "ok.c": "int ok(void) { return 1; }\n",
    "cm/CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(app C)\nfind_package(Nowhere REQUIRED)\nadd_executable(app ../ok.c)\n",
    "nj/build.ninja": "rule cc\n  command = gcc -Wall -c $in -o $out\nbuild ok.o: cc ../ok.c\nbuild bad.o: cc ../bad.c\n",
    "ms/meson.build": "project('app', 'c')\nexecutable('app', 'ok.c', dependencies: dependency('nowhere-lib'))\n",
    "ms/ok.c": "int main(void) { return 0; }\n",
    "app/__init__.py": "",
    "app/core.py": "import os\nimport sys\nfrom typing import List\n\n\ndef slug(text: str) -> str:\n    return '-'.join(text.lower().split(' '))\n\n\n"
                   "def mean(values: List[int]) -> int:\n    total = 0\n    for value in values:\n        total += value\n    return total / len(values)\n\n\n"
                   "def lookup(table, key):\n    unused = 1\n    return tabel[key]\n\n\nclass Store:\n    def put(self, key: str, value: int) -> None:\n"
                   "        self.items[key] = value\n",
    "tests/test_core.py": "import pytest\nfrom app.core import mean, slug, lookup\n\n\n@pytest.mark.parametrize('n', range(40))\ndef test_many(n):\n    assert n >= 0\n\n\n"
                          "def test_slug():\n    assert slug('Two  blanks') == 'two-blanks'\n\n\ndef test_mean_of_none():\n    assert mean([]) == 0\n\n\n"
                          "def test_lookup():\n    assert lookup({'a': 1}, 'a') == 1\n\n\n@pytest.mark.skip(reason='needs a network')\ndef test_far():\n    pass\n",
    "ut/test_units.py": "import unittest\n\n\nclass Units(unittest.TestCase):\n    def test_rows(self):\n        self.assertCountEqual(['a', 'b'], ['b', 'c'])\n\n"
                        "    def test_text(self):\n        self.assertEqual('one\\ntwo\\n', 'one\\n2\\n')\n\n    def test_raises(self):\n        int('seven')\n"
                        + "".join(f"\n    def test_plain_{i}(self):\n        self.assertTrue({i} >= 0)\n" for i in range(30)),
    "chain.py": "def inner():\n    return {}['missing']\n\n\ndef outer():\n    try:\n        inner()\n    except KeyError as fault:\n"
                "        raise RuntimeError('cannot load the settings') from fault\n\n\nouter()\n",
    "js/a.test.mjs": "import test from 'node:test';\nimport assert from 'node:assert';\n" + "".join(f"test('plain {i}', () => {{}});\n" for i in range(30)) +
                     "test('adds', () => { assert.strictEqual(1 + 1, 3); });\ntest('throws', () => { null.x; });\ntest.skip('later', () => {});\n",
    "js/crash.js": "function load(name) {\n  return JSON.parse('{bad ' + name);\n}\nload('settings');\n",
    "go.mod": "module example.com/app\n\ngo 1.21\n",
    "shape/shape.go": "package shape\n\nimport \"fmt\"\n\nfunc Area(w, h int) int { return w + h }\n\nfunc Name(n int) string { return fmt.Sprintf(\"%d%d\", n) }\n",
    "shape/shape_test.go": "package shape\n\nimport \"testing\"\n\nfunc TestArea(t *testing.T) {\n\tif got := Area(3, 4); got != 12 {\n\t\tt.Errorf(\"Area(3, 4) = %d, want 12\", got)\n\t}\n}\n\n"
                           "func TestBoom(t *testing.T) {\n\tvar m map[string]int\n\tm[\"a\"] = 1\n}\n\n" +
                           "".join(f"func TestPlain{i}(t *testing.T) {{}}\n" for i in range(25)),
    "broken/broken.go": "package broken\n\nfunc Use() int {\n\tx := missing()\n\tvar y string = 3\n\treturn z\n}\n",
    "rs/Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    "rs/src/lib.rs": "pub fn area(w: u32, h: u32) -> u32 {\n    w + h\n}\n\npub fn first(list: &Vec<i32>) -> i32 {\n    let unused = 1;\n    return list[0];\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n"
                     "    #[test]\n    fn areas() {\n        assert_eq!(area(3, 4), 12);\n    }\n    #[test]\n    fn firsts() {\n        assert_eq!(first(&vec![]), 1);\n    }\n"
                     + "".join(f"    #[test]\n    fn plain_{i}() {{}}\n" for i in range(25)) + "}\n",
    "rb/Cargo.toml": "[package]\nname = \"broken\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    "rb/src/main.rs": "struct Held<'a>(&'a str);\n\nfn main() {\n    let held: Held;\n    {\n        let text = String::from(\"short\");\n        held = Held(&text);\n    }\n    println!(\"{}\", held.0);\n"
                      "    let n: u32 = \"seven\";\n    missing(n);\n}\n",
    "jv/A.java": "import java.util.*;\n\npublic class A {\n  int size(String text) { return text; }\n\n  List raw() { return new ArrayList(); }\n\n  public static void main(String[] args) {\n    Strin name = args[0];\n  }\n}\n",
    "run.sh": "#!/bin/sh\nfor f in $(ls *.c); do\n  echo $f\n  cp $f $TARGET/\ndone\nif [ $1 == yes ]; then cd /tmp; fi\nread answer\n",
    "ci.yaml": "jobs:\n  build:\n    steps:\n      - run: make\n       - run: test\n    name: x\n    name: y\nlong: " + "word " * 40 + "\n",
    "t.bats": "".join(f"@test \"plain {i}\" {{\n  true\n}}\n" for i in range(15)) + "@test \"sums\" {\n  run expr 1 + 1\n  [ \"$output\" = 3 ]\n}\n@test \"later\" {\n  skip \"not yet\"\n}\n",
    "pl/t/a.t": "use Test::More tests => 22;\nok(1, \"plain $_\") for 1 .. 20;\nis('trim-', 'trim', 'no dash at the end');\nok(0, 'fails');\n",
    "pl/Bad.pm": "package Bad;\nsub load { my $name = shift; eval \"require $name\"; open(F, $name); return undef; }\n1;\n",
    "spec/cart_spec.rb": "class Cart\n  def total(prices) = prices.sum\nend\n\nRSpec.describe Cart do\n" + "".join(f"  it('holds {i}') {{ expect({i}).to be >= 0 }}\n" for i in range(20)) +
                         "  it('sums') { expect(Cart.new.total([1, 2])).to eq(4) }\n  it('has no tax') { Cart.new.tax }\n  xit('ships') { }\nend\n",
    "cart.rb": "class cart\n  def Total prices\n    x = 1\n    return prices.inject { |a, b| a + b }\n  end\n",
    "style.rb": "def Total prices\n  x = 1\n  if prices.size == 0 then return nil end\n  return prices.inject { |a,b| a + b }\nend\n",
    "CartTest.php": "<?php\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class CartTest extends TestCase {\n" + "".join(f"  public function testPlain{i}(): void {{ $this->assertTrue(true); }}\n" for i in range(20)) +
                    "  public function testSum(): void { $this->assertSame(4, array_sum([1, 2])); }\n  public function testLoad(): void { throw new RuntimeException('no such cart'); }\n}\n",
    "bad.php": "<?php\nfunction total(array $prices) {\n  return array_sum($prices)\n}\n",
    "app.lua": "local unused = 1\nfunction total(prices)\n  local sum = 0\n  for i, price in ipairs(prices) do sum = sum + prize end\n  retrun sum\nend\n",
    "style.lua": "local unused = 1\nfunction total(prices)\n  local sum = 0\n  for i, price in ipairs(prices) do sum = sum + prize end\n  return sum\nend\n",
    "play.yml": "- hosts: localhost\n  gather_facts: false\n  connection: local\n  tasks:\n    - name: make a folder\n      file: {path: /tmp/record-play, state: directory}\n"
                "    - name: ask for a file\n      command: cat /no/such/file\n      ignore_errors: true\n    - name: stop here\n      fail: {msg: the release is not signed}\n    - name: never reached\n      debug: {msg: hello}\n",
    "tf/main.tf": "variable \"region\" {\n  type = string\n}\n\noutput \"name\" {\n  value = local.missing\n}\n\noutput \"size\" {\n  value = var.sise\n}\n",
    "ex/mix.exs": "defmodule App.MixProject do\n  use Mix.Project\n  def project, do: [app: :app, version: \"0.1.0\"]\nend\n",
    "ex/lib/app.ex": "defmodule App do\n  def total(prices), do: Enum.sum(prices)\nend\n",
    "ex/test/test_helper.exs": "ExUnit.start(seed: 0)\n",
    "ex/test/app_test.exs": "defmodule AppTest do\n  use ExUnit.Case\n" + "".join(f"  test \"plain {i}\", do: assert {i} >= 0\n" for i in range(20)) +
                            "  test \"sums\", do: assert App.total([1, 2]) == 4\n  test \"raises\" do\n    raise \"no such cart\"\n  end\nend\n",
    "pom.xml": "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version><packaging>jar</packaging>"
               "<dependencies><dependency><groupId>no.such</groupId><artifactId>thing</artifactId></dependency></dependencies></project>\n",
    "data.json": json.dumps([{"id": i, "name": f"worker-{i}", "state": "failed" if i == 37 else "ready", "load": i * 7 % 100} for i in range(120)]),
    "old.txt": "".join(f"line {i}\n" for i in range(60)),
    "new.txt": "".join(f"line {i}\n" if i != 31 else "line thirty-one\n" for i in range(60)),
}
SETUP = """
git init -q -b main . && git config user.email dev@example.com && git config user.name Dev
printf 'nj/*.o\\n*.o\\nlink\\ncrash\\ntarget/\\n_build/\\n__pycache__/\\n' > .gitignore
git add -A && git commit -qm 'The project as it is'
for i in $(seq 1 60); do echo "change $i" >> notes.md; git add -A; git commit -qm "Note number $i of the long list"; done
git checkout -qb topic HEAD~3 && echo topic > old.txt && git commit -qam 'Topic: another beginning' && git checkout -q main
git tag v1.0 && sed -i 's/line 31/LINE 31/' old.txt && git mv ok.c good.c && git mv good.c ok.c && echo draft > draft.txt && rm -f chain.md
"""
# name, what prints the version, the command (its rule is found by Pith), texts that every view of it must keep
RECIPES = [
    ("gcc", "gcc --version", "gcc -Wall -Wextra -c bad.c", ["bad.c:9:13: error:", "undeclared", "bad.c:13:16: warning:"]),
    ("gxx", "g++ --version", "g++ -std=c++20 -Wall -c bad.cc", ["bad.cc:9:", "has no member named"]),
    ("gxx_link", "g++ --version", "g++ link.cc -o link", ["undefined reference to `missing(int)'", "undefined reference to `lost'"]),
    ("clang", "clang --version", "clang -Wall -Wextra -c bad.c", ["bad.c:9:13: error: expected ';'", "bad.c:15:3: warning: implicit declaration"]),
    ("make", "make --version", "make -k all", ["bad.c:9:13: error:", "undefined reference to `missing(int)'", "make: Target 'all' not remade"]),
    ("cmake", "cmake --version", "cmake -S cm -B cm/out", ["Could not find a package configuration file provided by \"Nowhere\"", "Configuring incomplete, errors occurred!"]),
    ("ninja", "ninja --version", "ninja -C nj", ["bad.c:9:13: error:", "ninja: build stopped: subcommand failed."]),
    ("meson", "meson --version", "meson setup ms/out ms", ["ERROR: Dependency \"nowhere-lib\" not found"]),
    ("go_build", "go version", "go build ./...", ["broken/broken.go:4:7: undefined: missing", "broken/broken.go:6:9: undefined: z"]),
    ("go_vet", "go version", "go vet ./shape", ["shape/shape.go:7:"]),
    ("go_test", "go version", "go test -vet=off ./shape", ["--- FAIL: TestArea", "Area(3, 4) = 7, want 12", "panic: assignment to entry in nil map"]),
    ("cargo_build", "cargo --version", "cargo build --manifest-path rb/Cargo.toml", ["error[E0308]: mismatched types", "src/main.rs:10:18", "error[E0425]"]),
    ("cargo_test", "cargo --version", "cargo test --manifest-path rs/Cargo.toml", ["tests::areas", "tests::firsts", "left: 7", "test result: FAILED. 25 passed; 2 failed"]),
    ("javac", "javac -version", "javac -Xlint:all -d jv/out jv/A.java", ["jv/A.java:4: error: incompatible types", "cannot find symbol"]),
    ("mvn", "mvn --version", "mvn -B -o compile", ["'dependencies.dependency.version' for no.such:thing:jar is missing", "BUILD FAILURE|1 error"]),
    ("pytest", "python3 -m pytest --version", "python3 -m pytest -p no:cacheprovider tests", ["test_slug", "test_mean_of_none", "NameError: name 'tabel' is not defined", "3 failed, 40 passed, 1 skipped"]),
    ("pytest_verbose", "python3 -m pytest --version", "python3 -m pytest -v -p no:cacheprovider tests", ["FAILED tests/test_core.py::test_lookup", "3 failed, 40 passed, 1 skipped"]),
    ("unittest", "python3 --version", "python3 -m unittest ut/test_units.py", ["FAIL: test_rows", "FAIL: test_text", "ERROR: test_raises", "First has 1, Second has 0:  'a'", "FAILED (failures=2, errors=1)"]),
    ("python", "python3 --version", "python3 chain.py", ["KeyError: 'missing'", "RuntimeError: cannot load the settings"]),
    ("node_test", "node --version", "node --test js/a.test.mjs", ["adds", "throws", "Cannot read properties of null"]),
    ("node", "node --version", "node js/crash.js", ["SyntaxError:"]),
    ("bats", "bats --version", "bats t.bats", ["not ok 16 sums", "t.bats, line 48"]),
    ("prove", "prove --version", "prove pl/t", ["Failed test 'no dash at the end'", "Failed test 'fails'", "Result: FAIL"]),
    ("rspec", "rspec --version", "rspec spec", ["expected: 4", "got: 3", "undefined method `tax'", "23 examples, 2 failures, 1 pending"]),
    ("phpunit", "phpunit --version", "phpunit CartTest.php", ["CartTest::testSum", "CartTest::testLoad", "no such cart", "Tests: 22, Assertions: 21, Errors: 1, Failures: 1"]),
    ("mix_test", "mix --version | tail -n 1", "sh -c 'cd ex && mix test'", ["test sums (AppTest)", "test raises (AppTest)", "no such cart", "22 tests, 2 failures"]),
    ("shellcheck", "shellcheck --version | sed -n 2p", "shellcheck run.sh", ["SC2045", "SC2086", "SC3014"]),
    ("cppcheck", "cppcheck --version", "cppcheck --enable=all --suppress=missingIncludeSystem bad.c ok.c crash.c", ["crash.c:5:8: error:", "nullPointer|arrayIndexOutOfBounds"]),
    ("clang_tidy", "clang-tidy --version | sed -n 1p", "clang-tidy --checks=bugprone-*,readability-* bad.cc -- -std=c++20", ["bad.cc:9:", "no member named 'z' in 'Point'"]),
    ("yamllint", "yamllint --version", "yamllint ci.yaml", ["5:8", "syntax error"]),
    ("flake8", "flake8 --version", "flake8 app", ["app/core.py:1:1: F401", "app/core.py:19:12: F821 undefined name 'tabel'"]),
    ("pylint", "pylint --version", "pylint app", ["E0602: Undefined variable 'tabel'", "W0612: Unused variable 'unused'", "Your code has been rated"]),
    ("mypy", "mypy --version", "mypy app", ["app/core.py:14: error: Incompatible return value type", "app/core.py:24: error: \"Store\" has no attribute", "Found 2 errors in 1 file"]),
    ("black", "black --version", "black --check --diff app", ["1 file would be reformatted|would reformat|unchanged"]),
    ("rubocop", "rubocop --version", "rubocop style.rb", ["style.rb:1:5: C: Naming/MethodName", "1 file inspected"]),
    ("perlcritic", "perlcritic --version", "perlcritic -3 pl/Bad.pm", ["Bareword file handle opened", "Expression form of \"eval\""]),
    ("luacheck", "luacheck --version", "luacheck style.lua", ["accessing undefined variable 'prize'|prize", "Total:"]),
    ("php_lint", "php --version", "php -l bad.php", ["syntax error, unexpected token", "Errors parsing bad.php"]),
    ("ansible", "ansible-playbook --version", "ansible-playbook play.yml", ["the release is not signed", "failed=1"]),
    ("terraform", "terraform version", "terraform -chdir=tf validate", ["Reference to undeclared local value", "Reference to undeclared input variable", "main.tf line 6"]),
    ("git_status", "git --version", "git status", ["modified:   old.txt", "draft.txt"]),
    ("git_log", "git --version", "git log --oneline -n 60", ["Note number 60 of the long list"]),
    ("git_log_long", "git --version", "git log --stat -n 25", ["Note number 60 of the long list", "Author: Dev"]),
    ("git_diff", "git --version", "git diff", ["-line 31", "+LINE 31"]),
    ("git_show", "git --version", "git show HEAD~5", ["Note number 55 of the long list", "+change 55"]),
    ("git_branch", "git --version", "git branch -avv", ["topic", "* main"]),
    ("git_blame", "git --version", "git blame -- notes.md", ["change 60"]),
    ("git_reflog", "git --version", "git reflog", ["checkout: moving from topic to main"]),
    ("git_merge", "git --version", "git merge nowhere", ["merge: nowhere - not something we can merge"]),
    ("diff", "diff --version", "diff -u old.txt new.txt", ["+line thirty-one"]),
    ("grep", "grep --version", "grep -rn sum .  --include=*.py --include=*.go --include=*.c --include=*.cc --include=*.rb", ["bad.c:7:", "bad.cc:8:"]),
    ("git_grep", "git --version", "git grep -n assert", ["ut/test_units.py:"]),
    ("rg", "rg --version", "rg -n plain", ["t.bats"]),
    ("ag", "ag --version", "ag plain", ["t.bats"]),
    ("find", "find --version", "find . -type f -not -path './.git/*' -not -path '*/target/*' -not -path '*/_build/*'", ["./rs/src/lib.rs"]),
    ("ls", "ls --version", "ls -lR app tests js spec pl", ["core.py"]),
    ("tree", "tree --version", "tree rs jv js app", ["directories"]),
    ("du", "du --version", "du -a js app ut spec pl", ["js/a.test.mjs"]),
    ("free", "free --version", "free -m", ["Mem:"]),
    ("stat", "stat --version", "stat bad.c bad.cc link.cc crash.c", ["File: crash.c"]),
    ("tar", "tar --version", "tar tvf all.tar", ["./rs/src/lib.rs"]),
    ("unzip", "unzip -v | sed -n 1p", "unzip -l all.zip", ["files"]),
    ("dpkg", "dpkg --version", "dpkg -l 'libc*'", ["libc-bin"]),
    ("pip_missing", "pip --version", "pip install --no-index --disable-pip-version-check nosuchpackage==9", ["ERROR: No matching distribution found for nosuchpackage==9"]),
    ("jq", "jq --version", "jq . data.json", []),
    ("sqlite", "sqlite3 --version", "sqlite3 -box :memory: 'with recursive n(i) as (select 1 union all select i+1 from n where i<150) select i, i*i as square, \"row \" || i as name from n'", ["square"]),
    ("curl", "curl --version", "curl -sS -v http://127.0.0.1:9/", ["Failed to connect to 127.0.0.1 port 9"]),
    ("wget", "wget --version", "wget -nv http://127.0.0.1:9/x", ["failed: Connection refused"]),
    ("docker", "docker --version", "docker ps -a", ["Cannot connect to the Docker daemon"]),
    ("kubectl", "kubectl version --client", "kubectl get pods", ["was refused"]),
    ("svn", "svn --version", "svn status", ["is not a working copy"]),
    ("gdb", "gdb --version", "gdb -batch -ex run -ex bt ./crash", ["SIGSEGV", "in fill"]),
    ("valgrind", "valgrind --version", "valgrind ./crash", ["Invalid write of size 4", "crash.c:5"]),
    ("strace", "strace --version", "strace -f -e trace=openat cat /no/such/file", ["/no/such/file", "ENOENT"]),
    ("psql", "psql --version", "psql -h 127.0.0.1 -p 9 -c 'select 1'", ["Connection refused"]),
]


def run(command, folder):
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TERM": "dumb", "GIT_PAGER": "cat", "CARGO_TERM_PROGRESS_WHEN": "never",
                   "GIT_AUTHOR_DATE": "2026-01-05T10:00:00 +0000", "GIT_COMMITTER_DATE": "2026-01-05T10:00:00 +0000", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(["sh", "-c", command + " 2>&1"], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def neutral(text, folder):
    names = [(str(folder), "/home/dev/app"), (TOOLS or "/opt/tools", "/opt/tools"), (os.path.expanduser("~"), "/home/dev"), (socket.gethostname(), "host")]
    for name, instead in names:
        text = text.replace(name, instead)
    user = pwd.getpwuid(os.getuid()).pw_name
    return re.sub(rf"\b{re.escape(user)}\b", "dev", text)


def version_of(command, folder):
    """"gcc 12.2.0" of "gcc --version", "pytest 9.2.0" of "python3 -m pytest --version"; None where it cannot be had."""
    code, text = run(command, folder)
    words = command.split()
    found = re.search(r"\d+(\.\d+)+", text)
    return f"{words[2] if words[1] == '-m' else words[0]} {found[0]}" if code == 0 and found else None


def record(pith, recipes, files, wanted, rows):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        if TOOLS and files is not FILES:
            (folder / "node_modules").symlink_to(pathlib.Path(TOOLS) / "node_modules")
        run(SETUP + "\ngcc -g crash.c -o crash; tar cf all.tar ./rs ./js ./ut; python3 -m zipfile -c all.zip rs js ut; rm -rf jv/out", folder)
        for name, version, command, keeps in recipes:
            if wanted and name not in wanted:
                continue
            tool = version_of(version, folder)
            if tool is None or not shutil.which(version.split()[0]):
                print(f"{name}: not installed, left out", file=sys.stderr)
                continue
            code, text = run(command, folder)
            rule = json.loads(subprocess.run([pith, "rules", "--json", command], capture_output=True, check=True).stdout)["rule"]
            (HERE / f"{name}.txt").write_text(neutral(text, folder))
            rows[f"outputs/{name}.txt"] = {"output": f"outputs/{name}.txt", "rule": rule["id"] if rule else None, "tool": tool, "command": command,
                                           "exit_code": code, "keeps": keeps}
            print(f"{name}: {rule['id'] if rule else 'NO RULE'}, exit {code}, {len(text)} bytes, {tool}")


def main():
    pith, wanted = os.path.abspath(sys.argv[1]), set(sys.argv[2:])
    rows = {row["output"]: row for row in json.loads(MANIFEST.read_text())["outputs"]} if MANIFEST.exists() else {}
    record(pith, RECIPES, FILES, wanted, rows)
    record(pith, packaged.RECIPES, {**FILES, **packaged.FILES}, wanted, rows)
    text = ",\n".join("  " + json.dumps(rows[key], ensure_ascii=False) for key in sorted(rows))
    MANIFEST.write_text('{"outputs": [\n' + text + "\n]}\n")


main()
