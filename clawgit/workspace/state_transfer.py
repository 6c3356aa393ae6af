"""What is kept beside git goes to another machine."""

import json
import shutil
import sqlite3
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from clawgit import errors
from clawgit.errors import Advice, Command
from clawgit.git import object_pack, redo_log, references, regular_file
from clawgit.git.locks import repository_lock
from clawgit.git.paths import check
from clawgit.workspace import state_archive
from clawgit.workspace.state_archive import Manifest
from clawgit.workspace.workspace import Workspace

_HERE = {
    *("machine.json", "machine-place", "clock.json", "followed", "extensions.json", "programs.json", "history.json"),
    *("model.json", "model.sock", "committing", "looked"),
}
"""What tells of this machine, or of this working tree: elsewhere it would be wrong."""
_LOGS = {
    *("runs.jsonl", "search_hits.jsonl", "digests.jsonl", "audit.jsonl", "alarms.jsonl", "unattended.jsonl"),
    *("allowed-secrets", "purged-ids", "own-commits"),
}
"""Files of lines that are only added to: two of them come to one with the lines of both."""
_UNNAMED = (".new", ".lock", "-wal", "-shm", "-journal", ".tmp")
_DATABASES = (".db",)
_DESK = ("refs/clawgit/proposals/", "refs/clawgit/rejected/")
_STATE, _TRUST, _PACK = "state/", "trust/", "desk.pack"
_APPROVALS, _NOTED = f"{_TRUST}trust.json", f"{_TRUST}unattended.jsonl"
_COPIES, _STAGED, _READY = "state-export.new", "state-import.new", "state-import"
_HOME = "home.json"
_WAIT = 30.0

Act = Literal["new", "same", "newer here", "newer there", "joined", "differs"]


class Step(Struct, frozen=True):
    """What becomes of one file or reference: `differs` tells that here and there each have what the other lacks."""

    name: str
    act: Act


class Plan(Struct, frozen=True):
    """What an import does, or did."""

    manifest: Manifest
    steps: tuple[Step, ...]

    @property
    def differing(self) -> tuple[str, ...]:
        """What would be overwritten."""
        return tuple(step.name for step in self.steps if step.act == "differs")


def exported(workspace: Workspace, place: Path, chat: Path | None, without: tuple[str, ...]) -> Manifest:
    """Write what this clone keeps beside git into a file; `chat` is the chat store, where it is a file.

    `without` are sentences about what is not carried. Raises ClawgitError, with no file, where it cannot be written.
    """
    workspace.require_managed()
    _require_whole(workspace)
    copies = workspace.repo.commondir / "clawgit" / _COPIES
    with repository_lock(workspace.repo, time.monotonic() + _WAIT):
        shutil.rmtree(copies, ignore_errors=True)
        copies.mkdir(parents=True, mode=0o700)
        try:
            files, left = _gathered(workspace, copies, chat)
            desk = _desk(workspace)
            if desk:
                files[_PACK] = copies / _PACK
                files[_PACK].write_bytes(object_pack.packed(workspace.repo, desk.values(), workspace.head))
            return state_archive.written(
                place,
                files,
                when=workspace.now().isoformat(),
                workspace=workspace.root.name.encode("utf-8", "replace").decode(),
                roots=object_pack.roots(workspace.repo),
                head=workspace.head,
                references=desk,
                without=(*without, *left),
            )
        finally:
            shutil.rmtree(copies, ignore_errors=True)


def _gathered(workspace: Workspace, copies: Path, chat: Path | None) -> tuple[dict[str, Path], list[str]]:
    """Return copies of what is carried, by name, and what is not."""
    found: dict[str, Path] = {}
    left = ["which machine this is, its clock, its timetable and the programs that git may run stay here"]
    sources = dict(_kept(workspace.state, left))
    if chat is not None and chat.is_file():
        sources[f"{_STATE}chat.db"] = chat
    trusted = workspace.trusted
    beside = {_APPROVALS: trusted.file, _NOTED: trusted.folder / "unattended.jsonl"}
    sources |= {name: source for name, source in beside.items() if source.is_file()}
    for name, source in sources.items():
        target = copies / name
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _copy(source, target)
        found[name] = target
    return found, left


def _kept(state: Path, left: list[str]) -> Iterator[tuple[str, Path]]:
    for place in sorted(state.rglob("*")):
        path = place.relative_to(state).as_posix()
        if path.split("/")[0] in _HERE or path.endswith(_UNNAMED) or place.is_dir() or path == "chat.db":
            continue
        if not stat.S_ISREG(place.lstat().st_mode) or not path.isprintable():
            left.append(f"{path!r} is no file of ours, and is not carried")
            continue
        yield f"{_STATE}{path}", place


def _copy(source: Path, target: Path) -> None:
    """Copy a file; a database as it stands committed, whoever writes to it meanwhile."""
    if not source.name.endswith(_DATABASES):
        shutil.copyfile(source, target)
        return
    try:
        origin, copy = sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True), sqlite3.connect(target)
        with origin, copy:
            origin.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        origin.close()
        copy.close()
    except sqlite3.Error as exc:
        raise errors.file_unreadable(f"{source} cannot be read: {exc}", fix=Command("clawgit doctor")) from exc


def _desk(workspace: Workspace) -> dict[str, str]:
    names = (name for name in references.ours(workspace.repo) if name.startswith(_DESK))
    return {name: oid for name in names if (oid := references.target(workspace.repo, name))}


def imported(
    workspace: Workspace, place: Path, *, dry_run: bool, keep_local: bool = False, approvals: bool = True
) -> Plan:
    """Take in what a file of `exported` holds, and return what became of each part.

    All of it is held against its checksums before anything here is touched. What is older here is replaced, logs are
    joined; where each side has what the other lacks nothing at all is done, unless `keep_local` leaves what is here.
    Without `approvals` what the operator approved there is left out. Raises ClawgitError.
    """
    workspace.require_managed()
    _require_whole(workspace)
    room = workspace.repo.commondir / "clawgit"
    with repository_lock(workspace.repo, time.monotonic() + _WAIT):
        staged = room / _STAGED
        shutil.rmtree(staged, ignore_errors=True)
        staged.mkdir(parents=True, mode=0o700)
        try:
            manifest = state_archive.unpacked(place, staged)
            _require_own(workspace, manifest, place)
            plan = Plan(manifest, tuple(_steps(workspace, manifest, staged, approvals=approvals)))
            if dry_run:
                return plan
            again = "clawgit state import {} " + ("" if approvals else "--without-approvals ") + "--keep-local"
            if plan.differing and not keep_local:
                raise errors.state_differs(
                    f"here and there each have what the other lacks: {', '.join(plan.differing)}; nothing was changed",
                    fix=Command(again, place, note="leaves these as they are here"),
                )
            if manifest.references:
                data = (staged / _PACK).read_bytes() if (staged / _PACK).exists() else b""
                object_pack.unpack(workspace.repo, data, tuple(manifest.references.values()))
            (staged / "plan.json").write_bytes(msgspec.json.encode(plan))
            (staged / _HOME).write_bytes(msgspec.json.encode(redo_log.here(workspace.repo)))
            staged.rename(room / _READY)
        finally:
            shutil.rmtree(staged, ignore_errors=True)
        _finish(workspace)
    return plan


def _require_own(workspace: Workspace, manifest: Manifest, place: Path) -> None:
    own = object_pack.roots(workspace.repo)
    if not {*own} & {*manifest.roots}:
        raise errors.state_elsewhere(
            f"{place} belongs to another workspace, {manifest.workspace}: the histories begin with different commits",
            fix=Advice("clawgit -C WORKSPACE state import FILE   # in a clone of that one"),
        )


def _steps(workspace: Workspace, manifest: Manifest, staged: Path, *, approvals: bool) -> Iterator[Step]:
    for item in manifest.items:
        if item.name != _PACK and (approvals or item.name != _APPROVALS):
            yield Step(item.name, _act(_target(workspace, item.name), staged / item.name))
    for name, commit in manifest.references.items():
        here = references.target(workspace.repo, name)
        yield Step(name, "new" if here is None else "same" if here == commit else "differs")


def _target(workspace: Workspace, name: str) -> Path:
    """Return where a file belongs. Raises ClawgitError for one that no export writes."""
    if name in (_APPROVALS, _NOTED):
        return workspace.trusted.folder / name.removeprefix(_TRUST)
    inner = name.removeprefix(_STATE)
    if not name.startswith(_STATE) or inner.split("/")[0] in _HERE or check(inner) != inner:
        raise errors.archive_damaged(f"state export writes no {name}", fix=Advice("clawgit state export NEW_FILE"))
    return workspace.state / inner


def _act(here: Path, there: Path) -> Act:
    if not here.exists():
        return "new"
    if here.suffix in _DATABASES:
        return _of_databases(here, there)
    if there.name == "trust.json":
        return _of_approvals(here, there)
    lines = here.suffix == ".jsonl" or here.name in _LOGS
    return _of_lines(here.read_bytes(), there.read_bytes(), joins=here.name in _LOGS, lines=lines)


def _of_lines(old: bytes, new: bytes, *, joins: bool, lines: bool) -> Act:
    if old == new:
        return "same"
    if lines and new.startswith(old):
        return "newer there"
    if lines and old.startswith(new):
        return "newer here"
    return "joined" if joins else "differs"


def _of_approvals(here: Path, there: Path) -> Act:
    """Tell two files of approvals apart by what was approved, wherever the workspaces lie."""
    old, new = (json.loads(one.read_bytes()) for one in (here, there))
    told = [{key: one.get(key) for key in ("known", "files", "config", "command_files")} for one in (old, new)]
    return "same" if told[0] == told[1] else "differs" if old.get("known") else "newer there"


def _of_databases(here: Path, there: Path) -> Act:
    """Tell which of two databases has rows that the other lacks."""
    connection = sqlite3.connect(f"{here.as_uri()}?mode=ro", uri=True)
    try:
        connection.execute("ATTACH ? AS there", (f"{there.as_uri()}?mode=ro",))
        tables = [
            {row[0] for row in connection.execute(f"SELECT name FROM {side}.sqlite_master WHERE type = 'table'")}  # noqa: S608 - ours
            for side in ("main", "there")
        ]
        if tables[0] != tables[1]:
            return "differs"
        names = [f'"{name}"' for name in tables[0] if not name.startswith("sqlite_")]
        more = any(_more(connection, name, "main", "there") for name in names)
        less = any(_more(connection, name, "there", "main") for name in names)
    except sqlite3.Error:
        return "differs"
    finally:
        connection.close()
    if more and less:
        return "differs"
    return "newer here" if more else "newer there" if less else "same"


def _more(connection: sqlite3.Connection, name: str, one: str, other: str) -> bool:
    asked = f"SELECT 1 FROM (SELECT * FROM {one}.{name} EXCEPT SELECT * FROM {other}.{name}) LIMIT 1"  # noqa: S608 - ours
    return connection.execute(asked).fetchone() is not None


def halfway(workspace: Workspace) -> bool:
    """Tell whether an import was interrupted after it had begun to move things; `finish` goes on with it."""
    return (workspace.repo.commondir / "clawgit" / _READY).is_dir()


def _require_whole(workspace: Workspace) -> None:
    if halfway(workspace):
        raise errors.import_unfinished("an import of state was interrupted", fix=Command("clawgit state finish"))


def finish(workspace: Workspace) -> bool:
    """Go on with an import that was interrupted; tell whether there was one."""
    if not halfway(workspace):
        return False
    with repository_lock(workspace.repo, time.monotonic() + _WAIT):
        _finish(workspace)
    return True


def _finish(workspace: Workspace) -> None:
    """Move what is ready to where it belongs: each step can be done twice, and none can be refused."""
    ready = workspace.repo.commondir / "clawgit" / _READY
    plan = regular_file.parse_state(ready / "plan.json", Plan)
    home = regular_file.parse_state(ready / _HOME, redo_log.Home)
    if plan is None or not redo_log.is_here(workspace.repo, home):
        raise errors.archive_damaged(f"{ready} is damaged, or of another workspace", fix=regular_file.aside(ready))
    for step in plan.steps:
        if step.name in plan.manifest.references:
            if step.act == "new" and step.name.startswith(references.OURS):
                references.point(workspace.repo, step.name, plan.manifest.references[step.name])
        elif step.act in ("new", "newer there", "joined") and (ready / step.name).exists():
            _place(workspace, step, ready / step.name)
    shutil.rmtree(ready)


def _place(workspace: Workspace, step: Step, staged: Path) -> None:
    if step.name == _APPROVALS:
        workspace.trusted.take(json.loads(staged.read_bytes()))
        return
    target = _target(workspace, step.name)
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if step.act == "joined":
        _join(target, staged)
    if target.suffix in _DATABASES and target.exists():
        _settle(target)
    staged.replace(target)


def _settle(database: Path) -> None:
    """Bring what lies beside a database into it: the log of one that goes would be read into the one that comes."""
    try:
        connection = sqlite3.connect(database, timeout=_WAIT)
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.close()
    except sqlite3.Error as exc:
        raise errors.in_use(f"{database} is in use: {exc}", fix=Command("clawgit state finish")) from exc
    for beside in ("-wal", "-shm"):
        database.with_name(f"{database.name}{beside}").unlink(missing_ok=True)


def _join(here: Path, there: Path) -> None:
    """Write the lines of both into the one that comes: those of there, then those that only here has."""
    old, new = here.read_bytes().splitlines(), there.read_bytes().splitlines()
    known = {*old}
    rows = [*old, *(row for row in new if row not in known)]
    regular_file.replace_state(there, b"".join(row + b"\n" for row in rows))
