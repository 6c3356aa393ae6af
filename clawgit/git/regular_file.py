"""Reads regular files; waits for no pipe or device."""

import errno
import os
import stat
from pathlib import Path

from clawgit.errors import ClawgitError, quoted

LARGEST = 2 << 20
"""OpenClaw reads no larger file."""

LARGEST_OWN = 256 << 20
"""A larger file below .clawgit is none of clawgit's making."""

_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}


def limit_of(path: str) -> int:
    """Return how many bytes the file at `path` may have."""
    return LARGEST_OWN if "/.clawgit/" in f"/{path}" else LARGEST


def read(place: Path, limit: int = LARGEST) -> bytes:
    """Return what the regular file at `place`, or behind a link there, holds; never waits for a pipe or a device.

    Raises OSError, also for what is no regular file or is larger than `limit` bytes.
    """
    handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, f"it is {kind(status.st_mode)}", str(place))
        if status.st_size > limit:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(place))
        with os.fdopen(os.dup(handle), "rb") as file:
            return file.read()
    finally:
        os.close(handle)


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
