"""Cuts a file of memory into pieces to choose among."""

import re
from collections.abc import Iterator

from clawgit.context.ground import Ground
from clawgit.context.piece import Piece
from clawgit.search.chunk import Chunk, chunks

_APART = " \u203a "
_MOMENT = re.compile(r"[\d:.\-/ T]*")


def pieces(ground: Ground, path: str) -> list[Piece]:
    """Return bullets, paragraphs, turns and rows of a file in their order, each of whole lines and under its heading.

    A long line that search cuts into several is one piece.
    """
    rows = ground.rows(path)
    found: list[Piece] = []
    for chunk in chunks(ground.text(path)):
        start = chunk.start
        if found and start <= found[-1].end:
            start = found.pop().start
        found.append(Piece(path, start, chunk.end, "\n".join(rows[start - 1 : chunk.end]), above(chunk)))
    return [piece for piece in found if piece.text.strip()]


def above(chunk: Chunk) -> str:
    """Return the heading that a chunk needs to be understood; a turn of a conversation needs none."""
    return "" if chunk.chat else last(chunk.trail)


def last(trail: str) -> str:
    """Return the innermost of several headings, on one line; none for the title of a whole file, or a mere time."""
    words = " ".join(trail.rsplit(_APART, maxsplit=1)[-1].split()) if _APART in trail else ""
    return "" if _MOMENT.fullmatch(words) else words


def lines(ground: Ground, path: str) -> Iterator[Piece]:
    """Yield the lines of a file as they stand, comments too, the empty ones left out."""
    for number, row in enumerate(ground.text(path).split("\n"), 1):
        if row.strip():
            yield Piece(path, number, number, row)


def whole(ground: Ground, path: str) -> Piece | None:
    """Return a file as it stands, without empty lines around it; None for an empty one."""
    rows = ground.text(path).split("\n")
    said = [number for number, row in enumerate(rows, 1) if row.strip()]
    return Piece(path, said[0], said[-1], "\n".join(rows[said[0] - 1 : said[-1]])) if said else None
