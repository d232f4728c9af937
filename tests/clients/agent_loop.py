"""An agent's whole loop without a network: the host talks to a mock of its model's API on loopback (models.py), which asks
for `compact` of a file, then for a gap of the view by its address. What the host hands to the model must be Pith's own
bytes.

    agent_loop.py claude-code|codex|gemini PROGRAM...      (PITH names pith; PROGRAM... starts the host)
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import models

SIZES = {"1 KB": 1_000, "30 KB": 30_000, "90 KB": 90_000, "500 KB": 500_000}


def make_log(size):
    lines, total, number = [], 0, 0
    while total < size:
        number += 1
        line = f"2026-01-01T00:00:{number % 60:02d} INFO  worker-{number % 7} handled request {number} in {number % 97} ms\n"
        if number % 1000 == 500:
            line = f"2026-01-01T00:00:{number % 60:02d} ERROR worker-{number % 7} request {number} failed: timeout\n"
        lines.append(line)
        total += len(line)
    return "".join(lines)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


# --- hosts: what each needs to be set up with, and how it is asked ------------------------------------------------------


def claude_code(program, home, project, model):
    servers = {"mcpServers": {"pith": {"type": "stdio", "command": os.environ["PITH"], "alwaysLoad": True,
                                       "args": ["serve", "--host", "claude-code"],
                                       "env": {"XDG_STATE_HOME": home + "/state"}}}}
    write(home + "/mcp.json", json.dumps(servers))
    argv = [*program, "-p", "Look at the log.", "--mcp-config", home + "/mcp.json", "--strict-mcp-config",
            "--allowedTools", "mcp__pith"]
    return argv, {"ANTHROPIC_API_KEY": "mock", "ANTHROPIC_BASE_URL": model.url,
                  "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ENABLE_TOOL_SEARCH": "false"}


def codex(program, home, project, model):
    example = pathlib.Path(__file__).resolve().parents[2] / "examples/clients/codex.config.toml"
    server = example.read_text().replace('command = "pith"', f'command = "{os.environ["PITH"]}"')
    write(home + "/.codex/config.toml", f"""
model = "mock"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "{model.url}/v1"
wire_api = "responses"
{server}
env = {{ XDG_STATE_HOME = "{home}/state" }}
default_tools_approval_mode = "approve"
""")
    argv = [*program, "exec", "--skip-git-repo-check", "--strict-config", "Look at the log."]
    return argv, {"CODEX_HOME": home + "/.codex"}


def gemini(program, home, project, model):
    write(home + "/.gemini/settings.json", json.dumps({
        "security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False},
        "mcpServers": {"pith": {"command": os.environ["PITH"], "args": ["serve", "--host", "gemini"], "trust": True,
                                "env": {"XDG_STATE_HOME": home + "/state"}}}}))
    write(home + "/.gemini/trustedFolders.json", json.dumps({project: "TRUST_FOLDER"}))
    argv = [*program, "-p", "Look at the log.", "-m", "gemini-2.5-flash", "--approval-mode", "yolo"]
    return argv, {"GEMINI_API_KEY": "mock", "GOOGLE_GEMINI_BASE_URL": model.url}


# Set-up, wire, and whether the model sees Pith's bytes alone. Codex puts a line about its run time before them, Gemini CLI
# tags around them.
HOSTS = {"claude-code": (claude_code, models.Anthropic, True), "codex": (codex, models.Responses, False),
         "gemini": (gemini, models.GenerateContent, False)}

# --- the loop -----------------------------------------------------------------------------------------------------------


def gap_of(view):
    """Token and lines of the view's first gap; None if it has none."""
    token = re.search(r'PARTIAL view.*"([0-9a-f]{24})"', view)
    gap = re.search(r"omitted: (\d+-\d+)", view)
    return (token[1], gap[1]) if token and gap else None


def script_for(path):
    def script(results):
        if not results:
            return "call", "compact", {"path": path, "tool_name": "Bash"}
        gap = gap_of("".join(results[0]))
        if len(results) == 1 and gap:
            return "call", "tokenjuice_retrieve", {"token": gap[0], "lines": gap[1]}
        return "say", "done"
    return script


def direct(host, home, project, calls):
    """The blocks of the same calls' results, asked of pith itself."""
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    with tempfile.TemporaryFile("w+") as file:
        for number, (name, arguments) in enumerate(calls):
            params = {"name": name, "arguments": arguments, "_meta": meta}
            file.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}) + "\n")
        file.seek(0)
        output = subprocess.run([os.environ["PITH"], "serve", "--host", host], stdin=file, cwd=project,
                                capture_output=True, check=True, text=True,
                                env={**os.environ, "HOME": home, "XDG_STATE_HOME": home + "/state"}).stdout
    answers = {answer["id"]: answer for answer in map(json.loads, output.splitlines())}
    return [[block["text"] for block in answers[number]["result"]["content"]] for number in range(len(calls))]


def run(host, program, size):
    with tempfile.TemporaryDirectory(dir=os.environ.get("PITH_SCRATCH")) as folder:
        home, project = folder + "/home", folder + "/project"
        path, original = project + "/output.log", make_log(size)
        write(path, original)
        set_up, wire, whole = HOSTS[host]
        model = models.Model(wire, script_for(path))
        os.makedirs(home)
        argv, environment = set_up(program, home, project, model)
        ended = subprocess.run(argv, cwd=project, capture_output=True, text=True, timeout=100, stdin=subprocess.DEVNULL,
                               env={"HOME": home, "XDG_STATE_HOME": home + "/state", "PATH": "/usr/bin:/bin", **environment})
        model.close()
        assert model.results, f"no tool result reached the model: {ended.stdout[-400:]} {ended.stderr[-400:]}"
        calls = [("compact", {"path": path, "tool_name": "Bash"})]
        wanted = direct(host, home, project, calls)
        if gap := gap_of("".join(wanted[0])):
            calls.append(("tokenjuice_retrieve", {"token": gap[0], "lines": gap[1]}))
            wanted = direct(host, home, project, calls)
            first, last = map(int, gap[1].split("-"))
            assert "".join(original.splitlines(keepends=True)[first - 1:last]).startswith(wanted[1][0])
        assert len(model.results) == len(calls), f"{len(model.results)} results for {len(calls)} calls"
        for shown, blocks in zip(model.results, wanted):
            seen = "".join(shown)
            said = seen == "".join(blocks) if whole else all(block in seen for block in blocks)
            assert said, f"the model saw {seen[:300]!r}, pith said {''.join(blocks)[:300]!r}"
        return len(model.results), sum(len(block) for blocks in wanted for block in blocks)


def main():
    host, program = sys.argv[1], [os.path.abspath(word) for word in sys.argv[2:]]
    said = []
    for name, size in SIZES.items():
        results, characters = run(host, program, size)
        said.append(f"{name}: {results} results, {characters} characters")
    print("ok: the model saw Pith's bytes (" + "; ".join(said) + ")")


main()
