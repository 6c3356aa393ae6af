"""Days, months and years that a sentence names."""

from calendar import monthrange
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Literal

from msgspec import Struct

Form = Literal[
    "day", "month", "year", "weekday", "nth", "shift", "period", "weekday of week", "end", "season", "slashed", "habit"
]
Lead = Literal["", "last", "this", "next", "on", "since", "from", "until", "in"]

QUESTION, STATEMENT = 31, 273
"""How many days ahead a day lies at most that is said without a year and without a tense.

A question looks back, at most a month ahead; a statement speaks of the past only where that is three times nearer.
"""
_AHEAD = 183
"""From which of the two on a weekday or a month of no tense lies ahead."""
_WEEK, _MONTHS, _QUARTER = 7, 12, 3
_WEEKEND = 5
_LEAP_YEAR = 2024
_LEAP = 8
"""Years within which there is a 29 February, also around 1900 and 2100."""
_SEASONS = ((3, 5), (6, 8), (9, 11), (12, 2))
_HALF = 6
_SLACK = {"day": 0, "week": 3, "month": 15, "year": 182}
"""Days to each side of `two months ago`."""


class Mention(Struct, frozen=True):
    """Characters `start` to `end` (exclusive) of a text that name a time.

    What is not said is None. `lead` is what the words before it, or a word such as `pasado` behind it, make of it.
    `count` are the units away from today, or which week or month; `vague` says that they are no number, as in `a few
    days`. `sure` is False for what may be another word: `may`, `march`, `sat`.
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


def resolve(found: Mention, said: date, *, past: bool | None = None, ahead: int = QUESTION) -> Span | None:
    """Return the days that a mention means as seen from the day `said`; None for no such day, as 31 February.

    `past` says that the sentence speaks of what has been, or (False) of what is to come; None where it does not tell,
    then `ahead` decides (QUESTION, STATEMENT). A day without a year of what has been is the last one up to `said`.
    """
    reader = _READERS.get(found.form, _relative)
    try:
        return reader(found, _View(said, _side(found, past=past), ahead))
    except (ValueError, OverflowError):
        return None


class _View(Struct, frozen=True):
    """From which day, and with which tense, a mention is seen."""

    said: date
    past: bool | None
    ahead: int

    @property
    def back(self) -> bool:
        """Whether a weekday or a month lies behind."""
        return self.ahead < _AHEAD if self.past is None else self.past


def _side(found: Mention, *, past: bool | None) -> bool | None:
    """Return the tense that the words around a mention give it, above that of the sentence."""
    if found.lead in {"last", "since"}:
        return True
    if found.lead == "from":  # from March on: still to come, unless the sentence speaks of what has been
        return past is True
    return False if found.lead in {"next", "until"} else past


def days_in(year: int, month: int) -> int:
    """Return how many days a month has."""
    return monthrange(year, month)[1]


def _year(year: int) -> Span:
    return Span(date(year, 1, 1), date(year, 12, 31))


def _of_month(year: int, month: int) -> Span:
    """Return a month, counted on past December and back before January."""
    years, at = divmod(month - 1, _MONTHS)
    year, month = year + years, at + 1
    return Span(date(year, month, 1), date(year, month, days_in(year, month)))


def _day(found: Mention, view: _View) -> Span | None:
    month, day = found.month, found.day or 0
    if found.year and month:
        return _one(date(found.year, month, day))
    if month is None:
        return _nth(day, view)
    before, after = _around(month, day, view.said)
    back = view.past
    if back is None:
        back = after is None or (after - view.said).days > view.ahead
    chosen = before if back else after
    return _one(chosen) if chosen else None


def _around(month: int, day: int, said: date) -> tuple[date | None, date | None]:
    """Return the last such day up to `said`, and the first from it on."""
    years = range(max(1, said.year - _LEAP), min(9999, said.year + _LEAP) + 1)
    days = [date(year, month, day) for year in years if possible(month, day, year)]
    before, after = ([one for one in days if one <= said], [one for one in days if one >= said])
    return max(before, default=None), min(after, default=None)


def _nth(day: int, view: _View) -> Span | None:
    """Return the nearest day of that number on its side of the day on which it is said."""
    said, back = view.said, bool(view.past)
    months = said.year * _MONTHS + said.month - 1
    for step in range(3):
        year, month = divmod(months - step if back else months + step, _MONTHS)
        if 1 <= day <= days_in(year, month + 1):
            found = date(year, month + 1, day)
            if found <= said if back else found >= said:
                return _one(found)
    return None


def _month(found: Mention, view: _View) -> Span:
    said, month = view.said, found.month or 1
    if found.year:
        return _of_month(found.year, month)
    return _of_month(said.year - (month > said.month) if view.back else said.year + (month < said.month), month)


def _named_year(found: Mention, view: _View) -> Span:
    return _year(found.year or view.said.year)


def _weekday(found: Mention, view: _View) -> Span:
    """Return the last such day before today, the next one after it, or that of next week."""
    said, wanted = view.said, found.weekday or 0
    if found.lead == "next":
        return _one(said + timedelta(_WEEK - said.weekday() + wanted))
    if found.lead == "this" and view.back:
        return _one(said - timedelta((said.weekday() - wanted) % _WEEK))
    if view.back:
        return _one(said - timedelta((said.weekday() - wanted - 1) % _WEEK + 1))
    return _one(said + timedelta((wanted - said.weekday() - 1) % _WEEK + 1))


def _relative(found: Mention, view: _View) -> Span:
    """Return the day, week, month or year so many on."""
    said, count = view.said, found.count
    monday = said - timedelta(said.weekday())
    if found.form == "weekday of week":
        return _one(monday + timedelta(_WEEK * count + (found.weekday or 0)))
    match found.unit:
        case "day":
            return _one(said + timedelta(count))
        case "week":
            return Span(monday + timedelta(_WEEK * count), monday + timedelta(_WEEK * count + _HALF))
        case "weekend":
            saturday = monday + timedelta(_WEEKEND + _WEEK * count)
            return Span(saturday, saturday + timedelta(1))
        case "month":
            return _of_month(said.year, said.month + count)
        case _:
            return _year(said.year + count)


def away(found: Mention, said: date) -> date:
    """Return the day so many units away: `two months ago` is the same day of that month, or its last."""
    if found.unit in {"month", "year"}:
        then = _of_month(said.year, said.month + found.count * (_MONTHS if found.unit == "year" else 1))
        return then.first + timedelta(min(said.day, then.last.day) - 1)
    return said + timedelta(found.count * (_WEEK if found.unit == "week" else 1))


def _end(found: Mention, view: _View) -> Span:
    """Return the month in which this month or quarter ends; this year."""
    said = view.said
    if found.unit == "year":
        return _year(said.year)
    return _of_month(said.year, said.month if found.unit == "month" else -(-said.month // _QUARTER) * _QUARTER)


def _around_then(found: Mention, view: _View) -> Span:
    """Return the days around what is so many units away, half a unit to each side, up to `said`."""
    said = view.said
    middle, slack = away(found, said), timedelta(_SLACK[found.unit])
    first, last = middle - slack, middle + slack
    return Span(first, min(last, said)) if found.count < 0 else Span(max(first, said), last)


def _one(day: date) -> Span:
    return Span(day, day)


def _season(found: Mention, view: _View) -> Span:
    """Return the last such season that is over, the next that has not begun, or the one that is not over yet."""
    said = view.said
    first, last = _SEASONS[found.count % len(_SEASONS)]
    spans = []
    for year in range(said.year - 2, said.year + 3):
        begun, ended = _of_month(year, first), _of_month(year + (last < first), last)
        spans.append(Span(begun.first, ended.last))
    if found.lead == "last":
        return max(span for span in spans if span.last < said)
    if found.lead == "next":
        return min(span for span in spans if span.first > said)
    return min(span for span in spans if span.last >= said)


def _unknown(found: Mention, view: _View) -> None:
    """Return nothing: which of two numbers is the month is not told, or a day of every week is meant."""
    del found, view


_READERS: dict[str, Callable[[Mention, _View], Span | None]] = {
    "day": _day,
    "nth": _day,
    "month": _month,
    "year": _named_year,
    "weekday": _weekday,
    "shift": _around_then,
    "end": _end,
    "season": _season,
    "slashed": _unknown,
    "habit": _unknown,
}


def exact(found: Mention) -> bool:
    """Return whether a mention means one day."""
    if found.form in {"shift", "period"}:
        return found.unit == "day" and not found.vague
    return found.form in {"day", "nth", "weekday", "weekday of week"}


def possible(month: int, day: int, year: int | None = None) -> bool:
    """Return whether there is such a day."""
    return 1 <= month <= _MONTHS and 1 <= day <= days_in(year or _LEAP_YEAR, month)


def spans(found: Iterable[Mention], said: date, *, past: bool | None = None, ahead: int = QUESTION) -> tuple[Span, ...]:
    """Return the days that mentions mean, in order, each once."""
    days = (resolve(one, said, past=past, ahead=ahead) for one in found)
    return tuple(sorted({day for day in days if day}))
