"""The cursors: how far each conversation was read."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from clawgit.text.entry import Table
from clawgit.workspace.commit_message import fold_spaces

CURSORS_PATH = ".clawgit/cursors.tsv"
_HEADER = "# clawgit cursors 1"
_CELLS = 3


class Cursor(Struct, frozen=True):
    """The last event of a session that was read, and its time in milliseconds since 1970, 0 if unknown."""

    session: str
    event: str
    at: int


def parse_cursors(text: str) -> dict[str, Cursor]:
    """Return the cursors by session, of several the furthest; lines that are none are passed over."""
    rows = (line.removesuffix("\r").split("\t") for line in text.split("\n") if not line.startswith("#"))
    return furthest(
        {}, (Cursor(row[0], row[1], int(row[2])) for row in rows if len(row) == _CELLS and row[2].isdecimal())
    )


def render_cursors(cursors: Mapping[str, Cursor]) -> str:
    """Return the file's text: a header, then a line for each session, sorted."""
    lines = [
        f"{fold_spaces(cursor.session)}\t{fold_spaces(cursor.event)}\t{cursor.at}"
        for _, cursor in sorted(cursors.items())
    ]
    return "\n".join((_HEADER, *lines, ""))


def furthest(cursors: Mapping[str, Cursor], additions: Iterable[Cursor]) -> dict[str, Cursor]:
    """Return both, of each session the cursor that is further; in any order the same."""
    result = dict(cursors)
    for cursor in additions:
        rivals = (result.get(cursor.session, cursor), cursor)
        result[cursor.session] = max(rivals, key=lambda row: (row.at, row.event))
    return result


def _join_cursors(_: str | None, ours: str, theirs: str) -> str:
    cursors = parse_cursors(f"{ours}\n{theirs}")
    return render_cursors(cursors).splitlines()[-1] if cursors else theirs


TABLE = Table(join=_join_cursors)
