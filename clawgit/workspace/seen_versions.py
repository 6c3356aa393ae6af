"""Versions of files that were seen, and no commit has.

Each is a blob that nothing refers to, as git keeps for two weeks; the list of them is in `state.db`.
"""

import contextlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, quote_shell, version_unknown
from clawgit.git import history, paths, repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.store.calls import ToolCall, fold_lines
from clawgit.store.database import StateStore
from clawgit.workspace import write_guard
from clawgit.workspace.file_contents import loosely, read_quietly, tally_lines, text_of
from clawgit.workspace.history_secrets import Leaked
from clawgit.workspace.workspace_base import WorkspaceBase

MAX_VERSIONS = 2_000
"""So many versions are kept, the newest."""
DAYS = 14
"""After so many days a version goes."""
_LIST = "seen versions"
_SHORTEST = 4  # digits of an id


class _Row(Struct, frozen=True):
    """A version in the list: when it was seen, in seconds since 1970."""

    path: str
    id: Oid
    at: float


class SeenVersion(Struct, frozen=True):
    """A version of a file: git's id of its bytes, and when it was last seen."""

    path: str
    id: Oid
    at: datetime
    data: bytes

    @property
    def text(self) -> str | None:
        """Its text; None for a binary file."""
        return text_of(self.data)


class Listed(Struct, frozen=True):
    """A version beside the present file: how many lines would come and go with it.

    `alone` are lines that neither the file nor its last commit has.
    """

    version: SeenVersion
    added: int
    removed: int
    alone: tuple[str, ...]

    @property
    def restore(self) -> str:
        """The command that brings it back."""
        return f"clawgit restore {quote_shell(self.version.path)} --seen {self.version.id[:10]}"


def keep(repo: Repository, path: str, data: bytes, at: float) -> None:
    """Keep a version that was seen at a moment (seconds since 1970). Raises ClawgitError.

    One that a commit has is not kept, nor that of a file that git ignores, nor one that would bring a secret into
    history.
    """
    if not paths.is_text(path) or _is_committed(repo, path, repository.hash_blob(data)):
        return
    before = repository.read(repo, repository.head(repo), path)
    if before is None and repository.ignored(repo, path):
        return
    leaked = Leaked(repo, _store(repo))
    if all(new_secret.fingerprint in leaked for new_secret in write_guard.new_secrets(path, before, data)):
        keep_blob(repo, path, data, at)


def keep_blob(repo: Repository, path: str, data: bytes, at: float) -> None:
    """Keep a version, whatever its content. Raises ClawgitError."""
    oid = git(repo.root, "hash-object", "-w", "--stdin", stdin=data).decode().strip()
    _store(repo).append_rows(_LIST, (_Row(path, oid, at),), MAX_VERSIONS)


def versions(repo: Repository, path: str | None = None) -> Iterator[SeenVersion]:
    """Yield the seen versions of `path`, or of every file, the newest first and each once.

    Versions that are in a commit meanwhile are included until the next look of their keeper.
    """
    listed = set[tuple[str, Oid]]()
    for row in sorted(_store(repo).read_rows(_LIST, _Row), key=lambda row: row.at, reverse=True):
        if path in (None, row.path) and (row.path, row.id) not in listed and row.id in repo.raw:
            listed.add((row.path, row.id))
            yield SeenVersion(row.path, row.id, datetime.fromtimestamp(row.at, UTC), repository.blob(repo, row.id))


def list_seen(repo: Repository, path: str | None = None) -> Iterator[Listed]:
    """Yield the seen versions of a file or folder (None: of every file) that are in no commit, the newest first."""
    head = repository.head(repo)
    for version in versions(repo):
        is_within = path in (None, "", ".", version.path) or version.path.startswith(f"{path}/")
        if is_within and not _is_committed(repo, version.path, version.id):
            contents = (version.data, read_quietly(repo, version.path), repository.read(repo, head, version.path))
            lines, now, last = (tally_lines(loosely(data)) for data in contents)
            yield Listed(version, (lines - now).total(), (now - lines).total(), tuple(lines - now - last))


def find(repo: Repository, path: str, name: str) -> SeenVersion:
    """Return the version of `path` whose id begins with `name`. Raises ClawgitError."""
    matching = [item for item in versions(repo, path) if item.id.startswith(name)] if len(name) >= _SHORTEST else []
    if len(matching) != 1:
        words = f"{name} is ambiguous" if matching else f"no version of {path} seen is {name}"
        raise version_unknown(words, fix=Command("clawgit log {} --seen", path))
    return matching[0]


def _is_committed(repo: Repository, path: str, oid: Oid) -> bool:
    """Return whether a commit of the branch at hand has these bytes at `path`."""
    head = repository.head(repo)
    if head is None or oid not in repo.raw:  # what git does not have at all, as a rule
        return False
    return repository.blob_id(repo, head, path) == oid or oid in history.list_blobs(repo, path)


def tidy(repo: Repository) -> None:
    """Drop the versions that are in a commit now. Raises ClawgitError."""
    _drop(repo, lambda row: _is_committed(repo, row.path, row.id))


def expire(repo: Repository, now: datetime) -> None:
    """Drop the versions that were last seen too long ago. Raises ClawgitError."""
    oldest = now.timestamp() - DAYS * 86_400
    _drop(repo, lambda row: row.at < oldest)


def _drop(repo: Repository, is_over: Callable[[_Row], bool]) -> None:
    dropped = set(filter(is_over, _store(repo).read_rows(_LIST, _Row)))
    if dropped:
        _store(repo).edit_rows(_LIST, _Row, lambda rows: [row for row in rows if row not in dropped])


def _store(repo: Repository) -> StateStore:
    return StateStore(repo.commondir / "clawgit")


_LOST, MAX_LOST_WRITES = "lost writes", 100


class LostWrite(Struct, frozen=True):
    """A call whose lines of a file were gone when it ended; `version` is the file as the call left it."""

    path: str
    tool: str
    session: str
    time: str
    version: Oid


def keep_write(workspace: WorkspaceBase, call: ToolCall, text: str) -> None:
    """Keep the file of a call if it lacks lines of the call by now. Best effort."""
    if not (call.added or frozenset()) - fold_lines(workspace.read(call.path) or ""):
        return
    with contextlib.suppress(ClawgitError):  # a secret, or no room
        data, now = text.encode(), workspace.now()
        keep(workspace.repo, call.path, data, now.timestamp())
        write = LostWrite(call.path, call.tool, call.session, now.isoformat(), repository.hash_blob(data))
        workspace.store.append_rows(_LOST, [write], MAX_LOST_WRITES)


def list_lost_writes(workspace: WorkspaceBase) -> Iterator[tuple[LostWrite, str]]:
    """Yield the writes that were kept, each with the file as the call left it."""
    for write in workspace.store.read_rows(_LOST, LostWrite):
        matches = (candidate for candidate in versions(workspace.repo, write.path) if candidate.id == write.version)
        yield from ((write, version.text or "") for version in matches)
