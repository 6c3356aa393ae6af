"""Keeps unapproved files of the identity."""

import contextlib
import fcntl
import json
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict, replace

from clawgit.errors import Command, file_unreadable
from clawgit.git import regular_file, repository, worktree_files
from clawgit.git.repository import Oid, Repository
from clawgit.text.entry import is_id, new_id

_COPIED = 64 << 20
"""Up to so many bytes a file is copied before it is displaced; a larger one is moved, and that is all."""
_DESCRIPTION, _CONTENT, _INCOMING = "item.json", "content", "incoming"


class Item(Struct, frozen=True):
    """Something that stood at `path` and was taken away: a file, or a link, folder or device in its place.

    `first` and `last` are the moments (ISO 8601) at which the same bytes were taken away. `blob` is git's id of the
    bytes, None of what is no regular file; `place` is where they lie now.
    """

    id: str
    path: str
    kind: str
    first: str
    last: str
    blob: Oid | None
    place: Path


def folder(repo: Repository) -> Path:
    """Return the folder of the items: in this clone alone, and never committed."""
    return repo.commondir / "clawgit" / "quarantine"


def items(repo: Repository) -> tuple[Item, ...]:
    """Return the kept items, oldest first; a folder that is not ours is skipped."""
    entries: list[Item] = []
    with contextlib.suppress(OSError):
        entries = [item for home in folder(repo).iterdir() if is_id(home.name) for item in _read_item_folder(home)]
    return tuple(sorted(entries, key=lambda entry: (entry.first, entry.id)))


def list_newest(all_items: Iterable[Item]) -> tuple[tuple[Item, int], ...]:
    """Return the newest version of each file among the items of `items`, each with how many earlier ones there are."""
    versions: dict[str, list[Item]] = {}
    for item in all_items:
        versions.setdefault(item.path, []).append(item)
    return tuple((max(group, key=lambda version: version.last), len(group) - 1) for group in versions.values())


def content(item: Item) -> bytes:
    """Return the present bytes: a process with the file open may have written on. Raises ClawgitError."""
    try:
        with os.fdopen(worktree_files.open_quietly(item.place), "rb") as file:
            return worktree_files.read_handle(file.fileno(), str(item.place), _COPIED).data
    except OSError as exc:
        raise file_unreadable(f"cannot read {item.place}: {exc.strerror}", fix=Command("ls -l {}", item.place)) from exc


def discard(repo: Repository, name: str) -> None:
    """Forget an item, if there is one of this id."""
    if is_id(name):
        shutil.rmtree(folder(repo) / name, ignore_errors=True)


def put_back(repo: Repository, path: str, data: bytes | None, mode: int, time: datetime) -> Item | None:
    """Put `data` (None: no file) in the place of the file at `path`, and keep that; return it.

    One exchange: a reader sees the one or the other. The old file is copied and on disk before, and a process that has
    it open goes on writing into the kept one. The same bytes again are the same item. None if there was nothing. Raises
    OSError or ClawgitError if it cannot be done.
    """
    target = worktree_files.locate(repo, path, nested=True)
    identity = _identify_file(target)
    home = folder(repo) / new_id()
    home.mkdir(parents=True, mode=0o700)
    # The mode of mkdir is for the last folder alone.
    folder(repo).chmod(0o700)
    parent_folder = next(parent for parent in target.parents if parent.exists())
    is_same_mount = regular_file.mount_of(parent_folder) == regular_file.mount_of(home)
    # Two files can only be exchanged within one mount.
    incoming = home / _INCOMING if is_same_mount else target.with_name(f".{target.name}.clawgit-{home.name}")
    try:
        kind = _copy(target, home / _CONTENT)
        item = Item(home.name, path, kind, time.isoformat(), time.isoformat(), None, home / _CONTENT)
        _save_description(item)
        if data is None:
            worktree_files.remove(target, incoming)
        else:
            worktree_files.write_temporary(incoming, data, mode, twin=target)
            worktree_files.exchange(incoming, target)
    except BaseException:
        if _identify_file(target) == identity:  # nothing was taken away: a copy a minute would fill the disk further
            incoming.unlink(missing_ok=True)
            shutil.rmtree(home, ignore_errors=True)
        raise
    if not os.path.lexists(incoming):
        shutil.rmtree(home, ignore_errors=True)
        return None
    _keep_incoming(incoming, home / _CONTENT, is_same_mount=is_same_mount)
    worktree_files.sync_folder(home)
    return _settle_kept_item(repo, item)


def _keep_incoming(incoming: Path, place: Path, *, is_same_mount: bool) -> None:
    is_file = incoming.is_file() and not incoming.is_symlink()
    if is_file and not is_same_mount and not _is_open_nowhere_else(incoming):
        _copy(incoming, place)  # it stays where it is, too: somebody may write on into it
        return
    if not is_file:
        place.unlink(missing_ok=True)
    shutil.move(incoming, place)


def _identify_file(place: Path) -> tuple[int, int] | None:
    """Return the identity of a file, None if there is none."""
    try:
        status = place.lstat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _copy(source: Path, copy: Path) -> str:
    """Copy a file at `source`, and wait until the disk has it; return its kind."""
    try:
        status = source.lstat()
    except FileNotFoundError:
        return "nothing"
    if stat.S_ISLNK(status.st_mode):
        return f"a symbolic link to {source.readlink()}"
    if stat.S_ISDIR(status.st_mode):
        return "a folder"
    if not stat.S_ISREG(status.st_mode):
        return "a device"
    if status.st_size <= _COPIED:
        with (
            contextlib.suppress(PermissionError),  # what we may not read is moved, and kept like that
            os.fdopen(worktree_files.open_quietly(source), "rb") as file,
        ):
            regular_file.replace_state(copy, file.read(_COPIED), durable=True)
    return "a file"


def _settle_kept_item(repo: Repository, item: Item) -> Item:
    """Add the id of the bytes to an item; if they are kept already, count them there."""
    settled_item = item
    if item.place.is_file() and not item.place.is_symlink():
        item.place.chmod(0o600)
        data = item.place.read_bytes() if item.place.stat().st_size <= _COPIED else None
        settled_item = replace(item, blob=None if data is None else repository.hash_blob(data))
    twins = (twin for twin in items(repo) if twin.id != item.id and (twin.path, twin.kind) == (item.path, item.kind))
    before = next((twin for twin in twins if twin.blob and twin.blob == settled_item.blob), None)
    # A process that has the file open may still write to it: then both copies stay.
    if before is not None and _is_open_nowhere_else(item.place):
        shutil.rmtree(item.place.parent, ignore_errors=True)
        settled_item = replace(before, last=item.last)
    _save_description(settled_item)
    return settled_item


def _is_open_nowhere_else(place: Path) -> bool:
    """Return whether nobody but us has a file open: only then the system grants a write lease."""
    try:
        with os.fdopen(worktree_files.open_quietly(place), "rb") as file:
            return regular_file.lease(file.fileno(), fcntl.F_WRLCK) is True
    except OSError:
        return False


def _save_description(item: Item) -> None:
    document = {key: value for key, value in asdict(item).items() if key not in ("id", "place")}
    regular_file.replace_state(item.place.with_name(_DESCRIPTION), json.dumps(document).encode(), durable=True)


def _read_item_folder(home: Path) -> Iterator[Item]:
    """Yield the item of a folder; after a kill in between, the displaced file has its first name there."""
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        values = json.loads(regular_file.read_state(home / _DESCRIPTION))
        place = home / (_CONTENT if os.path.lexists(home / _CONTENT) else _INCOMING)
        if os.path.lexists(place):
            fields = {name: values[name] for name in ("path", "kind", "first", "last", "blob")}
            yield Item(id=home.name, place=place, **fields)
