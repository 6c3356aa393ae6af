"""The two ways to write: a change, and a capture."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, file_uncommitted
from clawgit.git import repository, worktree_files
from clawgit.git.paths import check
from clawgit.workspace import (
    arrivals,
    commit_message,
    evidence_check,
    file_roles,
    identity_policy,
    line_writers,
)
from clawgit.workspace.change import Applied, Captured, Change
from clawgit.workspace.file_contents import lines_of, loosely, text_of
from clawgit.workspace.foreign_commits import Run
from clawgit.workspace.planning import Capture, Planner

if TYPE_CHECKING:
    from clawgit.git.transaction import Written
    from clawgit.workspace.capture import Taken
    from clawgit.workspace.workspace_base import WorkspaceBase


def apply(workspace: "WorkspaceBase", change: Change, *, wait: bool | None) -> Applied:
    """Write a change as one commit, or keep it as a proposal; `wait` says which, None leaves it to soul_policy."""
    cited = tuple(_uncommitted(workspace, evidence_check.paths(change.evidence)))
    captured = capture(workspace, cited, {}) if cited else Captured()
    name = (commit_message.plain(change.agent) or "agent") if change.agent else ""
    author = (name, f"{name.replace(' ', '-')}@localhost") if name else workspace.operator
    planner = Planner(workspace, change, author, wait=wait)
    written = workspace.write(workspace.branch, planner.paths, planner.decide)
    applied = _became(change, planner, written, captured)
    if planner.taken.found:
        line_writers.note_commits(workspace.store, written.commits[:-1] if planner.changes else written.commits)
    texts = planner.texts if planner.changes else {}
    by_operator = change.agent is None and change.origin == "operator" and bool(written.commits)
    parent = repository.resolve(workspace.repo, f"{written.commits[-1]}^") if by_operator else None
    found = {path: text_of(repository.read(workspace.repo, parent, path)) for path in texts if by_operator}
    _remember(workspace, planner.taken, texts, found)
    _, told = _offer_items(workspace, planner.taken)
    if written.commits:
        from clawgit.workspace.restore_items import close_items  # noqa: PLC0415 - few workspaces have one

        close_items(workspace, change.id)
    applied = replace(applied, notes=(*applied.notes, *told))
    _follow(workspace, (*planner.files, *planner.taken.found) if written.commits else (), undone=bool(change.undoes))
    return applied


def capture(
    workspace: "WorkspaceBase",
    paths: Iterable[str],
    runs: Mapping[str, Sequence[Run]],
    before: Mapping[str, bytes] = MappingProxyType({}),
) -> Captured:
    """Commit what others wrote in `paths`, as one commit; `runs` is what they committed themselves, by path.

    `before` is what files held before a call of the agent's: what others wrote by then is a commit of its own.
    """
    named, repo, head = tuple(paths), workspace.repo, workspace.head
    gone = {path for path in named if repository.blob_id(repo, head, path) and not (workspace.root / path).exists()}
    wanted = tuple(path if path in gone else check(path) for path in named)
    if any(_needs_calls(workspace, path) for path in wanted):
        workspace.sessions.follow()
    decided = Capture(workspace, wanted, runs, before)
    written = workspace.write(workspace.branch, decided.paths, decided.decide, touched=lambda: decided.rewritten)
    taken = decided.taken
    if written.commits:
        line_writers.note_commits(workspace.store, written.commits)
    commit = written.commits[-1] if written.commits else None
    _remember(workspace, taken, {}, {})
    items, told = _offer_items(workspace, taken)
    notes = (*written.notes, *taken.notes, *told)
    files = tuple(dict.fromkeys((*taken.found, *decided.rewritten)))
    _follow(workspace, files if commit else ())
    waiting = tuple(one.id for one in taken.offered.values() if not one.rejected)
    back = tuple(path for path in files if path in taken.refused or path not in taken.found)
    return Captured(commit, files, notes, taken.stale, waiting, back, items, taken.changed)


def _became(change: Change, planner: Planner, written: "Written", before: Captured) -> Applied:
    """Return what became of `change`, of which `planner` made what was `written`; `before` was captured for it."""
    commits = written.commits
    notes = (*before.notes, *written.notes, *planner.taken.notes)
    if not planner.changes:
        captured = commits[-1] if commits else before.commit
        notes = (*notes, planner.cost) if planner.cost else notes
        return Applied(None, change.id, (), captured, planner.doubts, planner.proposal, notes)
    captured = commits[-2] if len(commits) > 1 else before.commit
    return Applied(commits[-1], change.id, planner.files, captured, planner.doubts, notes=notes)


def _needs_calls(workspace: "WorkspaceBase", path: str) -> bool:
    """Return whether the agent's own calls tell what becomes of a file: it lacks committed lines, or is identity."""
    with contextlib.suppress(ClawgitError, OSError):  # whoever captures says so
        file = worktree_files.read(workspace.repo, path)
        committed = loosely(repository.read(workspace.repo, workspace.head, path))
        disk = loosely(file.data if file else None)
        if identity_policy.is_gated_by_origin(path):
            return disk != committed
        return arrivals.is_watched(path) and not lines_of(committed) <= lines_of(disk)
    return False


def _offer_items(workspace: "WorkspaceBase", taken: "Taken") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Offer an item for each file in which lines of clawgit's went or came back; return their ids, and sentences."""
    if not any(arrivals.is_watched(path) for path in taken.changed):
        return (), ()
    from clawgit.workspace.restore_items import offer_items  # noqa: PLC0415 - most changes capture nothing

    return offer_items(workspace, taken)


def _follow(workspace: "WorkspaceBase", written: tuple[str, ...], *, undone: bool = False) -> None:
    """Let the rendered views follow what was written: no hook hears of it. Best effort: a job does so, too."""
    if undone or any(file_roles.guarded(path) for path in written):
        from clawgit.workspace import rendered_views  # noqa: PLC0415 - few writes touch what they tell of

        with contextlib.suppress(ClawgitError, OSError):
            rendered_views.refresh(workspace)


def _remember(
    workspace: "WorkspaceBase",
    taken: "Taken",
    written: Mapping[str, str | None],
    found: Mapping[str, str | None],
) -> None:
    """Note what may count as approved now; `found` is what held the `written` files if the operator changed them."""
    others = {path: data for path, data in taken.files.items() if path not in taken.refused}
    texts = {path: text_of(data) for path, data in others.items() if file_roles.guarded(path)}
    texts |= {path: text for path, text in written.items() if file_roles.guarded(path)}
    moved = {path: text for path, text in texts.items() if not workspace.trust.settled(path, text)}
    workspace.follow(
        {path: text for path, text in moved.items() if identity_policy.may_count_as_approved(workspace, path, text)},
        found,
    )


def _uncommitted(workspace: "WorkspaceBase", paths: Iterable[str]) -> Iterator[str]:
    """Yield those of `paths` whose file on disk is not what HEAD holds.

    Raises ClawgitError for one outside our scope: that is for its owner to commit.
    """
    repo, head = workspace.repo, workspace.head
    for path in paths:
        file, committed = worktree_files.read(repo, path), repository.read(repo, head, path)
        if file is None or file.data == committed:
            continue
        if not (file_roles.captured(path) or (path.endswith(".md") and committed is not None)):
            raise file_uncommitted(
                f"{path} has changes that are not committed, and is not clawgit's to commit",
                fix=Command("git add {} && git commit -m {} {}", path, "by hand", path),
            )
        yield path
