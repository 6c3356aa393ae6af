"""Keeps anything from being said twice."""

from functools import lru_cache

from msgspec.structs import replace

from clawgit.context.piece import Piece
from clawgit.search.blocks import marked, unmarked
from clawgit.text.identity import normalise

_SHORT = 6
"""Letters of what may be said as often as it likes: `- yes`, a rule."""


class Known:
    """What a context says already, line by line, whatever its case, marks, tags and comments."""

    def __init__(self) -> None:
        self._lines: set[str] = set()

    def add(self, text: str) -> None:
        """Note that a text is said."""
        self._lines.update(said for said in map(_said, text.split("\n")) if len(said) >= _SHORT)

    def new(self, piece: Piece) -> Piece | None:
        """Return a piece without the bullets that are said already; None where nothing is left of it."""
        rows = piece.text.split("\n")
        fresh = [row for row in rows if _said(row) not in self._lines]
        if not any(row.strip() for row in fresh):
            return None
        if len(fresh) == len(rows):
            return piece
        kept = [row for row in rows if marked(row) is None or _said(row) not in self._lines]
        return replace(piece, text="\n".join(kept)) if any(row.strip() for row in kept) else None


@lru_cache(maxsize=1 << 13)
def _said(row: str) -> str:
    return normalise(unmarked(row)).strip("*_ ")
