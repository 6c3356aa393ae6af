"""Keeps what nobody approved of the identity.

There is room for so many versions and bytes. Beyond that goes first what stands in a later version line by line, then
what is too large for an identity file, then the oldest; what goes is noted, with its name, hash and day.
"""

import contextlib
import fcntl
import json
import os
import shutil
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict, replace

from clawgit.errors import ClawgitError, Command, file_unreadable, id_unknown
from clawgit.git import regular_file, repository, worktree_files
from clawgit.git.repository import Oid, Repository
from clawgit.text.entry import is_id, new_id

_COPIED = 64 << 20
"""Up to so many bytes a file is copied before it is displaced; a larger one is moved, and that is all."""
MOST_ITEMS = 500
MOST_BYTES = 256 << 20
SITTING = timedelta(hours=1)
"""Versions of a file that follow each other so closely belong together: somebody is editing it."""
_LEFT = 0.9  # of either, once something has to go
_DESCRIPTION, _CONTENT, _INCOMING = "item.json", "content", "incoming"


class Item(Struct, frozen=True):
    """Something that stood at `path` and was taken away: a file, or a link, folder or device in its place.

    `first` and `last` are the moments (ISO 8601) at which the same bytes were taken away, `times` how often. `blob` is
    git's id of the bytes, None of what is no regular file; `place` is where they lie now.
    """

    id: str
    path: str
    kind: str
    first: str
    last: str
    times: int
    blob: Oid | None
    place: Path


def folder(repo: Repository) -> Path:
    """Return where they lie: in this clone alone, and never committed."""
    return repo.commondir / "clawgit" / "quarantine"


def items(repo: Repository) -> tuple[Item, ...]:
    """Return what is kept, oldest first; a folder that is none of ours is passed over."""
    found = [item for one in _folders(repo) for item in _read(one)]
    return tuple(sorted(found, key=lambda one: (one.first, one.id)))


class Dropped(Struct, frozen=True):
    """A version that there was no room for any more: of which file, its hash, when it was first taken away, and went.

    `contained` tells that all its lines stand in a later version that is kept, or was when it went.
    """

    path: str
    blob: Oid | None
    first: str
    when: str
    size: int
    contained: bool


def groups(found: Iterable[Item]) -> tuple[tuple[Item, ...], ...]:
    """Return the items of `items` by sitting: of one file, each within an hour of the one before; oldest first."""
    sittings: dict[str, list[list[Item]]] = {}
    for item in found:
        known = sittings.setdefault(item.path, [])
        if known and _moment(item.first) - _moment(known[-1][-1].last) <= SITTING:
            known[-1].append(item)
        else:
            known.append([item])
    every = (tuple(some) for known in sittings.values() for some in known)
    return tuple(sorted(every, key=lambda some: some[0].first))


def dropped(repo: Repository) -> tuple[Dropped, ...]:
    """Return what there was no room for, oldest first."""
    return tuple(regular_file.parse_rows(_notes(repo), Dropped))


def keep(repo: Repository, path: str, data: bytes, when: datetime) -> Item:
    """Keep a version of a file that a later one replaced in the inbox. Raises OSError."""
    home = _new_home(repo)
    regular_file.replace_state(home / _CONTENT, data, durable=True)
    moment = when.isoformat()
    return _settled(repo, Item(home.name, path, "a file", moment, moment, 1, None, home / _CONTENT))


def find(repo: Repository, name: str) -> Item:
    """Return the item whose id begins with `name`. Raises ClawgitError where that is none, or several."""
    found = [item for item in items(repo) if name and item.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    words = f"{len(found)} items begin with {name}" if found else f"nothing in quarantine is called {name}"
    raise id_unknown(words, fix=Command("clawgit inbox --kind {}", "quarantine"))


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


def discard(item: Item) -> None:
    """Forget an item."""
    shutil.rmtree(item.place.parent, ignore_errors=True)


def put_back(repo: Repository, path: str, approved: bytes | None, mode: int, when: datetime) -> Item | None:
    """Put `approved` (None: no file) in the place of what stands at `path`, and keep that; return it.

    One exchange: a reader sees the one or the other. What stands there is copied and on disk before, and a process
    that has it open goes on writing into what is kept. The same bytes again are the same item. None where nothing
    stood there. Git's index, HEAD and references are not touched. Raises OSError or ClawgitError where it cannot be.
    """
    target = worktree_files.locate(repo, path, nested=True)
    stood = _identity(target)
    home = _new_home(repo)
    try:
        kind = _copy(target, home / _CONTENT)
        item = Item(home.name, path, kind, when.isoformat(), when.isoformat(), 1, None, home / _CONTENT)
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


def _new_home(repo: Repository) -> Path:
    home = folder(repo) / new_id()
    home.mkdir(parents=True, mode=0o700)
    folder(repo).chmod(0o700)
    return home


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
        return _carried(incoming, home)
    if incoming.is_symlink() or not incoming.is_file():
        (home / _CONTENT).unlink(missing_ok=True)
    incoming.rename(home / _CONTENT)
    _make_private(home / _CONTENT)
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


def _carried(incoming: Path, home: Path) -> bool:
    """Copy what was displaced from another file system; it goes once nobody can write to it any more."""
    _copy(incoming, home / _CONTENT)
    if incoming.is_symlink() or not incoming.is_file() or _alone(incoming):
        _copy(incoming, home / _CONTENT)
        shutil.rmtree(incoming) if worktree_files.is_folder(incoming) else incoming.unlink(missing_ok=True)
    return True


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
        with contextlib.suppress(PermissionError):  # what we may not read is moved, and kept like that
            _copy_bytes(source, copy)
    return "a file"


def _copy_bytes(source: Path, copy: Path) -> None:
    with os.fdopen(worktree_files.open_quietly(source), "rb") as file:
        regular_file.replace_state(copy, file.read(_COPIED), durable=True)


def _make_private(place: Path) -> None:
    if place.is_file() and not place.is_symlink():
        place.chmod(0o600)


def _settled(repo: Repository, item: Item) -> Item:
    """Note what the bytes are; where they are kept already, count them there."""
    known = replace(item, blob=_blob(item.place))
    same = (one for one in items(repo) if one.id != item.id and (one.path, one.kind) == (item.path, item.kind))
    before = next((one for one in same if one.blob and one.blob == known.blob), None)
    if before is not None and _alone(item.place):
        shutil.rmtree(item.place.parent, ignore_errors=True)
        known = replace(before, last=item.last, times=before.times + 1)
    _describe(known)
    with contextlib.suppress(OSError):  # of a full or read-only disk nothing can be made room on either
        _make_room(repo, known)
    return known


def _make_room(repo: Repository, newest: Item) -> None:
    """Drop, and note, what is beyond the bounds; never the newest, nor what somebody still writes into."""
    found = {item.id: (item, _size(item.place)) for item in items(repo)}
    if len(found) <= MOST_ITEMS and sum(size for _, size in found.values()) <= MOST_BYTES:
        return
    others = [item for item, _ in found.values() if item.id != newest.id]
    contained = _contained(item for item, _ in found.values())
    large = {item.id for item, size in found.values() if size > regular_file.LARGEST}
    others.sort(key=lambda one: (one.id not in contained, one.id not in large, one.last, one.id))
    for item in others:
        sizes = [size for _, size in found.values()]
        if len(sizes) <= MOST_ITEMS * _LEFT and sum(sizes) <= MOST_BYTES * _LEFT:
            return
        if item.blob is not None and not _alone(item.place):
            continue
        one = Dropped(item.path, item.blob, item.first, newest.last, found.pop(item.id)[1], item.id in contained)
        _note(repo, one)
        discard(item)


def _contained(found: Iterable[Item]) -> frozenset[str]:
    """Return the ids of the versions all of whose lines stand in a later one of the same file."""
    later: dict[str, list[Counter[bytes]]] = {}
    contained = set()
    for item in sorted(found, key=lambda one: (one.last, one.id), reverse=True):
        if item.blob is None or _size(item.place) > regular_file.LARGEST:
            continue
        try:
            lines = Counter(content(item).splitlines())
        except ClawgitError:
            continue
        known = later.setdefault(item.path, [])
        if any(lines <= one for one in known):
            contained.add(item.id)
        else:
            known.append(lines)
    return frozenset(contained)


def _note(repo: Repository, one: Dropped) -> None:
    regular_file.append_rows(_notes(repo), (one,))


def _notes(repo: Repository) -> Path:
    return folder(repo) / "dropped.jsonl"


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.astimezone()


def _size(place: Path) -> int:
    try:
        return place.lstat().st_size
    except OSError:
        return 0


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


def _folders(repo: Repository) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from (one for one in folder(repo).iterdir() if is_id(one.name))


def _read(home: Path) -> Iterator[Item]:
    """Yield the item of a folder; where a kill came in between, what was displaced lies there under its first name."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        known = json.loads(regular_file.read_state(home / _DESCRIPTION))
        place = home / (_CONTENT if os.path.lexists(home / _CONTENT) else _INCOMING)
        if os.path.lexists(place):
            yield Item(id=home.name, place=place, **known)
