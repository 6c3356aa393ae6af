"""Gives a workspace back."""

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import Advice, Command, eject_outdated, file_open, not_managed
from clawgit.git import landing, locks, own_commits, pending_work, recovery, references, repository
from clawgit.git.history import Commit
from clawgit.git.repository import Oid
from clawgit.git.transaction import Plan, Snapshot
from clawgit.safety.redaction import redact
from clawgit.text.merge import revert
from clawgit.workspace import bootstrap, capture, changelog, commit_message, inbox
from clawgit.workspace.bootstrap import IGNORE
from clawgit.workspace.decide import CAPTURE
from clawgit.workspace.file_contents import read_quietly
from clawgit.workspace.merge_rules import merge_forward
from clawgit.workspace.migration import list_format_commits
from clawgit.workspace.workspace import Workspace

_PATIENCE = 10.0


class Farewell(Struct, frozen=True):
    """The removals of an eject.

    `files` get these bytes (None: no file); they are unchanged since we added them, or ours alone. `kept` are ours, but
    changed by others. `views` are rendered files, `references` ours. Other managed working trees of the repository, the
    `neighbours`, share inbox, approvals, references and hooks: these stay. `waiting` are the lines of edits that are in
    no commit, each behind its file: the commit of the eject quotes them.
    """

    files: Mapping[str, bytes | None]
    kept: tuple[str, ...]
    views: tuple[Path, ...]
    references: tuple[str, ...]
    neighbours: tuple[Path, ...] = ()
    waiting: tuple[str, ...] = ()


def plan_eject(workspace: Workspace) -> Farewell:
    """Return the removals of an eject; touches nothing. Raises ClawgitError for an unmanaged folder."""
    repo, head = workspace.repo, workspace.head
    neighbours = tuple(_list_neighbours(workspace))
    ours = () if neighbours else references.list_our_references(repo)
    birth = next(list_format_commits(repo), None) if workspace.managed else None
    if birth is None:
        if not ours and not (repo.commondir / "clawgit").exists():
            fix = Command("clawgit adopt {}", workspace.root, note="the way in")
            raise not_managed(f"{workspace.root} is not managed by clawgit: there is nothing to give back", fix=fix)
        return Farewell({}, (), (), ours, neighbours)  # of an ejection that was interrupted
    parent = next(iter(birth.parents), None)
    names = (*bootstrap.records(), *bootstrap.folders())
    originals = {name: repository.read(repo, parent, name) for name in (*names, *changelog.VIEWS)}
    blank = {name for name, data in originals.items() if not (data or b"").strip()}
    additions = [
        path
        for path in names
        if path in blank and repository.blob_id(repo, head, path) and repository.blob_id(repo, birth.id, path)
    ]
    untouched = [path for path in additions if read_quietly(repo, path) == repository.read(repo, birth.id, path)]
    ours_in_head = (path for path in repository.files(repo, head or "") if path.startswith(file_roles.OURS))
    tracked = [path for path in ours_in_head if not repository.blob_id(repo, parent, path)]
    files: dict[str, bytes | None] = dict.fromkeys([file_roles.FORMAT, *tracked])
    files |= {path: originals[path] for path in untouched}
    files |= _remove_rules(workspace, birth, parent)
    leftovers = tuple(path for path in additions if path not in untouched)
    views = [workspace.root / name for name in changelog.VIEWS if not repository.tracked(repo, name)]
    rendered = tuple(filter(changelog.is_rendered, views))
    # A committed empty file was taken out of git to be rendered.
    free = {view.name for view in views if view in rendered or not os.path.lexists(view)}
    files |= {name: originals[name] for name in free & blank if originals[name] is not None}
    rendered = tuple(view for view in rendered if view.name not in files)
    return Farewell(files, leftovers, rendered, ours, neighbours, tuple(_list_waiting_lines(workspace)))


def _remove_rules(workspace: Workspace, birth: Commit, parent: Oid | None) -> dict[str, bytes | None]:
    """Return .gitignore without our rules, no file if all of it was ours; nothing if it may stay."""
    before, after = (repository.read(workspace.repo, commit, IGNORE) for commit in (parent, birth.id))
    now = read_quietly(workspace.repo, IGNORE) if before != after else None
    if now is None or after is None:
        return {}
    if now == after:
        return {IGNORE: before}
    try:
        back = revert((before or b"").decode(), after.decode(), now.decode())
    except UnicodeDecodeError:
        return {}
    return {} if back.conflicts or back.text.encode() == now else {IGNORE: back.text.encode()}


def eject(workspace: Workspace, removals: Farewell, leave: Callable[[], object] = lambda: None) -> Oid | None:
    """Remove everything in `removals`, in one commit on top, and all data beside the branch; return the commit.

    Edits of others in these files are captured first. `leave` is called once that commit is made, and removes the
    additions of higher packages. Raises ClawgitError, with nothing removed, when git or somebody else is in the middle
    of something.
    """
    # This note tells an eject of ours, even a killed one, from one that came with a pull.
    own_commits.save_local_note(workspace.repo, own_commits.LEAVING, value=True)

    def plan(snapshot: Snapshot) -> Plan:  # asks nothing of CONFIG.md: whoever leaves need not put that right first
        reason = "\n".join(("Edits that waited, and are in no commit:", *removals.waiting)) if removals.waiting else ""
        message = commit_message.Message(file_roles.EJECTED, reason)
        theirs = snapshot.disk.keys() - {*changelog.VIEWS}
        return capture.plan_with(workspace, snapshot, theirs, removals.files, message, workspace.clock())

    commit = workspace.last_commit(plan, removals.files).commits[-1] if removals.files else None
    workspace.close()
    for view in removals.views:
        view.unlink(missing_ok=True)
    parents = {folder for path in removals.files for folder in (workspace.root / path).parents}
    folders = [folder for folder in parents if workspace.root in folder.parents]
    # The deepest come first, since rmdir takes empty folders only.
    for folder in sorted(folders, key=lambda folder: -len(folder.parts)):
        with contextlib.suppress(OSError):  # somebody else's file lies there
            folder.rmdir()
    leave()
    _forget(workspace, is_shared=bool(removals.neighbours))
    return commit


def _forget(workspace: Workspace, *, is_shared: bool) -> None:
    """Drop our references and folders once nobody's edit waits in them; of a shared repository those of this tree."""
    repo, deadline = workspace.repo, time.monotonic() + _PATIENCE
    approvals = workspace.trusted.folder  # found while the id is there by which it may be known
    with locks.repository_lock(repo, deadline):
        while any((repo.room / "displaced").glob("*")):
            recovery.recover(repo, merge_forward, deadline)
            if time.monotonic() > deadline:
                raise file_open("a replaced file is still being written", fix=Advice("clawgit eject, once more"))
            time.sleep(landing.LATE_SECONDS)
        for words, fix in pending_work.list_rejected(repo):
            raise eject_outdated(words, fix=Advice(f"{fix}   # then: clawgit eject, once more"))
        if is_shared:
            if repo.linked:
                _remove_watched_folder(repo.room, deadline)
            return
        references.drop_ours(repo)
        for folder in {repo.room, repo.commondir / "clawgit"}:
            _remove_watched_folder(folder, deadline)
    shutil.rmtree(approvals, ignore_errors=True)


def _list_waiting_lines(workspace: Workspace) -> Iterator[str]:
    """Yield the lines of edits that were taken off the disk and wait, each behind its file."""
    for name in [item.id for item in inbox.list_items(workspace, "identity", "quarantine")]:
        item = inbox.find_item(workspace, name)
        for path, (before, after) in item.texts.items() if item.kind == "quarantine" or item.agent == CAPTURE else ():
            old_lines = {*(before or "").splitlines()}
            lines = (line for line in (after or "").splitlines() if line.strip() and line not in old_lines)
            yield from (f"{path}: {redact(line)}" for line in lines)


def _list_neighbours(workspace: Workspace) -> Iterator[Path]:
    """Yield the other working trees of the repository that clawgit manages."""
    for checkout in repository.list_checkouts(workspace.repo):
        is_other = checkout.root.exists() and not checkout.root.samefile(workspace.root)
        if is_other and repository.blob_id(workspace.repo, checkout.head, file_roles.FORMAT):
            yield checkout.root


def _remove_watched_folder(folder: Path, deadline: float) -> None:
    """Remove a folder in which a watcher still opens and closes its database. Raises OSError, at the deadline."""
    while folder.exists() and time.monotonic() < deadline:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(landing.LATE_SECONDS)
    if folder.exists():
        shutil.rmtree(folder)
