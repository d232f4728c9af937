"""Mocks of the models' APIs that hosts talk to, on loopback: each says what a model would that is led by a script, and keeps
every tool result that the host shows it. A script is a function from the results so far (a list of texts each) to the next
step: ("call", tool, arguments), or ("say", text)."""
import http.server
import json
import threading


class Anthropic:
    """The Messages API, as Claude Code speaks it."""
    models = "/v1/messages"

    @staticmethod
    def offers_pith(request):
        return any(tool.get("name") == "mcp__pith__compact" for tool in request.get("tools", []))

    @staticmethod
    def results(request):
        blocks = [block for message in request.get("messages", []) if isinstance(message["content"], list)
                  for block in message["content"] if block.get("type") == "tool_result"]
        return [texts_of(block.get("content", "")) for block in blocks]

    @staticmethod
    def answer(request, step, number):
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": request.get("model", "mock"),
                   "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
        if step[0] == "call":
            block = {"type": "tool_use", "id": f"toolu_{number}", "name": f"mcp__pith__{step[1]}", "input": step[2]}
            empty, stop = {**block, "input": {}}, "tool_use"
            delta = {"type": "input_json_delta", "partial_json": json.dumps(step[2])}
        else:
            block = {"type": "text", "text": step[1]}
            empty, stop = {**block, "text": ""}, "end_turn"
            delta = {"type": "text_delta", "text": step[1]}
        if not request.get("stream"):
            return "application/json", json.dumps({**message, "content": [block], "stop_reason": stop})
        return events([
            {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": empty},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
             "usage": {"output_tokens": 1}},
            {"type": "message_stop"}])


class Responses:
    """OpenAI's Responses API, as Codex speaks it."""
    models = "/v1/responses"

    @staticmethod
    def offers_pith(request):
        return any(tool.get("name") == "mcp__pith" for tool in request.get("tools", []))

    @staticmethod
    def results(request):
        return [texts_of(item["output"]) for item in request.get("input", [])
                if item.get("type") == "function_call_output"]

    @staticmethod
    def answer(_request, step, number):
        if step[0] == "call":
            item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "namespace": "mcp__pith",
                    "name": step[1], "arguments": json.dumps(step[2]), "status": "completed"}
        else:
            item = {"type": "message", "id": f"m_{number}", "role": "assistant", "status": "completed",
                    "content": [{"type": "output_text", "text": step[1], "annotations": []}]}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        response = {"id": f"resp_{number}", "object": "response", "output": [item], "usage": usage}
        return events([
            {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {**response, "status": "completed"}}])


class GenerateContent:
    """Gemini's generateContent, as Gemini CLI speaks it."""
    models = "/v1beta/models/"

    @staticmethod
    def offers_pith(request):
        return any(function["name"] == "mcp_pith_compact" for tool in request.get("tools", [])
                   for function in tool.get("functionDeclarations", []))

    @staticmethod
    def results(request):
        parts = [part for content in request.get("contents", []) for part in content.get("parts", [])]
        return [[part["functionResponse"]["response"].get("output", json.dumps(part["functionResponse"]["response"]))]
                for part in parts if "functionResponse" in part]

    @staticmethod
    def answer(_request, step, _number):
        part = {"text": step[1]}
        if step[0] == "call":
            part = {"functionCall": {"name": f"mcp_pith_{step[1]}", "args": step[2]}}
        chunk = {"candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [part]}}],
                 "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}}
        return "text/event-stream", f"data: {json.dumps(chunk)}\r\n\r\n"


def texts_of(content):
    return [content] if isinstance(content, str) else [block.get("text", "") for block in content]


def events(rows):
    return "text/event-stream", "".join(f"event: {row['type']}\ndata: {json.dumps(row)}\n\n" for row in rows)


class Model:
    """A wire, led by a script. `results` holds what the host showed last; `url` is where it listens until `close`."""

    def __init__(self, wire, script):
        self.wire, self.script, self.results, self.lock = wire, script, [], threading.Lock()
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
                counts = "count" in self.path.rpartition("/")[2].lower()
                if counts or not self.path.startswith(wire.models):
                    return self.reply("application/json", '{"input_tokens": 1, "totalTokens": 1}')
                return self.reply(*model.answer(request))

            def do_GET(self):
                self.reply("application/json", "{}")

            do_HEAD = do_GET

            def reply(self, kind, text):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(text.encode())

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, request):
        with self.lock:
            if not self.wire.offers_pith(request):  # a side question of the host's own
                return self.wire.answer(request, ("say", "ok"), 0)
            self.results = self.wire.results(request)
            return self.wire.answer(request, self.script(self.results), len(self.results))

    def close(self):
        self.server.shutdown()
        self.server.server_close()
