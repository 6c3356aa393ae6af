"""Exchanges a value in an entry."""

import re

from msgspec import Struct

from clawgit.language import values
from clawgit.language.values import drop_repeated, equal, gloss_end, is_alike, places
from clawgit.messages import sides
from clawgit.messages.triage import names_value
from clawgit.text.entry import normalise
from clawgit.text.similarity import NEGATIONS, read

_DIGIT = re.compile(r"\d")


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
    """Return an entry in which `said` is exchanged, a name everywhere, else the one; None if nothing changes."""
    forms = ((said, true), (sides.strip_lead(said), sides.strip_lead(true)))
    said, true = next(((wrong, right) for wrong, right in forms if wrong and places(entry.text, wrong)), ("", ""))
    old, new = values.read(said), values.read(true)
    spans = places(entry.text, said) if said else []
    is_name = said[:1].isupper() and not _DIGIT.search(said) and (old is None or old.kind == "name")
    if is_name:
        spans = sorted((*spans, *((start, end - 1) for start, end in places(entry.text, f"{said}s"))))
    is_ambiguous = len(spans) > 1 and (not is_name or "\n" in entry.text[spans[0][0] : spans[-1][1]])
    if not spans or is_ambiguous or any(NEGATIONS.intersection(read(entry.text[:start])[-1:]) for start, _ in spans):
        return None
    text, said = entry.text, entry.text[slice(*spans[0])]
    if old and new and old.kind != "name" and is_alike(old, new):
        found, start = values.read(said), spans[0][0]
        if found and equal(found, old):
            spans = [(start + found.start, start + found.end)]  # its unit stays
            said, true = found.text, _fit(found, sides.strip_lead(new.text))
    true = drop_repeated(text, *spans[0], true) if len(spans) == 1 else true
    for start, end in reversed(spans):
        text = replace_value(text, start, end, true)
    doubled = re.compile(rf"(?<!\w)(?i:{re.escape(true)})\W+(?:\w+\W+)?(?i:{re.escape(true)})(?!\w)")
    is_told = true and names_value(true) and normalise(text) != normalise(entry.text)
    is_change = doubled.search(text) and not doubled.search(entry.text)  # such as `from 8 to 9`, which tells both
    return Exchange(entry, said, true, text) if is_told and not is_change else None


def _fit(old: values.Value, true: str) -> str:
    """Return a value in the form of the old one: a short date completed, `09:15`, `Tuesdays`."""
    true = _complete(old, true)
    if old.kind == "time" and old.text[:1] == "0" and true[1:2] == ":":
        return f"0{true}"
    singular = values.read(old.text[:-1]) if old.kind == "weekday" and old.text[-1:] == "s" else None
    return f"{true}s" if singular and true and true[-1:] != "s" else true


def _complete(old: values.Value, true: str) -> str:
    """Return a shortened date with the rest of the old one, of the same month; "" if that has its day twice."""
    parts = next((value.canon.split("-") for value in values.find(true) if value.kind == old.kind == "date"), None)
    of_old = old.canon.split("-")
    if not parts or of_old[1] not in (parts[1], parts[1] or of_old[1]) or parts[:2] == of_old[:2] or parts[0]:
        return true
    spots = list(re.finditer(rf"(?<!\d)0?{of_old[2]}(?:st|nd|rd|th)?(?!\d)", old.text))
    if len(spots) != 1:
        return ""
    start, end = spots[0].span()
    day = parts[2].zfill(end - start) if spots[0][0].isdecimal() else parts[2]
    return f"{old.text[:start]}{day}{old.text[end:]}"


def replace_value(text: str, start: int, end: int, true: str) -> str:
    """Return a statement with its wrong value exchanged, with the date that glosses it, and nothing else."""
    if start == 0 and text[:1].isupper():
        true = true[:1].upper() + true[1:]
    return f"{text[:start]}{true}{text[gloss_end(text, end) :]}"
