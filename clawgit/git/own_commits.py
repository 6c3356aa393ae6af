"""Which commits clawgit made in this repository: their trailers are facts, those of any other commit are claims."""

import contextlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from clawgit.errors import ClawgitError
from clawgit.git import regular_file
from clawgit.git.git_command import git
from clawgit.git.repository import COMMITTER, Oid, Repository

NAME = "own-commits"
"""The file in the state folder: a commit on each line, `+` before one that a sync brought to the branch."""
_LARGEST_RECORD = 64 << 20
_MOVED_BY_US = b"\tclawgit: "  # in a reflog
_cached: dict[Path, tuple[tuple[int, ...], frozenset[str]]] = {}


def known(repo: Repository) -> frozenset[str]:
    """Return the lines of the record; none where it is missing or cannot be read, and then nothing is our own."""
    place = _record_of(repo)
    if not place.exists():
        _enter_former(repo)
    try:
        status = place.lstat()
        version = status.st_ino, status.st_size, status.st_mtime_ns
        if _cached.get(place, ((), frozenset()))[0] != version:
            data = b"" if place.is_symlink() else regular_file.read(place, _LARGEST_RECORD)
            _cached[place] = version, frozenset(data.decode("ascii", "replace").split())
        return _cached[place][1]
    except OSError:
        return frozenset()


def note(repo: Repository, made: Iterable[Oid], brought: Iterable[Oid] = ()) -> None:
    """Add commits that are on no branch yet: those made here, and tips that a sync is to bring. Raises OSError."""
    place, rows = _record_of(repo), [*made, *(f"+{oid}" for oid in brought)]
    if not place.exists():
        _enter_former(repo)
        place.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write("\n".join(["", *rows, ""]).encode())  # a line that a kill left unfinished ends here


def rename(repo: Repository, moved: Mapping[Oid, Oid]) -> None:
    """Add the new ids of commits of the record; to be called before any reference leads to these. Raises OSError."""
    note(repo, [line[:-40] + moved[line[-40:]] for line in known(repo) if line[-40:] in moved])


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
