"""Finds values of a text that no source has."""

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from msgspec import Struct

from clawgit.language import lexicon, numbers, values
from clawgit.language.own_words import straighten_quotes
from clawgit.language.values import Value

_NOON = 12
_CENTURY = 100
_CENTURIES = (1900, 2000)
"""Of a year in two digits."""
_DIGITS = re.compile(r"(?=(\d{1,17}(?:\.\d{1,17})?)(?!\d))(\d{1,17})(?!\d)")
_TOKEN = re.compile(r"(?<![A-Za-z\d@./+-])[A-Za-z_~/.][\w~]*(?:[-_./:@+]+\w+)*", re.ASCII)
_IDENTIFIER_MARK = re.compile(r"\d|_|@|/|:|\w\.[a-z]{2}")
_DATES = frozenset(("date", "month", "weekday"))
_ADDRESSES = frozenset(("path", "phone", "version"))


class Source(Struct, frozen=True):
    """A text that may support a claim, and its day."""

    text: str
    day: date | None = None


class _SourceValues(Struct, frozen=True):
    """All values of some sources: the text in small letters, numbers, times of day as (hour of 12, minute)."""

    text: str
    numbers: frozenset[float]
    times: frozenset[tuple[int, int]]


def find_missing(text: str, sources: tuple[Source, ...], *, with_days: bool = False) -> str:
    """Return an address, an identifier, a number or a time of a text that no source has in any form, "" for none.

    A number counts if it is written in digits; a source may say it in words. A date may follow from the day on which
    something was said: it is looked for `with_days` alone.
    """
    pool, items = _read_sources(sources), _find_values(text)
    for value in items:
        if not _is_known(value, pool, with_days=with_days):
            return value.text
    for match in _TOKEN.finditer(straighten_quotes(text)):
        token = match[0].rstrip(".:/") or match[0]
        is_inside = any(value.start < match.end() and match.start() < value.end for value in items)
        # Written as no word is: `relay-2`, `max_age`, `example.org`, `/srv/www`.
        is_identifier = any(map(str.isalpha, token)) and _IDENTIFIER_MARK.search(token)
        if is_identifier and not is_inside and not _has_text(token, pool):
            return token
    return ""


def _find_values(text: str) -> tuple[Value, ...]:
    return values.find_values(straighten_quotes(text), lexicon.languages())


@lru_cache(maxsize=16)
def _read_sources(sources: tuple[Source, ...]) -> _SourceValues:
    text = "\n".join(straighten_quotes(source.text) for source in sources).lower()
    items = [value for source in sources for value in _find_values(source.text)]
    known_numbers = {*_read_digits(text), *map(float, numbers.read_spoken(text))}
    known_numbers |= {number for value in items for number in _read_numbers(value)}
    years = [source.day.year for source in sources if source.day]
    # `Last year` names a year without its digits; an age, or `seven years ago`, gives one.
    known_numbers |= {float(year + step) for year in years for step in (-1, 0, 1)}
    known_numbers |= {year - number for year in years for number in known_numbers if number < _CENTURY}
    known_numbers |= {century + number for century in _CENTURIES for number in known_numbers if number < _CENTURY}
    times = frozenset(_read_clock(value) for value in items if value.kind == "time")
    return _SourceValues(text, frozenset(known_numbers), times)


def _is_known(value: Value, pool: _SourceValues, *, with_days: bool) -> bool:
    if value.kind in _DATES:
        day = value.canon.rpartition("-")[2] if value.kind == "date" else ""
        return not with_days or not day.isdecimal() or float(day) in pool.numbers
    if value.kind in _ADDRESSES:
        return _has_text(value.text, pool)
    if not any(map(str.isdigit, value.text)):
        return True
    if value.kind == "time":
        hour, minute = _read_clock(value)
        is_bare = minute == 0 and bool({hour, hour + _NOON} & pool.numbers)
        return is_bare or (hour, minute) in pool.times or set(_read_digits(value.text)) <= pool.numbers
    return bool({*_read_numbers(value)} & pool.numbers)


def _read_clock(value: Value) -> tuple[int, int]:
    hour, _, minute = value.canon.partition(":")
    return int(hour) % _NOON, int(minute)


def _read_numbers(value: Value) -> Iterator[float]:
    """Yield all that the digits of a value may mean: `1.500` is 1500, or 1.5; of a date or a time each part."""
    if value.kind in _DATES or value.kind == "time":
        yield from (float(part) for part in re.findall(r"\d+", value.canon))
    for digits in (value.canon, value.text.replace(",", ".")):
        try:
            yield abs(float(digits))
        except ValueError:
            continue


def _read_digits(text: str) -> Iterator[float]:
    """Yield every run of digits of a text as a number, and with the decimals behind it."""
    return (float(digits) for pair in _DIGITS.findall(text) for digits in pair)


def _has_text(token: str, pool: _SourceValues) -> bool:
    """Return whether a token is in the sources, or its digits are with other marks between them."""
    low = straighten_quotes(token).lower().rstrip(".")
    # East Asia writes no space before a path.
    low = low if low.isascii() or not re.search(r"[a-z\d]", low) else re.sub(r"[^\x00-\x7f]+", "", low)
    if re.search(rf"(?<![a-z\d]){re.escape(low)}s?(?![a-z\d])", pool.text):
        return True
    digits = "".join(filter(str.isdecimal, low))
    return bool(digits) and set(low) <= set("0123456789 ()/+.-") and digits.lstrip("0") in re.sub(r"\D", "", pool.text)
