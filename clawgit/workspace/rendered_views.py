"""Renders the changelog and the compaction log."""

from collections.abc import Iterator

from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.workspace import changelog, commit_message, records
from clawgit.workspace.changelog import MARKER
from clawgit.workspace.records import Record
from clawgit.workspace.workspace_base import WorkspaceBase

PATH = "COMPACTION_LOG.md"
AGENT = "memory-compactor"
_HEAD = f"""{MARKER}
# Compaction log

What the memory compactor archived and removed, newest first, each with the command that brings it back.
"""


def render(workspace: WorkspaceBase) -> list[str]:
    """Put the log in its place; return a sentence where that is not to be.

    It is not where the file is somebody else's, or git would take it for a file to commit.
    """
    place = workspace.root / PATH
    if repository.tracked(workspace.repo, PATH) or (place.exists() and not changelog.ours(place)):
        return [f"{PATH} is somebody else's; what was compacted: clawgit log --agent {AGENT}"]
    if not repository.ignored(workspace.repo, PATH):
        return [f"{PATH} is not rendered, as git does not ignore it: add /{PATH} to .gitignore"]
    changelog.write(workspace, changelog.view(workspace, PATH, log(workspace)))
    return []


def log(workspace: WorkspaceBase) -> str:
    """Return the log as Markdown; the same commits make the same bytes."""
    found = (records.record(one) for one in history.log(workspace.repo, containing=f"Clawgit-Agent: {AGENT}"))
    undoing = history.log(workspace.repo, containing="Clawgit-Undoes: ", named=False)
    back = changelog.find_undone(map(records.record, undoing))
    return changelog.render_days(_HEAD, found, lambda one: _entry(one, back))


def _entry(one: Record, back: dict[str, str]) -> Iterator[str]:
    name = one.change or one.commit[:10]
    yield f"### {one.subject}\n"
    undone = back.get(name) or back.get(one.commit)
    rows = [row for row in one.why.splitlines() if row.startswith("- ")]
    yield from (rows if not undone else [row.partition("; back: ")[0] for row in rows])
    yield f"- commit: {one.commit[:10]}"
    if undone:
        yield f"- taken back by: {undone}"
    else:
        yield f"- all of it back: clawgit undo {name}"


def refresh(workspace: WorkspaceBase) -> None:
    """Render the views anew, where they were rendered before. Raises ClawgitError when one cannot be."""
    refresh_changelog(workspace)
    if changelog.ours(workspace.root / PATH):
        render(workspace)


def refresh_changelog(workspace: WorkspaceBase) -> None:
    """Render the changelog anew, where it was rendered before; without libgit2, as a hook does."""
    path = changelog.where(workspace)
    if changelog.ours(workspace.root / path):
        changelog.write(workspace, changelog.changelog(workspace))


def begin(workspace: WorkspaceBase) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Render the views for the first time; return those that are there now, and why others are not.

    One that git would take for a file to commit is not made. Whatever is in the way is told: the workspace stands.
    """
    notes: list[str] = []
    for act, name in ((_first_changelog, "the changelog"), (render, PATH)):
        try:
            notes += act(workspace)
        except (ClawgitError, OSError) as exc:
            notes.append(f"{name} is not rendered: {exc}")
    return tuple(name for name in changelog.VIEWS if changelog.ours(workspace.root / name)), tuple(notes)


def _untrack_empty(workspace: WorkspaceBase) -> None:
    """Take empty files with the names of views out of git: what is rendered there is not committed."""
    ours = [name for name in changelog.VIEWS if changelog.ours(workspace.root / name)]
    empty = (name for name in ours if repository.read(workspace.repo, workspace.head, name) == b"")
    if gone := tuple(name for name in empty if repository.ignored(workspace.repo, name)):
        from clawgit.workspace.prepared import Prepared, land_at_once  # noqa: PLC0415 - libgit2, which hooks go without

        words = f"workspace: {commit_message.list_names(gone)} will be rendered"
        message = commit_message.Message(words, "", (("Origin", "operator"),))
        land_at_once(workspace, Prepared(message, dict.fromkeys(gone), workspace.operator, workspace.now()))


def _first_changelog(workspace: WorkspaceBase) -> list[str]:
    _untrack_empty(workspace)
    path = changelog.where(workspace)
    if not repository.ignored(workspace.repo, path):
        return [f"{path} is not rendered, as git does not ignore it: add /{path} to .gitignore; clawgit changelog"]
    changelog.write(workspace, changelog.changelog(workspace))
    return []
