"""The days on which something planned is due."""

from datetime import date
from functools import lru_cache

from clawgit.language import date_mentions, dates, detect, logic
from clawgit.language.dates import Mention

_GAP = 3
"""Letters between a weekday and its date at most."""
_LONGEST = 600
"""Letters of a text in which days are looked for: a plan is a sentence."""


@lru_cache(maxsize=4096)
def days(text: str, said: date | None) -> tuple[date, ...]:
    """Return the future days in a text relative to the day on which it was `said`, in order.

    Only exact days count, and recurring events have none. The day itself counts if the text has `today`, or is about
    the future. If the day of the text is unknown, days with a year count.
    """
    text = text[:_LONGEST]
    isos = detect.candidates(text)
    if logic.table_finder(isos, "dates", "recurring").search(text):  # as birthdays do
        return ()
    past = date_mentions.past(text, isos)
    result: set[date] = set()
    mentions = date_mentions.find(text, isos)
    exact = [mention for mention in mentions if mention.form == "day"]
    for mention in mentions:
        if mention.form == "weekday" and any(_is_beside(mention, day) for day in exact):  # it only explains the date
            continue
        if mention.vague or mention.lead in {"since", "from"} or not (mention.sure or mention.lead):
            continue
        if said is None and not mention.year:
            continue
        span = dates.resolve(mention, said or date.min, past=past, ahead=dates.STATEMENT)
        is_exact = span and span.first == span.last
        is_open = past is False or (past is None and mention.form == "period")  # `today`, not its date
        if span and is_exact and (said is None or span.first > said or (span.first == said and is_open)):
            result.add(span.first)
    return tuple(sorted(result))


def _is_beside(mention: Mention, other: Mention) -> bool:
    """Return whether two mentions are next to each other, as in `Friday, 18 December`."""
    first, second = sorted((mention, other), key=lambda item: item.start)
    return second.start - first.end <= _GAP
