"""Times, days and amounts that a note names."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from clawgit.language import date_mentions, times, units
from clawgit.language.dates import Mention

OPEN, CLOSE = "\ue010", "\ue011"
WESTERN = ("en", "de", "es", "fr")
EASTERN = ("zh", "ja", "ko")


def atom(text: str) -> str:
    """Return what later steps take as one word."""
    return f" {OPEN}{text}{CLOSE} "


def dated(text: str, lang: str) -> str:
    """Return a text in which each written date is an atom: `D2026-03-03`, `D-03-03`, `M2026-03`."""
    languages = (lang, *EASTERN) if lang in EASTERN else (lang, *WESTERN)
    return _replaced(text, ((one, _written(one, text)) for one in date_mentions.find(text, languages)))


def _written(one: Mention, text: str) -> str:
    """Return a date as an atom says it, "" for what is none by itself, as `next week`."""
    said = text[one.start : one.end]
    month = f"{one.month:02}" if one.month else ""
    match one.form:
        case "day":
            return f"D{one.year or ''}-{month}-{one.day:02}"
        case "slashed":
            return f"D{said}"
        case "month" if one.year or (said[0].isdecimal() and not said.isascii()):
            return f"M{one.year or ''}-{month}"
        case "nth" if not said.isascii():
            return f"D--{one.day:02}"
        case "year" if not said.isascii():
            return f"Y{one.year}"
        case _:
            return ""


def weekdays_asian(text: str, lang: str) -> str:
    """Return a text with its weekdays as atoms; before numerals are read, for they are numbers in Chinese."""
    return _replaced(text, ((one, f"W{(one.weekday or 0) + 1}") for one in date_mentions.weekdays(text, (lang,))))


def _replaced(text: str, found: Iterable[tuple[Mention, str]]) -> str:
    parts, at = [], 0
    for one, said in found:
        if said:
            parts += [text[at : one.start], atom(said)]
            at = one.end
    return "".join((*parts, text[at:]))


def timed(text: str, lang: str) -> str:
    """Return a text in which each time of day is an atom: `T14:00`."""
    parts, at = [], 0
    for one in times.find(text, (lang, *EASTERN, *WESTERN)):
        second = f":{one.second:02}" if one.second else ""
        parts += [text[at : one.start], atom(f"T{one.hour:02}:{one.minute:02}{second}")]
        at = one.end
    return "".join((*parts, text[at:]))


LANGUAGES = ("en", "de", "es", "fr", "zh", "ja", "ko")
ATTACHED = re.compile(r"([+-]?\d+(?:[.,]\d+)*)([a-zA-Zµ°/€$£¥%]+)")
_THOUSANDS = 1000


@cache
def table() -> Mapping[str, str]:
    """Return what stands behind a number, as `u:km`."""
    return {word: f"u:{unit}" for word, unit in units.names(LANGUAGES).items()}


def is_unit(word: str) -> bool:
    """Tell whether a word is a unit in one way of writing."""
    return word.startswith("u:") and len(word) > 2  # noqa: PLR2004 - the mark alone


def measured(number: str, unit: str) -> list[str] | None:
    """Return what `5km` or `10k` says as words, None for what is a name: `3d`, `4b`."""
    if unit in {"k", "K"}:
        return [f"#{float(number.replace(',', '')) * _THOUSANDS:.12g}"]
    return [number, table()[unit]] if unit in table() and unit != "B" else None
