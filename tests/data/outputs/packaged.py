"""Recipes of record.py for tools that come from the registries of npm and pip, and for the package managers themselves.

Put the tools into a folder of their own, whose node_modules and bin stand in PATH, and name it, so that it does not show in outputs:
  npm install --prefix DIR typescript@5.6 eslint@9 jest@29 vitest@2 mocha@10 ava@6 prettier@3 esbuild@0.24 @biomejs/biome@1.9 oxlint@0.15 vite@5 \\
      stylelint@16 markdownlint-cli2@0.14 knip@5
  python3 -m venv DIR/py && DIR/py/bin/pip install ruff pyright bandit codespell sqlfluff isort tox nox coverage pytest mkdocs pycodestyle vulture poetry uv
  RECORD_TOOLS=DIR PATH=DIR/node_modules/.bin:DIR/py/bin:$PATH tests/data/outputs/record.py PITH
"""
FILES = {
    "web/package.json": '{"name": "app", "version": "1.0.0", "private": true, "dependencies": {"nosuch-package-of-ours": "^9.0.0"}}\n',
    "web/tsconfig.json": '{"compilerOptions": {"strict": true, "noEmit": true, "noUnusedLocals": true, "target": "es2022", "module": "es2022", "types": []}, "include": ["*.ts"]}\n',
    "web/cart.ts": "export interface Line { name: string; price: number; count?: number }\n\nexport function total(lines: Line[]): number {\n  let sum = 0;\n  for (const line of lines) sum += line.price * line.count;\n  return sum.toText();\n}\n\n"
                   "export class Cart {\n  private lines: Line[] = [];\n  add(line: Line): void { this.lines.push(line, { name: 7, price: 'two' }); }\n  find(name: string): Line { return this.lines.find((l) => l.name === name); }\n}\n",
    "web/page.ts": "import { total, missing } from './cart';\nimport { far } from './nowhere';\n\nconst unused = 1;\nexport const text: string = total([{ name: 'a' }]);\n",
    "web/eslint.config.mjs": "export default [{ files: ['*.js'], rules: { 'no-unused-vars': 'error', 'no-undef': 'error', eqeqeq: 'warn', 'prefer-const': 'error', 'no-unreachable': 'error' } }];\n",
    "web/cart.js": "let rate = 0.2;\nfunction total(lines) {\n  let sum = 0\n  for (const line of lines) { sum += line.price }\n  if (sum == null) return 0;\n  return sum * (1 + rates);\n  debugger;\n}\nvar unused = 1;\nmodule.exports = { total };\n",
    "web/broken.js": "export function total(lines) {\n  return lines.map((line => line.price);\n}\n",
    "web/entry.js": "import { total } from './nowhere.js';\nimport './broken.js';\nconsole.log(total);\n",
    "web/style.css": "a { color: #FFFFFF; colr: red; }\n.b { margin: 0px; margin: 1px; }\na { color: red }\n.c { }\n",
    "web/.stylelintrc.json": '{"rules": {"color-hex-length": "short", "property-no-unknown": true, "block-no-empty": true, "no-duplicate-selectors": true, "declaration-block-no-duplicate-properties": true}}\n',
    "web/index.html": '<!doctype html><script type="module" src="./entry.js"></script>\n',
    "web/notes.md": "# Notes\n### Deeper\n* one\n- two\n\n\n\nA line with a bare http://example.com and trailing blanks   \n",
    "web/jest/cart.test.js": "const total = (prices) => prices.reduce((a, b) => a + b, 0);\n\ndescribe('cart', () => {\n" + "".join(f"  test('holds {i}', () => expect({i}).toBeGreaterThanOrEqual(0));\n" for i in range(30)) +
                            "  test('sums', () => expect(total([1, 2])).toBe(4));\n  test('has lines', () => expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] }));\n  test('loads', () => { throw new Error('no such cart'); });\n  test.skip('ships', () => {});\n});\n",
    "web/jest/broken.test.js": "const store = require('./nowhere');\n\ntest('store', () => expect(store).toBeTruthy());\n",
    "web/jest/good.test.js": "".join(f"test('plain {i}', () => expect({i}).toBe({i}));\n" for i in range(30)),
    "web/jest/package.json": '{"name": "carts", "private": true}\n',
    "web/mocha/cart.js": "const assert = require('assert');\n\ndescribe('cart', () => {\n" + "".join(f"  it('holds {i}', () => {{}});\n" for i in range(30)) +
                         "  it('sums', () => assert.strictEqual(1 + 2, 4));\n  it('has lines', () => assert.deepStrictEqual({ a: [1, 2] }, { a: [1, 3] }));\n  it('loads', () => { throw new Error('no such cart'); });\n  it('waits');\n});\n",
    "web/vitest/cart.test.js": "import { describe, expect, test } from 'vitest';\n\ndescribe('cart', () => {\n" + "".join(f"  test('holds {i}', () => {{ expect({i}).toBe({i}); }});\n" for i in range(30)) +
                              "  test('sums', () => { expect(1 + 2).toBe(4); });\n  test('has lines', () => { expect({ a: [1, 2] }).toEqual({ a: [1, 3] }); });\n  test('loads', () => { throw new Error('no such cart'); });\n  test.skip('ships', () => {});\n});\n",
    "web/ava/cart.test.mjs": "import test from 'ava';\n" + "".join(f"test('holds {i}', (t) => t.pass());\n" for i in range(20)) + "test('sums', (t) => t.is(1 + 2, 4));\ntest('loads', () => { throw new Error('no such cart'); });\ntest.todo('ships');\n",
    "web/ava/package.json": '{"name": "birds", "private": true}\n',
    "web/good/cart.test.js": "".join(f"test('plain {i}', () => expect({i}).toBe({i}));\n" for i in range(40)),
    "web/good/package.json": '{"name": "good", "private": true}\n',
    "messy.py": "import os, sys\nimport subprocess\nfrom json import *\n\ndef f( a,b ):\n    exec(a)\n    password = 'hunter2hunter2'\n    subprocess.call('ls ' + b, shell=True)\n    if a == None :\n        return undefined_name\n    x = lambda: 0\n    try:\n        pass\n    except:\n        pass\n\n# recieve the adress\nassert True\n",
    "query.sql": "SELECT a,b from t WHERE a=1 AND  b in (select c FROM u)\n\nSELECT * FROM t1 JOIN t2 using (id)\norder BY 1\n",
    "site/mkdocs.yml": "site_name: Notes\nnav:\n  - Home: index.md\n  - Gone: gone.md\n",
    "site/docs/index.md": "# Home\n\nSee [the other](other.md) and [a part](index.md#no-such-part).\n",
    "site/docs/orphan.md": "# Orphan\n",
    "tox.ini": "[tox]\nskipsdist = true\nenvlist = ok,bad\n\n[testenv:ok]\nskip_install = true\ncommands = python -c \"print('fine')\"\n\n[testenv:bad]\nskip_install = true\ncommands = python -c \"raise SystemExit(3)\"\n",
    "noxfile.py": "import nox\n\n\n@nox.session(python=False)\ndef good(session):\n    session.run('python3', '-c', 'print(1)')\n\n\n@nox.session(python=False)\ndef bad(session):\n    session.run('python3', '-c', 'raise SystemExit(3)')\n",
}
RECIPES = [
    ("tsc", "tsc --version", "tsc -p web", ["web/cart.ts(6,14): error TS2339", "web/cart.ts(11,60): error TS2322", "Cannot find module './nowhere'"]),
    ("tsc_pretty", "tsc --version", "tsc -p web --pretty", ["TS2322", "Cannot find module './nowhere'", "Found "]),
    ("eslint", "eslint --version", "cd web && eslint cart.js", ["6:21", "'rates' is not defined", "problems ("]),
    ("oxlint", "oxlint --version", "oxlint web/cart.js web/broken.js", ["no-debugger", "web/cart.js:7:3", "Expected `,` but found `;`", "web/broken.js:2:40", "Found 3 warnings and 1 error."]),
    ("biome", "biome --version", "biome check web/cart.js web/broken.js", ["web/cart.js:7:3 lint/suspicious/noDebugger", "lint/correctness/noUnreachable", "web/broken.js:2:40 parse", "Found "]),
    ("prettier", "prettier --version", "prettier --check web", ["broken.js: SyntaxError", "cart.js"]),
    ("stylelint", "stylelint --version", "stylelint web/style.css", ["color-hex-length|#FFFFFF", "property-no-unknown", "block-no-empty"]),
    ("markdownlint", "markdownlint-cli2 --version", "markdownlint-cli2 web/notes.md", ["web/notes.md:2 MD001", "Summary: "]),
    ("knip", "knip --version", "cd web && knip", ["Unused files"]),
    ("jest", "jest --version", "cd web/jest && jest", ["cart › sums", "cart › has lines", "cart › loads", "no such cart", "Cannot find module './nowhere'", "Test Suites: 2 failed, 1 passed, 3 total", "3 failed, 1 skipped, 60 passed, 64 total"]),
    ("jest_verbose", "jest --version", "cd web/jest && jest --verbose", ["cart › sums", "cart › loads", "Test Suites: 2 failed, 1 passed, 3 total"]),
    ("jest_green", "jest --version", "cd web/good && jest --verbose", ["Tests:       40 passed, 40 total"]),
    ("vitest", "vitest --version", "vitest run --root web/vitest", ["cart > sums", "cart > has lines", "no such cart", "3 failed"]),
    ("mocha", "mocha --version", "mocha web/mocha", ["30 passing", "3 failing", "cart sums|cart\n       sums|sums:", "no such cart"]),
    ("ava", "ava --version", "cd web/ava && ava", ["sums", "no such cart", "2 tests failed"]),
    ("esbuild", "esbuild --version", "esbuild web/entry.js --bundle --outfile=/dev/null", ['Could not resolve "./nowhere.js"', "web/broken.js:2:39:"]),
    ("vite_build", "vite --version", "vite build web", ['Could not resolve "./nowhere.js"|broken.js']),
    ("ruff", "ruff --version", "ruff check messy.py app", ["F821", "E722", "messy.py:14:5", "Found "]),
    ("ruff_concise", "ruff --version", "ruff check --output-format=concise messy.py app", ["app/core.py:18:5: F841", "app/core.py:19:12: F821", "Found "]),
    ("ruff_format", "ruff --version", "ruff format --check messy.py app", ["app/core.py:7:12|would be reformatted"]),
    ("pyright", "pyright --version", "pyright messy.py app", ["messy.py:10:16 - error", "core.py:19:12 - error", " errors"]),
    ("bandit", "bandit --version", "bandit -q -r messy.py", ["B102", "B602", "messy.py:8"]),
    ("codespell", "codespell --version", "codespell messy.py", ["messy.py:17: recieve ==> receive", "adress ==> address"]),
    ("sqlfluff", "sqlfluff --version", "sqlfluff lint --dialect ansi query.sql", ["L:   3", "FAIL"]),
    ("isort", "isort --version", "isort --check --diff messy.py", ["messy.py Imports are incorrectly sorted"]),
    ("pycodestyle", "pycodestyle --version", "pycodestyle messy.py", ["messy.py:5:", "messy.py:14:5: E722"]),
    ("vulture", "vulture --version", "vulture messy.py app", ["messy.py:5: unused function 'f'|messy.py"]),
    ("tox", "tox --version", "tox", ["bad: exit 3", "bad: FAIL code 3", "evaluation failed"]),
    ("nox", "nox --version", "nox", ["Session bad failed.", "* good: success"]),
    ("coverage", "coverage --version", "coverage run -m pytest -q -p no:cacheprovider tests", ["3 failed, 40 passed, 1 skipped"]),
    ("mkdocs", "mkdocs --version", "mkdocs build --strict -f site/mkdocs.yml", ["gone.md", "other.md", "Aborted with"]),
    ("pip_install", "pip --version", "pip install --disable-pip-version-check --target piped six==1.16.0 idna==99.0", ["No matching distribution found for idna==99.0"]),
    ("uv_pip", "uv --version", "uv pip install --target uved idna==99.0", ["No solution found", "idna==99.0"]),
    ("poetry_check", "poetry --version", "poetry check", ["pyproject.toml"]),
    ("cargo_clippy", "cargo --version", "cargo clippy --manifest-path rs/Cargo.toml", ["src/lib.rs:5:20|writing `&Vec`", "unused variable: `unused`"]),
    ("gofmt", "go version", "gofmt -d shape broken", ["shape/shape_test.go"]),
    ("apt_simulated", "apt-get --version", "apt-get -s install nosuchpackage", ["Unable to locate package nosuchpackage"]),
    ("apt_get", "apt-get --version", "apt-get -s install emacs-nox", ["newly installed"]),
    ("apt_cache", "apt-cache --version", "apt-cache policy gcc make cmake", ["Candidate:"]),
]
