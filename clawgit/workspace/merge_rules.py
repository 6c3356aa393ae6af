"""By which rule a file merges."""

from collections.abc import Collection
from typing import Literal

from clawgit import file_roles
from clawgit.text import document
from clawgit.text.entry import Table, merge_table
from clawgit.text.merge import Merged, merge, revert
from clawgit.workspace import entries, reading_cursors
from clawgit.workspace.file_contents import lines_of


def _read_taint(line: str) -> str:
    """Return the subject of a row of the register of taints: a source, a turn, a text or a change."""
    cells = line.split("\t")
    return "\t".join((cells[0], *(cells[1:2] if cells[0] == "source" else cells[2:3])))


TABLES = {
    entries.PATH: entries.TABLE,
    file_roles.FACTS: Table(),
    file_roles.TAINTED: Table(_read_taint),
    file_roles.PURGED: Table(),
    reading_cursors.CURSORS_PATH: reading_cursors.TABLE,
}

Rule = Literal["rows", "lines", "own", "control", "whole"]
"""By row; by entry; not at all, each machine has its own, or asks; as git does, or not at all."""


def find_rule(path: str) -> Rule:
    """Return the rule by which a file merges."""
    if path in TABLES:
        return "rows"
    if file_roles.self_description(path):
        return "own"
    if file_roles.is_control_file(path):
        return "control"
    return "lines" if path.endswith(".md") else "whole"


def merge_text(path: str, base: str | None, ours: str, theirs: str) -> Merged:
    """Merge two texts of `path`: a table by its rows, anything else by entry."""
    table = TABLES.get(path)
    return Merged(merge_table(table, base, ours, theirs)) if table else merge(base, ours, theirs)


def merge_forward(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
    """Merge without a way back: a version beats a deletion, and of a conflict both sides stay."""
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    try:
        texts = [None if data is None else data.decode("utf-8") for data in (base, ours, theirs)]
    except UnicodeDecodeError:
        return theirs
    return merge_text(path, texts[0], texts[1] or "", texts[2] or "").text.encode()


def place_lines(before: str, numbers: Collection[int], now: str) -> str | None:
    """Return `now` with lines of an older text, by number, in their old place; None if that is unknown."""
    rows = list(enumerate(document.split(before), 1))
    lines = "".join(row for number, row in rows if number in numbers)
    result = revert(before, "".join(row for number, row in rows if number not in numbers), now)
    is_placed = not result.conflicts and result.text != now and lines_of(lines) <= lines_of(result.text)
    return result.text if is_placed else None
