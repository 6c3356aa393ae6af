"""Transfers local state, unknown to git, to another machine.

The file is a copy of `state.db`; its table `export` has the state that is kept beside the database.
"""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from clawgit import __version__, errors
from clawgit.errors import Advice, Command
from clawgit.git import history, own_commits, regular_file
from clawgit.git.locks import repository_lock
from clawgit.store import database
from clawgit.store.item import Item, encode_json
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
        counts[own_commits.NAME] = len(fresh)
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
