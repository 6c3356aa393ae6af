"""Changes whose files are known byte for byte."""

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from clawgit.errors import BusyError, keeps_changing
from clawgit.git.commit_chain import NewCommit
from clawgit.git.commit_graph import Entry
from clawgit.git.repository import Oid
from clawgit.git.transaction import Plan, Snapshot
from clawgit.workspace import capture, commit_message, file_roles
from clawgit.workspace.commit_message import Message
from clawgit.workspace.file_merges import merge_forward
from clawgit.workspace.workspace_base import WorkspaceBase


class Prepared(Struct, frozen=True):
    """The files of one commit, by path (None: no file), and what they were worked out from.

    `head` is the commit that has to be at HEAD, `disk` what has to be in files on disk, by path; None asks for nothing.
    With `captures`, what others wrote in the files is committed first and merged into them. `parents` are the further
    parents of a merge, `made` is its commit where that is there already, `entries` are modes that are not those of an
    ordinary file.
    """

    message: Message
    files: Mapping[str, bytes | None]
    author: tuple[str, str]
    when: datetime
    head: Oid | None = None
    disk: Mapping[str, bytes | None] = field(default_factory=dict)
    captures: bool = False
    parents: tuple[Oid, ...] = ()
    made: Oid | None = None
    entries: Mapping[str, Entry | None] = field(default_factory=dict)


class MovedError(BusyError):
    """The workspace is not any more as the change was worked out for."""

    def __init__(self) -> None:
        super().__init__(keeps_changing.name, "the branch, or one of the files, was changed meanwhile")


def land(workspace: WorkspaceBase, change: Prepared) -> tuple[Oid | None, tuple[str, ...]]:
    """Write a prepared change; return its commit, None where nothing was to be written, and notes.

    Raises MovedError where what it was worked out from has changed, ClawgitError where nothing can be written.
    """
    paths = tuple(change.files) or (file_roles.FORMAT,)
    written = workspace.write(workspace.branch, paths, lambda snapshot: _plan(workspace, change, snapshot))
    return (written.commits[-1] if written.commits else None), written.notes


def _plan(workspace: WorkspaceBase, change: Prepared, snapshot: Snapshot) -> Plan:
    disk = {path: file.data if file else None for path, file in snapshot.disk.items() if path in change.disk}
    if (change.head and snapshot.head != change.head) or disk != dict(change.disk):
        raise MovedError
    text = commit_message.render(change.message)
    if not change.captures:
        modes = change.entries
        return Plan((NewCommit(text, change.author, change.when, change.files, change.parents, entries=modes),))
    taken = capture.take(workspace, snapshot, change.files or snapshot.disk)
    if taken.refused:
        raise MovedError
    before = capture.commit(taken, workspace.now(), workspace.leaked)
    files = {
        path: merge_forward(path, snapshot.committed[path], taken.files[path], data) if path in taken.found else data
        for path, data in change.files.items()
    }
    made = change.made if before is None else None
    merged = NewCommit(text, change.author, change.when, files, change.parents, made)
    return Plan((before, merged) if before else (merged,))
