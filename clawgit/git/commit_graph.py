"""The commits that several heads do not have in common."""

import os
from collections.abc import Collection, Iterable, Iterator

import pygit2
from msgspec import Struct

from clawgit.git.repository import COMMITTER, Oid, Repository, reaches

_MERGE_PARENTS = 2  # so many parents
_FOLDER, _LINK, _SUBMODULE = 0o040000, 0o120000, 0o160000


class Node(Struct, frozen=True):
    """A commit and its parents, as far as they are here; `ours` is False after a rewrite by somebody else."""

    id: Oid
    parents: tuple[Oid, ...]
    ours: bool


class TreeEntry(Struct, frozen=True):
    """A file in a commit: its blob, and its mode."""

    blob: Oid
    mode: int

    @property
    def executable(self) -> bool:
        """Whether it is a file that can be run."""
        return self.regular and bool(self.mode & 0o111)

    @property
    def regular(self) -> bool:
        """Whether it is a file, and no link or submodule."""
        return self.mode not in (_LINK, _SUBMODULE)


def list_beyond(repo: Repository, own: Oid, head: Oid) -> Iterator[Node]:
    """Yield the commits that a head has and `own` has not, the newest first."""
    walker = repo.raw.walk(pygit2.Oid(hex=head))
    walker.hide(pygit2.Oid(hex=own))
    return (read_node(repo, str(commit.id)) for commit in walker)


def read_node(repo: Repository, oid: Oid) -> Node:
    """Return a commit with its parents."""
    commit = repo.raw[oid].peel(pygit2.Commit)
    # A shallow clone names parents that it does not have.
    parents = tuple(str(parent) for parent in commit.parent_ids if parent in repo.raw)
    return Node(oid, parents, commit.committer.email == COMMITTER[1])


def list_independent(repo: Repository, commits: Iterable[Oid]) -> list[Oid]:
    """Return the commits that are in no history of another one, sorted."""
    heads = sorted(set(commits))
    return [head for head in heads if not any(head != other and reaches(repo, other, head) for other in heads)]


def find_commits(repo: Repository, base: Oid, tip: Oid, paths: Collection[str]) -> dict[str, Oid]:
    """Return the commits, unknown to `base`, that gave `paths` their content at `tip`, by path.

    A merge of ours decides nothing: a path that it left out is as in its parents. A merge by others made the content
    that differs from each of its parents.
    """
    entries = {path: entry(repo, tip, path) for path in paths}
    commits: dict[str, Oid] = {}
    for node in list_beyond(repo, base, tip) if entries else ():
        if node.ours and len(node.parents) > 1:
            continue
        changes = [difference(repo, parent, node.id) for parent in node.parents or (None,)]
        for path, file_entry in entries.items():
            if path not in commits and all(path in changed and changed[path][1] == file_entry for changed in changes):
                commits[path] = node.id
    return commits


def has_content(repo: Repository, own: Oid, head: Oid) -> bool:
    """Return whether a history has more that `own` lacks than merges of ours, which have no content of their own."""
    return any(len(node.parents) < _MERGE_PARENTS or not node.ours for node in list_beyond(repo, own, head))


def common(repo: Repository, oid: Oid, other: Oid) -> Oid | None:
    """Return the newest common ancestor of two commits, None if there is none."""
    ancestor = repo.raw.merge_base(pygit2.Oid(hex=oid), pygit2.Oid(hex=other))
    return str(ancestor) if ancestor else None


def difference(
    repo: Repository, before: Oid | None, after: Oid | None
) -> dict[str, tuple[TreeEntry | None, TreeEntry | None]]:
    """Return the files that differ between two commits (None: nothing), by path, as they are in each."""
    old, new = (None if oid is None else repo.raw[oid].peel(pygit2.Tree) for oid in (before, after))
    tree = old or new
    if tree is None:
        return {}
    # Without this flag libgit2 splits the change from a file to a link into two entries.
    flags = pygit2.enums.DiffOption.INCLUDE_TYPECHANGE
    diff = tree.diff_to_tree(new, flags) if old and new else tree.diff_to_tree(flags=flags, swap=old is None)
    return {
        os.fsdecode(delta.new_file.raw_path): (_read_side(delta.old_file), _read_side(delta.new_file))
        for delta in diff.deltas
    }


def _read_side(file: pygit2.DiffFile) -> TreeEntry | None:
    return TreeEntry(str(file.id), file.mode) if file.mode else None


def entry(repo: Repository, commit: Oid | None, path: str) -> TreeEntry | None:
    """Return the file at `path` in a commit, None if there is none."""
    if commit is None:
        return None
    try:
        item = repo.raw[commit].peel(pygit2.Tree) / path
    except KeyError:
        return None
    return None if item.filemode == _FOLDER else TreeEntry(str(item.id), item.filemode)
