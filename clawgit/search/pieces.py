"""Cuts blocks that are too long."""

import re
from collections.abc import Iterator

from msgspec import Struct

from clawgit.search.blocks import Block, Row, marked

LARGEST = 480
"""Letters of a piece: 120 tokens of four letters; larger ones find less of long messages, smaller ones of turns."""
_CODE = 1600
_SENTENCE = re.compile(r"(?<=[.!?…;:])\s+|(?<=[\u3002\uff01\uff1f\uff1b])")


class Piece(Struct, frozen=True):
    """A part of a block that says enough to be found; several may stand on one long line."""

    start: int
    end: int
    text: str


def pieces(block: Block) -> Iterator[Piece]:
    """Yield the pieces of a block: all of it where it is short, else by bullets, lines, sentences, letters."""
    most = _CODE if block.kind == "code" else LARGEST
    if sum(len(row.text) + 1 for row in block.rows) <= most:
        yield _piece(block.rows)
        return
    for rows in _groups(block, most):
        if len(rows) == 1 and len(rows[0].text) > most:
            number = rows[0].number
            yield from (Piece(number, number, text) for text in _sentences(rows[0].text, most))
        else:
            yield _piece(rows)


def _piece(rows: tuple[Row, ...]) -> Piece:
    said = [row.text for row in rows]
    return Piece(rows[0].number, rows[-1].number, "\n".join(said).strip())


def _groups(block: Block, most: int) -> Iterator[tuple[Row, ...]]:
    """Yield lines that stand together: a new bullet or a blank line begins another group, and so does a full one."""
    group: list[Row] = []
    size, blank = 0, False
    for row in block.rows:
        if not row.text.strip():
            blank = True
            continue
        begins = blank or (block.kind != "code" and marked(row.text) is not None)
        if group and ((begins and size > most // 3) or size + len(row.text) > most):
            yield tuple(group)
            group, size = [], 0
        group.append(row)
        size, blank = size + len(row.text) + 1, False
    if group:
        yield tuple(group)


def _sentences(line: str, most: int) -> Iterator[str]:
    """Yield parts of a long line, broken between sentences where there are any, else between words."""
    held = ""
    for said in _SENTENCE.split(line):
        if held and len(held) + len(said) >= most:
            yield held
            held = ""
        held = f"{held} {said}" if held else said
        while len(held) > most:
            cut = held.rfind(" ", most // 2, most)
            cut = cut if cut > 0 else most
            yield held[:cut]
            held = held[cut:].lstrip()
    if held.strip():
        yield held
