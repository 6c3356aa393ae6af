"""Renders what was compacted, and how it comes back."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from clawgit.git import history, repository
from clawgit.workspace import records, views
from clawgit.workspace.records import Record
from clawgit.workspace.views import MARKER, View
from clawgit.workspace.workspace import Workspace

PATH = "COMPACTION_LOG.md"
AGENT = "memory-compactor"
_HEAD = f"""{MARKER}
# Compaction log

What the memory compactor archived and removed, newest first, each with the command that brings it back.
"""


def render(workspace: Workspace) -> list[str]:
    """Put the log in its place; return a sentence where that is not to be.

    It is not where the file is somebody else's, or git would take it for a file to commit.
    """
    place = workspace.root / PATH
    if repository.tracked(workspace.repo, PATH) or (place.exists() and not views.ours(place)):
        return [f"{PATH} is somebody else's; what was compacted: clawgit log --agent {AGENT}"]
    if not repository.ignored(workspace.repo, PATH):
        return [f"{PATH} is not rendered, as git does not ignore it: add /{PATH} to .gitignore"]
    text = log(workspace)
    current = place.is_file() and place.read_bytes() == text.encode()
    views.write(workspace, View(PATH, text, 0, current))
    return []


def again(workspace: Workspace) -> None:
    """Render the log anew where there is one."""
    if views.ours(workspace.root / PATH):
        render(workspace)


def log(workspace: Workspace) -> str:
    """Return the log as Markdown; the same commits make the same bytes."""
    found = (records.record(one) for one in history.log(workspace.repo, containing=f"Clawgit-Agent: {AGENT}"))
    undone = {one.undoes: one for one in _undoing(workspace)}
    again = {one.undoes for one in undone.values() if one.undoes and one.change in undone}
    back = {name: one for name, one in undone.items() if name not in again}
    parts = [_HEAD]
    for day, group in groupby(found, key=lambda one: one.date.date()):
        parts.append(f"\n## {day.isoformat()}\n")
        parts += ["\n" + "\n".join(_entry(one, back)) + "\n" for one in group]
    return "".join(parts)


def _undoing(workspace: Workspace) -> Iterable[Record]:
    commits = history.log(workspace.repo, containing="Clawgit-Undoes: ", named=False)
    return [one for one in map(records.record, commits) if one.undoes]


def _entry(one: Record, back: dict[str | None, Record]) -> Iterator[str]:
    name = one.change or one.commit[:10]
    yield f"### {one.subject}\n"
    undone = back.get(name) or back.get(one.commit)
    rows = [row for row in one.why.splitlines() if row.startswith("- ")]
    yield from (rows if not undone else [row.partition("; back: ")[0] for row in rows])
    yield f"- commit: {one.commit[:10]}"
    if undone:
        yield f"- taken back by: {undone.change or undone.commit[:10]}"
    else:
        yield f"- all of it back: clawgit undo {name}"
