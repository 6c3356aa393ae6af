"""Finds the days that a statement names."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from clawgit.agents.mining.days_spoken import (
    AHEAD,
    ARRANGED,
    BACK,
    NEXT,
    PAST,
    PATTERNS,
    PERIOD,
    SMALL,
    THIS,
    TOWARDS,
    WEEKDAYS,
)
from clawgit.search import calendar_words as known

_MOST = 3
"""Dates of one sentence that are told."""
_WEEK, _MONTH, _YEAR = 7, 30, 365
_DECEMBER = 12
_TENS = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_FARTHER = 3
_FOR = (" for ", " for the ", " until ", " till ", " by ", " für ", " bis ", " para ", " pour ")


@dataclass(frozen=True, slots=True)
class Spoken:
    """Where a time is named, up to `end`; `label` is the date, week, month or year, `day` is set where it is exact."""

    start: int
    end: int
    label: str
    day: date | None


Reader = Callable[["re.Match[str]", date, bool], "tuple[str, date | None]"]


def days(text: str, said: date, *, past: bool) -> list[Spoken]:
    """Return the times that `text` names as seen from the day `said`, in order, the first few.

    `past` says to which side a bare weekday or a day without a month lies.
    """
    found: list[Spoken] = []
    lower = text.lower()
    if len(lower) != len(text):  # a letter that has no single lower one
        return found
    past = past and not any(word in lower for word in ARRANGED)
    for name, pattern in _compiled(cjk=not text.isascii()):
        for match in pattern.finditer(lower):
            if any(match.start() < one.end and one.start < match.end() for one in found):
                continue
            behind = past and not lower.endswith(_FOR, 0, match.start())
            if read := _tried(_READERS[name], match, said, past=behind):
                found.append(Spoken(match.start(), match.end(), *read))
    return sorted(found, key=lambda one: one.start)[:_MOST]


@cache
def _compiled(*, cjk: bool) -> "tuple[tuple[str, re.Pattern[str]], ...]":
    return tuple((name, re.compile(source)) for name, source in PATTERNS if cjk or max(source) < "\u2e80")


def _tried(read: Reader, match: "re.Match[str]", said: date, *, past: bool) -> tuple[str, date | None] | None:
    """Return what a reader makes of words that look like a date; None for no such day."""
    try:
        return read(match, said, past)
    except (KeyError, ValueError, OverflowError):
        return None


def _exact(day: date) -> tuple[str, date | None]:
    return day.isoformat(), day


def _week(day: date) -> tuple[str, date | None]:
    return f"week of {day - timedelta(day.weekday())}", None


def _month(year: int, month: int) -> tuple[str, date | None]:
    years, at = divmod(month - 1, _DECEMBER)
    return f"{date(year + years, at + 1, 1):%Y-%m}", None


def _in_year(month: int, day: int, year: str | None, said: date, *, past: bool) -> tuple[str, date | None]:
    """Return a day of a month; without a year the nearest one, where the side that is not meant counts as farther."""
    if year:
        return _exact(date(int(year), month, day))
    near = (found for step in (-1, 0, 1) if (found := _day(said.year + step, month, day)))
    return _exact(min(near, key=lambda found: abs((found - said).days) * (_FARTHER if (found > said) == past else 1)))


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _iso(match: "re.Match[str]", _: date, past: bool) -> tuple[str, date | None]:  # noqa: FBT001 - a reader
    del past
    return "", date.fromisoformat(match[0])


def _dotted(match: "re.Match[str]", _: date, past: bool) -> tuple[str, date | None]:  # noqa: FBT001
    del past
    return _exact(date(int(match[3]), int(match[2]), int(match[1])))


def _day_month(match: "re.Match[str]", said: date, past: bool) -> tuple[str, date | None]:  # noqa: FBT001
    return _in_year(known.MONTHS[match[2]], int(match[1]), match[3], said, past=past)


def _month_day(match: "re.Match[str]", said: date, past: bool) -> tuple[str, date | None]:  # noqa: FBT001
    return _in_year(known.MONTHS[match[1]], int(match[2]), match[3], said, past=past)


def _numbered(match: "re.Match[str]", said: date, past: bool) -> tuple[str, date | None]:  # noqa: FBT001
    return _in_year(int(match[2]), int(match[3]), match[1], said, past=past)


def _nth(match: "re.Match[str]", said: date, past: bool) -> tuple[str, date | None]:  # noqa: FBT001
    """Return the nearest day of that number on its side of today."""
    past = past and match[1] not in TOWARDS
    months = said.year * _DECEMBER + said.month - 1
    for step in range(3):
        year, month = divmod(months - step if past else months + step, _DECEMBER)
        try:
            found = date(year, month + 1, int(match[2]))
        except ValueError:
            continue
        if found <= said if past else found >= said:
            return _exact(found)
    raise ValueError


def _of_month(match: "re.Match[str]", said: date, past: bool) -> tuple[str, date | None]:  # noqa: FBT001
    month = known.MONTHS[match[2]]
    if match[3]:
        return "", None
    word = match[1]
    if word in AHEAD:
        past = False
    return _nearest_month(month, said, past=past or word in BACK)


def _weekday(match: "re.Match[str]", said: date, past: bool) -> tuple[str, date | None]:  # noqa: FBT001
    """Return the last such day before today, the next one from today, or that of next week."""
    wanted, word = WEEKDAYS[match[2]], match[1] or ""
    if word in NEXT:
        return _exact(said + timedelta(7 - said.weekday() + wanted))
    if word in PAST or (past and word not in THIS):
        return _exact(said - timedelta((said.weekday() - wanted - 1) % 7 + 1))
    if word in THIS and past:
        return _exact(said - timedelta((said.weekday() - wanted) % 7))
    return _exact(said + timedelta((wanted - said.weekday() - 1) % 7 + 1))


def _ago(match: "re.Match[str]", said: date, _: bool) -> tuple[str, date | None]:  # noqa: FBT001
    return _away(match[1], match[2], said, -1)


def _ahead(match: "re.Match[str]", said: date, _: bool) -> tuple[str, date | None]:  # noqa: FBT001
    return _away(match[1], match[2], said, 1)


def _away(count: str, unit: str, said: date, side: int) -> tuple[str, date | None]:
    """Return the day so many units away; the farther, the wider."""
    number = int(count) if count.isdecimal() else known.NUMBERS[count]
    size = known.UNITS[unit]
    if size == _YEAR:
        return str(date(said.year + side * number, 1, 1).year), None
    if size == _MONTH:
        return _month(said.year, said.month + side * number)
    day = said + timedelta(side * number * size)
    if size == _WEEK:
        return _week(day)
    return ("around " + day.isoformat(), None) if count in SMALL else _exact(day)


def _period(match: "re.Match[str]", said: date, _: bool) -> tuple[str, date | None]:  # noqa: FBT001
    unit, away = PERIOD[match[0]]
    if unit == "day":
        return _exact(said + timedelta(away))
    if unit == "week":
        return _week(said + timedelta(7 * away))
    if unit == "weekend":
        return f"weekend of {said + timedelta(5 - said.weekday() + 7 * away)}", None
    if unit == "month":
        return _month(said.year, said.month + away)
    return str(date(said.year + away, 1, 1).year), None


def _asian_month(match: "re.Match[str]", said: date, past: bool) -> tuple[str, date | None]:  # noqa: FBT001
    month = int(match[1]) if match[1].isdecimal() else _TENS.index(match[1]) + 1
    return _nearest_month(month, said, past=past)


def _nearest_month(month: int, said: date, *, past: bool) -> tuple[str, date | None]:
    if past:
        return _month(said.year - (month > said.month), month)
    return _month(said.year + (month < said.month), month)


def _of_week(match: "re.Match[str]", said: date, _: bool) -> tuple[str, date | None]:  # noqa: FBT001
    """Return a day of the week before, of this one or of the next, as Chinese, Japanese and Korean name it."""
    away = PERIOD[match[1]][1]
    wanted = next(
        at
        for at, names in enumerate(("一月월", "二火화", "三水수", "四木목", "五金금", "六土토", "日天일"))
        if match[2] in names
    )
    return _exact(said + timedelta(wanted - said.weekday() + 7 * away))


def _end(match: "re.Match[str]", said: date, _: bool) -> tuple[str, date | None]:  # noqa: FBT001
    if match[1] == "year":
        return str(said.year), None
    last = said.month if match[1] == "month" else (said.month - 1) // 3 * 3 + 3
    return _month(said.year, last)


def _season(match: "re.Match[str]", said: date, _: bool) -> tuple[str, date | None]:  # noqa: FBT001
    return str(said.year + (match[1] == "next") - (match[1] == "last")), None


_READERS: dict[str, Reader] = {
    "iso": _iso,
    "dotted": _dotted,
    "day month": _day_month,
    "month day": _month_day,
    "numbered": _numbered,
    "asian month": _asian_month,
    "of week": _of_week,
    "ago": _ago,
    "ahead": _ahead,
    "period": _period,
    "weekday": _weekday,
    "nth": _nth,
    "month": _of_month,
    "end": _end,
    "season": _season,
}


def dated(text: str, found: list[Spoken], offset: int = 0) -> str:
    """Return `text` with each time followed by its date; `offset` is where `text` began when they were found."""
    for one in reversed(found):
        if one.label and one.label not in text:
            at = one.end - offset
            gap = "" if text[at - 1 : at] > "\u2fff" and not "\uac00" <= text[at - 1 : at] <= "\ud7a3" else " "
            text = f"{text[:at]}{gap}({one.label}){text[at:]}"
    return text


def exact(found: list[Spoken]) -> Iterator[date]:
    """Yield the days that are exact."""
    return (one.day for one in found if one.day)
