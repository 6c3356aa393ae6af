"""Finds the parts of a file that are no evidence."""

import re
from collections.abc import Collection

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
    shipped_lines = blank_forms.shipped_lines(path) if path in _TEMPLATES else frozenset()
    is_record, is_chronicle = path.startswith(CORRECTIONS), path.startswith(_CHRONICLES)

    def is_evidence(row: str) -> bool:
        if is_chronicle:
            return row.strip() != CHRONICLE.strip() and not row.startswith(_BEGAN)
        field = _FIELD.match(row) if is_record else None
        is_label = field is not None and field[1].strip().casefold() in _OF_RECORDS
        return not (row.strip() in shipped_lines or is_label or (is_record and _TITLE.match(row)))

    return "\n".join(row if is_evidence(row) else "" for row in text.split("\n"))


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
