"""Transfers local state, unknown to git, to another machine."""

import io
import json
import shutil
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from clawgit import __version__, errors
from clawgit.errors import Advice, Command
from clawgit.git import history, own_commits, regular_file
from clawgit.git.locks import repository_lock
from clawgit.store import union
from clawgit.workspace.workspace import Workspace

STATE, APPROVALS, OWN_COMMITS = "state.db", "trust/trust.json", own_commits.NAME
_NAMES = (STATE, APPROVALS, OWN_COMMITS, "trust/unattended.jsonl")  # the last one is in older files, and not read
_COPIES, _STAGED = "state-export.new", "state-import.new"
_WAIT_SECONDS = 30.0

_VERSION = 3
_MANIFEST = "manifest.json"

Act = Literal["new", "same", "differs"]


class Part(Struct, frozen=True):
    """One file in it, with its size in bytes."""

    name: str
    size: int


class Manifest(Struct, frozen=True):
    """The content of a file, and its owner.

    `roots` are the commits that the workspace's history begins with, `head` the one that it was at. `without` are
    sentences about the parts left out.
    """

    version: int
    written: str
    clawgit: str
    workspace: str
    roots: tuple[str, ...]
    head: str | None
    items: tuple[Part, ...]
    without: tuple[str, ...]


class Step(Struct, frozen=True):
    """The outcome for one part: how many of its rows are new here; `differs` if each side has its own."""

    name: str
    act: Act
    count: int = 0


def export_state(workspace: Workspace, place: Path, omissions: tuple[str, ...]) -> Manifest:
    """Write the state of this clone into a file.

    `omissions` are sentences about the parts left out. Raises ClawgitError, with no file, if it cannot be written.
    """
    with _open_folder(workspace, _COPIES) as copies:
        _copy_parts(workspace, copies)
        names = [name for name in sorted(_NAMES) if (copies / name).is_file()]
        manifest = Manifest(
            _VERSION,
            workspace.now().isoformat(),
            __version__,
            workspace.root.name.encode("utf-8", "replace").decode(),
            history.roots(workspace.repo),
            workspace.head,
            tuple(Part(name, (copies / name).stat().st_size) for name in names),
            (*omissions, "what is about this machine stays here: its id, its clock, its timetable"),
        )
        _write_archive(place, manifest, copies)
        return manifest


@contextmanager
def _open_folder(workspace: Workspace, name: str) -> Iterator[Path]:
    """Lock a managed workspace, and yield an empty folder of its state that is removed afterwards."""
    workspace.require_managed()
    folder = workspace.store.folder / name
    with repository_lock(workspace.repo, time.monotonic() + _WAIT_SECONDS):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _copy_parts(workspace: Workspace, copies: Path) -> None:
    """Copy each part of the state into a folder, under its name."""
    union.copy_database(workspace.store, copies / STATE)
    if commits := own_commits.read_own_commits(workspace.repo):
        (copies / OWN_COMMITS).write_text("".join(f"{oid}\n" for oid in sorted(commits)), "ascii", "replace")
    if workspace.trusted.file.is_file():
        (copies / APPROVALS).parent.mkdir()
        shutil.copyfile(workspace.trusted.file, copies / APPROVALS)


def _write_archive(place: Path, manifest: Manifest, copies: Path) -> None:
    """Write the file, readable for its owner alone: never over another, or half. Raises ClawgitError."""
    (copies / _MANIFEST).write_bytes(msgspec.json.encode(manifest))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in (_MANIFEST, *(part.name for part in manifest.items)):
            archive.add(copies / name, name)
    try:
        regular_file.create(place, packed.getvalue())
    except FileExistsError as exc:
        raise errors.file_exists(f"{place} is there already", fix=Advice("clawgit state export NEW_FILE")) from exc
    except OSError as exc:
        raise errors.unwritable(place, exc) from exc


def _unpack(place: Path, folder: Path) -> Manifest:
    """Extract a file below `folder`, and return its manifest; gzip's checksum detects damage.

    Raises ClawgitError for another kind of file, one of a newer clawgit, a truncated one, or one with other parts.
    """
    try:
        with tarfile.open(place, "r:gz") as archive:
            parts = {member.name: member for member in archive}  # to the end, where the checksum is
            manifest = _read_manifest(archive, parts.pop(_MANIFEST), place)
            is_known = STATE in parts and parts.keys() <= {*_NAMES}
            if not is_known or not all(part.isfile() for part in parts.values()):
                raise ValueError("it has other parts")
            archive.extractall(folder, [*parts.values()], filter="data")
            return manifest
    except FileNotFoundError as exc:
        raise errors.file_missing(f"there is no file {place}", fix=Command("ls -l {}", place.parent)) from exc
    except (EOFError, tarfile.TarError, OSError, ValueError, KeyError) as exc:
        words = "is cut off" if isinstance(exc, EOFError) else "is no file of clawgit state export, or is damaged"
        disk_error = errors.find_disk_error(exc, folder)
        fix = Advice("clawgit state export NEW_FILE")
        raise disk_error or errors.archive_damaged(f"{place} {words}: {exc}", fix=fix) from exc


def _read_manifest(archive: tarfile.TarFile, member: tarfile.TarInfo, place: Path) -> Manifest:
    source = archive.extractfile(member)
    data = source.read() if source else b""
    version = json.loads(data).get("version")
    if not isinstance(version, int) or version > _VERSION:
        words = f"{place} was written by a newer clawgit: its version is {version}, this one reads {_VERSION}"
        raise errors.format_newer(words, fix=Command("pip install --upgrade clawgit"))
    return msgspec.json.decode(data, type=Manifest)


def import_state(
    workspace: Workspace, place: Path, *, dry_run: bool, keep_local: bool = False, approvals: bool = True
) -> tuple[Manifest, tuple[Step, ...]]:
    """Import a file of `export_state`, and return its manifest, and the outcome of each part.

    All of it is checked before anything here is touched. Missing rows are added, and no existing one goes. If both
    sides approved different things nothing at all is done, unless `keep_local` leaves those here. Without `approvals`
    the operator's approvals there are left out. Raises ClawgitError.
    """
    with _open_folder(workspace, _STAGED) as staged:
        manifest = _unpack(place, staged)
        _require_own(workspace, manifest, place)
        trust = _compare_approvals(workspace, staged) if approvals else ()
        if any(step.act == "differs" for step in trust) and not (keep_local or dry_run):
            words = "what is approved here is not what was approved there; nothing was changed"
            fix = Command("clawgit state import {} --keep-local", place, note="leaves it as it is here")
            raise errors.state_differs(words, fix=fix)
        counts = union.unite(workspace.store, staged / STATE, really=not dry_run)
        steps = [*trust, *(Step(name, "new" if count else "same", count) for name, count in sorted(counts.items()))]
        steps += _add_own_commits(workspace, staged / OWN_COMMITS, really=not dry_run)
        if not dry_run and any(step.act == "new" for step in trust):
            workspace.trusted.take(json.loads((staged / APPROVALS).read_bytes()))
    return manifest, tuple(steps)


def _add_own_commits(workspace: Workspace, staged: Path, *, really: bool) -> Iterator[Step]:
    """Add the commits that clawgit made there to those that it made here."""
    if not staged.exists():
        return
    local_oids = own_commits.read_own_commits(workspace.repo)
    fresh = [oid for oid in dict.fromkeys(regular_file.read_words(staged)) if oid not in local_oids]
    if really:
        own_commits.note(workspace.repo, fresh)
    yield Step(OWN_COMMITS, "new" if fresh else "same", len(fresh))


def _require_own(workspace: Workspace, manifest: Manifest, place: Path) -> None:
    """Raise ClawgitError for a file of another workspace."""
    if not {*history.roots(workspace.repo)} & {*manifest.roots}:
        raise errors.state_elsewhere(
            f"{place} belongs to another workspace, {manifest.workspace}: the histories begin with different commits",
            fix=Advice("clawgit -C WORKSPACE state import FILE   # in a clone of that one"),
        )


def _compare_approvals(workspace: Workspace, staged: Path) -> tuple[Step, ...]:
    """Compare two files of approvals by their content, wherever the workspaces are."""
    if not (staged / APPROVALS).exists():
        return ()
    local_file = workspace.trusted.file
    old, new = (json.loads(file.read_bytes()) if file.exists() else {} for file in (local_file, staged / APPROVALS))
    keys = ("known", "files", "config", "command_files")
    is_same = [old.get(key) for key in keys] == [new.get(key) for key in keys]
    return (Step(APPROVALS, "same" if is_same else "differs" if old.get("known") else "new"),)
