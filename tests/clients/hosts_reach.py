"""What reaches the model of Codex and of Gemini CLI with `pith install`, with the hosts' models mocked on loopback.

    hosts_reach.py codex|gemini PROGRAM...       (PITH names pith; PROGRAM... starts the host)

The mock asks for a failing and a passing build, a count behind a pipe, a substitution, a redirection and a small output.
Without Pith each result is noted. Reached, long outputs must be views that name their original, which comes back byte for
byte; all others must be as before, exit codes included; after uninstall everything must be as before.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import models
from reach import BUILD, token_in, write

# A command, and whether a view is due.
COMMANDS = [("buildit fail", True), ("buildit", True), ("buildit | grep -c Building", False),
            ("x=$(buildit); echo ${#x}", False), ("buildit > out.txt; wc -l < out.txt", False), ("echo one; false", False)]


def own_calls(wire, command_call):
    """The wire, with calls of the host's own shell in place of Pith's tools."""
    class Own(wire):
        @staticmethod
        def offers_pith(request):
            return bool(request.get("tools"))

        @staticmethod
        def answer(request, step, number):
            kind, body = wire.answer(request, command_call(step[2]) if step[0] == "call" else step, number)
            return kind, body.replace('"namespace": "mcp__pith", ', "").replace('"mcp_pith_', '"')
    return Own


class Host:
    def __init__(self, program, folder):
        self.program, self.home, self.project = program, folder + "/home", folder + "/project"
        write(self.project + "/bin/buildit", BUILD, 0o755)
        self.path = f"{self.project}/bin:/usr/bin:/bin"

    def environment(self):
        return {"HOME": self.home, "XDG_STATE_HOME": self.home + "/state", "PATH": self.path}

    def pith(self, *words):
        return subprocess.run([os.environ["PITH"], *words], env=self.environment(), cwd=self.project, check=True,
                              capture_output=True, stdin=subprocess.DEVNULL).stdout.decode()

    def session(self):
        def script(results):
            return ("call", "", COMMANDS[len(results)][0]) if len(results) < len(COMMANDS) else ("say", "done")
        model = models.Model(own_calls(self.wire, self.call), script)
        argv, environment = self.set_up(model.url)
        ended = subprocess.run(argv, cwd=self.project, capture_output=True, text=True, timeout=100,
                               stdin=subprocess.DEVNULL, env={**self.environment(), **environment})
        model.close()
        assert len(model.results) == len(COMMANDS), f"{len(model.results)} results: {ended.stderr[-600:]}"
        return ["".join(result) for result in model.results]


class Codex(Host):
    """Commands by PATH shims."""
    wire = models.Responses
    config = "/.codex/config.toml"
    shims = ""

    @staticmethod
    def call(command):
        return "call", "exec_command", {"cmd": command, "yield_time_ms": 20000}

    def set_up(self, url):
        path = self.home + self.config
        if not os.path.exists(path):
            write(path, 'model = "mock"\nmodel_provider = "mock"\n')
        provider = f'{{ name = "mock", base_url = "{url}/v1", wire_api = "responses" }}'
        words = ["-c", f"model_providers.mock={provider}", "-c",
                 f'shell_environment_policy.set={{ PATH = "{self.shims}{self.path}" }}']
        return [*self.program, "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
                "--dangerously-bypass-hook-trust", *words, "Go."], {"CODEX_HOME": self.home + "/.codex"}

    def reach(self):
        self.pith("install", "codex")
        folder = self.home + "/shims"
        self.pith("shim", "--folder", folder, "buildit")
        self.shims = folder + ":"

    def leave(self):
        self.pith("uninstall", "codex")
        self.shims = ""


class Gemini(Host):
    """Commands by hook."""
    wire = models.GenerateContent
    config = "/.gemini/settings.json"

    @staticmethod
    def call(command):
        return "call", "run_shell_command", {"command": command}

    def set_up(self, url):
        path = self.home + self.config
        if not os.path.exists(path):
            write(path, json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}},
                                         "privacy": {"usageStatisticsEnabled": False}}))
            write(self.home + "/.gemini/trustedFolders.json", json.dumps({self.project: "TRUST_FOLDER"}))
        return [*self.program, "-p", "Go.", "-m", "gemini-2.5-flash", "--approval-mode", "yolo"], {
            "GEMINI_API_KEY": "mock", "GOOGLE_GEMINI_BASE_URL": url}

    def reach(self):
        self.pith("install", "gemini")

    def leave(self):
        self.pith("uninstall", "gemini")


def normalised(text):
    """Without ids, times and the place of the error line, which comes by a pipe of its own."""
    text = re.sub(r"(Chunk ID: |Wall time: |PGID: |tool-outputs/|_shell_command_)\S+", r"\1", text)
    return [line for line in text.splitlines() if "error: use of" not in line and not line.startswith("[")]


def check_view(host, command, text):
    token = token_in(text)
    assert token and len(text) < 3000, f"{command}: no view: {text[-300:]!r}"
    printed = subprocess.run(["sh", "-c", command], env=host.environment(), cwd=host.project, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode()
    # Gemini CLI gives the command two pipes, so the place of its error line among the others is the machine's.
    original = host.pith("retrieve", token)
    assert sorted(original.splitlines()) == sorted(printed.splitlines()), f"{command}: another original"
    if "fail" in command:
        assert "file_411.cc:37:9: error" in text and "exit code 2" in text.lower(), text
    else:
        assert "exit code 2" not in text.lower(), text


def main():
    kind = {"codex": Codex, "gemini": Gemini}[sys.argv[1]]
    with tempfile.TemporaryDirectory() as folder:
        host = kind([os.path.abspath(word) for word in sys.argv[2:]], folder)
        bare = [normalised(text) for text in host.session()]
        with open(host.home + host.config, encoding="utf-8") as file:
            before = file.read()
        host.reach()
        for (command, due), without, text in zip(COMMANDS, bare, host.session()):
            if due:
                check_view(host, command, text)
            else:
                assert normalised(text) == without, f"{command}: {text[-300:]!r}, without Pith {without[-9:]}"
        host.leave()
        with open(host.home + host.config, encoding="utf-8") as file:
            assert file.read() == before, "the configuration is not as it was"
        again = [normalised(text) for text in host.session()]
        assert again == bare, f"not as before after uninstall: {[(a, b) for a, b in zip(again, bare) if a != b][0]}"
        views = sum(due for _, due in COMMANDS)
        print(f"ok: {views} views, {len(COMMANDS) - views} results as without, all as before after uninstall")


main()
