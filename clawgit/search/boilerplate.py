"""Tells what in a file is no evidence."""

import re
from collections.abc import Collection, Iterator

from clawgit.search.store import Place
from clawgit.text.entry import digest, entries
from clawgit.workspace import blank_forms

CORRECTIONS = ("CORRECTIONS.md", "Archive/Corrections/")
"""What the paths of corrections begin with."""
BULLETS = ("- ", "* ", "+ ", "|")
"""What a correction begins with that somebody wrote without a section of its own."""
CHRONICLE = (
    "An archive of the month's journals, day by day in their own words; a sentence that names lines in a comment was"
    " told by a model instead of them. `clawgit restore memory/2026-01-05.md` brings a day back, by its own name.\n"
)
"""How each chronicle begins."""
_BEGAN = "From the journals of the month. `clawgit restore memory/2026-01-05.md` brings a day back as it was"
"""How those began that are older."""

_CHRONICLES = "memory/archive/chronicles/"
_TEMPLATES = ("MEMORY.md", "USER.md", "CORRECTIONS.md")
_FIELD = re.compile(r"[ \t]*[-*+][ \t]+\**([^:*]{1,40}?)\**[ \t]*:")
_TITLE = re.compile(r" {0,3}#[ \t]")
_WRONG = frozenset({"sentence", "said", "what the agent said", "was", "wrong", "entry was", "answers"})
_REFUTED = _WRONG | {"trigger"}
_OF_CORRECTIONS = frozenset({"about", "lines", "source", "trigger confidence", "supersedes", "re-embedded"})
_OF_RECORDS = _REFUTED | _OF_CORRECTIONS | {"true", "entry is", "what is true", "correct information", "correct", "is"}


def without(path: str, text: str) -> str:
    """Return a text with empty lines where it has boilerplate, so that every other line stays on its line."""
    if path not in _TEMPLATES and not path.startswith((_CHRONICLES, *CORRECTIONS)):
        return text
    rows = text.split("\n")
    for at in _boilerplate(path, rows):
        rows[at] = ""
    return "\n".join(rows)


def live(path: str, text: str, dead: Collection[tuple[str, str]]) -> str:
    """Return a text with empty lines in the place of entries that hold no more, and of what is nested in them.

    `dead` are those that only the sidecar knows, by path and hash.
    """
    if not dead and "#superseded" not in text.lower():
        return text
    rows, inside = text.split("\n"), -1
    for one in entries(text):
        gone = "superseded" in one.status or (path, digest(one.text)) in dead
        if inside >= 0 and (one.kind != "bullet" or one.depth <= inside):
            inside = -1
        if gone or inside >= 0:
            rows[one.start - 1 : one.end] = [""] * (one.end - one.start + 1)
        if gone and inside < 0 and one.kind == "bullet":
            inside = one.depth
    return "\n".join(rows)


def corrects(place: Place) -> bool:
    """Return whether a text is a correction: a record says so in its sections and bullets, not in its introduction."""
    if not place.path.startswith(CORRECTIONS):
        return "#correction" in place.text
    return not superseded(place) and bool(place.trail or place.text.startswith(BULLETS))


def superseded(place: Place) -> bool:
    """Return whether a text is known to hold no more: by its tag, or as the field of a correction of what was wrong."""
    return "#superseded" in place.text or (place.path.startswith(CORRECTIONS) and _label(place.text) in _REFUTED)


def is_record(place: Place) -> bool:
    """Return whether a text is a field of a correction: the memory that it corrected says what holds."""
    return place.path.startswith(CORRECTIONS) and _label(place.text) in _OF_RECORDS


def unlabelled(place: Place) -> str:
    """Return what a text says; of a record without the name of its field, so that it reads as the memory does."""
    found = _FIELD.match(place.text) if place.path.startswith(CORRECTIONS) else None
    said = place.text[found.end() :] if found else place.text
    return " ".join(said.split()).lstrip("-*+> ")


def _boilerplate(path: str, rows: list[str]) -> Iterator[int]:
    if path.startswith(_CHRONICLES):
        yield from (at for at, row in enumerate(rows) if row.strip() == CHRONICLE.strip() or row.startswith(_BEGAN))
    if path in _TEMPLATES:
        known = blank_forms.shipped_lines(path)
        yield from (at for at, row in enumerate(rows) if row.strip() in known)
    if path.startswith(CORRECTIONS):
        yield from (at for at, row in enumerate(rows) if _TITLE.match(row) or _label(row) in _OF_CORRECTIONS)


def _label(row: str) -> str:
    found = _FIELD.match(row)
    return found[1].strip().casefold() if found else ""
