"""Gives what root makes to the owner of its folder."""

import atexit
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

_STARTED = time.time() - 0.1  # the clock of a file system is some milliseconds late
_PATH = getattr(os, "O_PATH", os.O_RDONLY | os.O_NONBLOCK)


def match(handle: int, folder: Path) -> int | None:
    """Give a new file of root's to the owner of `folder`; return the mode that suits it there, None for any."""
    if os.geteuid() or not (around := folder.stat()).st_uid:
        return None
    with suppress(OSError):
        os.fchown(handle, around.st_uid, around.st_gid)
    return stat.S_IMODE(around.st_mode) & 0o666


def make_folders(folder: Path) -> None:
    """Make a folder, and those around it, where they are missing."""
    if not folder.is_dir():
        make_folders(folder.parent)
        folder.mkdir(exist_ok=True)
        inherit(folder)


def inherit(folder: Path) -> None:
    """Give a new folder of root's the owner and the mode of the one around it."""
    if os.geteuid() == 0 and (around := folder.parent.stat()).st_uid:
        with suppress(OSError):
            os.chown(folder, around.st_uid, around.st_gid, follow_symlinks=False)
            folder.chmod(stat.S_IMODE(around.st_mode))


@cache
def keep(gitdir: Path) -> None:
    """Hand over what this process makes in a git folder, when it ends."""
    atexit.register(hand_over, gitdir)


def hand_over(gitdir: Path) -> None:
    """Give what root has made in a git folder since this process began to the owners of the folders around it."""
    with suppress(OSError):
        for _, handle, around in of_root(gitdir, _STARTED) if not os.geteuid() and gitdir.stat().st_uid else ():
            with suppress(OSError):
                os.chown(f"/proc/self/fd/{handle}", around.st_uid, around.st_gid)


def of_root(top: Path, since: float = 0) -> Iterator[tuple[Path, int, os.stat_result]]:
    """Yield what is root's in folders of others and was changed `since`, with a handle and the status of its folder.

    Nobody can put another file in the place of a handle. What has two names may be meant by the other one.
    """
    for path, folders, files, folder in os.fwalk(top):
        around = os.fstat(folder)
        for name in (*folders, *files) if around.st_uid else ():
            with suppress(OSError):
                handle = os.open(name, _PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
                try:
                    found = os.fstat(handle)
                    single = found.st_nlink == 1 or stat.S_ISDIR(found.st_mode)
                    if found.st_uid == 0 and found.st_ctime >= since and single:
                        yield Path(path, name), handle, around
                finally:
                    os.close(handle)
