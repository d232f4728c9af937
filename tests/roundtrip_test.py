#!/usr/bin/env python3
"""I1 and I4 from outside: every shipped original, and the cases of any JSONL files named, goes through `pith compact
--jsonl`; each view that is not exact is no larger than its original, its token gives the exact bytes back in another process,
and its gaps, retrieved one by one, join with what is left to the original's bytes.

  tests/roundtrip_test.py PITH [CASES.jsonl[.gz] ...]

Of cases, every 1 in PITH_SAMPLE is retrieved gap by gap (default: all shipped originals, no case).
"""
import base64, gzip, json, os, pathlib, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]


def shipped():
    for path in sorted((ROOT / "tests/data").rglob("*")):
        if path.is_file() and path.name != "README.md" and path.suffix != ".view" and path.stat().st_size < 2 << 20:
            yield {"id": str(path.relative_to(ROOT)), "bytes": path.read_bytes()}


def cases(path):
    for line in gzip.open(path, "rt") if path.endswith(".gz") else open(path):
        case = json.loads(line)
        keys = ("tool_name", "command", "exit_code", "path", "mime", "query")
        yield {"id": case["id"], "bytes": case["content"].encode("utf-8", "surrogateescape"),
               "policy": "explicit" if "set" in case else "hook", **{k: case[k] for k in keys if k in case}}


def retrieve(pith, token, *selectors):
    done = subprocess.run([pith, "retrieve", token, *selectors], capture_output=True)
    assert done.returncode == 0, (token, selectors, done.stderr)
    return done.stdout


def check_gaps(pith, case, answer):
    """Each gap's address gives bytes that stand in the original; line gaps give just their lines."""
    lines = case["bytes"].split(b"\n")
    for gap in answer["gaps"]:
        if "lines" in gap:
            first, last = gap["lines"]
            got = retrieve(pith, answer["token"], "--lines", f"{first}-{last}")
            assert got.rstrip(b"\n") == b"\n".join(lines[first - 1:last]).rstrip(b"\n"), (case["id"], gap)
        elif "bytes" in gap:
            offset, length = gap["bytes"]
            got = retrieve(pith, answer["token"], "--bytes", f"{offset}+{length}")
            assert got == case["bytes"][offset:offset + length], (case["id"], gap)
        else:
            assert retrieve(pith, answer["token"], "--json-path", gap["json_path"]) in case["bytes"], (case["id"], gap)


def main():
    pith, sample = str(pathlib.Path(sys.argv[1]).resolve()), int(os.environ.get("PITH_SAMPLE", "0"))
    state = tempfile.TemporaryDirectory()
    os.environ["XDG_STATE_HOME"] = state.name
    server = subprocess.Popen([pith, "compact", "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    counts = {"exact": 0, "lossless": 0, "partial": 0, "gaps": 0}
    sources = [(shipped(), 1)] + [(cases(path), sample) for path in sys.argv[2:]]
    for source, every in sources:
        for number, case in enumerate(source):
            request = {k: v for k, v in case.items() if k != "bytes"}
            request["content_base64"] = base64.b64encode(case["bytes"]).decode()
            server.stdin.write(json.dumps(request) + "\n")
            server.stdin.flush()
            answer = json.loads(server.stdout.readline())
            assert "error" not in answer, (case["id"], answer["error"])
            counts[answer["class"]] += 1
            if answer["class"] == "exact":
                assert answer["view"].encode() == case["bytes"] or "\ufffd" in answer["view"], case["id"]
                continue
            assert len(answer["view"].encode()) <= len(case["bytes"]), case["id"]
            assert sum(answer["lines"].values()) == answer["original"]["lines"], case["id"]
            assert retrieve(pith, answer["token"]) == case["bytes"], case["id"]
            if every and number % every == 0:
                counts["gaps"] += len(answer["gaps"])
                check_gaps(pith, case, answer)
    server.stdin.close()
    assert server.wait(timeout=30) == 0
    print(", ".join(f"{n} {name}" for name, n in counts.items()))
    assert counts["partial"] > 0 and counts["gaps"] > 0


main()
