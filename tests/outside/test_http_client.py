"""What is posted goes to one host, in bounds, and its key is seen by nobody else."""

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.outside import http_client
from clawgit.outside.http_client import Address, Patience, address, letter, post
from clawgit.outside.subprocess_runner import BrokenError, OutsideError, RefusedError

KEY = "sk-proj-Zx81kfLq92MmaPoQ7w3dTbVr"
QUICK = Patience(10, pause=0.01, longest=0.5, largest=1 << 20)


class Server:
    """Sends what it is told to, byte by byte, and keeps what it was sent."""

    def __init__(self) -> None:
        self.replies: list[bytes] = []
        self.seen: list[tuple[str, dict[str, str], bytes]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["Content-Length"]))
                outer.seen.append((self.path, dict(self.headers), data))
                self.wfile.write(outer.replies.pop(0) if len(outer.replies) > 1 else outer.replies[0])
                self.close_connection = True

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    @property
    def port(self) -> int:
        return self.server.server_port

    def to(self) -> Address:
        return address("THE_URL", f"http://127.0.0.1:{self.port}/api", "things")

    def replies_with(self, *replies: tuple[str, str]) -> None:
        self.replies = [f"HTTP/1.1 {head}\r\n\r\n{body}".encode() for head, body in replies]


@pytest.fixture
def server() -> Iterator[Server]:
    one = Server()
    yield one
    one.server.shutdown()
    one.server.server_close()
    one.thread.join()


def ask(server: Server, what: object = None, patience: Patience = QUICK) -> object:
    return post(letter(server.to(), "the server", what, KEY), patience)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nobody_is_followed(server, status):
    other = Server()
    try:
        other.replies_with(("200 OK", "{}"))
        server.replies_with((f"{status} Moved\r\nLocation: http://127.0.0.1:{other.port}/", ""))
        with pytest.raises(RefusedError, match="sends us elsewhere"):
            ask(server)
        assert other.seen == []
    finally:
        other.server.shutdown()
        other.server.server_close()
        other.thread.join()


@pytest.mark.parametrize(
    ("head", "body", "kind", "tries"),
    [
        ("400 Bad", KEY, RefusedError, 1),
        ("401 No", KEY, RefusedError, 1),
        ("429 Busy", KEY, RefusedError, 3),
        ("429 Busy\r\nRetry-After: 99", KEY, RefusedError, 1),
        ("500 Oh", KEY, RefusedError, 3),
        ("200 OK\r\nContent-Length: 90", '{"half": ', BrokenError, 3),
        ("200 OK", '{"half": ', BrokenError, 3),
        ("200 OK\r\nTransfer-Encoding: chunked", "5\r\n{'a'\r\n", BrokenError, 3),
        ("200 OK\r\nContent-Type: text/html", "<p>", OutsideError, 1),
        ("200 OK", "x" * (2 << 20), OutsideError, 1),
        ("nonsense", "", BrokenError, 3),
    ],
)
def test_what_may_pass_is_tried_again_and_no_error_shows_the_key(server, head, body, kind, tries):
    server.replies_with((head, body))
    with pytest.raises(kind) as caught:
        ask(server)
    assert type(caught.value) is kind
    assert len(server.seen) == tries
    assert KEY not in f"{caught.value!r} {caught.value.fix!s} {caught.value.__cause__!r} {caught.value.__context__!r}"
    assert "the server" in caught.value.message
    assert str(caught.value.fix)


def test_a_body_that_never_comes_is_left_in_time(server):
    server.replies = [b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"]
    begun = time.monotonic()
    with pytest.raises(BrokenError):
        ask(server, patience=Patience(0.5, pause=0.3))
    assert time.monotonic() - begun < 20


def test_a_wait_may_be_seconds_or_a_moment():
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert http_client.wait_before("7") == 7
    assert 25 < http_client.wait_before(soon) <= 30
    assert [
        http_client.wait_before(said) for said in (None, "", "soon", "-5", "²", "Thu, 01 Jan 1970 00:00:00 GMT")
    ] == [0] * 6


@given(st.text() | st.sampled_from(["file:///etc/passwd", "http://a:b@host", "http://", "http://h:0x1", "http://h h/"]))
def test_an_address_is_one_or_an_error_that_does_not_show_it(text):
    fix = "export THE_URL=http://HOST:PORT/v1"
    try:
        url, error = address("THE_URL", text, "things").url, None
    except OutsideError as exc:
        url, error = "", exc
    assert url.startswith(("http://", "https://")) != (
        error is not None and error.key == "address-invalid" and str(error.fix) == fix
    )


@pytest.mark.parametrize("key", ["a\nb", "ключ", "a\0b"])
def test_a_key_that_no_header_carries_is_refused(key):
    with pytest.raises(OutsideError) as caught:
        letter(address("THE_URL", "http://host", "things"), "the server", {}, key)
    assert key not in caught.value.message
