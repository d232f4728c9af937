#!/usr/bin/env python3
"""How the served program begins and ends, from outside: over TLS, with a token, at the end of its input, by signals, with a
closed output, without its parent; and that what was answered before is kept. Prints how long each end took.

  tests/transport_test.py PITH
"""
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import warnings

PITH = str(pathlib.Path(sys.argv[1]).resolve())
PATIENCE = 10  # seconds: a bound for what hangs, not a measurement
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
OUTPUT = "".join(f"2026-01-01 INFO worker handled request {number} in {number % 7} ms\n" for number in range(3000))
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def call(tool, arguments):
    params = {"name": tool, "arguments": arguments, "_meta": META}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


class Server:
    """pith serve over stdio, its state in `folder`."""

    def __init__(self, folder, **more):
        self.process = subprocess.Popen([PITH, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env={**os.environ, "XDG_STATE_HOME": folder}, **more)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def keep(self):
        """Has an output compacted; its token."""
        view = self.ask(call("compact", {"content": OUTPUT}))["result"]["content"][0]["text"]
        return re.search(r'"([0-9a-f]{24})"\]\s*$', view)[1]

    def end(self, code):
        """Waits for the end, which must be with that code and without a word; milliseconds."""
        begin = time.perf_counter()
        ended = self.process.wait(timeout=PATIENCE)
        took = (time.perf_counter() - begin) * 1e3
        assert ended == code, f"ended with {ended}"
        assert self.process.stderr.read() == "", "quietly"
        return took


def check_kept(folder, token):
    server = Server(folder)
    text, offset = "", 0
    while offset is not None:
        blocks = server.ask(call("tokenjuice_retrieve", {"token": token, "offset": offset}))["result"]["content"]
        text += blocks[0]["text"]
        found = re.search(r"next offset (\d+)", " ".join(block["text"] for block in blocks[1:]))
        offset = int(found[1]) if found else None
    server.process.stdin.close()
    server.process.wait(timeout=PATIENCE)
    assert text == OUTPUT, "what was answered is kept"


def ends_over_stdio(folder):
    took = {}
    for name, act, code in [
            ("end of input", lambda server: server.process.stdin.close(), 0),
            ("SIGINT", lambda server: server.process.send_signal(signal.SIGINT), 0),
            ("SIGTERM", lambda server: server.process.send_signal(signal.SIGTERM), 0),
            ("SIGHUP", lambda server: server.process.send_signal(signal.SIGHUP), 0),
            ("SIGKILL", lambda server: server.process.kill(), -signal.SIGKILL)]:
        state = f"{folder}/{name}"
        server = Server(state)
        token = server.keep()
        act(server)
        took[name] = server.end(code)
        check_kept(state, token)
    server = Server(folder + "/closed")
    server.process.stdout.close()
    server.process.stdin.write(PING + "\n")
    server.process.stdin.flush()
    took["closed output"] = server.end(0)
    return took


def is_gone(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def ends_without_its_parent(folder):
    """The parent dies, and its end of our pipes with it; another process (this one) holds them open."""
    parent_program = "import subprocess, sys; print(subprocess.Popen(sys.argv[1:]).pid, file=sys.stderr, flush=True); input()"
    read_end, write_end = os.pipe()
    with subprocess.Popen([sys.executable, "-c", f"import os; os.dup2({read_end}, 5)\n" + parent_program.replace(
            "sys.argv[1:]", "sys.argv[1:], stdin=5"), PITH, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, pass_fds=[read_end], env={**os.environ, "XDG_STATE_HOME": folder}) as parent:
        pid = int(parent.stderr.readline())
        os.write(write_end, (PING + "\n").encode())
        assert json.loads(parent.stdout.readline())["result"] == {}, "it serves while its parent lives"
        begin = time.perf_counter()
        parent.kill()
        while not is_gone(pid):
            assert time.perf_counter() - begin < PATIENCE, "the server outlives its parent"
            time.sleep(0.01)
    os.close(read_end)
    os.close(write_end)
    return (time.perf_counter() - begin) * 1e3


# --- HTTP ---------------------------------------------------------------------------------------------------------------


class HttpServer:
    def __init__(self, folder, *words, **environment):
        self.process = subprocess.Popen([PITH, "serve", "--http", "127.0.0.1:0", *words], stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, "XDG_STATE_HOME": folder, **environment})
        line = self.process.stderr.readline()
        found = re.search(r"listening on (\w+)://127.0.0.1:(\d+)/mcp", line)
        assert found, line
        self.scheme, self.port = found[1], int(found[2])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=PATIENCE) == 0

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)


def status(connection, header=""):
    body = PING.encode()
    connection.sendall(f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{header}"
                       f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
    return int(connection.recv(65536).split()[1])


def refused(*words):
    """The sentence with which it does not start, and the code."""
    done = subprocess.run([PITH, "serve", "--http", *words], capture_output=True, text=True, timeout=PATIENCE)
    return done.returncode, done.stderr


def make_certificate(folder, name):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                    "2", "-subj", "/CN=pith test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/{name}.key",
                    "-out", f"{folder}/{name}.pem"], check=True, capture_output=True)
    return f"{folder}/{name}.pem", f"{folder}/{name}.key"


def serves_tls(folder):
    certificate, key = make_certificate(folder, "one")
    _, other_key = make_certificate(folder, "two")
    with HttpServer(folder, "--certificate", certificate, "--private-key", key) as server:
        assert server.scheme == "https"
        context = ssl.create_default_context(cafile=certificate)
        with context.wrap_socket(server.connect(), server_hostname="127.0.0.1") as connection:
            for _ in range(3):
                assert status(connection) == 200
            version = connection.version()
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
        try:
            old.wrap_socket(server.connect())
            raise AssertionError("TLS 1.1 was taken")
        except (ssl.SSLError, ConnectionError):
            pass
        with server.connect() as plain:
            try:
                assert status(plain) != 200, "plain text was served"
            except (IndexError, ConnectionError):
                pass  # closed
        with context.wrap_socket(server.connect(), server_hostname="127.0.0.1") as connection:
            assert status(connection) == 200, "others are served after them"
    code, said = refused("127.0.0.1:0", "--certificate", certificate, "--private-key", other_key)
    assert code == 1 and "private key" in said, said
    return version


def asks_for_a_token(folder):
    path = folder + "/token"
    pathlib.Path(path).write_text("s3cret-token\n")
    os.chmod(path, 0o644)
    code, said = refused("127.0.0.1:0", "--token-file", path)
    assert code == 2 and "chmod 600" in said, said
    code, said = refused("0.0.0.0:0")
    assert code == 2 and "token" in said, said
    os.chmod(path, 0o600)
    for words, environment in [(("--token-file", path), {}), ((), {"PITH_HTTP_TOKEN": "s3cret-token"})]:
        with HttpServer(folder, *words, **environment) as server, server.connect() as connection:
            assert status(connection) == 401
            assert status(connection, "Authorization: Bearer s3cret-tokem\r\n") == 401
            assert status(connection, "Authorization: Bearer s3cret-token\r\n") == 200


def main():
    warnings.simplefilter("ignore", DeprecationWarning)  # of TLS 1.1, which is asked for to be refused
    with tempfile.TemporaryDirectory() as folder:
        took = ends_over_stdio(folder)
        took["parent's death"] = ends_without_its_parent(folder)
        asks_for_a_token(folder)
        version = serves_tls(folder)
    print("milliseconds to the end: " + ", ".join(f"{name} {value:.0f}" for name, value in took.items()))
    print(f"served over {version}; plain text, TLS 1.1, wrong keys and wrong tokens refused")


main()
