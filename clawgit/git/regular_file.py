"""Reads regular files; waits for no pipe or device. The one reader of what clawgit keeps below `.git/clawgit`."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from clawgit.errors import ClawgitError, quoted

LARGEST = 2 << 20
MAX_STATE_BYTES = 64 << 20
_ROOM, _REJECTED = "clawgit", "rejected"
_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}
T = TypeVar("T")


def read(place: Path, limit: int = LARGEST) -> bytes:
    """Return what the regular file at `place`, or behind a link there, holds; never waits for a pipe or a device.

    Raises OSError, also for what is no regular file or is larger than `limit` bytes.
    """
    with os.fdopen(os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        _require_regular(os.fstat(file.fileno()), place, limit)
        return file.read()


def read_state(place: Path, limit: int = MAX_STATE_BYTES) -> bytes:
    """Return what a file of clawgit's own holds.

    Raises OSError, also for a link, for a file of another user, and for one that lies behind a link in our folder.
    """
    owners = _owners(place)
    with os.fdopen(os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        _require_regular(os.fstat(file.fileno()), place, limit, owners)
        return file.read()


def read_words(place: Path, limit: int = MAX_STATE_BYTES) -> list[str]:
    """Return the words of a text of clawgit's own; none where `read_state` refuses it."""
    with contextlib.suppress(OSError):
        return read_state(place, limit).decode("utf-8", "replace").split()
    return []


def parse_state(place: Path, schema: type[T], limit: int = MAX_STATE_BYTES) -> T | None:
    """Return the JSON value in a file of clawgit's own; None for one that is not there, refused, or not as it is to be.

    `schema` is a type as msgspec takes it, with its limits.
    """
    with contextlib.suppress(OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return msgspec.json.decode(read_state(place, limit), type=schema)
    return None


def parse_rows(place: Path, schema: type[T], limit: int = MAX_STATE_BYTES) -> Iterator[T]:
    """Yield the JSON values in the lines of such a file; a line that is torn, or something else, is passed over."""
    decoder = msgspec.json.Decoder(schema)
    lines: list[bytes] = []
    with contextlib.suppress(OSError):
        lines = read_state(place, limit).splitlines()
    for line in lines:
        with contextlib.suppress(ValueError, RecursionError, msgspec.MsgspecError):
            yield decoder.decode(line)


def replace_state(place: Path, data: bytes) -> None:
    """Let a file of clawgit's own hold `data`, all of it or nothing, for its user alone. Raises OSError."""
    fresh = place.with_name(f"{place.name}.{os.urandom(4).hex()}.new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
        file.write(data)
    fresh.replace(place)


def require_state(place: Path) -> Path:
    """Return `place`, where a file of ours is or will be. Raises OSError for what `read_state` would not read."""
    owners = _owners(place)
    with contextlib.suppress(FileNotFoundError):
        status = place.lstat()
        _require_regular(status, place, status.st_size, owners)
    return place


def set_links_aside(top: Path) -> None:
    """Move what is a link among our folders, and among the files of state, to `rejected/`: we would write behind it."""
    mark = os.urandom(4).hex()
    for place in (top, top / _REJECTED):
        if place.is_symlink():
            place.rename(place.with_name(f"{place.name}.{mark}"))
    links = [place for place in (top.with_name(f"{_ROOM}.{mark}"),) if place.is_symlink()]
    for folder in (top, top / "state"):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
            links += [Path(entry) for entry in entries if entry.is_symlink()]
    for link in links:
        (top / _REJECTED).mkdir(parents=True, exist_ok=True)
        link.rename(top / _REJECTED / f"{link.name}.{mark}")


def _owners(place: Path) -> tuple[int, int]:
    """Return whose a file of ours may be: ours, or his whose `.git` it is in. Raises OSError for a link on the way."""
    folder = place.parent
    for folder in place.parents if _ROOM in place.parts[:-1] else ():
        if folder.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(folder))
        if folder.name == _ROOM:
            break
    return os.geteuid(), folder.parent.stat().st_uid


def _require_regular(status: os.stat_result, place: Path, limit: int, owners: tuple[int, ...] = ()) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, f"it is {kind(status.st_mode)}", str(place))
    if status.st_size > limit:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(place))
    if owners and status.st_uid not in owners:
        raise PermissionError(errno.EPERM, "it belongs to another user", str(place))


def kind(mode: int) -> str:
    """Return in words what a file is that is no regular one."""
    return _KINDS.get(stat.S_IFMT(mode), "a device")


def refuse_waiting(place: Path, path: str) -> None:
    """Raise ClawgitError for a pipe, socket or device that git would open, and wait for, or read without end."""
    try:
        mode = place.stat().st_mode
    except OSError:
        return
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode) or place.samefile(os.devnull):
        return
    raise ClawgitError(f"{path} is {kind(mode)}: git would wait for it for ever", fix=aside(place))


def way_out(root: Path, path: str) -> str:
    """Return the command for a file below `root` that is there and cannot be read."""
    place = root / path
    if place.is_symlink():
        return f"rm {quoted(path)}   # the link leads to nothing that can be read"
    if place.is_file():
        return f"ls -l {quoted(path)}   # its size, and who may read it"
    return aside(path)


def aside(place: Path | str) -> str:
    """Return the command that gives what stands at `place` a name that is in nobody's way."""
    return f"mv {quoted(place)} {quoted(f'{place}.aside')}"
