"""The days on which something planned is due."""

from datetime import date
from functools import lru_cache

from clawgit.language import date_mentions, dates, detect, logic

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
    if logic.table_finder(isos, "dates", "recurring").search(text):  # as birthdays do
        return ()
    past = date_mentions.past(text, isos)
    found: set[date] = set()
    for one in date_mentions.find(text, isos):
        if one.vague or one.lead in {"since", "from"} or not (one.sure or one.lead):
            continue
        if said is None and not one.year:
            continue
        span = dates.resolve(one, said or date.min, past=past, ahead=dates.STATEMENT)
        is_exact = span and span.first == span.last
        is_open = past is False or (past is None and one.form == "period")  # `today`, not its date
        if span and is_exact and (said is None or span.first > said or (span.first == said and is_open)):
            found.add(span.first)
    return tuple(sorted(found))
