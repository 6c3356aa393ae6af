"""What is kept for good, and what is due."""

from clawgit.context import chunked
from clawgit.context.ground import Ground
from clawgit.context.piece import Piece
from clawgit.search.blocks import unmarked
from clawgit.text import confidence
from clawgit.text.identity import digest
from clawgit.workspace import due_entries, entries
from clawgit.workspace.entries import Row

_MOST = 12
"""What is due and shown in a place of its own, at the most; the rest stands among the memories."""


def longterm(ground: Ground) -> list[Piece]:
    """Return the memories of the memory files by how sure they are today, what is as sure as they stand.

    Plans whose day is over are left out: a search finds them. The question plays no part: the same files give the same
    beginning of a prompt.
    """
    known = entries.parse(ground.text(entries.PATH)).values()
    rows = {(row.file, row.hash): row for row in known}
    found: list[tuple[float, Piece]] = []
    for path in ground.workspace.memory_files:
        plans = due_entries.due(path, ground.text(path), known, ground.today)
        over = {line for one in plans if one.over(ground.today) for line in range(one.entry.start, one.entry.end + 1)}
        for piece in chunked.pieces(ground, path):
            if over and over.issuperset(range(piece.start, piece.end + 1)):
                continue
            row = rows.get((path, digest(unmarked(piece.text)))) if rows else None
            found.append((_sure(ground, row), piece))
    return [piece for _, piece in sorted(found, key=lambda one: -one[0])]


def due(ground: Ground) -> list[Piece]:
    """Return what is due today and in the week that begins with it, the soonest first, each below its day."""
    rows, today = entries.parse(ground.text(entries.PATH)), ground.today
    paths = due_entries.files(ground.workspace.memory_files, rows)
    every = (one for path in paths for one in due_entries.due(path, ground.text(path), rows.values(), today))
    found = []
    for day, one in due_entries.coming(every, today)[:_MOST]:
        entry, when = one.entry, f"{day:%A} {day}"
        text = "\n".join(ground.rows(one.path)[entry.start - 1 : entry.end])
        above = f"today, {when}" if day == today else when
        found.append(Piece(one.path, entry.start, entry.end, text, above, must=True))
    return found


def _sure(ground: Ground, row: Row | None) -> float:
    if row is None:
        return confidence.OPERATOR
    rules = ground.workspace.config.confidence
    return confidence.current(row.confidence, len(row.mentions), row.last, ground.today, rules)
