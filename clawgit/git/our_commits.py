"""Which commits are ours, and which were lost."""

import contextlib
import os
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import pygit2
from msgspec import Struct, field

from clawgit.errors import ClawgitError
from clawgit.git import commit_chain, commit_graph, git_index, repository, worktree_files
from clawgit.git.own_commits import read_local_note, save_local_note
from clawgit.git.repository import Oid, Repository

REMEMBERED = 200
"""So many commits back we look for what somebody's commit took away."""
CHANGE = re.compile(r"^Clawgit-Change: (\S+)$", re.MULTILINE)

Lines = Counter[bytes]


class State(Struct, frozen=True):
    """HEAD and the files on disk, each read once."""

    repo: Repository
    head: Oid
    _disk: dict[str, bytes | None] = field(default_factory=dict)
    _unreadable: set[str] = field(default_factory=set)

    def on_disk(self, path: str) -> bytes | None:
        """Return the content of the file; None if there is none, or none that we could read."""
        if path not in self._disk:
            try:
                file = worktree_files.read_worktree_file(self.repo, path)
                self._disk[path] = file.data if file else None
            except ClawgitError:
                self._disk[path] = None
                self._unreadable.add(path)
        return self._disk[path]

    def beyond(self, path: str) -> tuple[Lines, Lines]:
        """Return the lines that the file has beyond HEAD, and those that it lacks; none if it cannot be read."""
        now, head_data = self.on_disk(path), repository.read(self.repo, self.head, path)
        if path in self._unreadable or now == head_data:
            return Counter(), Counter()
        if head_data is None and repository.ignored(self.repo, path):  # whoever told git so meant it
            return Counter(), Counter()
        return lines(now) - lines(head_data), lines(head_data) - lines(now)

    def keeps(self, oid: Oid) -> bool:
        """Return whether a commit's lines are in the files still, and not in HEAD."""
        return any(
            has_common_line(read_line_effect(self.repo, oid, path), self.beyond(path)) for path in self._touched(oid)
        )

    def holds(self, oid: Oid) -> bool:
        """Return whether HEAD has the changes of a commit."""
        return any(
            not read_line_effect(self.repo, oid, path)[0] - lines(repository.read(self.repo, self.head, path))
            for path in self._touched(oid)
        )

    def _touched(self, oid: Oid) -> Sequence[str]:
        return commit_chain.list_changed_paths(self.repo, parent(self.repo, oid), oid)


def candidates(
    repo: Repository, start: Oid, path: str, blob: Oid | None, *, pure: bool = False
) -> tuple[list[Oid], bool]:
    """Return the commits of ours up to `start` that touched `path`, oldest first, and whether the list is complete.

    It is complete when the file had `blob` before them: then every later change was reverted. With `pure` the first
    commit of others that touched the file ends the search: they knew the content.
    """
    oids: list[Oid] = []
    now = repository.blob_id(repo, start, path)
    for oid in islice(_walk_first_parents(repo, start), REMEMBERED):
        before = repository.blob_id(repo, parent(repo, oid), path)
        if before != now:
            if is_ours(repo, oid):
                oids.append(oid)
            elif pure:
                break
            if before == blob:
                return oids[::-1], bool(oids)
        now = before
    return oids[::-1], False


def has_common_line(difference: tuple[Lines, Lines], other: tuple[Lines, Lines]) -> bool:
    """Return whether two differences have a line in common that came, or one that went."""
    return bool(difference[0] & other[0] or difference[1] & other[1])


def read_line_effect(repo: Repository, oid: Oid, path: str) -> tuple[Lines, Lines]:
    """Return the lines that a commit gave a file, and those that it took."""
    before, after = (lines(repository.read(repo, commit, path)) for commit in (parent(repo, oid), oid))
    return after - before, before - after


def lines(data: bytes | None) -> Lines:
    """Return the lines of a file that hold something, without white space at their ends."""
    return Counter(plain for line in (data or b"").splitlines() if (plain := line.rstrip()))


def parent(repo: Repository, oid: Oid) -> Oid | None:
    """Return the first parent of a commit, None if there is none, or none that is here."""
    parents = repo.raw[oid].peel(pygit2.Commit).parent_ids
    return str(parents[0]) if parents and parents[0] in repo.raw else None


def _walk_first_parents(repo: Repository, oid: Oid | None) -> Iterator[Oid]:
    """Yield a commit and those before it, the newest first, as far as they are here."""
    while oid is not None:
        yield oid
        oid = parent(repo, oid)


def is_ours(repo: Repository, oid: Oid) -> bool:
    """Return whether we made a commit, or somebody's rebase made it anew."""
    commit = repo.raw[oid].peel(pygit2.Commit)
    return commit.committer.email == repository.COMMITTER[1] or len(CHANGE.findall(commit.message)) == 1


_NOTE = "look"
_MAX_COMMITS = 500
_TAIL, _LAST = 1 << 16, 1 << 12
_SECONDS = 3_600
_UNAWARES = re.compile(rb"reset: moving to HEAD$|rebase \(abort\):|rebase: aborting")
_ROW = re.compile(rb"([0-9a-f]{40}) ([0-9a-f]{40}) .*?(\d+) [+-]\d{4}\t")


class Look(Struct, frozen=True):
    """The repository at a look: the commit of the branch, its last move in the log, and the mark of the index."""

    branch: str
    head: Oid
    moved: str
    index: str


class Lost(Struct, frozen=True):
    """The losses since the last look.

    `off` are chains (base and tip) that left the branch unintentionally, with their lines. `undone` are commits of
    ours, oldest first, whose lines HEAD lacks while the files on disk still have them, and `cause` is the reason.
    `told` are sentences on lines that were reset from both: that was intended, and stays.
    """

    off: tuple[tuple[Oid, Oid], ...] = ()
    undone: tuple[Oid, ...] = ()
    cause: str = ""
    told: tuple[str, ...] = ()


def read_branch_state(repo: Repository, branch: str) -> Look | None:
    """Return the state of the repository; None when another branch, or none, is checked out."""
    head = repository.head(repo)
    if head is None or repository.branch(repo) != branch:
        return None
    rows = _read_reflog_rows(repo, branch, _LAST)
    return Look(branch, head, rows[-1].decode("utf-8", "replace") if rows else "", git_index.read_index_mark(repo))


def read_last_look(repo: Repository) -> Look | None:
    """Return the state at the last look; None before the first one."""
    return read_local_note(repo, _NOTE, Look)


def record_look(repo: Repository, look: Look) -> None:
    """Note that all was looked at as `look` found it. Best effort: without it, more is looked at again."""
    with contextlib.suppress(OSError):
        save_local_note(repo, _NOTE, look)


def find_losses(repo: Repository, now: Look) -> Lost:
    """Return the losses since the last look."""
    before = read_last_look(repo)
    # A look at another branch says nothing about this one.
    if before is not None and before.branch != now.branch:
        before = None
    state = State(repo, now.head)
    ranges: list[tuple[Oid, Oid]] = []
    undone: list[Oid] = []
    causes: list[str] = []
    sentences: list[str] = []
    for words, base, tip in _moves(repo, now, before):
        fork = commit_graph.common(repo, base, tip)
        chain = commit_chain.list_chain(repo, fork, tip)[-REMEMBERED:] if fork else ()
        oids = [oid for oid in chain if is_ours(repo, oid) and not repository.reaches(repo, base, oid)]
        # A reset to a commit is meant; one to HEAD, or an aborted rebase, passes our commit over by accident.
        is_unmeant = _UNAWARES.match(words) is not None and repository.reaches(repo, tip, base)
        # What others committed is theirs to bring back.
        if is_unmeant and all(is_ours(repo, oid) for oid in commit_chain.list_chain(repo, base, tip)):
            ranges.append((base, tip))
        elif any(state.keeps(oid) for oid in oids):
            undone += oids
            causes.append("a reset")
        else:
            lost_oids = (oid for oid in oids if not state.holds(oid))
            sentences += (f"{oid[:10]} was taken off the branch with its lines; that stays" for oid in lost_oids)
    for commit in reversed(_foreign(repo, before, now.head)):
        if reverted_oids := _list_reverted(state, commit):
            undone += reverted_oids
            causes.append(f"{commit[:10]}, made from an older index,")
    return Lost(tuple(ranges), tuple(dict.fromkeys(undone)), " and ".join(dict.fromkeys(causes)), tuple(sentences))


# ---- what was moved off the branch


def _read_reflog_rows(repo: Repository, branch: str, max_bytes: int) -> list[bytes]:
    """Return the last moves of a branch, oldest first, of so many bytes."""
    try:
        with (repo.commondir / "logs" / "refs" / "heads" / branch).open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - max_bytes))
            return file.read().splitlines()
    except OSError:
        return []


def _moves(repo: Repository, now: Look, before: Look | None) -> Iterator[tuple[bytes, Oid, Oid]]:
    """Yield words, base and tip of each move since a look that took commits off the branch which are not on it now.

    Before the first look, of those of the last hour.
    """
    if before is not None and before.moved == now.moved:
        return
    rows = _read_reflog_rows(repo, now.branch, _TAIL)
    last = before.moved.encode() if before else b""
    has_last = last in rows
    for row in rows[rows.index(last) + 1 :] if has_last else rows:
        match = _ROW.match(row)
        # A first id of zeros is the birth of the branch, which took nothing away.
        if match is None or match[1] == match[2] or not match[1].strip(b"0"):
            continue
        tip, base = match[1].decode(), match[2].decode()
        if not has_last and time.time() - int(match[3]) > _SECONDS:
            continue
        if tip in repo.raw and base in repo.raw and not repository.reaches(repo, now.head, tip):
            yield row[match.end() :], base, tip


# ---- what a commit of somebody's took back


def _list_reverted(state: State, commit: Oid) -> list[Oid]:
    """Return our commits, oldest first, that somebody's `commit` reverted while the files still have their lines."""
    repo, before = state.repo, parent(state.repo, commit)
    undone: set[Oid] = set()
    if before is None:
        return []
    for path in commit_chain.list_changed_paths(repo, before, commit):
        blob, surplus = repository.blob_id(repo, commit, path), state.beyond(path)
        if any(surplus):
            came, went = read_line_effect(repo, commit, path)
            overlap = went & surplus[0], came & surplus[1]
            oids, exact = candidates(repo, before, path, blob) if any(overlap) else ([], False)
            hit = (
                {oid for oid in oids if has_common_line(read_line_effect(repo, oid, path), overlap)}
                if exact or blob
                else set()
            )
            # An exact match means that all our changes since went together.
            undone |= set(oids) if hit and exact else hit
    latest = islice(_walk_first_parents(repo, before), REMEMBERED) if undone else ()
    return [oid for oid in latest if oid in undone][::-1]


def _foreign(repo: Repository, before: Look | None, head: Oid) -> list[Oid]:
    """Return the commits of others since the last look, newest first; at first, since our last commit."""
    stop = commit_graph.common(repo, before.head, head) if before and before.head in repo.raw else None
    oids: list[Oid] = []
    for oid in islice(_walk_first_parents(repo, head), _MAX_COMMITS):
        ours = is_ours(repo, oid)
        if oid == stop or (ours and before is None):
            break
        if not ours:
            oids.append(oid)
    return oids
