"""A webhook on the loopback that takes, refuses or says nothing."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Act = Callable[["Hook"], int | None]


class Hook:
    """Its acts are done in turn, the last one for good: each returns a status, None for no answer at all.

    `posts` are the bodies and keys that came, `taken` counts the keys that were answered with yes.
    """

    def __init__(self, *acts: Act | int) -> None:
        self.acts = list(acts)
        self.posts: list[tuple[dict[str, str], str]] = []
        self.taken: Counter[str] = Counter()
        self.url = ""

    def answer(self, body: bytes, key: str) -> int | None:
        self.posts.append((json.loads(body), key))
        act = self.acts.pop(0) if len(self.acts) > 1 else self.acts[0]
        status = act if isinstance(act, int) else act(self)
        if status == 200:
            self.taken[key] += 1
        return status

    @property
    def environ(self) -> dict[str, str]:
        return {"CLAWGIT_WEBHOOK_URL": self.url}


class _Handler(BaseHTTPRequestHandler):
    hook: Hook

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = self.hook.answer(body, self.headers["Idempotency-Key"])
        if status is not None:
            self.send_response(status)
            self.send_header("Location", "/elsewhere")
            self.end_headers()
            self.wfile.write(b"ok")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Say nothing: the client may have been killed."""


@contextmanager
def listening(*acts: Act | int) -> Iterator[Hook]:
    """Listen for as long as the block runs."""
    hook = Hook(*acts)
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"hook": hook}))
    hook.url = f"http://127.0.0.1:{server.server_port}/hooks/KEY-0001"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield hook
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
