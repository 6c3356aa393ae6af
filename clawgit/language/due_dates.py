"""The days on which something planned is due."""

from datetime import date
from functools import lru_cache

from clawgit.language import date_mentions, dates, detect, logic

_LONGEST = 600
"""Letters of a text in which days are looked for: a plan is a sentence."""


@lru_cache(maxsize=4096)
def days(text: str, anchor: date | None) -> tuple[date, ...]:
    """Return the future days in a text relative to its own day `anchor`, in order.

    Only exact days count, and recurring events have none. The day itself counts if the text has `today`, or is about
    the future. If the day of the text is unknown, days with a year count.
    """
    text = text[:_LONGEST]
    isos = detect.candidates(text)
    if logic.table_finder(isos, "dates", "recurring").search(text):  # as birthdays do
        return ()
    past = date_mentions.is_about_past(text, isos)
    result: set[date] = set()
    for mention in date_mentions.find_dates(text, isos):
        # `Since` and `from` begin a period, and a possible other word such as `may` needs a word before it.
        if mention.vague or mention.lead in {"since", "from"} or not (mention.sure or mention.lead):
            continue
        if anchor is None and not mention.year:
            continue
        span = dates.resolve_days(mention, anchor or date.min, past=past, ahead=dates.STATEMENT)
        is_exact = span and span.first == span.last
        is_open = past is False or (past is None and mention.form == "period")  # `today`, not its date
        if span and is_exact and (anchor is None or span.first > anchor or (span.first == anchor and is_open)):
            result.add(span.first)
    return tuple(sorted(result))
