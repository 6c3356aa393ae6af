"""Finds the parts of a file that are no evidence."""

import re
from collections.abc import Collection, Iterator

from clawgit.openclaw import blank_forms
from clawgit.search.store import Place
from clawgit.text.entry import digest, entries

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
_OF_RECORDS = frozenset(
    (
        *("sentence", "said", "what the agent said", "was", "wrong", "entry was", "answers", "trigger"),
        *("trigger confidence", "about", "lines", "source", "supersedes", "re-embedded", "left in"),
        *("true", "entry is", "what is true", "correct information", "correct", "is"),
    )
)
"""The labels of a correction's fields: what is true is in memory, and a quoted wrong value would be found."""


def remove_boilerplate(path: str, text: str) -> str:
    """Return a text with empty lines instead of boilerplate, so that every other line stays on its line."""
    if path not in _TEMPLATES and not path.startswith((_CHRONICLES, *CORRECTIONS)):
        return text
    rows = text.split("\n")
    for at in _boilerplate(path, rows):
        rows[at] = ""
    return "\n".join(rows)


def live(path: str, text: str, dead: Collection[tuple[str, str]]) -> str:
    """Return a text with empty lines in the place of entries out of force, and of their nested ones.

    `dead` are those that only the sidecar knows, by path and hash.
    """
    if not dead and "#superseded" not in text.lower():
        return text
    rows, inside = text.split("\n"), -1
    for entry in entries(text):
        is_dead = "superseded" in entry.status or (path, digest(entry.text)) in dead
        if inside >= 0 and (entry.kind != "bullet" or entry.depth <= inside):
            inside = -1
        if is_dead or inside >= 0:
            rows[entry.start - 1 : entry.end] = [""] * (entry.end - entry.start + 1)
        if is_dead and inside < 0 and entry.kind == "bullet":
            inside = entry.depth
    return "\n".join(rows)


def corrects(place: Place) -> bool:
    """Return whether a text is a correction: a section or bullet of a record, not its introduction."""
    if not place.path.startswith(CORRECTIONS):
        return "#correction" in place.text
    return "#superseded" not in place.text and bool(place.trail or place.text.startswith(BULLETS))


def _boilerplate(path: str, rows: list[str]) -> Iterator[int]:
    if path.startswith(_CHRONICLES):
        yield from (
            number for number, row in enumerate(rows) if row.strip() == CHRONICLE.strip() or row.startswith(_BEGAN)
        )
    if path in _TEMPLATES:
        template_lines = blank_forms.shipped_lines(path)
        yield from (number for number, row in enumerate(rows) if row.strip() in template_lines)
    if path.startswith(CORRECTIONS):
        yield from (number for number, row in enumerate(rows) if _TITLE.match(row) or _label(row) in _OF_RECORDS)


def _label(row: str) -> str:
    match = _FIELD.match(row)
    return match[1].strip().casefold() if match else ""
