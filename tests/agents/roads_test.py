#!/usr/bin/env python3
"""Real roads against the direct one: each case goes through `pith run` (printed by a program that bears the command's
name and ends with the case's exit code) and through the hook payload of every host that lets its tool and outcome be
replaced; the model must be shown what `pith compact --jsonl` makes of the same bytes, command, exit code, policy, budget
and marker style. What a host does not let us replace must pass through, and is counted.

  tests/agents/roads_test.py PITH [CASES.jsonl[.gz] ...]

Without cases: the originals in tests/data. With cases: all of them through the hooks, and those of the tool Bash
through `pith run`.
"""
import base64, collections, gzip, json, os, pathlib, shlex, shutil, stat, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAND_IN = '#!/bin/sh\ncat "$PITH_CASE_FILE"\nexit "$PITH_CASE_CODE"\n'
SPECIAL = set("|&;<>()$`\\\"'*?[]#~=%!{}\n")


def shipped():
    for number, path in enumerate(sorted((ROOT / "tests/data").rglob("*"))):
        if path.is_file() and path.name != "README.md" and path.suffix != ".view" and path.stat().st_size < 1 << 20:
            command = path.stem.replace("_", " ")
            tool = {"search": "Grep", "listings": "Glob"}.get(path.parent.name, "Bash")
            yield {"id": str(path.relative_to(ROOT)), "tool_name": tool, "bytes": path.read_bytes(),
                   "command": command if tool == "Bash" else "", "exit_code": number % 3 if tool == "Bash" else 0}


def cases(path):
    for line in gzip.open(path, "rt") if path.endswith(".gz") else open(path):
        case = json.loads(line)
        yield {"id": case["id"], "tool_name": case.get("tool_name", ""), "command": case.get("command", ""),
               "bytes": case["content"].encode("utf-8", "surrogateescape"), "exit_code": case.get("exit_code", 0)}


def claude(case, tool, text):
    response = {"Bash": {"stdout": text, "stderr": "", "interrupted": False, "isImage": False},
                "Grep": {"mode": "content", "numFiles": 1, "content": text, "numLines": 1},
                "Glob": {"filenames": text.splitlines(), "numFiles": 1, "truncated": False}}[tool]
    return {"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": arguments(case, tool),
            "tool_response": response}


def claude_shown(answer, tool):
    output = answer["hookSpecificOutput"]["updatedToolOutput"]
    return "\n".join(output["filenames"]) if tool == "Glob" else output["stdout" if tool == "Bash" else "content"]


def arguments(case, tool):
    return {"command": case["command"]} if tool in SHELL_TOOLS else {"pattern": "x"}


def codex(case, tool, text):
    return {"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": arguments(case, tool),
            "tool_response": {"content": [{"type": "text", "text": text}]}}


def gemini(case, tool, text):
    return {"hook_event_name": "AfterTool", "tool_name": tool, "tool_input": arguments(case, tool),
            "tool_response": {"llmContent": text, "returnDisplay": text}}


def copilot(case, tool, text):
    return {"toolName": tool, "toolArgs": json.dumps(arguments(case, tool)),
            "toolResult": {"textResultForLlm": text, "resultType": "success"}}


def plugin(case, tool, text):
    return {"tool": tool, "args": arguments(case, tool), "output": text, "failed": False, "exit": case["exit_code"]}


# Host, event, its names of the tools, what it shows whole, payload, where the view stands in the answer, and the exit
# code that the payload tells: the case's ("told"), success because a failure comes another way ("success"), none.
Host = collections.namedtuple("Host", "name event tools shown payload view code")
HOSTS = [
    Host("claude-code", "PostToolUse", {"Bash": "Bash", "Grep": "Grep", "Glob": "Glob"}, 48000, claude, claude_shown,
         "success"),
    Host("codex", "PostToolUse", {"Grep": "mcp__code__search", "Glob": "mcp__files__list"}, 10000, codex,
         lambda a, t: a["reason"], "none"),
    Host("gemini", "AfterTool", {"Bash": "run_shell_command", "Grep": "search_file_content", "Glob": "glob"}, 40000,
         gemini, lambda a, t: a["reason"].partition("\n")[2], "none"),
    Host("copilot", "postToolUse", {"Bash": "bash", "Grep": "grep", "Glob": "glob"}, 30000, copilot,
         lambda a, t: a["modifiedResult"]["textResultForLlm"], "success"),
    Host("opencode", "tool.execute.after", {"Bash": "bash", "Grep": "grep", "Glob": "glob"}, 50000, plugin,
         lambda a, t: a["output"], "told"),
    Host("pi", "tool_result", {"Bash": "bash", "Grep": "grep", "Glob": "find"}, 50000, plugin, lambda a, t: a["output"],
         "told"),
]
SHELL_TOOLS = {"Bash", "bash", "run_shell_command"}


class Roads:
    def __init__(self, pith, folder):
        self.pith, self.folder = os.path.abspath(pith), folder
        self.counts, self.faults = collections.Counter(), []
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PITH_")}
        self.environment = {**kept, "HOME": folder, "XDG_STATE_HOME": folder + "/state",
                            "XDG_CONFIG_HOME": folder + "/config"}
        os.makedirs(folder + "/bin")
        os.makedirs(folder + "/work")
        self.shell = self.stand_in("stand-in-shell")

    def stand_in(self, name):
        path = f"{self.folder}/bin/{name}"
        if not os.path.exists(path):
            with open(path, "w") as file:
                file.write(STAND_IN)
            os.chmod(path, stat.S_IRWXU)
        return path

    def direct(self, requests, **switches):
        """The views of `compact --jsonl`, None where the original is shown."""
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        done = subprocess.run([self.pith, "compact", "--jsonl"], input=lines, env={**self.environment, **switches},
                              text=True, cwd=self.folder + "/work", capture_output=True, check=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        return [None if answer["class"] == "exact" else answer["view"] for answer in answers]

    def compare(self, road, case, shown, wanted):
        self.counts[road, "view" if wanted is not None else "exact"] += 1
        if shown != wanted:
            self.faults.append((road, case["id"], case["command"], shown, wanted))

    def within(self, host, case, shown, view):
        self.counts[host.name, "held to its limit"] += 1
        if len(shown.encode()) > host.shown if shown is not None else view is not None:
            self.faults.append((host.name, case["id"], case["command"], shown, f"at most {host.shown} bytes"))

    def run(self, chosen):
        """`pith run`: a simple command by a program of its name, any other line by a stand-in for the shell."""
        wanted = self.direct([request(case, "Bash", case["exit_code"]) for case in chosen], PITH_MARKER_STYLE="cli")
        for case, view in zip(chosen, wanted):
            with open(self.folder + "/case", "wb") as file:
                file.write(case["bytes"])
            words = case["command"].split()
            environment = {**self.environment, "PITH_CASE_FILE": self.folder + "/case", "SHELL": self.shell,
                           "PITH_CASE_CODE": str(case["exit_code"])}
            argv = ["-c", case["command"]]
            if words and not set(case["command"]) & SPECIAL and "/" not in words[0] and words[0] not in ("cat", "sh"):
                os.makedirs(self.folder + "/only", exist_ok=True)
                os.rename(self.stand_in(words[0]), f"{self.folder}/only/{words[0]}")
                environment["PATH"] = self.folder + "/only:" + environment["PATH"]
                argv = ["--", *words]
            done = subprocess.run([self.pith, "run", *argv], env=environment, cwd=self.folder + "/work",
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            shutil.rmtree(self.folder + "/only", ignore_errors=True)
            if done.returncode != case["exit_code"]:
                self.faults.append(("run", case["id"], case["command"], done.returncode, case["exit_code"]))
            shown = None if done.stdout == case["bytes"] else done.stdout.decode("utf-8", "replace").removesuffix("\n")
            self.compare("run", case, shown, None if view is None else view.removesuffix("\n"))

    def hooks(self, host, chosen):
        code = {"success": 0, "none": None}.get(host.code, "told")
        rows = []
        for case in chosen:
            tool = host.tools.get(case["tool_name"])
            failed = host.code == "success" and case["exit_code"] != 0
            text = case["bytes"].decode("utf-8", "replace")
            if text.encode() != case["bytes"] or tool is None or failed:
                self.counts[host.name, "not to be replaced"] += 1
                if tool is None and case["tool_name"] in ("Read", "Edit"):
                    payload = {"hook_event_name": host.event, "tool_name": case["tool_name"], "tool": case["tool_name"],
                               "tool_input": {"file_path": "/src/a.py"}, "tool_response": {"content": text}}
                    assert self.answer(host, payload) is None, f"{host.name}: {case['id']} was touched"
                continue
            if host.name == "claude-code" and tool == "Glob":
                text = "".join(line + "\n" for line in text.splitlines())
            rows.append((case, tool, text))
        told = [request({**case, "bytes": text.encode()}, tool, case["exit_code"] if code == "told" else code)
                for case, tool, text in rows]
        wanted = self.direct(told, PITH_MARKER_STYLE="mcp")
        for (case, tool, text), view in zip(rows, wanted):
            answer = self.answer(host, host.payload(case, tool, text))
            shown = None if answer is None else host.view(answer, tool)
            if view is not None and tool == "Glob" and host.name == "claude-code":
                view = view.removesuffix("\n")
            if len((text if view is None else view).encode()) > host.shown:  # JSONL knows no such limit
                self.within(host, case, shown, view)
            else:
                self.compare(host.name, case, shown, view)

    def answer(self, host, payload):
        done = subprocess.run([self.pith, "hook", host.name, host.event, "--marker", "mcp"], input=json.dumps(payload),
                              env=self.environment, cwd=self.folder + "/work", capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout.strip() not in ("", "{}") else None


def request(case, tool, code):
    made = {"id": case["id"], "tool_name": tool, "policy": "hook",
            "content": case["bytes"].decode("utf-8", "surrogateescape")}
    try:
        made["content"].encode()
    except UnicodeEncodeError:
        del made["content"]
        made["content_base64"] = base64.b64encode(case["bytes"]).decode()
    if tool in SHELL_TOOLS:
        made["command"] = case["command"]
    if code is not None and tool in SHELL_TOOLS:
        made["exit_code"] = code
    return made


def main():
    chosen = [case for path in sys.argv[2:] for case in cases(path)] if len(sys.argv) > 2 else list(shipped())
    with tempfile.TemporaryDirectory() as folder:
        roads = Roads(sys.argv[1], folder)
        roads.run([case for case in chosen if case["tool_name"] == "Bash" and case["command"]])
        for host in HOSTS:
            roads.hooks(host, chosen)
        for road, case, command, shown, wanted in roads.faults[:20]:
            print(f"{road}: {case} ({command[:80]}):\n  shown  {str(shown)[-300:]!r}\n  wanted {str(wanted)[-300:]!r}")
        for (road, what), count in sorted(roads.counts.items()):
            print(f"{road:12} {what:20} {count}")
        print(f"{len(roads.faults)} differences")
        sys.exit(1 if roads.faults else 0)


if __name__ == "__main__":
    main()
