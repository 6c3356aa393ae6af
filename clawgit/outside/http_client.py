"""JSON posted to one address, within a time limit."""

import contextlib
import json
import logging
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2
from msgspec import Struct

from clawgit.errors import Advice
from clawgit.outside.subprocess_runner import BrokenError, OutsideError, RefusedError, UnreachedError, within

logging.getLogger("httpx2").setLevel(logging.WARNING)  # it logs whole addresses, which can hold a key

AGAIN = frozenset((408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529))
"""Answers of a server that another try may mend."""

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


def patiently(attempt: Callable[[float], Answer], patience: Patience, sleep: Callable[[float], None]) -> Answer:
    """Return the result of `attempt(seconds left)`; a passing error is tried again until the tries are over."""
    until = time.monotonic() + patience.seconds
    pause = patience.pause
    for tries_left in reversed(range(patience.tries)):
        try:
            return attempt(until - time.monotonic())
        except OutsideError as exc:
            rest = max(exc.wait, pause)
            is_over = not tries_left or exc.wait > patience.longest or rest >= until - time.monotonic()
            if is_over or not exc.passing:
                raise exc from None
            sleep(rest)
            pause *= 2
    raise AssertionError  # the last try returned or raised


def wait_before(header: str | None) -> float:
    """Return the seconds that `Retry-After` asks for, in seconds or as a moment; 0 for none."""
    header = (header or "").strip()
    if header.isascii() and header.isdecimal():
        return float(header)
    try:
        return max(parsedate_to_datetime(header).timestamp() - time.time(), 0.0)
    except (ValueError, OverflowError):
        return 0.0


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
    plain = text.isascii() and text.isprintable() and " " not in text
    if parts.scheme not in ("http", "https") or not host or not plain:
        raise OutsideError("address-invalid", f"{name} is no web address", fix=fix)
    if "@" in parts.netloc:
        raise OutsideError("address-invalid", f"{name} has a name or password", fix=fix)
    path = parts.path
    if ending:
        path = path.rstrip("/") or "/v1"
        path = path if path.endswith(f"/{ending}") else f"{path}/{ending}"
    return Address(name, host, parts._replace(path=path, fragment="").geturl())


_WORDS = 4096


class Letter(Struct, frozen=True):
    """A request: `whose` is the receiver's name in errors, `headers` may contain a key."""

    to: Address
    whose: str
    body: bytes
    headers: Mapping[str, str]


def letter(to: Address, owner: str, content: object, key: str = "") -> Letter:
    """Return a request with `content` as JSON. Raises OutsideError for a key that no header can carry."""
    if not (key.isascii() and key.isprintable()):
        raise OutsideError("setting-invalid", f"invalid key for {owner}", fix=Advice(f"set the key of {to.name} anew"))
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return Letter(to, owner, json.dumps(content, ensure_ascii=False).encode("utf-8", "replace"), headers)


def post(sent: Letter, patience: Patience, *, sleep: Callable[[float], None] = time.sleep) -> Any:
    """Return the JSON answer to a request; temporary failures are tried again, all within `patience.seconds`.

    Redirects are refused. Proxies are those of the environment. Raises RefusedError for a refusal, BrokenError for an
    answer that came in part or too late, UnreachedError if nobody was there, else OutsideError.
    """

    def once(seconds: float) -> Any:
        try:
            return _read_json(sent, within(seconds, lambda: _read_body(sent, seconds, patience.largest)))
        except TimeoutError:
            words = f"{sent.whose} did not answer within {round(patience.seconds, 1):g} s"
            fix = Advice(f"check {sent.to.name}, or ask for less at once")
            raise BrokenError("http-failed", words, fix=fix) from None

    return patiently(once, patience, sleep)


def hand(address: Address, content: Mapping[str, str], mark: str, seconds: float) -> None:
    """Post `content` once, with `mark` as its `Idempotency-Key`; the body of the answer is not read.

    Raises OutsideError for a refusal, BrokenError if no answer comes within `seconds`: it may have arrived.
    """
    sent = Letter(address, address.host, letter(address, address.host, content).body, {"Idempotency-Key": mark})

    def once() -> None:
        with _post(sent, seconds):
            pass

    try:
        within(seconds, once)
    except (TimeoutError, BrokenError):
        words = f"{address.host} did not answer; it may have arrived"
        raise BrokenError("host-unreachable", words, fix=Advice(f"check {address.name}")) from None


@contextlib.contextmanager
def _post(sent: Letter, seconds: float) -> Iterator[httpx2.Response]:
    """Post, and yield the answer, whose body is still to be read. Raises TimeoutError, OutsideError."""
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
    headers |= {"User-Agent": "clawgit", **sent.headers}
    try:
        with (
            _open_client(sent) as client,
            client.stream("POST", sent.to.url, content=sent.body, headers=headers, timeout=seconds) as answer,
        ):
            if not answer.is_success:
                raise _make_status_refusal(sent, answer)
            yield answer
    except httpx2.TimeoutException:
        raise TimeoutError from None
    except (httpx2.ConnectError, httpx2.ProxyError) as exc:
        raise _unreached(sent, exc) from None
    except httpx2.TransportError:
        raise _make_half_answer(sent) from None


def _open_client(sent: Letter) -> httpx2.Client:
    """Return a client with the proxy of the environment, whose address is never shown: it can contain a password."""
    parts = urlsplit(sent.to.url)
    # trust_env would also read .netrc, and send its passwords along.
    proxy = None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)
    proxy = f"http://{proxy}" if proxy and "://" not in proxy else proxy
    encrypted = parts.scheme == "https" or (proxy or "").startswith("https")
    trust = ssl.create_default_context() if encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # 30 ms, or nobody
    try:
        return httpx2.Client(proxy=proxy, trust_env=False, verify=trust)
    except (httpx2.InvalidURL, ImportError, ValueError):
        fix = Advice("check http_proxy and https_proxy")
        raise OutsideError("host-unreachable", f"no way to {sent.whose}: the proxy is unusable", fix=fix) from None


def _make_half_answer(sent: Letter) -> OutsideError:
    error = BrokenError("http-failed", f"{sent.whose} gave half an answer", fix=Advice(f"check {sent.to.name}"))
    error.passing = True
    return error


def _make_status_refusal(sent: Letter, answer: httpx2.Response) -> OutsideError:
    words = b""
    with contextlib.suppress(httpx2.TransportError):
        words = next(answer.iter_raw(_WORDS), b"")
    message, fix = f"{sent.whose} answered {answer.status_code}", Advice(f"check {sent.to.name}")
    if answer.is_redirect:
        message += ": it sends us elsewhere, where the key is not taken"
    passing = answer.status_code in AGAIN
    wait = wait_before(answer.headers.get("Retry-After")) if passing else 0.0
    message += f", and asks to wait {wait:.0f} s" if wait else ""
    error = RefusedError("http-refused", message, answer.status_code, words, fix=fix)
    error.passing, error.wait = passing, wait
    return error


def _unreached(sent: Letter, exc: BaseException) -> OutsideError:
    fix = Advice(f"check {sent.to.name}")
    cause: BaseException | None = exc
    # The library wraps the system's error, which has the better words.
    while cause and not isinstance(cause, OSError):
        cause = cause.__cause__ or cause.__context__
    if isinstance(cause, ssl.SSLCertVerificationError):
        words = f"{sent.whose} does not prove who it is ({cause.verify_message})"
        return OutsideError("certificate-invalid", words, fix=fix)
    reason = (cause.strerror if isinstance(cause, OSError) else "") or type(exc).__name__
    error = UnreachedError("host-unreachable", f"{sent.whose} cannot be reached ({reason})", fix=fix)
    error.passing = True
    return error


def _read_body(sent: Letter, seconds: float, largest: int) -> bytes:
    """Post, and return the body of the answer."""
    body = bytearray()
    with _post(sent, seconds) as answer:
        for piece in answer.iter_raw():
            body += piece
            if len(body) > largest:
                words = f"{sent.whose} gave more than {largest / (1 << 20):g} MB"
                raise OutsideError("answer-too-large", words, fix=Advice(f"check {sent.to.name}"))
    return bytes(body)


def _read_json(sent: Letter, body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        pass
    # An answer that begins as JSON was cut, and another try may bring all of it.
    if body.lstrip()[:1] == b"{":
        raise _make_half_answer(sent)
    raise OutsideError("http-failed", f"{sent.whose} gave no JSON", fix=Advice(f"check {sent.to.name}"))
