"""Tries again what may pass."""

import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import TypeVar

from msgspec import Struct

from clawgit.outside.error import OutsideError

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


def wait(said: str | None) -> float:
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
