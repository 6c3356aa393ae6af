"""What is unusual about a repository."""

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from clawgit.errors import ClawgitError
from clawgit.git import pending, repository
from clawgit.git.command import OLDEST, git, version
from clawgit.git.lock import IndexLock
from clawgit.git.repository import Repository

_PASSED_OVER = frozenset({"node_modules", ".venv", "venv", "__pycache__"})


def require_git() -> str:
    """Return git's version. Raises ClawgitError when git is missing or older than we need."""
    found = version()
    said = ".".join(map(str, found))
    if found < OLDEST:
        raise ClawgitError(
            f"git is version {said}; clawgit needs {'.'.join(map(str, OLDEST))} or newer", fix="apt-get install git"
        )
    return said


def promisors(repo: Repository) -> tuple[str, ...]:
    """Return the remotes that keep objects of a partial clone from it."""
    try:
        listed = git(repo.root, "config", "-z", "--get-regexp", r"^remote\..*\.promisor$").decode()
    except ClawgitError:
        return ()  # git ends with 1 where no key is like that
    pairs = (record.split("\n", 1) for record in listed.split("\0") if "\n" in record)
    return tuple(key.removeprefix("remote.").removesuffix(".promisor") for key, value in pairs if value == "true")


def left_out(repo: Repository) -> tuple[str, ...]:
    """Return the tracked files that a sparse checkout leaves out."""
    listed = git(repo.root, "ls-files", "-t", "-z").split(b"\0")
    return tuple(
        os.fsdecode(line[2:])
        for line in listed
        if line.startswith(b"S ") and not os.path.lexists(repo.root / os.fsdecode(line[2:]))
    )


def nested(repo: Repository) -> Iterator[str]:
    """Yield the folders below the root that are repositories of their own, submodules too."""
    for folder, names, _ in os.walk(repo.root):
        names[:] = sorted(name for name in names if name != ".git" and name not in _PASSED_OVER)
        for name in list(names):
            inner = Path(folder) / name
            if os.path.lexists(inner / ".git"):
                names.remove(name)
                yield inner.relative_to(repo.root).as_posix()


def interrupted(repo: Repository) -> bool:
    """Tell whether a writer of ours died before it was done."""
    return pending.announced(repo) is not None or IndexLock(repo).ours()


def hiding_rules(repo: Repository, paths: Collection[str]) -> dict[str, str]:
    """Return for each of `paths` that git was told to leave out, and does not track, the rule: `FILE:LINE: RULE`."""
    head = repository.head(repo)
    hidden = [path for path in paths if repository.ignored(repo, path) and not repository.blob_id(repo, head, path)]
    if not hidden:
        return {}
    names = b"".join(b"./%s\0" % os.fsencode(path) for path in hidden)  # ./ keeps a colon from meaning anything
    arguments = ("check-ignore", "-v", "-z", "--no-index", "--stdin")
    parts = [os.fsdecode(part) for part in git(repo.root, *arguments, stdin=names, literal=False).split(b"\0")[:-1]]
    rows = zip(parts[::4], parts[1::4], parts[2::4], parts[3::4], strict=True)
    return {path.removeprefix("./"): f"{file}:{line}: {rule}" for file, line, rule, path in rows}
