"""Reads times of day."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

from clawgit.language import detect, lexicon
from clawgit.language.numbers import digits, eastern, steps

_NOON, _HOURS, _MINUTES = 12, 24, 60
_HALF, _QUARTER = 30, 15
_SMALL_HOURS = 6
"""Two at night is in the morning; one at noon is in the afternoon."""
_PARTS = ("early", "late", "night", "midday")


class Clock(Struct, frozen=True):
    """Characters `start` to `end` (exclusive) of a text that name a time of day."""

    start: int
    end: int
    hour: int
    minute: int = 0
    second: int = 0


def find(text: str, languages: tuple[str, ...]) -> tuple[Clock, ...]:
    """Return the times of day that a text names in these languages, in order, none inside of another."""
    found: list[Clock] = []
    if detect.eastern(text):
        eastern_ones = tuple(iso for iso in languages if lexicon.section(iso, "times", "hour_mark"))
        found += _read(_eastern(eastern_ones), text, eastern_ones) if eastern_ones else []
    for one in _read(_western(languages), text, languages):
        if not any(one.start < other.end and other.start < one.end for other in found):
            found.append(one)
    return tuple(sorted(found, key=lambda one: one.start))


def _read(pattern: "re.Pattern[str]", text: str, languages: tuple[str, ...]) -> Iterator[Clock]:
    for match in pattern.finditer(text):
        said = {name.rstrip("0123456789"): part for name, part in match.groupdict().items() if part}
        if one := _clock(match, said, languages):
            yield one


def _clock(match: "re.Match[str]", said: dict[str, str], languages: tuple[str, ...]) -> Clock | None:
    at, end = _span(match)
    if _loose(said, languages):
        return None
    if "noon" in said or "midnight" in said:
        return Clock(at, end, _NOON if "noon" in said else 0)
    hour = _hour(said["h"], languages)
    minute = int(said.get("m", 0))
    if "shift" in said:
        hour, minute = _shifted(hour, said["shift"].casefold(), languages)
    elif "half" in said or "quarter" in said:
        minute = _HALF if "half" in said else _QUARTER
    hour = _of_day(hour, _part(said.get("part", ""), languages))
    if not 0 <= hour <= _HOURS or minute >= _MINUTES:
        return None
    return Clock(at, end, hour % _HOURS, minute, int(said.get("s", 0)))


def _loose(said: dict[str, str], languages: tuple[str, ...]) -> bool:
    """Return whether the words for an hour may mean something else where nothing stands with them."""
    alone = said.get("h") and not said.keys() & {"m", "part", "half", "quarter", "shift"}
    return bool(alone) and any(said["h"] in lexicon.words(iso, "times", "loose_hours") for iso in languages)


def _span(match: "re.Match[str]") -> tuple[int, int]:
    """Return where a time stands, without spaces and the word before it."""
    words = match.groupdict()
    at = next((match.start(name) for name in ("h5", "h7", "h8") if words.get(name)), match.start())
    said = match.string[at : match.end()]
    return at + len(said) - len(said.lstrip()), at + len(said.rstrip())


def _hour(said: str, languages: tuple[str, ...]) -> int:
    if said.isdecimal():
        return int(said)
    low = said.casefold()
    for iso in languages:
        if low in lexicon.words(iso, "times", "hours"):
            return lexicon.words(iso, "times", "hours").index(low) + 1
    return eastern(said)


def _shifted(hour: int, word: str, languages: tuple[str, ...]) -> tuple[int, int]:
    """Return the hour and minute of `half past two`, `quarter to two`, `halb zwei`."""
    for iso in languages:
        for key, (back, minute) in _SHIFTS.items():
            if word in lexicon.phrases(iso, "times", key):
                return (hour - back) % _HOURS, minute
    return hour, 0


_SHIFTS = {
    "half_past": (0, _HALF),
    "quarter_past": (0, _QUARTER),
    "quarter_to": (1, _MINUTES - _QUARTER),
    "half_to": (1, _HALF),
}


def _part(said: str, languages: tuple[str, ...]) -> str:
    """Return which part of the day a word names, "" for none."""
    low = said.casefold().strip()
    return next((part for part in _PARTS for iso in languages if low in _words(iso, part)), "") if low else ""


@cache
def _words(iso: str, part: str) -> frozenset[str]:
    return frozenset(lexicon.phrases(iso, "times", part))


def _of_day(hour: int, part: str) -> int:
    """Return the hour of 24 that an hour of a part of the day is."""
    if hour > _NOON or not part:
        return hour
    if part == "early":
        return hour % _NOON
    if part == "midday":
        return hour + _NOON if hour < _SMALL_HOURS else hour
    if part == "night":
        return hour if hour < _SMALL_HOURS else (hour + _NOON) % _HOURS
    return hour % _NOON + _NOON


@cache
def _western(languages: tuple[str, ...]) -> "re.Pattern[str]":
    hours = _either(word for iso in languages for word in lexicon.words(iso, "times", "hours"))
    part = _either(one for iso in languages for key in _PARTS for one in _spaced(iso, key))
    clock = _either(one for iso in languages for one in _spaced(iso, "clock") if len(one) > 1)
    behind = _either(one for iso in languages for one in _spaced(iso, "clock_behind_before"))
    before = _either(one for iso in languages for one in _spaced(iso, "before"))
    shift = _either(one for iso in languages for key in _SHIFTS for one in _spaced(iso, key))
    hours_before = _either(one for iso in languages for one in _spaced(iso, "before_hours"))
    spelled = _either(one for iso in languages for one in _spaced(iso, "before_spelled"))
    noon, midnight = (_either(one for iso in languages for one in _spaced(iso, key)) for key in ("noon", "midnight"))
    edge = r"(?<![\w.:/$€£+])"
    of_day = rf"(?:\s?(?P<part{{n}}>{part})(?!\w))"
    sources = (
        rf"\b(?P<shift>{shift})\s+(?P<h1>\d\d?|{hours})\b{of_day.format(n=1)}?",
        rf"{edge}(?P<h2>\d\d?|{hours})(?:[:.](?P<m2>[0-5]\d))?(?:\s?(?:{clock})\b)?{of_day.format(n=2)}",
        rf"{edge}(?P<h3>[01]?\d|2[0-4]):(?P<m3>[0-5]\d)(?::(?P<s3>[0-5]\d))?(?!\w|:\d|\.\d)(?:\s(?:{clock}|hr?s)\b)?",
        rf"(?<![\w.:/])(?P<h4>[01]?\d|2[0-4]|{hours})(?:[.:](?P<m4>\d\d))?\s?(?:{clock})\b(?:\s(?P<m9>[0-5]\d)(?![\w.:]))?",
        rf"(?<!\w)(?:{before})\s(?P<h5>\d\d?)(?:\s?(?:{behind}|[:.])?\s?(?P<m5>[0-5]\d)|\s?(?:{behind}))?{of_day.format(n=5)}?(?!\w|[.,]\d)",
        rf"(?<!\w)(?:{hours_before})\s(?P<h7>\d\d?)\s?(?:{behind})\s?(?P<m7>[0-5]\d)?{of_day.format(n=7)}?(?!\w)",
        rf"(?<!\w)(?:{spelled})\s(?P<h8>{hours})(?!\w){of_day.format(n=8)}?",
        r"(?<![\w.:/])(?P<h6>[01]?\d|2[0-4])\s?h(?P<m6>[0-5]\d)(?!\w)",
        rf"(?<!\w)(?:(?P<noon>{noon})|(?P<midnight>{midnight}))(?!\w)",
    )
    return re.compile("|".join(sources), re.IGNORECASE)


def _spaced(iso: str, key: str) -> tuple[str, ...]:
    return tuple(phrase for phrase in lexicon.phrases(iso, "times", key) if not detect.eastern(phrase))


@cache
def _eastern(languages: tuple[str, ...]) -> "re.Pattern[str]":
    def either(key: str) -> str:
        return _either(phrase for iso in languages for phrase in lexicon.phrases(iso, "times", key))

    part = _either(phrase for iso in languages for key in _PARTS for phrase in lexicon.phrases(iso, "times", key))
    counted = [iso for iso in languages if not lexicon.words(iso, "numbers", "native")]
    numeral = "".join({letter for iso in counted for letter in (*digits(iso), *steps(iso))}) or "0"
    native = _either(
        word for iso in languages for word in lexicon.words(iso, "numbers", "native") for word in word.split("/")
    )
    hour = rf"(?:[01]?\d|2[0-4]|[{numeral}]{{1,3}}|(?<![{detect.HANGUL}])(?:{native}))"
    return re.compile(
        rf"(?P<part>{part})?(?:{either('of')})?\s?(?:(?P<h1>{hour})\s?(?:{either('hour_mark')})(?!{either('not_behind')})"
        rf"\s?(?:(?P<m1>[0-5]?\d)\s?(?:{either('minute_mark')})?(?!\d|{either('not_behind_minute')})"
        rf"|(?P<half>{either('half')})|(?P<quarter>{either('quarter')}))?"
        r"|(?<![\dT:])(?P<h2>[01]?\d|2[0-4]):(?P<m2>[0-5]\d)(?!\d))"
    )


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(one) for one in sorted(set(words), key=lambda one: (-len(one), one))) or "(?!)"
