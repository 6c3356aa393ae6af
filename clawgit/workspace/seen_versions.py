"""Versions of files that were seen, and no commit has."""

import contextlib
import os
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, file_unwritable, quoted, version_unknown
from clawgit.git import regular_file, repository, worktree_files
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.outside.sqlite_file import write_ahead
from clawgit.safety.private import make_private
from clawgit.workspace import write_guard
from clawgit.workspace.file_contents import loosely, text_of
from clawgit.workspace.leaked_secrets import Leaked

MOST_VERSIONS = 400
"""So many versions are kept of one file, the newest."""
MOST_BYTES = 64 << 20
"""So many bytes are kept in all, compressed; the oldest go first."""
DAYS = 30
"""After so many days a version goes."""
_PATIENCE = 10.0  # seconds
_SHORTEST = 4  # digits of an id

_SCHEMA = (
    "PRAGMA synchronous = NORMAL",
    """CREATE TABLE IF NOT EXISTS seen (path BLOB NOT NULL, id TEXT NOT NULL, at REAL NOT NULL,
        size INTEGER NOT NULL, packed INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (path, id))""",
    "CREATE INDEX IF NOT EXISTS by_time ON seen (at)",
)


class SeenVersion(Struct, frozen=True):
    """A version of a file: git's id of its bytes, and when it was last seen."""

    path: str
    id: Oid
    at: datetime
    data: bytes

    @property
    def text(self) -> str | None:
        """Its text; None where it is none."""
        return text_of(self.data)


class Listed(Struct, frozen=True):
    """A version beside the file as it stands: how many lines would come and go with it.

    `alone` are lines that neither the file nor its last commit has.
    """

    version: SeenVersion
    added: int
    removed: int
    alone: tuple[str, ...]

    @property
    def restore(self) -> str:
        """The command that brings it back."""
        return f"clawgit restore {quoted(self.version.path)} --seen {self.version.id[:10]}"


class SeenVersions:
    """The versions of one working tree, in `.git/clawgit/state/seen.db`."""

    def __init__(self, repo: Repository) -> None:
        """Open them, for writing. Raises ClawgitError where that cannot be."""
        place = _place(repo)
        try:
            make_private(place)
            self._database = _opened(place)
            self._bytes = int(self._rows("SELECT coalesce(sum(packed), 0) FROM seen")[0][0])
        except (OSError, sqlite3.Error) as exc:
            raise file_unwritable(f"cannot write {place}: {exc}", fix=Command("ls -l {}", place)) from exc

    def close(self) -> None:
        """Close them."""
        self._database.close()

    def keep(self, path: str, data: bytes, at: float) -> bool:
        """Keep a version that was seen at a moment (seconds since 1970); False where it was kept before.

        Raises ClawgitError.
        """
        name, oid = os.fsencode(path), repository.hash_blob(data)
        packed = zlib.compress(data, 6)
        with _translated(), self._database:
            if self._database.execute("UPDATE seen SET at = ? WHERE path = ? AND id = ?", (at, name, oid)).rowcount:
                return False
            row = (name, oid, at, len(data), len(packed), packed)
            self._database.execute("INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?)", row)
            self._bytes += len(packed)
            self._drop("path = ? ORDER BY at DESC, rowid DESC LIMIT -1 OFFSET ?", name, MOST_VERSIONS)
            while self._bytes > MOST_BYTES:
                self._drop("1 ORDER BY at, rowid LIMIT 16")
        return True

    def drop(self, gone: Callable[[str, Oid], bool]) -> int:
        """Drop the versions that `gone` tells of; return how many. Raises ClawgitError."""
        with _translated():
            listed = self._rows("SELECT rowid, path, id FROM seen")
            numbers = [number for number, name, oid in listed if gone(os.fsdecode(name), oid)]
            with self._database:
                for number in numbers:
                    self._drop("rowid = ?", number)
            self._shrink(numbers)
        return len(numbers)

    def expire(self, now: float) -> None:
        """Drop what was last seen too long before `now`. Raises ClawgitError."""
        with _translated():
            with self._database:
                found = self._drop("at < ?", now - DAYS * 86_400)
            self._shrink(found)

    def _drop(self, which: str, *values: object) -> list[int]:
        found = self._rows(f"SELECT rowid, packed FROM seen WHERE {which}", *values)  # noqa: S608 - our own words
        self._database.executemany("DELETE FROM seen WHERE rowid = ?", [(number,) for number, _ in found])
        self._bytes -= sum(size for _, size in found)
        return [number for number, _ in found]

    def _shrink(self, dropped: list[int]) -> None:
        if dropped:
            self._database.executescript("PRAGMA incremental_vacuum")  # `execute` would give back one page

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self._database.execute(statement, values).fetchall()


def versions(repo: Repository, path: str | None = None) -> Iterator[SeenVersion]:
    """Yield the versions that were seen of `path`, or of every file, the newest first; none where none can be read.

    Those that git has in a commit meanwhile are among them until the next look of whoever keeps them.
    """
    place = _place(repo)
    if not place.exists():
        return
    with contextlib.suppress(sqlite3.Error, zlib.error), contextlib.closing(_opened(place, reading=True)) as database:
        which, values = ("WHERE path = ?", (os.fsencode(path),)) if path is not None else ("", ())
        statement = f"SELECT path, id, at, data FROM seen {which} ORDER BY at DESC, rowid DESC"  # noqa: S608
        for name, oid, at, packed in database.execute(statement, values):
            yield SeenVersion(os.fsdecode(name), oid, _moment(at), zlib.decompress(packed))


def listed(repo: Repository, path: str | None = None) -> Iterator[Listed]:
    """Yield what was seen of a file or folder (None: of every file) and no commit has, the newest first."""
    head = repository.head(repo)
    for one in versions(repo):
        within = path in (None, "", ".") or one.path == path or one.path.startswith(f"{path}/")
        if within and not committed(repo, one.path, one.id):
            now, last = _lines(_standing(repo, one.path)), _lines(repository.read(repo, head, one.path))
            then = _lines(one.data)
            yield Listed(one, (then - now).total(), (now - then).total(), tuple(then - now - last))


def _standing(repo: Repository, path: str) -> bytes | None:
    with contextlib.suppress(ClawgitError):
        file = worktree_files.read(repo, path)
        return file.data if file else None
    return None


def _lines(data: bytes | None) -> Counter[str]:
    return Counter(line for line in loosely(data).split("\n") if line.strip())


def find(repo: Repository, path: str, name: str) -> SeenVersion:
    """Return the version of `path` whose id begins with `name`. Raises ClawgitError."""
    there = list(versions(repo, path))
    matching = [one for one in there if one.id.startswith(name)] if len(name) >= _SHORTEST else []
    if len(matching) == 1:
        return matching[0]
    words = f"{name} is ambiguous" if matching else f"no version of {path} seen is {name}"
    raise version_unknown(words, fix=Command("clawgit log {} --seen", path))


def committed(repo: Repository, path: str, oid: Oid) -> bool:
    """Return whether a commit of the branch at hand has these bytes at `path`."""
    if oid not in repo.raw:  # what git does not have at all, as a rule
        return False
    if repository.blob_id(repo, repository.head(repo), path) == oid:
        return True
    with contextlib.suppress(ClawgitError):
        return bool(git(repo.root, "log", "-1", "--format=%H", f"--find-object={oid}", "HEAD", "--", path).strip())
    return False


def kept(repo: Repository) -> bool:
    """Return whether any version was ever kept here."""
    return _place(repo).exists()


def expire(repo: Repository, now: datetime) -> None:
    """Drop what was last seen too long ago. Raises ClawgitError."""
    if kept(repo):
        with contextlib.closing(SeenVersions(repo)) as found:
            found.expire(now.timestamp())


class Keeper:
    """Keeps what no commit of the branch at hand has."""

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self._kept: SeenVersions | None = None
        self._head: Oid | None = None

    def keep(self, path: str, data: bytes, at: float) -> None:
        """Keep a version unless a commit has it, git ignores its file, or it would bring a secret into history."""
        if committed(self._repo, path, repository.hash_blob(data)):
            return
        before = repository.read(self._repo, repository.head(self._repo), path)
        if before is None and repository.ignored(self._repo, path):
            return
        leaked = Leaked(self._repo, self._repo.commondir / "clawgit" / "cache")
        if all(new_secret.fingerprint in leaked for new_secret in write_guard.new_secrets(path, before, data)):
            self._kept = self._kept or SeenVersions(self._repo)
            self._kept.keep(path, data, at)

    def tidy(self) -> None:
        """Drop what has come into a commit since the last time."""
        head = repository.head(self._repo)
        if head != self._head:
            self._head = head
            if kept(self._repo):
                self._kept = self._kept or SeenVersions(self._repo)
                self._kept.drop(lambda path, oid: committed(self._repo, path, oid))

    def close(self) -> None:
        """Close what is kept."""
        if self._kept:
            self._kept.close()


def _place(repo: Repository) -> Path:
    return repo.room / "state" / "seen.db"


def _opened(place: Path, *, reading: bool = False) -> sqlite3.Connection:
    try:
        database = sqlite3.connect(regular_file.require_state(place), timeout=_PATIENCE)
    except OSError as exc:
        raise sqlite3.OperationalError(str(exc)) from exc
    if not reading:
        database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        write_ahead(database, _PATIENCE)
        for statement in _SCHEMA:
            database.execute(statement)
    return database


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as exc:
        raise file_unwritable(f"versions that were seen cannot be kept: {exc}", fix=Command("df -h .git")) from exc


def _moment(at: float) -> datetime:
    with contextlib.suppress(ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(at, UTC)
    return datetime.fromtimestamp(0, UTC)
