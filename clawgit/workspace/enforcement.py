"""Keeps identity files as they were approved (spec T1).

A capture commits, so it waits while git is busy, on another branch, or told to leave a file alone. This does not: it
looks at the bytes on disk alone, and exchanges those that nobody ever approved for the newest approved ones.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct

from clawgit.errors import BusyError, ClawgitError, path_link, path_submodule
from clawgit.git import git_leftovers, repository, worktree_files
from clawgit.git.locks import repository_lock
from clawgit.workspace import blank_forms, file_roles, identity_policy, quarantine
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

    `earlier`: it holds what was approved once, as after a checkout of the past; it is told and left alone.
    `unreachable`: nothing was approved there, and a link or another repository lies on the way to it. `mode` are the
    permissions that the approved bytes get: those of the file, without what would run it.
    """

    path: str
    kind: Kind
    reason: str = ""
    mode: int = _MODE


class Enforced(Struct, frozen=True):
    """What was put back, by what was taken away; what deviates and was left; and why that had to wait, "" for not."""

    taken: tuple[Item, ...] = ()
    restored: tuple[str, ...] = ()
    left: tuple[Deviation, ...] = ()
    waiting: str = ""


def enforces(workspace: WorkspaceBase) -> bool:
    """Return whether identity files have to be as approved: under review and locked, once something was approved.

    The policy is what CONFIG.md and the operator's approvals say together, also where CONFIG.md cannot be read.
    """
    return workspace.trust.known and serves_approved(workspace)


def serves_approved(workspace: WorkspaceBase) -> bool:
    """Return whether nothing of the identity is served but what was approved: under review and locked.

    Where nobody has approved anything yet, as in a clone, that is nothing.
    """
    return workspace.config.soul_policy != "evolve"


def deviations(workspace: WorkspaceBase) -> tuple[Deviation, ...]:
    """Return the identity files that are not as approved; reads, and touches nothing."""
    return tuple(_deviations(workspace)) if enforces(workspace) else ()


def enforce(workspace: WorkspaceBase) -> Enforced:
    """Put the newest approved bytes back where nobody approved what stands there; what stood there is kept.

    Nothing is touched while a git process works in this tree or its operation is younger than ten minutes.
    Never raises for what stands in the way: that is said in `waiting`.
    """
    workspace.approvals()
    found = deviations(workspace)
    if not any(one.kind == "unapproved" for one in found):
        return Enforced(left=found)
    if waiting := _busy(workspace):
        return Enforced(left=found, waiting=waiting)
    return _put_back(workspace, found)


def approved_name(workspace: WorkspaceBase, path: str) -> str:
    """Return the name under which the identity file that `path` names, in whatever capitals, was approved.

    Where none was, only what says who an agent is counts as that: a `tools.md` may be a file of its own.
    """
    name = file_roles.spelled(path)
    if name == path:
        return path
    own = name if file_roles.self_description(name) else path
    return next((file for file in workspace.trust.files if file.casefold() == name.casefold()), own)


def _busy(workspace: WorkspaceBase) -> str:
    """Return what git is doing, unless it has been at it for ten minutes without a pause."""
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
    taken: list[Item] = []
    restored: list[str] = []
    left, waiting = [one for one in found if one.kind != "unapproved"], ""
    now = workspace.clock().replace(microsecond=0)  # CONFIG.md, which names a time zone, may be broken
    for one in (one for one in found if one.kind == "unapproved"):
        approved = workspace.trust.approved(one.path)
        data = None if approved is None else approved.encode()
        try:
            taken += _clear_the_way(workspace, one.path, now)
            item = quarantine.put_back(workspace.repo, one.path, data, one.mode, now)
        except (OSError, ClawgitError) as exc:
            left.append(one)
            waiting = waiting or f"{one.path} cannot be put back: {exc}"
            continue
        restored.append(one.path)
        taken += [item] if item else []
    return Enforced(tuple(taken), tuple(restored), tuple(left), waiting)


def _clear_the_way(workspace: WorkspaceBase, path: str, now: datetime) -> Iterator[Item]:
    """Take out what stands in the place of a folder on the way to a file: a link, or a file. It is kept as well."""
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
        known = workspace.trust.approved(path) is not None
        try:
            found = worktree_files.read(workspace.repo, path, nested=known)
        except ClawgitError as exc:
            is_elsewhere = not known and exc.key in (path_link.name, path_submodule.name)
            yield Deviation(path, "unreachable" if is_elsewhere else "unapproved", exc.message)
            continue
        data = found.data if found else None
        if stands(workspace.trust, path, data):
            continue
        if data is not None and workspace.trust.was_approved(path, repository.hash_blob(data)):
            yield Deviation(path, "earlier", f"{path} holds what was approved before")
        elif not blank_forms.may_go(path, workspace.trust.approved(path), text_of(data)):
            mode = found.mode & 0o666 | 0o400 if found else _MODE
            yield Deviation(path, "unapproved", f"{path} is not as approved" if data else f"{path} is gone", mode)


def stands(trust: Trust, path: str, data: bytes | None) -> bool:
    """Return whether an identity file may hold these bytes (None: no file)."""
    text = text_of(data)
    return (data is None or text is not None) and trust.admits(path, text)
