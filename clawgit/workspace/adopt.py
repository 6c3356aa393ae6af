"""Takes over a workspace that an agent lives in."""

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from clawgit.errors import Advice, ClawgitError, object_missing
from clawgit.git import git_filters, git_state, pending_work, references, repository, repository_health
from clawgit.git.commit_chain import NewCommit
from clawgit.git.git_command import without_fetching
from clawgit.git.repository import Oid, Repository
from clawgit.git.transaction import Plan, Snapshot
from clawgit.workspace import (
    adoption_preview,
    capture,
    commit_message,
    file_roles,
    history_secrets,
    identity_versions,
    line_writers,
    rendered_views,
    trust_review,
)
from clawgit.workspace.adoption_preview import IGNORE, NOTHING, Prospect
from clawgit.workspace.bootstrap import refuse_stranger, refuse_wrong
from clawgit.workspace.workspace import Workspace

_BRANCH = "main"
_SEVERAL = 5
Progress = Callable[[int, int], object]
SUBJECT = "workspace: adopted by clawgit"


class Adopted(Struct, frozen=True):
    """What `adopt` did, or would do: `commit` is None when there was nothing to do, or nothing was to be done yet.

    `workspace` is None for a folder that is not under git; `refusal` says why it could not be done now, `notes` what
    went wrong afterwards.
    """

    root: Path
    branch: str
    prospect: Prospect
    workspace: Workspace | None = None
    commit: Oid | None = None
    refusal: ClawgitError | None = None
    notes: tuple[str, ...] = ()

    @property
    def managed(self) -> bool:
        """Whether clawgit may write here."""
        return self.workspace is not None and self.workspace.managed


def _silent(_done: int, _of: int) -> None:
    """Tell nobody."""


def look(path: Path, *, minimal: bool = False, progress: Progress = _silent) -> Adopted:
    """Return what `adopt` would do; touches nothing. Raises ClawgitError for a folder that cannot be adopted.

    `progress` hears how many objects of HEAD were looked at.
    """
    with without_fetching():
        return _look(path, progress, minimal=minimal)


def _look(path: Path, progress: Progress = _silent, *, minimal: bool) -> Adopted:
    root = _checked(path)
    if not os.path.lexists(root / ".git"):
        return Adopted(root, _BRANCH, adoption_preview.of_folder(root, minimal=minimal))
    workspace = Workspace(repository.find(root))
    repository.require_head(workspace.repo)
    branch = repository.branch(workspace.repo) or workspace.branch
    if workspace.managed:
        return Adopted(root, branch, NOTHING, workspace)
    if damage := _damage(workspace, progress):
        raise damage
    found = adoption_preview.of_repository(workspace, minimal=minimal)
    return Adopted(root, branch, found, workspace, refusal=_refusal(workspace, found))


def _damage(workspace: Workspace, progress: Progress) -> ClawgitError | None:
    """Return what HEAD needs and is not here, or cannot be read: nothing is written on such ground."""
    head = workspace.head
    found = list(repository_health.damaged(workspace.repo, head, progress)) if head else []
    if not found:
        return None
    named = "; ".join(f"{one.path or 'its tree'} ({one.oid}) {one.why}" for one in found[:_SEVERAL])
    more = f"; and {len(found) - _SEVERAL:,} more" if found[_SEVERAL:] else ""
    partial = repository_health.promisors(workspace.repo)
    words = f"; the clone is partial, and nothing is fetched from {partial[0]} unasked" if partial else ""
    first, *others = dict.fromkeys(one.fix for one in found[:_SEVERAL])
    fix = Advice(" && ".join(map(str, (first, *others)))) if others else first
    return object_missing(f"of HEAD, {named}{more}{words}", fix=fix)


def _checked(path: Path) -> Path:
    refuse_wrong(path, "adopt")
    refuse_stranger(path)
    return path.resolve()


def adopt(path: Path, *, minimal: bool = False, attended: bool = True) -> Adopted:
    """Commit what is not committed yet, add what clawgit needs, and import SOUL_HISTORY/ beside the branch.

    No file that exists is changed, but for .gitignore, which gets rules at its end; with `minimal` not even that, and
    nothing is added but `.clawgit/`. `attended` tells that the operator sits there. Raises ClawgitError, with
    everything as it was, when it cannot be done.
    """
    root = _checked(path)
    fresh = not os.path.lexists(root / ".git")
    known = not fresh and (repository.find(root).commondir / "clawgit").exists()
    try:
        if fresh:
            repository.create(root, _BRANCH)
        found = _look(root, minimal=minimal)
        if found.managed or found.workspace is None:
            return found
        found.workspace.attended = attended
        return _adopted(found, found.workspace, minimal=minimal)
    except BaseException:
        if fresh:
            shutil.rmtree(root / ".git", ignore_errors=True)
        elif not known:
            _leave_no_trace(repository.find(root))
        raise


def _leave_no_trace(repo: Repository) -> None:
    """Remove our empty folder from a repository, unless a write that was begun waits there to be finished."""
    folder = repo.commondir / "clawgit"
    if pending_work.announced(repo) is None and not references.ours(repo):
        shutil.rmtree(folder, ignore_errors=True)


def _refusal(workspace: Workspace, found: Prospect) -> ClawgitError | None:
    """Return what would stop the commits, asked before the repository gets a folder of ours."""
    repo = workspace.repo
    if workspace.head is None:
        return None
    paths = (*found.additions, *found.captured)
    obstacle = git_state.find_obstacle(repo, repository.branch(repo) or workspace.branch, paths)
    if obstacle:
        return ClawgitError(obstacle.key, obstacle.message, fix=obstacle.fix)
    try:
        for path, data in found.additions.items():
            git_filters.refuse(repo, path, data)
    except ClawgitError as exc:
        return exc
    return None


def _adopted(found: Adopted, workspace: Workspace, *, minimal: bool) -> Adopted:
    if found.refusal:
        raise found.refusal
    paths = dict.fromkeys((*found.prospect.additions, *found.prospect.captured))
    written = workspace.first_commit(_Adoption(workspace, found.prospect).decide, paths)
    if not written.commits:
        return look(found.root)  # an adoption that was interrupted has just been finished
    if found.prospect.snapshots:
        identity_versions.bring_in(workspace.repo)
    line_writers.note_look(workspace.store, workspace.clock().timestamp(), ())
    notes = trust_review.approve_head(workspace, adopting=True)
    with contextlib.suppress(ClawgitError):
        history_secrets.scan(workspace.repo, workspace.store)
    if not minimal:
        notes = (*notes, *rendered_views.begin(workspace)[1])
    return Adopted(found.root, found.branch, found.prospect, workspace, written.commits[-1], notes=notes)


class _Adoption(Struct, frozen=True):
    """The plan of the commits: what others wrote, then what is ours."""

    workspace: Workspace
    prospect: Prospect

    def decide(self, snapshot: Snapshot) -> Plan:
        if snapshot.committed.get(file_roles.FORMAT) is not None:
            return Plan(())
        setting = self.workspace.setting()
        taken = capture.take(setting, snapshot, self.prospect.captured, plain=True)
        captured = capture.commit(taken, setting.when, setting.leaked)
        ours = {path: data for path, data in self.prospect.additions.items() if _is_ours(snapshot, path)}
        text = commit_message.render(commit_message.Message(SUBJECT, "", (("Origin", "operator"),)))
        first = NewCommit(text, self.workspace.operator, setting.when, ours)
        return Plan((captured, first) if captured else (first,))


def _is_ours(snapshot: Snapshot, path: str) -> bool:
    """Return whether we still may write a file: it is not there, or empty, or it is the .gitignore that we read."""
    file, committed = snapshot.disk[path], snapshot.committed[path]
    return file is None or not (file.data or committed) or (path == IGNORE and file.data == committed)
