"""JSON posted to an address, with a patience that ends."""

import contextlib
import errno
import http.client
import json
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from clawgit.errors import Advice
from clawgit.outside.subprocess_runner import BrokenError, OutsideError, RefusedError, UnreachedError, within

AGAIN = frozenset((408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529))
"""Answers of a server that another try may mend."""

Found = TypeVar("Found")


class Patience(Struct, frozen=True):
    """How long all tries and the pauses between them may take, in seconds, and how many there are.

    `pause` is the first one and doubles; `longest` is what a server may ask for; `largest` are bytes of an answer.
    """

    seconds: float
    tries: int = 3
    pause: float = 1.0
    longest: float = 30.0
    largest: int = 8 << 20


class AgainError(Exception):
    """What another try may mend; `error` is what to raise otherwise, `wait` the seconds that were asked for."""

    def __init__(self, error: OutsideError, wait: float = 0.0) -> None:
        super().__init__(error.message)
        self.error = error
        self.wait = wait


def patiently(once: Callable[[float], Found], patience: Patience, sleep: Callable[[float], None]) -> Found:
    """Return what `once(seconds left)` returns, at the last when it raises AgainError no more."""
    until = time.monotonic() + patience.seconds
    pause = patience.pause
    for left in reversed(range(patience.tries)):
        try:
            return once(until - time.monotonic())
        except AgainError as exc:
            rest = max(exc.wait, pause)
            if not left or exc.wait > patience.longest or rest >= until - time.monotonic():
                raise exc.error from None
            sleep(rest)
            pause *= 2
    raise AssertionError  # the last try returned or raised


def wait_before(said: str | None) -> float:
    """Return the seconds that `Retry-After` asks for, which may be a moment."""
    if not said:
        return 0.0
    said = said.strip()
    if said.isascii() and said.isdecimal():
        return float(said)
    try:
        return max(parsedate_to_datetime(said).timestamp() - time.time(), 0.0)
    except (ValueError, OverflowError):
        return 0.0


@dataclass(frozen=True, slots=True)
class Address:
    """Where to post to; `name` is the variable that says so. Only `host` may be shown: a URL can hold a key."""

    name: str
    host: str
    url: str = field(repr=False)


def address(name: str, text: str, ending: str) -> Address:
    """Return the address that the variable `name` holds as `text`, its path ending in `ending`.

    `http://host` alone means `/v1`. Raises OutsideError, which never shows the address.
    """
    parts, host = _taken_apart(name, text, "http://HOST:PORT/v1")
    path = parts.path.rstrip("/") or "/v1"
    path = path if path.endswith(f"/{ending}") else f"{path}/{ending}"
    return Address(name, host, parts._replace(path=path, fragment="").geturl())


def whole(name: str, text: str) -> Address:
    """Return the address that the variable `name` holds as `text`, as it is. Raises OutsideError as above."""
    parts, host = _taken_apart(name, text, "https://HOST/PATH")
    return Address(name, host, parts._replace(fragment="").geturl())


def _taken_apart(name: str, text: str, example: str) -> tuple[SplitResult, str]:
    try:
        parts = urlsplit(text)
        host = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
    except ValueError:
        parts, host = urlsplit(""), None
    plain = text.isascii() and text.isprintable() and " " not in text
    if parts.scheme not in ("http", "https") or not host or not plain:
        raise OutsideError("address-invalid", f"{name} is no web address", fix=Advice(f"export {name}={example}"))
    if "@" in parts.netloc:
        raise OutsideError("address-invalid", f"{name} has a name or password", fix=Advice(f"export {name}={example}"))
    return parts, host


_PIECE = 1 << 16
_WORDS = 4096
_SERVER = 500  # and above: it took the request, and failed
_STREAM = "text/event-stream"
_UNTIMELY = (http.client.IncompleteRead, http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)


class Events(list[Any]):
    """What the events of a stream hold, as far as that is JSON."""


class Letter(Struct, frozen=True):
    """What is asked of whom: `whose` names them in errors, `key` goes into a header and nowhere else."""

    to: Address
    whose: str
    said: bytes
    key: str = ""


def letter(to: Address, whose: str, what: object, key: str = "") -> Letter:
    """Return a letter that says `what`. Raises OutsideError for a key that no header can carry."""
    if not (key.isascii() and key.isprintable()):
        raise OutsideError("setting-invalid", f"invalid key for {whose}", fix=Advice(f"set the key of {to.name} anew"))
    return Letter(to, whose, json.dumps(what, ensure_ascii=False).encode("utf-8", "replace"), key)


def post(
    sent: Letter,
    patience: Patience,
    *,
    admit: Callable[[], None] = lambda: None,
    lost: Callable[[], None] = lambda: None,
    sleep: Callable[[float], None] = time.sleep,
) -> Any:
    """Return the JSON that answers a letter; what may pass is tried again, all within `patience.seconds`.

    A stream of events comes as Events. `admit` is called before each request, and may raise to forbid it; `lost` after
    one that was perhaps worked on and that another try may mend. Nobody is followed elsewhere. Proxies are those of the
    environment. Raises RefusedError for an answer that is a refusal, BrokenError for one that came in part or too late,
    else OutsideError.
    """

    def once(seconds: float) -> Any:
        admit()
        try:
            return _read(sent, *within(seconds, lambda: _sent(sent, seconds, patience.largest)))
        except TimeoutError:
            fix = Advice(f"check {sent.to.name}, or ask for less at once")
            words = f"{sent.whose} did not answer within {round(patience.seconds, 1):g} s"
            raise BrokenError("http-failed", words, fix=fix) from None
        except AgainError as exc:
            if _worked_on(exc.error):
                lost()
            raise

    return patiently(once, patience, sleep)


def _worked_on(error: OutsideError) -> bool:
    return isinstance(error, BrokenError) or (isinstance(error, RefusedError) and error.status >= _SERVER)


def _sent(sent: Letter, seconds: float, largest: int) -> tuple[bytes, str]:
    until = time.monotonic() + seconds
    headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "clawgit"}
    if sent.key:
        headers["Authorization"] = f"Bearer {sent.key}"
    request = urllib.request.Request(sent.to.url, sent.said, headers)  # noqa: S310 - http and https alone, see address
    try:
        with urllib.request.build_opener(_Stay).open(request, timeout=seconds) as answer:
            return _body(answer, sent, until, largest), answer.headers.get_content_type()
    except urllib.error.HTTPError as exc:
        with exc:
            raise _refused(sent, exc) from None
    except (OSError, http.client.HTTPException) as exc:
        raise _broken(sent, exc) from None


def _body(answer: Any, sent: Letter, until: float, largest: int) -> bytes:
    pieces, size = [], 0
    while piece := answer.read1(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > largest:
            raise OutsideError(
                "answer-too-large",
                f"{sent.whose} gave more than {largest / (1 << 20):g} MB",
                fix=Advice(f"check {sent.to.name}"),
            )
        if time.monotonic() > until:
            raise TimeoutError
    if answer.length:  # what was promised and did not come: read1 does not mind
        raise http.client.IncompleteRead(b"", answer.length)
    return b"".join(pieces)


def _read(sent: Letter, data: bytes, kind: str) -> Any:
    if kind == _STREAM:
        return Events(_events(data))
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        pass
    fix = Advice(f"check {sent.to.name}")
    if data.lstrip()[:1] == b"{":
        raise AgainError(BrokenError("http-failed", f"{sent.whose} gave half an answer", fix=fix))
    raise OutsideError("http-failed", f"{sent.whose} gave {'HTML' if kind == 'text/html' else 'no JSON'}", fix=fix)


def _events(data: bytes) -> Iterator[Any]:
    """Yield the JSON of each event of a stream (HTML Standard, 9.2), in which an event has one line of data."""
    for line in data.decode("utf-8", "replace").split("\n"):  # no other end of a line: JSON may hold them as they are
        name, _, said = line.partition(":")
        if name == "data":
            with contextlib.suppress(ValueError, RecursionError):
                yield json.loads(said)


def _refused(sent: Letter, answer: urllib.error.HTTPError) -> Exception:
    try:
        words = answer.read(_WORDS)
    except (OSError, http.client.HTTPException):
        words = b""
    message, fix = f"{sent.whose} answered {answer.code}", Advice(f"check {sent.to.name}")
    if 300 <= answer.code < 400:  # noqa: PLR2004 - elsewhere
        message += ": it sends us elsewhere, where the key is not taken"
    if answer.code not in AGAIN:
        return RefusedError("http-refused", message, answer.code, words, fix=fix)
    wait = wait_before(answer.headers.get("Retry-After"))
    message += f", and asks to wait {wait:.0f} s" if wait else ""
    return AgainError(RefusedError("http-refused", message, answer.code, words, fix=fix, wait=wait), wait)


def _broken(sent: Letter, exc: Exception) -> Exception:
    fix = Advice(f"check {sent.to.name}")
    reason = getattr(exc, "reason", exc)
    if isinstance(reason, TimeoutError):
        return reason
    if isinstance(reason, ssl.SSLCertVerificationError):
        return OutsideError(
            "certificate-invalid", f"{sent.whose} does not prove who it is ({reason.verify_message})", fix=fix
        )
    if isinstance(reason, _UNTIMELY):
        return AgainError(BrokenError("http-failed", f"{sent.whose} gave half an answer", fix=fix))
    words = (reason.strerror if isinstance(reason, OSError) else "") or type(reason).__name__
    kind = UnreachedError if isinstance(reason, OSError) else OutsideError  # somebody was there, and spoke otherwise
    return AgainError(kind("host-unreachable", f"{sent.whose} cannot be reached ({words})", fix=fix))


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nobody: the key, or an address that holds one, is meant for one host."""

    def redirect_request(self, *_: Any) -> None:
        """Refuse."""


_NOWHERE = frozenset((errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN, errno.ENETDOWN))


def hand(to: Address, what: Mapping[str, str], mark: str, seconds: float) -> None:
    """Post `what` once, with `mark` as its `Idempotency-Key`.

    An answer that says no is believed: OutsideError, or AgainError where another try may mend it. Where no answer comes
    within `seconds` it may have been taken: BrokenError.
    """
    try:
        within(seconds, lambda: _posted(to, what, mark, seconds))
    except TimeoutError:
        raise _silent(to) from None


def _posted(to: Address, what: Mapping[str, str], mark: str, seconds: float) -> None:
    """Post once; what is in the answer is nobody's concern."""
    sent = letter(to, to.host, what)
    headers = {"Content-Type": "application/json", "User-Agent": "clawgit", "Idempotency-Key": mark}
    request = urllib.request.Request(to.url, sent.said, headers)  # noqa: S310 - http and https alone, see address
    try:
        urllib.request.build_opener(_Stay).open(request, timeout=seconds).close()
    except urllib.error.HTTPError as exc:
        with exc:
            raise _refused(sent, exc) from None
    except (OSError, http.client.HTTPException) as exc:
        raise _failure(to, getattr(exc, "reason", exc)) from None


def _failure(to: Address, reason: Any) -> Exception:
    """Return what a failure means: nobody was reached, or nobody knows what became of it."""
    if isinstance(reason, ssl.SSLCertVerificationError):
        return OutsideError(
            "certificate-invalid", f"{to.host} does not prove who it is", fix=Advice(f"check {to.name}")
        )
    if isinstance(reason, socket.gaierror) or getattr(reason, "errno", None) in _NOWHERE:
        return AgainError(
            OutsideError("host-unreachable", f"{to.host} cannot be reached", fix=Advice(f"check {to.name}"))
        )
    return _silent(to)


def _silent(to: Address) -> BrokenError:
    return BrokenError(
        "host-unreachable", f"{to.host} did not answer; it may have arrived", fix=Advice(f"check {to.name}")
    )
