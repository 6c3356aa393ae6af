"""Conflict markers that git left in a file."""

from __future__ import annotations

_ORDER = ("<<<<<<<", "=======", ">>>>>>>")


def conflict_markers(text: str) -> int | None:
    """Return the 1-based line of the first `<<<<<<<` that `=======` and `>>>>>>>` follow, else None.

    Each must begin its line; the middle one must be the line, so a heading's underline alone is none.
    """
    opened = None
    stage = 0
    for number, line in enumerate(text.split("\n"), 1):
        word = line.rstrip("\r")
        if _is(word, 0):
            opened, stage = number, 1
        elif stage and _is(word, stage):
            stage += 1
        if stage == len(_ORDER):
            return opened
    return None


def _is(line: str, stage: int) -> bool:
    mark = _ORDER[stage]
    return line == mark or (mark != "=======" and line.startswith(mark + " "))
