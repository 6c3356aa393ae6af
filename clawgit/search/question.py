"""What a question says beyond its words."""

import re
from collections.abc import Callable, Collection
from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.search import question_words

if TYPE_CHECKING:
    from clawgit.language.dates import Span


_MOST = 2_000
"""Letters of a question in which dates are looked for."""


_ABSOLUTE = frozenset(("day", "month", "year", "slashed"))
"""Forms of a date that a text may have in the same words: they are searched for, too."""


def find_dates(question: str, today: date) -> "tuple[tuple[Span, ...], str, str, frozenset[str]]":
    """Return the days, weeks, months and years that a question names, as seen from `today`, in order.

    A question asks back: without a word that says otherwise, a weekday is the last one, and so is a month. The second
    part is the question without the words that say it as seen from today, as in `last Tuesday`; the third has weekdays
    among them still, the fourth are the words that say a day and stay there.
    """
    from clawgit.language import date_mentions, dates  # noqa: PLC0415 - 5 ms, for those who search alone

    said = question[:_MOST]
    mentions = [one for one in date_mentions.find(said) if one.sure]
    found = dates.spans(mentions, today, past=date_mentions.past(said)) if mentions else ()
    rest, unmet, stay = question, question, set[str]()
    for one in reversed(mentions if found else ()):
        if one.form in _ABSOLUTE or one.form == "weekday":
            stay.update(question_words.words(question[one.start : one.end]))
        elif one.form != "habit":
            unmet = f"{unmet[: one.start]} {unmet[one.end :]}"
        if one.form not in _ABSOLUTE and one.form != "habit" and (one.form != "weekday" or one.lead):
            rest = f"{rest[: one.start]} {rest[one.end :]}"
    return found, rest, unmet, frozenset(stay)


class Cues(Struct, frozen=True):
    """Days that are spoken of; `voice` is who is meant to have said it.

    `named` are all speakers that are named; `rest` is the question without the words that say a day as seen from today,
    `unmet` the one with its weekdays, for when nothing stands under them; `days` are words that say a day.
    """

    spans: "tuple[Span, ...]" = ()
    voice: str = ""
    named: frozenset[str] = frozenset()
    rest: str = ""
    unmet: str = ""
    days: frozenset[str] = frozenset()


def cues(question: str, today: date, voiced: Callable[[Collection[str]], frozenset[str]]) -> Cues:
    """Return what a question tells; `voiced` returns those of some names by which somebody speaks anywhere.

    Two names are of people who talk about each other: then neither is meant more than the other.
    """
    plain = question_words.fold(question)
    words = {word for word in question_words.words(plain)[:60] if len(word) > 1}
    names = voiced(words)
    found, rest, unmet, days = find_dates(plain, today)
    return Cues(found, min(names) if len(names) == 1 else "", names, rest, unmet, days)


_NAME = re.compile(r"([^\W\d_]+)(?:['\u2019]s)?\b")


def drop_speakers(question: str, voiced: Callable[[Collection[str]], frozenset[str]]) -> str:
    """Return a question without the names of who speaks in conversations, where anything is left of it.

    Half of the lines have the name, and its vector is near to theirs whatever they say: on conversations without it
    vectors alone found .78 of the evidence, with it .71.
    """
    left = _NAME.sub(lambda word: "" if voiced([word[1].lower()]) else word[0], question)
    return " ".join(left.split()) if _NAME.search(left) else question
