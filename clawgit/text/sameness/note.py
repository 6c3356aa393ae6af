"""What a note says, as a row of words."""

from msgspec import Struct


class Reading(Struct, frozen=True):
    """A note in one way of writing.

    `marked` are its words with `,` and `and` and `=`, where a copula stood; `words` are those without them. `day` is a
    date that stands before the note. `names` are words that may be names, `single` those that name one thing, `verb`
    is `is` or `are`, whichever stands there alone.
    """

    marked: tuple[str, ...]
    words: tuple[str, ...]
    lang: str
    day: str = ""
    names: frozenset[str] = frozenset()
    single: frozenset[str] = frozenset()
    verb: str = ""


def bag(text: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(text.split())


TIMES = frozenset("DTMWY")
FREQUENCIES = bag(
    "daily weekly monthly yearly nightly hourly today yesterday tomorrow tonight mornings evenings weekdays weekends"
    " annually quarterly heute gestern täglich hoy ayer mañana diario"
)


def temporal(word: str) -> bool:
    """Tell whether a word is a date, a time, a weekday, a month or a year, or says how often."""
    return (word[0] in TIMES and len(word) > 1 and not word[1].isalpha()) or word in FREQUENCIES
