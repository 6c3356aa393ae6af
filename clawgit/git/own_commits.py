"""Local records: our commits, notes on a working tree."""

import contextlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from clawgit import file_roles
from clawgit.errors import ClawgitError
from clawgit.git import regular_file
from clawgit.git.git_command import git
from clawgit.git.repository import COMMITTER, Oid, Repository

OWN_COMMITS_FILE = "own-commits"
"""The file in the state folder: a commit on each line, with `BROUGHT` before one that came from another machine."""
BROUGHT = "+"
_MOVED_BY_US = b"\tclawgit: "  # in a reflog
_cached: dict[Path, tuple[tuple[int, ...], frozenset[str]]] = {}


def read_own_commits(repo: Repository) -> frozenset[Oid]:
    """Return the lines of the record; none if it is missing or unreadable, and then no commit is our own."""
    place = _record_of(repo)
    try:
        if not place.exists():
            _enter_former(repo)
        status = place.lstat()
        # Another process may add to the record while this one runs.
        version = status.st_ino, status.st_size, status.st_mtime_ns
        if _cached.get(place, ((), frozenset()))[0] != version:
            _cached[place] = version, frozenset(regular_file.read_words(place))
        return _cached[place][1]
    except OSError:
        return frozenset()


def record_own_commits(repo: Repository, oids: Iterable[Oid]) -> None:
    """Add lines for commits that are on no branch yet. Raises OSError."""
    place = _record_of(repo)
    if not place.exists():
        _enter_former(repo)
    regular_file.append_lines(place, "".join(f"{oid}\n" for oid in oids).encode())


def rename(repo: Repository, new_ids: Mapping[Oid, Oid]) -> None:
    """Add the new ids of commits of the record; to be called before any reference leads to these. Raises OSError."""
    lines = (line.rpartition(BROUGHT) for line in read_own_commits(repo))
    record_own_commits(repo, [mark + new_ids[oid] for _, mark, oid in lines if oid in new_ids])


def _record_of(repo: Repository) -> Path:
    return repo.commondir / "clawgit" / "state" / OWN_COMMITS_FILE


def _enter_former(repo: Repository) -> None:
    """Record, once, the commits that claim to be of clawgit: those of a clone came from another machine."""
    logs = (repo.commondir / "logs/refs/heads").rglob("*")
    if any((repo.commondir / "clawgit/rejected").glob(f"{OWN_COMMITS_FILE}.*")):
        return  # there was a record, and it was no file of ours
    with contextlib.suppress(OSError, ClawgitError):
        # Our entries in a reflog are not cloned with it.
        is_former = any(_MOVED_BY_US in log.read_bytes() for log in logs if log.is_file())
        if is_former or (repo.root / file_roles.FORMAT).exists():
            desk = (f"--glob=refs/clawgit/{name}" for name in ("proposals", "rejected", "pending*"))
            options = ("--fixed-strings", f"--committer=<{COMMITTER[1]}>", "HEAD", *desk)
            oids = git(repo.root, "rev-list", *options, "--").decode().split()
            lines = (f"{'' if is_former else BROUGHT}{oid}\n" for oid in oids)
            regular_file.replace_state(_record_of(repo), "".join(lines).encode())


NOTES_FILE, INDEX, LEAVING = "notes.json", "index", "leaving"
T = TypeVar("T")


def read_local_note(repo: Repository, name: str, schema: type[T]) -> T | None:
    """Return a note; None without one that fits the schema."""
    notes = regular_file.parse_state(repo.room / NOTES_FILE, dict[str, Any]) or {}
    with suppress(msgspec.MsgspecError):
        return msgspec.convert(notes[name], schema) if name in notes else None
    return None


def has_written(folder: Path) -> bool:
    """Return whether a write of clawgit's went through the folder of its state: it leaves a mark of git's index."""
    return INDEX in (regular_file.parse_state(folder / NOTES_FILE, dict[str, Any]) or {})


def save_local_note(repo: Repository, name: str, value: object) -> None:
    """Keep a note in place of the last one of that name. Raises OSError."""
    place = repo.room / NOTES_FILE
    regular_file.make_folders(place.parent)
    with regular_file.locked_folder(place.parent):
        notes = regular_file.parse_state(place, dict[str, Any]) or {}
        regular_file.save_state(place, {**notes, name: value})
