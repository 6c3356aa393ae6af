"""Puts back unapproved edits of the identity."""

import contextlib
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import BusyError, ClawgitError, Command, file_unwritable, path_link, path_submodule
from clawgit.git import git_state, locks, repository, worktree_files
from clawgit.git.repository import Oid
from clawgit.git.worktree_files import DiskFile
from clawgit.openclaw import blank_forms
from clawgit.workspace import inbox, trust_review
from clawgit.workspace.change import Returned
from clawgit.workspace.file_contents import text_of
from clawgit.workspace.identity_policy import (
    encode_approved,
    is_allowed_content,
    is_enforced,
    is_left_to_agent,
    list_refused,
)
from clawgit.workspace.workspace_base import WorkspaceBase

_PATIENCE = 2.0
_MODE = 0o644


class Deviation(Struct, frozen=True):
    """An identity file that is not as approved.

    `earlier`: its content was approved once, and another branch is checked out, or git is busy; it is left alone.
    `unreachable`: nothing was approved there, and there is a link or another repository on the way to it. `former` is
    the content that goes back, and `mode` its permissions: those of the file, without execution.
    """

    path: str
    kind: Literal["unapproved", "earlier", "unreachable"]
    reason: str
    former: bytes | None = None
    mode: int = _MODE


class Enforced(Struct, frozen=True):
    """The files put back with their former content; the deviations left alone; the reason for a delay, or ""."""

    returned: tuple[Returned, ...] = ()
    left: tuple[Deviation, ...] = ()
    waiting: str = ""


def deviations(workspace: WorkspaceBase) -> tuple[Deviation, ...]:
    """Return the identity files that are not as approved; reads, and touches nothing."""
    return tuple(_compare_on_disk(workspace)) if is_enforced(workspace) else ()


def enforce(workspace: WorkspaceBase) -> Enforced:
    """Put the approved bytes back in place of unapproved ones, and keep these in the inbox.

    This looks at the bytes on disk alone, but touches nothing while a git process works in this tree or its operation
    is younger than ten minutes. Never raises for an obstacle: that is in `waiting`.
    """
    workspace.approvals()
    differences = deviations(workspace)
    if all(deviation.kind != "unapproved" for deviation in differences):
        return Enforced(left=differences)
    if waiting := git_state.git_at_work(workspace.repo):
        return Enforced(left=differences, waiting=waiting)
    return _put_back(workspace, lambda: deviations(workspace))


def enforce_paths(workspace: WorkspaceBase, paths: Iterable[str], bases: Mapping[str, Oid]) -> tuple[Returned, ...]:
    """Put back the edits among `paths` that the policy refuses, by origin too, and keep them in the inbox.

    `bases` are the commits before others committed these files themselves. Raises ClawgitError if one cannot be put
    back.
    """
    workspace.approvals()
    guarded = [path for path in paths if file_roles.is_identity(path)]
    if not (guarded and _is_on_branch(workspace, guarded)):  # the write itself reports the obstacle
        return ()

    def list_edits() -> Iterator[Deviation]:
        files = {path: worktree_files.read_present(workspace.repo, path) for path in guarded}
        contents = {path: file.data if file else None for path, file in files.items()}
        before = {path: repository.read(workspace.repo, bases.get(path, workspace.head), path) for path in guarded}
        for path, former in list_refused(workspace, contents, before).items():
            if former != contents[path]:
                yield Deviation(path, "unapproved", "", former, _choose_mode(files[path]))

    result = _put_back(workspace, list_edits) if any(list_edits()) else Enforced()
    if result.waiting:
        raise file_unwritable(result.waiting, fix=Command("clawgit doctor"))
    return result.returned


def _is_on_branch(workspace: WorkspaceBase, paths: Collection[str] = ()) -> bool:
    """Return whether git leaves these paths to a write of ours; False if CONFIG.md does not say on which branch."""
    with contextlib.suppress(ClawgitError):
        return git_state.find_obstacle(workspace.repo, workspace.branch, paths) is None
    return False


def _put_back(workspace: WorkspaceBase, list_deviations: Callable[[], Iterable[Deviation]]) -> Enforced:
    returned, left, waiting = list[Returned](), list[Deviation](), ""
    with contextlib.ExitStack() as stack:
        try:
            # A change of our own may be half way, and is let finish; somebody may approve the text during the wait.
            stack.enter_context(locks.repository_lock(workspace.repo, time.monotonic() + _PATIENCE))
        except BusyError:  # somebody holds the lock for seconds, where we hold it for milliseconds
            pass
        except ClawgitError as exc:
            return Enforced(left=tuple(list_deviations()), waiting=exc.message)
        workspace.approvals()
        for deviation in list_deviations():
            if deviation.kind != "unapproved":
                left.append(deviation)
                continue
            try:
                returned += _return_file(workspace, deviation)
            except (OSError, ClawgitError) as exc:
                left.append(deviation)
                waiting = waiting or f"{deviation.path} cannot be put back: {exc}"
    return Enforced(tuple(returned), tuple(left), waiting)


def _return_file(workspace: WorkspaceBase, deviation: Deviation) -> Iterator[Returned]:
    """Put the former content of a file back, and keep its present content; yield the item of the inbox for it."""
    repo, path = workspace.repo, deviation.path
    now = workspace.clock().replace(microsecond=0)  # CONFIG.md, which names a time zone, may be broken
    # A link or file in the place of a folder on the way goes, too.
    for folder in reversed(PurePosixPath(path).parents[:-1]):
        place = workspace.root / folder
        is_in_the_way = os.path.lexists(place) and (place.is_symlink() or not place.is_dir())
        if is_in_the_way and (item := trust_review.put_back(repo, folder.as_posix(), None, _MODE, now)):
            yield Returned(item.path, item.id, "quarantine")
    item = trust_review.put_back(repo, path, deviation.former, deviation.mode, now)
    text = text_of(locks.read_closed(item.place)) if item else None
    returned = Returned(path, item.id if item else "", "quarantine")
    if text is not None or item is None:  # else a writer goes on in it, or it is no text
        with contextlib.suppress(ClawgitError):  # a secret
            offer = inbox.open_edit(workspace, path, (text_of(deviation.former), text))
            trust_review.discard(repo, returned.item)
            returned = Returned(path, "" if offer.rejected else offer.id, "identity")
    yield returned


def _choose_mode(file: DiskFile | None) -> int:
    return file.mode & 0o666 | 0o400 if file else _MODE


def _compare_on_disk(workspace: WorkspaceBase) -> Iterator[Deviation]:
    for path in dict.fromkeys((*file_roles.identity_files(workspace.root), *workspace.trust.files)):
        if is_left_to_agent(workspace, path):
            continue
        # To a file that was approved neither a link nor another repository was on the way then: they came since.
        approved_text = workspace.trust.approved(path)
        is_approved, former = approved_text is not None, encode_approved(approved_text)
        try:
            file = worktree_files.read_worktree_file(workspace.repo, path, nested=is_approved)
        except ClawgitError as exc:
            is_elsewhere = not is_approved and exc.key in (path_link.name, path_submodule.name)
            yield Deviation(path, "unreachable" if is_elsewhere else "unapproved", exc.message, former)
            continue
        data = file.data if file else None
        if is_allowed_content(workspace.trust, path, data):
            continue
        is_earlier = data is not None and repository.hash_blob(data) in workspace.trust.of(path).earlier
        if is_earlier and not _is_on_branch(workspace):
            yield Deviation(path, "earlier", f"{path} holds what was approved before")
        elif not blank_forms.may_go(path, approved_text, text_of(data)):
            reason = f"{path} is not as approved" if data else f"{path} is gone"
            yield Deviation(path, "unapproved", reason, former, _choose_mode(file))
