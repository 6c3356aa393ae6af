"""Whole lines of a source, with their place."""

from collections.abc import Iterable, Sequence

from msgspec import Struct


class Piece(Struct, frozen=True):
    """Lines `start` to `end` (from 1, both inside) of `path`; `text` is what is shown of them.

    `above` is the heading that they need to be understood. `start` is 0 where a source has no lines. `must` tells that
    room may be taken for it from what lower slots would fill.
    """

    path: str
    start: int
    end: int
    text: str
    above: str = ""
    must: bool = False

    @property
    def citation(self) -> str:
        """Where it stands: `path#L4-L9`."""
        return f"{self.path}#{span(self.start, self.end)}" if self.start else self.path


def span(start: int, end: int) -> str:
    """Return lines as a citation has them: `L4`, `L4-L9`."""
    return f"L{start}" if start == end else f"L{start}-L{end}"


def joined(pieces: Iterable[Piece]) -> list[tuple[int, int]]:
    """Return the lines of pieces of one source in their order, those that touch as one range."""
    found: list[tuple[int, int]] = []
    for piece in pieces:
        if found and found[-1][0] <= piece.start <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], piece.end)
        else:
            found.append((piece.start, piece.end))
    return found


def citations(pieces: Sequence[Piece]) -> tuple[str, ...]:
    """Return where pieces stand, each range of lines of a source once, in the order in which they are shown."""
    found: dict[str, None] = {}
    for path in dict.fromkeys(piece.path for piece in pieces):
        for start, end in joined(piece for piece in pieces if piece.path == path):
            found[f"{path}#{span(start, end)}" if start else path] = None
    return tuple(found)
