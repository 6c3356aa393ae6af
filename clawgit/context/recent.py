"""The journals of the last days, by what matters."""

from clawgit.context import chunked
from clawgit.context.ground import Ground
from clawgit.context.piece import Piece
from clawgit.workspace import scope

_MOST = 200


def recent(ground: Ground, hours: int) -> list[Piece]:
    """Return what the journals hold, the newest first: today's last lines before its first."""
    return [piece for path in ground.journals(hours) for piece in reversed(chunked.pieces(ground, path))]


def about(ground: Ground, pieces: list[Piece], question: str) -> tuple[list[Piece], list[Piece]]:
    """Return the pieces that the question is about, the best first, and the others as they stand."""
    days = [day for piece in pieces if (day := scope.journal_day(piece.path))]
    ranks: dict[tuple[str, int], int] = {}
    for hit in ground.find(question, _MOST, since=min(days)).results:
        for line in range(hit.start, hit.end + 1):
            ranks.setdefault((hit.path, line), len(ranks))
    far = len(ranks)

    def rank(piece: Piece) -> int:
        return min((ranks.get((piece.path, line), far) for line in range(piece.start, piece.end + 1)), default=far)

    ranked = sorted(pieces, key=rank)
    met = sum(rank(piece) < far for piece in pieces)
    return ranked[:met], ranked[met:]
