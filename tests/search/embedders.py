"""Embedders that need no model: one that counts words, and a server that can fail in every way."""

import http.server
import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

SAME = {"physician": "doctor", "automobile": "car", "feline": "cat", "lease": "rent", "canine": "dog"}
_STOP = re.compile(r"(?:the|an?|is|of|to|in|we|what|where|when|who|how|do|does|did|our|my|for|with|and|on)")
REQUIRED = "CLAWGIT_TEST_ENHANCED"
"""Set where nothing may be skipped for want of a part."""


def need(*modules: str, get: str) -> None:
    """Skip the module of the caller if one of these cannot be imported, and fail if nothing may be skipped."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing and os.environ.get(REQUIRED):
        pytest.fail(f"{missing[0]} is missing: {get}", pytrace=False)
    if missing:
        pytest.skip(f"{missing[0]}; get it: {get}", allow_module_level=True)


def need_chroma() -> None:
    need("chromadb", get="pip install 'clawgit[enhanced]'")


def vector(text: str, dimension: int) -> list[float]:
    """Return a direction for each word, added up: texts are as near as the meanings that they share are many."""
    values = [0.0] * dimension
    for word in re.findall(r"\w+", text.lower()):
        if not _STOP.fullmatch(word):
            digest = sha256(SAME.get(word, word).encode()).digest()
            for index in range(3):
                place = int.from_bytes(digest[4 * index : 4 * index + 4], "big") % dimension
                values[place] += 1.0 if digest[12 + index] & 1 else -1.0
    return values


@contextmanager
def chroma_server(folder: Path) -> Iterator[str]:
    """Run a real Chroma server; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = Path(sys.executable).with_name("chroma")
    command = [program, "run", "--path", folder, "--host", "127.0.0.1", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=folder)
        try:
            _await(port, server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(10)


def _await(port: int, server: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    pytest.fail("chroma run did not come up")


Reply = Callable[["Handler", list[str]], None]


class Handler(http.server.BaseHTTPRequestHandler):
    """One call of `/v1/embeddings`."""

    server: "Endpoint"
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.calls.append((self.path, dict(self.headers), body))
        replies = self.server.replies
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        reply(self, body["input"])

    def answer(self, body: bytes, code: int = 200, **headers: str) -> None:
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Endpoint(http.server.ThreadingHTTPServer):
    """A server on loopback; the last of its replies is repeated."""

    daemon_threads = True

    def __init__(self, *replies: Reply) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies = list(replies)
        self.calls: list[tuple[str, dict[str, str], Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, *_: Any) -> None:
        """Clients that give up are part of the game."""


@contextmanager
def serving(*replies: Reply) -> Iterator[Endpoint]:
    server = Endpoint(*replies)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def document(vectors: Sequence[Any]) -> bytes:
    rows = [
        {"object": "embedding", "index": index, "embedding": vector_row} for index, vector_row in enumerate(vectors)
    ]
    return json.dumps({"object": "list", "data": rows, "model": "m", "usage": {"total_tokens": 1}}).encode()


def well(dimension: int = 64) -> Reply:
    return lambda handler, texts: handler.answer(document([vector(text, dimension) for text in texts]))


def shuffled(handler: Handler, texts: list[str]) -> None:
    answer = json.loads(document([vector(text, 64) for text in texts]))
    answer["data"].reverse()
    handler.answer(json.dumps(answer).encode())


def failing(code: int, **headers: str) -> Reply:
    return lambda handler, _: handler.answer(b'{"error": {"message": "no"}}', code, **headers)


def slow(seconds: float) -> Reply:
    def reply(handler: Handler, texts: list[str]) -> None:
        time.sleep(seconds)
        well()(handler, texts)

    return reply


def dripping(handler: Handler, _: list[str]) -> None:
    """Send a byte now and then: no single read ever takes long."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)


def broken(value: float) -> Reply:
    return lambda handler, texts: handler.answer(document([[value, 1.0, 2.0] for _ in texts]))


def answer_too_few(handler: Handler, texts: list[str]) -> None:
    handler.answer(document([vector(text, 64) for text in texts[1:]]))


def words(handler: Handler, texts: list[str]) -> None:
    handler.answer(document(["abc" for _ in texts]))


def half(handler: Handler, texts: list[str]) -> None:
    body = document([vector(text, 64) for text in texts])
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.close_connection = True


def page(handler: Handler, _: list[str]) -> None:
    handler.answer(b"<html>Please log in</html>")


def elsewhere(url: str) -> Reply:
    return lambda handler, _: handler.answer(b"", 307, Location=url)
