"""Builds commits that are on no branch yet."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath

import pygit2
from msgspec import Struct, field
from pygit2.enums import FileMode

from clawgit.git import own_commits, repository
from clawgit.git.commit_graph import TreeEntry, difference, entry
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository

_MANY = 200
_IMPORT_SECONDS = 600
Merge = Callable[[str, bytes | None, bytes | None, bytes | None], bytes | None]
"""`merge(path, base, ours, theirs)`: never refuses; where both changed the same place, both versions are kept."""


class NewCommit(Struct, frozen=True):
    """A commit to be made: the files to set (bytes) or to remove (None) in the tree of its parent.

    `entries` are existing blobs, or blobs with a mode of their own. `others` are further parents, of a merge; `made` is
    the commit itself if it exists already, and `files` are then its differences. `again` is the commit with the same
    message: the new one is our own if that one was.
    """

    message: str
    author: tuple[str, str]
    when: datetime
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    others: tuple[Oid, ...] = ()
    made: Oid | None = None
    entries: Mapping[str, TreeEntry | None] = field(default_factory=dict)
    again: Oid | None = None


def build(repo: Repository, parent: Oid | None, commits: Sequence[NewCommit]) -> tuple[Oid, ...]:
    """Write blobs, trees and commits, one on the other, and enter them as our own; return their ids, oldest first."""
    oids: list[Oid] = []
    for commit in commits:
        if commit.made:
            parent = commit.made
            oids.append(parent)
            continue
        blobs = {path: TreeEntry(oid, 0) if oid else None for path, oid in _write_blobs(repo, commit.files).items()}
        root = repo.raw[parent].peel(pygit2.Tree) if parent else None
        files = {PurePosixPath(path).parts: file for path, file in {**blobs, **commit.entries}.items()}
        tree = _rebuilt(repo, root, files)
        offset = commit.when.utcoffset()
        minutes = int(offset.total_seconds() // 60) if offset else 0
        stamp = int(commit.when.timestamp())
        author = pygit2.Signature(*commit.author, stamp, minutes)
        committer = pygit2.Signature(*repository.COMMITTER, stamp, minutes)
        parents = [pygit2.Oid(hex=oid) for oid in (parent, *commit.others) if oid]
        parent = str(repo.raw.create_commit(None, author, committer, commit.message, tree, parents))
        oids.append(parent)
    # A rebuilt commit of others must not become our own.
    new = [(oid, commit.again) for oid, commit in zip(oids, commits, strict=True) if not commit.made]
    own = [oid for oid, origin in new if origin is None or origin in own_commits.read_own_commits(repo)]
    own_commits.record_own_commits(repo, own)
    return tuple(oids)


def _write_blobs(repo: Repository, files: Mapping[str, bytes | None]) -> dict[str, Oid | None]:
    """Write the files' contents; very many of them as one pack, with one wait for the disk."""
    # libgit2 writes loose objects, and waits for the disk after each of them.
    if len(files) > _MANY:
        stream = b"".join(b"blob\ndata %d\n%b\n" % (len(data), data) for data in files.values() if data is not None)
        git(repo.root, "fast-import", "--quiet", stdin=stream, timeout=_IMPORT_SECONDS)
        return {path: None if data is None else repository.hash_blob(data) for path, data in files.items()}
    return {path: None if data is None else str(repo.raw.create_blob(data)) for path, data in files.items()}


_FilesByParts = Mapping[tuple[str, ...], TreeEntry | None]
"""Files by the parts of their paths; of mode 0 is what keeps the mode that it has."""


def _rebuilt(repo: Repository, tree: pygit2.Tree | None, files: _FilesByParts) -> pygit2.Oid:
    builder = repo.raw.TreeBuilder(tree) if tree is not None else repo.raw.TreeBuilder()
    folders: dict[str, dict[tuple[str, ...], TreeEntry | None]] = {}
    for (name, *rest), file in files.items():
        if rest:
            folders.setdefault(name, {})[tuple(rest)] = file
    for name, inner in folders.items():
        _put_folder(repo, builder, tree, name, inner)
    for (name, *rest), file in files.items():
        if not rest and file is not None:
            present = _find_child(tree, name)
            is_executable = present is not None and present.filemode == FileMode.BLOB_EXECUTABLE
            mode = file.mode or (FileMode.BLOB_EXECUTABLE if is_executable else FileMode.BLOB)
            builder.insert(name, pygit2.Oid(hex=file.blob), FileMode(mode))
        elif not rest and name not in folders and builder.get(name) is not None:
            builder.remove(name)
    return builder.write()


def _put_folder(
    repo: Repository,
    builder: pygit2.TreeBuilder,
    tree: pygit2.Tree | None,
    name: str,
    inner: _FilesByParts,
) -> None:
    present = _find_child(tree, name)
    folder = present if isinstance(present, pygit2.Tree) else None
    oid = _rebuilt(repo, folder, inner)
    # Git stores no empty folders.
    if len(repo.raw[oid].peel(pygit2.Tree)):
        builder.insert(name, oid, FileMode.TREE)
    elif folder is not None:
        builder.remove(name)


def _find_child(tree: pygit2.Tree | None, name: str) -> pygit2.Object | None:
    return tree[name] if tree is not None and name in tree else None


def list_chain(repo: Repository, base: Oid | None, tip: Oid) -> tuple[Oid, ...]:
    """Return the commits from `base` to `tip`, oldest first."""
    oids: list[Oid] = []
    oid: Oid | None = tip
    while oid is not None and oid != base:
        oids.append(oid)
        parents = repo.raw[oid].peel(pygit2.Commit).parent_ids
        oid = str(parents[0]) if parents else None
    return tuple(reversed(oids))


def rebuilt_on(
    repo: Repository, base: Oid | None, tip: Oid, parent: Oid, merge: Merge, commit_time: datetime | None = None
) -> Oid:
    """Make the chain again on `parent`, with the same messages, each touched path merged; return the new tip.

    If the new parent already has our bytes, a commit without changes carries the message. With `when` the commits are
    of that moment, and so differ even on the same parent. A merge of other histories is merged once more as a whole:
    their commits stay as they are.
    """
    chain = list_chain(repo, base, tip)
    as_whole = merges(repo, base, chain) or is_anothers(repo, tip)
    for oid in (tip,) if as_whole else chain:
        commit = repo.raw[oid].peel(pygit2.Commit)
        files, entries = dict[str, bytes | None](), dict[str, TreeEntry | None]()
        for path in list_changed_paths(repo, base, oid):
            before, ours, theirs = (repository.read(repo, version, path) for version in (base, parent, oid))
            data = files[path] = theirs if ours in (before, theirs) else merge(path, before, ours, theirs)
            made = entry(repo, oid, path)
            if data is not None and made and made.executable:
                entries[path] = TreeEntry(repository.hash_blob(data), made.mode)
        new_commit = NewCommit(
            commit.message,
            (commit.author.name, commit.author.email),
            commit_time or repository.moment(commit.commit_time, commit.commit_time_offset),
            files,
            others=(tip,) if as_whole else (),
            entries={} if as_whole else entries,
            again=oid,
        )
        base, parent = oid, build(repo, parent, [new_commit])[0]
    return parent


def merges(repo: Repository, base: Oid | None, chain: Sequence[Oid]) -> bool:
    """Return whether a chain is more than a linear sequence of commits on `base`."""
    parents = [repo.raw[oid].peel(pygit2.Commit).parent_ids for oid in chain]
    return any(len(parent_ids) > 1 for parent_ids in parents) or (
        bool(parents) and [*map(str, parents[0])] != [base] * bool(base)
    )


def is_anothers(repo: Repository, tip: Oid) -> bool:
    """Return whether a commit came from another machine: made again, it would be there twice."""
    theirs = (
        reference
        for reference in repo.raw.references
        if reference.startswith(("refs/remotes/", "refs/clawgit/remotes/"))
    )
    heads = (str(repo.raw.references[reference].resolve().target) for reference in theirs)
    return any(head in repo.raw and repository.reaches(repo, head, tip) for head in heads)


def list_changed_paths(repo: Repository, before: Oid | None, after: Oid) -> tuple[str, ...]:
    """Return the paths with different content in two commits, sorted; renames are not guessed."""
    return tuple(sorted(difference(repo, before, after)) if before is not None else repository.files(repo, after))
