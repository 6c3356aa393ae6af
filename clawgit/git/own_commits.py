"""Which commits clawgit made in this repository."""

import contextlib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from clawgit.errors import ClawgitError
from clawgit.git import regular_file
from clawgit.git.git_command import git
from clawgit.git.repository import COMMITTER, Oid, Repository

NAME = "own-commits"
"""The file in the state folder: a commit on each line."""
_LARGEST_RECORD = 64 << 20
_MOVED_BY_US = b"\tclawgit: "  # in a reflog
_MADE_BY_GIT = re.compile(rb"(?:commit|am|rebase|cherry-pick|revert)\b")
_cached: dict[Path, tuple[tuple[int, ...], frozenset[str]]] = {}


def known(repo: Repository) -> frozenset[Oid]:
    """Return the commits of the record; none where it is missing or cannot be read, and then nothing is our own."""
    place = _record_of(repo)
    try:
        if not place.exists():
            _enter_former(repo)
        status = place.lstat()
        version = status.st_ino, status.st_size, status.st_mtime_ns
        if _cached.get(place, ((), frozenset()))[0] != version:
            data = b"" if place.is_symlink() else regular_file.read(place, _LARGEST_RECORD)
            _cached[place] = version, frozenset(data.decode("ascii", "replace").split())
        return _cached[place][1]
    except OSError:
        return frozenset()


def note(repo: Repository, made: Iterable[Oid]) -> None:
    """Add commits that were made here and are on no branch yet. Raises OSError."""
    place = _record_of(repo)
    if not place.exists():
        _enter_former(repo)
        place.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write("\n".join(["", *made, ""]).encode())  # a line that a kill left unfinished ends here


def rename(repo: Repository, moved: Mapping[Oid, Oid]) -> None:
    """Add the new ids of commits of the record; to be called before any reference leads to these. Raises OSError."""
    note(repo, [moved[oid] for oid in known(repo) if oid in moved])


def made_by_git(repo: Repository) -> frozenset[Oid]:
    """Return the commits that git's log of HEAD has as made here, by `git commit`, `am`, a rebase and the like."""
    try:
        rows = (repo.gitdir / "logs/HEAD").read_bytes().splitlines()
    except OSError:
        return frozenset()
    return frozenset(row[41:81].decode() for row in rows if _MADE_BY_GIT.match(row.partition(b"\t")[2]))


def _record_of(repo: Repository) -> Path:
    return repo.commondir / "clawgit" / "state" / NAME


def _enter_former(repo: Repository) -> None:
    """Enter, once, what says to be of clawgit where a version without records wrote: reflogs tell, a clone has none."""
    logs = (repo.commondir / "logs/refs/heads").rglob("*")
    with contextlib.suppress(OSError, ClawgitError):
        if any(_MOVED_BY_US in log.read_bytes() for log in logs if log.is_file()):
            desk = (f"--glob=refs/clawgit/{name}" for name in ("proposals", "rejected", "pending*"))
            wanted = ("--fixed-strings", f"--committer=<{COMMITTER[1]}>", "HEAD", *desk)
            listed = git(repo.root, "rev-list", *wanted, "--")
            place = _record_of(repo)
            place.parent.mkdir(parents=True, exist_ok=True)
            beside = place.with_name(f"{NAME}.{os.getpid()}.new")
            beside.write_bytes(listed)
            beside.replace(place)
