"""An agent's whole loop without a network: Claude Code talks to a mock of its model's API on loopback. The mock asks for
`compact` of a file, then for a gap of the view by its address; what the host hands to the model must be Pith's own bytes.

    agent_loop.py CLAUDE       (PITH names the program)
"""
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

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


class Mock:
    """Says what a model would: first the tool calls in turn, then an end. Keeps every tool result that it is shown."""

    def __init__(self, path):
        self.path, self.results, self.lock = path, [], threading.Lock()

    def next_block(self, messages, tools):
        shown = [block for message in messages if isinstance(message["content"], list) for block in message["content"]
                 if block.get("type") == "tool_result"]
        self.results = shown
        if not any(tool.get("name", "").endswith("compact") for tool in tools):
            return {"type": "text", "text": "ok"}
        if not shown:
            return self.use("mcp__pith__compact", {"path": self.path, "tool_name": "Bash"})
        view = text_of(shown[0])
        token = re.search(r'PARTIAL view.*"([0-9a-f]{24})"', view)
        gap = re.search(r"omitted: (\d+-\d+)", view)
        if len(shown) == 1 and token and gap:
            return self.use("mcp__pith__tokenjuice_retrieve", {"token": token[1], "lines": gap[1]})
        return {"type": "text", "text": "done"}

    def use(self, name, arguments):
        return {"type": "tool_use", "id": f"toolu_{len(self.results)}", "name": name, "input": arguments}


def text_of(result):
    content = result.get("content", "")
    return content if isinstance(content, str) else "".join(b.get("text", "") for b in content)


def blocks_of(result):
    content = result.get("content", "")
    return [content] if isinstance(content, str) else [b.get("text", "") for b in content]


def serve(mock):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args):
            pass

        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
                return self.reply("application/json", json.dumps({"input_tokens": 1}).encode())
            with mock.lock:
                block = mock.next_block(request.get("messages", []), request.get("tools", []))
            stop = "tool_use" if block["type"] == "tool_use" else "end_turn"
            message = {"id": "msg_1", "type": "message", "role": "assistant", "model": request.get("model", "mock"),
                       "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
            if not request.get("stream"):
                body = json.dumps({**message, "content": [block], "stop_reason": stop}).encode()
                return self.reply("application/json", body)
            empty = {**block, "input": {}} if stop == "tool_use" else {**block, "text": ""}
            delta = ({"type": "input_json_delta", "partial_json": json.dumps(block["input"])} if stop == "tool_use"
                     else {"type": "text_delta", "text": block["text"]})
            events = [{"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
                      {"type": "content_block_start", "index": 0, "content_block": empty},
                      {"type": "content_block_delta", "index": 0, "delta": delta},
                      {"type": "content_block_stop", "index": 0},
                      {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
                       "usage": {"output_tokens": 1}},
                      {"type": "message_stop"}]
            body = "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events).encode()
            self.reply("text/event-stream", body)

        def do_GET(self):
            self.reply("application/json", b"{}")

        do_HEAD = do_GET

        def reply(self, kind, body):
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def direct(home, project, calls):
    """The same calls, asked of pith itself."""
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    lines = [json.dumps({"jsonrpc": "2.0", "id": i, "method": "tools/call",
                         "params": {"name": name, "arguments": arguments, "_meta": meta}})
             for i, (name, arguments) in enumerate(calls)]
    with tempfile.TemporaryFile("w+") as file:
        file.write("\n".join(lines) + "\n")
        file.seek(0)
        output = subprocess.run([os.environ["PITH"], "serve", "--host", "claude-code"], stdin=file, cwd=project,
                                capture_output=True, check=True, text=True,
                                env={**os.environ, "HOME": home, "XDG_STATE_HOME": home + "/state"}).stdout
    answers = {a["id"]: a for a in map(json.loads, output.splitlines())}
    return ["".join(block["text"] for block in answers[i]["result"]["content"]) for i in range(len(calls))]


def run(claude, size):
    with tempfile.TemporaryDirectory() as folder:
        home, project = folder + "/home", folder + "/project"
        os.makedirs(home)
        os.makedirs(project)
        path = project + "/output.log"
        original = make_log(size)
        with open(path, "w", encoding="utf-8") as file:
            file.write(original)
        mock = Mock(path)
        server = serve(mock)
        config = folder + "/mcp.json"
        with open(config, "w", encoding="utf-8") as file:
            json.dump({"mcpServers": {"pith": {"type": "stdio", "command": os.environ["PITH"], "alwaysLoad": True,
                                               "args": ["serve", "--host", "claude-code"],
                                               "env": {"XDG_STATE_HOME": home + "/state"}}}}, file)
        environment = {"HOME": home, "PATH": "/usr/bin:/bin", "ANTHROPIC_API_KEY": "mock",
                       "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.server_port}",
                       "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ENABLE_TOOL_SEARCH": "false"}
        ended = subprocess.run([claude, "-p", "Look at the log.", "--mcp-config", config, "--strict-mcp-config",
                                "--allowedTools", "mcp__pith"], cwd=project, env=environment, capture_output=True,
                               text=True, timeout=100, stdin=subprocess.DEVNULL)
        server.shutdown()
        assert mock.results, f"no tool result reached the model: {ended.stdout[-400:]} {ended.stderr[-400:]}"
        calls = [("compact", {"path": path, "tool_name": "Bash"})]
        view = text_of(mock.results[0])
        if len(mock.results) > 1:
            token = re.search(r'PARTIAL view.*"([0-9a-f]{24})"', view)[1]
            gap = re.search(r"omitted: (\d+)-(\d+)", view)
            calls.append(("tokenjuice_retrieve", {"token": token, "lines": f"{gap[1]}-{gap[2]}"}))
            lines = original.splitlines(keepends=True)[int(gap[1]) - 1:int(gap[2])]
            first = blocks_of(mock.results[1])[0]
            assert "".join(lines).startswith(first.split("\n[bytes ")[0][:1000]), "the gap's bytes come first"
        wanted = direct(home, project, calls)
        for got, want in zip(mock.results, wanted):
            assert text_of(got) == want, f"the model saw {text_of(got)[:300]!r}, pith said {want[:300]!r}"
        return len(mock.results)


def main():
    said = [f"{name}: {run(os.path.abspath(sys.argv[1]), size)} results" for name, size in SIZES.items()]
    print("ok: the model saw Pith's bytes (" + ", ".join(said) + ")")


main()
