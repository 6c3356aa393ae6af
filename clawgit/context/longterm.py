"""What is kept for good, the surest first."""

from clawgit.context import chunked
from clawgit.context.ground import Ground
from clawgit.context.piece import Piece
from clawgit.search.blocks import unmarked
from clawgit.text import confidence
from clawgit.text.identity import digest
from clawgit.workspace import entries
from clawgit.workspace.entries import Row


def longterm(ground: Ground) -> list[Piece]:
    """Return the memories of the memory files by how sure they are today, what is as sure as they stand.

    The question plays no part: the same files give the same beginning of a prompt.
    """
    rows = {(row.file, row.hash): row for row in entries.parse(ground.text(entries.PATH)).values()}
    found: list[tuple[float, Piece]] = []
    for path in ground.workspace.memory_files:
        for piece in chunked.pieces(ground, path):
            row = rows.get((path, digest(unmarked(piece.text)))) if rows else None
            found.append((_sure(ground, row), piece))
    return [piece for _, piece in sorted(found, key=lambda one: -one[0])]


def _sure(ground: Ground, row: Row | None) -> float:
    if row is None:
        return confidence.OPERATOR
    rules = ground.workspace.config.confidence
    return confidence.current(row.confidence, len(row.mentions), row.last, ground.today, rules)
