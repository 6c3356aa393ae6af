"""Reads and writes files, and waits for no pipe."""

import atexit
import contextlib
import errno
import fcntl
import json
import os
import signal
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

import msgspec

from clawgit import file_roles
from clawgit.errors import NO_FIX, ClawgitError, Command, Fix, file_kind

_STARTED = time.time() - 0.1  # the clock of a file system is some milliseconds late
_PATH = getattr(os, "O_PATH", os.O_RDONLY | os.O_NONBLOCK)


def match(handle: int, folder: Path) -> int | None:
    """Give a new file of root's to the owner of `folder`; return the mode that suits it there, None for any."""
    if os.geteuid() or not (folder_status := folder.stat()).st_uid:
        return None
    with suppress(OSError):
        os.fchown(handle, folder_status.st_uid, folder_status.st_gid)
    return stat.S_IMODE(folder_status.st_mode) & 0o666


def make_folders(folder: Path) -> None:
    """Make a folder, and its missing parents."""
    if not folder.is_dir():
        make_folders(folder.parent)
        folder.mkdir(exist_ok=True)
        inherit(folder)


def inherit(folder: Path) -> None:
    """Give a new folder of root's the owner and the mode of the one around it."""
    if os.geteuid() == 0 and (folder_status := folder.parent.stat()).st_uid:
        with suppress(OSError):
            os.chown(folder, folder_status.st_uid, folder_status.st_gid, follow_symlinks=False)
            folder.chmod(stat.S_IMODE(folder_status.st_mode))


@cache
def keep_owner(gitdir: Path) -> None:
    """Hand over the files that this process makes in a git folder, when it ends."""
    atexit.register(hand_over, gitdir)


def hand_over(gitdir: Path) -> None:
    """Give the files that root has made in a git folder since this process began to the owners of their folders."""
    with suppress(OSError):
        for _, handle, folder_status in (
            list_owned_by_root(gitdir, _STARTED) if not os.geteuid() and gitdir.stat().st_uid else ()
        ):
            with suppress(OSError):
                os.chown(f"/proc/self/fd/{handle}", folder_status.st_uid, folder_status.st_gid)


def list_owned_by_root(top: Path, since: float = 0) -> Iterator[tuple[Path, int, os.stat_result]]:
    """Yield root's files in folders of others, changed since `since`, with a handle and the status of the folder.

    Nobody can put another file in the place of a handle. A file with two names may be meant by the other one.
    """
    for path, folders, files, folder in os.fwalk(top):
        folder_status = os.fstat(folder)
        for name in (*folders, *files) if folder_status.st_uid else ():
            with suppress(OSError):
                handle = os.open(name, _PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
                try:
                    status = os.fstat(handle)
                    single = status.st_nlink == 1 or stat.S_ISDIR(status.st_mode)
                    if status.st_uid == 0 and status.st_ctime >= since and single:
                        yield Path(path, name), handle, folder_status
                finally:
                    os.close(handle)


LARGEST = 2 << 20
"""OpenClaw reads no larger file."""

LARGEST_SEARCHED = 16 << 20
"""A search reads no larger file."""

LARGEST_OWN = 256 << 20
"""A larger file below .clawgit is none of clawgit's making."""

MAX_STATE_BYTES = 64 << 20
_PATIENCE, _PAUSE = 0.2, 0.005  # seconds
_ROOM, _REJECTED = "clawgit", "rejected"
_FOLDERS = ("cache", "displaced", "old", "quarantine", "state")
_FILES = (
    *("lock", "decide.lock", "schedule.lock", "committing", "purge-halfway", "index.side", "notes.json", "digest.md"),
    *("state.db", "decisions.log", "own-commits"),
)
_OTHER_KIND = (errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.EINVAL)
_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}
_DAMAGE = (ValueError, RecursionError, msgspec.MsgspecError)
T = TypeVar("T")


def limit_of(path: str) -> int:
    """Return how many bytes the file at `path` may have."""
    if "/.clawgit/" in f"/{path}":
        return LARGEST_OWN
    return LARGEST_SEARCHED if path.startswith(file_roles.RECORDS) else LARGEST


def read_regular_file(place: Path, limit: int = LARGEST) -> bytes:
    """Return the content of the regular file at `place`, or behind a link there; never waits for a pipe or a device.

    Raises OSError, also for a file that is not regular or is larger than `limit` bytes.
    """
    with os.fdopen(os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        _require_regular(os.fstat(file.fileno()), place, limit)
        return file.read()


@contextlib.contextmanager
def open_handle(place: Path | str, flags: int) -> Iterator[int]:
    """Open a file or folder, and yield its handle. Raises OSError."""
    handle = os.open(place, flags | os.O_CLOEXEC, 0o666)
    try:
        yield handle
    finally:
        os.close(handle)


def list_folder(folder: Path) -> list[Path]:
    """Return the paths in a folder, sorted; none if it cannot be read."""
    with contextlib.suppress(OSError):
        return sorted(folder.iterdir())
    return []


def old_copy(temporary: Path) -> Path:
    """Return the place of the old bytes of a file while it is overwritten: a kill leaves them there."""
    return temporary.with_name(f"{temporary.name}.old")


def resume_overwrite(temporary: Path, place: Path) -> None:
    """Continue after a kill left `place` half overwritten; later changes by others stay."""
    if old_copy(temporary).exists() and not (place.exists() and overwrite(temporary, place)):
        old_copy(temporary).replace(temporary)


def overwrite(temporary: Path, place: Path) -> bool:
    """Write `temporary`, which then gets the old bytes, over `place`; False if the result is neither old nor new."""
    old, new = old_copy(temporary).read_bytes(), temporary.read_bytes()
    with place.open("r+b", buffering=0) as file:
        until = time.monotonic() + _PATIENCE
        while lease(file.fileno(), fcntl.F_WRLCK) is False and time.monotonic() < until:
            time.sleep(_PAUSE)
        now = file.read()
        if now != old and not (
            len(now) >= len(old) and all(byte in choices for byte, *choices in zip_longest(now, old, new))
        ):
            return False
        try:  # what it grows by comes first: on a full disk nothing has been overwritten
            file.seek(len(old))
            write_all(file.fileno(), new[len(old) :])
        except OSError as exc:
            file.truncate(len(now))
            exc.filename = str(place)
            raise
        file.seek(0)
        write_all(file.fileno(), new)
        file.truncate()
        os.fsync(file.fileno())
    old_copy(temporary).replace(temporary)
    return True


def lease(handle: int, kind: int) -> bool | None:
    """Take a lease on an open file; False if others have it open, None if the system gives none."""
    try:
        # The signal of a broken lease would end the process; SIGURG is ignored by default.
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, kind)
    except (AttributeError, OSError) as exc:
        return False if getattr(exc, "errno", None) == errno.EAGAIN else None
    return True


def mount_of(place: Path) -> tuple[int, str]:
    """Return the identity of the mount of `place`: no rename leads out of it."""
    with open_handle(place, getattr(os, "O_PATH", os.O_RDONLY)) as handle:
        about = Path(f"/proc/self/fdinfo/{handle}")
        words = about.read_text() if about.exists() else ""
        return os.fstat(handle).st_dev, words.partition("mnt_id:")[2].partition("\n")[0]


def write_all(handle: int, block: bytes) -> None:
    """Write all of `block` to an open file. Raises OSError."""
    while block:
        block = block[os.write(handle, block) :]


# ---- what clawgit keeps below .git/clawgit: read and written here alone


def read_state(place: Path, limit: int = MAX_STATE_BYTES) -> bytes:
    """Return the content of a file of clawgit's own.

    Raises OSError, also for a link, for a file of another user, and for one behind a link in our folder.
    """
    owners = _owners(place)
    with os.fdopen(os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        _require_regular(os.fstat(file.fileno()), place, limit, owners)
        return file.read()


def read_words(place: Path, limit: int = MAX_STATE_BYTES) -> list[str]:
    """Return the words of a text of clawgit's own; none if `read_state` refuses it."""
    with contextlib.suppress(OSError):
        return read_state(place, limit).decode("utf-8", "replace").split()
    return []


def parse_state(place: Path, schema: type[T]) -> T | None:
    """Return the JSON value in a file of clawgit's own; None for one that is not there, refused, or not as it is to be.

    `schema` is a type as msgspec takes it, with its limits.
    """
    with contextlib.suppress(OSError, *_DAMAGE):
        return _parse_json(read_state(place), schema)
    return None


def parse_rows(place: Path, schema: type[T]) -> Iterator[T]:
    """Return the JSON values in the lines of such a file; a line that is torn, or something else, is passed over."""
    with contextlib.suppress(OSError):
        return parse_lines(read_state(place).splitlines(), schema)
    return iter(())


def parse_lines(lines: Iterable[bytes], schema: type[T]) -> Iterator[T]:
    """Yield the JSON values of that schema; others are skipped."""
    for line in lines:
        with contextlib.suppress(*_DAMAGE):
            yield _parse_json(line, schema)


def _parse_json(data: bytes, schema: type[T]) -> T:
    return msgspec.convert(json.loads(data.decode("utf-8", "replace")), schema)


def save_state(place: Path, value: object) -> None:
    """Save a value in a file of clawgit's own, for `parse_state`. Raises OSError."""
    replace_state(place, json.dumps(msgspec.to_builtins(value)).encode() + b"\n")


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, but no `.git`: a workspace that was moved away stays away. Raises OSError."""
    git = next((place for place in (folder, *folder.parents) if place.name == ".git"), None)
    if git and not git.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(git))
    folder.mkdir(parents=True, exist_ok=True)


def append_rows(place: Path, rows: Iterable[object]) -> None:
    """Append values for `parse_rows`. Raises OSError."""
    texts = (json.dumps(msgspec.to_builtins(row), ensure_ascii=False) for row in rows)
    append_lines(place, "".join(f"{text}\n" for text in texts).encode("utf-8", "replace"))


def append_lines(place: Path, lines: bytes) -> None:
    """Append whole lines to a file of clawgit's own, and wait until the disk has them. Raises OSError."""
    if not lines:
        return
    make_folder(place.parent)
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with os.fdopen(os.open(require_state(place), flags, 0o600), "r+b", buffering=0) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        match(file.fileno(), place.parent)
        end = file.seek(0, os.SEEK_END)
        torn = end > 0 and os.pread(file.fileno(), 1, end - 1) != b"\n"  # by a writer who was killed
        write_all(file.fileno(), b"\n" * torn + lines)
        os.fsync(file.fileno())


@contextlib.contextmanager
def lock_file(place: Path, busy: ClawgitError | None = None, patience: float = 0.0) -> Iterator[int]:
    """Lock this file, and yield its handle; waits, or raises `busy` after `patience` seconds."""
    until = time.monotonic() + patience
    make_folder(place.parent)
    with os.fdopen(os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)) as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
                break
            except BlockingIOError as exc:
                if not busy or time.monotonic() > until:
                    raise busy or exc from None
                time.sleep(_PAUSE)
        yield file.fileno()


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Keep the lock of a folder, without a file for it. Raises OSError."""
    with open_handle(folder, os.O_RDONLY | os.O_DIRECTORY) as handle:
        with contextlib.suppress(OSError):  # of a file system that locks no folders
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def replace_state(place: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file of ours atomically, for its user alone; `durable` waits for the disk. Raises OSError."""
    make_folder(place.parent)
    fresh = place.with_name(f"{place.name}.{os.urandom(4).hex()}.new")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
            match(file.fileno(), place.parent)
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        # No rename puts a file in the place of a folder.
        if place.is_dir() and not place.is_symlink():
            place.rename(fresh.with_suffix(".aside"))
        fresh.replace(place)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def create(place: Path, data: bytes) -> None:
    """Make a new file, all of it or nothing, for its user alone. Raises OSError: FileExistsError if there is one."""
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except OSError:
        place.unlink()
        raise


def make_private(place: Path) -> None:
    """Make an empty file with mode 0600, and its folders, unless there is something. Raises OSError.

    An existing file is not opened: closing it would drop every lock that this process has on it, and SQLite relies on
    its locks (sqlite.org/howtocorrupt.html, 2.2).
    """
    make_folder(place.parent)
    if not os.path.lexists(place):
        with contextlib.suppress(FileExistsError):
            os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def require_state(place: Path) -> Path:
    """Return `place`, the present or future place of a file of ours. Raises OSError if `read_state` would refuse it."""
    owners = _owners(place)
    with contextlib.suppress(FileNotFoundError):
        status = place.lstat()
        _require_regular(status, place, status.st_size, owners)
    return place


def set_strays_aside(top: Path) -> None:
    """Move entries of another kind than our folders and state files to `rejected/`.

    We would write behind a link, and could not write to a folder in the place of a file, or the other way round.
    """
    mark = os.urandom(4).hex()
    for place in (top, top / _REJECTED):
        if place.is_symlink() or (place.name == _REJECTED and place.exists() and not place.is_dir()):
            place.rename(place.with_name(f"{place.name}.{mark}"))
    strays = [place for place in (top.with_name(f"{_ROOM}.{mark}"),) if place.is_symlink()]
    for folder in (top, top / "state"):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
            for entry in entries:
                is_file, is_folder = entry.is_file(follow_symlinks=False), entry.is_dir(follow_symlinks=False)
                is_other = (entry.name in _FILES and not is_file) or (entry.name in _FOLDERS and not is_folder)
                if entry.is_symlink() or is_other or entry.name == f"{_REJECTED}.{mark}":
                    strays.append(Path(entry))
        while strays:
            stray = strays.pop()
            make_folder(top / _REJECTED)
            stray.rename(top / _REJECTED / f"{stray.name}.{mark}")


def _owners(place: Path) -> tuple[int, int]:
    """Return the allowed owners of a file of ours: this user, and that of the `.git`. Raises OSError for a link."""
    folder = place.parent
    for folder in place.parents if _ROOM in place.parts[:-1] else ():
        if folder.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(folder))
        if folder.name == _ROOM:
            break
    return os.geteuid(), folder.parent.stat().st_uid


def _require_regular(status: os.stat_result, place: Path, limit: int, owners: tuple[int, ...] = ()) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(place))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, f"it is {describe_kind(status.st_mode)}", str(place))
    if status.st_size > limit:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(place))
    if owners and status.st_uid not in owners:
        raise PermissionError(errno.EPERM, "it belongs to another user", str(place))


def describe_kind(mode: int) -> str:
    """Return a description of a file that is not regular."""
    return _KINDS.get(stat.S_IFMT(mode), "a device")


def refuse_waiting(place: Path, path: str) -> None:
    """Raise ClawgitError for a pipe, socket or device that git would open, and wait for, or read without end."""
    try:
        mode = place.stat().st_mode
    except OSError:
        return
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode) or place.samefile(os.devnull):
        return
    raise file_kind(f"{path} is {describe_kind(mode)}: git would wait for it for ever", fix=rename_aside(place))


def way_out(root: Path, path: str) -> Command:
    """Return the command for a file below `root` that is there and cannot be read."""
    place = root / path
    if place.is_symlink():
        return Command("rm {}", path, note="the link leads to nothing that can be read")
    if place.is_file():
        return Command("ls -l {}", path, note="its size, and who may read it")
    return rename_aside(path)


def clearing_command(exc: Exception) -> Fix:
    """Return the command that moves a file of the wrong kind out of our place, NO_FIX for another error."""
    name = (exc.filename2 or exc.filename) if isinstance(exc, OSError) and exc.errno in _OTHER_KIND else None
    place = next((path for path in (Path(name), *Path(name).parents) if os.path.lexists(path)), None) if name else None
    ancestors = (place, *place.parents) if place else ()
    ours = any(folder.name == _ROOM and (folder.parent / "HEAD").exists() for folder in ancestors)
    return rename_aside(place) if place and ours else NO_FIX


def rename_aside(place: Path | str) -> Command:
    """Return the command that renames the file or folder `place` to `place.aside`."""
    return Command("mv {} {}", place, f"{place}.aside")
