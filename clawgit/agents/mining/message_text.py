"""Pastes, machine text and days in a message."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from msgspec import Struct
from msgspec.structs import replace

from clawgit.language import date_mentions, dates, tense
from clawgit.language.dates import Mention, Span
from clawgit.language.sentences import sentences

# ruff: noqa: RUF001 -- a pattern is read whole, with the marks of many scripts


_FIELDS = re.compile(r"\b[\w.-]+=[^\s=]+[ ,;]+[\w.-]+=[^\s=]")
_HEX = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{16,}\b|\S{120,}")
_SIGNS = re.compile(r"[^\w\s,.!?'\"，。！？、\0-]")
_MOST = 0.18
_BRIEF = 12


def machine(own: str) -> bool:
    """Tell whether a sentence holds more signs than words, fields of a log or a long identifier."""
    if len(own) < _BRIEF:
        return False
    if "=" in own and _FIELDS.search(own):
        return True
    if len(own) > _BRIEF and _HEX.search(own):
        return True
    return own.isascii() and len(_SIGNS.findall(own)) > _MOST * len(own)


_MOST_DAYS = 3
"""Dates of one sentence that are told."""
_DENSE_FROM, _HANGUL = "\u2fff", ("\uac00", "\ud7a3")


class Spoken(Struct, frozen=True):
    """Where a time is named, up to `end`; `label` is the date, week, month or year, `day` is set where it is exact."""

    start: int
    end: int
    label: str
    day: date | None


def days(text: str, said: date, *, past: bool, plan: bool = False) -> list[Spoken]:
    """Return the times that `text` names as seen from the day `said`, in order, the first few.

    `past` says that signs of the sentence speak of what has been, where its own words tell no tense. In a `plan` what
    holds from a time on begins then, and did not begin long ago.
    """
    mentions = [one for one in date_mentions.find(text) if _told(one)]
    if not mentions:
        return []
    whole = tense.past(text)
    each = [(one.end, tense.past(text[one.start : one.end])) for one in sentences(text)]
    if plan:
        mentions = [replace(one, lead="on") if one.lead == "since" else one for one in mentions]

    def when(one: Mention) -> bool | None:
        """Return the tense of its sentence, else of the text; what holds from a time on goes by its sentence alone."""
        own = next((said for end, said in each if one.start < end), None)
        if own is None and one.lead != "from":
            own = whole
        return (past or None) if own is None else own

    spans = ((one, dates.resolve(one, said, past=when(one), ahead=dates.STATEMENT)) for one in mentions)
    return [_spoken(one, span, said) for one, span in spans if span][:_MOST_DAYS]


def _spoken(one: Mention, span: Span, said: date) -> Spoken:
    return Spoken(one.start, one.end, _label(one, span, said), span.first if dates.exact(one) else None)


def _told(one: Mention) -> bool:
    """Tell whether a time is named for sure: a bare month, weekday or year may be a name or a number."""
    if one.form in {"month", "weekday"} and not one.lead:
        return False
    return one.sure and one.form != "year"


def _label(one: Mention, span: Span, said: date) -> str:
    """Return the date, or the week, month or year that is meant; "" where the text says it itself."""
    day, unit = span.first, one.unit
    if one.form in ("day", "month") and one.year:
        return ""
    if one.form == "shift":
        day = dates.away(one, said)
    if one.form == "season" or unit == "year":
        return str(day.year)
    if one.form == "month" or unit in {"month", "quarter"}:
        return f"{day:%Y-%m}"
    if unit == "weekend":
        return f"weekend of {day}"
    if unit == "week" and one.form != "weekday of week":
        return f"week of {day - timedelta(day.weekday())}"
    return f"around {day}" if one.vague else day.isoformat()


def dated(text: str, found: list[Spoken]) -> str:
    """Return `text` with each time followed by its date."""
    for one in reversed(found):
        if one.label and one.label not in text:
            at = one.end
            last = text[at - 1 : at]
            gap = "" if last > _DENSE_FROM and not _HANGUL[0] <= last <= _HANGUL[1] else " "
            text = f"{text[:at]}{gap}({one.label}){text[at:]}"
    return text


def exact(found: list[Spoken]) -> Iterator[date]:
    """Yield the days that are exact."""
    return (one.day for one in found if one.day)
