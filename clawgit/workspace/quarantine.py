"""Keeps what nobody approved of the identity."""

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
    """Return where they lie: in this clone alone, and never committed."""
    return repo.commondir / "clawgit" / "quarantine"


def items(repo: Repository) -> tuple[Item, ...]:
    """Return what is kept, oldest first; a folder that is none of ours is passed over."""
    found: list[Item] = []
    with contextlib.suppress(OSError):
        found = [item for one in folder(repo).iterdir() if is_id(one.name) for item in _read(one)]
    return tuple(sorted(found, key=lambda one: (one.first, one.id)))


def list_newest(found: Iterable[Item]) -> tuple[tuple[Item, int], ...]:
    """Return the newest version of each file among the items of `items`, each with how many earlier ones there are."""
    versions: dict[str, list[Item]] = {}
    for item in found:
        versions.setdefault(item.path, []).append(item)
    return tuple((max(some, key=lambda one: one.last), len(some) - 1) for some in versions.values())


def content(item: Item) -> bytes:
    """Return the bytes as they are now: whoever held the file open may have written on. Raises ClawgitError."""
    try:
        handle = worktree_files.open_quietly(item.place)
    except OSError as exc:
        raise file_unreadable(f"cannot read {item.place}: {exc.strerror}", fix=Command("ls -l {}", item.place)) from exc
    try:
        return worktree_files.read_handle(handle, str(item.place), _COPIED).data
    finally:
        os.close(handle)


def discard(repo: Repository, name: str) -> None:
    """Forget an item, if there is one of this id."""
    if is_id(name):
        shutil.rmtree(folder(repo) / name, ignore_errors=True)


def put_back(repo: Repository, path: str, approved: bytes | None, mode: int, when: datetime) -> Item | None:
    """Put `approved` (None: no file) in the place of what stands at `path`, and keep that; return it.

    One exchange: a reader sees the one or the other. What stands there is copied and on disk before, and a process
    that has it open goes on writing into what is kept. The same bytes again are the same item. None where nothing
    stood there. Raises OSError or ClawgitError where it cannot be.
    """
    target = worktree_files.locate(repo, path, nested=True)
    stood = _identity(target)
    home = folder(repo) / new_id()
    home.mkdir(parents=True, mode=0o700)
    folder(repo).chmod(0o700)
    try:
        kind = _copy(target, home / _CONTENT)
        item = Item(home.name, path, kind, when.isoformat(), when.isoformat(), None, home / _CONTENT)
        _describe(item)
        displaced = _exchange(target, home, approved, mode)
    except BaseException:
        if _identity(target) == stood:  # nothing was taken away: a copy a minute would fill the disk further
            _beside(target, home).unlink(missing_ok=True)
            shutil.rmtree(home, ignore_errors=True)
        raise
    if not displaced:
        shutil.rmtree(home, ignore_errors=True)
        return None
    return _settled(repo, item)


def _exchange(target: Path, home: Path, approved: bytes | None, mode: int) -> bool:
    """Put the new file in place and what stood there into `home`; tell whether something stood there."""
    near = next(parent for parent in target.parents if parent.exists())
    same = regular_file.mount_of(near) == regular_file.mount_of(home)
    incoming = home / _INCOMING if same else _beside(target, home)
    if approved is None:
        worktree_files.remove(target, incoming)
    else:
        worktree_files.write_temporary(incoming, approved, mode, twin=target)
        worktree_files.exchange(incoming, target)
    if not os.path.lexists(incoming):
        return False
    if not same:
        _copy(incoming, home / _CONTENT)
        if incoming.is_symlink() or not incoming.is_file() or _alone(incoming):  # nobody can write to it any more
            _copy(incoming, home / _CONTENT)
            shutil.rmtree(incoming) if worktree_files.is_folder(incoming) else incoming.unlink(missing_ok=True)
        return True
    if incoming.is_symlink() or not incoming.is_file():
        (home / _CONTENT).unlink(missing_ok=True)
    incoming.rename(home / _CONTENT)
    if (home / _CONTENT).is_file() and not (home / _CONTENT).is_symlink():
        (home / _CONTENT).chmod(0o600)
    worktree_files.sync_folder(home)
    return True


def _beside(target: Path, home: Path) -> Path:
    """Return where the new file is made where the repository lies on another disk."""
    return target.with_name(f".{target.name}.clawgit-{home.name}")


def _identity(place: Path) -> tuple[int, int] | None:
    """Return what tells a file from any other, None where nothing stands."""
    try:
        status = place.lstat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _copy(source: Path, copy: Path) -> str:
    """Copy what stands at `source`, and wait until the disk has it; return what kind of thing it is."""
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


def _settled(repo: Repository, item: Item) -> Item:
    """Note what the bytes are; where they are kept already, count them there."""
    known = replace(item, blob=_blob(item.place))
    same = (one for one in items(repo) if one.id != item.id and (one.path, one.kind) == (item.path, item.kind))
    before = next((one for one in same if one.blob and one.blob == known.blob), None)
    if before is not None and _alone(item.place):
        shutil.rmtree(item.place.parent, ignore_errors=True)
        known = replace(before, last=item.last)
    _describe(known)
    return known


def _blob(place: Path) -> Oid | None:
    try:
        if place.is_symlink() or not place.is_file() or place.stat().st_size > _COPIED:
            return None
        return repository.hash_blob(place.read_bytes())
    except OSError:
        return None


def _alone(place: Path) -> bool:
    """Return whether nobody but us has a file open: only then the system grants a write lease."""
    try:
        handle = worktree_files.open_quietly(place)
    except OSError:
        return False
    try:
        return regular_file.lease(handle, fcntl.F_WRLCK) is True
    finally:
        os.close(handle)


def _describe(item: Item) -> None:
    document = {key: value for key, value in asdict(item).items() if key not in ("id", "place")}
    regular_file.replace_state(item.place.with_name(_DESCRIPTION), json.dumps(document).encode(), durable=True)


def _read(home: Path) -> Iterator[Item]:
    """Yield the item of a folder; where a kill came in between, what was displaced lies there under its first name."""
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        known = json.loads(regular_file.read_state(home / _DESCRIPTION))
        place = home / (_CONTENT if os.path.lexists(home / _CONTENT) else _INCOMING)
        if os.path.lexists(place):
            fields = {name: known[name] for name in ("path", "kind", "first", "last", "blob")}
            yield Item(id=home.name, place=place, **fields)
