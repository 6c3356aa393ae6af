"""Keeps identity files as they were approved (spec T1).

A capture commits, so it waits while git is busy, on another branch, or told to leave a file alone. This does not: it
looks at the bytes on disk alone, and replaces unapproved ones with the newest approved ones.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import BusyError, ClawgitError, path_link, path_submodule
from clawgit.git import git_leftovers, repository, worktree_files
from clawgit.git.locks import repository_lock
from clawgit.openclaw import blank_forms
from clawgit.workspace import identity_policy, quarantine
from clawgit.workspace.file_contents import text_of
from clawgit.workspace.quarantine import Item
from clawgit.workspace.trust.approvals import Trust
from clawgit.workspace.workspace_base import WorkspaceBase

_PATIENCE = 2.0
_GIT_AT_WORK = "git at work since"
_MODE = 0o644

Kind = Literal["unapproved", "earlier", "unreachable"]


class Deviation(Struct, frozen=True):
    """An identity file that is not as approved.

    `earlier`: its content was approved once, as after a checkout of the past; it is reported and left alone.
    `unreachable`: nothing was approved there, and there is a link or another repository on the way to it. `mode` are
    the permissions for the approved bytes: those of the file, without execution.
    """

    path: str
    kind: Kind
    reason: str = ""
    mode: int = _MODE


class Enforced(Struct, frozen=True):
    """The files put back with their former content; the deviations left alone; the reason for a delay, or ""."""

    taken: tuple[Item, ...] = ()
    restored: tuple[str, ...] = ()
    left: tuple[Deviation, ...] = ()
    waiting: str = ""


def enforces(workspace: WorkspaceBase) -> bool:
    """Return whether identity files have to be as approved: under review and locked, after a first approval.

    The policy results from CONFIG.md and the operator's approvals together, also if CONFIG.md cannot be read.
    """
    return workspace.trust.known and serves_approved(workspace)


def serves_approved(workspace: WorkspaceBase) -> bool:
    """Return whether only approved text of the identity is served: under review and locked.

    Without any approval yet, as in a clone, that is nothing.
    """
    return workspace.config.soul_policy != "evolve"


def deviations(workspace: WorkspaceBase) -> tuple[Deviation, ...]:
    """Return the identity files that are not as approved; reads, and touches nothing."""
    return tuple(_deviations(workspace)) if enforces(workspace) else ()


def enforce(workspace: WorkspaceBase) -> Enforced:
    """Put the newest approved bytes back in place of unapproved ones, which are kept.

    Nothing is touched while a git process works in this tree or its operation is younger than ten minutes. Never raises
    for an obstacle: that is in `waiting`.
    """
    workspace.approvals()
    differences = deviations(workspace)
    if not any(deviation.kind == "unapproved" for deviation in differences):
        return Enforced(left=differences)
    if waiting := _busy(workspace):
        return Enforced(left=differences, waiting=waiting)
    return _put_back(workspace, differences)


def find_approved_name(workspace: WorkspaceBase, path: str) -> str:
    """Return the approved name of the identity file that `path` names, in any capitals.

    Without an approved one, only a self-description counts: a `tools.md` may be a file of its own.
    """
    name = file_roles.find_identity_name(path)
    if name == path:
        return path
    own = name if file_roles.self_description(name) else path
    return next((file for file in workspace.trust.files if file.casefold() == name.casefold()), own)


def _busy(workspace: WorkspaceBase) -> str:
    """Return git's present work, unless it has been at it for ten minutes without a pause."""
    doing, store = git_leftovers.git_at_work(workspace.repo), workspace.store
    with contextlib.suppress(ClawgitError):  # on a read-only disk nothing can be exchanged either
        since = store.read_document(_GIT_AT_WORK, float)
        if not doing and since is not None:
            store.drop_document(_GIT_AT_WORK)
        elif doing and since is None:
            store.save_document(_GIT_AT_WORK, time.time())
        elif doing and since is not None and time.time() - since >= git_leftovers.PATIENCE_SECONDS:
            return ""
    return doing


def _put_back(workspace: WorkspaceBase, found: tuple[Deviation, ...]) -> Enforced:
    """Exchange, under our lock: a change of our own may be half way, and is let finish."""
    try:
        with repository_lock(workspace.repo, time.monotonic() + _PATIENCE):
            workspace.approvals()
            return _exchanged(workspace, tuple(_deviations(workspace)))
    except BusyError:  # somebody holds the lock for seconds, where we hold it for milliseconds
        return _exchanged(workspace, found)
    except ClawgitError as exc:
        return Enforced(left=found, waiting=exc.message)


def _exchanged(workspace: WorkspaceBase, found: tuple[Deviation, ...]) -> Enforced:
    items: list[Item] = []
    restored_paths: list[str] = []
    left, waiting = [deviation for deviation in found if deviation.kind != "unapproved"], ""
    now = workspace.clock().replace(microsecond=0)  # CONFIG.md, which names a time zone, may be broken
    for deviation in (deviation for deviation in found if deviation.kind == "unapproved"):
        approved_text = workspace.trust.approved(deviation.path)
        data = None if approved_text is None else approved_text.encode()
        try:
            items += _clear_the_way(workspace, deviation.path, now)
            item = quarantine.put_back(workspace.repo, deviation.path, data, deviation.mode, now)
        except (OSError, ClawgitError) as exc:
            left.append(deviation)
            waiting = waiting or f"{deviation.path} cannot be put back: {exc}"
            continue
        restored_paths.append(deviation.path)
        items += [item] if item else []
    return Enforced(tuple(items), tuple(restored_paths), tuple(left), waiting)


def _clear_the_way(workspace: WorkspaceBase, path: str, now: datetime) -> Iterator[Item]:
    """Move away a link or file in the place of a folder on the way to a file. It is kept as well."""
    for folder in reversed(PurePosixPath(path).parents[:-1]):
        place = workspace.root / folder
        if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
            item = quarantine.put_back(workspace.repo, folder.as_posix(), None, _MODE, now)
            yield from (item,) if item else ()


def _deviations(workspace: WorkspaceBase) -> Iterator[Deviation]:
    for path in dict.fromkeys((*file_roles.identity_files(workspace.root), *workspace.trust.files)):
        if identity_policy.is_left_to_agent(workspace, path):
            continue
        # To a file that was approved neither a link nor another repository was on the way then: they came since.
        is_approved = workspace.trust.approved(path) is not None
        try:
            file = worktree_files.read(workspace.repo, path, nested=is_approved)
        except ClawgitError as exc:
            is_elsewhere = not is_approved and exc.key in (path_link.name, path_submodule.name)
            yield Deviation(path, "unreachable" if is_elsewhere else "unapproved", exc.message)
            continue
        data = file.data if file else None
        if stands(workspace.trust, path, data):
            continue
        if data is not None and workspace.trust.was_approved(path, repository.hash_blob(data)):
            yield Deviation(path, "earlier", f"{path} holds what was approved before")
        elif not blank_forms.may_go(path, workspace.trust.approved(path), text_of(data)):
            mode = file.mode & 0o666 | 0o400 if file else _MODE
            yield Deviation(path, "unapproved", f"{path} is not as approved" if data else f"{path} is gone", mode)


def stands(trust: Trust, path: str, data: bytes | None) -> bool:
    """Return whether an identity file may hold these bytes (None: no file)."""
    text = text_of(data)
    return (data is None or text is not None) and trust.admits(path, text)
