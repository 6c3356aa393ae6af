"""Finds values of a claim that its sources lack."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from msgspec import Struct

from clawgit.language import lexicon, values
from clawgit.language.own_words import straight
from clawgit.language.values import Value
from clawgit.reading.citation import Source

_NOON = 12
_CENTURY = 100
_DIGITS = re.compile(r"(?=(\d{1,17}(?:\.\d{1,17})?)(?!\d))(\d{1,17})(?!\d)")
_TOKEN = re.compile(r"(?<![A-Za-z\d@./+-])[A-Za-z_~/.][\w~]*(?:[-_./:@+]+\w+)*", re.ASCII)
_MARKED = re.compile(r"\d|_|@|/|:|[a-z][A-Z]|\w\.[a-z]{2}")
_MIN_SHORT_FORM = 4
"""Letters from which on the first half of an identifier in plain letters stands for it."""
_DATES = frozenset(("date", "month", "weekday"))
_ADDRESSES = frozenset(("path", "phone", "version"))


class _Known(Struct, frozen=True):
    """All values of some sources: the text in small letters, numbers, times of day as (hour of 12, minute)."""

    text: str
    numbers: frozenset[float]
    times: frozenset[tuple[int, int]]


def missing(text: str, sources: tuple[Source, ...], *, days: bool = False) -> str:
    """Return an address, an identifier, a number or a time of a text that no source has in any form, "" for none.

    A number counts if it is written in digits. A date may follow from the day on which something was said: it is
    looked for with `days` alone.
    """
    known = _read_sources(sources)
    found = _read_values(text)
    lost = (value.text for value in found if not _is_known(value, known, days=days))
    tokens = (token for token in _list_identifiers(straight(text), found) if not _has_text(token, known))
    return next(chain(lost, tokens), "")


def _read_values(text: str) -> tuple[Value, ...]:
    return values.find(straight(text), lexicon.languages())


@lru_cache(maxsize=16)
def _read_sources(sources: tuple[Source, ...]) -> _Known:
    text = "\n".join(straight(source.text) for source in sources).lower()
    every = [value for source in sources for value in _read_values(source.text)]
    known = set(_read_digits(text)) | {number for value in every for number in _read_numbers(value)}
    years = [source.day.year for source in sources if source.day]
    known |= {float(year + step) for year in years for step in (-1, 0, 1)}
    known |= {year - number for year in years for number in known if number < _CENTURY}
    return _Known(text, frozenset(known), frozenset(_read_clock(value) for value in every if value.kind == "time"))


def _is_known(value: Value, known: _Known, *, days: bool) -> bool:
    if value.kind in _DATES:
        day = value.canon.rpartition("-")[2] if value.kind == "date" else ""
        return not days or not day.isdecimal() or float(day) in known.numbers
    if value.kind in _ADDRESSES:
        return _has_text(value.text, known)
    if not any(map(str.isdigit, value.text)):
        return True
    if value.kind == "time":
        hour, minute = _read_clock(value)
        is_bare = not minute and bool({float(hour), float(hour + _NOON)} & known.numbers)
        return is_bare or (hour, minute) in known.times or set(_read_digits(value.text)) <= known.numbers
    return bool(set(_read_numbers(value)) & known.numbers)


def _read_clock(value: Value) -> tuple[int, int]:
    hour, _, minute = value.canon.partition(":")
    return int(hour) % _NOON, int(minute)


def _read_numbers(value: Value) -> Iterator[float]:
    """Yield all that the digits of a value may mean: `1.500` is 1500, or 1.5."""
    for digits in (value.canon, value.text.replace(",", ".")):
        try:
            yield abs(float(digits))
        except ValueError:
            continue
    if value.kind in _DATES or value.kind == "time":
        yield from (float(part) for part in re.findall(r"\d+", value.canon))


def _read_digits(text: str) -> Iterator[float]:
    """Yield every run of digits of a text as a number, and with the decimals behind it."""
    return (float(digits) for pair in _DIGITS.findall(text) for digits in pair)


def _list_identifiers(text: str, found: tuple[Value, ...]) -> Iterator[str]:
    """Yield words that are written as no word is: `relay-2`, `max_age`, `userName`, `example.org`, `/srv/www`."""
    for match in _TOKEN.finditer(text):
        token = match[0].rstrip(".:/") or match[0]
        is_inside = any(value.start < match.end() and match.start() < value.end for value in found)
        if not is_inside and any(map(str.isalpha, token)) and _MARKED.search(token):
            yield token


def _has_text(token: str, known: _Known) -> bool:
    """Return whether a token stands in the sources, or its digits do with other marks between them."""
    low = straight(token).lower().rstrip(".")
    low = low if low.isascii() or not re.search(r"[a-z\d]", low) else re.sub(r"[^\x00-\x7f]+", "", low)
    if re.search(rf"(?<![a-z\d]){re.escape(low)}(?:s)?(?![a-z\d])", known.text):
        return True
    if low.isalpha() and low[: len(low) // 2 + 1] in known.text and len(low) >= _MIN_SHORT_FORM:
        return True
    digits = "".join(filter(str.isdecimal, low))
    return bool(digits) and set(low) <= set("0123456789 ()/+.-") and digits.lstrip("0") in re.sub(r"\D", "", known.text)
