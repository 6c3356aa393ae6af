"""Codes of six digits, shown at the terminal."""

import secrets
import time
from collections.abc import Callable
from threading import Lock
from typing import Literal

from msgspec import Struct

from clawgit.web.browser_session import same

TRIES = 5
_ALL_TRIES = 20
_SECONDS = 600.0
_MOST = 8

Came = Literal["right", "wrong", "spent"]


class _Code(Struct):
    digits: str
    until: float
    left: int = TRIES


class Codes:
    """One code for each act that waits: bound to the act and to what was shown of it, good once, five tries.

    `tell` prints a line at the terminal; without one, where nobody sits at a terminal, there are no codes. After twenty
    wrong tries in all there are none any more: somebody guesses.
    """

    def __init__(self, tell: Callable[[str], None] | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._tell = tell
        self._clock = clock
        self._codes: dict[tuple[str, str], _Code] = {}
        self._wrong = 0
        self._lock = Lock()

    @property
    def possible(self) -> bool:
        """Whether a code can be shown, and would be taken."""
        return self._tell is not None and self._wrong < _ALL_TRIES

    def issue(self, act: str, shown: str, words: str) -> bool:
        """Show a new code for an act at the terminal, `words` say what it is; tell whether that was possible."""
        if self._tell is None or self._wrong >= _ALL_TRIES:
            return False
        digits = f"{secrets.randbelow(1_000_000):06}"
        with self._lock:
            self._codes.pop((act, shown), None)
            while len(self._codes) >= _MOST:
                del self._codes[next(iter(self._codes))]
            self._codes[act, shown] = _Code(digits, self._clock() + _SECONDS)
        self._tell(f"code {digits[:3]} {digits[3:]}   {words} ({shown[:12]})")
        return True

    def waits(self, act: str, shown: str) -> bool:
        """Tell whether a code for this is out and still good."""
        known = self._codes.get((act, shown))
        return known is not None and known.left > 0 and self._clock() < known.until

    def tries(self, act: str, shown: str) -> int:
        """Return how many tries are left."""
        known = self._codes.get((act, shown))
        return known.left if known else 0

    def take(self, act: str, shown: str, given: str) -> Came:
        """Tell whether these are the digits; a right code is spent by that, and so is one after five wrong tries."""
        digits = "".join(given.split())
        with self._lock:
            known = self._codes.get((act, shown))
            if known is None or self._clock() >= known.until or self._wrong >= _ALL_TRIES:
                self._codes.pop((act, shown), None)
                return "spent"
            if same(digits, known.digits):
                del self._codes[act, shown]
                return "right"
            known.left -= 1
            self._wrong += 1
            if known.left == 0:
                del self._codes[act, shown]
                return "spent"
            return "wrong"
