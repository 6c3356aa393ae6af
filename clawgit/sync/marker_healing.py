"""Ends a merge that somebody's git left halfway."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from clawgit.errors import BusyError, ClawgitError, quoted
from clawgit.git import commit_chain, git_leftovers, references, repository, worktree_files
from clawgit.git.commit_chain import NewCommit
from clawgit.git.git_command import git
from clawgit.git.repository import Oid
from clawgit.git.transaction import Plan, Snapshot
from clawgit.safety.markers import conflict_markers, join_sides
from clawgit.sync.control_files import AUTHOR
from clawgit.sync.head_merge import work_out
from clawgit.workspace import commit_message, file_roles
from clawgit.workspace import conflict_markers as served_text
from clawgit.workspace.capture import AUTHOR as UNKNOWN
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.workspace import Workspace

_UNFINISHED = "refs/clawgit/healing"
"""The other side of a merge that we are ending: whoever finds it goes on."""


class Healed(Struct, frozen=True):
    """A merge that was ended: its commit, the files that had markers, and the one that keeps what stood in them."""

    commit: Oid
    paths: tuple[str, ...]
    kept: Oid | None = None


def heal(workspace: Workspace) -> Healed | None:
    """End a merge that is under way, or mend one that was committed with markers; None where there is neither.

    It is merged anew from its two sides, by our rules. A file without markers stays as it stands on disk: whoever was
    at it has resolved it. What stood between markers is kept beside the branch. Raises BusyError while git is at it,
    and ClawgitError, with nothing touched, where the sides cannot be merged.
    """
    workspace.require_managed()
    other = _other_side(workspace)
    if other is not None:
        return _ended(workspace, other)
    return _mended(workspace)


def _other_side(workspace: Workspace) -> Oid | None:
    """Return what is being merged. Raises BusyError while a git process is at it."""
    place = workspace.repo.gitdir / "MERGE_HEAD"
    if not place.exists():
        return references.target(workspace.repo, _UNFINISHED)
    found = place.read_text("ascii", "replace").split()
    if len(found) != 1:
        raise ClawgitError(f"a merge of {len(found)} branches at once is under way", fix="git merge --abort")
    obstacle = git_leftovers.operation_under_way(workspace.repo)
    if obstacle is not None and "runs" in obstacle.message:
        raise BusyError(obstacle.message, fix=obstacle.fix)
    return found[0]


def _ended(workspace: Workspace, other: Oid) -> Healed:
    repo, own = workspace.repo, workspace.head
    if own is None or repository.resolve(repo, other) is None:
        raise ClawgitError("what is being merged is not here", fix="git merge --abort")
    merge = work_out(repo, own, [other], lambda _: False)
    wanted = dict(merge.files) if merge else {}
    files = _chosen(workspace, own, other, wanted)
    kept = _kept(workspace, files.marked)
    references.point(repo, _UNFINISHED, other)
    if (repo.gitdir / "MERGE_HEAD").exists():
        git(repo.root, "merge", "--quit")
        git(repo.root, "reset", "--quiet")  # the index alone: what stands on disk stays
    commit = _landed(workspace, own, other, files)
    references.drop(repo, _UNFINISHED)
    return Healed(commit, tuple(files.marked), kept)


class _Chosen(Struct, frozen=True):
    """What each file becomes (None: no file), and those that have markers, with what stands in them."""

    files: dict[str, bytes | None]
    marked: dict[str, bytes]


def _chosen(workspace: Workspace, own: Oid, other: Oid, wanted: dict[str, bytes | None]) -> _Chosen:
    """Return what is to be committed: what we merged where there are markers, or rows; else what stands on disk."""
    files: dict[str, bytes | None] = {}
    marked: dict[str, bytes] = {}
    for path in sorted({*wanted, *_differing(workspace)}):
        found = worktree_files.read(workspace.repo, path)
        data, committed = found.data if found else None, repository.read(workspace.repo, own, path)
        merged = wanted.get(path, committed)
        if data is not None and conflict_markers(loosely(data)) is not None:
            marked[path] = data
            if path not in wanted and repository.read(workspace.repo, other, path) != committed:
                raise ClawgitError(
                    f"{path} has conflict markers, and is no memory that clawgit merges",
                    fix=f"resolve them, then: git add {quoted(path)}   # and clawgit sync once more",
                )
            files[path] = merged
        elif data in (committed, None) or path.startswith(file_roles.OURS):
            files[path] = merged
        else:
            files[path] = data
    return _Chosen(files, marked)


def _differing(workspace: Workspace) -> Iterator[str]:
    """Yield the tracked files that are not as HEAD has them, on disk or in the index."""
    listed = git(workspace.root, "diff", "--name-only", "-z", "--no-renames", "HEAD")
    yield from (one for one in listed.decode("utf-8", "surrogateescape").split("\0") if one)


def _kept(workspace: Workspace, marked: dict[str, bytes]) -> Oid | None:
    """Keep what stood in the files with markers, in a commit of its own beside the branch."""
    if not marked:
        return None
    tip = references.target(workspace.repo, file_roles.ORIGINALS)
    words = commit_message.Message("sync: what stood between conflict markers", "", (("Origin", "unknown"),))
    new = NewCommit(commit_message.render(words), UNKNOWN, workspace.now(), marked)
    (made,) = commit_chain.build(workspace.repo, tip, [new])
    references.point(workspace.repo, file_roles.ORIGINALS, made)
    return made


def _landed(workspace: Workspace, own: Oid, other: Oid, chosen: _Chosen) -> Oid:
    def decide(snapshot: Snapshot) -> Plan:
        if snapshot.head != own:
            raise BusyError("the branch has moved meanwhile", fix="try again in a moment")
        files = {path: data for path, data in chosen.files.items() if data != snapshot.committed[path]}
        why = "\n".join(f"- {path} had conflict markers" for path in chosen.marked)
        return _commit(workspace, "sync: ends a merge that was left halfway", why, files, (other,))

    return workspace.write(workspace.branch, tuple(chosen.files) or (file_roles.FORMAT,), decide).commits[-1]


def _commit(
    workspace: Workspace, subject: str, why: str, files: Mapping[str, bytes | None], others: tuple[Oid, ...] = ()
) -> Plan:
    words = commit_message.Message(subject, why, (("Clawgit-Agent", "sync"), ("Origin", "agent")))
    return Plan((NewCommit(commit_message.render(words), AUTHOR, workspace.now(), files, others),))


def _mended(workspace: Workspace) -> Healed | None:
    """Take the markers out of files that somebody committed with them: both sides stay; None where there are none."""
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    for path in (one.path for one in served_text.found(workspace.repo)):
        file = worktree_files.read(workspace.repo, path)
        if file is not None:
            text = join_sides(file.data.decode("utf-8", "surrogateescape"))
            before[path], after[path] = file.data, text.encode("utf-8", "surrogateescape")
    if not after:
        return None
    kept = _kept(workspace, before)
    return Healed(_replaced(workspace, before, after), tuple(after), kept)


def _replaced(workspace: Workspace, before: dict[str, bytes], after: dict[str, bytes]) -> Oid:
    def decide(snapshot: Snapshot) -> Plan:
        for path, file in snapshot.disk.items():
            if file is None or file.data != before[path]:
                raise BusyError(f"{path} has been changed meanwhile", fix="try again in a moment")
        return _commit(workspace, "sync: takes conflict markers out of what a merge left", "", after)

    return workspace.write(workspace.branch, tuple(after), decide).commits[-1]
