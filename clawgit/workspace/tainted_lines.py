"""Takes out again what others bring back of it."""

from collections.abc import Iterable

from msgspec.structs import replace

from clawgit.text import document
from clawgit.text.entry import digest, entries
from clawgit.workspace import taint_register
from clawgit.workspace.change import Captured, Change, Edit
from clawgit.workspace.workspace import Workspace


def taken_out(workspace: Workspace, paths: Iterable[str]) -> Captured | None:
    """Take tainted lines out of these files, as one change; return what became of it, None where there are none.

    What brought them is captured, so that `clawgit undo` has them back with the taint lifted.
    """
    register = taint_register.parse(workspace.read(taint_register.PATH) or "")
    if not register.texts:
        return None
    edits, gone, names = [], set[tuple[str, str]](), dict[str, str]()
    for path in dict.fromkeys(paths):
        text = workspace.read(path) if path.endswith(".md") else None
        if text is None:
            continue
        rows = document.split(text)
        found = {number: one for number, row in enumerate(rows, 1) if (one := register.of_line(document.content(row)))}
        if found:
            after = "".join(row for number, row in enumerate(rows, 1) if number not in found)
            edits.append(Edit(path, text, after))
            names |= {one.id: one.source for one in found.values()}
            there = {digest(one.text) for one in entries(after)}
            gone |= {(path, digest(one.text)) for one in entries(text)} - {(path, one) for one in there}
    if not edits:
        return None
    sources = ", ".join(names.values())
    stood = [one for one in workspace.rows().values() if (one.file, one.hash) in gone and one.status != "tombstone"]
    change = Change(
        f"memory: what {sources} had taught was back, and left again",
        f"It is tainted: clawgit undo {next(iter(names))} lifts that.",
        tuple(edits),
        rows=tuple(replace(one, status="tombstone", by=next(iter(names))) for one in stood),
    )
    applied = workspace.apply(change)
    return Captured(applied.commit, applied.files, (change.subject,))
