"""Dates that a question speaks of."""

from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawgit.language.dates import Span

_MOST = 2_000
"""Letters of a question in which dates are looked for."""


def spans(question: str, today: date) -> "tuple[Span, ...]":
    """Return the days, weeks, months and years that a question names, as seen from `today`, in order.

    A question asks back: without a word that says otherwise, a weekday is the last one, and so is a month.
    """
    from clawgit.language import date_mentions, dates, tense  # noqa: PLC0415 - 5 ms, for those who search alone

    question = question[:_MOST]
    found = [one for one in date_mentions.find(question) if one.sure]
    return dates.spans(found, today, past=tense.past(question)) if found else ()
