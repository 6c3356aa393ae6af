"""JSON posted to an address, with a patience that ends."""

import contextlib
import http.client
import json
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from clawgit.outside import retry
from clawgit.outside.address import Address
from clawgit.outside.deadline import within
from clawgit.outside.error import BrokenError, OutsideError, RefusedError, UnreachedError
from clawgit.outside.retry import AGAIN, AgainError, Patience

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
        raise OutsideError(
            f"the key for {whose} holds what no header can carry", fix=f"set the key that goes with {to.name} anew"
        )
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
            words = f"{sent.whose} did not answer within {round(patience.seconds, 1):g} s"
            raise BrokenError(words, fix=f"check {sent.to.name}, or ask for less at once") from None
        except AgainError as exc:
            if _worked_on(exc.error):
                lost()
            raise

    return retry.patiently(once, patience, sleep)


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
            raise OutsideError(f"{sent.whose} gave more than {largest / (1 << 20):g} MB", fix=f"check {sent.to.name}")
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
    fix = f"check {sent.to.name}"
    if data.lstrip()[:1] == b"{":
        raise AgainError(BrokenError(f"{sent.whose} gave half an answer", fix=fix))
    raise OutsideError(f"{sent.whose} gave no JSON" + (" but a web page" if kind == "text/html" else ""), fix=fix)


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
    message, fix = f"{sent.whose} answered {answer.code}", f"check {sent.to.name}"
    if 300 <= answer.code < 400:  # noqa: PLR2004 - elsewhere
        message += ": it sends us elsewhere, where the key is not taken"
    if answer.code not in AGAIN:
        return RefusedError(message, answer.code, words, fix=fix)
    wait = retry.wait(answer.headers.get("Retry-After"))
    message += f", and asks to wait {wait:.0f} s" if wait else ""
    return AgainError(RefusedError(message, answer.code, words, fix=fix, wait=wait), wait)


def _broken(sent: Letter, exc: Exception) -> Exception:
    fix = f"check {sent.to.name}"
    reason = getattr(exc, "reason", exc)
    if isinstance(reason, TimeoutError):
        return reason
    if isinstance(reason, ssl.SSLCertVerificationError):
        return OutsideError(f"{sent.whose} does not prove who it is ({reason.verify_message})", fix=fix)
    if isinstance(reason, _UNTIMELY):
        return AgainError(BrokenError(f"{sent.whose} gave half an answer", fix=fix))
    words = (reason.strerror if isinstance(reason, OSError) else "") or type(reason).__name__
    kind = UnreachedError if isinstance(reason, OSError) else OutsideError  # somebody was there, and spoke otherwise
    return AgainError(kind(f"{sent.whose} cannot be reached ({words})", fix=fix))


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nobody: the key is meant for one host."""

    def redirect_request(self, *_: Any) -> None:
        """Refuse."""
