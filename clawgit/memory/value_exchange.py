"""Exchanges a value in an entry."""

import re

from msgspec import Struct

from clawgit.language import values
from clawgit.language.values import equal, gloss_end, is_alike, places
from clawgit.messages import sides
from clawgit.messages.triage import names_value
from clawgit.text.entry import normalise
from clawgit.text.similarity import NEGATIONS, read


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
    def rows(self) -> list[tuple[str, str]]:
        """The lines that change, before and after."""
        rows = zip(self.entry.text.split("\n"), self.statement.split("\n"), strict=False)
        return [(before, after) for before, after in rows if before != after]


def exchange_value(entry: Stored, said: str, true: str) -> Exchange | None:
    """Return an entry in which the one `said` is exchanged; None if it has several, or nothing changes."""
    forms = ((said, true), (sides.strip_lead(said), sides.strip_lead(true)))
    said, true = next(((wrong, right) for wrong, right in forms if wrong and places(entry.text, wrong)), ("", ""))
    text, spans, old, new = entry.text, places(entry.text, said) if said else [], values.read(said), values.read(true)
    is_name = said[:1].isupper() and (old is None or old.kind == "name")
    if len(spans) != 1 or (is_name and places(text, f"{said}s")):
        return None
    start, end = spans[0]
    if NEGATIONS.intersection(read(text[:start])[-1:]):
        return None
    said = text[start:end]
    if old and new and old.kind != "name" and is_alike(old, new):
        found = values.read(said)
        if found and equal(found, old):
            start, end = start + found.start, start + found.end  # its unit stays
            said, true = found.text, _fit(found, new)
    true = _drop_repeated(text, start, end, true)
    statement = replace_value(text, start, end, true)
    word = re.escape(true)
    repeated = re.compile(rf"(?<!\w){word}\W+(?:\w+\W+)?{word}(?!\w)", re.IGNORECASE)  # `from 9 to 9`
    is_told = true and names_value(true) and normalise(statement) != normalise(text)
    is_clumsy = is_told and repeated.search(statement) and not repeated.search(text)
    return Exchange(entry, said, true, statement) if is_told and not is_clumsy else None


def _fit(old: values.Value, new: values.Value) -> str:
    """Return a value in the form of the old one, as `09:15`, `Tuesdays`; "" for a date with fewer parts."""
    true = sides.strip_lead(new.text)
    parts = zip(old.canon.split("-"), new.canon.split("-"), strict=False)
    if old.kind == "date" and any(mine and not other for mine, other in parts):
        return ""
    if old.kind == "time" and old.text[:1] == "0" and true[1:2] == ":":
        return f"0{true}"
    singular = values.read(old.text[:-1]) if old.kind == "weekday" and old.text[-1:] == "s" else None
    return f"{true}s" if singular and true[-1:] != "s" else true


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
    if start == 0 and text[:1].isupper():
        true = true[:1].upper() + true[1:]
    return f"{text[:start]}{true}{text[gloss_end(text, end) :]}"
