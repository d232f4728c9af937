"""What reaches the model of Claude Code, before `pith install claude-code`, with it, and after `pith uninstall`.

The real Claude Code runs in a scratch HOME against a mock of its model's API on loopback. The mock asks for builds that
fail and pass, pipes, redirections, a `cd`, a background job, a search, reads, a web page and a tool of another MCP
server. Without Pith each result is noted; with it, the results that may be shortened must be views whose originals come
back byte for byte, all others must be as before; after uninstall all must be as before, and so must the files. A second
set of sessions asks for commands under allow, ask and deny rules in every permission mode that runs unattended.

    claude_reach.py CLAUDE       (PITH names the program)
"""
import difflib
import http.server
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading

from mock_model import MockModel, serve, text_of
from reach import BUILD, token_in, write

MCP_SERVER = r'''
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    result = {}
    if request["method"] == "initialize":
        result = {"protocolVersion": request["params"]["protocolVersion"], "capabilities": {"tools": {}},
                  "serverInfo": {"name": "foreign", "version": "1"}}
    elif request["method"] == "tools/list":
        result = {"tools": [{"name": "log", "description": "a log", "inputSchema": {"type": "object"}}]}
    elif request["method"] == "tools/call":
        text = "".join(f"2026-01-02 03:04:05 INFO worker {i % 7} took {i} in {i % 97} ms\n" for i in range(500))
        result = {"content": [{"type": "text", "text": text}]}
    elif request["method"] not in ("ping",):
        result = None
    answer = {"error": {"code": -32601, "message": "no"}} if result is None else {"result": result}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}), flush=True)
'''

PAGE = "# Release notes\n\n" + "".join(
    f"## Version 1.{i}\n\nThe release 1.{i} mends fault {i * 7} in the part that reads tables of {i} columns.\n\n"
    for i in range(250))


def background_file(shown):
    found = re.search(r"written to: (\S+\.output)", text_of(shown[-2]))
    return {"file_path": found[1] if found else "/no file was named: " + text_of(shown[-2])}


def saved_file(shown):
    found = re.search(r"saved to: (\S+)", text_of(shown[-1]))
    return {"file_path": found[1] if found else "/no file was named: " + text_of(shown[-1])}


# Name, tool, arguments, what is to be seen with Pith: "same" as without, a "view", or a function of (bare, reached).
STEPS = [
    ("failing build", "Bash", {"command": "./build.sh fail"}, "view"),
    ("passing build", "Bash", {"command": "./build.sh"}, "view"),
    ("build behind cd", "Bash", {"command": "cd sub && ../build.sh"}, "view"),
    ("folder afterwards", "Bash", {"command": "pwd && cd .."}, "same"),
    ("end of a build", "Bash", {"command": "./build.sh | tail -n 300"}, "view"),
    ("pipe that selects", "Bash", {"command": "./build.sh | grep -n -e file_7 -e file_41"}, "same"),
    ("pipe that counts", "Bash", {"command": "./build.sh | grep -c Building"}, "same"),
    ("redirection", "Bash", {"command": "./build.sh > out.txt; wc -c out.txt"}, "same"),
    ("substitution", "Bash", {"command": "x=$(./build.sh); echo ${#x}"}, "same"),
    ("heredoc to a file", "Bash", {"command": "cat > note.txt <<'END'\n'quoted' \"$x\"\nEND\ncat note.txt"}, "same"),
    ("small output", "Bash", {"command": "echo one; echo two >&2; false"}, "same"),
    ("file viewer", "Bash", {"command": "cat page.txt"}, "same"),
    ("stdin is closed", "Bash", {"command": "cat; echo ended"}, "same"),
    ("environment", "Bash", {"command": "env | cut -d= -f1 | grep -v -e ^_ -e SHLVL -e PITH_DISABLE -e PREFIX | sort"}, "same"),
    ("killed by a signal", "Bash", {"command": "sh -c 'kill -9 $$'; echo $?"}, "same"),
    ("background job", "Bash", {"command": "./build.sh; sleep 0.3", "run_in_background": True}, "any"),
    ("wait for it", "Bash", {"command": "sleep 2; echo waited"}, "same"),
    ("its file", "Read", background_file, "any"),
    ("moved to the background", "Bash", {"command": "echo first; sleep 2; ./build.sh", "timeout": 1000}, "any"),
    ("wait for that", "Bash", {"command": "sleep 2; echo waited"}, "same"),
    ("its file too", "Read", background_file, "any"),
    ("watch", "Monitor", {"command": "for i in 1 2 3; do echo tick $i; sleep 0.4; done; ./build.sh | head -n 400",
                          "description": "ticks", "timeout_ms": 4000}, "any"),
    ("during the watch", "Bash", {"command": "sleep 0.9; echo waited"}, "same"),
    ("after the watch", "Bash", {"command": "sleep 1; echo waited"}, "same"),
    ("background within a line", "Bash", {"command": "(sleep 0.2; echo late) & echo early; wait"}, "same"),
    ("search", "Grep", {"pattern": "release", "path": "tree", "output_mode": "content", "head_limit": 0}, "view"),
    ("short search", "Grep", {"pattern": "release 7 of part 5 ", "path": "tree", "output_mode": "content"}, "same"),
    ("file names", "Glob", {"pattern": "tree/**/*.txt"}, "view"),
    ("output that the host saves", "Bash", {"command": "cat big.log"}, "same"),
    ("what it saved", "Read", saved_file, "view"),
    ("part of what it saved", "Bash", {"command": "cat big.log | head -n 900"}, "same"),
    ("subagent", "Agent", {"description": "look", "prompt": "SUBAGENT go", "subagent_type": "general-purpose",
                           "run_in_background": False}, "view"),
    ("file read", "Read", {"file_path": "@PROJECT@/page.txt"}, "same"),
    ("part of a file", "Read", {"file_path": "@PROJECT@/page.txt", "offset": 10, "limit": 5}, "same"),
    ("web page", "WebFetch", {"url": "https://127.0.0.1:@WEB@/notes.html", "prompt": "everything"}, "view"),
    ("foreign MCP tool", "mcp__foreign__log", {}, "view"),
    ("edit", "Edit", {"file_path": "@PROJECT@/page.txt", "old_string": "release 12 ", "new_string": "release twelve "},
     "same"),
    ("after the edit", "Bash", {"command": "grep -n 'release twelve' page.txt"}, "same"),
]

# Commands under rules, each with what decides on it.
RULES = {"allow": ["Bash(./build.sh:*)", "Bash(echo:*)"], "ask": ["Bash(./build.sh ask:*)"], "deny": ["Bash(rm:*)"]}
RULED = ["./build.sh", "./build.sh fail", "./build.sh ask", "rm -f out.txt", "echo a && rm -f page.txt", "echo fine",
         "mkdir made", "cd sub && ../build.sh", "pith run -- rm -f page.txt", "./build.sh > out2.txt"]
MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"]


class Place:
    """A scratch HOME with a project in it, and the servers that stand in for the outside."""

    def __init__(self, claude, folder):
        self.claude, self.folder = claude, folder
        self.home, self.project = folder + "/home", folder + "/project"
        self.state = self.home + "/.local/state"
        self.switches = {}
        self.binary = folder + "/bin/pith"
        os.makedirs(folder + "/bin")
        shutil.copy(os.environ["PITH"], self.binary)
        os.makedirs(self.home + "/.claude")
        self.write_project()
        write(self.home + "/.claude/settings.json", '{ "skipWebFetchPreflight": true }\n')
        write(folder + "/mcp_server.py", MCP_SERVER)
        server = {"type": "stdio", "command": sys.executable, "args": [folder + "/mcp_server.py"]}
        write(self.home + "/.claude.json", json.dumps({"mcpServers": {"foreign": server}}, indent=2))
        self.start_web()

    def write_project(self):
        subprocess.run(["rm", "-rf", self.project], check=True)
        write(self.project + "/build.sh", BUILD, 0o755)
        write(self.project + "/sub/.keep", "")
        page = "".join(f"release {i} of the list, error {i * 3} mended\n" for i in range(400))
        write(self.project + "/page.txt", page)
        write(self.project + "/big.log", "".join(
            f"2026-01-02 03:04:{i % 60:02d} INFO worker {i % 7} took item {i}\n" for i in range(1000)))
        for i in range(60):
            text = "".join(f"the release {j} of part {i} came with notes on {j * i} things\n" for j in range(12))
            write(f"{self.project}/tree/folder_{i % 6}/part_{i:02d}.txt", text)

    def start_web(self):
        key, certificate = self.folder + "/key.pem", self.folder + "/cert.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                        "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
                       check=True, capture_output=True)

        class Web(http.server.BaseHTTPRequestHandler):
            def log_message(self, *args):
                pass

            def do_GET(self):
                body = b"<html><body><h1>Release notes</h1><p>text</p></body></html>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Web)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.web.socket = context.wrap_socket(self.web.socket, server_side=True)
        threading.Thread(target=self.web.serve_forever, daemon=True).start()
        self.certificate = certificate

    def environment(self, port=0):
        return {**self.switches, "HOME": self.home, "PATH": "/usr/bin:/bin", "SHELL": "/bin/bash",
                "ANTHROPIC_API_KEY": "mock", "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ENABLE_TOOL_SEARCH": "false", "NODE_EXTRA_CA_CERTS": self.certificate, "IS_SANDBOX": "1"}

    def pith(self, *words):
        return subprocess.run([self.binary, *words], env=self.environment(), cwd=self.project, check=True,
                              capture_output=True, stdin=subprocess.DEVNULL)

    def filled(self, arguments):
        if callable(arguments):
            return arguments
        text = json.dumps(arguments).replace("@PROJECT@", self.project)
        return json.loads(text.replace("@WEB@", str(self.web.server_port)))

    def session(self, calls, *words):
        """One unattended session; the tool results that the model was sent, one a call."""
        self.write_project()
        mock = MockModel([(tool, self.filled(arguments)) for tool, arguments in calls], page=PAGE)
        server = serve(mock)
        ended = subprocess.run([self.claude, "-p", "Go.", *words], cwd=self.project, capture_output=True, text=True,
                               env=self.environment(server.server_port), timeout=150, stdin=subprocess.DEVNULL)
        server.shutdown()
        server.server_close()
        assert len(mock.results) == len(calls), f"{len(mock.results)} results of {len(calls)}: {ended.stderr[-500:]}"
        self.events = mock.events
        return mock.results

    def steps(self):
        allowed = "Bash,Monitor,Agent,Grep,Glob,Read,Edit,WebFetch,mcp__foreign"
        return self.session([(tool, arguments) for _, tool, arguments, _ in STEPS], "--allowedTools", allowed)

    def ruled(self, mode):
        settings = self.folder + "/rules.json"
        write(settings, json.dumps({"permissions": RULES}))
        results = self.session([("Bash", {"command": command}) for command in RULED], "--settings", settings,
                               "--permission-mode", mode)
        # What was run at all, and whether it failed; a denial is known by its words.
        return [(bool(r.get("is_error")), text_of(r) if denied(text_of(r)) else "ran") for r in results]


def denied(text):
    return any(word in text for word in ("requires approval", "has been denied", "permission", "plan mode"))


def normalised(text):
    """Ids, ports and times of a session."""
    text = re.sub(r"\b((?:ID|agentId|to|duration_ms): '?|task )\w+", r"\1ID", text)
    text = re.sub(r"/tmp/claude-\d+/\S+", "FILE", text)
    text = re.sub(r"line 1: +\d+ ", "line 1: PID ", text)
    text = re.sub(r"projects/-\S+", "FILE", text)
    return re.sub(r"\(\d+(\.\d+)?m?s\)|took \d+m?s", "(T)", text)


def shape(result):
    return normalised(text_of(result)), bool(result.get("is_error")), isinstance(result["content"], str)


def check_view(place, name, bare, reached):
    text = text_of(reached)
    saved = text_of(bare).startswith("<persisted-output>")  # the host's own way: a file, and the first 2 KB of it
    assert saved or len(text) < len(text_of(bare)), f"{name}: {len(text)} characters for {len(text_of(bare))}"
    token = token_in(text)
    assert token, f"{name}: no view: {text[-300:]!r}"
    assert bool(bare.get("is_error")) == bool(reached.get("is_error")), f"{name}: another outcome"
    return place.pith("retrieve", token).stdout.decode()


def printed(place, command):
    place.write_project()
    return subprocess.run(["bash", "-c", command], cwd=place.project, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False).stdout.decode()


def check_reached(place, bare, reached):
    views = 0
    for (name, tool, arguments, wanted), before, after in zip(STEPS, bare, reached):
        if wanted == "view":
            original = check_view(place, name, before, after)
            views += 1
            if tool == "Bash":
                assert original == printed(place, arguments["command"]), f"{name}: the original is not what was printed"
        elif wanted == "same":
            check_same(name, before, after)
    failing = text_of(reached[0])
    assert failing.startswith("Exit code 2") and "file_411.cc:37:9: error: use of undeclared" in failing, failing[:300]
    assert len(failing) <= 10_040, "the host would cut this"
    return views


def check_same(name, before, after):
    if shape(before) != shape(after):
        lines = difflib.unified_diff(shape(before)[0].splitlines(), shape(after)[0].splitlines(), lineterm="", n=0)
        raise AssertionError(f"{name}: not as without Pith: {shape(before)[1:]} {shape(after)[1:]}\n" +
                             "\n".join(list(lines)[:20]))


def check_all_same(place, bare, when):
    for (name, *_), one, other in zip(STEPS, bare, place.steps()):
        if name not in ("its file too", "moved to the background"):  # how far it had come is the machine's
            check_same(f"{when}: {name}", one, other)


def check_rules(place, bare):
    for mode in MODES:
        for command, one, other in zip(RULED, bare[mode], place.ruled(mode)):
            assert one == other, f"{mode}: {command}: {one} became {other}"


def main():
    claude = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        place = Place(claude, folder)
        settings = place.home + "/.claude/settings.json"
        bare = place.steps()
        events = place.events
        rules = {mode: place.ruled(mode) for mode in MODES}
        with open(settings, encoding="utf-8") as file:
            before = file.read()
        place.pith("install", "claude-code")
        views = check_reached(place, bare, place.steps())
        assert place.events == events and "tick 3" in events, f"the watch reported {sorted(place.events)[:5]}"
        check_rules(place, rules)
        place.switches = {"PITH_DISABLE": "1"}
        check_all_same(place, bare, "switched off")
        place.switches = {}
        os.rename(place.binary, place.binary + ".gone")
        check_all_same(place, bare, "without the binary")
        os.rename(place.binary + ".gone", place.binary)
        place.pith("uninstall", "claude-code")
        with open(settings, encoding="utf-8") as file:
            assert file.read() == before, "settings.json is not as it was"
        with open(place.home + "/.claude.json", encoding="utf-8") as file:
            assert "pith" not in file.read()
        assert not os.path.exists(place.state + "/pith/bin/claude-shell")
        check_all_same(place, bare, "uninstalled")
        refused = sum(text != "ran" for decisions in rules.values() for _, text in decisions)
        print(f"ok: {views} views, {sum(step[3] == 'same' for step in STEPS)} results as without; "
              f"{len(RULED) * len(MODES)} decisions under rules ({refused} refusals) the same; "
              f"switched off, without the binary and uninstalled {len(STEPS)} results as before")


if __name__ == "__main__":
    main()
