"""Patterns compiled by re2, many at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec import Struct

from clawgit.safety import scripts

_MEMORY = 64 << 20


class Patterns(Struct, frozen=True, eq=False):  # told apart by identity: hashing all patterns would cost more
    """Patterns that are looked for together; each script of a text compiles its own part of them when first read.

    A set holds each up to its first gap, which compiles in a third of the time; what it hits is searched for whole.
    """

    wanted: tuple[str, ...]

    def found(self, text: str, worth: Callable[[set[int]], set[int]] = set) -> list[int]:
        """Return the numbers of the patterns that `text` holds, in order.

        `worth` chooses from those whose beginnings were found which are searched for whole.
        """
        read = {script: _data(text, script) for script in scripts.of(text)}
        begun = {script: self._begun(script, data) for script, data in read.items()}
        chosen = worth(set().union(*begun.values()))
        holds = (
            number
            for script, numbers in begun.items()
            for number in numbers & chosen
            if _holds(self.wanted[number], script, read[script])
        )
        return sorted(set(holds))

    def _begun(self, script: str, data: bytes) -> set[int]:
        openings, numbers = _openings(self, script)
        return {numbers[hit] for hit in openings.Match(data) or ()}


@cache
def compiled(pattern: str) -> Any:
    """Compile one pattern over text or UTF-8."""
    import re2  # noqa: PLC0415 -- costs milliseconds that most commands need not pay

    return re2.compile(pattern, _options(re2, latin=False))


def _data(text: str, script: str) -> bytes:
    """Return `text` as its script is read: Latin a byte a letter, which takes half the time, all others in UTF-8."""
    return scripts.encoded(text) if script == scripts.LATIN else text.encode("utf-8", "replace")


@cache
def _openings(patterns: Patterns, script: str) -> tuple[Any, tuple[int, ...]]:
    import re2  # noqa: PLC0415

    numbers = tuple(number for number, pattern in enumerate(patterns.wanted) if scripts.part(pattern, script))
    found = re2.Set.SearchSet(_options(re2, latin=script == scripts.LATIN))
    for number in numbers:
        found.Add(_data(scripts.opening(scripts.part(patterns.wanted[number], script)), script))
    found.Compile()
    return found, numbers


def _holds(pattern: str, script: str, data: bytes) -> bool:
    whole = _whole(pattern, script)
    return whole is None or bool(whole.Match(data))


@cache
def _whole(pattern: str, script: str) -> Any:
    """Return the whole pattern, None where it has no gap."""
    import re2  # noqa: PLC0415

    part = scripts.part(pattern, script)
    if scripts.opening(part) == part:
        return None
    whole = re2.Set.SearchSet(_options(re2, latin=script == scripts.LATIN))  # of one: asked faster than a pattern is
    whole.Add(_data(part, script))
    whole.Compile()
    return whole


def _options(re2: Any, *, latin: bool) -> Any:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    if latin:
        options.encoding = re2.Options.Encoding.LATIN1
    return options
