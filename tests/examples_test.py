#!/usr/bin/env python3
"""Each client configuration under examples/clients starts a server that answers `initialize` and lists the six tools.

  tests/examples_test.py PITH
"""
import json, os, pathlib, subprocess, sys, tempfile, tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOLS = ["compact", "tokenjuice_retrieve", "retrieve_tool_output", "ccr_retrieve", "ccr_search", "ccr_stats"]


def servers(path):
    document = tomllib.loads(path.read_text()) if path.suffix == ".toml" else json.loads(path.read_text())
    return next(v for k, v in document.items() if k in ("mcpServers", "servers", "mcp_servers"))


def ask(argv, state):
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "examples", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "XDG_STATE_HOME": state}) as server:
        for message in messages:
            server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        answers = {}
        while len(answers) < 2:
            answer = json.loads(server.stdout.readline())
            answers[answer["id"]] = answer
        server.stdin.close()
        assert server.wait(timeout=10) == 0, "the server did not end well at end of input"
    return answers


def main():
    pith = str(pathlib.Path(sys.argv[1]).resolve())
    checked = 0
    for path in sorted((ROOT / "examples/clients").iterdir()):
        if path.suffix not in (".json", ".toml"):
            continue
        server = servers(path)["pith"]
        assert server["command"] == "pith", path
        with tempfile.TemporaryDirectory() as state:
            answers = ask([pith, *server["args"]], state)
        assert answers[1]["result"]["serverInfo"]["name"] == "pith", (path, answers[1])
        names = [tool["name"] for tool in answers[2]["result"]["tools"]]
        assert names == TOOLS, (path, names)
        checked += 1
    assert checked == 5, checked
    print(f"{checked} client configurations answer")


main()
