"""Reads and places working tree files."""

import contextlib
import errno
import fcntl
import os
import stat
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from msgspec import Struct

from clawgit import errors
from clawgit.errors import Advice, ClawgitError, Command, Fix, quote_shell
from clawgit.git import regular_file, repository
from clawgit.git.regular_file import (
    describe_kind,
    limit_of,
    mount_of,
    old_copy,
    open_handle,
    overwrite,
    rename_aside,
    write_all,
)
from clawgit.git.repository import Repository

Observer = Callable[[str], None]

_observers: list[Observer] = []


def announce_step(step: str) -> None:
    """Announce the next `step` of a write to every observer."""
    for observer in _observers:
        observer(step)


def observe(observer: Observer) -> None:
    """Call `observer(step)` at each point; benchmarks time with it, tests interrupt."""
    _observers.append(observer)


def stop_observing(observer: Observer) -> None:
    """Stop calling `observer`."""
    _observers.remove(observer)


_EXCHANGE, _NOREPLACE, _AT_FDCWD = 2, 1, -100
_GET_FLAGS, _APPEND_FLAG, _IMMUTABLE_FLAG = 0x80086601, 0x20, 0x10  # FS_IOC_GETFLAGS, FS_APPEND_FL, FS_IMMUTABLE_FL


class DiskFile(Struct, frozen=True):
    """The bytes and permission bits of one file, as read."""

    data: bytes
    mode: int


def locate(repo: Repository, path: str, *, nested: bool = False) -> Path:
    """Return the place of `path`, refusing links and (but for `nested`) other repositories on the way to it.

    Raises ClawgitError: a write through either would land in somebody else's tree.
    """
    return Path(_located(repo, path, nested=nested))


def _located(repo: Repository, path: str, *, nested: bool) -> str:
    """Do the same as `locate`, on strings: this is called for every file, and a Path takes ten times as long."""
    root = folder = str(repo.root)
    for part in path.split("/")[:-1]:
        folder = f"{folder}/{part}"
        if os.path.islink(folder):  # noqa: PTH114
            real = os.path.realpath(folder)
            fix = Command("rm {}", folder, note="it leads nowhere")
            if os.path.isdir(real):  # noqa: PTH112 - by letters, as above
                fix = Command("rm {} && cp -R {} {}", folder, real, folder, note=f"{real} stays as it is")
            raise errors.path_link(f"{path}: {part} is a symbolic link", fix=fix)
        if not nested and os.path.lexists(f"{folder}/.git"):
            raise errors.path_submodule(
                f"{path} belongs to {folder}", fix=Advice(f"clawgit -C {quote_shell(folder)} …")
            )
    return f"{root}/{path}"


def read_worktree_file(
    repo: Repository, path: str, limit: int | None = None, *, nested: bool = False
) -> DiskFile | None:
    """Return the file at `path`, which may be in a nested repository with `nested`; None when there is none.

    Raises ClawgitError for a link, a folder, a device, a file without permission, or over `limit` bytes (None: the
    limit for its path).
    """
    try:
        handle = open_quietly(_located(repo, path, nested=nested))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as exc:
        raise _unreadable(repo, path, exc) from exc
    try:
        return read_handle(handle, path, limit)
    finally:
        os.close(handle)


def read_present(repo: Repository, path: str) -> DiskFile | None:
    """Return the result of `read`; a folder in the place of the file is no file."""
    return None if is_folder(locate(repo, path)) else read_worktree_file(repo, path)


def is_folder(place: Path) -> bool:
    """Return whether there is a folder at `place`, not a link to one."""
    return place.is_dir() and not place.is_symlink()


QUIETLY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
"""Flags to open for reading without following a link or waiting on a FIFO."""


def open_quietly(place: Path | str) -> int:
    """Open for reading without following a link or waiting on a FIFO."""
    return os.open(place, QUIETLY | os.O_CLOEXEC)


def read_handle(handle: int, path: str, limit: int | None = None) -> DiskFile:
    """Return the content of an open file, refusing one that is not regular or too large."""
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        raise errors.file_kind(
            f"{path} is {describe_kind(status.st_mode)}, not a regular file", fix=rename_aside(path), paths=(path,)
        )
    limit = limit or limit_of(path)
    if status.st_size > limit:
        raise errors.file_too_large(
            f"{path} has {status.st_size:,} bytes; no more than {limit:,} are read",
            fix=Advice("split it into smaller files, or move it out of the workspace"),
            paths=(path,),
        )
    data = b""
    # st_size may be stale for a growing file: read to the end, whatever it said.
    while part := os.pread(handle, max(status.st_size - len(data), 0) + 1, len(data)):
        data += part
    return DiskFile(data, stat.S_IMODE(status.st_mode))


def _unreadable(repo: Repository, path: str, exc: OSError) -> ClawgitError:
    if exc.errno == errno.ELOOP:
        target = (repo.root / path).readlink()
        real = os.path.normpath((repo.root / path).parent / target)
        copied = Command("cp --remove-destination {} {}", real, path)
        note = f"{real} stays as it is" if os.path.lexists(real) else "it leads nowhere"
        fix = copied if Path(real).is_file() else Command("rm {}", path, note=note)
        head = repository.head(repo) if path.startswith(".clawgit/") else None
        if head and path in repository.files(repo, head):  # what the link leads to is no table of ours
            fix = Command("rm {} && git checkout HEAD -- {}", path, path)
        return errors.path_link(f"{path} is a symbolic link to {target}", fix=fix, paths=(path, str(target)))
    return errors.file_unreadable(
        f"{path} cannot be read: {exc.strerror}", fix=Command("ls -l {}", path), paths=(path,)
    )


def refuse_protected(repo: Repository, path: str, *, replacing: bool) -> None:
    """Raise ClawgitError if we may not write the file at `path`, or its folder.

    `replacing` it takes more than adding to it: an append-only file may not be exchanged.
    """
    place = locate(repo, path)
    ancestor = next(parent for parent in place.parents if parent.exists())
    if is_folder(place) or not ancestor.is_dir():
        obstacle = path if is_folder(place) else ancestor.relative_to(repo.root).as_posix()
        sort = "a folder" if is_folder(place) else "a file"
        raise errors.file_unwritable(
            f"{path} cannot be written: {obstacle} is {sort}", fix=rename_aside(obstacle), paths=(path,)
        )
    for location in (place, ancestor):
        if location.exists() and not os.access(location, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            status = location.stat()
            raise errors.file_protected(
                f"{location.relative_to(repo.root)} is protected: it belongs to user {status.st_uid}, "
                f"mode {stat.S_IMODE(status.st_mode):04o}",
                fix=way_to_write(location),
                paths=(path,),
            )
    if replacing:
        refuse_fixed(place)


def way_to_write(place: Path) -> Fix:
    """Return the command that lets this user write to a file or folder."""
    if flags := _read_inode_flags(place) & (_APPEND_FLAG | _IMMUTABLE_FLAG):
        return Command(f"chattr -{'i' if flags & _IMMUTABLE_FLAG else 'a'} {{}}", place, note="as root")
    if os.statvfs(place).f_flag & os.ST_RDONLY:
        return Advice(f'mount -o remount,rw "$(df --output=target {quote_shell(place)} | tail -n 1)"   # as root')
    mine = place.stat().st_uid == os.geteuid()
    return Command("chmod u+w {}", place) if mine else Command("sudo chown {} {}", os.geteuid(), place)


def refuse_fixed(place: Path) -> None:
    """Raise ClawgitError for a file that the system keeps from being replaced, whatever its permissions."""
    if flags := _read_inode_flags(place) & (_APPEND_FLAG | _IMMUTABLE_FLAG):
        words = "only be appended to" if flags == _APPEND_FLAG else "not be changed"
        raise errors.file_protected(f"{place} is protected: it may {words}", fix=way_to_write(place))


def is_mounted(place: Path) -> bool:
    """Return whether a file is a mount of its own."""
    return place.exists() and mount_of(place) != mount_of(place.parent)


def refuse_mounted(place: Path) -> None:
    """Raise ClawgitError for a file that cannot be removed, since it is a mount."""
    if is_mounted(place):
        raise errors.file_protected(f"cannot remove mount {place}", fix=Command("umount {}", place, note="as root"))


def refuse_full(folder: Path) -> None:
    """Raise ClawgitError for a folder on a disk without room for a file."""
    disk = os.statvfs(folder)
    # Some file systems, such as btrfs, count no inodes and report 0.
    if not disk.f_bavail or (disk.f_files and not disk.f_favail):
        raise errors.disk_full(f"the disk is full: {folder}", fix=Command("df -h {} && df -i {}", folder, folder))


def _read_inode_flags(place: Path) -> int:
    flags = bytearray(8)
    with contextlib.suppress(OSError), open_handle(place, QUIETLY) as handle:
        fcntl.ioctl(handle, _GET_FLAGS, flags)
    return int.from_bytes(flags, sys.byteorder)


def write_temporary(place: Path, data: bytes, mode: int | None, twin: Path | None = None) -> None:
    """Write `data` to the new file `place` and wait until the disk has it.

    `mode` None is the process's default for a new file, the owner is that of `twin`, if we may set it. If that does not
    exist yet, both are taken from its folder if we are root.
    """
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        ancestor = next(path for path in (twin or place.parent, *(twin or place).parents) if os.path.lexists(path))
        if ancestor == twin:
            with contextlib.suppress(OSError):
                status = twin.lstat()
                os.fchown(handle, status.st_uid, status.st_gid)
        else:
            suitable = regular_file.match(handle, ancestor)
            mode = suitable if mode is None else mode
        if mode is not None:
            os.fchmod(handle, mode)
        os.fsync(handle)


def replace_file(place: Path, data: bytes | None, mode: int | None = None) -> None:
    """Replace the content of a file (None: no file) in one step; `mode` None keeps its mode."""
    if data is None:
        return place.unlink(missing_ok=True)
    temporary = place.with_name(f".{place.name}.{os.urandom(4).hex()}.tmp")
    regular_file.make_folders(place.parent)
    try:
        mode = stat.S_IMODE(place.stat().st_mode) if mode is None and place.exists() else mode
        write_temporary(temporary, data, mode, twin=place)
        exchange(temporary, place)
    finally:
        temporary.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the names in `folder`."""
    with open_handle(folder, os.O_RDONLY | os.O_DIRECTORY) as handle:
        os.fsync(handle)


def exchange(temporary: Path, place: Path) -> None:
    """Put `temporary` in the place of `place`, in one step; the file that was there takes the name `temporary`.

    If there was none, `temporary` is gone afterwards. A file that is a mount of its own is overwritten.
    """
    announce_step(f"exchange {place.name}")
    regular_file.make_folders(place.parent)
    # RENAME_EXCHANGE keeps the displaced file: a writer that came in last is found in it. It needs a file at both ends.
    for flag in (_EXCHANGE, _NOREPLACE) * 10:
        try:
            _rename_with_flag(temporary, place, flag)
        except (FileExistsError, FileNotFoundError):
            if not temporary.exists():
                raise
        except OSError as exc:
            if exc.errno not in (errno.EBUSY, errno.EXDEV) or not place.exists():
                raise
            # A mount cannot be renamed over: its bytes are saved, and then overwritten.
            copy = temporary.with_name(f"{temporary.name}.copy")
            copy.unlink(missing_ok=True)
            write_temporary(copy, place.read_bytes(), stat.S_IMODE(place.stat().st_mode))
            # Recovery looks for the final name, which only a whole copy gets.
            copy.rename(old_copy(temporary))
            sync_folder(copy.parent)
            if overwrite(temporary, place):
                return None
            old_copy(temporary).unlink()
        else:
            return sync_folder(place.parent)
    raise errors.keeps_changing(f"{place} appears and disappears; it could not be placed")


def remove(place: Path, displaced: Path) -> None:
    """Move the file at `place` away to `displaced`; nothing happens if there is none."""
    announce_step(f"remove {place.name}")
    with contextlib.suppress(FileNotFoundError):
        place.rename(displaced)
        sync_folder(place.parent)


def append(place: Path, block: bytes) -> None:
    """Add `block` at the end of `place` in one write; again if the file was replaced meanwhile."""
    announce_step(f"append {place.name}")
    for _ in range(10):
        with open_handle(place, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW) as handle:
            before = _count_blocks(handle, block)
            write_all(handle, block)
            os.fsync(handle)
            # A file that was replaced during the write may lack the block, or was made from it after that.
            with contextlib.suppress(OSError):
                if os.path.samestat(os.fstat(handle), place.lstat()):
                    return
                with open_handle(place, QUIETLY) as replacement:
                    if _count_blocks(replacement, block) > before:
                        return
    raise errors.keeps_changing(f"{place} was replaced at every attempt to append to it")


def _count_blocks(handle: int, block: bytes) -> int:
    return os.pread(handle, os.fstat(handle).st_size, 0).count(block)


@cache
def _renameat2() -> Callable[..., int] | None:
    import ctypes  # noqa: PLC0415 - readers do without

    library = ctypes.CDLL(None, use_errno=True)
    return getattr(library, "renameat2", None)


def _rename_with_flag(source: Path, target: Path, flag: int) -> None:
    """Do as `renameat2`, in two steps on a system that lacks it."""
    import ctypes  # noqa: PLC0415

    function = _renameat2()
    if function is not None:
        if not function(_AT_FDCWD, os.fsencode(source), _AT_FDCWD, os.fsencode(target), flag):
            return
        number = ctypes.get_errno()
        if number not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
            raise OSError(number, os.strerror(number), str(source), None, str(target))
    if flag == _NOREPLACE:
        # A link fails if the target exists, as RENAME_NOREPLACE does.
        os.link(source, target)
        source.unlink()
        return
    backup = source.with_name(source.name + ".aside")
    os.link(target, backup)
    source.replace(target)
    backup.rename(source)
