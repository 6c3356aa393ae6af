"""Exchanges a value in an entry."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct

from clawgit.language import values
from clawgit.language.values import equal, gloss_end, is_alike, places
from clawgit.messages import sides
from clawgit.messages.triage import names_value
from clawgit.text.entry import normalise
from clawgit.text.similarity import NEGATIONS, read

_DIGIT, _ISO_DATE = re.compile(r"\d"), re.compile(r"\d{4}-\d\d-\d\d")
_WORD_BEFORE, _WORD_BEHIND = re.compile(r"([^\W\d]+)[.,(\s]*\Z"), re.compile(r"[,(\s]*([^\W\d]+)")


class Stored(Struct, frozen=True):
    """An entry: its id, its text, and the title above it."""

    id: str
    text: str
    title: str = ""

    @property
    def whole(self) -> str:
        """The text behind its title."""
        return f"{self.title}: {self.text}" if self.title else self.text


class Exchange(Struct, frozen=True):
    """An entry in which `said` becomes `true`; `statement` is its whole new text."""

    entry: Stored
    said: str
    true: str
    statement: str

    @property
    def doubt(self) -> str:
        """The reason to ask first, "" for none."""
        day = values.read(self.said)
        if day and day.kind == "weekday" and values.remove_glosses(self.entry.text) != self.entry.text:
            return "the date behind the weekday would change, too"
        spans = places(self.entry.text, self.said)
        if day and day.kind == "date" and spans and self._has_weekday_beside(*spans[0]):
            return "the weekday beside the date would stay"
        return "the line has it several times" if len(spans) > 1 else ""

    def _has_weekday_beside(self, start: int, end: int) -> bool:
        text = self.entry.text
        words = _WORD_BEFORE.search(text[:start]), _WORD_BEHIND.match(text[end:])
        neighbours = [values.read(match[1]) for match in words if match]
        return any(value.kind == "weekday" for value in neighbours if value)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The lines that change, before and after."""
        rows = zip(self.entry.text.split("\n"), self.statement.split("\n"), strict=False)
        return [(before, after) for before, after in rows if before != after]


def exchange_value(entry: Stored, said: str, true: str) -> Exchange | None:
    """Return an entry in which `said` is exchanged, a name everywhere, else the one; None if nothing changes."""
    forms = ((said, true), (sides.strip_lead(said), sides.strip_lead(true)))
    said, true = next(((wrong, right) for wrong, right in forms if wrong and places(entry.text, wrong)), ("", ""))
    text, spans, old, new = entry.text, places(entry.text, said) if said else [], values.read(said), values.read(true)
    if said[:1].isupper() and not _DIGIT.search(said) and (old is None or old.kind == "name"):
        spans = sorted((*spans, *((start, end - 1) for start, end in places(text, f"{said}s"))))
    elif len(spans) > 1:
        return None
    is_denied = any(NEGATIONS.intersection(read(text[:start])[-1:]) for start, _ in spans)
    is_of_several_lines = len(spans) > 1 and "\n" in text[spans[0][0] : spans[-1][1]]
    if not spans or is_denied or is_of_several_lines:
        return None
    said = text[slice(*spans[0])]
    if old and new and old.kind != "name" and is_alike(old, new):
        found, start = values.read(said), spans[0][0]
        if found and equal(found, old):
            spans = [(start + found.start, start + found.end)]  # its unit stays
            said, true = found.text, _fit(found, new)
    true = _drop_repeated(text, *spans[0], true) if len(spans) == 1 else true
    statement = text
    for start, end in reversed(spans):
        statement = replace_value(statement, start, end, true)
    word = re.escape(true)
    repeated = re.compile(rf"(?<!\w){word}\W+(?:\w+\W+)?{word}(?!\w)", re.IGNORECASE)  # `from 9 to 9`
    is_told = true and names_value(true) and normalise(statement) != normalise(text)
    is_clumsy = is_told and repeated.search(statement) and not repeated.search(text)
    return Exchange(entry, said, true, statement) if is_told and not is_clumsy else None


def _fit(old: values.Value, new: values.Value) -> str:
    """Return a value in the form of the old one: a short date completed, `09:15`, `Tuesdays`."""
    true = sides.strip_lead(new.text)
    parts = list(zip(old.canon.split("-"), new.canon.split("-"), strict=False))
    if old.kind == "date" and any(mine and not other for mine, other in parts):
        return _complete(old.text, parts, true)
    if old.kind == "time" and old.text[:1] == "0" and true[1:2] == ":":
        return f"0{true}"
    singular = values.read(old.text[:-1]) if old.kind == "weekday" and old.text[-1:] == "s" else None
    return f"{true}s" if singular and true[-1:] != "s" else true


def _complete(text: str, parts: Sequence[tuple[str, str]], true: str) -> str:
    """Return a shorter date with the rest of the old one, of the same month; "" if that has its day twice.

    `parts` are year, month and day of both; those that a date lacks are empty.
    """
    (year, other_year), (month, other_month), (old_day, new_day) = parts
    spots = list(re.finditer(rf"(?<!\d)0?{old_day}(?:st|nd|rd|th)?(?!\d)", text))
    if other_year or other_month not in ("", month):
        return "" if year and other_month else true
    if len(spots) != 1:
        return ""
    start, end = spots[0].span()
    day = new_day.zfill(end - start) if spots[0][0].isdecimal() else new_day
    return f"{text[:start]}{day}{text[end:]}"


def _drop_repeated(text: str, start: int, end: int, true: str) -> str:
    """Return a true value without the words at its ends that the text has there already, around the wrong one."""
    words, words_before, words_after = (
        [word.strip(",.;:!?").casefold() for word in part.split()] for part in (true, text[:start], text[end:])
    )
    last = next((n for n in range(len(words) - 1, 0, -1) if words[-n:] == words_after[:n]), 0)
    first = next((n for n in range(len(words) - last - 1, 0, -1) if words[:n] == words_before[-n:]), 0)
    return " ".join(true.split()[first : len(words) - last]).rstrip(",;:") if first or last else true


def replace_value(text: str, start: int, end: int, true: str) -> str:
    """Return a statement with its wrong value exchanged, with the date that glosses it, and nothing else."""
    last = gloss_end(text, end)
    gloss = _move_gloss(text[start:end], true, text[end:last])
    if start == 0 and text[:1].isupper():
        true = true[:1].upper() + true[1:]
    return f"{text[:start]}{true}{gloss}{text[last:]}"


def _move_gloss(old: str, new: str, gloss: str) -> str:
    """Return the date behind a weekday, moved to another day of its week; "" if the two do not agree."""
    days = [int(value.canon) for value in map(values.read, (old, new)) if value and value.kind == "weekday"]
    written = _ISO_DATE.search(gloss)
    try:
        day = date.fromisoformat(written[0]) if written else None
    except ValueError:
        return ""
    if not (written and day and days[1:] and days[0] == day.isoweekday()):
        return ""
    return gloss.replace(written[0], (day + timedelta(days[1] - days[0])).isoformat())
