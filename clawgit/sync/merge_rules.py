"""How the versions of each file merge."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Literal

from msgspec.structs import replace

from clawgit.text.conflict import conflicts
from clawgit.text.entry import digest
from clawgit.text.merging.event_graph import BASE, EventGraph
from clawgit.text.merging.line_history import LineHistory, Split
from clawgit.text.merging.row_history import RowHistory
from clawgit.text.merging.text_pieces import SOURCE, chronicle_pieces, line_pieces, record_pieces, setting_pieces
from clawgit.workspace import entries, fact_register, file_roles, reading_cursors, taint_register, version_vector
from clawgit.workspace.correction_records import ARCHIVE
from clawgit.workspace.purging import purged_objects

Rule = Literal["rows", "lines", "own", "control", "whole"]
"""By row; by line, record or setting; not at all, each machine has its own, or asks; as git does, or not at all."""

History = LineHistory | RowHistory
_CHRONICLE = re.compile(r"memory/archive/(?:chronicles/[^/]+|\d{4}-Q\d)\.md")
_TOLD = "<!-- told by another machine:"
_RECORDS = (file_roles.CORRECTIONS, file_roles.CONFLICTS)


def rule(path: str) -> Rule:
    """Return the rule for a file."""
    if path in _TABLES:
        return "rows"
    if file_roles.self_description(path):
        return "own"
    if file_roles.control(path):
        return "control"
    return "lines" if path.endswith(".md") else "whole"


def history(path: str, graph: EventGraph, text: str | None) -> History:
    """Return what follows the file at `path`, which held `text` (None: no file) before all events."""
    if path in _TABLES:
        name, settle, header = _TABLES[path]
        return RowHistory(graph, text, name, settle, header)
    split, settled = _pieces(path)
    return LineHistory(graph, text, split, settled, journal=file_roles.journal_day(path) is not None)


def merged(path: str, base: str | None, ours: str, theirs: str) -> str | None:
    """Return what two versions of a file that grew from `base` come to, None where its rule does not merge it.

    It is the same whichever side is which. What takes more than this one file is left for the next sync: a row of its
    own for each wording of an entry, and the record that asks which one holds.
    """
    if rule(path) not in ("rows", "lines"):
        return None
    if theirs in (base, ours):
        return ours
    if ours == base:
        return theirs
    graph = EventGraph()
    file: Any = history(path, graph, base)
    events = [(graph.add(text, [BASE]), text) for text in sorted((ours, theirs))]
    text: str | None = file.text(file.joined([(file.edited(file.start, event, said), event) for event, said in events]))
    return text


def _pieces(path: str) -> tuple[Split, Callable[[Sequence[str]], str]]:
    if path == file_roles.CONFIG:
        return setting_pieces, _last
    if _CHRONICLE.fullmatch(path):
        return chronicle_pieces, _chronicled
    if path in _RECORDS or path.startswith(ARCHIVE):
        return record_pieces, _record
    return line_pieces, _last


def _last(said: Sequence[str]) -> str:
    return said[-1]


def _record(said: Sequence[str]) -> str:
    """Return one record that says what each of several does; what was decided, or embedded, is no longer open."""
    rows = said[-1].split("\n")
    for other in said[:-1]:
        new = [row for row in other.split("\n") if row.strip() and row not in rows]
        last = max((at for at, row in enumerate(rows) if row.strip()), default=-1)
        rows[last + 1 : last + 1] = new
    text = "\n".join(rows)
    for done, waits in (("- Re-embedded: true", "- Re-embedded: false"), ("- Status: resolved", "- Status: open")):
        if f"\n{done}" in text:
            text = text.replace(f"\n{waits}", "")
    found = conflicts(text)
    return text if not found or not found[0].disputed else text.rstrip("\n") + "\n" * _trailing(said[-1])


def _chronicled(said: Sequence[str]) -> str:
    """Return one part of an archive for the several that machines made of the same journal.

    One that has every line of the others stands as it is. Of one version of the journal told in several ways one stands
    and the others are kept below it, in a comment; what was made of several versions stands with all their lines.
    """
    first, *others = sorted(said, key=lambda text: (-len(text), digest(text)))
    rows, sources = _parted(first)
    quoted: list[str] = []
    for other in others:
        more, their = _parted(other)
        missing = _lacking(rows, more)
        if missing and set(sources) & set(their):
            quoted += ["", f"{_TOLD}", *(row.replace("<!--", "<! --").replace("-->", "-- >") for row in more), "-->"]
        else:
            rows += ["", *missing] if missing else []
        sources += [one for one in their if one not in sources]
    return "\n".join((*rows, *quoted, "", *sorted(sources))) + "\n" * _trailing(first)


def _parted(text: str) -> tuple[list[str], list[str]]:
    """Return the lines of a part without blank ones at its end, and the lines that name its journals."""
    every = text.rstrip("\n").split("\n")
    rows = [row for row in every if not SOURCE.match(row)]
    while rows and not rows[-1].strip():
        rows.pop()
    return rows, [row for row in every if SOURCE.match(row)]


def _lacking(rows: Sequence[str], more: Sequence[str]) -> list[str]:
    """Return the lines of a text that another one lacks, each as often."""
    known = Counter(row.strip() for row in rows)
    found: list[str] = []
    for row in more:
        if row.strip() and not known[row.strip()]:
            found.append(row)
        known[row.strip()] -= 1
    return found


def _trailing(text: str) -> int:
    return len(text) - len(text.rstrip("\n"))


def _first_cell(line: str) -> str:
    return line.split("\t", 1)[0]


def _entry_name(line: str) -> str:
    """Return an entry's id, or of a reading all but the dots that were read."""
    cells = line.split("\t")
    return "\t".join(cells[:3]) if cells[0] == "@" else cells[0]


def _entry(name: str, said: Sequence[str]) -> str:
    """Return one row of an entry: the graver status and the later row hold, and of either the mentions and the dots.

    A reading tells of all that any of them tells of; a row stands before the trace of one that was taken out.
    """
    found = entries.read("".join(f"{line}\n" for line in said))
    if name in found.rows:
        gone = [dot for line in said if line.count("\t") == 1 for dot in version_vector.dots(line.split("\t")[1])]
        row = found.rows[name]
        rows = {name: replace(row, dots=tuple(sorted({*row.dots, *gone})))}
        return entries.render(rows).splitlines()[-1]
    lines = entries.render({}, found).splitlines()
    return lines[-1] if len(lines) > 1 else said[-1]


def _fact(name: str, said: Sequence[str]) -> str:
    found = fact_register.parse("".join(f"{line}\n" for line in said))
    return fact_register.render([found[name]]).splitlines()[-1] if name in found else said[-1]


def _taint_name(line: str) -> str:
    """Return what a row of the register of taints is about: a source, a turn, a text or a change."""
    cells = line.split("\t")
    return "\t".join((cells[0], *(cells[1:2] if cells[0] == "source" else cells[2:3])))


def _cursor(_: str, said: Sequence[str]) -> str:
    found = reading_cursors.parse("".join(f"{line}\n" for line in said))
    return reading_cursors.render(found).splitlines()[-1] if found else said[-1]


def _least(_: str, said: Sequence[str]) -> str:
    return said[0]


_TABLES = {
    entries.PATH: (_entry_name, _entry, entries.HEADER),
    fact_register.PATH: (_first_cell, _fact, fact_register.HEADER),
    taint_register.PATH: (_taint_name, _least, taint_register.HEADER),
    purged_objects.PATH: (_first_cell, _least, purged_objects.HEADER),
    reading_cursors.PATH: (_first_cell, _cursor, reading_cursors.HEADER),
}
