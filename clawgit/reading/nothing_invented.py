"""Finds values of a claim that its sources lack."""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from clawgit.language import values
from clawgit.language.own_words import straight
from clawgit.language.values import Value
from clawgit.reading.citation import Source

_NOON = 12
_MIN_DIGITS = 3
"""Digits from which on a bare number is looked for."""
_CENTURIES, _MIN_SHORT_YEAR, _CENTURY = (1900, 2000), 10, 100
_DIGITS = re.compile(r"(?=(\d{1,17}(?:\.\d{1,17})?)(?!\d))(\d{1,17})(?!\d)")
_SEPARATED = re.compile(r"[.,' \u00a0\u202f](?=\d{3}(?!\d))")
_TOKEN = re.compile(r"(?<![\w@./+-])[A-Za-z_~/.][\w~]*(?:[-_./:@+]+\w+)*", re.ASCII)
_MARKED = re.compile(r"\d|_|@|/|:|[a-z][A-Z]|\w\.[a-z]{2}")
_IN_DATES = frozenset(("date", "month", "weekday"))
_ADDRESSES = frozenset(("path", "phone", "version"))


class _Known(Struct, frozen=True):
    """All values of some sources: the text in small letters, numbers, times of day as (hour of 12, minute)."""

    text: str
    numbers: frozenset[float]
    times: frozenset[tuple[int, int]]


def missing(text: str, sources: tuple[Source, ...], *, days: bool = False) -> str:
    """Return an address, an identifier, a number or a time of a text that no source has in any form, "" for none.

    Looked for are numbers of three digits, and those with a unit. A date may follow from the day on which something
    was said: it is looked for with `days` alone.
    """
    known = _read_sources(sources)
    plain = straight(text)
    found = values.find(plain)
    for value in found:
        if not _is_known(value, known, days=days):
            return value.text
    return next((token for token in _list_identifiers(plain, found) if not _has_text(token, known)), "")


@lru_cache(maxsize=16)
def _read_sources(sources: tuple[Source, ...]) -> _Known:
    text = straight("\n".join(source.text for source in sources)).lower()
    every = [value for source in sources for value in values.find(straight(source.text))]
    numbers = set(_read_digits(text)) | {number for value in every for number in _read_numbers(value)}
    short = {number for number in numbers if _MIN_SHORT_YEAR <= number < _CENTURY}
    numbers |= {century + number for number in short for century in _CENTURIES}
    numbers |= {float(source.day.year + step) for source in sources if source.day for step in (-1, 0, 1)}
    times = {_read_clock(value) for value in every if value.kind == "time"}
    return _Known(text, frozenset(numbers), frozenset(times))


def _is_known(value: Value, known: _Known, *, days: bool) -> bool:
    if value.kind in _IN_DATES:
        day = value.canon.rpartition("-")[2] if value.kind == "date" else ""
        return not days or not day.isdecimal() or float(day) in known.numbers
    if value.kind in _ADDRESSES:
        return _has_text(value.text, known)
    if value.kind == "time":
        hour, minute = _read_clock(value)
        bare = not minute and bool({float(hour), float(hour + _NOON)} & known.numbers)
        return bare or (hour, minute) in known.times or set(_read_digits(value.text)) <= known.numbers
    digits = sum(map(str.isdecimal, value.text))
    counts = digits >= _MIN_DIGITS or (digits and (value.kind != "number" or days))
    return not counts or bool(set(_read_numbers(value)) & known.numbers)


def _read_clock(value: Value) -> tuple[int, int]:
    hour, _, minute = value.canon.partition(":")
    return int(hour) % _NOON, int(minute)


def _read_numbers(value: Value) -> Iterator[float]:
    """Yield all that the digits of a value may mean: `1.500` is 1500, or 1.5."""
    joined = _SEPARATED.sub("", value.text)
    for digits in (value.canon, joined, joined.replace(",", "."), value.text.replace(",", ".")):
        try:
            yield abs(float(digits))
        except ValueError:
            continue
    if value.kind not in _ADDRESSES:
        yield from (float(part) for part in re.findall(r"\d+", value.canon))


def _read_digits(text: str) -> Iterator[float]:
    """Yield every run of digits of a text as a number, and with the decimals behind it."""
    return (float(digits) for pair in _DIGITS.findall(text) for digits in pair)


def _list_identifiers(text: str, found: tuple[Value, ...]) -> Iterator[str]:
    """Yield words that are written as no word is: `relay-2`, `max_age`, `userName`, `example.org`, `/srv/www`."""
    for match in _TOKEN.finditer(text):
        token = match[0].rstrip(".:/") or match[0]
        inside = any(value.start < match.end() and match.start() < value.end for value in found)
        if not inside and any(map(str.isalpha, token)) and _MARKED.search(token):
            yield token


def _has_text(token: str, known: _Known) -> bool:
    """Return whether a token stands in the sources, or its digits do with other marks between them."""
    low = straight(token).lower().rstrip(".")
    if re.search(rf"(?<![a-z\d]){re.escape(low)}(?![a-z\d])", known.text):
        return True
    digits = "".join(filter(str.isdecimal, low))
    return bool(digits) and set(low) <= set("0123456789 ()/+.-") and digits.lstrip("0") in re.sub(r"\D", "", known.text)
