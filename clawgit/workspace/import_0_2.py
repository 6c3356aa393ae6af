"""Local state: its transfer, and that of version 0.2.

Proposals were commits that no branch had; candidates were lines of a file. All else is made anew.

The file is a copy of `state.db`; its table `export` has the state that is kept beside the database.
"""

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from clawgit import __version__, errors
from clawgit.clock import MACHINE_NOTE, KnownMachine
from clawgit.errors import Advice, ClawgitError, Command
from clawgit.git import commit_chain, history, locks, own_commits, references, regular_file
from clawgit.git.locks import repository_lock
from clawgit.git.own_commits import read_local_note, save_local_note
from clawgit.safety.redaction import redact
from clawgit.store import database
from clawgit.store.database import OLD, WORKSPACE_ID
from clawgit.store.item import FileEdit, Item, Kind, State, encode_json
from clawgit.text.entry import is_id
from clawgit.workspace import commit_message, inbox
from clawgit.workspace.waiting_batches import Unkept
from clawgit.workspace.workspace_base import WorkspaceBase

_APPROVAL_KEYS = ("known", "files", "config", "command_files")
_WAIT_SECONDS = 30.0
_MACHINE_DOCUMENTS = (
    *("clock", "followed", "stashes", "model", "candidates read", "git at work since", "vectors-id"),
    *(database.WORKSPACE_ID, "last look %", "log position", "lost state"),
)
"""Documents about this machine or this working tree: elsewhere they would be wrong."""

_TABLES_APART = ("item", "item_edits", "export")

Act = Literal["new", "same", "differs"]


class Manifest(Struct, frozen=True):
    """The origin of a file: `roots` are the commits that the workspace's history begins with.

    `without` are sentences about the parts left out. `approvals` and `own_commits` are the state beside the database.
    """

    written: str
    clawgit: str
    workspace: str
    roots: tuple[str, ...]
    without: tuple[str, ...]
    approvals: dict[str, Any] | None
    own_commits: tuple[str, ...]


class ImportedPart(Struct, frozen=True):
    """The outcome for one part: how many of its rows are new here; `differs` if each side has its own."""

    name: str
    act: Act
    count: int = 0


def export_state(workspace: WorkspaceBase, place: Path, omissions: tuple[str, ...]) -> Manifest:
    """Write the state of this clone into a file, readable for its owner alone.

    `omissions` are sentences about the parts left out. Raises ClawgitError, with no file, if it cannot be written.
    """
    manifest = Manifest(
        workspace.now().isoformat(),
        __version__,
        workspace.root.name.encode("utf-8", "replace").decode(),
        history.roots(workspace.repo),
        (*omissions, "what is about this machine stays here: its id, its clock, its timetable"),
        regular_file.parse_state(workspace.trusted.file, dict[str, Any]),
        tuple(sorted(own_commits.read_own_commits(workspace.repo))),
    )
    with _lock(workspace), closing(sqlite3.connect(":memory:")) as copy:
        with closing(sqlite3.connect(workspace.store.prepare())) as source:
            source.backup(copy)
        with copy:
            copy.executemany("DELETE FROM document WHERE name LIKE ?", [(name,) for name in _MACHINE_DOCUMENTS])
            copy.execute("CREATE TABLE export AS SELECT ? AS manifest", (encode_json(manifest),))
        copy.execute("VACUUM")  # no words stay in free pages
        try:
            regular_file.create(place, copy.serialize())
        except FileExistsError as exc:
            raise errors.file_exists(f"{place} is there already", fix=Advice("clawgit state export NEW_FILE")) from exc
        except OSError as exc:
            raise errors.make_unwritable_error(place, exc) from exc
    return manifest


@contextmanager
def _lock(workspace: WorkspaceBase) -> Iterator[None]:
    workspace.require_managed()
    with repository_lock(workspace.repo, time.monotonic() + _WAIT_SECONDS):
        yield


def import_state(
    workspace: WorkspaceBase, place: Path, *, approvals: bool = True
) -> tuple[Manifest, tuple[ImportedPart, ...]]:
    """Import a file of `export_state`, and return its manifest, and the outcome of each part.

    All of it is checked before anything here is touched. Missing rows are added, and no existing one goes. If both
    sides approved different things nothing at all is done; without `approvals` the operator's approvals there are left
    out. Raises ClawgitError.
    """
    with _lock(workspace):
        manifest, items = _read_export(place)
        if not {*history.roots(workspace.repo)} & {*manifest.roots}:
            raise errors.state_elsewhere(
                f"{place} belongs to another workspace, {manifest.workspace}: its history begins with other commits",
                fix=Advice("clawgit -C WORKSPACE state import FILE   # in a clone of that one"),
            )
        other = manifest.approvals if approvals else None
        own = regular_file.parse_state(workspace.trusted.file, dict[str, Any]) or {}
        is_same = other and all(own.get(key) == other.get(key) for key in _APPROVAL_KEYS)
        steps = (
            [ImportedPart("approvals", "same" if is_same else "differs" if own.get("known") else "new")]
            if other
            else []
        )
        if steps and steps[0].act == "differs":
            words = "what is approved here is not what was approved there; nothing was changed"
            fix = Command("clawgit state import {} --without-approvals", place, note="leaves it as it is here")
            raise errors.state_differs(words, fix=fix)
        counts = _unite(workspace, place, items)
        fresh = [oid for oid in manifest.own_commits if oid not in own_commits.read_own_commits(workspace.repo)]
        counts[own_commits.OWN_COMMITS_FILE] = len(fresh)
        own_commits.record_own_commits(workspace.repo, fresh)
        if other and not is_same:
            workspace.trusted.take(other)
        return manifest, (
            *steps,
            *(ImportedPart(name, "new" if n else "same", n) for name, n in sorted(counts.items())),
        )


def _read_export(place: Path) -> tuple[Manifest, list[Item]]:
    """Return the manifest and the items of a file. Raises ClawgitError for one that is damaged, or of another kind."""
    if not place.is_file():
        raise errors.file_missing(f"there is no file {place}", fix=Command("ls -l {}", place.parent))
    with closing(sqlite3.connect(f"{place.absolute().as_uri()}?mode=ro", uri=True)) as source:
        try:
            if source.execute("PRAGMA quick_check").fetchone() != ("ok",):
                raise sqlite3.DatabaseError("its parts do not fit together")
            version = source.execute("PRAGMA user_version").fetchone()[0]
            manifest = msgspec.json.decode(source.execute("SELECT manifest FROM export").fetchone()[0], type=Manifest)
            if version <= database.VERSION:
                return manifest, database.read_items(source)
        except (sqlite3.Error, msgspec.MsgspecError) as exc:
            words = f"{place} is no file of clawgit state export, or is damaged: {exc}"
            raise errors.archive_damaged(words, fix=Advice("clawgit state export NEW_FILE")) from exc
    words = f"{place} was written by a newer clawgit: its version is {version}"
    raise errors.format_newer(words, fix=Command("pip install --upgrade clawgit"))


def _unite(workspace: WorkspaceBase, place: Path, items: Sequence[Item]) -> dict[str, int]:
    """Take in the rows of each table that a file has more, all or none, and return their numbers.

    Of two documents of one name the one here stays. Raises ClawgitError.
    """

    def add(target: sqlite3.Connection) -> dict[str, int]:
        counts = add_tables(target, place)
        states = {item.id: item.state for item in database.read_items(target, edits=False)}
        fresh = [item for item in items if states.get(item.id) in {None, "open"} - {item.state}]
        for item in fresh:  # last: no rollback reaches the log
            workspace.store.take_item(target, item)
        return {**counts, "inbox": len(fresh)}

    return workspace.store.write(add)


def add_tables(target: sqlite3.Connection, place: Path) -> dict[str, int]:
    """Add the rows that the tables lack here, and return their numbers; numbers of rows are given out anew."""
    target.execute("ATTACH ? AS other", (str(place),))
    counts: dict[str, int] = {}
    tables = target.execute("SELECT name, sql FROM other.sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    for table, definition in tables:
        if table in _TABLES_APART or table.startswith("sqlite_"):
            continue
        if not target.execute("SELECT 1 FROM main.sqlite_master WHERE name = ?", (table,)).fetchone():
            target.execute(definition)
        columns = target.execute(f'PRAGMA other.table_info("{table}")').fetchall()
        names = ", ".join(f'"{name}"' for _, name, kind, _, _, key in columns if not (key and kind == "INTEGER"))
        source = f'FROM other."{table}"'
        # Without a unique index INSERT OR IGNORE would add the same rows once more.
        if not any(is_unique for _, _, is_unique, _, _ in target.execute(f'PRAGMA other.index_list("{table}")')):
            source += f' WHERE ({names}) NOT IN (SELECT {names} FROM main."{table}")'  # noqa: S608 - ours
        if table == "record":
            counts |= dict(target.execute(f"SELECT list, count(*) {source} GROUP BY list"))
        insert = f'INSERT OR IGNORE INTO main."{table}" ({names}) SELECT {names} {source} ORDER BY rowid'
        count = target.execute(insert).rowcount
        if table != "record":
            counts["documents" if table == "document" else table] = count
    return counts


_OPEN, _REJECTED = "refs/clawgit/proposals/", "refs/clawgit/rejected/"
_CANDIDATES, _REQUESTS, _CHATS = "state/candidates.jsonl", "state/unkept.jsonl", "state/chat.db"
_MACHINE, _MACHINE_PLACE, _WORKSPACE_ID = "machine.json", "machine-place", "workspace-id"
_FILES = (_CANDIDATES, _REQUESTS, _CHATS, _MACHINE, _WORKSPACE_ID, locks.FORMER_ID)
_KIND, _START = "Clawgit-Kind", "desk: what the proposal starts from"
_STATES: Mapping[str, State] = {"open": "open", "confirmed": "accepted", "dismissed": "rejected"}


class _OldCandidate(Struct, frozen=True):
    """A line of `candidates.jsonl`."""

    id: str
    at: str
    text: str
    reason: str
    said: str = ""
    true: str = ""
    choices: tuple[str, ...] = ()
    source: str = ""
    trigger: str = ""
    trigger_confidence: str = "medium"
    state: Literal["open", "confirmed", "dismissed"] = "open"


def take_over(workspace: WorkspaceBase) -> None:
    """Take over the state of 0.2; anything that cannot be written now is left to a later command."""
    repo, store = workspace.repo, workspace.store
    names = [name for name in references.list_our_references(repo) if name.startswith((_OPEN, _REJECTED))]
    files = [place for name in _FILES if (place := store.folder / name).is_file()]
    if not (names or files) or not workspace.managed:
        return
    with contextlib.suppress(OSError, ClawgitError):
        _take_ids(workspace)
        proposals = {name: item for name in names if (item := _read_proposal(workspace, name))}
        requests = (row.as_item() for row in regular_file.parse_rows(store.folder / _REQUESTS, Unkept))
        for item in (*proposals.values(), *_read_candidates(store.folder / _CANDIDATES), *requests):
            store.open_item(item)
        if _is_sound(chats := store.folder / _CHATS):
            store.write(lambda database: add_tables(database, chats))
        (store.folder / OLD).mkdir(mode=0o700, exist_ok=True)
        for place in files:
            place.replace(store.folder / OLD / place.name)
        for name in proposals:
            references.drop(repo, name)


def _is_sound(place: Path) -> bool:
    """Return whether a database is there and whole: within our own a damaged one would count as damage of ours."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(place)) as database:
        return place.is_file() and database.execute("PRAGMA quick_check").fetchone() == ("ok",)
    return False


def _take_ids(workspace: WorkspaceBase) -> None:
    """Take over the ids of the machine and the workspace, by which others and the approvals know them."""
    repo, folder = workspace.repo, workspace.repo.room
    with locks.repository_lock(repo, time.monotonic() + 1):  # it takes over the id of the redo logs
        machine = regular_file.parse_state(folder / _MACHINE, KnownMachine)
        is_here = machine and machine.place == locks.mark_file(folder / _MACHINE_PLACE)
        if machine and is_here and not read_local_note(repo, MACHINE_NOTE, KnownMachine):
            save_local_note(repo, MACHINE_NOTE, replace(machine, place=locks.mark_folder(repo)))
        words = regular_file.read_words(folder / _WORKSPACE_ID)
        if words and not workspace.store.read_document(WORKSPACE_ID, str):
            workspace.store.save_document(WORKSPACE_ID, " ".join(words))


def _read_proposal(workspace: WorkspaceBase, name: str) -> Item | None:
    """Return the item of a proposal, None for an unreadable one; a rejected one is a commit on top of the proposal."""
    repo, key = workspace.repo, name.rpartition("/")[2]
    with contextlib.suppress(ClawgitError, ValueError, LookupError, StopIteration):  # anybody can make a reference
        commit = history.commit(repo, references.target(repo, name) or "")
        if not is_id(key):
            return None
        if name.startswith(_OPEN):
            return _read_offer(workspace, key, commit)
        item = _read_offer(workspace, key, history.commit(repo, commit.parents[0]))
        return replace(
            item, state="rejected", decided=commit.date, answer=commit_message.parse_message(commit.message).why
        )
    return None


def _read_offer(workspace: WorkspaceBase, key: str, commit: history.Commit) -> Item:
    repo, base = workspace.repo, commit.parents[0]
    message = commit_message.parse_message(commit.message)

    edits = tuple(
        FileEdit(path, *(inbox.read_control_version(repo, side, path) for side in (base, commit.id)))
        for path in commit_chain.list_changed_paths(repo, base, commit.id)
    )
    texts = Item(key, "identity", "", commit.date, edits=edits).texts
    kinds: Mapping[str | None, Kind] = {"restore": "restore", "control": "sync"}
    before = history.commit(repo, base)  # where it was made for the proposal alone, that starts below it
    return Item(
        key,
        kinds.get(message.get(_KIND)) or inbox.kind_of_change(texts),
        redact(message.subject),
        commit.date,
        message.why,
        message.get("Clawgit-Agent") or "",
        next(iter(before.parents), base) if before.message.startswith(_START) else base,
        tuple((name, value) for name, value in message.trailers if name != _KIND),
        edits,
        sameness=inbox.hash_change(texts),
    )


def _read_candidates(place: Path) -> Iterator[Item]:
    """Yield the item of each candidate as it was last noted."""
    for row in {row.id: row for row in regular_file.parse_rows(place, _OldCandidate)}.values():
        time_noted = datetime.fromisoformat(row.at).astimezone()
        kind: Kind = "candidate" if row.reason == "said, not asked for" else "correction"
        names = ("said", "true", "choices", "trigger", "trigger_confidence") if kind == "correction" else ()
        details = {name: getattr(row, name) for name in names}
        decided = None if row.state == "open" else time_noted
        item = Item(row.id, kind, row.text, time_noted, row.reason, row.source, details=details)
        yield replace(item, state=_STATES[row.state], decided=decided)
