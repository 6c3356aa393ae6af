"""Ends a merge that somebody's git left halfway."""

from msgspec import Struct

from clawgit import errors
from clawgit.errors import Advice, BusyError, Command, quoted
from clawgit.git import commit_chain, git_leftovers, references, repository, worktree_files
from clawgit.git.commit_chain import NewCommit
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.safety.markers import conflict_markers, join_sides
from clawgit.sync.control_files import AUTHOR
from clawgit.sync.head_merge import work_out
from clawgit.workspace import commit_message, file_roles, undo
from clawgit.workspace import conflict_markers as served_text
from clawgit.workspace.capture import AUTHOR as UNKNOWN
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.prepared import Prepared, land_at_once
from clawgit.workspace.workspace import Workspace

_UNFINISHED = "refs/clawgit/healing"
"""The other side of a merge that we are ending: whoever finds it goes on."""


class Healed(Struct, frozen=True):
    """A merge that was ended: its commit, the files that had markers, and the one that keeps what stood in them."""

    commit: Oid
    paths: tuple[str, ...]
    kept: Oid | None = None


class _Chosen(Struct, frozen=True):
    """What is on disk, what each file becomes (None: no file), and those that have markers, with what is in them."""

    disk: dict[str, bytes | None]
    files: dict[str, bytes | None]
    marked: dict[str, bytes]


def heal(workspace: Workspace) -> Healed | None:
    """End a merge that is under way, or mend one that was committed with markers; None where there is neither.

    It is merged anew from its two sides, by our rules. A file without markers stays as it stands on disk: whoever was
    at it has resolved it. What stood between markers is kept beside the branch. Raises BusyError while git is at it,
    and ClawgitError, with nothing touched, where the sides cannot be merged.
    """
    workspace.require_managed()
    repo, own, other = workspace.repo, workspace.head, _other_side(workspace)
    if other is None:
        chosen = _without_markers(repo)
        if not chosen.files:
            return None
        kept = _keep(workspace, chosen.marked)
        subject = "sync: takes conflict markers out of what a merge left"
        return Healed(_landed(workspace, own, subject, chosen), tuple(chosen.files), kept)
    if own is None or repository.resolve(repo, other) is None:
        raise errors.object_missing("what is being merged is not here", fix=Command("git merge --abort"))
    chosen = _merged(repo, own, other)
    kept = _keep(workspace, chosen.marked)
    references.point(repo, _UNFINISHED, other)
    if (repo.gitdir / "MERGE_HEAD").exists():
        git(repo.root, "merge", "--quit")
        git(repo.root, "reset", "--quiet")  # the index alone: what stands on disk stays
    commit = _landed(workspace, own, "sync: ends a merge that was left halfway", chosen, (other,))
    references.drop(repo, _UNFINISHED)
    return Healed(commit, tuple(chosen.marked), kept)


def _other_side(workspace: Workspace) -> Oid | None:
    """Return what is being merged. Raises BusyError while a git process is at it."""
    place = workspace.repo.gitdir / "MERGE_HEAD"
    if not place.exists():
        return references.target(workspace.repo, _UNFINISHED)
    found = place.read_text("ascii", "replace").split()
    if len(found) != 1:
        raise errors.git_operation(f"a merge of {len(found)} branches is under way", fix=Command("git merge --abort"))
    obstacle = git_leftovers.operation_under_way(workspace.repo)
    if obstacle is not None and "runs" in obstacle.message:
        raise BusyError(obstacle.key, obstacle.message, fix=obstacle.fix)
    return found[0]


def _merged(repo: Repository, own: Oid, other: Oid) -> _Chosen:
    """Return what ends a merge: what we merged where there are markers, or rows; else what stands on disk."""
    merge = work_out(repo, own, [other], lambda _: False)
    wanted = dict(merge.files) if merge else {}
    chosen = _Chosen({}, {}, {})
    listed = git(repo.root, "diff", "--name-only", "-z", "--no-renames", "HEAD")  # on disk or in the index
    differing = filter(None, listed.decode("utf-8", "surrogateescape").split("\0"))
    for path in sorted({*wanted, *differing}):
        file, committed = worktree_files.read(repo, path), repository.read(repo, own, path)
        chosen.disk[path] = data = file.data if file else None
        merged = wanted.get(path, committed)
        if data is not None and conflict_markers(loosely(data)) is not None:
            chosen.marked[path] = data
            if path not in wanted and repository.read(repo, other, path) != committed:
                raise errors.sync_conflict(
                    f"{path} has conflict markers, and is no memory that clawgit merges",
                    fix=Advice(f"resolve them, then: git add {quoted(path)}   # and clawgit sync once more"),
                )
            chosen.files[path] = merged
        else:
            resolved = data not in (committed, None) and not path.startswith(file_roles.OURS)
            chosen.files[path] = data if resolved else merged
    return chosen


def _without_markers(repo: Repository) -> _Chosen:
    """Return what takes the markers out of files that somebody committed with them: both sides stay."""
    chosen = _Chosen({}, {}, {})
    for path in (one.path for one in served_text.found(repo)):
        if file := worktree_files.read(repo, path):
            text = join_sides(file.data.decode("utf-8", "surrogateescape"))
            chosen.disk[path] = chosen.marked[path] = file.data
            chosen.files[path] = text.encode("utf-8", "surrogateescape")
    return chosen


def _keep(workspace: Workspace, marked: dict[str, bytes]) -> Oid | None:
    """Keep what stood in the files with markers, in a commit of its own beside the branch."""
    if not marked:
        return None
    tip = references.target(workspace.repo, file_roles.ORIGINALS)
    words = commit_message.Message("sync: what stood between conflict markers", "", (("Origin", "unknown"),))
    new = NewCommit(commit_message.render(words), UNKNOWN, workspace.now(), marked)
    (made,) = commit_chain.build(workspace.repo, tip, [new])
    references.point(workspace.repo, file_roles.ORIGINALS, made)
    return made


def _landed(workspace: Workspace, own: Oid | None, subject: str, chosen: _Chosen, others: tuple[Oid, ...] = ()) -> Oid:
    why = "\n".join(f"- {path} had conflict markers" for path in chosen.marked)
    words = commit_message.Message(subject, why, (("Clawgit-Agent", undo.SYNC), ("Origin", "agent")))

    prepared = Prepared(words, chosen.files, AUTHOR, workspace.now(), head=own, disk=chosen.disk, parents=others)
    commit = land_at_once(workspace, prepared)
    assert commit is not None
    return commit
