"""Conflict markers that git left in a file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clawgit.text.unit import closes_fence, fence

_ORDER = tuple(map(re.compile, (r"<{7}(?: .*)?\r*", r"={7}\r*", r">{7}(?: .*)?\r*")))
_MARKER = re.compile(r"[ \t>*+-]*?(<{7,}|\|{7,}|={7,}|>{7,})(?:[ \t].*)?\r?")
_STRAYS = tuple(map(re.compile, (r"<{7}(?: .*)?\r?", r"={7}\r?", r">{7} \S+(?: \(.*\))?\r?")))


def conflict_markers(text: str) -> int | None:
    """Return the 1-based line of the first `<<<<<<<` that `=======` and `>>>>>>>` follow, else None.

    Each must begin its line; the middle one must be the line, so a heading's underline alone is none. All three in one
    code block are content: an example of a conflict.
    """
    rows = text.split("\n") if "<<<<<<<" in text else []
    if not any(row.startswith("<<<<<<<") for row in rows):
        return None
    blocks = _code_blocks(rows)
    first = stage = 0
    block_numbers: set[int] = set()
    for index, line in enumerate(rows):
        if _ORDER[0].fullmatch(line):
            first, stage, block_numbers = index, 1, {blocks[index]}
        elif stage and _ORDER[stage].fullmatch(line):
            stage, block_numbers = stage + 1, block_numbers | {blocks[index]}
        if stage == len(_ORDER):
            stage = 0
            if len(block_numbers) > 1 or 0 in block_numbers:
                return first + 1
    return None


def join_sides(text: str) -> str:
    """Return a text with both sides of each conflict, without the markers.

    Markers in a quotation or a list count as well, and those of diff3, whose third part goes. A conflict inside one
    code block is content. A marker that lost its others goes alone.
    """
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return text
    rows = text.split("\n")
    result: list[str] = []
    conflicts: list[
        dict[str, tuple[int, int]]
    ] = []  # of each conflict: where its markers stand, and in which code block
    for row, block in zip(rows, _code_blocks(rows), strict=True):
        sign = _MARKER.fullmatch(row)
        word = sign[1][0] if sign else ""
        if word == "<":
            conflicts.append({})
        if word and conflicts:
            conflicts[-1].setdefault(word, (len(result), block))
        result.append(row)
        if word == ">" and conflicts and "=" in conflicts[-1]:
            places = conflicts.pop()
            if len({place[1] for place in places.values()}) > 1 or not block:
                start, middle, base = (places.get(key, places["="])[0] for key in "<=|")
                ours, theirs = result[start + 1 : min(base, middle)], result[middle + 1 : -1]
                our_lines = {line.strip() for line in ours}
                result[start:] = [
                    *ours,
                    *(line for line in theirs if not line.strip() or line.strip() not in our_lines),
                ]
    return "\n".join(_omit_stray_markers(result))


def _omit_stray_markers(rows: list[str]) -> list[str]:
    """Return rows without single markers; seven `>` alone quote, and seven `=` alone underline."""
    outside = {index for index, block in enumerate(_code_blocks(rows)) if not block}
    opening, middle, closing = ({index for index in outside if sign.fullmatch(rows[index])} for sign in _STRAYS)
    strays = opening | (middle | closing if opening or (middle and closing) else set())
    return [row for index, row in enumerate(rows) if index not in strays]


def _code_blocks(rows: Sequence[str]) -> list[int]:
    """Return the number of each row's code block, 0 outside; an unclosed one is none."""
    blocks = [0] * len(rows)
    start, mark = 0, ""
    for index, row in enumerate(rows):
        if mark and closes_fence(row, mark):
            blocks[start : index + 1] = [start + 1] * (index + 1 - start)
            mark = ""
        elif not mark:
            start, mark = index, fence(row)
    return blocks
