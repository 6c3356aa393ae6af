"""The days on which something planned is due."""

import re
from collections.abc import Iterable
from datetime import date
from functools import cache, lru_cache

from clawgit.language import date_mentions, dates, detect, lexicon, logic
from clawgit.language.dates import Mention, Span

_LONGEST = 600
"""Letters of a text in which days are looked for: a plan is a sentence."""


@lru_cache(maxsize=4096)
def days(text: str, said: date | None) -> tuple[date, ...]:
    """Return the days to come that a text names as seen from the day on which it was `said`, in order.

    Only days that are told exactly count, and nothing that comes again and again has one. The day itself counts where
    the text says `today`, or speaks of what is to come. Where nobody knows when it was said, days with a year count.
    """
    text = text[:_LONGEST]
    isos = detect.candidates(text)
    if recurs(text, isos):
        return ()
    past = date_mentions.past(text, isos)
    found: set[date] = set()
    for one in date_mentions.find(text, isos):
        if not dates.exact(one) or one.lead in {"since", "from"} or not (one.sure or one.lead):
            continue
        if said is None and not one.year:
            continue
        span = dates.resolve(one, said or date.min, past=past, ahead=dates.STATEMENT)
        if span and (said is None or span.first > said or (span.first == said and _ahead(one, past=past))):
            found.add(span.first)
    return tuple(sorted(found))


def spans_around(day: date, said: Iterable[tuple[str, date | None]], isos: tuple[str, ...]) -> list[Span]:
    """Return the times with a day in them that texts name, each text with the day on which it was said."""
    spans = (
        dates.resolve(mention, when, past=past, ahead=dates.STATEMENT)
        for text, when in said
        if when
        for mention in date_mentions.find(text, isos)
        for past in (True, False)
    )
    return [span for span in spans if span and span.first <= day <= span.last]


def recurs(text: str, isos: tuple[str, ...]) -> bool:
    """Return whether a text speaks of what comes every week, month or year, as birthdays do."""
    return _recurring(isos).search(text) is not None


@cache
def _recurring(isos: tuple[str, ...]) -> "re.Pattern[str]":
    said = tuple(phrase for iso in isos for phrase in lexicon.phrases(iso, "dates", "recurring"))
    return logic.finder(said)


def _ahead(one: Mention, *, past: bool | None) -> bool:
    """Return whether what is named on the day itself is still to be done: `today`, not its date."""
    return past is False or (past is None and one.form == "period")
