"""Versions of files that no commit has, and stale writes.

Each version is a blob that nothing refers to, as git keeps for two weeks; the list of them is in `state.db`.
"""

import contextlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import partial

from msgspec import Struct

from clawgit.errors import ClawgitError, Command, quote_shell, version_unknown
from clawgit.git import history, paths, repository
from clawgit.git.history import Commit
from clawgit.git.repository import Oid, Repository
from clawgit.git.transaction import Snapshot
from clawgit.store.calls import KnownCalls, ToolCall, hash_folded_lines, line_hashes
from clawgit.store.database import StateStore
from clawgit.text.document import clip_line
from clawgit.workspace import file_contents
from clawgit.workspace.change import StaleWrite
from clawgit.workspace.file_contents import lines_of, read_quietly, tally_lines, text_of, to_text
from clawgit.workspace.line_writers import is_clawgits
from clawgit.workspace.merge_rules import merge_text
from clawgit.workspace.outgoing_secrets import Leaked
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


def save_seen_version(repo: Repository, path: str, data: bytes, time: float) -> None:
    """Keep a version that was seen at a moment (seconds since 1970). Raises ClawgitError.

    One that a commit has is not kept, nor that of a file that git ignores, nor one that would bring a secret into
    history.
    """
    if not paths.is_text(path) or _is_committed(repo, path, repository.hash_blob(data)):
        return
    before = repository.read(repo, repository.head(repo), path)
    if before is None and repository.ignored(repo, path):
        return
    leaked = Leaked(repo, _open_state_store(repo))
    if all(new_secret.fingerprint in leaked for new_secret in file_contents.new_secrets(path, before, data)):
        keep_blob(repo, path, data, time)


def keep_blob(repo: Repository, path: str, data: bytes, time: float) -> None:
    """Keep a version, whatever its content. Raises ClawgitError."""
    # Nothing refers to this blob: git prunes it by itself after two weeks.
    oid = str(repo.raw.create_blob(data))
    _open_state_store(repo).append_rows(_LIST, (_Row(path, oid, time),), MAX_VERSIONS)


def versions(repo: Repository, path: str | None = None) -> Iterator[SeenVersion]:
    """Yield the seen versions of `path`, or of every file, the newest first and each once, also committed ones."""
    keys = set[tuple[str, Oid]]()
    for row in sorted(_open_state_store(repo).read_rows(_LIST, _Row), key=lambda row: row.at, reverse=True):
        if path in (None, row.path) and (row.path, row.id) not in keys and row.id in repo.raw:
            keys.add((row.path, row.id))
            yield SeenVersion(row.path, row.id, datetime.fromtimestamp(row.at, UTC), repository.blob(repo, row.id))


def list_seen(repo: Repository, path: str | None = None) -> Iterator[Listed]:
    """Yield the seen versions of a file or folder (None: of every file) that are in no commit, the newest first."""
    head = repository.head(repo)
    for version in versions(repo):
        is_within = path in (None, "", ".", version.path) or version.path.startswith(f"{path}/")
        if is_within and not _is_committed(repo, version.path, version.id):
            contents = (version.data, read_quietly(repo, version.path), repository.read(repo, head, version.path))
            lines, now, last = (tally_lines(to_text(data)) for data in contents)
            yield Listed(version, (lines - now).total(), (now - lines).total(), tuple(lines - now - last))


def find_seen_version(repo: Repository, path: str, name: str) -> SeenVersion:
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


def expire(repo: Repository, now: datetime) -> None:
    """Drop the versions that were last seen too long ago, and those that are in a commit. Raises ClawgitError."""
    oldest = now.timestamp() - DAYS * 86_400

    def keep_recent(rows: list[_Row]) -> list[_Row]:
        return [row for row in rows if row.at >= oldest and not _is_committed(repo, row.path, row.id)]

    _open_state_store(repo).edit_rows(_LIST, _Row, keep_recent)


def _open_state_store(repo: Repository) -> StateStore:
    return StateStore(repo.commondir / "clawgit")


_LOST_WRITES, MAX_LOST_WRITES = "lost writes", 100


class LostWrite(Struct, frozen=True):
    """A call whose lines of a file were gone when it ended; `version` is the file as the call left it."""

    path: str
    tool: str
    session: str
    time: str
    version: Oid


def keep_write(workspace: WorkspaceBase, call: ToolCall, text: str) -> None:
    """Keep the file of a call if it lacks lines of the call by now. Best effort."""
    if not (call.added or frozenset()) - hash_folded_lines(workspace.read(call.path) or ""):
        return
    with contextlib.suppress(ClawgitError):  # a secret, or no room
        data, now = text.encode(), workspace.now()
        save_seen_version(workspace.repo, call.path, data, now.timestamp())
        write = LostWrite(call.path, call.tool, call.session, now.isoformat(), repository.hash_blob(data))
        workspace.store.append_rows(_LOST_WRITES, [write], MAX_LOST_WRITES)


def list_lost_writes(workspace: WorkspaceBase) -> Iterator[tuple[LostWrite, str]]:
    """Yield the writes that were kept, each with the file as the call left it."""
    for write in workspace.store.read_rows(_LOST_WRITES, LostWrite):
        matches = (candidate for candidate in versions(workspace.repo, write.path) if candidate.id == write.version)
        yield from ((write, version.text or "") for version in matches)


MAX_READ_VERSIONS = 50
"""Among so many versions the one is found that an agent had read."""
ALIKE_PERCENT = 60.0
"""From this share of equal letters on a new line is another wording of a line that is gone."""
MAX_PAIRS = 100_000


def find_stale_write(workspace: WorkspaceBase, snapshot: Snapshot, path: str) -> StaleWrite | None:
    """Return a file on disk with clawgit's changes that its writer had not read; None without proof.

    Proof are the agent's own calls: it wrote these bytes, and the version that it read or wrote before, in the same
    session, is older. Time proves nothing. There is no merge if the file has a line of such a change, if a new line
    resembles a missing one, if the file was seen like this from another writer, or if somebody committed the write.
    Lines of a change that others removed since then stay removed.
    """
    file, committed = snapshot.disk[path], text_of(snapshot.committed[path])
    disk = text_of(file.data) if file else None
    if file is None or disk is None or committed is None or path in workspace.recorded():
        return None
    calls = KnownCalls(workspace.store).list_file_calls(path)
    write, start = write_and_start(calls, repository.hash_blob(file.data))
    base, commits = _version_read(workspace, snapshot.head, path, start) if start else (None, ())
    new_commits = [commit for commit in reversed(commits) if is_clawgits(commit)]
    if base is None or write is None or not new_commits or write.time < new_commits[-1].date.timestamp():
        return None  # among others, where somebody went back to bytes that the agent wrote long ago
    head_lines, fresh = lines_of(committed), lines_of(disk) - lines_of(base)
    result: str | None = disk
    missing = set[str]()
    for commit in new_commits:
        sides = (next(iter(commit.parents), None), commit.id)
        before, after = (text_of(repository.read(workspace.repo, oid, path)) or "" for oid in sides)
        additions, removals = lines_of(after) - lines_of(before), lines_of(before) - lines_of(after)
        if result is None or additions & fresh:
            return None
        if additions <= head_lines and not removals & head_lines:
            merge = merge_text(path, before, after, result)
            result, missing = None if merge.conflicts else merge.text, missing | additions
    if result is None or result == disk or reworded_lines(missing, fresh):
        return None
    write_blobs = {call.blob for call in calls if call.kind == "write"}
    since = (version for version in versions(workspace.repo, path) if version.at > new_commits[0].date)
    others = (lines_of(version.text or "") for version in since if version.id not in write_blobs)
    if any(not missing <= lines or lines & fresh for lines in others):
        return None
    return StaleWrite(result, tuple(sorted(lines_of(result) - lines_of(disk))))


def write_and_start(calls: list[ToolCall], blob: Oid) -> tuple[ToolCall | None, ToolCall | None]:
    """Return the last write of these bytes, and the call before it by which its session knew the file."""
    number = max((number for number, call in enumerate(calls) if call.blob == blob), default=-1)
    if number < 0:
        return None, None
    earlier = (call for call in reversed(calls[:number]) if call.session == calls[number].session)
    return calls[number], next(earlier, None)


def _version_read(
    workspace: WorkspaceBase, head: Oid | None, path: str, start: ToolCall
) -> tuple[str | None, tuple[Commit, ...]]:
    """Return the version that a call saw whole, and the commits since then, newest first; None for no version."""
    newer: list[Commit] = []
    for commit in history.walk_log(
        workspace.repo, path, start=head or "HEAD", limit=MAX_READ_VERSIONS, first_parent=True
    ):
        text = text_of(repository.read(workspace.repo, commit.id, path))
        if text is not None and line_hashes(text) == start.lines:
            return text, tuple(newer)
        newer.append(commit)
    return None, ()


def reworded_lines(missing: Iterable[str], fresh: Iterable[str]) -> set[str]:
    """Return those of the missing lines that a fresh one rewords: alike, or a new value of the same subject.

    Of very many lines all count as reworded.
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - few writes compare lines

    missing_lines, new_lines = list(missing), list(fresh)
    if len(missing_lines) * len(new_lines) > MAX_PAIRS:
        return set(missing_lines)
    subjects = {subject for line in new_lines if (subject := _subject(line))}
    is_alike = partial(
        process.extractOne, choices=new_lines, scorer=fuzz.ratio, processor=clip_line, score_cutoff=ALIKE_PERCENT
    )
    return {line for line in missing_lines if is_alike(line) or _subject(line) in subjects}


def _subject(line: str) -> str:
    """Return the subject of a line: its words before the first colon, equals sign or "is"; "" for another line."""
    words = line.casefold().lstrip("-*+# ").replace("**", "")
    cut = min((index for sign in (":", "=", " is ") if (index := words.find(sign)) > 0), default=0)
    return words[:cut].strip()
