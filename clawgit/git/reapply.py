"""Makes commits again, as far as the files agree."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import pygit2

from clawgit.git import chain, repository
from clawgit.git.chain import Merge, NewCommit
from clawgit.git.our_commits import Lines, State, lines, parent
from clawgit.git.repository import Oid, Repository


def again(repo: Repository, undone: Sequence[Oid], head: Oid, merge: Merge) -> Oid:
    """Make the commits that were taken back again on `head`, and return the tip: `head` where all of it is there.

    Of their lines those come back that the files on disk hold; no file is asked to change.
    """
    state = State(repo, head)
    touched = {oid: chain.changed(repo, parent(repo, oid), oid) for oid in undone}
    texts = {
        path: _come_back(state, [oid for oid in undone if path in touched[oid]], path, merge)
        for path in dict.fromkeys(path for paths in touched.values() for path in paths)
    }
    for oid in undone:
        commit = repo.raw[oid].peel(pygit2.Commit)
        files = {path: texts[path][oid] for path in touched[oid]}
        files = {path: text for path, text in files.items() if text != repository.read(repo, head, path)}
        if files:
            author = (commit.author.name, commit.author.email)
            head = chain.build(repo, head, [NewCommit(commit.message, author, later(repo, head, oid), files)])[0]
    return head


def later(repo: Repository, *commits: Oid) -> datetime:
    """Return a moment that is after all of `commits`: the same one would make the same commit, which is there."""
    found = (repo.raw[oid].peel(pygit2.Commit) for oid in commits)
    after = (repository.moment(one.commit_time + 1, one.commit_time_offset) for one in found)
    return max(datetime.now().astimezone(), *after)


def _come_back(state: State, commits: Sequence[Oid], path: str, merge: Merge) -> dict[Oid, bytes | None]:
    """Return what a file becomes with each of `commits`, which touched it, as far as the file on disk agrees."""
    head, now = repository.read(state.repo, state.head, path), state.on_disk(path)
    for agree in (_sorted_as, _agreed):
        text, texts = head, dict[Oid, bytes | None]()
        for oid in commits:
            before, after = (repository.read(state.repo, one, path) for one in (parent(state.repo, oid), oid))
            wanted = after if text in (before, after) else merge(path, before, text, after)
            text = texts[oid] = agree(wanted, text, now)
        if _agreed(text, head, now) == text:
            break
    return texts


def _sorted_as(wanted: bytes | None, _: bytes | None, now: bytes | None) -> bytes | None:
    """Return `wanted` with its lines in the order that they have in the file on disk, if they all stand there."""
    if wanted is None or now is None or lines(wanted) - lines(now):
        return wanted
    return _picked(now, lines(wanted))


def _agreed(wanted: bytes | None, there: bytes | None, now: bytes | None) -> bytes | None:
    """Return the lines that two agree on: what HEAD is to hold, what it holds, and the file on disk."""
    if wanted in (now, there):
        return wanted
    if wanted is None or now is None:
        return there
    ours, theirs, here = lines(wanted), lines(there), lines(now)
    agreed = (ours & here) | (ours & theirs) | (theirs & here)
    if not agreed - here:
        return _picked(now, agreed)
    return _picked(wanted, agreed) if not agreed - ours else there


def _picked(text: bytes, wanted: Lines) -> bytes:
    """Return the lines of `text` that are `wanted`, with the empty lines above them."""
    if wanted == lines(text):
        return text
    left, kept, empty = Counter(wanted), [], []
    for line in text.splitlines(keepends=True):
        plain = line.rstrip()
        if not plain:
            empty.append(line)
        elif left[plain]:
            left[plain] -= 1
            kept += [*empty, line]
            empty = []
        else:
            empty = []
    return b"".join(kept)
