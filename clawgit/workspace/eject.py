"""Gives a workspace back: takes away what clawgit brought."""

import contextlib
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct

from clawgit.errors import Advice, ClawgitError, Command, eject_outdated, file_open, not_managed
from clawgit.git import landing, local_notes, locks, pending_work, recovery, references, repository, worktree_files
from clawgit.git.history import Commit
from clawgit.git.repository import Oid
from clawgit.git.transaction import Plan, Snapshot
from clawgit.text.merge import revert
from clawgit.workspace import bootstrap, capture, changelog, file_roles
from clawgit.workspace.adopt import IGNORE
from clawgit.workspace.file_merges import merge_forward
from clawgit.workspace.migration import births
from clawgit.workspace.workspace import Workspace

_PATIENCE = 10.0


class Farewell(Struct, frozen=True):
    """What ejecting takes away.

    `files` become these bytes (None: no file); they are as we brought them, or are ours alone. `kept` we brought, and
    somebody changed since. `views` are rendered files, `references` ours, `state` the folder of what is kept beside the
    repository.
    """

    files: Mapping[str, bytes | None]
    kept: tuple[str, ...]
    views: tuple[Path, ...]
    references: tuple[str, ...]
    state: Path


def farewell(workspace: Workspace, *, keep_sidecar: bool = False) -> Farewell:
    """Return what ejecting would take away; touches nothing. Raises ClawgitError where clawgit is not at home."""
    repo, head = workspace.repo, workspace.head
    ours, state = references.ours(repo), repo.commondir / "clawgit"
    if not workspace.managed:
        if not ours and not state.exists():
            raise not_managed(
                f"{workspace.root} is not managed by clawgit: there is nothing to give back",
                fix=Command("clawgit adopt {}", workspace.root, note="the way in"),
            )
        return Farewell({}, (), (), ours, state)  # of an ejection that was interrupted
    birth = next(births(workspace.repo), None)
    brought = [
        path for path in (*bootstrap.records(), *bootstrap.folders()) if birth and _came_with(workspace, birth, path)
    ]
    standing = [path for path in brought if repository.blob_id(repo, head, path)]
    untouched = [path for path in standing if birth and _on_disk(workspace, path) == _at(workspace, birth.id, path)]
    tracked = [path for path in repository.files(repo, head or "") if path.startswith(file_roles.OURS)]
    tracked = [path for path in tracked if birth is None or _before(workspace, birth, path) is None]
    files: dict[str, bytes | None] = dict.fromkeys([file_roles.FORMAT, *([] if keep_sidecar else tracked)])
    files |= dict.fromkeys(untouched)
    files |= _rules(workspace, birth) if birth else {}
    rendered = tuple(place for name in changelog.VIEWS if changelog.ours(place := workspace.root / name))
    return Farewell(files, tuple(path for path in standing if path not in untouched), rendered, ours, state)


def _at(workspace: Workspace, commit: Oid | None, path: str) -> bytes | None:
    return repository.read(workspace.repo, commit, path)


def _before(workspace: Workspace, birth: Commit, path: str) -> bytes | None:
    return _at(workspace, next(iter(birth.parents), None), path)


def _came_with(workspace: Workspace, birth: Commit, path: str) -> bool:
    return _at(workspace, birth.id, path) is not None and _before(workspace, birth, path) is None


def _on_disk(workspace: Workspace, path: str) -> bytes | None:
    try:
        file = worktree_files.read(workspace.repo, path)
    except ClawgitError:
        return None
    return file.data if file else None


def _rules(workspace: Workspace, birth: Commit) -> dict[str, bytes | None]:
    """Return .gitignore without our rules, no file where all of it was ours; nothing where it may stay."""
    before, after = _before(workspace, birth, IGNORE), _at(workspace, birth.id, IGNORE)
    now = _on_disk(workspace, IGNORE) if before != after else None
    if now is None or after is None:
        return {}
    if now == after:
        return {IGNORE: before}
    try:
        back = revert((before or b"").decode(), after.decode(), now.decode())
    except UnicodeDecodeError:
        return {}
    return {} if back.conflicts or back.text.encode() == now else {IGNORE: back.text.encode()}


def eject(workspace: Workspace, found: Farewell, leave: Callable[[], object] = lambda: None) -> Oid | None:
    """Take away what `found` names, in one commit on top, and all that is kept beside the branch; return the commit.

    What others wrote in these files is captured first. `leave` is called once that commit is made, and takes away what
    rooms above have brought. Raises ClawgitError, with nothing taken away, when git or
    somebody else is in the middle of something.
    """
    local_notes.save_local_note(workspace.repo, local_notes.LEAVING, value=True)
    commit = workspace.last_commit(partial(_plan, workspace, found), found.files).commits[-1] if found.files else None
    workspace.close()
    for view in found.views:
        view.unlink(missing_ok=True)
    for folder in _emptied(workspace.root, found):
        with contextlib.suppress(OSError):  # somebody else's file lies there
            folder.rmdir()
    leave()
    _forget(workspace)
    return commit


def _plan(workspace: Workspace, found: Farewell, snapshot: Snapshot) -> Plan:
    """Return the plan of the commits. It asks nothing of CONFIG.md: whoever leaves need not put that right first."""
    return capture.plan_with(workspace, snapshot, snapshot.disk, found.files, file_roles.EJECTED, workspace.clock())


def _emptied(root: Path, found: Farewell) -> Iterator[Path]:
    """Yield the folders that may be empty now, inner ones first."""
    folders = {folder for path in found.files for folder in (root / path).parents if root in folder.parents}
    yield from sorted(folders, key=lambda folder: -len(folder.parts))


def _forget(workspace: Workspace) -> None:
    """Drop our references and folders once nobody's edit waits in them."""
    repo, deadline = workspace.repo, time.monotonic() + _PATIENCE
    approvals = workspace.trusted.folder  # found while the id is there by which it may be known
    with locks.repository_lock(repo, deadline):
        while any((repo.room / "displaced").glob("*")):
            recovery.recover(repo, merge_forward, deadline)
            if time.monotonic() > deadline:
                raise file_open("a replaced file is still being written", fix=Advice("clawgit eject, once more"))
            time.sleep(landing.LATE_SECONDS)
        for words, fix in pending_work.rejected(repo):
            raise eject_outdated(words, fix=Advice(f"{fix}   # then: clawgit eject, once more"))
        references.drop_ours(repo)
        for folder in {repo.room, repo.commondir / "clawgit"}:
            shutil.rmtree(folder)
    shutil.rmtree(approvals, ignore_errors=True)
