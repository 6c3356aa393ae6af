"""Takes out again what others bring back of it."""

from collections.abc import Iterable

from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.text import document
from clawgit.text.entry import digest, entries
from clawgit.workspace import records, taint_register
from clawgit.workspace.change import Captured, Change, Edit
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.workspace import Workspace


def taken_out(workspace: Workspace, paths: Iterable[str]) -> Captured | None:
    """Take tainted lines out of these files, as one change; return what became of it, None where there are none.

    Those that stood in a file when its source was tainted stay, for they were left there. What brought the others is
    captured, so that `clawgit undo` has them back with the taint lifted.
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
        left = {one.id: _stood(workspace, one.id, path) for one in found.values()}
        found = {at: one for at, one in found.items() if document.content(rows[at - 1]) not in left[one.id]}
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


def _stood(workspace: Workspace, taint: str, path: str) -> frozenset[str]:
    """Return the lines of a file as a taint left them."""
    try:
        commit = records.find(workspace, taint)
    except ClawgitError:
        return frozenset()
    return frozenset(loosely(repository.read(workspace.repo, commit, path)).split("\n"))
