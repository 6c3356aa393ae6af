"""Merges tables, row by row."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct


class Table(Struct, frozen=True):
    """How the rows of a table are named, and joined if two sides changed one: base (None: none), and both lines."""

    name: Callable[[str], str] = lambda line: line.split("\t", 1)[0]
    join: Callable[[str | None, str, str], str] = lambda _, *lines: min(lines)


Settle = Callable[[str, Sequence[str]], Iterable[str]]
"""Returns the final form of a merged row, from it and from the sides that changed it; rows may come with it."""


def merge_table(
    table: Table, base: str | None, ours: str | None, theirs: str | None, settle: Settle = lambda line, _: [line]
) -> str:
    """Merge two versions of a table (None: no file) that grew from `base`, row by row.

    A row that one side deleted and the other one changed stays. A missing file deletes no row: it went with clawgit.
    """
    before, our_rows, their_rows = (read_rows(table, text) for text in (base, ours, theirs))
    our_rows, their_rows = (before if text is None else rows for text, rows in ((ours, our_rows), (theirs, their_rows)))
    result, extra_lines = dict[str, str](), list[str]()
    for name in {**our_rows, **their_rows}:
        base_line, *sides = lines = (before.get(name), our_rows.get(name), their_rows.get(name))
        if line := _choose_line(table, *lines):
            changed_lines = [side for side in sides if side and side != base_line]
            result[name], *others = settle(line, changed_lines) if changed_lines else [line]
            extra_lines += others
    for line in extra_lines:
        result.setdefault(table.name(line), line)
    firsts = ((text or "").partition("\n")[0].rstrip("\r") for text in (ours, theirs, base))
    # The greater of two headers, so that both machines get the same bytes.
    header = max((line for line in firsts if line.startswith("#")), default="#")
    return "".join(f"{line}\n" for line in (header, *sorted(result.values())))


def read_rows(table: Table, text: str | None) -> dict[str, str]:
    """Return the rows of a table (None: no file) by name; those of one name are joined."""
    rows: dict[str, str] = {}
    for line in (line.removesuffix("\r") for line in (text or "").split("\n")):
        if line and not line.startswith(("#", "@")) and "\t" in line:
            name = table.name(line)
            rows[name] = table.join(None, *sorted((rows[name], line))) if rows.get(name, line) != line else line
    return rows


def _choose_line(table: Table, base: str | None, ours: str | None, theirs: str | None) -> str | None:
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    if ours is None or theirs is None:
        return ours or theirs
    # Sorted, so that both machines get the same row.
    return table.join(base, *sorted((ours, theirs)))
