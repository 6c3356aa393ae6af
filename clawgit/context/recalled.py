"""What the memory says to a conversation."""

from collections.abc import Sequence
from itertools import chain, zip_longest

from clawgit.context import chunked, corrections
from clawgit.context.asked import SessionKind
from clawgit.context.ground import Ground
from clawgit.context.piece import Piece
from clawgit.search import corpus
from clawgit.search.answer import Answer, Hit
from clawgit.workspace import scope

_LEAST = 40
_EACH = 12
"""Tokens of the shortest lines that are worth finding, for how many hits to ask for."""
_TURNS = 3
_PROFILE = "USER.md"


def found(ground: Ground, questions: Sequence[str], total: int) -> list[Answer]:
    """Return what a search has to each question, enough to fill `total` tokens."""
    most = max(total // _EACH, _LEAST)
    return [ground.find(question, most) for question in questions]


def pieces(ground: Ground, answers: Sequence[Answer], kind: SessionKind, records: Sequence[Piece]) -> list[Piece]:
    """Return the lines of the hits, the best first; of a correction what its record comes to.

    Of several questions the first counts three times as much as the next.
    """
    hits = _merged([list(answer.results) for answer in answers])
    shown = {
        (one.path, one.start): one
        for one in (_piece(ground, hit, records) for hit in hits if open_to(ground, hit, kind))
        if one.text.strip()
    }
    return list(shown.values())


def open_to(ground: Ground, hit: Hit, kind: SessionKind) -> bool:
    """Tell whether a hit may be shown in a session of this kind.

    Outside of the operator's own conversation nothing is shown of USER.md, the memory files and other conversations; in
    a group nothing but journals. Conflicts are told of in a place of their own.
    """
    path = hit.path
    if path == scope.CONFLICTS:
        return False
    if kind == "main":
        return True
    private = path in (_PROFILE, *ground.workspace.memory_files) or path.startswith((corpus.SESSIONS, "/"))
    return not private and (kind != "group" or scope.journal_day(path) is not None)


def _merged(lists: list[list[Hit]]) -> list[Hit]:
    if len(lists) < 2:  # noqa: PLR2004 - nothing to merge
        return lists[0] if lists else []
    first, second = lists[0], lists[1]
    parts = zip_longest([first[at : at + _TURNS] for at in range(0, len(first), _TURNS)], second)
    return list(chain.from_iterable([*(some or ()), *([one] if one else [])] for some, one in parts))


def _piece(ground: Ground, hit: Hit, records: Sequence[Piece]) -> Piece:
    if record := corrections.at(records, hit.path, hit.start):
        return record
    above = chunked.last(hit.heading)
    if hit.path.startswith((corpus.SESSIONS, "/")):
        return Piece(hit.path, hit.start, hit.end, hit.text, above)
    rows = ground.rows(hit.path)[hit.start - 1 : hit.end]
    return Piece(hit.path, hit.start, hit.end, "\n".join(rows).strip("\n"), above)
