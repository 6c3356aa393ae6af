"""Conflict markers that git left in a file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from clawgit.text.unit import closes_fence, fence

_ORDER = tuple(map(re.compile, (r"<{7}(?: .*)?\r*", r"={7}\r*", r">{7}(?: .*)?\r*")))
_MARKER = re.compile(r"[ \t>*+-]*?(<{7,}|\|{7,}|={7,}|>{7,}|%{7}|\+{7})(?:[ \t].*)?\r?")
_SIGN = re.compile(r"(?:([<>|%+])\1{6}(?: .*)?|={7})\r*")


def conflict_markers(text: str) -> int | None:
    """Return the 1-based line of the first `<<<<<<<` that `=======` and `>>>>>>>` follow, else None.

    Each must begin its line; the middle one must be the line, so a heading's underline alone is none. All three in one
    code block are content: an example of a conflict. A set of jj's, or a part of one of diff3's, counts as well.
    """
    rows = text.split("\n") if "<<<<<<<" in text or ">>>>>>>" in text else []
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
    return _find_unreadable(_find_signs(rows, blocks))


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
        if word == ">" and conflicts and "=" in conflicts[-1] and conflicts[-1].keys().isdisjoint("%+"):
            places = conflicts.pop()
            if len({place[1] for place in places.values()}) > 1 or not block:
                start, middle, base = (places.get(key, places["="])[0] for key in "<=|")
                ours, theirs = result[start + 1 : min(base, middle)], result[middle + 1 : -1]
                # Lines of both sides are taken once, except blank ones.
                our_lines = {line.strip() for line in ours}
                result[start:] = [
                    *ours,
                    *(line for line in theirs if not line.strip() or line.strip() not in our_lines),
                ]
    signs = _find_signs(result, _code_blocks(result))
    if _find_unreadable(signs):
        return text
    strays = {index for index in signs if "<" in signs.values() or ">" in signs.values()}
    return "\n".join(row for index, row in enumerate(result) if index not in strays)


def _find_signs(rows: Sequence[str], blocks: Sequence[int]) -> dict[int, str]:
    """Return the characters of markers that begin a row, by row; an underline is none, nor is a row of a deep quote."""
    signs, padded = dict[int, str](), ("", "", *rows, "")
    for index, block in enumerate(blocks):
        last_but_one, last, row, next_row = padded[index : index + 4]
        is_underline = row[:1] == "=" and last[:1].isalnum() and not last_but_one.strip()
        is_quote = row[:1] == ">" and ">>>>>>" in (last[:6], next_row[:6])
        if not (block or is_underline or is_quote) and _SIGN.fullmatch(row):
            signs[index] = row[0]
    return signs


def _find_unreadable(signs: Mapping[int, str]) -> int | None:
    """Return the 1-based row of the first end of a set with unknown sides, None for none."""
    ends = (index + 1 for index, sign in signs.items() if sign in "<>")
    return None if {"|", "%", "+"}.isdisjoint(signs.values()) else next(ends, None)


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
