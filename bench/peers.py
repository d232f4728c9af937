#!/usr/bin/env python3
"""Whole processes on the same inputs: Pith beside other compactors that are installed, and beside hashing.

usage: bench/peers.py PITH     (env, each a program: TINYJUICE, TOKENJUICE, LEAN_CTX, HEADROOM_PYTHON; what is not set is left out)

Each is called as its users call it: TinyJuice and tokenjuice by `reduce-json`, lean-ctx by `-c` around a program that prints
the input, Headroom as a library on a tool result of a conversation that went on since, Pith by `compact`, kept and not kept.
Prints, for each input, the median seconds of five runs less the median of the same program on one line, which is its start;
so programs in languages that start slowly are compared by what they do. A program that takes more than a minute gets an x.
Inputs are the real ones under tests/data of each kind, repeated with every number moved on, so that no two copies are alike.
"""
import json, os, pathlib, re, statistics, subprocess, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = ROOT / "tests/data"
LIMIT, RUNS = 60, 5
HEADROOM = """
import json, sys
from headroom import compress
text = sys.stdin.read()
talk = [{"role": "user", "content": "Go on."},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "fetch", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "1", "content": text}]
for turn in range(6):
    talk += [{"role": "assistant", "content": f"Step {turn}."}, {"role": "user", "content": "Go on."}]
sys.stdout.write(str(compress(talk, model="gpt-4o").messages[2]["content"]))
"""


def enlarged(folder, size):
    """Texts of a folder one after the other, again and again with their numbers moved on, up to `size` bytes of whole lines."""
    texts = [p.read_text(errors="replace") for p in sorted((DATA / folder).rglob("*")) if p.is_file() and p.suffix not in (".md", ".json", ".view")]
    whole, turn = "", 0
    while len(whole) < size:
        body = "".join(text if text.endswith("\n") else text + "\n" for text in texts)
        whole += body if turn == 0 else re.sub(r"\d{2,}", lambda m: str(int(m[0]) + turn)[-len(m[0]):].rjust(len(m[0]), "0"), body)
        turn += 1
    return whole[:size].rsplit("\n", 1)[0] + "\n"


def records(size):
    row = lambda i: {"id": i, "name": f"worker-{i % 97}", "ok": i % 911 != 0, "ratio": i * 7 % 1000 / 8, "note": None if i % 5 else f"attempt {i % 13}"}
    return json.dumps([row(i) for i in range(size // 84)])


def seconds(argv, text, env):
    """Median seconds from start to end, waited for without a timeout: `subprocess` polls for one, in steps of up to 50 ms."""
    taken = []
    for _ in range(RUNS):
        with tempfile.TemporaryFile() as given:
            given.write(text)
            given.seek(0)
            began = time.perf_counter()
            child = subprocess.Popen(argv, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **env})
            killer = threading.Timer(LIMIT, child.kill)
            killer.start()
            child.wait()
            taken.append(time.perf_counter() - began)
            killer.cancel()
        if taken[-1] >= LIMIT:
            return None
        if taken[-1] > LIMIT / 4:
            break
    return statistics.median(taken)


def programs(pith, command, text, folder):
    """Name -> argv, standard input, environment, for one input."""
    path = folder / "input"
    path.write_bytes(text)
    event = json.dumps({"toolName": "exec", "command": command, "combinedText": text.decode(errors="replace"), "exitCode": 0}).encode()
    shown_by = folder / command.split()[0]
    shown_by.write_text(f"#!/bin/sh\nexec /bin/cat {path}\n")
    shown_by.chmod(0o755)
    own = {"XDG_STATE_HOME": str(folder / "state"), "HOME": str(folder)}
    found = {
        "sha256": (["openssl", "dgst", "-sha256", str(path)], b"", {}),
        "pith": ([pith, "compact", "--memory-only", "--command", command, str(path)], b"", own),
        "pith, kept": ([pith, "compact", "--command", command, str(path)], b"", own),
    }
    for name, variable in (("TinyJuice", "TINYJUICE"), ("tokenjuice", "TOKENJUICE")):
        if variable in os.environ:
            found[name] = ([os.environ[variable], "reduce-json"], event, own)
    if "LEAN_CTX" in os.environ:
        found["lean-ctx"] = ([os.environ["LEAN_CTX"], "-c", command], b"", {**own, "PATH": f"{folder}:{os.environ['PATH']}", "LEAN_CTX_SHELL_SECURITY": "off"})
    if "HEADROOM_PYTHON" in os.environ:
        found["Headroom"] = ([os.environ["HEADROOM_PYTHON"], "-c", HEADROOM], text, {**own, "HF_HUB_OFFLINE": "1"})
    return found


def main():
    pith = os.path.abspath(sys.argv[1])
    megabyte = 1 << 20
    inputs = [("log, 1 MB", "journalctl -u app", enlarged("logs", megabyte)), ("log, 10 MB", "journalctl -u app", enlarged("logs", 10 * megabyte)),
              ("JSON, 1 MB", "gh api x", records(megabyte)), ("JSON, 10 MB", "gh api x", records(10 * megabyte)),
              ("test run, 2 MB", "pytest -v", enlarged("test_runs", 2 * megabyte)), ("build, 2 MB", "make -k", enlarged("builds", 2 * megabyte)),
              ("search, 2 MB", "rg -n x", enlarged("search", 2 * megabyte)), ("diff, 2 MB", "git diff", enlarged("diffs", 2 * megabyte))]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        starts = {program: seconds(*call) for program, call in programs(pith, "echo", b"one line\n", folder).items()}
        print(f"{'':16}" + "".join(f"{program:>13}" for program in starts))
        print(f"{'start':16}" + "".join(f"{taken:13.4f}" if taken else f"{'x':>13}" for taken in starts.values()), flush=True)
        for label, command, text in inputs:
            row = {program: seconds(*call) for program, call in programs(pith, command, text.encode(), folder).items()}
            print(f"{label:16}" + "".join(f"{max(0, row[p] - starts[p]):13.4f}" if row[p] and starts[p] else f"{'x':>13}" for p in starts), flush=True)


main()
