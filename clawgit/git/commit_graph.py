"""The commits that several heads do not have in common."""

from collections.abc import Collection, Iterator

import pygit2
from msgspec import Struct

from clawgit.git.repository import COMMITTER, Oid, Repository

_MERGED = 2  # so many parents
_FOLDER, _LINK, _SUBMODULE = 0o040000, 0o120000, 0o160000


class Node(Struct, frozen=True):
    """A commit and its parents, as far as these are here; `stamp` is when it was made, in seconds since 1970.

    `ours` tells that nobody has written it anew since we did.
    """

    id: Oid
    parents: tuple[Oid, ...]
    stamp: int
    ours: bool


class Entry(Struct, frozen=True):
    """A file in a commit: its blob, and its mode."""

    blob: Oid
    mode: int

    @property
    def executable(self) -> bool:
        """Whether it is a file that can be run."""
        return self.regular and bool(self.mode & 0o111)

    @property
    def submodule(self) -> bool:
        """Whether it is a repository of its own, of which git has the commit alone."""
        return self.mode == _SUBMODULE

    @property
    def regular(self) -> bool:
        """Whether it is a file, and no link or submodule."""
        return self.mode not in (_LINK, _SUBMODULE)


def beyond(repo: Repository, own: Oid, head: Oid) -> Iterator[Node]:
    """Yield the commits that a head has and `own` has not, the newest first."""
    walker = repo.raw.walk(pygit2.Oid(hex=head))
    walker.hide(pygit2.Oid(hex=own))
    yield from (_node(repo, commit) for commit in walker)


def made(repo: Repository, without: Oid, tip: Oid, paths: Collection[str]) -> dict[str, Oid]:
    """Return those of `paths` that are at `tip` as a commit made them which `without` has not seen, with that commit.

    A merge of ours decides nothing: what it left out is as its parents have it. A merge by others made what it has
    otherwise than each of its parents.
    """
    wanted = {path: entry(repo, tip, path) for path in paths}
    found: dict[str, Oid] = {}
    for node in beyond(repo, without, tip) if wanted else ():
        if node.ours and len(node.parents) > 1:
            continue
        changes = [difference(repo, parent, node.id) for parent in node.parents or (None,)]
        for path, there in wanted.items():
            if path not in found and all(path in changed and changed[path][1] == there for changed in changes):
                found[path] = node.id
    return found


def has_content(repo: Repository, own: Oid, head: Oid) -> bool:
    """Return whether a history holds more that `own` lacks than merges of ours, which hold nothing of their own."""
    return any(len(one.parents) < _MERGED or not one.ours for one in beyond(repo, own, head))


def _node(repo: Repository, commit: pygit2.Commit) -> Node:
    parents = tuple(str(oid) for oid in commit.parent_ids if oid in repo.raw)
    return Node(str(commit.id), parents, commit.commit_time, commit.committer.email == COMMITTER[1])


def common(repo: Repository, one: Oid, other: Oid) -> Oid | None:
    """Return the newest commit that both come from, None where there is none."""
    found = repo.raw.merge_base(pygit2.Oid(hex=one), pygit2.Oid(hex=other))
    return str(found) if found else None


def difference(repo: Repository, before: Oid | None, after: Oid | None) -> dict[str, tuple[Entry | None, Entry | None]]:
    """Return the files that differ between two commits (None: nothing), by path, as they are in each."""
    old, new = (None if one is None else repo.raw[one].peel(pygit2.Tree) for one in (before, after))
    return dict(_differing(old, new, ""))


def _differing(
    old: pygit2.Tree | None, new: pygit2.Tree | None, prefix: str
) -> Iterator[tuple[str, tuple[Entry | None, Entry | None]]]:
    if old is not None and new is not None and old.id == new.id:
        return
    was, now = ({one.name or "": one for one in tree} if tree is not None else {} for tree in (old, new))
    for name in {**was, **now}:
        here, there = was.get(name), now.get(name)
        if here is not None and there is not None and (here.id, here.filemode) == (there.id, there.filemode):
            continue
        inner, outer = (one if isinstance(one, pygit2.Tree) else None for one in (here, there))
        if inner is not None or outer is not None:
            yield from _differing(inner, outer, f"{prefix}{name}/")
        files = tuple(
            Entry(str(one.id), one.filemode) if one is not None and not isinstance(one, pygit2.Tree) else None
            for one in (here, there)
        )
        if any(files):
            yield prefix + name, (files[0], files[1])


def entry(repo: Repository, commit: Oid | None, path: str) -> Entry | None:
    """Return the file at `path` in a commit, None where there is none."""
    if commit is None:
        return None
    try:
        found = repo.raw[commit].peel(pygit2.Tree) / path
    except KeyError:
        return None
    return None if found.filemode == _FOLDER else Entry(str(found.id), found.filemode)
