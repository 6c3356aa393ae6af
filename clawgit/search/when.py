"""Dates that a question speaks of."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from clawgit.search import calendar_words as known

Reader = Callable[["re.Match[str]", date], tuple[date, date]]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Days from `first` to `last`, both inside."""

    first: date
    last: date


def spans(question: str, today: date) -> tuple[Span, ...]:
    """Return the days, weeks, months and years that a question names, as seen from `today`, in order."""
    text = question.lower()
    found: list[Span] = []
    for pattern, read in _patterns():
        for match in list(pattern.finditer(text)):
            if span := _tried(read, match, today):
                found.append(span)
                text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    found += _phrases(text, today)
    return tuple(sorted(set(found)))


def _tried(read: Reader, match: "re.Match[str]", today: date) -> Span | None:
    """Return what a reader makes of words that look like a date; None for other words, and for no such day."""
    try:
        first, last = read(match, today)
    except (KeyError, ValueError, OverflowError):
        return None
    return Span(first, last)


@cache
def _patterns() -> tuple[tuple["re.Pattern[str]", Reader], ...]:
    """Return what finds a date, the most exact first, with what reads it."""
    return tuple((re.compile(pattern), read) for pattern, read in _all())


def _all() -> Iterator[tuple[str, Reader]]:
    """Yield patterns that take any word for a month or a unit: the readers know better, and compile in no time."""
    word, year, nth = r"([^\W\d_]{3,12})", r"((?:19|20)\d\d)", r"(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?"
    of = r"(?:(?:of|de|del)\s+)?"
    yield rf"\b{year}-(\d\d)-(\d\d)\b", lambda m, _: _day(int(m[1]), int(m[2]), int(m[3]))
    yield r"\b(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)\b", lambda m, _: _day(int(m[3]), int(m[2]), int(m[1]))
    yield rf"{year}\s*[年년]\s*(\d{{1,2}})\s*[月월]\s*(\d{{1,2}})\s*[日号일]", lambda m, _: _day(*map(int, m.groups()))
    yield rf"{year}\s*[年년]\s*(\d{{1,2}})\s*[月월]", lambda m, _: _month(int(m[1]), int(m[2]))
    yield r"(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日号일]", lambda m, t: _last_day(int(m[1]), int(m[2]), t)
    yield rf"\b{nth}\s+{of}{word}\.?,?\s+{of}{year}\b", lambda m, _: _day(int(m[3]), known.MONTHS[m[2]], int(m[1]))
    yield rf"\b{word}\.?\s+{nth},?\s+{year}\b", lambda m, _: _day(int(m[3]), known.MONTHS[m[1]], int(m[2]))
    yield rf"\b{word}\.?,?\s+{of}{year}\b", lambda m, _: _month(int(m[2]), known.MONTHS[m[1]])
    yield rf"\b{year}-(\d\d)\b", lambda m, _: _month(int(m[1]), int(m[2]))
    yield rf"\b{nth}\s+{of}{word}\b", lambda m, t: _last_day(known.MONTHS[m[2]], int(m[1]), t)
    yield rf"\b{word}\.?\s+{nth}\b", lambda m, t: _last_day(known.MONTHS[m[1]], int(m[2]), t)
    yield rf"\b(?:{known.IN})\s+{word}\b", lambda m, t: _last_month(known.MONTHS[m[1]], t)
    yield rf"(\d+|[^\W\d_]+)\s+([^\W\d_]+)\s+(?:{known.AGO})\b", lambda m, t: _ago(m[1], m[2], t)
    yield rf"\b(?:{known.BEFORE})\s+(\d+|[^\W\d_]+)\s+([^\W\d_]+)\b", lambda m, t: _ago(m[1], m[2], t)
    yield (
        r"(\d+|[一二两三四五六七八九十])\s*(天|日|周|个星期|週間|个月|か月|ヶ月|年)(?:以)?前",
        lambda m, t: _ago(m[1], m[2], t),
    )
    yield r"(\d+|[한두세네]|다섯|여섯)\s*(일|주일|주|달|개월|년)\s*전", lambda m, t: _ago(m[1], m[2], t)
    yield r"\b(\w+(?:-feira)?)\b", lambda m, t: _last_month(known.PLAIN_MONTHS[m[1]], t)
    yield r"\b(\w+(?:-feira)?)\b", lambda m, t: _weekday(known.WEEKDAYS[m[1]], t)
    yield (
        r"(?:上周|上星期|上個星期)([一二三四五六日天])",
        lambda m, t: _of_last_week(min("一二三四五六日天".index(m[1]), 6), t),
    )
    yield r"先週の?([月火水木金土日])曜", lambda m, t: _of_last_week("月火水木金土日".index(m[1]), t)
    yield rf"\b(?:{known.IN})\s+{year}\b", lambda m, _: (date(int(m[1]), 1, 1), date(int(m[1]), 12, 31))
    yield rf"{year}[年년]", lambda m, _: (date(int(m[1]), 1, 1), date(int(m[1]), 12, 31))


def _phrases(text: str, today: date) -> Iterator[Span]:
    """Yield what words such as `yesterday` and `last month` mean; the longest counts where one holds another."""
    for words in sorted({*known.DAYS_AGO, *known.PERIODS}, key=lambda one: (-len(one), one)):
        at = text.find(words)
        if at < 0 or (words.isascii() and (text[at - 1 : at].isalpha() or text[at + len(words) :][:1].isalpha())):
            continue
        text = text.replace(words, " ")
        if words in known.DAYS_AGO:
            day = today - timedelta(known.DAYS_AGO[words])
            yield Span(day, day)
        else:
            yield Span(*_period(*known.PERIODS[words], today))


def _day(year: int, month: int, day: int) -> tuple[date, date]:
    return (date(year, month, day),) * 2


def _month(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1) - timedelta(1)


def _last_day(month: int, day: int, today: date) -> tuple[date, date]:
    """Return a day without a year: the last one that has been, or one of the coming month."""
    found = date(today.year, month, day)
    return _day(today.year - (found > today + timedelta(31)), month, day)


def _last_month(month: int, today: date) -> tuple[date, date]:
    return _month(today.year - (month > today.month), month)


def _ago(said: str, unit: str, today: date) -> tuple[date, date]:
    """Return the days around `3 weeks ago`: the farther, the wider."""
    count = int(said) if said.isdecimal() else known.NUMBERS[said]
    days = known.UNITS[unit]
    middle, slack = today - timedelta(count * days), timedelta(days // 2)
    return middle - slack, min(middle + slack, today)


def _period(unit: str, back: int, today: date) -> tuple[date, date]:
    if unit == "week":
        monday = today - timedelta(today.weekday() + 7 * back)
        return monday, monday + timedelta(6)
    if unit == "month":
        months = today.year * 12 + today.month - 1 - back
        return _month(months // 12, months % 12 + 1)
    return date(today.year - back, 1, 1), date(today.year - back, 12, 31)


def _weekday(wanted: int, today: date) -> tuple[date, date]:
    """Return the last such day before today."""
    back = (today.weekday() - wanted - 1) % 7 + 1
    return (today - timedelta(back),) * 2


def _of_last_week(wanted: int, today: date) -> tuple[date, date]:
    return (today - timedelta(today.weekday() + 7 - wanted),) * 2
