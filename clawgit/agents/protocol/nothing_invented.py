"""Finds values that the sources of a claim lack."""

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from msgspec import Struct

from clawgit.agents.protocol import facts
from clawgit.language.own_words import straight

_NOON = 12
_CENTURY, _CENTURIES, _MIN_SHORT_YEAR = 100, (1900, 2000), 10
"""A year may be said without its century, from ten on."""
_DIGITS = re.compile(r"(?=(\d{1,17}(?:\.\d{1,17})?)(?!\d))(\d{1,17})(?!\d)")
_SHORT_FORM_LETTERS = 4
"""Letters from which on the first half of an identifier in plain letters stands for it."""


class Source(Struct, frozen=True):
    """A text that may bear a claim out, and the day on which it was said."""

    text: str
    day: date | None = None


class Known(Struct, frozen=True):
    """All values of some sources: the text in small letters, numbers, and times of day as (hour of 12, minute)."""

    text: str
    numbers: frozenset[float]
    times: frozenset[tuple[int, int]]


def missing(text: str, sources: tuple[Source, ...], isos: tuple[str, ...], *, days: bool = False) -> str:
    """Return an identifier, a number or a time of a text that no source has in any form, "" for none.

    A day may follow from the day on which something was said: it is compared with `days` alone.
    """
    return next(_missing(text, known_values(sources, isos), isos, days=days), "")


def _missing(text: str, known: Known, isos: tuple[str, ...], *, days: bool) -> Iterator[str]:
    found = facts.read(text, isos)
    yield from (token for token in found.tokens if not _has_token(token, known))
    for amount in found.amounts:
        written = any(map(str.isdigit, amount.said)) and amount.said in straight(text)
        if written and not amount.values & known.numbers:
            yield amount.said
    for clock in found.clocks:
        said = text[clock.start : clock.end]
        bare = not clock.minute and bool({clock.hour, clock.hour % _NOON} & known.numbers)
        if not bare and (clock.hour % _NOON, clock.minute) not in known.times and not known.numbers >= {*groups(said)}:
            yield said
    for day in found.mentions if days else ():
        if day.sure and day.day and day.day not in known.numbers:
            yield text[day.start : day.end]


@lru_cache(maxsize=16)
def known_values(sources: tuple[Source, ...], isos: tuple[str, ...]) -> Known:
    """Return the values of some sources; the years around their days are among them."""
    every = [facts.read(source.text, isos) for source in sources]
    text = straight("\n".join(source.text for source in sources)).lower()
    numbers = set(groups(text)) | {value for read in every for amount in read.amounts for value in amount.values}
    for read in every:
        numbers |= {float(abs(one)) for day in read.mentions for one in (day.day, day.year, day.count) if one}
        numbers |= {float(clock.hour) for clock in read.clocks}
    numbers |= {
        century + number for number in numbers if _MIN_SHORT_YEAR <= number < _CENTURY for century in _CENTURIES
    }
    numbers |= {float(source.day.year + step) for source in sources if source.day for step in (-1, 0, 1)}
    times = {(clock.hour % _NOON, clock.minute) for read in every for clock in read.clocks}
    return Known(text, frozenset(numbers), frozenset(times))


def groups(text: str) -> Iterator[float]:
    """Yield every run of digits of a text as a number, and with the decimals behind it."""
    return (float(said) for pair in _DIGITS.findall(text) for said in pair)


def _has_token(token: str, known: Known) -> bool:
    """Return whether an identifier stands in the sources: by itself, in digits with other marks, as a plain word."""
    low = straight(token).lower()
    before = f"(?<!{facts.WORDY})" if low[0].isalnum() else ""
    behind = f"(?!{facts.WORDY})" if low[-1].isalnum() else ""
    if re.search(before + re.escape(low) + behind, known.text):
        return True
    digits = "".join(filter(str.isdecimal, low))
    if set(low) <= set("0123456789 ()/+-") and digits:
        return digits.lstrip("0") in "".join(filter(str.isdecimal, known.text))
    return low.isalpha() and len(low) >= _SHORT_FORM_LETTERS and low[: len(low) // 2 + 1] in known.text
