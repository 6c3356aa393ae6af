"""Conflict markers that git left in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_ORDER = ("<<<<<<<", "=======", ">>>>>>>")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$")


def conflict_markers(text: str) -> int | None:
    """Return the 1-based line of the first `<<<<<<<` that `=======` and `>>>>>>>` follow, else None.

    Each must begin its line; the middle one must be the line, so a heading's underline alone is none. All three in one
    code block are content: somebody shows what a conflict looks like.
    """
    return next((first + 1 for first, _ in _conflicts(text.split("\n"))), None) if _ORDER[0] in text else None


def without_conflicts(text: str) -> str:
    """Return a text without its conflicts: what both sides have in common."""
    rows = text.split("\n")
    for first, last in reversed(list(_conflicts(rows))):
        del rows[first : last + 1]
    return "\n".join(rows)


def _conflicts(rows: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last row of each conflict, from 0; one that stands in another belongs to that."""
    if not any(row.startswith(_ORDER[0]) for row in rows):
        return
    blocks = _code_blocks(rows)
    first = stage = 0
    met: set[int] = set()
    for at, line in enumerate(rows):
        word = line.rstrip("\r")
        if _is(word, 0):
            first, stage, met = at, 1, {blocks[at]}
        elif stage and _is(word, stage):
            stage, met = stage + 1, met | {blocks[at]}
        if stage == len(_ORDER):
            stage = 0
            if len(met) > 1 or 0 in met:
                yield first, at


def _code_blocks(rows: Sequence[str]) -> list[int]:
    """Return for each row the number of the code block that it stands in, 0 outside; one that nobody closes is none."""
    found = [0] * len(rows)
    opened, mark = 0, ""
    for at, row in enumerate(rows):
        fence = _FENCE.match(row.rstrip("\r"))
        if fence and not mark:
            opened, mark = at, fence[1]
        elif fence and fence[1].startswith(mark) and not fence[2].strip():
            found[opened : at + 1] = [opened + 1] * (at + 1 - opened)
            mark = ""
    return found


def _is(line: str, stage: int) -> bool:
    mark = _ORDER[stage]
    return line == mark or (mark != "=======" and line.startswith(mark + " "))
