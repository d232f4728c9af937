#!/usr/bin/env python3
"""Disables each guard of guards.json in turn and expects its test to turn red.

  tests/mutations/run.py [NAME ...]

A guard is {"name", "file", "find", "replace", "target", "test"}: the text `find` occurs once in `file` and is replaced; the
test program `target` is built from a copy of the last commit and run with doctest's --test-case=`test`, which must then fail. A guard
that can be disabled with all tests green is a guard that nothing holds: the run fails. So does a guard whose text is gone.
"""
import json, pathlib, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUARDS = json.loads((ROOT / "tests/mutations/guards.json").read_text())


def run(argv, **options):
    return subprocess.run(argv, capture_output=True, text=True, **options)


def copy_tree(to):
    """What is committed, so that half-made work beside it does not count."""
    archive = subprocess.Popen(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE)
    subprocess.run(["tar", "x", "-C", str(to)], stdin=archive.stdout, check=True)
    if archive.wait():
        sys.exit("git archive failed")


def mutate(tree, guard):
    path = tree / guard["file"]
    text = path.read_text()
    if text.count(guard["find"]) != 1:
        return f"the guard's text stands {text.count(guard['find'])} times in {guard['file']}"
    path.write_text(text.replace(guard["find"], guard["replace"]))
    try:
        built = run(["ninja", "-C", str(tree / "build"), guard["target"]])
        if built.returncode:
            return "does not build: " + built.stdout[-400:]
        program = next((tree / "build/tests").rglob(guard["target"]))
        tested = run([str(program), "--test-case=" + guard["test"]], timeout=600)
        if "test cases: 0 " in tested.stdout or "test cases:  0 " in tested.stdout:
            return "no test has that name"
        return None if tested.returncode else "all tests stayed green"
    except subprocess.TimeoutExpired:
        return None  # it hangs: that is red
    finally:
        path.write_text(text)


def main():
    wanted = set(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        copy_tree(tree)
        configured = run(["cmake", "-G", "Ninja", "-S", str(tree), "-B", str(tree / "build"), "-DCMAKE_BUILD_TYPE=Release",
                          "-DPITH_STATIC=OFF", "-DPITH_BENCH=OFF", "-DPITH_WERROR=OFF", "-DCMAKE_CXX_FLAGS=-O1"])
        if configured.returncode:
            sys.exit(configured.stderr)
        failed = 0
        for guard in GUARDS:
            if wanted and guard["name"] not in wanted:
                continue
            fault = mutate(tree, guard)
            failed += fault is not None
            print(f"{'ok  ' if fault is None else 'FAIL'} {guard['name']}: {fault or 'its test turns red: ' + guard['test']}", flush=True)
        print(f"{len(GUARDS) - failed if not wanted else ''} guards held, {failed} failed")
        sys.exit(1 if failed else 0)


main()
