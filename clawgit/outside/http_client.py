"""JSON posted to one address, within a time limit."""

import contextlib
import json
import logging
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2
from msgspec import Struct

from clawgit.errors import Advice
from clawgit.outside.subprocess_runner import BrokenError, OutsideError, RefusedError, run_within

logging.getLogger("httpx2").setLevel(logging.WARNING)  # it logs whole addresses, which can hold a key

AGAIN = frozenset((408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529))
"""Answers of a server that another try may mend."""
_MAX_REFUSAL_BYTES = 4096
_load_certificates = cache(ssl.create_default_context)  # which takes 25 ms

Answer = TypeVar("Answer")


class Patience(Struct, frozen=True):
    """Seconds that all tries and the pauses between them may take, and the number of tries.

    `pause` is the first one and doubles; `longest` is the longest that a server may ask for; `largest` are bytes of an
    answer.
    """

    seconds: float
    tries: int = 3
    pause: float = 1.0
    longest: float = 30.0
    largest: int = 8 << 20


def retry_patiently(attempt: Callable[[float], Answer], patience: Patience, sleep: Callable[[float], None]) -> Answer:
    """Return the result of `attempt(seconds left)`; a passing error is tried again until the tries are over."""
    until = time.monotonic() + patience.seconds
    pause, tries_left = patience.pause, patience.tries
    while True:
        tries_left -= 1
        try:
            return attempt(until - time.monotonic())
        except OutsideError as exc:
            rest = max(exc.wait, pause)
            is_over = not tries_left or exc.wait > patience.longest or rest >= until - time.monotonic()
            if is_over or not exc.passing:
                raise
        sleep(rest)
        pause *= 2


@dataclass(frozen=True, slots=True)
class Address:
    """An address, and its variable `name`. Only `host` may be shown: a URL can contain a key."""

    name: str
    host: str
    url: str = field(repr=False)


def address(name: str, text: str, ending: str = "") -> Address:
    """Return the address in the value `text` of the variable `name`.

    With an `ending` its path ends so, and `http://host` alone means `/v1`. Raises OutsideError, which never shows the
    address.
    """
    fix = Advice(f"export {name}={'http://HOST:PORT/v1' if ending else 'https://HOST/PATH'}")
    try:
        parts = urlsplit(text)
        host = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
    except ValueError:
        parts, host = urlsplit(""), None
    is_plain = text.isascii() and text.isprintable() and " " not in text
    if parts.scheme not in ("http", "https") or not host or not is_plain:
        raise OutsideError("address-invalid", f"{name} is no web address", fix=fix)
    if "@" in parts.netloc:
        raise OutsideError("address-invalid", f"{name} has a name or password", fix=fix)
    path = (parts.path.rstrip("/") or "/v1") if ending else parts.path
    path = f"{path}/{ending}" if ending and not path.endswith(f"/{ending}") else path
    return Address(name, host, parts._replace(path=path, fragment="").geturl())


class Letter(Struct, frozen=True):
    """A request: `whose` is the receiver's name in errors, `headers` may contain a key."""

    to: Address
    whose: str
    body: bytes
    headers: Mapping[str, str]

    @property
    def fix(self) -> Advice:
        """The fix where the receiver fails."""
        return Advice(f"check {self.to.name}")


def make_request(to: Address, owner: str, content: object, key: str = "", mark: str = "") -> Letter:
    """Return a request with `content` as JSON, and `mark` as its `Idempotency-Key`.

    Raises OutsideError for a key that no header can carry.
    """
    if not (key.isascii() and key.isprintable()):
        raise OutsideError("setting-invalid", f"invalid key for {owner}", fix=Advice(f"set the key of {to.name} anew"))
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
    headers |= {"User-Agent": "clawgit"} | ({"Authorization": f"Bearer {key}"} if key else {})
    headers |= {"Idempotency-Key": mark} if mark else {}
    return Letter(to, owner, json.dumps(content, ensure_ascii=False).encode("utf-8", "replace"), headers)


def post(sent: Letter, patience: Patience, *, sleep: Callable[[float], None] = time.sleep) -> Any:
    """Return the JSON answer to a request; temporary failures are tried again, all within `patience.seconds`.

    Redirects are refused. Proxies are those of the environment. Raises RefusedError for a refusal, BrokenError for an
    answer that came in part or too late, else OutsideError.
    """

    def read(seconds: float) -> bytes:
        body = bytearray()
        with _send(sent, seconds) as reply:
            for piece in reply.iter_raw():
                body += piece
                if len(body) > patience.largest:
                    words = f"{sent.whose} gave more than {patience.largest / (1 << 20):g} MB"
                    raise OutsideError("answer-too-large", words, fix=sent.fix)
        return bytes(body)

    def once(seconds: float) -> Any:
        try:
            body = run_within(seconds, lambda: read(seconds))
        except TimeoutError:
            words = f"{sent.whose} did not answer within {round(patience.seconds, 1):g} s"
            raise BrokenError("http-failed", words, fix=sent.fix) from None
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            # An answer that begins as JSON was cut, and another try may bring all of it.
            if body.lstrip()[:1] == b"{":
                raise _make_half_answer(sent) from None
            raise OutsideError("http-failed", f"{sent.whose} gave no JSON", fix=sent.fix) from None

    return retry_patiently(once, patience, sleep)


def post_once(address: Address, content: object, mark: str, seconds: float) -> None:
    """Post `content` once, with `mark` as its `Idempotency-Key`; the body of the answer is not read.

    Raises OutsideError for a refusal, BrokenError if no answer comes within `seconds`: it may have arrived.
    """
    sent = make_request(address, address.host, content, mark=mark)

    def once() -> None:
        with _send(sent, seconds):
            pass

    try:
        run_within(seconds, once)
    except (TimeoutError, BrokenError):
        words = f"{address.host} did not answer; it may have arrived"
        raise BrokenError("host-unreachable", words, fix=sent.fix) from None


@contextlib.contextmanager
def _send(sent: Letter, seconds: float) -> Iterator[httpx2.Response]:
    """Post, and yield the answer, whose body is still to be read. Raises TimeoutError, OutsideError."""
    try:
        # Its proxy comes from the environment, and is never shown: the address can contain a password.
        client = httpx2.Client(verify=_load_certificates())
    except (httpx2.InvalidURL, ImportError, ValueError):
        words = f"no way to {sent.whose}: the proxy is unusable"
        raise OutsideError("host-unreachable", words, fix=Advice("check http_proxy and https_proxy")) from None
    try:
        with (
            client,
            client.stream("POST", sent.to.url, content=sent.body, headers=sent.headers, timeout=seconds) as reply,
        ):
            if not reply.is_success:
                raise _make_refusal(sent, reply)
            yield reply
    except httpx2.TimeoutException:
        raise TimeoutError from None
    except (httpx2.ConnectError, httpx2.ProxyError) as exc:
        cause: BaseException | None = exc
        # The library wraps the system's error, which has the better words.
        while cause and not isinstance(cause, OSError):
            cause = cause.__cause__ or cause.__context__
        distrust = getattr(cause, "verify_message", "")
        reason = distrust or getattr(cause, "strerror", "") or type(exc).__name__
        words = f"{sent.whose} cannot be reached ({reason})"
        error = OutsideError("certificate-invalid" if distrust else "host-unreachable", words, fix=sent.fix)
        error.passing = not distrust
        raise error from None
    except httpx2.TransportError:
        raise _make_half_answer(sent) from None


def _make_half_answer(sent: Letter) -> OutsideError:
    error = BrokenError("http-failed", f"{sent.whose} gave half an answer", fix=sent.fix)
    error.passing = True
    return error


def _make_refusal(sent: Letter, reply: httpx2.Response) -> OutsideError:
    words = b""
    with contextlib.suppress(httpx2.TransportError):
        words = next(reply.iter_raw(_MAX_REFUSAL_BYTES), b"")
    passing, seconds = reply.status_code in AGAIN, reply.headers.get("Retry-After", "")
    wait = float(seconds) if passing and seconds.isascii() and seconds.isdecimal() else 0.0
    message = f"{sent.whose} answered {reply.status_code}"
    message += ": it sends us elsewhere, where the key is not taken" if reply.is_redirect else ""
    message += f", and asks to wait {wait:.0f} s" if wait else ""
    error = RefusedError("http-refused", message, reply.status_code, words, fix=sent.fix)
    error.passing, error.wait = passing, wait
    return error
