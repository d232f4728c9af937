"""Senders that mean no good, against `pith serve --http` on loopback. Every loop is bounded. Prints figures: what others
waited meanwhile, and the server's memory at its peak."""
import os
import re
import signal
import socket
import subprocess
import time

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


def head(length=None, extra=b"", path=b"/mcp", method=b"POST"):
    text = method + b" " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" + extra
    if length is not None:
        text += b"Content-Length: %d\r\n" % length
    return text + b"\r\n"


class Server:
    def __init__(self):
        self.process = subprocess.Popen([os.environ["PITH"], "serve", "--http", "127.0.0.1:0"], stderr=subprocess.PIPE)
        line = self.process.stderr.readline().decode()
        self.port = int(re.search(r":(\d+)/mcp", line)[1])

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def peak_kib(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1])

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))


def status_of(connection):
    data = b""
    while b"\r\n" not in data:
        got = connection.recv(4096)
        if not got:
            break
        data += got
    found = re.match(rb"HTTP/1.1 (\d+)", data)
    return int(found[1]) if found else 0


def ask(server, raw):
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


def main():
    server = Server()
    expect("a plain ping", ask(server, head(len(PING)) + PING), 200)
    expect("garbage", ask(server, b"\x00\xff garbage\r\n\r\n"), 400)
    expect("no head end", ask(server, head(2)[:-2] + b"X: " + b"y" * 9000 + b"\r\n\r\n{}"), 400, 431, 0)
    expect("10,000 headers", ask(server, head(len(PING), b"".join(b"X-%d: y\r\n" % i for i in range(10000))) + PING), 400, 431, 0)
    expect("200 headers", ask(server, head(len(PING), b"".join(b"X-%d: y\r\n" % i for i in range(200))) + PING), 431)
    expect("a long target", ask(server, head(0, path=b"/" + b"x" * 5000)), 414)
    expect("length not a number", ask(server, head(None, b"Content-Length: abc\r\n") + PING), 400)
    expect("two lengths", ask(server, head(len(PING), b"Content-Length: 3\r\n") + PING), 400)
    expect("length and chunked", ask(server, head(len(PING), b"Transfer-Encoding: chunked\r\n") + PING), 400)
    expect("announced over the limit", ask(server, head(1 << 40)), 413)
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    expect("chunked over the limit", ask(server, head(None, b"Transfer-Encoding: chunked\r\n") + chunk * 40 + b"0\r\n\r\n"), 413, 0)
    deep = b"[" * 10000 + b"]" * 10000
    expect("10,000 nested arrays", ask(server, head(len(deep)) + deep), 400)
    many = b"[" + b"1," * 10_000_000 + b"1]"
    expect("ten million values", ask(server, head(len(many)) + many), 400)

    # Two requests in one packet, and a refused body that must not be read as the next request.
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
            while True:
                got = connection.recv(65536)
                if not got:
                    break
                data += got
        except TimeoutError:
            pass
        assert data.count(b"HTTP/1.1") == 1 and b"403" in data[:20], data

    # A thousand requests on one connection.
    with server.connect() as connection:
        for _ in range(900):
            connection.sendall(head(len(PING)) + PING)
            expect("kept alive", status_of(connection), 200)

    # Slow senders on every connection but one.
    slow = [server.connect() for _ in range(63)]
    for connection in slow:
        connection.sendall(head(1000)[:40])
    waits = []
    with server.connect() as connection:
        for _ in range(200):
            begin = time.perf_counter()
            connection.sendall(head(len(PING)) + PING)
            expect("a ping beside slow senders", status_of(connection), 200)
            waits.append(time.perf_counter() - begin)
    expect("one connection too many", ask_full(server, slow), 503)
    time.sleep(11)
    expect("after their time is up", ask(server, head(len(PING)) + PING), 200)
    for connection in slow:
        connection.close()

    # A client that leaves in mid-call, many times: the server answers on.
    for _ in range(50):
        connection = server.connect()
        connection.sendall(head(len(PING)) + PING[:10])
        connection.close()
    expect("after leavers", ask(server, head(len(PING)) + PING), 200)

    peak = server.peak_kib()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=15) == 0, "ends with 0"
    waits.sort()
    assert peak < 600 * 1024, f"peak memory {peak} KiB"
    print(f"ok: others waited {waits[100] * 1e3:.2f} ms (p50), {waits[197] * 1e3:.2f} ms (p99); peak {peak // 1024} MiB")


def ask_full(server, slow):
    """With every place taken."""
    extra = server.connect()
    extra.sendall(head(1000)[:40])
    time.sleep(0.2)
    try:
        return ask(server, head(len(PING)) + PING)
    finally:
        slow.append(extra)


main()
