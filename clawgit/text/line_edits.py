"""Edits of single lines: every other byte stays."""

import re
from collections.abc import Iterable

from clawgit.text import document
from clawgit.text.document import sections
from clawgit.text.edit import append_block, append_under, insert_line
from clawgit.text.entry import Entry, entries

_MARKER = re.compile(r"[ \t]*(?:[-*+]|(\d{1,9})([.)]))[ \t]+(?:\[[ xX]\][ \t]+)?")


def replaced(text: str, old: Entry, line: str) -> str:
    """Return the text with an entry in other words; a bullet keeps its marker."""
    rows = document.split(text)
    marker = _MARKER.match(rows[old.start - 1]) if old.kind == "bullet" else None
    fresh = document.convert(f"{marker[0] if marker else ''}{line}\n", document.eol(text))
    if not document.ends_with_newline(rows[old.end - 1]):
        fresh = fresh.rstrip("\r\n")
    return "".join((*rows[: old.start - 1], fresh, *rows[old.end :]))


def without(text: str, old: Iterable[Entry]) -> str:
    """Return the text without these entries, and without the second blank line where a list was."""
    return without_lines(text, ((entry.start, entry.end) for entry in old))


def without_lines(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text without these lines (from 1, both inside), and without the second blank line where a list was."""
    rows = document.split(text)
    for start, end in sorted(spans, reverse=True):
        is_below_blank = start > 1 and document.is_blank(rows[start - 2])
        alone = is_below_blank and (end == len(rows) or document.is_blank(rows[end]))
        del rows[start - 1 - alone : end]
    return "".join(rows)


def added(text: str, section: str, line: str) -> str:
    """Return the text with one bullet more, behind the last of the section's own; of the file's without a section.

    It takes the marker of its neighbour, or the next number.
    """
    bullets = [entry for entry in entries(text) if entry.kind == "bullet" and entry.depth <= 1]
    name = section.rpartition(" / ")[2].strip().casefold()
    here = next((one for one in sections(text) if one.title.strip().casefold() == name), None)
    own = [bullet for bullet in bullets if here and here.body <= bullet.start <= here.end]
    if here and not own:
        return append_under(text, here.title, f"- {line}")
    own = own or bullets
    if not own:
        return append_block(text, f"- {line}")
    rows = document.split(text)
    end = own[-1].end
    while end < len(rows) and rows[end].startswith((" ", "\t")) and not document.is_blank(rows[end]):
        end += 1
    marker = _MARKER.match(rows[own[-1].start - 1])
    number = f"{int(marker[1]) + 1}{marker[2]} " if marker and marker[1] else marker[0] if marker else "- "
    return insert_line(text, end + 1, f"{number}{line}")
