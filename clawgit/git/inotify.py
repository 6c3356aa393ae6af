"""File events of the kernel."""

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

_CLOSE_WRITE, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x8, 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _OVERFLOW, _IGNORED = 0x400, 0x800, 0x4000, 0x8000
_ONLYDIR, _DONT_FOLLOW = 0x01000000, 0x02000000
_EVENT_MASK = _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
FULL = (errno.ENOSPC, errno.EMFILE)
"""No room for more watches, or watchers, of this user."""
_HEAD = struct.Struct("iIII")
_BUFFER = 1 << 18


class FolderEvents:
    """Watches the folders of many owners as one: the kernel gives a user 128 watchers, and any number of folders.

    Folders may be given from any thread, so that a slow disk delays nothing but its own.
    """

    def __init__(self) -> None:
        """Begin to watch. Raises OSError if there is no inotify."""
        if not sys.platform.startswith("linux"):
            raise OSError(errno.ENOSYS, "no inotify")
        self._library = ctypes.CDLL(None, use_errno=True)
        self._mask = _EVENT_MASK | _ONLYDIR | _DONT_FOLLOW
        self._handle = _checked(self._library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        self._poll = select.poll()
        self._poll.register(self._handle, select.POLLIN)
        self._lock = Lock()
        self._watches: dict[int, tuple[Path, Path]] = {}

    def follow(self, owner: Path, folders: Iterable[Path]) -> None:
        """Watch exactly these folders for their owner. Raises OSError if the kernel has no room for them."""
        watches: dict[int, Path] = {}
        for folder in folders:
            try:
                watch = _checked(self._library.inotify_add_watch(self._handle, os.fsencode(folder), self._mask))
                watches[watch] = folder
            except OSError as exc:
                # A folder may be gone by now; only a lack of room is an error.
                if exc.errno in FULL:
                    raise
        with self._lock:
            old_watches = [
                watch
                for watch, (watch_owner, _) in self._watches.items()
                if watch_owner == owner and watch not in watches
            ]
            for watch in old_watches:
                del self._watches[watch]
            self._watches |= {watch: (owner, folder) for watch, folder in watches.items()}
        for watch in old_watches:
            self._library.inotify_rm_watch(self._handle, watch)

    def wait(self, seconds: float) -> dict[Path, set[Path]]:
        """Return the owners of changed files, after so many seconds at the latest, each with their paths.

        After an overflow in the kernel the folders are returned instead of their files.
        """
        changed: dict[Path, set[Path]] = {}
        if not self._poll.poll(seconds * 1000):
            return changed
        with self._lock:
            for watch, mask, name in self._read_events():
                entries = tuple(self._watches.values()) if mask & _OVERFLOW else (self._watches.get(watch),)
                for owner, folder in filter(None, entries):
                    changed.setdefault(owner, set()).add(folder / os.fsdecode(name))
                # The kernel dropped this watch: its folder is gone, or we removed it.
                if mask & _IGNORED:
                    self._watches.pop(watch, None)
        return changed

    def _read_events(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield the watch, the event, and the name in the folder."""
        with suppress(BlockingIOError):
            data = os.read(self._handle, _BUFFER)
            offset = 0
            while offset < len(data):
                watch, mask, _, length = _HEAD.unpack_from(data, offset)
                offset += _HEAD.size + length
                yield watch, mask, data[offset - length : offset].rstrip(b"\0")

    def close(self) -> None:
        """Stop watching."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _checked(number: int) -> int:
    if number < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return number
