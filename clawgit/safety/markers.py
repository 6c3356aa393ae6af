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
    code block are content: somebody shows what a conflict looks like.
    """
    rows = text.split("\n") if "<<<<<<<" in text else []
    if not any(row.startswith("<<<<<<<") for row in rows):
        return None
    blocks = _code_blocks(rows)
    first = stage = 0
    met: set[int] = set()
    for at, line in enumerate(rows):
        if _ORDER[0].fullmatch(line):
            first, stage, met = at, 1, {blocks[at]}
        elif stage and _ORDER[stage].fullmatch(line):
            stage, met = stage + 1, met | {blocks[at]}
        if stage == len(_ORDER):
            stage = 0
            if len(met) > 1 or 0 in met:
                return first + 1
    return None


def join_sides(text: str) -> str:
    """Return a text in which what stood between conflict markers is there as both sides have it, without the markers.

    Markers in a quotation or a list count as well, and those of diff3, whose third part goes. What one code block holds
    as a whole is content. A marker that lost its others goes alone.
    """
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return text
    rows = text.split("\n")
    kept: list[str] = []
    opened: list[dict[str, tuple[int, int]]] = []  # of each conflict: where its markers stand, and in which code block
    for row, block in zip(rows, _code_blocks(rows), strict=True):
        sign = _MARKER.fullmatch(row)
        word = sign[1][0] if sign else ""
        if word == "<":
            opened.append({})
        if word and opened:
            opened[-1].setdefault(word, (len(kept), block))
        kept.append(row)
        if word == ">" and opened and "=" in opened[-1]:
            places = opened.pop()
            if len({place[1] for place in places.values()}) > 1 or not block:
                start, middle, base = (places.get(key, places["="])[0] for key in "<=|")
                ours, theirs = kept[start + 1 : min(base, middle)], kept[middle + 1 : -1]
                there = {line.strip() for line in ours}
                kept[start:] = [*ours, *(line for line in theirs if not line.strip() or line.strip() not in there)]
    return "\n".join(_without_strays(kept))


def _without_strays(rows: list[str]) -> list[str]:
    """Return rows without single markers; seven `>` alone quote, and seven `=` alone underline."""
    outside = {at for at, block in enumerate(_code_blocks(rows)) if not block}
    opening, middle, closing = ({at for at in outside if sign.fullmatch(rows[at])} for sign in _STRAYS)
    gone = opening | (middle | closing if opening or (middle and closing) else set())
    return [row for at, row in enumerate(rows) if at not in gone]


def _code_blocks(rows: Sequence[str]) -> list[int]:
    """Return for each row the number of the code block that it stands in, 0 outside; one that nobody closes is none."""
    found = [0] * len(rows)
    opened, mark = 0, ""
    for at, row in enumerate(rows):
        if mark and closes_fence(row, mark):
            found[opened : at + 1] = [opened + 1] * (at + 1 - opened)
            mark = ""
        elif not mark:
            opened, mark = at, fence(row)
    return found
