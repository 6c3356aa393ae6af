"""Gives root's files to the owner of their folder."""

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
