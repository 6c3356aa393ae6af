"""What the kernel notes of folders."""

import ctypes
import errno
import os
import select
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock

MODIFY, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x2, 0x8, 0x40, 0x80, 0x100, 0x200
DELETE_SELF, MOVE_SELF, OVERFLOW, IGNORED = 0x400, 0x800, 0x4000, 0x8000
_ONLYDIR, _DONT_FOLLOW, ISDIR = 0x01000000, 0x02000000, 0x40000000
WANTED = CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | MOVE_SELF
FULL = (errno.ENOSPC, errno.EMFILE)
_HEAD = struct.Struct("iIII")
_BUFFER = 1 << 18


class Kernel:
    """One watcher of inotify. Raises OSError where there is none."""

    def __init__(self) -> None:
        if not sys.platform.startswith("linux"):
            raise OSError(errno.ENOSYS, "no inotify")
        self._library = ctypes.CDLL(None, use_errno=True)
        self._handle = _checked(self._library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        self._poll = select.poll()
        self._poll.register(self._handle, select.POLLIN)

    def add(self, folder: Path, mask: int = WANTED) -> int:
        """Watch a folder itself, no link to one; return the number of the watch. Raises OSError."""
        wanted = mask | _ONLYDIR | _DONT_FOLLOW
        return _checked(self._library.inotify_add_watch(self._handle, os.fsencode(folder), wanted))

    def remove(self, watch: int) -> None:
        """Watch a folder no more."""
        self._library.inotify_rm_watch(self._handle, watch)

    def ready(self, seconds: float) -> bool:
        """Return whether something happened, after so many seconds at the latest."""
        return bool(self._poll.poll(seconds * 1000))

    def events(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield what happened: the watch, what it was, and the name in the folder."""
        with suppress(BlockingIOError):
            data = os.read(self._handle, _BUFFER)
            at = 0
            while at < len(data):
                watch, mask, _, length = _HEAD.unpack_from(data, at)
                at += _HEAD.size + length
                yield watch, mask, data[at - length : at].rstrip(b"\0")

    def close(self) -> None:
        """Stop watching."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _checked(number: int) -> int:
    if number < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return number


class Owned:
    """The folders of many owners, watched as one: the kernel gives a user 128 watchers, and any number of folders.

    Folders may be given from any thread, so that a slow disk holds up nobody but its own.
    """

    def __init__(self) -> None:
        self._kernel = Kernel()
        self._lock = Lock()
        self._owners: dict[int, tuple[Path, Path]] = {}

    def follow(self, owner: Path, folders: Iterable[Path]) -> None:
        """Watch these folders for their owner, and no others. Raises OSError where the kernel has no room for them."""
        found: dict[int, Path] = {}
        for folder in folders:
            try:
                found[self._kernel.add(folder)] = folder
            except OSError as exc:
                if exc.errno in FULL:
                    raise
        with self._lock:
            gone = [watch for watch, (whose, _) in self._owners.items() if whose == owner and watch not in found]
            for watch in gone:
                del self._owners[watch]
            self._owners |= {watch: (owner, folder) for watch, folder in found.items()}
        for watch in gone:
            self._kernel.remove(watch)

    def wait(self, seconds: float) -> dict[Path, set[Path]]:
        """Return the owners to whose folders something happened, after so many seconds at the latest, with those.

        Where the kernel could not keep note of all, these are all of them.
        """
        found: dict[Path, set[Path]] = {}
        if not self._kernel.ready(seconds):
            return found
        with self._lock:
            for watch, mask, _ in self._kernel.events():
                told = tuple(self._owners.values()) if mask & OVERFLOW else (self._owners.get(watch),)
                for owner, folder in filter(None, told):
                    found.setdefault(owner, set()).add(folder)
                if mask & IGNORED:
                    self._owners.pop(watch, None)
        return found

    def close(self) -> None:
        """Stop watching."""
        self._kernel.close()
