"""Unusual properties of a repository."""

import contextlib
import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pygit2
from msgspec import Struct

from clawgit.errors import ClawgitError, Command, git_old
from clawgit.git import git_index, history, pending_work, repository
from clawgit.git.git_command import OLDEST, git, git_version
from clawgit.git.locks import IndexLock
from clawgit.git.repository import Repository

_PASSED_OVER = frozenset({"node_modules", ".venv", "venv", "__pycache__"})


def require_git() -> str:
    """Return git's version. Raises ClawgitError when git is missing or older than we need."""
    numbers = git_version()
    text = ".".join(map(str, numbers))
    if numbers < OLDEST:
        raise git_old(f"git {text} is older than {'.'.join(map(str, OLDEST))}", fix=Command("apt-get install git"))
    return text


def promisors(repo: Repository) -> tuple[str, ...]:
    """Return the remotes that keep objects of a partial clone from it."""
    try:
        output = git(repo.root, "config", "-z", "--get-regexp", r"^remote\..*\.promisor$").decode()
    except ClawgitError:
        return ()  # git ends with 1 where no key is like that
    pairs = (record.split("\n", 1) for record in output.split("\0") if "\n" in record)
    return tuple(key.removeprefix("remote.").removesuffix(".promisor") for key, value in pairs if value == "true")


def list_left_out(repo: Repository, *paths: str) -> tuple[str, ...]:
    """Return the tracked files, among `paths` if there are any, that a sparse checkout leaves out."""
    lines = git(repo.root, "ls-files", "-t", "-z", "--", *paths).split(b"\0")
    return tuple(
        os.fsdecode(line[2:])
        for line in lines
        if line.startswith(b"S ") and not os.path.lexists(repo.root / os.fsdecode(line[2:]))
    )


def list_nested_repositories(repo: Repository) -> Iterator[str]:
    """Yield the folders below the root that are repositories of their own, submodules too."""
    for folder, names, _ in os.walk(repo.root):
        names[:] = sorted(name for name in names if name != ".git" and name not in _PASSED_OVER)
        for name in list(names):
            inner = Path(folder) / name
            if os.path.lexists(inner / ".git"):
                names.remove(name)
                yield inner.relative_to(repo.root).as_posix()


def has_interrupted_write(repo: Repository) -> bool:
    """Return whether a writer of ours died before it was done."""
    return pending_work.has_unfinished_work(repo) or IndexLock(repo).ours()


def hiding_rules(repo: Repository, paths: Collection[str]) -> dict[str, str]:
    """Return the ignore rule of each untracked path among `paths` that has one, as `FILE:LINE: RULE`."""
    head = repository.head(repo)
    # Git looks at no path at all where one of them leads through a link.
    hidden_paths = [
        path for path in paths if repository.ignored(repo, path) and not repository.blob_id(repo, head, path)
    ]
    if not hidden_paths:
        return {}
    names = b"".join(b"./%s\0" % os.fsencode(path) for path in hidden_paths)  # ./ keeps a colon from meaning anything
    arguments = ("check-ignore", "-v", "-z", "--no-index", "--stdin")
    output = b""
    with contextlib.suppress(ClawgitError):  # git ends with 1 where no rule covers any
        output = git(repo.root, *arguments, stdin=names, literal=False)
    parts = [os.fsdecode(part) for part in output.split(b"\0")[:-1]]
    rows = zip(parts[::4], parts[1::4], parts[2::4], parts[3::4], strict=True)
    return {path.removeprefix("./"): f"{file}:{line}: {rule}" for file, line, rule, path in rows if rule[0] != "!"}


_EARLIER = "an earlier commit"


class Damaged(Struct, frozen=True):
    """An object of a commit that is not here or cannot be read: a file's, or that of a folder, which ends with `/`."""

    path: str
    oid: str
    why: str
    fix: Command


def list_damaged(repo: Repository, commit: str, progress: Callable[[int, int], object]) -> Iterator[Damaged]:
    """Yield the missing objects of `commit`, and the missing commits before it; Markdown is read whole.

    Nothing is fetched. `progress` gets the number of objects looked at, and of those known so far. Submodules are left
    out, and the recorded gaps of a shallow clone.
    """
    raw, count, ends, visited_ids = repo.raw, 0, history.cut_off(repo), set[pygit2.Oid]()
    waiting = [(_EARLIER, raw[commit].id, True), ("", raw[commit].peel(pygit2.Commit).tree_id, True)]
    while waiting:
        path, oid, read = waiting.pop()
        progress(count := count + 1, count + len(waiting))
        try:
            item = raw[oid] if read or oid not in raw.odb else None
        except (KeyError, pygit2.GitError) as exc:
            reason = "cannot be read" if oid in raw.odb and not isinstance(exc, KeyError) else "is not here"
            yield Damaged(path, str(oid), reason, _make_restore_command(repo, path, str(oid)))
            continue
        if item is not None and path == _EARLIER:
            before = item.peel(pygit2.Commit).parent_ids if str(oid) not in ends else ()
            parents = [parent for parent in before if parent not in visited_ids]
            visited_ids.update(parents)
            waiting += [(_EARLIER, parent, True) for parent in parents]
        elif isinstance(item, pygit2.Tree):
            children = ((f"{path}{child.name}", child) for child in item if child.type_str != "commit")
            waiting += [
                (f"{name}/", child.id, True) if child.type_str == "tree" else (name, child.id, name.endswith(".md"))
                for name, child in children
            ]


def _make_restore_command(repo: Repository, path: str, oid: str) -> Command:
    """Return the command that brings an object back: from the file, if that still is as it was committed."""
    with contextlib.suppress(OSError):
        if not path.endswith("/") and repository.hash_blob((repo.root / path).read_bytes()) == oid:
            # Git writes no object over one that exists, even a damaged one.
            loose = repo.commondir / "objects" / oid[:2] / oid[2:]
            return Command("rm -f {} && git hash-object -w --no-filters {}", loose, path)
    remotes = (*promisors(repo), *repo.raw.remotes.names())
    if remotes:
        return Command("git fetch --refetch --no-filter {}", remotes[0])
    return Command("git fsck", note="names all that lack it")


LINK = "160000"
"""The mode under which git keeps a commit of another repository."""


def index(repo: Repository) -> dict[str, str]:
    """Return the paths in git's index with their modes."""
    return {path: mode for path, mode, *_ in git_index.list_index_entries(repo)}


class Folder(Struct, frozen=True):
    """The folder that git takes hooks from.

    `setting` is the value of core.hooksPath, "" if it is not set; `scope` is its place: local, worktree, global, system
    or command.
    """

    place: Path
    setting: str = ""
    scope: str = ""


def folder(repo: Repository) -> Folder:
    """Return the folder of the hooks of this working tree; it need not exist."""
    place = repo.root / os.fsdecode(git(repo.root, "rev-parse", "--git-path", "hooks", hooks=True))[:-1]
    fields = os.fsdecode(git(repo.root, "config", "--show-scope", "-z", "--list", hooks=True)).split("\0")
    result = Folder(place)
    for scope, pair in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = pair.partition("\n")
        if key == "core.hookspath":
            result = Folder(place, value, scope)
    return result


SECONDS = 600.0


def pack(repo: Repository, seconds: float = SECONDS) -> None:
    """Let git pack, if it finds many loose objects, and drop objects that have been unreachable for two weeks.

    Git does so after its own commits; ours are made without it. The operator's `gc.*` settings apply: with `gc.auto =
    0` nothing is done. Raises ClawgitError.
    """
    git(repo.root, "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet", timeout=seconds)
