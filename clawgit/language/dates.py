"""Days, months and years that a sentence names."""

from calendar import monthrange
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Literal

from msgspec import Struct

Form = Literal["day", "month", "year", "weekday", "nth", "shift", "period", "weekday of week", "habit"]
Lead = Literal["", "last", "this", "next", "on", "since", "from", "until", "in"]

QUESTION, STATEMENT = 31, 273
"""How many days ahead a day lies at most that is said without a year and without a tense.

A question looks back, at most a month ahead; a statement speaks of the past only where that is three times nearer.
"""
_WEEK, _MONTHS, _WEEKEND = 7, 12, 5
_LEAP_YEAR, _LEAP_DAYS = 2024, 8 * 366
"""A year with a 29 February; days within which there is one, also around 1900 and 2100."""
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
"""Days of a unit; half of them lie to each side of `two months ago`."""


class Mention(Struct, frozen=True):
    """Characters `start` to `end` (exclusive) of a text that name a time.

    Missing parts are None. `lead` is the effect of the words before it, or of a word such as `pasado` behind it.
    `count` are the units away from today; `vague`: they are no number, as in `a few days`. `sure` is False for a
    possible other word: `may`, `march`, `sat`.
    """

    start: int
    end: int
    form: Form
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    lead: Lead = ""
    unit: str = ""
    count: int = 0
    vague: bool = False
    sure: bool = True


class Span(Struct, frozen=True, order=True):
    """Days from `first` to `last`, both inside."""

    first: date
    last: date


def resolve_days(mention: Mention, anchor: date, *, past: bool | None = None, ahead: int = QUESTION) -> Span | None:
    """Return the days of a mention relative to the day `anchor`; None for no such day, as 31 February.

    `past`: the sentence is about the past, or (False) the future; None if unknown, then `ahead` decides (QUESTION,
    STATEMENT). A past day without a year is the last one up to `anchor`.
    """
    if mention.lead in ("last", "since"):
        past = True
    elif mention.lead == "from":  # from March on: still to come, unless the sentence speaks of what has been
        past = past is True
    elif mention.lead in ("next", "until"):
        past = False
    is_back = ahead == QUESTION if past is None else past
    try:
        if mention.form == "day" and not mention.year:
            days = [
                _find_day(anchor, step, lambda day: (day.month, day.day) == (mention.month, mention.day))
                for step in (-1, 1)
            ]
            if past is None:
                past = days[1] is None or (days[1].first - anchor).days > ahead
            return days[0] if past else days[1]
        if mention.form == "nth":
            return _find_day(anchor, -1 if past else 1, lambda day: day.day == mention.day)
        return _read_span(mention, anchor, is_back=is_back)
    except (ValueError, OverflowError):
        return None


def _read_span(mention: Mention, anchor: date, *, is_back: bool) -> Span | None:  # noqa: PLR0911 - a form, a return
    """Return the days of a mention; a weekday or a month without a year is in the past if `is_back`."""
    month, step, lead = mention.month or 1, -1 if is_back else 1, mention.lead
    week = anchor - timedelta(anchor.weekday()) + timedelta(_WEEK * (mention.count or lead == "next"))
    if mention.form == "day":
        day = date(mention.year or anchor.year, month, mention.day or 0)
        return Span(day, day)
    if mention.form == "month":
        is_other_year = month > anchor.month if is_back else month < anchor.month
        return _find_months(mention.year or anchor.year + is_other_year * step, month)
    if mention.form == "year":
        return _find_months(mention.year or anchor.year, 1, _MONTHS)
    if mention.form == "weekday" and lead != "next":  # not today, but for `this Monday` in what looks back
        start = anchor if is_back and lead == "this" else anchor + timedelta(step)
        return _find_day(start, step, lambda day: day.weekday() == mention.weekday)
    if mention.form in ("weekday", "weekday of week"):
        day = week + timedelta(mention.weekday or 0)
        return Span(day, day)
    if mention.form == "shift":
        return _find_around(mention, anchor)
    return _find_period(mention, anchor, week) if mention.form == "period" else None  # a day of every week is meant


def _find_day(start: date, step: int, is_wanted: Callable[[date], bool]) -> Span | None:
    """Return the nearest wanted day from a day on, forwards or backwards."""
    days = (start + timedelta(step * count) for count in range(_LEAP_DAYS))
    return next((Span(day, day) for day in days if is_wanted(day)), None)


def _find_months(year: int, month: int, count: int = 1) -> Span:
    """Return so many months from one on, counted on past December and back before January."""
    (first_year, first), (last_year, last) = (divmod(index, _MONTHS) for index in (month - 1, month + count - 2))
    last_date = date(year + last_year, last + 1, monthrange(year + last_year, last + 1)[1])
    return Span(date(year + first_year, first + 1, 1), last_date)


def _find_period(mention: Mention, anchor: date, monday: date) -> Span:
    """Return the day, the week that begins on a day, the month or the year so many on."""
    if mention.unit == "month":
        return _find_months(anchor.year, anchor.month + mention.count)
    if mention.unit == "year":
        return _find_months(anchor.year + mention.count, 1, _MONTHS)
    first, length = {
        "day": (anchor + timedelta(mention.count), 1),
        "week": (monday, _WEEK),
        "weekend": (monday + timedelta(_WEEKEND), _WEEK - _WEEKEND),
    }[mention.unit]
    return Span(first, first + timedelta(length - 1))


def _find_around(mention: Mention, anchor: date) -> Span:
    """Return the days around the day so many units away, half a unit to each side, up to `anchor`.

    `Two months ago` is around the same day of that month, or its last.
    """
    months = {"month": 1, "year": _MONTHS}.get(mention.unit, 0)
    middle = anchor + timedelta(mention.count * _DAYS[mention.unit])
    if months:
        month = _find_months(anchor.year, anchor.month + mention.count * months)
        middle = month.first.replace(day=min(anchor.day, month.last.day))
    slack = timedelta(_DAYS[mention.unit] // 2)
    first, last = middle - slack, middle + slack
    return Span(first, min(last, anchor)) if mention.count < 0 else Span(max(first, anchor), last)


def is_possible(month: int, day: int) -> bool:
    """Return whether there is such a day."""
    return 1 <= month <= _MONTHS and 1 <= day <= monthrange(_LEAP_YEAR, month)[1]


def spans(mentions: Iterable[Mention], anchor: date, *, past: bool | None = None) -> tuple[Span, ...]:
    """Return the days that mentions mean, in order, each once."""
    days = (resolve_days(mention, anchor, past=past) for mention in mentions)
    return tuple(sorted({day for day in days if day}))


# ---- in ISO 8601


def parse_date(text: str) -> date | datetime | None:
    """Return an ISO 8601 date or moment, None for any other text."""
    plain = text.strip()
    if plain[:8].isdecimal() and plain[8:9] not in ("", "T", " "):  # Python 3.11 takes more letters, as of an id
        return None
    try:
        return date.fromisoformat(plain)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(plain)
    except ValueError:
        return None


def start_of(day: date | datetime, zone: tzinfo | None, clock: time = time.min) -> datetime:
    """Return the first moment of a day in `zone`, or the one with that clock time, or the moment itself."""
    if isinstance(day, datetime):
        return day if day.tzinfo else day.replace(tzinfo=zone)
    return datetime.combine(day, clock, zone)


def end_of(day: date | datetime, zone: tzinfo | None) -> datetime:
    """Return the last second of a day in `zone`, or the moment itself."""
    return start_of(day, zone, time(23, 59, 59, fold=1))  # the second one, where clocks go back at midnight
