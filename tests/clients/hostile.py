"""Senders that mean no good, against `pith serve` over stdio and over HTTP on loopback. Every loop is bounded. Prints
figures: what others waited meanwhile, and the server's memory at its peak."""
import json
import os
import random
import re
import signal
import socket
import subprocess
import time

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
MEGABYTE = 1 << 20

# Messages over both transports, and the code of the answer: 0 for a result, with the id that it must bear.
MESSAGES = [
    ("10,000 nested arrays", b"[" * 10_000 + b"]" * 10_000, -32600, None),
    ("100,000 nested objects", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, -32600, None),
    ("a cut text", PING[:-1], -32700, None),
    ("invalid UTF-8", b'{"jsonrpc":"2.0","id":1,"method":"p\xff"}', -32700, None),
    ("NUL bytes", b"\0" * 1000, -32700, None),
    ("a number of 10,000 digits", b'{"jsonrpc":"2.0","id":' + b"9" * 10_000 + b',"method":"ping"}', -32700, None),
    ("1e400", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1e400}}', -32700, None),
    ("id 10^20", b'{"jsonrpc":"2.0","id":100000000000000000000,"method":"ping"}', -32600, None),
    ("id 2^63", b'{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}', 0, 1 << 63),
    ("id -2^63", b'{"jsonrpc":"2.0","id":-9223372036854775808,"method":"ping"}', 0, -(1 << 63)),
    ("duplicate keys: the last counts", b'{"jsonrpc":"2.0","id":1,"id":2,"method":"x","method":"ping"}', 0, 2),
    ("a lone surrogate as an id", rb'{"jsonrpc":"2.0","id":"\ud83d","method":"ping"}', 0, "\ufffd"),
    ("a lone surrogate in an argument", rb'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"compact",'
     rb'"arguments":{"content":"cut \udc00 here"}}}', 0, 3),
    ("ten million values", b"[" + b"1," * 10_000_000 + b"1]", -32600, None),
]


def head(length=None, extra=b"", path=b"/mcp", method=b"POST"):
    text = method + b" " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" + extra
    if length is not None:
        text += b"Content-Length: %d\r\n" % length
    return text + b"\r\n"


class Server:
    """pith serve --http."""

    def __init__(self):
        self.process = subprocess.Popen([os.environ["PITH"], "serve", "--http", "127.0.0.1:0"], stderr=subprocess.PIPE)
        line = self.process.stderr.readline().decode()
        self.port = int(re.search(r":(\d+)/mcp", line)[1])

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)


class Lines:
    """pith serve over stdio."""

    def __init__(self):
        self.process = subprocess.Popen([os.environ["PITH"], "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def answer(self):
        """The next line; every one must be a JSON object."""
        answer = json.loads(self.process.stdout.readline())
        assert answer["jsonrpc"] == "2.0"
        return answer


def peak_mib(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) // 1024


def status_of(connection):
    data = b""
    while b"\r\n" not in data:
        got = connection.recv(65536)
        if not got:
            break
        data += got
    found = re.match(rb"HTTP/1.1 (\d+)", data)
    return int(found[1]) if found else 0


def ask(server, raw):
    """The status of the answer on a connection of its own; 0 if it was closed without one."""
    with server.connect() as connection:
        try:
            connection.sendall(raw)
        except (BrokenPipeError, ConnectionResetError):
            pass
        try:
            return status_of(connection)
        except ConnectionResetError:
            return 0


def expect(what, got, *wanted):
    assert got in wanted, f"{what}: got {got}, wanted {wanted}"


def pings(server, rounds):
    """What so many pings on one connection took, as a text."""
    waits = []
    with server.connect() as connection:
        for _ in range(rounds):
            begin = time.perf_counter()
            connection.sendall(head(len(PING)) + PING)
            expect("a ping meanwhile", status_of(connection), 200)
            waits.append((time.perf_counter() - begin) * 1e3)
    waits.sort()
    return f"{waits[rounds // 2]:.2f} ms p50, {waits[rounds * 99 // 100]:.2f} ms p99"


# --- stdio --------------------------------------------------------------------------------------------------------------


def check_answer(what, answer, code, wanted_id):
    assert answer.get("error", {}).get("code", 0) == code, f"{what}: {str(answer)[:200]}"
    assert answer["id"] == wanted_id, f"{what}: id {answer['id']!r}"


def noise(server):
    """Random bytes: each line is refused or, if it is blank, passed over; what follows is served."""
    source = random.Random(7)
    for number in range(300):
        line = bytes(source.randrange(256) for _ in range(source.randrange(200))).replace(b"\n", b" ")
        server.send(line + b"\n")
        if line.strip(b" \t\r"):
            expect("noise", server.answer()["error"]["code"], -32700, -32600)
        server.send(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % number)
        check_answer("after noise", server.answer(), 0, number)


def long_lines(server):
    """100 MB: a request before it is answered while it comes, it is refused, what follows is served. Gives the time from
    its end to the next answer in milliseconds. Then 60 MB that are one text, which is served."""
    server.send(PING + b"\n" + b"x" * MEGABYTE)
    check_answer("before the long line ends", server.answer(), 0, 1)
    for _ in range(99):
        server.send(b"x" * MEGABYTE)
    begin = time.perf_counter()
    server.send(b"\n" + PING + b"\n")
    check_answer("a line of 100 MB", server.answer(), -32600, None)
    check_answer("after it", server.answer(), 0, 1)
    after = (time.perf_counter() - begin) * 1e3
    server.send(b'{"jsonrpc":"2.0","id":4,"method":"ping","params":{"x":"' + b"y" * (60 * MEGABYTE) + b'"}}\n')
    check_answer("a line of 60 MB", server.answer(), 0, 4)
    return after


def over_stdio():
    server = Lines()
    for what, message, code, wanted_id in MESSAGES:
        server.send(message + b"\n")
        check_answer(what, server.answer(), code, wanted_id)
    noise(server)
    after = long_lines(server)
    peak = peak_mib(server.process)
    server.process.stdin.close()
    assert server.process.wait(timeout=5) == 0
    assert peak < 512, f"peak memory {peak} MiB"
    return f"stdio: {after:.1f} ms from a line of 100 MB to the next answer, peak {peak} MiB"


# --- HTTP ---------------------------------------------------------------------------------------------------------------


def heads(server):
    many = lambda count: b"".join(b"X-%d: y\r\n" % number for number in range(count))
    expect("garbage", ask(server, b"\x00\xff garbage\r\n\r\n"), 400)
    expect("a long header", ask(server, head(2)[:-2] + b"X: " + b"y" * 9000 + b"\r\n\r\n{}"), 400, 431, 0)
    expect("10,000 headers", ask(server, head(len(PING), many(10_000)) + PING), 400, 431, 0)
    expect("200 headers", ask(server, head(len(PING), many(200)) + PING), 431)
    expect("a long target", ask(server, head(0, path=b"/" + b"x" * 5000)), 414)
    expect("length not a number", ask(server, head(None, b"Content-Length: abc\r\n") + PING), 400)
    expect("two lengths", ask(server, head(len(PING), b"Content-Length: 3\r\n") + PING), 400)
    expect("length and chunked", ask(server, head(len(PING), b"Transfer-Encoding: chunked\r\n") + PING), 400)
    expect("announced over the limit", ask(server, head(1 << 40)), 413)


def chunks_over_the_limit(server):
    """100 MB in chunks that nobody announced, while others ask."""
    chunk = b"100000\r\n" + b" " * MEGABYTE + b"\r\n"
    with server.connect() as connection:
        connection.sendall(head(None, b"Transfer-Encoding: chunked\r\n") + chunk * 30)
        meanwhile = pings(server, 100)
        try:
            connection.sendall(chunk * 70 + b"0\r\n\r\n")
            expect("chunked over the limit", status_of(connection), 413, 0)
        except (BrokenPipeError, ConnectionResetError):
            pass  # closed before all was sent: as good
    return meanwhile


def framing(server):
    """Two requests in one packet; and a refused body that must not be read as the next request."""
    with server.connect() as connection:
        connection.sendall((head(len(PING)) + PING) * 2)
        time.sleep(0.2)
        assert connection.recv(65536).count(b"HTTP/1.1 200") == 2, "pipelined requests"
    smuggled = head(len(PING)) + PING
    with server.connect() as connection:
        connection.sendall(head(len(smuggled), b"Origin: http://evil.example\r\n") + smuggled)
        connection.settimeout(1)
        data = b""
        try:
            while got := connection.recv(65536):
                data += got
        except TimeoutError:
            pass
        assert data.count(b"HTTP/1.1") == 1 and b"403" in data[:20], data


def slow_senders(server):
    """A head that never ends on every connection but one; one more connection is told so; all are gone in time."""
    time.sleep(1.5)  # until those of the cases before have gone
    slow = [server.connect() for _ in range(63)]
    for connection in slow:
        connection.sendall(head(1000)[:40])
    meanwhile = pings(server, 500)
    slow.append(server.connect())
    slow[-1].sendall(head(1000)[:40])
    time.sleep(0.2)
    expect("one connection too many", ask(server, head(len(PING)) + PING), 503)
    time.sleep(11)
    expect("after their time is up", ask(server, head(len(PING)) + PING), 200)
    for connection in slow:
        connection.close()
    return meanwhile


def slow_readers(server):
    """Clients that ask for much and take nothing, on most connections."""
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    deaf = [server.connect() for _ in range(50)]
    for connection in deaf:
        connection.settimeout(0.2)
        try:
            for _ in range(40):
                connection.sendall((head(len(body)) + body) * 20)
        except TimeoutError:
            pass
    meanwhile = pings(server, 200)
    for connection in deaf:
        connection.close()
    return meanwhile


def listeners(server):
    """As many open listens as are allowed; the next one is told so, and calls go on."""
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
                       "params": {"notifications": {}, "_meta": meta}}).encode()
    request = head(len(body), b"Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n"
                              b"Accept: application/json, text/event-stream\r\n") + body
    open_ones = [server.connect() for _ in range(48)]
    for connection in open_ones:
        connection.sendall(request)
        expect("a listen", status_of(connection), 200)
    expect("one listen too many", ask(server, request), 503)
    meanwhile = pings(server, 200)
    for connection in open_ones:
        connection.close()
    for _ in range(30):  # each leaves within a second of its client
        if ask(server, request) == 200:
            return meanwhile
        time.sleep(0.1)
    raise AssertionError("closed listens still hold their places")


def over_http():
    server = Server()
    expect("a plain ping", ask(server, head(len(PING)) + PING), 200)
    heads(server)
    for what, message, code, _ in MESSAGES:
        expect(what, ask(server, head(len(message)) + message), 400 if code else 200)
    said = ["beside chunks over the limit " + chunks_over_the_limit(server)]
    framing(server)
    for _ in range(50):  # clients that leave in mid-request
        connection = server.connect()
        connection.sendall(head(len(PING)) + PING[:10])
        connection.close()
    pings(server, 1000)
    said.append("48 listens " + listeners(server))
    said.append("50 deaf readers " + slow_readers(server))
    said.append("63 slow senders " + slow_senders(server))
    peak = peak_mib(server.process)
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=15) == 0, "ends with 0"
    assert peak < 600, f"peak memory {peak} MiB"
    return f"HTTP: others waited {'; '.join(said)}; peak {peak} MiB"


print("ok: " + over_stdio() + ". " + over_http())
