"""Brings heads of machines together where they are pushed."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, head_unborn, keeps_changing, unwritable
from clawgit.git import bare_repository, commit_chain, commit_graph, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.repository import Oid, Repository
from clawgit.sync import control_files, merge_landing, received_push
from clawgit.sync.head_merge import HeadMerge, Mine, work_out_sound
from clawgit.workspace import commit_message, config, file_roles, undo

_TRIES = 20
_WANTED, _LOCK = "merge-wanted", "merge.lock"


class Merged(Struct, frozen=True):
    """What became of the branch: its new commit, None where it stays, and how many heads came in.

    `problems` are heads that were left out. `left` tells that another process does it, which was asked to look once
    more before it ends.
    """

    branch: str
    commit: Oid | None = None
    heads: int = 0
    asked: tuple[str, ...] = ()
    problems: tuple[ClawgitError, ...] = ()
    left: bool = False


def merge(repo: Repository) -> Merged:
    """Bring the branch of a bare repository forward to what all heads come to, as `clawgit sync` does on a machine.

    Nobody waits: a second one leaves a note for the first, who looks again before it ends. Raises ClawgitError, with
    the branch where it was, where it cannot be written.
    """
    wanted = repo.room / _WANTED
    branch = repository.branch(repo)
    if branch is None:
        raise head_unborn("HEAD has no branch", fix=Command("git -C {} symbolic-ref HEAD refs/heads/main", repo.root))
    try:
        wanted.parent.mkdir(exist_ok=True)
        wanted.touch()
    except OSError as exc:
        raise unwritable(wanted, exc) from exc
    done = Merged(branch, left=True)
    while wanted.exists():
        with _alone(repo.room / _LOCK) as mine:
            if not mine:
                return done
            while wanted.exists():
                wanted.unlink(missing_ok=True)
                found = _merged(repo, branch)
                asked = (*done.asked, *found.asked)
                done = Merged(branch, found.commit or done.commit, done.heads + found.heads, asked, found.problems)
    return done


@contextmanager
def _alone(place: Path) -> Iterator[bool]:
    """Hold a lock, and tell whether it is held."""
    handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(handle)


def _merged(repo: Repository, branch: str) -> Merged:
    name = f"{bare_repository.HEADS}{branch}"
    for _ in range(_TRIES):
        found = bare_repository.tips(repo)
        heads = {one: oid for one, oid in found.items() if one.startswith(received_push.MACHINES)}
        own = found.get(name) or next((heads[head] for head in sorted(heads)), None)
        if own is None:
            return Merged(branch)
        merge_, problems = work_out_sound(repo, own, tuple(heads.values()), _mine(repo, own))
        problems += merge_.held.unfit if merge_ else ()
        commit = _with_identity(repo, own if merge_ is None else _commit(repo, merge_), found)
        if commit == found.get(name):
            return Merged(branch, problems=problems)
        if bare_repository.move(repo, name, commit, found.get(name), "clawgit: what the machines wrote"):
            return Merged(branch, commit, len(merge_.others) if merge_ else 0, merge_.asked if merge_ else (), problems)
    raise keeps_changing(f"{name} keeps moving", fix=Command("clawgit server merge {}", repo.root))


def _mine(repo: Repository, own: Oid) -> Mine:
    """Tell of each identity file whether it stays as it is on the branch, whatever machines have.

    That is where nobody may bring one in, and where the workspace has each change of it approved.
    """
    if received_push.policy(repo) == ("none",):
        return file_roles.guarded
    text = (repository.read(repo, own, file_roles.CONFIG) or b"").decode("utf-8", "replace")
    try:
        strict = config.read(text).soul_policy != "evolve"
    except ClawgitError:
        strict = True
    return lambda path: strict and file_roles.guarded(path)


def _commit(repo: Repository, found: HeadMerge) -> Oid:
    """Return the commit that the branch goes to: a head that holds everything, else one made for it."""
    if found.forward and not found.kept:
        return found.forward
    controls = dict(pair for head in found.others for pair in control_files.brought(repo, found.own, head))
    when = merge_landing.moment(repo, datetime.now(UTC), (found.own, *found.others))
    text = commit_message.render(merge_landing.message(found))
    return commit_chain.build(
        repo, found.own, [NewCommit(text, control_files.AUTHOR, when, found.files, found.others, entries=controls)]
    )[-1]


def _with_identity(repo: Repository, commit: Oid, found: Mapping[str, Oid]) -> Oid:
    """Return a commit on this one with the identity of the machine that the policy names first, if that differs.

    Heads carry the identity of their own machine each, and no merge decides between them.
    """
    head = found.get(f"{received_push.MACHINES}{received_push.policy(repo)[0]}")
    if head is None:
        return commit
    differing = commit_graph.difference(repo, commit, head)
    there = {path: pair[1] for path, pair in differing.items() if file_roles.guarded(path)}
    files = {path: repository.blob(repo, entry.blob) if entry else None for path, entry in there.items()}
    if all(data == repository.read(repo, commit, path) for path, data in files.items()):
        return commit
    more = (("Clawgit-Agent", undo.SYNC), ("Origin", "agent"))
    text = commit_message.render(
        commit_message.Message("sync: the identity", f"As {head[:10]} has it, whose machine the policy names.", more)
    )
    when = merge_landing.moment(repo, datetime.now(UTC), (commit, head))
    return commit_chain.build(repo, commit, [NewCommit(text, control_files.AUTHOR, when, files)])[-1]
