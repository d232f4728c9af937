"""A mock of a model's API on loopback, as Claude Code speaks to it: a scripted model that asks for the tool calls of a
list, one after the other, and keeps what it is shown of each.

    mock = MockModel([("Bash", {"command": "make"}), ...], page="what a page is said to hold")
    server = serve(mock)        # server.server_port; server.shutdown()
    mock.results                # the tool results of the session, in order; text_of(result)
    mock.events                 # what a watch reported, a set of lines
"""
import http.server
import json
import re
import threading


def text_of(result):
    content = result.get("content", "")
    return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)


class MockModel:
    """One session. Requests without tools are the host's own (titles, summaries of pages): they get `page`, and so do
    those of a subagent, whose prompt begins with SUBAGENT."""

    def __init__(self, calls, page="ok"):
        self.calls, self.page = calls, page
        self.results, self.events, self.lock = [], set(), threading.Lock()

    def next_block(self, request):
        tools = request.get("tools") or []
        if not tools or "SUBAGENT" in json.dumps(request.get("messages", [{}])[0]):
            return {"type": "text", "text": self.page}
        shown = [block for message in request.get("messages", []) if isinstance(message["content"], list)
                 for block in message["content"] if block.get("type") == "tool_result"]
        with self.lock:
            self.events.update(re.findall(r"<event>(.*?)</event>", json.dumps(request["messages"])))
            if len(shown) >= len(self.results):
                self.results = shown
            if len(shown) >= len(self.calls):
                return {"type": "text", "text": "done"}
            name, arguments = self.calls[len(shown)]
            if callable(arguments):
                arguments = arguments(shown)
            return {"type": "tool_use", "id": f"toolu_{len(shown)}", "name": name, "input": arguments}


def events_of(message, block, stop):
    empty = {**block, "input": {}} if stop == "tool_use" else {**block, "text": ""}
    delta = ({"type": "input_json_delta", "partial_json": json.dumps(block["input"])} if stop == "tool_use"
             else {"type": "text_delta", "text": block["text"]})
    return [{"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": empty},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
             "usage": {"output_tokens": 1}},
            {"type": "message_stop"}]


def serve(mock):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args):
            pass

        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
                return self.reply("application/json", json.dumps({"input_tokens": 1}).encode())
            block = mock.next_block(request)
            stop = "tool_use" if block["type"] == "tool_use" else "end_turn"
            message = {"id": "msg_1", "type": "message", "role": "assistant", "model": request.get("model", "mock"),
                       "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
            if not request.get("stream"):
                body = json.dumps({**message, "content": [block], "stop_reason": stop}).encode()
                return self.reply("application/json", body)
            body = "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events_of(message, block, stop))
            self.reply("text/event-stream", body.encode())

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
